"""Held-out differences: lower bounds of the total variation between two sets, with their errors.

A set of classes is chosen on the other folds, and the difference of its shares is measured on the
fold: those that differ by more than 0, 1 or 2 standard errors in one direction, the values on one
side of a threshold, or levels that real rows lack.  The significance of the best allows for the
choice.  A pair is compared by its joint shares, after the rows of both sets have been weighted to
common shares of either column: by what the dependence alone accounts for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.estimate.column_classes import Classes, percent
from prfast.inputs.frames import Column, Float64s, Ints

FOLDS = 4
LEVEL = 0.05  # probability that any difference is reported where nothing differs
LEAST = 0.01  # total variation, below which none is reported
CHOICE_ERRORS = 2.0  # by which a set is better whose difference is surer
_AT_ONCE = 2000  # pairs whose tables are in memory
_ADJUSTMENTS = 12  # steps of iterative proportional fitting
# Each fold is measured by sets that the others chose, and takes part in choosing theirs: where
# nothing differs, the variance of the mean is twice that of independent measurements.
_DEPENDENCE = np.sqrt(2.0)
_CHOSEN_ERRORS = (0.0, 1.0, 2.0)  # of the shares of a class that is chosen
_SETS = 2 * len(_CHOSEN_ERRORS) + 1  # that are tried, with that of a threshold or of new levels
_RANK_SIGNS = 2  # of the test of ranks, either of which is tried


def is_clear(
    value: float, error: float, number: int, ranks: float | None = None, parts: int = 1
) -> bool:
    """Return whether a difference is beyond chance, among columns or among pairs.

    number: how many columns or pairs there are; ranks: the normal score of the mean rank, of a
    column of numbers; parts: the sets of classes of the column.
    """
    from scipy.special import ndtri

    # Half of the level is for columns, half for pairs; each is the best of several sets.
    tried = _SETS * parts + (0 if ranks is None else _RANK_SIGNS)
    errors = float(ndtri(1.0 - LEVEL / (2 * number * tried)))
    return value >= LEAST and (value >= errors * error or abs(ranks or 0.0) >= errors)


def of_column(
    classes: Classes, group: Ints, sizes: Float64s, leader: Classes | None = None
) -> tuple[float, float]:
    """Return the difference of a column and its standard error; leader: the classes of another
    column, to common shares of which the rows of both sets are weighted."""
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


def of_ranks(cells: Float64s, first: NDArray[np.bool_], is_fake: NDArray[np.bool_]) -> float:
    """Return the normal score of the mean rank of the generated cells among all, without missing
    ones; first: the rows that count."""
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
    """Return how much more often generated than real rows have a level that no real row of the
    other folds has, its standard error, and words."""
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
    """Return the differences of pairs and their standard errors; codes: the class of each row, of
    each column."""
    size = 1 + max((int(code.max()) for code in codes), default=0)
    groups = [[code[group == number] for code in codes] for number in range(2 * FOLDS)]
    values, errors = list[float](), list[float]()
    for start in range(0, len(pairs), _AT_ONCE):
        block = pairs[start : start + _AT_ONCE]
        counts = np.empty((2 * FOLDS, len(block), size, size))
        for number, group_codes in enumerate(groups):
            for at, (i, j) in enumerate(block):
                joint = np.bincount(group_codes[i] * size + group_codes[j], minlength=size * size)
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
    """Return factors of the joint counts of both sets that give them common shares of either
    column: the smaller ones of both sets, over their sum.

    Iterative proportional fitting (Deming and Stephan, 1940).
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

    counts: of real and of generated rows in the classes, (folds, differences, classes).
    factors: the weights of the rows of each class, (differences, classes).
    sizes: the numbers of independent rows over those of all, of both sets.
    order: classes in the order of their values, for thresholds; None without.
    """
    values, variances = [], []
    sets = list(zip(counts, factors, sizes, strict=True))
    for fold in range(FOLDS):
        (p, n), (q, m) = (_shares(number.sum(axis=0) - number[fold], *how) for number, *how in sets)
        z = (p - q) / np.sqrt(_variance(p, q, n, m))
        # Sets of classes that are tried: 1 for a class of a larger real share, −1 for those of a
        # smaller one, 0 for the others.
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
        (p, n), (q, m) = (_shares(number[fold], *how) for number, *how in sets)
        of_p, of_q = (np.einsum("ktc,tc->kt", np.stack(chosen), share) for share in (p, q))
        values.append(of_p - of_q)
        variances.append(_variance(np.abs(of_p), np.abs(of_q), n[:, 0], m[:, 0]))
    value = np.mean(values, axis=0)
    error = _DEPENDENCE * np.sqrt(np.sum(variances, axis=0)) / FOLDS
    best = np.argmax(value - CHOICE_ERRORS * error, axis=0), np.arange(value.shape[1])
    return value[best], error[best]


def _shares(counts: Float64s, factors: Float64s, size: float) -> tuple[Float64s, Float64s]:
    """Return the shares of weighted rows, and the number of independent rows with the same
    variances (Kish)."""
    weighted = counts * factors
    total = weighted.sum(axis=1, keepdims=True)
    squares = (weighted * factors).sum(axis=1, keepdims=True)
    number = size * total**2 / np.where(squares > 0, squares, 1.0)
    return weighted / np.where(total > 0, total, 1.0), np.maximum(number, 1.0)


def _variance(p: Any, q: Any, n: Any, m: Any) -> Float64s:
    """Return the variance of the difference of two shares; that of one row where both are 0."""
    real, fake = (np.maximum(x * (1 - x), 1.0 / size) / size for x, size in ((p, n), (q, m)))
    return np.asarray(real + fake)
