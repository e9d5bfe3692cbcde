"""Attribution: the columns, and pairs of columns, in which generated rows differ from real ones.

The cells of a column are divided into classes: its most frequent values, the missing cells, and the
ranges between quantiles of the others, by their number of decimals where that varies.  Classes are
made of the rows of both sets, without a look at which is which.

    column  the total variation between the shares of the classes in both sets
    pair    the same between the joint shares of two columns, after the generated ones have been
            adjusted to the real shares of either column: what their dependence alone accounts for

Both are estimated in folds: a set of classes is chosen on the other folds, and the difference of
its shares is measured on the fold.  Their mean is a lower bound of the total variation up to its
standard error, and 0 in expectation where the sets do not differ.  Sets that are tried are the
classes whose shares differ by more than 0, 1 or 2 standard errors in one direction, and the values
on one side of a threshold; the best is reported, and its significance allows for the choice.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.samples import stream
from prfast.tables.columns import (
    DATE,
    NUMBER,
    Column,
    Float64s,
    Frame,
    Ints,
    cell_text,
    decimals_of,
)
from prfast.tables.encoding import PARTS, part_of

MOST = 20_000  # rows of each set that are used
_VALUES, _RANGES = 40, 20  # classes of a column: its most frequent values, ranges of the others
_OF_PAIRS = 12  # classes of a column of a pair
_FREQUENT = 0.002  # share of the rows, from which on a value is a class of its own
_AT_ONCE = 2000  # pairs whose tables are in memory
_ADJUSTMENTS = 12  # steps of iterative proportional fitting
_FOLDS = 4
# Each fold is measured by sets that the others chose, and takes part in choosing theirs: where
# nothing differs, the variance of the mean is twice that of independent measurements.
_DEPENDENCE = np.sqrt(2.0)
_CHOSEN_ERRORS = (0.0, 1.0, 2.0)  # of the shares of a class that is chosen
_SETS = 2 * len(_CHOSEN_ERRORS) + 1  # that are tried, with that of a threshold
_CHOICE_ERRORS = 2.0  # by which a set is better whose difference is surer
LEVEL = 0.05  # probability that any difference is reported where nothing differs
LEAST = 0.01  # total variation, below which none is reported


class Difference(NamedTuple):
    """A difference between the sets in one column, or in the dependence of two."""

    columns: tuple[Any, ...]
    """The names: of a column, or of a pair."""
    value: float
    """The total variation that it accounts for, 0 where nothing differs; by chance below."""
    error: float
    """The standard error."""
    words: str
    """The class of a column that differs most, with its shares in both sets; "" of a pair."""

    is_clear: bool
    """Whether it is reported: beyond chance, among all columns and pairs."""

    @property
    def name(self) -> str:
        """The column, or the columns of a pair with × between them."""
        return " × ".join(map(str, self.columns))


class _Classes(NamedTuple):
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

    def words(self, is_fake: NDArray[np.bool_]) -> str:
        """Return the values whose shares differ most, with their shares: a class, all classes of a
        kind, or those up to a threshold."""
        p, q = (
            np.bincount(self.codes[rows], minlength=len(self.texts)) / rows.sum()
            for rows in (~is_fake, is_fake)
        )
        sets = [([i], text) for i, text in enumerate(self.texts)]
        sets += [
            ([i for i, one in enumerate(self.kinds) if one == kind], kind)
            for kind in dict.fromkeys(self.kinds)
            if kind
        ]
        order = [
            i for i in np.argsort(self.centers, kind="stable") if not np.isnan(self.centers[i])
        ]
        below = np.cumsum((p - q)[order])
        if len(order) > 2:
            at = int(np.abs(below).argmax())
            text = f"below {self.lowest[order[at + 1]]}" if at + 1 < len(order) else ""
            sets += [(order[: at + 1], text)] if text else []
        # A single class says more than a range: that must differ by a half more.
        sizes = [abs((p - q)[some].sum()) for some, _ in sets]
        sizes = [x if len(some) == 1 else x / 1.5 for x, (some, _) in zip(sizes, sets, strict=True)]
        # Of a kind and its complement, the rarer one.
        rarest = [-float((p + q)[some].sum()) for some, _ in sets]
        best = max(range(len(sets)), key=lambda i: (round(sizes[i], 9), rarest[i]))
        some, text = sets[best]
        shares = [_percent(float(share[some].sum())) for share in (p, q)]
        return f"{text} in {shares[0]} of the real and {shares[1]} of the generated rows"


def differences(real: Frame, fake: Frame, seed: int) -> list[Difference]:
    """Return the differences of all columns and of all pairs of columns, the largest first; clear
    ones before all others."""
    from scipy.special import ndtri

    rng = stream(seed, "attribution")
    rows = [_subsample(one.rows, rng) for one in (real, fake)]
    folds = np.concatenate([rng.permutation(len(one)) % _FOLDS for one in rows])
    is_fake = np.arange(len(folds)) >= len(rows[0])
    group = folds + _FOLDS * is_fake
    fine, coarse, names = [], [], []
    for one, other in zip(real.columns, fake.columns, strict=True):
        column = one._replace(values=np.concatenate([one.values[rows[0]], other.values[rows[1]]]))
        classes = _classes(column, _VALUES, _RANGES)
        if len(classes.texts) > 1:
            fine.append(classes)
            coarse.append(_classes(column, _OF_PAIRS // 2, _OF_PAIRS // 2, kinds=False).codes)
            names.append(column.name)
    estimates: list[tuple[tuple[Any, ...], float, float, str]] = [
        ((name,), *_of_column(classes, group), classes.words(is_fake))
        for name, classes in zip(names, fine, strict=True)
    ]
    pairs = list(itertools.combinations(range(len(names)), 2))
    estimates += [
        ((names[i], names[j]), value, error, "")
        for (i, j), value, error in zip(pairs, *_of_pairs(pairs, coarse, group), strict=True)
    ]
    # Each is the best of several sets of classes.
    errors = float(ndtri(1.0 - LEVEL / max(1, len(estimates) * _SETS)))
    found = [
        Difference(columns, value, error, words, value >= max(LEAST, errors * error))
        for columns, value, error, words in estimates
    ]
    return sorted(found, key=lambda one: (not one.is_clear, -one.value))


def _subsample(n: int, rng: np.random.Generator) -> Ints:
    return np.arange(n) if n <= MOST else np.sort(rng.choice(n, MOST, replace=False))


# ---- classes of a column -------------------------------------------------------------------------


def _classes(column: Column, values: int, ranges: int, *, kinds: bool = True) -> _Classes:
    """Divide the cells of a column into classes.

    values, ranges: the most classes of single values and of ranges; kinds: whether ranges are
    divided by the kinds of their cells.
    """
    cells, missing = column.values, column.missing
    distinct, place, counts = np.unique(cells[~missing], return_inverse=True, return_counts=True)
    least = max(2.0, _FREQUENT * len(cells))
    frequent = [i for i in np.argsort(-counts, kind="stable")[:values] if counts[i] >= least]
    of_values = np.full(len(distinct), -1)
    of_values[frequent] = np.arange(len(frequent))
    codes = np.full(len(cells), -1)
    codes[~missing] = of_values[place]
    texts = [cell_text(column, distinct[i]) for i in frequent]
    names, kind = _kinds(column) if kinds else ([""], np.zeros(len(cells), np.int64))
    rest = (codes < 0) & ~missing
    if column.levels and rest.any():
        codes[rest] = len(texts)
        texts.append("other levels")
        rest[:] = False
    for number, name in enumerate(names):
        rows = np.flatnonzero(rest & (kind == number))
        if not rows.size:
            continue
        ends = np.unique(np.quantile(cells[rows], np.linspace(0, 1, ranges + 1)))
        of_range = np.searchsorted(ends[1:-1], cells[rows], side="left")
        for i in np.unique(of_range):
            inside = rows[of_range == i]
            codes[inside] = len(texts)
            low, high = (cell_text(column, end(cells[inside])) for end in (np.min, np.max))
            to = f" to {high}" if low != high else ""
            texts.append(f"{f'{name}, ' if name else ''}{low}{to}")
    if missing.any():
        codes[missing] = len(texts)
        texts.append("missing")
    first = np.unique(codes, return_index=True)[1]
    if column.levels:
        nothing = [""] * len(texts)
        return _Classes(codes, texts, np.full(len(texts), np.nan), nothing, nothing)
    centers = np.bincount(codes, cells.clip(-1e300, 1e300)) / np.bincount(codes)
    lowest = np.full(len(texts), np.inf)
    np.minimum.at(lowest, codes, np.where(missing, np.inf, cells))
    return _Classes(
        codes,
        texts,
        centers,
        [cell_text(column, low) if low < np.inf else "" for low in lowest],
        ["" if missing[row] else names[kind[row]] for row in first],
    )


def _kinds(column: Column) -> tuple[list[str], Ints]:
    """Return kinds of cells in words, and that of each cell: numbers by their decimals, dates by
    the day of the week; one kind, "", where it does not vary."""
    cells = np.where(np.isfinite(column.values), column.values, 0.0)
    if column.kind == DATE:
        at_midnight = part_of(cells, PARTS[2]) == 0
        if 0 < at_midnight.sum() < len(cells):
            return ["dates at midnight", "times other than midnight"], (~at_midnight).astype(
                np.int64
            )
        return ["Monday to Friday", "weekends"], (part_of(cells, PARTS[1]) >= 5).astype(np.int64)
    if column.kind != NUMBER:
        return [""], np.zeros(len(cells), np.int64)
    decimals = decimals_of(cells)
    known = decimals[np.isfinite(column.values)]
    if not known.size or known.min() == known.max():
        return [""], np.zeros(len(cells), np.int64)
    usual = int(np.median(known))
    whole = "whole numbers"
    names = [whole, f"numbers of up to {usual} decimals", f"numbers of more than {usual} decimals"]
    if usual in (0, known.max()):
        return [whole, "numbers with decimals"], (decimals > 0).astype(np.int64)
    return names, np.where(decimals == 0, 0, 1 + (decimals > usual))


# ---- held-out differences ------------------------------------------------------------------------


def _of_column(classes: _Classes, group: Ints) -> tuple[float, float]:
    size = len(classes.texts)
    counts = np.bincount(group * size + classes.codes, minlength=2 * _FOLDS * size)
    real, fake = counts.reshape(2, _FOLDS, 1, size).astype(np.float64)
    value, error = _held_out(real, fake, np.argsort(classes.centers, kind="stable"))
    return float(value[0]), float(error[0])


def _of_pairs(
    pairs: Sequence[tuple[int, int]], codes: Sequence[Ints], group: Ints
) -> tuple[list[float], list[float]]:
    size = 1 + max((int(one.max()) for one in codes), default=0)
    groups = [[one[group == number] for one in codes] for number in range(2 * _FOLDS)]
    values: list[float] = []
    errors: list[float] = []
    for start in range(0, len(pairs), _AT_ONCE):
        some = pairs[start : start + _AT_ONCE]
        counts = np.empty((2 * _FOLDS, len(some), size, size))
        for number, own in enumerate(groups):
            for at, (i, j) in enumerate(some):
                joint = np.bincount(own[i] * size + own[j], minlength=size * size)
                counts[number, at] = joint.reshape(size, size)
        real, fake = counts[:_FOLDS], counts[_FOLDS:]
        fake = fake * _adjustment(fake.sum(axis=0), real.sum(axis=0))
        flat = (_FOLDS, len(some), size * size)
        value, error = _held_out(real.reshape(flat), fake.reshape(flat), None)
        values += value.tolist()
        errors += error.tolist()
    return values, errors


def _adjustment(fake: Float64s, real: Float64s) -> Float64s:
    """Return factors of the joint counts of generated rows that give either column the shares of
    the real rows.

    Iterative proportional fitting (Deming and Stephan, 1940); classes that only real rows have stay
    without generated ones.
    """
    target = real / real.sum(axis=(1, 2), keepdims=True)
    share = fake / fake.sum(axis=(1, 2), keepdims=True)
    factors = np.ones_like(share)
    for _ in range(_ADJUSTMENTS):
        for axis in (2, 1):
            own = (share * factors).sum(axis=axis, keepdims=True)
            factors *= target.sum(axis=axis, keepdims=True) / np.where(own > 0, own, 1.0)
    return np.asarray(factors)


def _held_out(real: Float64s, fake: Float64s, order: Ints | None) -> tuple[Float64s, Float64s]:
    """Return held-out differences and their standard errors.

    real, fake: counts of the classes, (folds, differences, classes).
    order: classes in the order of their values, for thresholds; None without.
    """
    values, variances = [], []
    for fold in range(len(real)):
        p, n = _shares(real.sum(axis=0) - real[fold])
        q, m = _shares(fake.sum(axis=0) - fake[fold])
        sets = _chosen(p, q, n, m, order)
        p, n = _shares(real[fold])
        q, m = _shares(fake[fold])
        of_p, of_q = (np.einsum("ktc,tc->kt", sets, one) for one in (p, q))
        values.append(of_p - of_q)
        variances.append(_variance(np.abs(of_p), np.abs(of_q), n[:, 0], m[:, 0]))
    value = np.mean(values, axis=0)
    error = _DEPENDENCE * np.sqrt(np.sum(variances, axis=0)) / len(real)
    best = np.argmax(value - _CHOICE_ERRORS * error, axis=0), np.arange(value.shape[1])
    return value[best], error[best]


def _shares(counts: Float64s) -> tuple[Float64s, Float64s]:
    number = np.maximum(counts.sum(axis=1, keepdims=True), 1.0)
    return counts / number, number


def _variance(p: Float64s, q: Float64s, n: Float64s, m: Float64s) -> Float64s:
    """Return the variance of the difference of two shares; that of one row where both are 0."""
    of_one = [np.maximum(x * (1 - x), 1.0 / size) / size for x, size in ((p, n), (q, m))]
    return np.asarray(of_one[0] + of_one[1])


def _chosen(p: Float64s, q: Float64s, n: Float64s, m: Float64s, order: Ints | None) -> Float64s:
    """Return the sets of classes that are tried, (sets, differences, classes): 1 for a class of a
    larger real share, −1 for those of a smaller one, 0 for the others."""
    z = (p - q) / np.sqrt(_variance(p, q, n, m))
    sets = [
        (sign * (sign * z > least)).astype(np.float64)
        for least in _CHOSEN_ERRORS
        for sign in (1, -1)
    ]
    if order is not None:
        below = np.cumsum((p - q)[:, order], axis=1)
        at = np.abs(below).argmax(axis=1)
        side = np.zeros_like(p)
        side[:, order] = np.arange(p.shape[1]) <= at[:, None]
        sets.append(side * np.sign(below[np.arange(len(p)), at])[:, None])
    return np.stack(sets)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.1 or share == 0 else f"{100 * share:.2g} %"
