"""Points, tasks and resources of an engine.

`refs` contains one set of references, or the sets a and b of a Nearest.  A task has its parameters
and, once an engine has run, its results.  A point at D = T is inside a closed ball, the default,
and outside an open one.  A point is excluded from its own set by its row, never by its distance 0.
Without rows it is counted, and subtracted again where a ball contains D = 0.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import MEMORY, Progress
from prfast.kernels import distances as kernels
from prfast.samples.partitioned import Rows, sample_set_of

Ints = NDArray[np.int64]

_NUMBERS_AT_ONCE = 1 << 19

Points = Floats | Rows


def by_block(points: Points, index: Any = None) -> Iterator[Floats]:
    """Yield the points, or those of an index, in blocks of half a million numbers."""
    size = len(points) if index is None else len(index)
    parts = blocks(size, _NUMBERS_AT_ONCE // points.shape[1])
    return (points[rows if index is None else index[rows]] for rows in parts)


# ---- scaling: squares of differences neither overflow nor underflow

_LEAST = -450  # exponent from which the last digit of a number, squared, is not subnormal
LIMITS = (
    2.0**_LEAST,
    2.0**-_LEAST,
)  # of the largest value of partitioned rows, which keep their unit


def largest_value(points: Any) -> float:
    """Return the largest absolute value; of partitioned rows, that of their whole set."""
    if (samples := sample_set_of(points)) is not None:
        return float(samples.largest)
    return float(max([max(block.max(), -block.min()) for block in by_block(points)]))


def in_range(real: Floats, fake: Floats) -> tuple[Floats, Floats]:
    """Return the sets in their common unit: comparisons of distances do not change."""
    exponent = common_unit(real, fake)
    return (in_unit(real, exponent), in_unit(fake, exponent)) if exponent else (real, fake)


def in_unit(points: Any, exponent: int) -> Any:
    """Return the points in units of 2**exponent, in float64; unchanged where exponent is 0."""
    if exponent == 0:
        return points
    return np.ldexp(points.astype(np.float64), -exponent)


def common_unit(real: Floats, fake: Floats) -> int:
    """Return the exponent of a unit in which squares of differences are in float64's range.

    0 is no scaling.  A ValueError: no power of two suits all values.
    """
    largest = max(largest_value(real), largest_value(fake))
    exponent = int(np.frexp(largest)[1])
    if largest == 0 or _LEAST <= exponent <= 500 - real.shape[1].bit_length() // 2:
        return 0
    sizes = (np.abs(block) for points in (real, fake) for block in by_block(points))
    smallest = min(float(x[x > 0].min(initial=math.inf)) for x in sizes)
    if exponent > 0 and np.ldexp(smallest, -exponent) < 2.0**-450:
        got = f"values up to {largest:.3g} beside values of {smallest:.3g}"
        text = f"squares of differences within float64 expected, got {got}"
        raise WrongValue("real and fake", text)
    return exponent


# ---- thresholds ----------------------------------------------------------------------------------


def inside(d2: Any, t: Any, closed: bool) -> Any:
    """Return whether points at D are in balls of threshold T."""
    return d2 <= t if closed else d2 < t


def mean_radius(d2: Float64s) -> float:
    """Return the mean of the radii √D, for sums: the same in every order of the points."""
    return math.fsum(np.sqrt(d2).tolist()) / len(d2)


def squared_mean_radius(d2: Float64s, closed: bool) -> float:
    """Return T such that D <= T (closed) or D < T compares as √D with the mean of the radii √D.

    A mean in float64 may be an ulp off, and loses ties.  So a root is the sum of two float64, and a
    float64 within 2⁻¹⁰⁰ of the square of their mean is it.
    """
    from fractions import Fraction  # here, as it imports decimal

    exponent = int(np.frexp(d2.max())[1]) & ~1
    squares = np.ldexp(d2, -exponent)
    squares = squares[squares > 0]
    roots = np.sqrt(squares)
    high = roots * (2.0**27 + 1)  # the first half of the digits, by Dekker
    high -= high - roots
    low = roots - high
    errors = (squares - high * high - 2 * high * low - low * low) / (2 * roots)
    parts = [*roots.tolist(), *errors.tolist()]
    total = math.fsum(parts)
    mean = (Fraction(total) + Fraction(math.fsum([*parts, -total]))) / len(d2)
    square = mean * mean * Fraction(2) ** exponent
    t = float(square)
    if abs(square - Fraction(t)) > square / 2**100 and (t > square) == closed:
        t = math.nextafter(t, 0 if closed else math.inf)
    return t


# ---- tasks ---------------------------------------------------------------------------------------

# Cached lists of a fixed set, by (largest k, within); None where they take too much memory.
ListCache = dict[tuple[int, bool], Any]

NO_KS: Ints = np.empty(0, np.int64)


@dataclass
class Nearest:
    """The k nearest of each query in one set, or in a, in b and in a ∪ b.

    ks_a, ks_b, ks_both : possibly empty; the last two are empty where there is one set.
    closed : whether ties at the k-th distance count as among the k.
    within : whether the queries are the rows of a, of b, and none is its own neighbor.
    across : whether to compute across_a and across_b.
    values : a number of each reference, for one set and ks_a = [1].
    cache : where an engine may leave the lists of a for later tasks with the same queries and a.

    d2_a, d2_b, d2_both : D of the k-th nearest, (queries, ks).
    of_a, of_b : how many points of a and of b the balls to the k-th nearest of a ∪ b contain,
        (queries, ks_both).  −1: lists do not reach so far, and `exact.divide` is to count.
    across_a, across_b : how many of a are as near as the k-th of b, (queries, ks_b); the reverse.
    least : with `values`, the least value of the references that are as near as the nearest,
        (queries,); NaN where the lists do not determine it.
    """

    ks_a: Ints
    ks_b: Ints = field(default_factory=lambda: NO_KS)
    ks_both: Ints = field(default_factory=lambda: NO_KS)
    closed: bool = True
    within: tuple[bool, bool] = (False, False)
    across: bool = False
    values: Float64s | None = None
    cache: ListCache | None = field(default=None, repr=False)
    d2_a: Float64s = field(init=False, repr=False)
    d2_b: Float64s = field(init=False, repr=False)
    d2_both: Float64s = field(init=False, repr=False)
    of_a: Ints = field(init=False, repr=False)
    of_b: Ints = field(init=False, repr=False)
    across_a: Ints = field(init=False, repr=False)
    across_b: Ints = field(init=False, repr=False)
    least: Float64s | None = field(default=None, init=False, repr=False)

    @property
    def k(self) -> int:
        """The largest k; 1 if there is none."""
        return int(max(ks.max(initial=1) for ks in (self.ks_a, self.ks_b, self.ks_both)))

    def inclusive_ks(self) -> tuple[Ints, Ints, Ints]:
        """Return the ks where a query may be any reference, its own nearest neighbor at D = 0."""
        in_a, in_b = self.within
        return self.ks_a + in_a, self.ks_b + in_b, self.ks_both + (in_a or in_b)

    def open(self, queries: int) -> None:
        """Allocate the arrays of the result."""
        ks_of_sets = (self.ks_a, self.ks_b, self.ks_both)
        self.d2_a, self.d2_b, self.d2_both = (np.empty((queries, len(ks))) for ks in ks_of_sets)
        self.of_a, self.of_b = (np.empty((queries, len(self.ks_both)), np.int64) for _ in "ab")
        ks_across = (self.ks_b, self.ks_a) if self.across else ((), ())
        self.across_a, self.across_b = (np.empty((queries, len(ks)), np.int64) for ks in ks_across)

    def fill(self, rows: slice, *lists: Float64s) -> None:
        """Set the results of some queries from the sorted D of their nearest in each set.

        A list that contains all of a set ends with ∞; then every count from it is certain.
        """
        a, b = [*lists, np.empty((len(lists[0]), 0))][:2]
        self.d2_a[rows], self.d2_b[rows] = a[:, self.ks_a - 1], b[:, self.ks_b - 1]
        self.d2_both[rows] = t = np.sort(np.hstack([a, b]), axis=1)[:, self.ks_both - 1]
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

    def balls(self, queries: Points, refs: Sequence[Points]) -> tuple[Points, Points, Float64s]:
        """Return the centers of the balls, the points that they may contain, the thresholds."""
        if self.query_t is not None:
            return queries, refs[self.side], self.query_t
        return refs[self.side], queries, self.ref_t


@dataclass
class LargestRatio:
    """max over the references of ref_t / D, where 0/0 = 1; references with ref_t < 0 are skipped.

    rows, (queries,), are raised to it.
    """

    ref_t: Float64s
    rows: Float64s


@dataclass
class HalfKth:
    """D of the k-th nearest other point of the same half, of random halves: (points, ks, halvings).

    sides : uint16, (points,): the half of each point, a bit for each of up to `kernels.HALVINGS`.
    rank : how many neighbors are listed; a point whose half has fewer than k of them is searched
        again.
    """

    ks: Ints
    sides: Any
    halvings: int
    rank: int
    d2: Float64s = field(init=False, repr=False)


@dataclass
class HalfCount:
    """Numbers of pairs of the same half with D <= T (closed) or D < T, of random halves.

    sides : those of the queries and of the references, as for `HalfKth`.
    query_t, ref_t : thresholds (points, kernels.HALVINGS) of either, T < 0 no ball; the other None.
    rows, cols : int32 arrays (points, kernels.HALVINGS) to add to, or None.
    """

    sides: tuple[Any, Any]
    query_t: Any
    ref_t: Any
    closed: bool
    rows: Any = None
    cols: Any = None


Task = Nearest | Count | LargestRatio | HalfKth | HalfCount


# ---- resources -----------------------------------------------------------------------------------

WORK = (*kernels.WORK, "fallback", "memory_limited")

LISTED = 8  # bytes of a reference in a list


@dataclass
class Resources:
    """Limits of a call, and where an engine reports its work."""

    threads: int
    memory: int = MEMORY  # for packed references, lists, reservoirs and scratch beside the inputs
    work: Counter[str] = field(default_factory=Counter)
    progress: Progress = field(default_factory=lambda: Progress(False))  # by pairs that are done
    block: int = kernels.BLOCK  # queries that a thread takes; more through the int8 filter, heads
    heads: dict[Any, Any] = field(default_factory=dict)  # that are shared with other calls


# An engine sets the results of tasks about queries and references.  They are those of the exact
# engine to the last bit, unless its name is of an approximate one.  Rows are contiguous; the
# references contain `queries` itself where a task is within a set.
Engine = Callable[[Points, Sequence[Points], Sequence[Task], Resources], None]
