"""Classes of the cells of a column, and which of them two sets have in different shares, in words.

The classes are the most frequent values of a column, its missing cells, and the ranges between
quantiles of the others, for each kind of cell where that varies: numbers by their decimals, rare
text by its length and shape.  They are made of the rows of both sets, without a look at which is
which.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.frames import CATEGORY, NUMBER, Column, Float64s, Ints, cell_text
from prfast.inputs.parts import decimals_of, is_weekday, rounding_of, shape_of

VALUES, RANGES = 40, 20  # classes of a column: its most frequent values, ranges of the others
_COARSE = 0.3  # share of multiples of 10, 100 or 1000, from which on they are a kind
_FREQUENT = 0.002  # share of the rows, from which on a value is a class of its own


class Classes(NamedTuple):
    """The class of each row of both sets, real ones first."""

    column: Column
    codes: Ints
    texts: list[str]
    """Each class in words."""
    centers: Float64s
    """The mean of the cells of each class; NaN of missing cells and of categories."""
    kinds: list[str]
    """The kind of the cells of each class, in words; "" where all are of one."""
    has_rare_levels: bool
    prefix: str
    """What comes before values in a sentence."""
    sentence: str = ""
    """What differs, instead of values."""

    def words(self, is_fake: NDArray[np.bool_]) -> str:
        """Return the values whose shares differ most, with their shares: a class, all classes of a
        kind, or those up to a threshold."""
        if self.sentence:
            return self.sentence
        p, q = (
            np.bincount(self.codes[rows], minlength=len(self.texts)) / rows.sum()
            for rows in (~is_fake, is_fake)
        )
        sets: list[tuple[Any, str]] = [([i], text) for i, text in enumerate(self.texts)]
        for kind in dict.fromkeys(filter(None, self.kinds)):
            sets.append((np.flatnonzero(np.array(self.kinds) == kind), kind))
        order = np.argsort(self.centers, kind="stable")[: np.sum(~np.isnan(self.centers))]
        if len(order) > 2:
            at = 1 + int(np.abs(np.cumsum((p - q)[order])).argmax())
            if at < len(order):
                end = self.column.values[self.codes == order[at]].min()
                sets.append((order[:at], f"{self.prefix}below {cell_text(self.column, end)}"))
        best, words = (-1.0, 0.0), ""
        for classes, text in sets:
            real, fake = float(p[classes].sum()), float(q[classes].sum())
            size = abs((p - q)[classes].sum())
            if len(classes) > 1:  # a single class says more than a range
                size /= 1.5
            if min(real, fake) == 0:  # so does a value that only one set has
                size *= 1.5
            rank = (
                round(size, 9),
                -float((p + q)[classes].sum()),
            )  # a kind, or its complement: rarer
            if rank > best:
                best = rank
                shares = f"{percent(real)} of the real and {percent(fake)} of the generated rows"
                words = f"{text} in {shares}"
        return words


def classes_of(
    column: Column,
    first: NDArray[np.bool_],
    values: int = VALUES,
    ranges: int = RANGES,
    *,
    kinds: bool = True,
    prefix: str = "",
) -> Classes:
    """Divide the cells of a column into classes.

    first: the rows whose values are counted; values, ranges: the most classes of single values and
    of ranges; kinds: whether ranges are divided by the kinds of their cells; prefix: what comes
    before values in a sentence.
    """
    cells, missing = column.values, column.missing
    distinct, place = np.unique(cells[~missing], return_inverse=True)
    counts = np.bincount(place, first[~missing], len(distinct))
    least = max(2.0, _FREQUENT * first.sum())
    frequent = [i for i in np.argsort(-counts, kind="stable")[:values] if counts[i] >= least]
    of_values = np.full(len(distinct), -1)
    of_values[frequent] = np.arange(len(frequent))
    codes = np.full(len(cells), -1)
    codes[~missing] = of_values[place]
    texts = [f"{prefix}{cell_text(column, distinct[i])}" for i in frequent]
    names, kind = _kinds(column) if kinds else ([""], np.zeros(len(cells), np.int64))
    is_rare = (codes < 0) & ~missing
    if column.kind == CATEGORY and is_rare.any():
        shapes, shape_codes = _shapes(column, is_rare, ranges)
        codes[is_rare] = len(texts) + shape_codes
        texts += shapes
        is_rare[:] = False
    for number, name in enumerate(names):
        rows = np.flatnonzero(is_rare & (kind == number))
        if not rows.size:
            continue
        finite = cells[rows][np.isfinite(cells[rows])]  # infinite ones are in the outer ranges
        shares = np.linspace(0, 1, ranges + 1)
        ends = np.unique(np.quantile(finite, shares)) if finite.size else np.zeros(1)
        of_range = np.searchsorted(ends[1:-1], cells[rows], side="left")
        for i in np.unique(of_range):
            inside = rows[of_range == i]
            codes[inside] = len(texts)
            low, high = (cell_text(column, end(cells[inside])) for end in (np.min, np.max))
            to = f" to {high}" if low != high else ""
            texts.append(f"{prefix}{f'{name}, ' if name else ''}{low}{to}")
    if missing.any():
        codes[missing] = len(texts)
        texts.append("missing")
    examples = np.unique(codes, return_index=True)[1]
    class_kinds = ["" if missing[row] else names[kind[row]] for row in examples]
    centers = np.full(len(texts), np.nan)
    if column.kind != CATEGORY:
        centers = np.bincount(codes, cells.clip(-1e300, 1e300)) / np.bincount(codes)
    has_rare_levels = len(column.levels) > len(frequent)
    return Classes(column, codes, texts, centers, class_kinds, has_rare_levels, prefix)


def _shapes(column: Column, rows: NDArray[np.bool_], most: int) -> tuple[list[str], Ints]:
    """Return classes of the text of rare levels, in words, and that of each of the rows: by its
    length and its shape."""
    levels, place, counts = np.unique(
        column.values[rows].astype(np.int64), return_inverse=True, return_counts=True
    )
    texts = [column.levels[i] for i in levels]
    shapes = [(len(text), shape_of(text)) for text in texts]
    numbers: Counter[tuple[int, str]] = Counter()  # of rows
    for shape, count in zip(shapes, counts.tolist(), strict=True):
        numbers[shape] += count
    frequent = sorted(numbers, key=lambda shape: (-numbers[shape], shape))[: max(1, most - 1)]
    words = [f"rare text such as {texts[shapes.index(shape)]!r}" for shape in frequent]
    words += ["other rare text"] * (len(numbers) > len(frequent))
    places = {shape: i for i, shape in enumerate(frequent)}
    return words, np.array([places.get(shape, len(frequent)) for shape in shapes])[place]


def _kinds(column: Column) -> tuple[list[str], Ints]:
    """Return kinds of cells in words, and that of each cell: numbers by their decimals, days of the
    week by weekend; one kind, "", where it does not vary."""
    cells = np.where(np.isfinite(column.values), column.values, 0.0)
    if is_weekday(column):
        return ["Monday to Friday", "weekends"], (cells >= 5).astype(np.int64)
    alike = [""], np.zeros(len(cells), np.int64)
    if column.kind != NUMBER:
        return alike
    decimals = decimals_of(cells)
    present = decimals[np.isfinite(column.values) & (cells != 0)]
    if not present.size or present.min() == present.max():
        return alike
    for digits in (-3, -2, -1):
        if (present <= digits).mean() > _COARSE:
            names = [f"multiples of {10**-digits}", "other numbers"]
            return names, ((decimals > digits) & (cells != 0)).astype(np.int64)
    if present.max() <= 0:
        return alike
    usual = rounding_of(cells)
    if usual is None:
        usual = max(int(np.median(present)), 0)
    if usual in (0, present.max()):
        return ["whole numbers", "numbers with decimals"], (decimals > 0).astype(np.int64)
    text = f"{usual} decimal{'s' if usual > 1 else ''}"
    names = ["whole numbers", f"numbers of up to {text}", f"numbers of more than {text}"]
    return names, np.where(decimals <= 0, 0, 1 + (decimals > usual))


def percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.1 or share == 0 else f"{100 * share:.2g} %"
