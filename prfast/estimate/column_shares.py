"""Classes of the cells of a column, and held-out differences of their shares between two sets.

The classes are the most frequent values, missing cells, and ranges between quantiles of the others,
for each kind of cell.  They are made of the rows of both sets together.  A set of classes is chosen
on the other folds, and the difference of its shares is measured on the fold.  A pair of columns is
compared after the rows of both sets have been weighted to common shares of either column.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Flags, Float64s, Ints
from prfast.inputs.decimals import decimals_of, rounding_of
from prfast.inputs.frames import CATEGORY, NUMBER, Column, cell_text
from prfast.inputs.parts import WEEKDAYS, shape_of

VALUES, RANGES = 40, 20  # classes of a column: its most frequent values, ranges of the others
_COARSE = 0.3  # least share of multiples of 10, 100 or 1000 that are a kind
_FREQUENT = 0.002  # least share of the rows for a class of a single value
FOLDS = 4
LEVEL = 0.05  # probability that any difference is reported where nothing differs
LEAST = 0.01  # total variation, below which none is reported
CHOICE_ERRORS = 2.0  # by which a set is better whose difference is surer
_AT_ONCE = 2000  # pairs whose tables are in memory
_ADJUSTMENTS = 12  # steps of iterative proportional fitting
# Each fold is measured by sets that the others chose, and takes part in choosing theirs.  Where
# nothing differs, the variance of the mean is twice that of independent measurements.
_DEPENDENCE = np.sqrt(2.0)
_CHOSEN_ERRORS = (0.0, 1.0, 2.0)  # of the shares of a class that is chosen
_SETS = 2 * len(_CHOSEN_ERRORS) + 1  # that are tried, with that of a threshold or of new levels
_RANK_SIGNS = 2  # of the test of ranks, either of which is tried


class Classes(NamedTuple):
    """Classes of the cells of a column in both sets."""

    column: Column
    codes: Ints
    """The class of each row, real rows first."""
    texts: list[str]
    """Each class in words."""
    centers: Float64s
    """The mean of the cells of each class; NaN of missing cells and of categories."""
    kinds: list[str]
    """The kind of the cells of each class, in words; "" where all are of one."""
    has_rare_levels: bool
    prefix: str  # of values in a sentence
    sentence: str = ""
    """What differs, instead of values."""

    def words(self, is_fake: Flags) -> str:
        """Return the class, kind or values below a threshold whose shares differ most, in words."""
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
            if len(classes) > 1:  # a single class tells more than a range
                size /= 1.5
            if min(real, fake) == 0:  # so does a value that only one set has
                size *= 1.5
            # A kind and its complement differ alike: the rarer one is named.
            rank = round(size, 9), -float((p + q)[classes].sum())
            if rank > best:
                best = rank
                shares = f"{percent(real)} of the real and {percent(fake)} of the generated rows"
                words = f"{text} in {shares}"
        return words


def classes_of(
    column: Column,
    first: Flags,
    values: int = VALUES,
    ranges: int = RANGES,
    *,
    kinds: bool = True,
    prefix: str = "",
) -> Classes:
    """Divide the cells of a column into at most so many classes of single values and of ranges.

    first: the rows whose values are counted; kinds: whether ranges are divided by their kinds.
    """
    cells, missing = column.values, column.missing
    different, place = np.unique(cells[~missing], return_inverse=True)
    counts = np.bincount(place, first[~missing], len(different))
    least = max(2.0, _FREQUENT * first.sum())
    frequent = [i for i in np.argsort(-counts, kind="stable")[:values] if counts[i] >= least]
    value_codes = np.full(len(different), -1)
    value_codes[frequent] = np.arange(len(frequent))
    codes = np.full(len(cells), -1)
    codes[~missing] = value_codes[place]
    texts = [f"{prefix}{cell_text(column, different[i])}" for i in frequent]
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
        range_codes = np.searchsorted(ends[1:-1], cells[rows], side="left")
        for i in np.unique(range_codes):
            inside = rows[range_codes == i]
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


def _shapes(column: Column, rows: Flags, most: int) -> tuple[list[str], Ints]:
    """Return classes of rare text, by its length and shape, in words, and that of each row."""
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
    """Return kinds of cells in words, by decimals or weekends, and that of each cell."""
    cells = np.where(np.isfinite(column.values), column.values, 0.0)
    if column.levels is WEEKDAYS:
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


def is_clear(
    value: float, error: float, number: int, ranks: float | None = None, parts: int = 1
) -> bool:
    """Return whether a difference is beyond chance, among so many columns or pairs.

    ranks: the normal score of the mean rank; parts: the sets of classes of the column.
    """
    from scipy.special import ndtri

    # Half of the level is for columns, half for pairs; each is the best of several sets.
    tried = _SETS * parts + (0 if ranks is None else _RANK_SIGNS)
    errors = float(ndtri(1.0 - LEVEL / (2 * number * tried)))
    return value >= LEAST and (value >= errors * error or abs(ranks or 0.0) >= errors)


def of_column(
    classes: Classes, group: Ints, sizes: Float64s, leader: Classes | None = None
) -> tuple[float, float]:
    """Return the difference of a column and its standard error.

    leader: classes of another column; rows are weighted to common shares of them.
    """
    size, weight = len(classes.texts), None
    if leader is not None:
        is_fake = group >= FOLDS
        sets = leader.codes[~is_fake], leader.codes[is_fake]
        shares = [np.bincount(codes, minlength=len(leader.texts)) / len(codes) for codes in sets]
        common = [np.minimum(*shares) / np.maximum(share, 1e-300) for share in shares]
        weight = np.where(is_fake, common[1][leader.codes], common[0][leader.codes])
    counts = np.bincount(group * size + classes.codes, weight, minlength=2 * FOLDS * size)
    real, fake = counts.reshape(2, FOLDS, 1, size).astype(np.float64)
    factor = np.ones((1, size))
    order = np.argsort(classes.centers, kind="stable")
    value, error = _held_out((real, fake), (factor, factor), sizes, order)
    return float(value[0]), float(error[0])


def of_ranks(cells: Float64s, first: Flags, is_fake: Flags) -> float:
    """Return the normal score of the mean rank of generated cells; first: the rows that count."""
    from scipy.stats import rankdata

    counted = first & ~np.isnan(cells)
    number, n = int(counted.sum()), int((counted & is_fake).sum())
    if not 0 < n < number:
        return 0.0
    ranks = rankdata(cells[counted])
    error = np.sqrt(ranks.var() * (number - n) / (n * (number - 1)))
    mean = ranks[is_fake[counted]].mean()
    return float((mean - (number + 1) / 2) / error) if error > 0 else 0.0


def of_new_levels(column: Column, group: Ints, sizes: Float64s) -> tuple[float, float, str]:
    """Return how much more often generated rows have levels that other real rows lack, its
    standard error, and words."""
    level = np.where(column.missing, -1, column.values).astype(np.int64)
    shares, variances, examples = [], [], list[int]()
    for fold in range(FOLDS):
        levels = np.unique(level[(group < FOLDS) & (group != fold)])
        rows = [level[group == fold], level[group == fold + FOLDS]]
        new = [~np.isin(row, levels) & (row >= 0) for row in rows]
        # All rows of a set that are equal are in one fold.
        counts = np.array([max(len(row), 1) for row in rows])
        shares.append(np.array([is_new.sum() for is_new in new]) / counts)
        variances.append(_variance(*shares[-1], *(counts * sizes)))
        examples += rows[1][new[1]].tolist()
    p, q = np.mean(shares, axis=0)
    error = float(_DEPENDENCE * np.sqrt(np.sum(variances)) / FOLDS)
    if not examples:
        return 0.0, error, ""
    example = column.levels[max(set(examples), key=lambda i: (examples.count(i), -i))]
    text = (
        f"levels that other real rows lack, such as {example!r}, in {percent(float(p))} of the "
        f"real and {percent(float(q))} of the generated rows"
    )
    return float(q - p), error, text


def of_pairs(
    pairs: Sequence[tuple[int, int]], codes: Sequence[Ints], group: Ints, sizes: Float64s
) -> tuple[list[float], list[float]]:
    """Return the differences of pairs of columns, of these classes, and their standard errors."""
    size = 1 + max((int(code.max()) for code in codes), default=0)
    parts = [[code[group == number] for code in codes] for number in range(2 * FOLDS)]
    values, errors = list[float](), list[float]()
    for start in range(0, len(pairs), _AT_ONCE):
        block = pairs[start : start + _AT_ONCE]
        counts = np.empty((2 * FOLDS, len(block), size, size))
        for number, part in enumerate(parts):
            for at, (i, j) in enumerate(block):
                joint = np.bincount(part[i] * size + part[j], minlength=size * size)
                counts[number, at] = joint.reshape(size, size)
        sets = counts[:FOLDS], counts[FOLDS:]
        factors = _adjustments(*(numbers.sum(axis=0) for numbers in sets))
        real, fake = (numbers.reshape(FOLDS, len(block), -1) for numbers in sets)
        first, second = (factor.reshape(len(block), -1) for factor in factors)
        value, error = _held_out((real, fake), (first, second), sizes, None)
        values += value.tolist()
        errors += error.tolist()
    return values, errors


def _adjustments(real: Float64s, fake: Float64s) -> tuple[Float64s, Float64s]:
    """Return factors of joint counts that give both sets common shares of either column.

    The shares are the smaller ones of both sets, over their sum; iterative proportional fitting
    (Deming and Stephan, 1940).
    """
    shares = [counts / counts.sum(axis=(1, 2), keepdims=True) for counts in (real, fake)]
    targets = {}
    for axis in (1, 2):
        common = np.minimum(*(share.sum(axis=axis, keepdims=True) for share in shares))
        targets[axis] = common / np.maximum(common.sum(axis=(1, 2), keepdims=True), 1e-300)
    factors = [np.ones_like(share) for share in shares]
    for share, factor in zip(shares, factors, strict=True):
        for _ in range(_ADJUSTMENTS):
            for axis in (2, 1):
                mass = (share * factor).sum(axis=axis, keepdims=True)
                factor *= targets[axis] / np.where(mass > 0, mass, 1.0)
    return factors[0], factors[1]


def _held_out(
    counts: tuple[Float64s, Float64s],
    factors: tuple[Float64s, Float64s],
    sizes: Float64s,
    order: Ints | None,
) -> tuple[Float64s, Float64s]:
    """Return held-out differences and their standard errors.

    counts: real and generated rows in the classes, (folds, differences, classes).  factors: the
    weights of these rows, (differences, classes).  sizes: independent rows over all rows of each
    set.  order: classes in the order of their values, for thresholds.
    """
    measured = []  # shares, and effective numbers of rows (Kish), of the other folds and the fold
    for number, factor, size in zip(counts, factors, sizes, strict=True):
        for rows in (number.sum(axis=0) - number, number):
            weighted = rows * factor
            total = weighted.sum(axis=-1, keepdims=True)
            squares = (weighted * factor).sum(axis=-1, keepdims=True)
            effective = size * total**2 / np.where(squares > 0, squares, 1.0)
            share = weighted / np.where(total > 0, total, 1.0)
            measured.append((share, np.maximum(effective, 1.0)))
    values, variances = [], []
    for fold in range(FOLDS):
        (p, n), real, (q, m), fake = ([x[fold] for x in part] for part in measured)
        z = (p - q) / np.sqrt(_variance(p, q, n, m))
        # A set of classes that is tried has signs: 1 and −1 for larger and smaller real shares.
        chosen = [
            (sign * (sign * z > least)).astype(np.float64)
            for least in _CHOSEN_ERRORS
            for sign in (1, -1)
        ]
        if order is not None:
            below = np.cumsum((p - q)[:, order], axis=1)
            at = np.abs(below).argmax(axis=1)
            side = np.zeros_like(p)
            side[:, order] = np.arange(p.shape[1]) <= at[:, None]
            chosen.append(side * np.sign(below[np.arange(len(p)), at])[:, None])
        sums = [np.einsum("ktc,tc->kt", np.stack(chosen), share) for share, _ in (real, fake)]
        values.append(sums[0] - sums[1])
        p, q = np.abs(sums)
        variances.append(_variance(p, q, real[1][:, 0], fake[1][:, 0]))
    value = np.mean(values, axis=0)
    error = _DEPENDENCE * np.sqrt(np.sum(variances, axis=0)) / FOLDS
    best = np.argmax(value - CHOICE_ERRORS * error, axis=0), np.arange(value.shape[1])
    return value[best], error[best]


def _variance(p: Any, q: Any, n: Any, m: Any) -> Float64s:
    """Return the variance of the difference of two shares; that of one row where both are 0."""
    real, fake = (np.maximum(x * (1 - x), 1.0 / size) / size for x, size in ((p, n), (q, m)))
    return np.asarray(real + fake)
