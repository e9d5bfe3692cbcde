"""Units that are a large share of a set: equal rows, groups, samples of large weight.

No fit without the fold of a unit can tell whether the other set has such rows.  A far unit counts
as unlike the other set, rows that both sets repeat have the shares of both, and each other unit is
judged as its neighbors are, by a single observation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.options import stream
from prfast.methods.auto.folds import NUMBERS, Flags
from prfast.methods.auto.stack import CLIP
from prfast.samples.pair import Pair
from prfast.samples.partitioned import take_rows
from prfast.samples.repetition import Repetition

_REPEATED = 2  # rows of either set, from which on a large unit is a value that both sets repeat
_LARGE = 0.01  # share of a set, from which on a unit is large,
_TIMES = 5  # if it is that many times the mean share of a unit,
_TIMES_WEIGHTED = 10  # where weights differ, of which a few are large by chance
_OTHERS = 1000  # units of the other set, at random
# Below so many others none is far: a sample like them is, once in as many draws + 1.
_LEAST_OTHERS = 99
_OUTERMOST_SHARE = 0.005  # of the others, which may lie far out themselves


class LargeUnits(NamedTuple):
    """What is said of the scored rows of large units, real ones first."""

    far: Flags
    """Rows farther from the other set than its units are from each other."""
    single: Flags
    """The other ones, without those that both sets repeat."""
    ratio: Float64s
    """The log-ratio of both shares of rows that both sets repeat, ±CLIP of far ones, NaN of those
    that have the score of their fits."""
    equal: Repetition
    """The equal rows of the samples; rows that both sets repeat are by themselves, as draws of a
    value of a discrete distribution."""


def large_units(pair: Pair, seed: int) -> LargeUnits:
    """Return the large units of both sets.

    A row is far if its distance to the nearest of _OTHERS rows of the other set, each of another
    unit, exceeds that of all of these to the nearest other one, or twice that of all but a share
    _OUTERMOST_SHARE, in standard deviations of each column.  One from the distribution of the other
    set is far with a probability of about one in _OTHERS (conformal prediction).
    """
    original = pair if pair.noise is None else pair.noise.original
    points, equal, unit = pair.points, original.repetition, original.units
    n, size = len(original.real), len(unit)
    sets = slice(0, n), slice(n, size)
    large, repeats = np.zeros(size, bool), np.zeros(size, bool)
    for part, weight in zip(sets, original.masses, strict=True):
        mass = np.bincount(unit[part], weight, size)
        times = _TIMES if (weight == weight[0]).all() else _TIMES_WEIGHTED
        least = max(_LARGE, times / np.count_nonzero(mass)) * mass.sum()
        large[part] = (mass >= least)[unit[part]]
        # Rows that repeat are one observation each, however many such rows there are.
        rows = np.bincount(equal.group[part], weight, size)
        several = np.bincount(equal.group[part], minlength=size) > 1
        repeats[part] = (several & (rows >= _LARGE * rows.sum()))[equal.group[part]]
    checked = large | repeats
    far, rng = np.zeros(size, bool), stream(seed, "large")
    for i, (part, opposite) in enumerate((sets, sets[::-1])):
        rows = np.unique(equal.group[part][checked[part]])  # one of each equal ones
        rows = rows[~np.isin(rows, equal.group[opposite])]
        first = np.unique(unit[opposite], return_index=True)[1]
        if not original.is_plain:
            first = np.unique(original.independent(seed, "large")[1 - i])
        if rows.size and len(first) >= _LEAST_OTHERS:
            others = take_rows(points[1 - i], np.sort(rng.permutation(first)[:_OTHERS]))
            is_far = _are_far(take_rows(points[i], rows - part.start), others)
            far |= np.isin(equal.group, rows[is_far])
    ratio, group = np.where(far, np.where(np.arange(size) < n, CLIP, -CLIP), np.nan), equal.group
    counts = [np.bincount(group[part], minlength=size) for part in sets]
    is_large = np.bincount(group[large], minlength=size) > 0
    shared = (is_large & (np.minimum(*counts) >= _REPEATED))[group]
    if original.is_plain and pair.noise is None:
        p, q = ((count + 0.5) / (count.sum() + 1.0) for count in counts)
        ratio = np.where(shared, np.log(p / q)[group], ratio)
        large &= ~shared
        group = np.where(shared, np.arange(size), group)
    copies = len(pair.real) // n
    far, single, ratio = (
        np.concatenate([np.tile(values[part], copies) for part in sets])
        for values in (far, large & ~far, ratio)
    )
    equal = Repetition(group, equal.n_real, discrete=equal.discrete)
    return LargeUnits(far, single, ratio, equal)


def _are_far(points: Floats, others: Floats) -> Flags:
    from scipy.spatial.distance import cdist  # here, to keep `import prfast` quick

    joint = np.concatenate([others, points]).astype(np.float64)
    most = np.abs(joint).max(axis=0)
    joint /= np.where(most > 0, most, 1.0)  # squares stay in range
    # The deviation is of all: an outlier among the others would make its column smaller alone.
    spread = joint.std(axis=0)
    joint = (joint - joint.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    others, points = joint[: len(others)], joint[len(others) :]
    among = cdist(others, others)
    np.fill_diagonal(among, np.inf)
    nearest = among.min(axis=0)
    most_of_them = np.quantile(nearest, 1.0 - _OUTERMOST_SHARE, method="higher")
    limit = min(nearest.max(), 2.0 * most_of_them)
    step = max(1, NUMBERS // len(others))
    parts = [cdist(points[at : at + step], others) for at in range(0, len(points), step)]
    return np.asarray(np.concatenate([part.min(axis=1) for part in parts]) > limit)
