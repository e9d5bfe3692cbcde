"""Parts of partitioned sets, samples of them, and the bounded submission of functions on parts.

References lie in the partitions in any order, so that no block knows how near the k-th of all is.
In a sample of the set, evenly spread over it, the D of the rank that the k-th of all has there,
with a margin of five standard deviations, is beyond the k-th nearest.  Where it is not, the lists
of blocks do not suffice, which `block_lists` detects.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from prfast.distributed.partitions import AHEAD, Cluster, Part, gather_rows
from prfast.inputs.arrays import Floats, blocks
from prfast.inputs.errors import WrongValue
from prfast.neighbors.exact import answer
from prfast.neighbors.passes import (
    QUERIES,
    Frame,
    capacity,
    filter_is_off,
    flops,
    golden_permutation,
    packed_bytes,
)
from prfast.neighbors.tasks import LISTED, Nearest, Points, Resources, by_block
from prfast.samples.partitioned import Rows, sample_set_of


def keep(value: Any) -> Any:
    """Return the value: submitted to the cluster, it is stored there once for many functions."""
    return value


class PartialResult(NamedTuple):
    """Arrays with a row per query or per reference, and the work that they took."""

    arrays: list[Any]
    work: Counter[str]


def work_of(results: Sequence[Any]) -> Counter[str]:
    return sum((result.work for result in results), Counter[str]())


# ---- the sample of a set

_SHARE = 25  # points per point of the sample: the cost of the sample against longer lists
_LEAST, _MOST = 192, 4000


def sample_size(n: int) -> int:
    """Return the size of the sample of n points."""
    return min(n, max(_LEAST, min(_MOST, n // _SHARE)))


def safe_rank(k: int, n: int) -> int:
    """Return a rank in the sample of n points that is almost surely beyond the k-th of all."""
    share = k * sample_size(n) / n
    return math.ceil(share + 5 * math.sqrt(share)) + 4


def concatenate(arrays: Sequence[Floats]) -> Floats:
    return np.concatenate(arrays)


def common_frame(sample: Floats, exponent: int) -> Frame:
    """Return a frame centered on the sample; values below 2**(exponent − 1) have offsets <= 1."""
    return Frame(sample.mean(axis=0, dtype=np.float64), math.ldexp(1.0, -exponent), False)


def limits(
    queries: Part, samples: Sequence[Floats], ranks: Sequence[int], frame: Frame, memory: int
) -> PartialResult:
    """Return for each set the D of these ranks in its sample, ∞ beyond the end of the sample.

    The k-th nearest of a query is not beyond, with high probability.  The last array is |û|² in the
    coordinates of the filter.
    """
    work, x = Counter[str](), queries.load()
    d2 = [np.full(len(x), np.inf) for _ in samples]
    for limit, sample, rank in zip(d2, samples, ranks, strict=True):
        if rank <= len(sample):
            task = Nearest(np.array([rank]))
            answer(x, [sample], [task], Resources(1, memory, work))
            limit[:] = task.d2_a[:, 0]
    packed = (((x - frame.center) * frame.scale).astype(np.float32) for x in by_block(x))
    norms = [np.einsum("ij,ij->i", x, x, dtype=np.float64, casting="unsafe") for x in packed]
    return PartialResult([*d2, np.concatenate(norms)], work)


# ---- submission

FAN = 8  # partial results that are combined at a time


class Window:
    """Submission of functions to the cluster, with a bounded number of them in flight.

    As a context manager it cancels those in flight on an error or an interrupt.
    """

    def __init__(self, cluster: Cluster, resources: Resources) -> None:
        self.cluster, self.resources = cluster, resources
        self._most = AHEAD * cluster.threads
        self._waiting: deque[tuple[Any, int]] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, *error: Any) -> None:
        if kind is not None:
            self.cluster.cancel([handle for handle, _ in self._waiting])

    def submit(self, function: Callable[..., Any], *args: Any, pairs: int = 0) -> Any:
        """Submit function(*args) and return its handle; its end advances the bar by `pairs`."""
        while len(self._waiting) >= self._most:
            self._wait()
        handle = self.cluster.submit(function, *args)
        self._waiting.append((handle, pairs))
        return handle

    def gather(self, handles: Sequence[Any]) -> list[list[Any]]:
        """Wait for everything in flight; return the arrays of these results, and count the work
        that they took."""
        while self._waiting:
            self._wait()
        results: list[PartialResult] = self.cluster.gather(handles)
        for result in results:
            self.resources.work.update(result.work)
        return [result.arrays for result in results]

    def _wait(self) -> None:
        handle, pairs = self._waiting[0]
        self.cluster.wait(handle)
        self._waiting.popleft()
        self.resources.progress.advance(pairs)


class Reduction:
    """A reduction of results on the cluster: function(results, *args), FAN of them at a time.

    handles: fewer than FAN, whose results are not combined yet.
    """

    def __init__(self, window: Window, function: Callable[..., Any], *args: Any) -> None:
        self._window, self._function, self._args = window, function, args
        self.handles: list[Any] = []

    def add(self, handle: Any) -> None:
        self.handles.append(handle)
        if len(self.handles) == FAN:
            self.handles = [self.result()]

    def result(self) -> Any:
        return self._window.submit(self._function, self.handles, *self._args)


_FLOPS = 1.5e11  # of a function call: seconds, so that the scheduler is not the bottleneck
_MOST_FLOPS = 4e11  # the same, if that avoids cutting the partitions
_TASKS = 2  # calls per thread at least, so that threads end at about the same time
FEWEST = 1000  # rows of a part: below, the fixed cost of a call dominates


def rows_of_part(longest: int, queries: int, refs: int, dim: int, threads: int) -> int:
    """Return the rows of a part, for two sets whose partitions have up to `longest` rows."""
    enough = math.isqrt(int(_FLOPS / flops(dim)))
    most = math.isqrt(int(_MOST_FLOPS / flops(dim)))
    rows = longest if enough < longest <= most else enough
    for_threads = math.isqrt(queries * refs // (_TASKS * threads)) if threads > 1 else rows
    return max(FEWEST, min(rows, for_threads))


def task_bytes(rows: int, dim: int, itemsize: int, k: int, n: int) -> int:
    """Return the bytes that the largest function call takes, for parts of `rows` of n points.

    Either two parts as loaded and concatenated, packed, with lists of the points of each in the
    other and the arrays from these lists; or the lists of all blocks for one part.  k: the largest.
    """
    rows, pair = min(rows, n), 2 * min(rows, n)
    share = min(1.0, safe_rank(k, n) / sample_size(n))
    entries = min(capacity(min(k, rows), rows), k + 1.5 * share * rows + 2 * QUERIES)
    pair_bytes = pair * (2 * dim * itemsize + packed_bytes(dim) + 40 + 2 * LISTED * entries)
    listed = LISTED * (share * (FAN * rows if n > FAN * rows else n) + k)
    return int(max(pair_bytes, rows * (2 * listed + dim * itemsize)))


class PartitionedSets:
    """Queries and one or two sets of references in parts, and the window for functions on them.

    k: the largest k of the tasks; filtered: whether the filter gives bounds for these points.
    """

    def __init__(self, queries: Points, refs: Sequence[Points], k: int, window: Window) -> None:
        self.window, self.memory, self.points = window, window.resources.memory, refs
        self.size, dim = queries.shape
        self.sizes = [len(points) for points in refs]
        most = max(self.size, *self.sizes)
        if most >= 2**31:  # lists number the points in 32 bits
            raise WrongValue("samples", f"at most 2**31 - 1 in a set expected, got {most}")
        sets = {id(points): points for points in (queries, *refs)}
        bases = [sample_set_of(points) for points in sets.values()]
        rows = bases[0].part_rows
        if rows is None:  # a useful size that fits every thread's share of the memory
            longest = max(int(base.lengths.max()) for base in bases)
            threads = window.cluster.threads
            rows = rows_of_part(longest, self.size, max(self.sizes), dim, threads)
            itemsize = max(base.dtype.itemsize for base in bases)
            needed = task_bytes(rows, dim, itemsize, k, max(self.sizes))
            available = window.cluster.task_memory
            if available is not None and needed > available:
                # Lists of fewer rows are shorter as well, so that a part of so many rows fits.
                rows = max(FEWEST, rows * available // needed)
        parts = {key: _parts(points, rows) for key, points in sets.items()}
        self.queries, self.refs = parts[id(queries)], [parts[id(points)] for points in refs]
        # An exponent of 2 above all values and their offsets from any mean of them.
        largest = max(math.ldexp(base.largest, -(base.exponent or 0)) for base in bases)
        self.exponent = math.frexp(largest)[1] + 1 if largest > 0 else 0
        self.filtered = not filter_is_off(self.exponent, dim)

    def sample(self, side: int) -> Any:
        """Return a handle of a sample of a set of references."""
        points = self.points[side]
        index = golden_permutation(len(points))[: sample_size(len(points))]
        rows = points.index[index] if isinstance(points, Rows) else index
        base: Any = sample_set_of(points)
        return self.window.submit(concatenate, gather_rows(base, np.sort(rows)))

    def arrays(self, handles: Sequence[Any]) -> list[tuple[Part, list[Any]]]:
        """Return the arrays of each part of the queries; see `Window.gather`."""
        return list(zip(self.queries, self.window.gather(handles), strict=True))


def _parts(points: Points, rows: int) -> list[Part]:
    """Return consecutive parts of about `rows` points; whole partitions if these are not larger."""
    base: Any = sample_set_of(points)
    if not isinstance(points, Rows):
        parts: list[Part] = base.parts(rows)
        return parts
    n, number = len(points), -(-len(points) // rows)
    selected = [base.block(span, points.index) for span in blocks(n, -(-n // number))]
    return [part._replace(which=base.cluster.submit(keep, part.which)) for part in selected]
