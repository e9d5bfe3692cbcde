"""What to find: five questions about the D of queries × references, and how answers merge.

    Kth            D of the k-th nearest reference of each query
    Nearest        the same in a, in b and in a ∪ b, and how the balls of a ∪ b divide
    Count          pairs with D <= T or D < T
    LogSum         Σ ½ ln(D / t) over the references with D < t
    LargestRatio   max over the references of T / D

A task holds the question and, once an engine has run, the answer.  An answer can also be put
together from blocks of queries × blocks of references, in each of which an engine answers a part:

    whole = task.empty(len(queries))            the answer where there are no references
    part = whole.part(block)                    the question about a block
    engine.run(queries[block.queries], (refs[block.refs],), [part], resources)
    whole.merge(part, block)                    what the part found is taken in
    task.finish(whole)                          the answer

What it gives is the whole answer to the last bit: of k-th distances the k smallest of both lists,
of counts integer sums, of ratios the larger one, in any order of blocks, at any place.  A LogSum is
a float64 sum in the order of the references, and no sum of sums: its blocks of references are a
chain, a part begins with the sum of the blocks before it, so it is made after they were merged.
Different blocks of queries never meet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s
from prfast.kernels import balls as kernels

# Balls: what is inside, what of it is the centre itself, mean radius, the T of a radius.
#
# Border: a point at D = T is inside a closed ball, the default, and not inside an open one.  The
# same in C is `prf_inside` (csrc/balls/exact.h).
#
# Self: a point is left out of its own set by its row, never by its distance 0; where rows are not
# known it is counted, and taken off again by `own`.


def inside(d2: Any, t: Any, closed: bool) -> Any:
    """Is a point at D in the ball of T?"""
    return d2 <= t if closed else d2 < t


def own(t: Float64s, closed: bool) -> Any:
    """Does the ball hold its own centre, D = 0?  T < 0 is no ball."""
    return inside(0.0, t, closed)


def mean_radius(d2: Float64s) -> float:
    """ρ = mean of the radii √D, correctly rounded: the order of the points does not matter."""
    return math.fsum(np.sqrt(d2).tolist()) / len(d2)


def squared_radius(radius: float, closed: bool) -> float:
    """T so that D <= T (closed) or D < T is the comparison √D <= radius or √D < radius.

    radius² in float64 may be an ulp off: √3 squared is less than 3, and a tie would be lost.
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


# The nearest of some queries in one set, as the kernels keep them between the steps of a pass.


class Kept(NamedTuple):
    """A pass, and the reservoirs that its references have left for a super-block of queries."""

    side: kernels.Pass
    state: kernels.Nearest

    def kth(
        self, rows: slice, ks: NDArray[np.int64], threads: int, other: Kept | None = None
    ) -> Float64s:
        """D of the k-th nearest of the set, or of it and another, for each of ks."""
        both = () if other is None else other
        block = rows.start, rows.stop - rows.start
        return self.side.finish(self.state, *block, ks, threads, *both)

    def inside(self, rows: slice, t: Float64s, closed: bool, threads: int) -> NDArray[np.int64]:
        """How many of the set have D <= t (closed) or D < t; −1 where some that were not kept
        might."""
        block = rows.start, rows.stop - rows.start
        return self.side.kept_within(self.state, *block, t, closed, threads)


# What an engine keeps of a set for the questions to come, by the largest k and by whether a query
# is left out of its own neighbours; None where it was too much.
Shelf = dict[tuple[int, bool], Any]


Ints = NDArray[np.int64]


class Block(NamedTuple):
    """Some queries against some references, of the second set of a Nearest where side is 1."""

    queries: slice
    refs: slice
    side: int = 0

    @property
    def references(self) -> int:
        return int(self.refs.stop - self.refs.start)


@dataclass
class Kth:
    """D of the k-th nearest reference of each query, for each of ks: d2, (queries, ks).

    within: are the queries the references, none its own neighbour?  It is left out by its row,
    not by its distance.
    """

    ks: Ints
    within: bool = False
    d2: Float64s = field(init=False, repr=False)

    @property
    def k(self) -> int:
        """The largest k."""
        return int(self.ks.max())

    def anywhere(self) -> Kth:
        """The same for queries of which it is not known which references they are: there a point
        is its own neighbour, the nearest there can be, D(x, x) = 0."""
        return Kth(self.ks + self.within)

    def empty(self, queries: int) -> Kth:
        whole = Kth(_up_to(self.anywhere().k))
        whole.d2 = np.full((queries, whole.k), np.inf)
        return whole

    def part(self, block: Block) -> Kth:
        return Kth(_up_to(min(self.k, block.references)))

    def merge(self, part: Kth, block: Block) -> None:
        self.d2[block.queries] = smallest(self.d2[block.queries], part.d2)[:, : self.k]

    def finish(self, whole: Kth) -> None:
        self.d2 = whole.d2[:, self.anywhere().ks - 1]


