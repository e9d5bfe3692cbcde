"""Large units: units with a large share of a set, and whether the other set has samples like them.

No fit without a large unit (equal rows, a group, a sample of large weight) can tell whether the
other set has such rows.  A far unit counts as unlike the other set, rows that both sets repeat have
the shares of both, and other units are judged as their neighbors are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Flags, Float64s, Floats, Ints, blocks
from prfast.inputs.options import stream
from prfast.samples.pair import Pair
from prfast.samples.repetition import Repetition

Rows = tuple[Ints, Ints]  # of each set

_COVERED = 0.99  # relative share of distinct generated rows, from which on no real one is missed
_LIKE_REAL = 0.25  # least density ratio of generated rows whose repetition leaves real ones missed
_REPEATED = 2  # rows of either set, from which on a large unit is a value that both sets repeat
_LARGE = 0.01  # share of a set, from which on a unit is large,
_TIMES = 5  # if it is that many times the mean share of a unit,
_TIMES_WEIGHTED = 10  # where weights differ, of which a few are large by chance
_OTHERS = 1000  # units of the other set, at random
# Below so many units no row is far: a row like them is, once in as many draws + 1.
_LEAST_OTHERS = 99
_OUTERMOST_SHARE = 0.005  # of these units; such a unit may lie far out itself
_NUMBERS = 1 << 19  # distances in a block


class LargeUnits(NamedTuple):
    """The rows of large units, of each set."""

    pair: Pair  # without points
    far: list[Flags]  # farther from the other set than its units are from each other
    single: list[Flags]  # not far, and not repeated by both sets
    # The log-ratio of both shares of rows that both sets repeat, ±∞ of far ones, else NaN; of the
    # rows of both sets.
    ratio: Float64s
    # Rows that both sets repeat are by themselves, as draws of a value of a discrete distribution.
    repetition: Repetition
    sizes: tuple[int, int]  # without copies

    def effective_size(self, rows: Rows) -> tuple[int, int]:
        """Return the numbers of independent units among some samples of each set."""
        if not self.pair.is_plain:
            return self.pair.take(*rows).effective_size
        real, fake = (at[at < size] for at, size in zip(rows, self.sizes, strict=True))
        if self.repetition.discrete:
            return len(real), len(fake)
        return self.repetition.of(real, fake).effective_size

    def judged(
        self, rows: Rows, ratios: tuple[Float64s, Float64s], excess: float
    ) -> tuple[dict[str, Any], Rows, tuple[float, float], float]:
        """Return what some samples of each set have of the other set.

        ratios: the log-ratios of all samples of each set by fits.
        excess: the factor by which the generated mass may exceed the real one.

        Returns
        -------
        record : dict
            Entries of `info` on rows that are equal, far, or large units and neither.
        near : pair of int arrays
            The samples of each set that are not far; all where none would be left.
        far : pair of float
            The shares of both sets that are far.
        covered : float
            The share of the real samples that the generated ones, which repeat, can cover.
        """
        (n, m), parts = self.sizes, zip(rows, self.sizes, strict=True)
        real, fake = (at[at < size] for at, size in parts)
        record = self.pair.repetition.of(real, fake).record()
        # Units whose neighbors are not those of their own set alone.
        like = ratios[0] < np.log(excess), -ratios[1] < np.log(excess)
        flags = {"far": self.far, "single": [a & b for a, b in zip(self.single, like, strict=True)]}
        shares = {}
        for name, flag in flags.items():
            sets = zip(self.pair.sets, flag, rows, strict=True)
            p, q = (float(x.mass[at][f[at]].sum() / x.mass[at].sum()) for x, f, at in sets)
            shares[name] = p, q
            if p or q:
                record[name] = [round(p, 4), round(q, 4)]
        far, near = shares["far"], rows
        if 0 < max(far) < 1:
            near = rows[0][~self.far[0][rows[0]]], rows[1][~self.far[1][rows[1]]]
            real = real[~self.far[0][real]]
        # Rows that repeat and are unlike real ones would not cover any if they were distinct
        # either; large units and far ones do not count among these.
        group = self.repetition.group[n:]
        junk = np.bincount(group, minlength=n + m)[group] > 1
        junk &= ~self.single[1][:m] & (ratios[1][:m] <= np.log(_LIKE_REAL))
        covered = self.repetition.of(real, fake[~junk[fake]]).covered
        # A share 1 / excess would not lower fidelity, which should not depend on repetition.
        is_whole = self.repetition.discrete or covered >= _COVERED
        covered = 1.0 if is_whole else max(covered, 1 / excess)
        if (units := self.effective_size(rows)) != (len(rows[0]), len(rows[1])):
            record["effective_size"] = list(units)
        if covered < 1:
            record["covered"] = round(covered, 4)
        return record, near, far, covered

    def with_missed(self, ratio: Float64s, rows: Ints, covered: float, most: float) -> Float64s:
        """Return the log-ratios of some real samples, `most` for those that repeated generated ones
        miss, spread evenly so that α_λ becomes α_{ρλ}, and the precision stays.

        covered: the share ρ that is not missed.
        """
        s, weights = ratio[rows].copy(), self.pair.real.mass[rows]
        order = np.argsort(s, kind="stable")
        order = order[s[order] < most]  # samples that are far count as missed already
        due = 0.0
        for i in order if covered < 1 else ():
            due += (1.0 - covered) * weights[i]
            if due >= weights[i] / 2:
                s[i] = most
                due -= weights[i]
        return s


def first_copies(pair: Pair) -> Ints:
    """Return the first row that each row is a copy of: itself where equal rows are draws."""
    has_copies = pair.noise is None and not pair.repetition.is_evidence
    return pair.repetition.group if has_copies else np.arange(sum(pair.sizes))


def large_units(pair: Pair, context: Any) -> LargeUnits:
    """Return the large units of both sets.

    A row is far if its distance to the nearest of _OTHERS rows of the other set, each of another
    unit, exceeds that of all of these to the nearest other one, or twice that of all but a share
    _OUTERMOST_SHARE, in standard deviations of each column.  A row from the distribution of the
    other set is far with a probability of about 1 / _OTHERS (conformal prediction).
    """
    original = pair if pair.noise is None else pair.noise.original
    points, equal, units = pair.points, original.repetition, original.units
    n, size, group = len(original.real), len(equal.group), equal.group
    sets = slice(0, n), slice(n, size)
    large, repeats, far = np.zeros((3, size), bool)
    for part, samples, unit in zip(sets, original.sets, units, strict=True):
        mass = np.bincount(unit, samples.mass, size)
        times = _TIMES if (samples.mass == samples.mass[0]).all() else _TIMES_WEIGHTED
        least = max(_LARGE, times / np.count_nonzero(mass)) * mass.sum()
        large[part] = (mass >= least)[unit]
        # Rows that repeat are one observation each, however many such rows there are.
        rows = np.bincount(group[part], samples.mass, size)
        several = np.bincount(group[part], minlength=size) > 1
        repeats[part] = (several & (rows >= _LARGE * rows.sum()))[group[part]]
    rng = stream(context.seed, "large")
    for i, (part, opposite) in enumerate((sets, sets[::-1])):
        rows = np.unique(group[part][(large | repeats)[part]])  # one of each equal ones
        rows = rows[~np.isin(rows, group[opposite])]
        first = np.unique(units[1 - i], return_index=True)[1]
        if not original.is_plain:
            first = np.unique(original.independent(context.seed, "large")[1 - i])
        if rows.size and len(first) >= _LEAST_OTHERS:
            refs = points[1 - i][np.sort(rng.permutation(first)[:_OTHERS])]
            is_far = _are_far(points[i][rows - part.start], refs)
            far |= np.isin(group, rows[is_far])
    ratio = np.where(far, np.where(np.arange(size) < n, np.inf, -np.inf), np.nan)
    if original.is_plain and pair.noise is None:
        is_large = np.bincount(group[large], minlength=size) > 0
        shared = (is_large & (np.minimum(*equal.sizes) >= _REPEATED))[group]
        p, q = ((count + 0.5) / (count.sum() + 1.0) for count in equal.sizes)
        ratio = np.where(shared, np.log(p / q)[group], ratio)
        large &= ~shared
        group = np.where(shared, np.arange(size), group)
        equal = Repetition(group, equal.n_real, discrete=equal.discrete)
    far_rows, single, ratios = (
        [np.tile(values[part], len(pair.real) // n) for part in sets]
        for values in (far, large & ~far, ratio)
    )
    ratio = np.concatenate(ratios)
    return LargeUnits(pair.without_points(), far_rows, single, ratio, equal, original.sizes)


def _are_far(points: Floats, refs: Floats) -> Flags:
    from scipy.spatial.distance import cdist  # here, to keep `import prfast` quick

    joint = np.concatenate([refs, points]).astype(np.float64)
    most = np.abs(joint).max(axis=0)
    joint /= np.where(most > 0, most, 1.0)  # squares stay in range
    # The deviation is of all: an outlier of either set alone would shrink its column.
    spread = joint.std(axis=0)
    joint = (joint - joint.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    refs, points = joint[: len(refs)], joint[len(refs) :]
    among = cdist(refs, refs)
    np.fill_diagonal(among, np.inf)
    nearest = among.min(axis=0)
    most_of_them = np.quantile(nearest, 1.0 - _OUTERMOST_SHARE, method="higher")
    limit = min(nearest.max(), 2.0 * most_of_them)
    parts = blocks(len(points), max(1, _NUMBERS // len(refs)))
    nearest = np.concatenate([cdist(points[part], refs).min(axis=1) for part in parts])
    return np.asarray(nearest > limit)
