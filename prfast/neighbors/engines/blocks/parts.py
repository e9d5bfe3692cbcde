"""Parts of a set, and the functions that the cluster runs on two of them by the exact engine.

The sample: references lie in the pieces in any order, so that no block knows how near the k-th of
all is.  In a sample of the set, evenly spread over it, the D of the rank that the k-th of all has
there, with a margin of five standard deviations, is beyond the k-th nearest.  Where it is not, the
lists of blocks do not suffice, which is detected (`listed`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.distributed.sharded import Cluster, Group, Sharded, spans
from prfast.inputs.arrays import Float64s, Floats
from prfast.neighbors.engines.exact import Exact
from prfast.neighbors.engines.lists import Frame
from prfast.neighbors.resources import Points, Resources, Rows, Work, by_block
from prfast.neighbors.tasks import Count, Ints, Kth, LargestRatio, LogSum, Task


class Part(NamedTuple):
    """The points [start, stop) of a set: all rows of a group, or the rows `which` of it."""

    group: Group
    which: Any  # NDArray[np.int64] | None; for the driver, a handle of it
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
    """Whether the points are partitioned samples, or rows of such."""
    return isinstance(base_of(points), Sharded)


def cluster_of(points: Points) -> Cluster:
    """Return the cluster that holds the pieces of a partitioned set."""
    base: Any = base_of(points)
    cluster: Cluster = base.cluster
    return cluster


def lengths(points: Points) -> NDArray[np.int64]:
    """Return the number of points of each piece.

    It is a single number for rows that are not in the order of the pieces.
    """
    base: Any = base_of(points)
    if not isinstance(points, Rows):
        of_pieces: NDArray[np.int64] = base.lengths
        return of_pieces
    if (np.diff(points.index) < 0).any():
        return np.array([len(points.index)])
    within: NDArray[np.int64] = np.diff(np.searchsorted(points.index, base.starts))
    return within


def cut(points: Points, rows: int) -> list[Part]:
    """Return consecutive parts of about `rows` points; whole pieces if these are not larger."""
    base: Any = base_of(points)
    if not isinstance(points, Rows):
        return [Part(group, None, group.start, group.stop) for group in base.groups(rows)]
    ends = spans(lengths(points), rows)
    return [_part_of_rows(base, points.index[start:stop], start, stop) for start, stop in ends]


def _part_of_rows(base: Sharded, index: NDArray[np.int64], start: int, stop: int) -> Part:
    first, last = int(index.min()), int(index.max()) + 1
    which = base.cluster.submit(keep, index - first)
    return Part(base.span(first, last), which, start, stop)


def keep(value: Any) -> Any:
    """Return the value: submitted to the cluster, it is stored there once for many functions."""
    return value


def base_of(points: Points) -> Any:
    """Return the set of which the points are rows, or the points themselves."""
    base: Any = points
    while isinstance(base, Rows):
        base = base.base
    return base


class PartialResult(NamedTuple):
    """Arrays with a row per query or per reference, and the work that they took."""

    arrays: list[Any]
    work: Work


class CountSpec(NamedTuple):
    """A Count without its thresholds, which are stored with the parts, and without its results."""

    of_query: bool
    closed: bool
    rows: bool
    cols: bool


def counts_of(
    queries: Part,
    refs: Part,
    query_t: Sequence[Any],
    ref_t: Sequence[Any],
    specs: Sequence[CountSpec],
) -> list[Count]:
    """Return the Count tasks of a block."""
    return [
        Count(
            t if spec.of_query else None,
            None if spec.of_query else u,
            spec.closed,
            np.zeros(queries.size, np.int64) if spec.rows else None,
            np.zeros(refs.size, np.int64) if spec.cols else None,
        )
        for spec, t, u in zip(specs, query_t, ref_t, strict=True)
    ]


def count(
    queries: Part,
    refs: Part,
    query_t: Sequence[Any],
    ref_t: Sequence[Any],
    specs: Sequence[CountSpec],
    memory: int,
) -> tuple[PartialResult, PartialResult]:
    """Return the counts by query, and those by reference, in the order of their specs."""
    tasks = counts_of(queries, refs, query_t, ref_t, specs)
    work = _run(queries, refs, tasks, memory)
    rows = [task.rows for task in tasks if task.rows is not None]
    cols = [task.cols for task in tasks if task.cols is not None]
    return PartialResult(rows, work), PartialResult(cols, Work())


def ratio(queries: Part, refs: Part, ref_t: Float64s, memory: int) -> PartialResult:
    """Return the largest ratio of each query in a block (`LargestRatio`)."""
    task = LargestRatio(ref_t, np.zeros(queries.size))
    work = _run(queries, refs, [task], memory)
    return PartialResult([task.best], work)


def log_sum(
    queries: Part, refs: Part, before: PartialResult, t: float, memory: int
) -> PartialResult:
    """Continue the sum (`LogSum`) from that of the references before."""
    task = LogSum(t, before.arrays[0].copy())
    work = _run(queries, refs, [task], memory)
    work.take(before.work)
    return PartialResult([task.total], work)


def nearest(queries: Part, refs: Part, k: int, memory: int) -> PartialResult:
    """Return the sorted D of the k nearest references of each query, or of all if fewer."""
    task = Kth(np.arange(1, min(k, refs.size) + 1))
    work = _run(queries, refs, [task], memory)
    return PartialResult([task.d2], work)


def _run(queries: Part, refs: Part, tasks: Sequence[Task], memory: int) -> Work:
    work = Work()
    Exact().run(queries.load(), [refs.load()], tasks, Resources(1, memory, work))
    return work


# The sample of a set.
_SHARE = 25  # points per point of the sample: the cost of the sample against longer lists
_LEAST, _MOST = 192, 4000
_FAR = 0.03  # share of queries from which scanning the farther set first is faster


class Limits(NamedTuple):
    """Limits of the lists of some queries, estimated from samples."""

    d2: list[Float64s]
    """For each set, D that the k-th nearest is not beyond, with high probability."""
    expected: list[Float64s]
    """For each set, the expected D of the k-th nearest."""
    norms: Float64s
    """|û|² in the coordinates of the filter."""
    work: Work


def sample_size(n: int) -> int:
    """Return the size of the sample of n points."""
    return min(n, max(_LEAST, min(_MOST, n // _SHARE)))


def safe_rank(sample: int, k: int, n: int) -> int:
    """Return a rank in a sample of n points that is almost surely beyond the k-th of all."""
    share = k * sample / n
    return math.ceil(share + 5 * math.sqrt(share)) + 4


def expected_rank(sample: int, k: int, n: int) -> int:
    """Return the expected rank in a sample of n points of the k-th of all."""
    return min(sample, max(1, round(k * sample / n)))


def take_rows(part: Part, index: Ints) -> Floats:
    """Return the points of a part at these indices."""
    rows: Floats = part.load()[index]
    return rows


def concatenate(arrays: Sequence[Floats]) -> Floats:
    return np.concatenate(arrays)


def common_frame(sample: Floats, exponent: int) -> Frame:
    """Return a frame centred on the sample; values below 2**(exponent − 1) have offsets <= 1."""
    return Frame(sample.mean(axis=0, dtype=np.float64), math.ldexp(1.0, -exponent), False)


def limits(
    queries: Part,
    samples: Sequence[Floats],
    ranks: Sequence[tuple[int, int]],
    frame: Frame,
    memory: int,
) -> Limits:
    """Return the limits of the queries from samples; ranks: (safe, expected) in each sample."""
    work, x = Work(), queries.load()
    limit, expected = [], []
    for sample, (safe, middle) in zip(samples, ranks, strict=True):
        in_sample = safe <= len(sample)
        task = Kth(np.array([middle, safe if in_sample else middle]))
        Exact().run(x, [sample], [task], Resources(1, memory, work))
        expected.append(task.d2[:, 0].copy())
        limit.append(task.d2[:, 1].copy() if in_sample else np.full(len(x), np.inf))
    norms = [_norms(block, frame) for block in by_block(x)]
    return Limits(limit, expected, np.concatenate(norms), work)


def _norms(points: Floats, frame: Frame) -> Float64s:
    packed = ((points - frame.centre) * frame.scale).astype(np.float32).astype(np.float64)
    norms: Float64s = np.einsum("ij,ij->i", packed, packed)
    return norms


def far(limits_of_parts: Sequence[Limits]) -> int | None:
    """Return the set that is to be scanned first, or None.

    For more than a few queries its k-th nearest is beyond the limit of the other set's list.
    """
    shares = [
        float(np.mean(np.concatenate([one.expected[s] > one.d2[1 - s] for one in limits_of_parts])))
        for s in (0, 1)
    ]
    farther = int(np.argmax(shares))
    return farther if shares[farther] > _FAR else None
