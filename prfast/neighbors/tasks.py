"""The five tasks about the D of queries × references, and how their partial results merge.

    Kth            D of the k-th nearest reference of each query
    Nearest        the same in a, in b and in a ∪ b, and how the balls of a ∪ b divide
    Count          pairs with D <= T or D < T
    LogSum         Σ ½ ln(D / t) over the references with D < t
    LargestRatio   max over the references of T / D

A task holds its parameters and, once an engine has run, its result.  A result can also be assembled
from blocks of queries × blocks of references:

    total = task.empty(len(queries))            the result without references
    part = total.part(block)                    the task for one block
    engine.run(queries[block.queries], (refs[block.refs],), [part], resources)
    total.merge(part, block)                    add the result of the block
    task.finish(total)                          the result

It equals the result of one call to the last bit.  k-th distances merge by the k smallest of both
lists, counts by integer sums, ratios by the maximum, in any order of the blocks.  A LogSum is a
float64 sum in the order of the references, and rounding makes it differ from a sum of sums: its
blocks of references form a chain, in which each part starts from the sum of the blocks before it
and is therefore created after they were merged.  Different blocks of queries are independent.

Border and self, for all tasks: a point at D = T is inside a closed ball, the default, and outside
an open one (in C: `prf_inside`, csrc/distances/exact.h).  A point is excluded from its own set by
its row, never by its distance 0; where rows are not known it is counted, and `own` says whether to
subtract it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s


def inside(d2: Any, t: Any, closed: bool) -> Any:
    """Return whether points at D are in balls of threshold T."""
    return d2 <= t if closed else d2 < t


def own(t: Float64s, closed: bool) -> Any:
    """Return whether a ball contains its own center, at D = 0.  T < 0 is no ball."""
    return inside(0.0, t, closed)


def mean_radius(d2: Float64s) -> float:
    """Return ρ, the mean of the radii √D.

    The sum is correctly rounded, so that the order of the points does not matter.
    """
    return math.fsum(np.sqrt(d2).tolist()) / len(d2)


def squared_radius(radius: float, closed: bool) -> float:
    """Return T such that D <= T (closed) or D < T compares as √D <= radius or √D < radius does.

    radius² in float64 may be off by an ulp: √3 squared is less than 3, and a tie would be lost.
    """
    t = radius * radius
    if closed:  # the largest T of √T <= radius
        while math.sqrt(t) > radius:
            t = math.nextafter(t, 0)
        while math.sqrt(math.nextafter(t, math.inf)) <= radius:
            t = math.nextafter(t, math.inf)
    else:  # the smallest T of √T >= radius
        while math.sqrt(t) < radius:
            t = math.nextafter(t, math.inf)
        while t > 0 and math.sqrt(math.nextafter(t, 0)) >= radius:
            t = math.nextafter(t, 0)
    return t


# Cached lists of a fixed set, by (largest k, whether a query is excluded from its own neighbors);
# None where they would take too much memory.
ListCache = dict[tuple[int, bool], Any]


Ints = NDArray[np.int64]


class Block(NamedTuple):
    """A range of queries and a range of references, of the second set of a Nearest if side is 1."""

    queries: slice
    refs: slice
    side: int = 0

    @property
    def references(self) -> int:
        return int(self.refs.stop - self.refs.start)


@dataclass
class Kth:
    """D of the k-th nearest reference of each query, for each of ks: d2, (queries, ks).

    within: whether the queries are the references and none is its own neighbor; it is excluded by
    its row, not by its distance.
    """

    ks: Ints
    within: bool = False
    d2: Float64s = field(init=False, repr=False)

    @property
    def k(self) -> int:
        """The largest k."""
        return int(self.ks.max())

    def inclusive(self) -> Kth:
        """Return an equivalent task that does not know which reference a query is.

        There a point is its own nearest neighbor, at D(x, x) = 0, so that k becomes k + 1.
        """
        return Kth(self.ks + self.within)

    def empty(self, queries: int) -> Kth:
        total = Kth(_up_to(self.inclusive().k))
        total.d2 = np.full((queries, total.k), np.inf)
        return total

    def part(self, block: Block) -> Kth:
        return Kth(_up_to(min(self.k, block.references)))

    def merge(self, part: Kth, block: Block) -> None:
        self.d2[block.queries] = smallest(self.d2[block.queries], part.d2)[:, : self.k]

    def finish(self, total: Kth) -> None:
        self.d2 = total.d2[:, self.inclusive().ks - 1]


@dataclass
class Nearest:
    """The k nearest of each query in a, in b and in a ∪ b, and how many of the last are of either.

    ks_a, ks_b, ks_both : possibly empty.
    closed : whether ties at the k-th distance count as among the k.
    within : whether the queries are the rows of a, of b, and none is its own neighbor.
    across : whether to compute across_a and across_b.
    cache : cache in which an engine may leave the lists of a for later tasks with the same queries
        and a.

    Results: d2_a, d2_b, d2_both, the D of the k-th nearest, (queries, ks); of_a, of_b, how many
    points of a and of b the balls to the k-th nearest of a ∪ b contain, (queries, ks_both); with
    `across`, across_a, how many of a are as near as the k-th of b, (queries, ks_b), and across_b
    the same with the sets exchanged.  A count is −1 where the lists do not reach so far, until
    `engines.exact.divide` computes it.
    """

    ks_a: Ints
    ks_b: Ints
    ks_both: Ints
    closed: bool = True
    within: tuple[bool, bool] = (False, False)
    across: bool = False
    cache: ListCache | None = field(default=None, repr=False)
    d2_a: Float64s = field(init=False, repr=False)
    d2_b: Float64s = field(init=False, repr=False)
    d2_both: Float64s = field(init=False, repr=False)
    of_a: Ints = field(init=False, repr=False)
    of_b: Ints = field(init=False, repr=False)
    across_a: Ints = field(init=False, repr=False)
    across_b: Ints = field(init=False, repr=False)

    @property
    def k(self) -> int:
        """The largest k; 1 if there is none."""
        return int(max(ks.max(initial=1) for ks in (self.ks_a, self.ks_b, self.ks_both)))

    def empty(self, queries: int) -> Nearest:
        # One more than the k nearest, to tell whether the next one is farther.
        ks_a, ks_b = (_up_to(self.k + 1 + own) for own in self.within)
        total = Nearest(ks_a, ks_b, _up_to(0))
        total.d2_a, total.d2_b = (np.full((queries, len(ks)), np.inf) for ks in (ks_a, ks_b))
        return total

    def part(self, block: Block) -> Kth:
        ks = (self.ks_a, self.ks_b)[block.side]
        return Kth(_up_to(min(len(ks), block.references)))

    def merge(self, part: Kth, block: Block) -> None:
        lists = (self.d2_a, self.d2_b)[block.side]
        lists[block.queries] = smallest(lists[block.queries], part.d2)[:, : lists.shape[1]]

    def finish(self, total: Nearest) -> None:
        self.open(len(total.d2_a))
        a, b = (d2[:, own:] for d2, own in zip((total.d2_a, total.d2_b), self.within, strict=True))
        self.fill(slice(None), a, b)

    def open(self, queries: int) -> None:
        """Allocate the arrays of the result."""
        ks_of_sets = (self.ks_a, self.ks_b, self.ks_both)
        self.d2_a, self.d2_b, self.d2_both = (np.empty((queries, len(ks))) for ks in ks_of_sets)
        self.of_a, self.of_b = (np.empty((queries, len(self.ks_both)), np.int64) for _ in "ab")
        ks_across = (self.ks_b, self.ks_a) if self.across else ((), ())
        self.across_a, self.across_b = (np.empty((queries, len(ks)), np.int64) for ks in ks_across)

    def fill(self, rows: slice, a: Float64s, b: Float64s) -> None:
        """Set the results of some queries from the sorted D of their nearest in a and in b.

        A list that contains all of a set ends with ∞; then every count from it is certain.
        """
        self.d2_a[rows], self.d2_b[rows] = a[:, self.ks_a - 1], b[:, self.ks_b - 1]
        self.d2_both[rows] = t = smallest(a, b)[:, self.ks_both - 1]
        balls = [(self.of_a, a, t), (self.of_b, b, t)]
        if self.across:
            balls += [(self.across_a, a, self.d2_b[rows]), (self.across_b, b, self.d2_a[rows])]
        for counts, d2, radii in balls:
            for column, threshold in enumerate(radii.T):
                count = inside(d2, threshold[:, None], self.closed).sum(axis=1)
                # If all of the list is inside, points beyond its end may be inside too.
                counts[rows, column] = np.where(count < d2.shape[1], count, -1)


@dataclass
class Count:
    """The number of pairs with D <= T (closed) or D < T, with a T per query or per reference.

    query_t, ref_t : the thresholds; one of the two is None.  T < 0 is no ball.
    rows, cols : int64 arrays to add to, or None: rows[i] counts references for query i, cols[j]
        queries for reference j.
    side : the index of the set of references, where there are two.
    """

    query_t: Any  # Float64s or None
    ref_t: Any
    closed: bool = True
    rows: Any = None  # int64 array or None
    cols: Any = None
    side: int = 0

    def __post_init__(self) -> None:
        if self.query_t is not None:
            self.query_t = np.ascontiguousarray(self.query_t)
        else:
            self.ref_t = np.ascontiguousarray(self.ref_t)

    def empty(self, queries: int) -> Count:
        rows, cols = (None if n is None else np.zeros_like(n) for n in (self.rows, self.cols))
        return Count(self.query_t, self.ref_t, self.closed, rows, cols, self.side)

    def part(self, block: Block) -> Count:
        queries, refs = block.queries, block.refs
        return Count(
            None if self.query_t is None else self.query_t[queries],
            None if self.ref_t is None else self.ref_t[refs],
            self.closed,
            None if self.rows is None else np.zeros_like(self.rows[queries]),
            None if self.cols is None else np.zeros_like(self.cols[refs]),
            self.side,
        )

    def merge(self, part: Count, block: Block) -> None:
        if self.rows is not None:
            self.rows[block.queries] += part.rows
        if self.cols is not None:
            self.cols[block.refs] += part.cols

    def finish(self, total: Count) -> None:
        self.merge(total, Block(slice(None), slice(None)))


@dataclass
class LogSum:
    """Σ ½ ln(D / t) over the references with D < t, in their order; −∞ where a D is 0.

    It is added to total, (queries,).
    """

    t: float
    total: Float64s

    def empty(self, queries: int) -> LogSum:
        return LogSum(self.t, self.total.copy())

    def part(self, block: Block) -> LogSum:
        return LogSum(self.t, self.total[block.queries].copy())

    def merge(self, part: LogSum, block: Block) -> None:
        self.total[block.queries] = part.total

    def finish(self, total: LogSum) -> None:
        self.total[:] = total.total


@dataclass
class LargestRatio:
    """max over the references of ref_t / D, where 0/0 = 1; references with ref_t < 0 are skipped.

    best, (queries,), is raised to it.
    """

    ref_t: Float64s
    best: Float64s

    def __post_init__(self) -> None:
        self.ref_t = np.ascontiguousarray(self.ref_t)

    def empty(self, queries: int) -> LargestRatio:
        return LargestRatio(self.ref_t, np.zeros(queries))

    def part(self, block: Block) -> LargestRatio:
        best = self.best[block.queries]
        return LargestRatio(self.ref_t[block.refs], np.zeros_like(best))

    def merge(self, part: LargestRatio, block: Block) -> None:
        best = self.best[block.queries]
        np.maximum(best, part.best, out=best)

    def finish(self, total: LargestRatio) -> None:
        self.merge(total, Block(slice(None), slice(None)))


Task = Kth | Nearest | Count | LogSum | LargestRatio


def smallest(*lists: Float64s) -> Float64s:
    """Return the D of several lists of each query, merged and sorted."""
    return np.sort(np.hstack(lists), axis=1)


def _up_to(k: int) -> Ints:
    """Return 1, …, k."""
    return np.arange(1, k + 1)
