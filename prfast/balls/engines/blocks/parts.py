"""A set as parts that a task can hold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.balls.engines.exact import Exact
from prfast.balls.engines.lists import Frame
from prfast.balls.resources import Points, Resources, Rows, Work, by_block
from prfast.balls.tasks import Count, Ints, Kth, LargestRatio, LogSum, Task
from prfast.cluster.sharded import Cluster, Group, Sharded, spans
from prfast.inputs.arrays import Float64s, Floats


class Part(NamedTuple):
    """The points [start, stop) of a set: all rows of a group, or those that `which` numbers."""

    group: Group
    which: Any  # NDArray[np.int64] | None; a handle of it until a task has it
    start: int
    stop: int

    @property
    def rows(self) -> slice:
        return slice(self.start, self.stop)

    @property
    def size(self) -> int:
        return self.stop - self.start

    def load(self) -> Floats:
        return self.group.load(self.which)


def in_pieces(points: Points) -> bool:
    """Is it a set that is nowhere as a whole, or some rows of one?"""
    return isinstance(base_of(points), Sharded)


def cluster_of(points: Points) -> Cluster:
    """Where the pieces of such a set are."""
    base: Any = base_of(points)
    found: Cluster = base.cluster
    return found


def lengths(points: Points) -> NDArray[np.int64]:
    """Points of each piece; of all together where they are not in the order of the pieces."""
    base: Any = base_of(points)
    if not isinstance(points, Rows):
        found: NDArray[np.int64] = base.lengths
        return found
    if (np.diff(points.index) < 0).any():
        return np.array([len(points.index)])
    within: NDArray[np.int64] = np.diff(np.searchsorted(points.index, base.starts))
    return within


def cut(points: Points, rows: int) -> list[Part]:
    """Parts of about so many points, in their order: whole pieces where these are not larger."""
    base: Any = base_of(points)
    if not isinstance(points, Rows):
        return [Part(group, None, group.start, group.stop) for group in base.groups(rows)]
    ends = spans(lengths(points), rows)
    return [_some(base, points.index[start:stop], start, stop) for start, stop in ends]


def _some(base: Sharded, index: NDArray[np.int64], start: int, stop: int) -> Part:
    first, last = int(index.min()), int(index.max()) + 1
    which = base.cluster.submit(keep, index - first)
    return Part(base.span(first, last), which, start, stop)


def keep(held: Any) -> Any:
    """A task that holds what many others are given."""
    return held


def base_of(points: Points) -> Any:
    base: Any = points
    while isinstance(base, Rows):
        base = base.base
    return base


# What a task finds in a block: the exact engine, on one thread, on two parts of sets.


class Found(NamedTuple):
    """Arrays, a row a query or a reference, and the work that they took."""

    arrays: list[Any]
    work: Work


class Ask(NamedTuple):
    """A Count without its thresholds, which are held with the parts, and without its answers."""

    of_query: bool
    closed: bool
    rows: bool
    cols: bool


def counts_of(
    queries: Part,
    refs: Part,
    query_t: Sequence[Any],
    ref_t: Sequence[Any],
    asks: Sequence[Ask],
) -> list[Count]:
    """What is asked, about a block."""
    return [
        Count(
            t if ask.of_query else None,
            None if ask.of_query else u,
            ask.closed,
            np.zeros(queries.size, np.int64) if ask.rows else None,
            np.zeros(refs.size, np.int64) if ask.cols else None,
        )
        for ask, t, u in zip(asks, query_t, ref_t, strict=True)
    ]


def count(
    queries: Part,
    refs: Part,
    query_t: Sequence[Any],
    ref_t: Sequence[Any],
    asks: Sequence[Ask],
    memory: int,
) -> tuple[Found, Found]:
    """Counts of each query, and of each reference, of every ask that wants them."""
    tasks = counts_of(queries, refs, query_t, ref_t, asks)
    work = _run(queries, refs, tasks, memory)
    rows = [task.rows for task in tasks if task.rows is not None]
    cols = [task.cols for task in tasks if task.cols is not None]
    return Found(rows, work), Found(cols, Work())


def ratio(queries: Part, refs: Part, ref_t: Float64s, memory: int) -> Found:
    task = LargestRatio(ref_t, np.zeros(queries.size))
    work = _run(queries, refs, [task], memory)
    return Found([task.best], work)


def log_sum(queries: Part, refs: Part, before: Found, t: float, memory: int) -> Found:
    """The sum goes on from that of the references before."""
    task = LogSum(t, before.arrays[0].copy())
    work = _run(queries, refs, [task], memory)
    work.take(before.work)
    return Found([task.total], work)


def nearest(queries: Part, refs: Part, k: int, memory: int) -> Found:
    """D of the k nearest references of each query, in order, or of all."""
    task = Kth(np.arange(1, min(k, refs.size) + 1))
    work = _run(queries, refs, [task], memory)
    return Found([task.d2], work)


def _run(queries: Part, refs: Part, tasks: Sequence[Task], memory: int) -> Work:
    work = Work()
    Exact().run(queries.load(), [refs.load()], tasks, Resources(1, memory, work))
    return work


# A few references stand for all: how far each query has to look, and what filters see.
#
# The references lie in pieces in any order, so that no block knows how near the k-th of all is.
# Of a sample of the set, evenly spread over it, the query's D of the rank that k of all has in it,
# with a margin of five standard deviations, is beyond the k-th nearest; where it is not, that is
# seen when what blocks list does not tell (`listed`).


_SHARE = 25  # points that one of the sample stands for: what it costs against longer lists
_LEAST, _MOST = 192, 4000
_FAR = 0.03  # share of queries for which that pays


class Reached(NamedTuple):
    """Of some queries: D that the k-th nearest of each set is not beyond, as far as can be told
    from a sample, and about its D; |û|² as the filter sees them."""

    d2: list[Float64s]
    middle: list[Float64s]
    norms: Float64s
    work: Work


def size(n: int) -> int:
    return min(n, max(_LEAST, min(_MOST, n // _SHARE)))


def rank(sample: int, k: int, n: int) -> int:
    """Of so many of n: how many may be nearer than the k-th of all."""
    share = k * sample / n
    return math.ceil(share + 5 * math.sqrt(share)) + 4


def middle(sample: int, k: int, n: int) -> int:
    """The rank among so many of n that the k-th of all is thought to have."""
    return min(sample, max(1, round(k * sample / n)))


def rows(part: Part, index: Ints) -> Floats:
    """Some points of a part."""
    found: Floats = part.load()[index]
    return found


def together(found: Sequence[Floats]) -> Floats:
    return np.concatenate(found)


def frame(sample: Floats, exponent: int) -> Frame:
    """Centred on the sample; offsets of values below 2**(exponent − 1) are at most 1."""
    return Frame(sample.mean(axis=0, dtype=np.float64), math.ldexp(1.0, -exponent), False)


def reach(
    queries: Part,
    samples: Sequence[Floats],
    ranks: Sequence[tuple[int, int]],
    seen: Frame,
    memory: int,
) -> Reached:
    work, x = Work(), queries.load()
    beyond, about = [], []
    for sample, (last, some) in zip(samples, ranks, strict=True):
        told = last <= len(sample)
        task = Kth(np.array([some, last if told else some]))
        Exact().run(x, [sample], [task], Resources(1, memory, work))
        about.append(task.d2[:, 0].copy())
        beyond.append(task.d2[:, 1].copy() if told else np.full(len(x), np.inf))
    norms = [_norms(block, seen) for block in by_block(x)]
    return Reached(beyond, about, np.concatenate(norms), work)


def _norms(points: Floats, seen: Frame) -> Float64s:
    packed = ((points - seen.centre) * seen.scale).astype(np.float32).astype(np.float64)
    norms: Float64s = np.einsum("ij,ij->i", packed, packed)
    return norms


def far(reached: Sequence[Reached]) -> int | None:
    """The set, if any, whose k-th nearest is beyond what is listed of the other for more than a
    few of the queries."""
    shares = [
        float(np.mean(np.concatenate([one.middle[s] > one.d2[1 - s] for one in reached])))
        for s in (0, 1)
    ]
    found = int(np.argmax(shares))
    return found if shares[found] > _FAR else None
