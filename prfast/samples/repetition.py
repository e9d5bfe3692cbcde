"""Repetition: which rows of two sets are equal, and whether equal real rows are draws or copies."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Ints, blocks
from prfast.samples.partitioned import JointRows, PartitionedRows, Points

Keys = NDArray[np.uint64]

DISTINCT = 0.9  # share of distinct rows, below which repetition is no accident
COPIED = 0.01  # share of rows that equal another row, above which that is no accident
RARELY = 0.01  # share of rows that equal another by chance, where equality is rare
_SHARED = 0.5  # least share of equal rows among both sets, over that among real rows, of draws
_JUDGED = 1000  # distinct real rows by which a discrete distribution is recognized
_STEPS = 2  # of a column, whose values count as neighbors
# Pairs of neighbors in a continuous column: k have the probability (3/5)^k, as the smallest step is
# that of the nearest pair.
_BY_CHANCE = 20
_FACTOR = 20.0  # by which the estimated chance of equal rows may be too small
_HASHED_AT_ONCE = 1 << 16  # numbers in a block that stays in the cache
_ODD = np.uint64(0x9E3779B97F4A7C15)  # 2**64 divided by the golden ratio


class Repetition:
    """Groups of equal rows of two sets; rows are numbered through both, real ones first.

    group: the number of the first row that equals each row, shape (n_real + n_fake,).  real: the
    real rows: they decide whether equal ones are draws; None for `discrete`.  merged: how many rows
    each of these was, if equal ones were merged.
    """

    def __init__(
        self,
        group: Ints,
        n_real: int,
        real: Points | None = None,
        *,
        discrete: bool = False,
        merged: Any = None,
    ) -> None:
        self.group, self.n_real = group, n_real
        of_real, of_fake = (np.bincount(x, minlength=len(group)) for x in np.split(group, [n_real]))
        # Rows of each set in each group, and in the groups that have any.
        self.sizes, self.counts = (of_real, of_fake), (of_real[of_real > 0], of_fake[of_fake > 0])
        # Number of generated rows that equal a real row.
        self.copied = int(of_fake[of_real > 0].sum())
        counts = self.counts[0] if merged is None else merged
        repeated, n, m = int(counts[counts > 1].sum()), int(counts.sum()), len(group) - n_real
        if real is not None and repeated:
            # The sets share values of one distribution, or the columns make equal rows likely.
            likely = chance_of_equality(real, np.flatnonzero(of_real))
            least = COPIED if n * likely > RARELY else _SHARED * repeated / n
            are_shared = merged is None and self.copied > least * m
            chance = float((counts * (counts - 1)).sum()) / (n * (n - 1))
            discrete = (len(counts) < DISTINCT * n and are_shared) or likely >= chance
        # Whether equal real rows are draws from a discrete distribution, and not copies.
        self.discrete = discrete
        # Whether equal rows are independent observations: of a discrete distribution, or of a set
        # with a single distinct row: it cannot be left out.
        self.is_evidence = discrete or min(map(len, self.counts)) < 2
        # Number of real rows that equal another one as draws; whether any rows of a set do.
        self.draws = repeated if discrete else 0
        self.are_draws = discrete and sum(map(len, self.counts)) < len(group)

    @property
    def effective_size(self) -> tuple[int, int]:
        """Effective sample sizes (real, generated): Kish's (Σ r)² / Σ r², rounded down, of rows
        with multiplicities r.  A mean over as many distinct rows has the same variance."""
        n, m = (int(r.sum()) ** 2 // int((r**2).sum()) for r in self.counts)
        return n, m

    @property
    def covered(self) -> float:
        """Number of distinct generated rows over the number expected of m independent draws, at
        most 1; 1 where there is none.

        Draws from a distribution with finitely many values repeat by chance.  Two draws are equal
        with probability c.  It is the larger of the estimates from pairs of real rows and from
        pairs of a real and a generated row.  From 1 / c equally likely values, m draws have (1 −
        exp(−m c)) / c distinct values.  The expected share of distinct rows is at most that of the
        real rows.
        """
        n, m = self.n_real, len(self.group) - self.n_real
        if not m:
            return 1.0
        real, fake = (sizes.astype(np.float64) for sizes in self.sizes)
        pairs = (float(real @ fake), n * m), (float((real * (real - 1)).sum()), n * (n - 1))
        # Two standard errors above the estimate of c: its noise does not count as repetition.
        chance = m * max((equal + 2 * np.sqrt(equal)) / max(number, 1) for equal, number in pairs)
        expected = -np.expm1(-chance) / chance if chance > 0 else 1.0
        distinct_real, distinct_fake = map(np.count_nonzero, (real, fake))
        return min(1.0, float(distinct_fake / (m * min(expected, distinct_real / n))))

    def of(self, real: Any, fake: Any) -> Repetition:
        """Return the groups of a selection of real and of generated rows."""
        first, second = np.split(self.group, [self.n_real])
        first = first[real]
        group = first_rows(np.concatenate([first, second[fake]]))
        return Repetition(group, len(first), discrete=self.discrete)

    def record(self) -> dict[str, Any]:
        """Return the entries of `info` on repeated and copied rows; none where there are none."""
        distinct = [len(counts) for counts in self.counts]
        repeated = distinct if sum(distinct) < len(self.group) else None
        entries = {"distinct": repeated, "copied": self.copied, "discrete": self.discrete}
        return {name: entry for name, entry in entries.items() if entry}


def equal_groups(keys: Keys, real: Points, fake: Points | None = None) -> Ints:
    """Return the number of the first row that equals each row of one set or two with these hashes.

    Rows of partitions are compared by hashes alone.
    """
    group = first_rows(keys)
    later = np.flatnonzero(group != np.arange(len(group)))
    if later.size and not isinstance(real, PartitionedRows):
        real = np.asarray(real)
        fake = real[:0] if fake is None else np.asarray(fake)
        for places in blocks(len(later), _HASHED_AT_ONCE // real.shape[1]):
            rows = later[places]
            later_rows, firsts = (JointRows((real, fake), i)[:] for i in (rows, group[rows]))
            differ = rows[(later_rows != firsts).any(axis=1)]
            group[differ] = differ
    return group


def chance_of_equality(points: Points, distinct: Ints) -> float:
    """Return the largest plausible probability that two independent draws of a distribution are
    equal, by the columns of its distinct rows, of these numbers; 0 where a column is continuous.

    There are two estimates of how often values of a column are equal.  They are the share in pairs
    of these rows, and the mean share of pairs that differ by 1 to _STEPS smallest steps of the
    column.  The larger counts, as counts, rounded numbers and codes have as many neighbors as equal
    values.  Columns are multiplied from the rarest equality on until they determine the row, as
    further columns depend on them.
    """
    if len(distinct) == 1:
        return 1.0
    which = np.linspace(0, len(distinct) - 1, min(len(distinct), _JUDGED)).astype(np.int64)
    rows = np.asarray(points[distinct[which]], np.float64)
    # Sums of steps stay in the range of float64.
    rows = np.ldexp(rows, min(0, 1000 - int(np.frexp(np.abs(rows).max())[1])))
    pairs = len(rows) * (len(rows) - 1) / 2
    chances = np.empty(rows.shape[1])
    for j, column in enumerate(rows.T):
        values, counts = np.unique(column, return_counts=True)
        same = float((counts * (counts - 1) / 2).sum())
        if len(values) > 1:
            step = float(np.diff(values).min())
            ends = np.searchsorted(values, values + (_STEPS + 0.5) * step, side="right")
            after = np.append(0, np.cumsum(counts))
            near = float((counts * (after[ends] - after[1:])).sum())
            is_filled = values[-1] - values[0] <= 2 * len(values) * step
            if is_filled:  # on a grid, and not by chance
                places = (values - values[0]) / step
                is_filled = bool(np.abs(places - np.rint(places)).max() < 1e-6)
            if is_filled or near >= _BY_CHANCE:
                same = max(same, near / _STEPS)
        chances[j] = same / pairs
    chance, which = 1.0, np.zeros(len(rows), np.int64)
    for j in np.argsort(chances, kind="stable"):
        chance *= chances[j]
        codes = np.unique(rows[:, j], return_inverse=True)[1]
        which = np.unique(which * len(rows) + codes, return_inverse=True)[1]
        if which.max() == len(rows) - 1:
            break
    return min(float(_FACTOR * chance), 1.0)


def first_rows(keys: Keys | Ints) -> Ints:
    """Return, for each row, the number of the first row with the same key."""
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    return np.asarray(first[which.reshape(-1)], np.int64)


def joined_units(groups: Ints, equal: Ints, n_real: int) -> Ints:
    """Return groups joined with those that have an equal row, as units; groups alone if these would
    be a single unit of a set.  equal: the first row that equals each row."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size = len(groups)
    places = groups.astype(np.int32), (size + equal).astype(np.int32)  # as old SciPy expects
    links = coo_array((np.ones(size), places), shape=(2 * size, 2 * size))
    for units in (connected_components(links, directed=False)[1][groups], groups):
        numbers = np.asarray(np.unique(units, return_inverse=True)[1], np.int64)
        if min(len(np.unique(part)) for part in np.split(numbers, [n_real])) > 1:
            break
    return numbers


def row_keys(points: Points) -> Keys:
    """Return a hash of each row: mixed bits of its numbers, times random odd factors, summed."""
    if isinstance(points, PartitionedRows):
        return points.keys()
    n, width = points.shape
    rng = np.random.default_rng(0)
    factors = rng.integers(2**64, size=width, dtype=np.uint64) | np.uint64(1)
    keys = np.empty(n, np.uint64)
    for rows in blocks(n, _HASHED_AT_ONCE // width):
        bits = (np.ascontiguousarray(points[rows], np.float64) + 0.0).view(np.uint64)  # -0 is 0
        bits = (bits ^ (bits >> np.uint64(32))) * _ODD
        bits ^= bits >> np.uint64(29)
        keys[rows] = (bits * factors).sum(axis=1, dtype=np.uint64)
    return keys