@dataclass
class Nearest:
    """The k nearest of each query in a, in b and in a ∪ b, and how the last divide.

    ks_a, ks_b, ks_both: possibly empty.  within: are the queries the rows of a, of b, none its own
    neighbour?  closed: do ties at the k-th distance count as among the k?  shelf: where an engine
    may keep what it finds of a, for the next that asks the same queries and a.

    d2_a, d2_b, d2_both: the D of the k-th nearest, (queries, ks); of_a, of_b: how many of either
    set the balls to the k-th nearest of both hold, (queries, ks_both); and if `across` is wanted,
    across_a, how many of a are as near as the k-th of b, (queries, ks_b), and across_b the other
    way.  −1 where that reaches beyond what was listed, until it is counted (`engines/divide.py`).
    """

    ks_a: Ints
    ks_b: Ints
    ks_both: Ints
    closed: bool = True
    within: tuple[bool, bool] = (False, False)
    across: bool = False
    shelf: Shelf | None = field(default=None, repr=False)
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
        # One more than the k nearest, to see that the next one is farther.
        ks_a, ks_b = (_up_to(self.k + 1 + own) for own in self.within)
        whole = Nearest(ks_a, ks_b, _up_to(0))
        whole.d2_a, whole.d2_b = (np.full((queries, len(ks)), np.inf) for ks in (ks_a, ks_b))
        return whole

    def part(self, block: Block) -> Kth:
        ks = (self.ks_a, self.ks_b)[block.side]
        return Kth(_up_to(min(len(ks), block.references)))

    def merge(self, part: Kth, block: Block) -> None:
        lists = (self.d2_a, self.d2_b)[block.side]
        lists[block.queries] = smallest(lists[block.queries], part.d2)[:, : lists.shape[1]]

    def finish(self, whole: Nearest) -> None:
        self.open(len(whole.d2_a))
        a, b = (d2[:, own:] for d2, own in zip((whole.d2_a, whole.d2_b), self.within, strict=True))
        self.fill(slice(None), a, b)

    def open(self, queries: int) -> None:
        """Make the arrays of the answer."""
        of_ks = (self.ks_a, self.ks_b, self.ks_both)
        self.d2_a, self.d2_b, self.d2_both = (np.empty((queries, len(ks))) for ks in of_ks)
        self.of_a, self.of_b = (np.empty((queries, len(self.ks_both)), np.int64) for _ in "ab")
        of_others = (self.ks_b, self.ks_a) if self.across else ((), ())
        self.across_a, self.across_b = (np.empty((queries, len(ks)), np.int64) for ks in of_others)

    def fill(self, rows: slice, a: Float64s, b: Float64s) -> None:
        """The answer for some queries from the D of their nearest in a and in b, in order; a list
        that holds all there is ends with ∞."""
        self.d2_a[rows], self.d2_b[rows] = a[:, self.ks_a - 1], b[:, self.ks_b - 1]
        self.d2_both[rows] = t = smallest(a, b)[:, self.ks_both - 1]
        wanted = [(self.of_a, a, t), (self.of_b, b, t)]
        if self.across:
            wanted += [(self.across_a, a, self.d2_b[rows]), (self.across_b, b, self.d2_a[rows])]
        for counts, d2, radii in wanted:
            for column, one in enumerate(radii.T):
                held = inside(d2, one[:, None], self.closed).sum(axis=1)
                counts[rows, column] = np.where(held < d2.shape[1], held, -1)


@dataclass
class Count:
    """Pairs with D <= T (closed) or D < T; T is a query's or a reference's, one of the two None.

    rows[i] counts the references of query i, cols[j] the queries of reference j: int64 arrays to
    add to, or None where not wanted.  T < 0 is no ball.  side: which set of references, of two.
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
        rows, cols = (None if one is None else np.zeros_like(one) for one in (self.rows, self.cols))
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

    def finish(self, whole: Count) -> None:
        self.merge(whole, Block(slice(None), slice(None)))


@dataclass
class LogSum:
    """Σ ½ ln(D / t) over the references with D < t, in their order, added to total, (queries,); −∞
    where a D is 0."""

    t: float
    total: Float64s

    def empty(self, queries: int) -> LogSum:
        return LogSum(self.t, self.total.copy())

    def part(self, block: Block) -> LogSum:
        return LogSum(self.t, self.total[block.queries].copy())

    def merge(self, part: LogSum, block: Block) -> None:
        self.total[block.queries] = part.total

    def finish(self, whole: LogSum) -> None:
        self.total[:] = whole.total


@dataclass
class LargestRatio:
    """max over the references of ref_t / D, 0/0 = 1, to which best, (queries,), is raised; those
    with ref_t < 0 are passed over."""

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

    def finish(self, whole: LargestRatio) -> None:
        self.merge(whole, Block(slice(None), slice(None)))


Task = Kth | Nearest | Count | LogSum | LargestRatio


def smallest(*lists: Float64s) -> Float64s:
    """The D of several lists of each query, in order."""
    return np.sort(np.hstack(lists), axis=1)


def _up_to(k: int) -> Ints:
    return np.arange(1, k + 1)
