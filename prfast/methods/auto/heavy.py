"""Samples of which one fold alone has a large share of a set: equal rows, groups, large weights.

No fit without the fold can tell whether the other set has them.  Those that are far from all of its
samples count as unlike it; rows that both sets repeat are scored by their shares of both; each
other one is judged by a single observation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.samples import Design, EqualRows, Samples, stream, take_rows
from prfast.methods.auto.sample import NUMBERS, Flags, joined_groups

_REPEATED = 2  # rows of either set, from which on a heavy one is a value that both sets repeat
_HEAVY = 0.01  # share of a set, from which on a unit is heavy,
_TIMES = 5  # if it is that many times the mean share of a unit,
_TIMES_WEIGHTED = 10  # where weights differ, of which a few are large by chance
_OTHERS = 1000  # samples of the other set, at random
# Below so many others none is far: a sample like them is, once in as many draws + 1.
_LEAST_OTHERS = 99
_OUTERMOST_SHARE = 0.005  # of the others, which may lie far out themselves


class HeavyRows(NamedTuple):
    """Samples whose units, equal rows, groups or single samples of large weight, are a large share
    of their set.  All samples of a unit are in one fold, so that they are scored as if it were not
    there: a unit among others as these, and one far out at random."""

    far: Flags
    """Samples farther from the other set than its samples are from each other."""
    single: Flags
    """The other ones."""
    ratio: Float64s | None
    """The log-ratio of both shares of rows that both sets repeat, NaN for others; None without such
    rows."""


def heavy_rows(
    real: Samples,
    fake: Samples,
    equal: EqualRows,
    design: Design | None,
    seed: int,
    *,
    is_smoothed: bool = False,
) -> HeavyRows | None:
    """Return the heavy samples of both sets, real ones first; None without any.

    A sample is far if its distance to the nearest of _OTHERS samples of the other set exceeds that
    of all of these to the nearest other one, or twice that of all but a share _OUTERMOST_SHARE, in
    standard deviations of each column.  One from the distribution of the other set is far with a
    probability of about one in _OTHERS, where tails are light (conformal prediction).

    is_smoothed: whether the rows have noise, so that equal ones of `equal` are no longer equal.
    """
    n, size = equal.n_real, len(equal.group)
    unit = equal.group
    if equal.discrete or min(map(len, equal.counts)) < 2:
        unit = np.arange(size)
    if design is not None and design.grouped:
        unit = joined_groups(design, unit, n)
    sets = slice(0, n), slice(n, size)
    heavy = np.zeros(size, bool)
    for i, own in enumerate(sets):
        weight = np.ones(own.stop - own.start)
        if design is not None:
            weight = design.weights[i][: len(weight)]
        mass = np.bincount(unit[own], weight, size)
        times = _TIMES if (weight == weight[0]).all() else _TIMES_WEIGHTED
        least = max(_HEAVY, times / np.count_nonzero(mass)) * mass.sum()
        heavy[own] = (mass >= least)[unit[own]]
    if not heavy.any():
        return None
    far = np.zeros(size, bool)
    rng = stream(seed, "heavy")
    for points, others, own, of_others in ((real, fake, *sets), (fake, real, *sets[::-1])):
        rows = np.unique(equal.group[own][heavy[own]])  # one of each equal ones
        rows = rows[~np.isin(rows, equal.group[of_others])]
        first = np.unique(unit[of_others], return_index=True)[1]
        if design is not None:
            first = np.unique(design.independent(rng)[int(of_others.start > 0)])
            first = first[first < of_others.stop - of_others.start]
        if rows.size and len(first) >= _LEAST_OTHERS:
            first = np.sort(rng.permutation(first)[:_OTHERS])
            is_far = _are_far(take_rows(points, rows - own.start), take_rows(others, first))
            far |= np.isin(equal.group, rows[is_far])
    ratio = None
    counts = [np.bincount(equal.group[own], minlength=size) for own in sets]
    is_heavy = np.bincount(equal.group[heavy], minlength=size) > 0
    shared = (is_heavy & (np.minimum(*counts) >= _REPEATED))[equal.group]
    if design is None and not is_smoothed and shared.any():
        p, q = ((count + 0.5) / (count.sum() + 1.0) for count in counts)
        ratio = np.where(shared, np.log(p / q)[equal.group], np.nan)
        heavy &= ~shared
    return HeavyRows(far, heavy & ~far, ratio)


def _are_far(points: Floats, others: Floats) -> Flags:
    """Return which points are far from the others, as `heavy_rows` says."""
    from scipy.spatial.distance import cdist  # here, to keep `import prfast` quick

    both = np.concatenate([others, points]).astype(np.float64)
    most = np.abs(both).max(axis=0)
    both /= np.where(most > 0, most, 1.0)  # squares stay in range
    deviation = both.std(axis=0)
    both = (both - both.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)
    others, points = both[: len(others)], both[len(others) :]
    among = cdist(others, others)
    np.fill_diagonal(among, np.inf)
    nearest = among.min(axis=0)
    limit = min(nearest.max(), 2.0 * np.quantile(nearest, 1.0 - _OUTERMOST_SHARE))
    step = max(1, NUMBERS // len(others))
    parts = [cdist(points[at : at + step], others) for at in range(0, len(points), step)]
    return np.asarray(np.concatenate([part.min(axis=1) for part in parts]) > limit)
