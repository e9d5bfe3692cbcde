"""Samples of which one fold alone has a large share of a set: equal rows, groups, large weights.

No fit without the fold can tell whether the other set has them.  Those that are far from all of its
samples, or beyond the range of one of its columns, count as unlike it; rows that both sets repeat
are scored by their shares of both; each other one is judged by a single observation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.options import stream
from prfast.methods.auto.sample import NUMBERS, Flags
from prfast.samples.pair import Cells, Pair
from prfast.samples.partitioned import take_rows
from prfast.samples.samples import Ints

_REPEATED = 2  # rows of either set, from which on a heavy one is a value that both sets repeat
_HEAVY = 0.01  # share of a set, from which on a unit is heavy,
_TIMES = 5  # if it is that many times the mean share of a unit,
_TIMES_WEIGHTED = 10  # where weights differ, of which a few are large by chance
_OTHERS = 1000  # samples of the other set, at random
# Below so many others none is far: a sample like them is, once in as many draws + 1.
_LEAST_OTHERS = 99
_LEAST_KNOWN = 10  # numbers of a column, without which it has no range
_OUTERMOST_SHARE = 0.005  # of the others, which may lie far out themselves


class HeavyRows(NamedTuple):
    """Samples whose units, equal rows, groups or single samples of large weight, are a large share
    of their set.  All samples of a unit are in one fold, so that they are scored as if it were not
    there: a unit among others as these, and one far out at random."""

    far: Flags
    """Samples farther out, from all samples of the other set or beyond the range of one of its
    columns, than its samples are among each other."""
    single: Flags
    """The other ones."""
    ratio: Float64s | None
    """The log-ratio of both shares of rows that both sets repeat, NaN for others; None without such
    rows."""


def heavy_rows(pair: Pair, seed: int) -> HeavyRows | None:
    """Return the heavy samples of both sets, real ones first; None without any.

    A sample is far if its distance to the nearest of _OTHERS samples of the other set exceeds that
    of all of these to the nearest other one, or twice that of all but a share _OUTERMOST_SHARE, in
    standard deviations of each column.  One from the distribution of the other set is far with a
    probability of about one in _OTHERS, where tails are light (conformal prediction).

    A sample with a value beyond all of the other set is far, too, if the excess is larger than that
    of each other sample beyond the rest, by the same rule; and one with a level of a category that
    the other set lacks, unless levels that come once are common there.  The probability is at most
    _OUTERMOST_SHARE each, whatever the tails, or 1 / (n + 1) with n others where that is more.
    Ranges are those of the cells of the tables that the samples encode, if there are any.
    """
    original = pair if pair.noise is None else pair.noise.original
    (real, fake), equal, unit = pair.points, original.repetition, original.units
    n, size = len(original.real), len(unit)
    sets = slice(0, n), slice(n, size)
    heavy, large = np.zeros(size, bool), np.zeros(size, bool)
    for i, own in enumerate(sets):
        weight = original.masses[i]
        mass = np.bincount(unit[own], weight, size)
        times = _TIMES if (weight == weight[0]).all() else _TIMES_WEIGHTED
        least = max(_HEAVY, times / np.count_nonzero(mass)) * mass.sum()
        heavy[own] = (mass >= least)[unit[own]]
        # Rows that repeat are one observation each, however many such rows there are.
        rows = np.bincount(equal.group[own], weight, size)
        repeats = np.bincount(equal.group[own], minlength=size) > 1
        large[own] = (repeats & (rows >= _HEAVY * rows.sum()))[equal.group[own]]
    large |= heavy
    if not large.any():
        return None
    far = np.zeros(size, bool)
    rng = stream(seed, "heavy")
    for points, others, own, of_others in ((real, fake, *sets), (fake, real, *sets[::-1])):
        rows = np.unique(equal.group[own][large[own]])  # one of each equal ones
        rows = rows[~np.isin(rows, equal.group[of_others])]
        first = np.unique(unit[of_others], return_index=True)[1]
        if not original.is_plain:
            drawn = original.independent(seed, f"heavy {int(of_others.start > 0)}")
            first = np.unique(drawn[int(of_others.start > 0)])
        if rows.size and len(first) >= _LEAST_OTHERS:
            first = np.sort(rng.permutation(first)[:_OTHERS])
            x, y = take_rows(points, rows - own.start), take_rows(others, first)
            is_far = _are_far(x, y)
            if pair.cells is None:
                all_others = y if pair.real.is_partitioned else others
                is_far |= _are_beyond(x, y, all_others.min(axis=0), all_others.max(axis=0))
            else:
                columns = pair.cells if own.start == 0 else pair.cells.swap()
                is_far |= _have_other_cells(columns, rows - own.start, first)
            far |= np.isin(equal.group, rows[is_far])
    ratio = None
    counts = [np.bincount(equal.group[own], minlength=size) for own in sets]
    is_heavy = np.bincount(equal.group[heavy], minlength=size) > 0
    shared = (is_heavy & (np.minimum(*counts) >= _REPEATED))[equal.group]
    if original.is_plain and pair.noise is None and shared.any():
        p, q = ((count + 0.5) / (count.sum() + 1.0) for count in counts)
        ratio = np.where(shared, np.log(p / q)[equal.group], np.nan)
        heavy &= ~shared
    single = heavy & ~far
    return HeavyRows(far, single, ratio) if ratio is not None or (far | single).any() else None


def _are_far(points: Floats, others: Floats) -> Flags:
    """Return which points are far from the others, as `heavy_rows` says."""
    from scipy.spatial.distance import cdist  # here, to keep `import prfast` quick

    both = np.concatenate([others, points]).astype(np.float64)
    most = np.abs(both).max(axis=0)
    both /= np.where(most > 0, most, 1.0)  # squares stay in range
    # A column that is constant among the others does not decide: `_are_beyond` judges it.  The
    # deviation is of all: an outlier among the others would make its own column smaller alone.
    varies = np.ptp(both[: len(others)], axis=0) > 0
    both = (both - both.mean(axis=0)) / np.where(varies, both.std(axis=0), 1.0)
    others, points = both[: len(others)], both[len(others) :]
    among = cdist(others, others)
    np.fill_diagonal(among, np.inf)
    limit = _limit(among.min(axis=0))
    step = max(1, NUMBERS // len(others))
    parts = [cdist(points[at : at + step], others) for at in range(0, len(points), step)]
    return np.asarray(np.concatenate([part.min(axis=1) for part in parts]) > limit)


def _limit(of_others: Float64s) -> float:
    """Return the value beyond which a point is no sample like the others, with theirs."""
    most = np.quantile(of_others, 1.0 - _OUTERMOST_SHARE, method="higher")
    return float(min(of_others.max(), 2.0 * most))


def _are_beyond(points: Floats, others: Floats, low: Floats, high: Floats) -> Flags:
    """Return which points have a number beyond those of the others, as `heavy_rows` says.

    low, high: the ends of each column of the other set, of which the others are some.

    Numbers are those of asinh, in typical distances from the median, so that columns with heavy
    tails do not decide for the rest; an excess is in units of the way from the median to that end.
    That of each of the others is beyond all the rest of them.  A number that is missing is NaN.
    """
    excess, of_others = np.zeros(len(points)), np.zeros(len(others))
    for columns in blocks(points.shape[1], max(1, NUMBERS // len(others))):
        x, y, least, largest = (
            np.asarray(z[..., columns], np.float64).clip(-1e300, 1e300)
            for z in (points, others, low, high)
        )
        middle, known = _middle(y), np.count_nonzero(~np.isnan(y), axis=0)
        for z in (x, y):
            z[:, known < _LEAST_KNOWN] = np.nan
        away = np.abs(y - middle)
        unit = _middle(np.where(away > 0, away, np.nan))
        unit = np.where(unit > 0, unit, 1.0)
        x, y, least, largest = (np.arcsinh((z - middle) / unit) for z in (x, y, least, largest))
        ordered = np.sort(y, axis=0)  # missing ones last
        before = np.take_along_axis(ordered, np.maximum(known - 2, 0)[None], axis=0)[0]
        for most, z, bottom, top in (
            (excess, x, np.abs(least), largest),
            (of_others, y, np.abs(ordered[1]), before),
        ):
            with np.errstate(invalid="ignore", divide="ignore"):
                beyond = np.fmax((z - top) / top, (-z - bottom) / bottom)
            np.fmax(most, np.fmax.reduce(beyond, axis=1, initial=0.0), out=most)
    return np.asarray(excess > _limit(of_others))


def _middle(columns: Float64s) -> Float64s:
    """Return a median of each column, one of its numbers, without those that are missing."""
    ordered, known = np.sort(columns, axis=0), np.count_nonzero(~np.isnan(columns), axis=0)
    return np.asarray(np.take_along_axis(ordered, (known // 2)[None], axis=0)[0])


def _have_other_cells(cells: Cells, rows: Ints, first: Ints) -> Flags:
    """Return which rows of the first table have a cell beyond those of the second, or a level or
    a missing cell that it lacks, as `heavy_rows` says.

    first: some rows of the second table, each independent.
    """
    points, others, ends = [], [], []
    is_new, may_be_new, comes_once = (np.zeros(len(x), bool) for x in (rows, rows, first))
    for own, other, is_category in cells.columns:
        if not is_category:
            points.append(own[rows])
            others.append(other[first])
            ends.append((np.fmin.reduce(other), np.fmax.reduce(other)))
        own, other = (
            np.nan_to_num(z, nan=-1) if is_category else np.isnan(z) for z in (own, other)
        )
        levels, which, counts = np.unique(other, return_inverse=True, return_counts=True)
        once, lacks = (counts[which] == 1)[first], ~np.isin(own[rows], levels)
        comes_once |= once
        may_be_new |= lacks & once.any()  # so may levels of rows like the others be
        is_new |= lacks & ~once.any()
    if comes_once.mean() <= _OUTERMOST_SHARE:
        is_new |= may_be_new
    if points:
        numbers = np.column_stack(points), np.column_stack(others)
        is_new |= _are_beyond(*numbers, *np.transpose(ends))
    return is_new
