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

_COARSE = 0.3  # share of multiples of 10, 100 or 1000, from which on they are a kind
_FREQUENT = 0.002  # share of the rows, from which on a value is a class of its own


class Classes(NamedTuple):
    """The class of each row of both sets, real ones first."""

    codes: Ints
    texts: list[str]
    """Each class in words."""
    centers: Float64s
    """The mean of the cells of each class; NaN of missing cells and of categories."""
    lowest: list[str]
    """The smallest cell of each class."""
    kinds: list[str]
    """The kind of the cells of each class, in words; "" where all are of one."""
    levels: Column | None = None
    """Of a category with rare levels, the column."""
    prefix: str = ""
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
                sets.append((order[:at], f"{self.prefix}below {self.lowest[order[at]]}"))

        def rank(classes: tuple[Any, str]) -> tuple[float, float]:
            rows, _ = classes
            size = abs((p - q)[rows].sum())
            if len(rows) > 1:  # a single class says more than a range
                size /= 1.5
            if min(p[rows].sum(), q[rows].sum()) == 0:  # so does a value that only one set has
                size *= 1.5
            return round(size, 9), -float((p + q)[rows].sum())  # a kind, or its complement: rarer

        some, text = max(sets, key=rank)
        shares = [percent(float(share[some].sum())) for share in (p, q)]
        return f"{text} in {shares[0]} of the real and {shares[1]} of the generated rows"


def classes_of(
    column: Column,
    first: NDArray[np.bool_],
    values: int,
    ranges: int,
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
    rest = (codes < 0) & ~missing
    if column.kind == CATEGORY and rest.any():
        shapes, of_rest = _shapes(column, rest, ranges)
        codes[rest] = len(texts) + of_rest
        texts += shapes
        rest[:] = False
    for number, name in enumerate(names):
        rows = np.flatnonzero(rest & (kind == number))
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
    kinds_of = ["" if missing[row] else names[kind[row]] for row in examples]
    centers, lowest = np.full(len(texts), np.nan), np.full(len(texts), np.inf)
    if column.kind != CATEGORY:
        centers = np.bincount(codes, cells.clip(-1e300, 1e300)) / np.bincount(codes)
        np.minimum.at(lowest, codes, np.where(missing, np.inf, cells))
    smallest = [cell_text(column, low) if low < np.inf else "" for low in lowest]
    rare = column if len(column.levels) > len(frequent) else None
    return Classes(codes, texts, centers, smallest, kinds_of, rare, prefix)


def _shapes(column: Column, rows: NDArray[np.bool_], most: int) -> tuple[list[str], Ints]:
    """Return classes of the text of rare levels, in words, and that of each of the rows: by its
    length and its shape."""
    levels, place, counts = np.unique(
        column.values[rows].astype(np.int64), return_inverse=True, return_counts=True
    )
    texts = [column.levels[i] for i in levels]
    shapes = [(len(text), shape_of(text)) for text in texts]
    rows_of: Counter[tuple[int, str]] = Counter()
    for shape, count in zip(shapes, counts.tolist(), strict=True):
        rows_of[shape] += count
    frequent = sorted(rows_of, key=lambda shape: (-rows_of[shape], shape))[: max(1, most - 1)]
    places = {shape: i for i, shape in enumerate(frequent)}
    of_levels = np.array([places.get(shape, len(frequent)) for shape in shapes])
    known, codes = np.unique(of_levels[place], return_inverse=True)
    words = ["other rare text"] * (len(frequent) + 1)
    for text, i in zip(texts, of_levels.tolist(), strict=True):
        if words[i] == "other rare text" and i < len(frequent):
            words[i] = f"rare text such as {text!r}"
    return [words[i] for i in known], codes.reshape(-1)


def _kinds(column: Column) -> tuple[list[str], Ints]:
    """Return kinds of cells in words, and that of each cell: numbers by their decimals, days of the
    week by weekend; one kind, "", where it does not vary."""
    cells = np.where(np.isfinite(column.values), column.values, 0.0)
    one_kind = [""], np.zeros(len(cells), np.int64)
    if is_weekday(column):
        return ["Monday to Friday", "weekends"], (cells >= 5).astype(np.int64)
    if column.kind != NUMBER:
        return one_kind
    decimals = decimals_of(cells)
    known = decimals[np.isfinite(column.values) & (cells != 0)]
    if not known.size or known.min() == known.max():
        return one_kind
    for digits in (-3, -2, -1):
        if (known <= digits).mean() > _COARSE:
            names = [f"multiples of {10**-digits}", "other numbers"]
            return names, ((decimals > digits) & (cells != 0)).astype(np.int64)
    if known.max() <= 0:
        return one_kind
    usual = rounding_of(cells)
    if usual is None:
        usual = max(int(np.median(known)), 0)
    whole = "whole numbers"
    if usual in (0, known.max()):
        return [whole, "numbers with decimals"], (decimals > 0).astype(np.int64)
    more = f"numbers of more than {usual} decimal{'s' if usual > 1 else ''}"
    names = [whole, f"numbers of up to {usual} decimal{'s' if usual > 1 else ''}", more]
    return names, np.where(decimals <= 0, 0, 1 + (decimals > usual))


def percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.1 or share == 0 else f"{100 * share:.2g} %"
