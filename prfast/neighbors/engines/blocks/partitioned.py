"""Sets in parts with their thresholds and samples, the submission of functions, and part sizes."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np

from prfast.distributed.preflight import check_task
from prfast.distributed.sharded import AHEAD, Cluster
from prfast.inputs.errors import WrongValue
from prfast.neighbors.engines.blocks.parts import (
    CountSpec,
    Part,
    base_of,
    concatenate,
    cut,
    keep,
    lengths,
    safe_rank,
    sample_size,
    take_rows,
)
from prfast.neighbors.engines.lists import (
    QUERIES,
    capacity,
    filter_is_off,
    flops,
    golden_permutation,
    packed_bytes,
)
from prfast.neighbors.resources import LISTED, Points, Resources
from prfast.neighbors.tasks import Count

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

    def gather(self, handles: Sequence[Any]) -> list[Any]:
        """Wait for everything in flight and return the results of these handles."""
        while self._waiting:
            self._wait()
        return self.cluster.gather(handles)

    def _wait(self) -> None:
        handle, pairs = self._waiting[0]
        self.cluster.persist([handle])
        self._waiting.popleft()
        self.resources.advance(pairs)


class Reduction:
    """A reduction of results on the cluster: function(results, *args), FAN of them at a time."""

    def __init__(self, window: Window, function: Callable[..., Any], *args: Any) -> None:
        self._window, self._function, self._args = window, function, args
        self._handles: list[Any] = []

    def add(self, handle: Any) -> None:
        self._handles.append(handle)
        if len(self._handles) == FAN:
            self._handles = [self.whole()]

    def parts(self) -> list[Any]:
        """Return fewer than FAN handles, whose results are not combined yet."""
        return self._handles

    def whole(self) -> Any:
        """Return the handle of the combined result."""
        return self._window.submit(self._function, self._handles, *self._args)


_FLOPS = 1.5e11  # of a function call: seconds, so that the scheduler is not the bottleneck
_MOST = 4e11  # the same, if that avoids cutting the pieces
_TASKS = 2  # calls per thread at least, so that threads end at about the same time
FEWEST = 1000  # rows of a part: below, the fixed cost of a call dominates


def rows_of_part(longest: int, queries: int, refs: int, dim: int, threads: int) -> int:
    """Return the rows of a part, for two sets whose pieces have up to `longest` rows."""
    enough = math.isqrt(int(_FLOPS / flops(dim)))
    most = math.isqrt(int(_MOST / flops(dim)))
    rows = longest if enough < longest <= most else enough
    for_threads = math.isqrt(queries * refs // (_TASKS * threads)) if threads > 1 else rows
    return max(FEWEST, min(rows, for_threads))


def task_bytes(rows: int, dim: int, itemsize: int, k: int, n: int) -> int:
    """Return the bytes that the largest function call takes, for parts of `rows` of n points.

    Either two parts as loaded and concatenated, packed, with lists of the points of each in the
    other and the arrays from these lists; or the lists of all blocks for one part.  k: the largest.
    """
    rows, both = min(rows, n), 2 * min(rows, n)
    sample = sample_size(n)
    share = min(1.0, safe_rank(sample, k, n) / sample)
    listed = LISTED * share * (FAN * rows if n > FAN * rows else n)
    entries = min(capacity(min(k, rows), rows), k + 1.5 * share * rows + 2 * QUERIES)
    of_pairs = (
        2 * both * dim * itemsize + both * (packed_bytes(dim) + 40) + 2 * LISTED * both * entries
    )
    return int(max(of_pairs, 2 * rows * (listed + LISTED * k) + rows * dim * itemsize))


class PartitionedSets:
    """Queries and one or two sets of references in parts, and the window for functions on them.

    rows : rows of a part, approximately; None chooses a useful size that fits every thread's share
        of the memory.
    k : the largest k of the tasks.
    """

    def __init__(
        self, queries: Points, refs: Sequence[Points], rows: int | None, k: int, window: Window
    ) -> None:
        self.window, self.memory = window, window.resources.memory
        self.size, self.dim = len(queries), queries.shape[1]
        sets = {id(points): points for points in (queries, *refs)}
        most = max(map(len, sets.values()))
        if most >= 2**31:  # lists number the points in 32 bits
            raise WrongValue("samples", f"at most 2**31 - 1 in a set expected, got {most}")
        self.sizes = [len(points) for points in refs]
        self.itemsize = max(points.dtype.itemsize for points in sets.values())
        if rows is None:
            longest = int(max(lengths(points).max() for points in sets.values()))
            sizes = self.size, max(self.sizes)
            rows = rows_of_part(longest, *sizes, self.dim, window.cluster.threads)
            rows = self._fitting(rows, k)
        parts = {key: cut(points, rows) for key, points in sets.items()}
        self.queries, self.refs = parts[id(queries)], [parts[id(points)] for points in refs]
        self.exponent = max(_exponent(points) for points in sets.values())

    def _fitting(self, rows: int, k: int) -> int:
        """Halve the rows of a part until a call fits in a thread's share of the memory."""
        available = self.window.cluster.room
        while True:
            needed = task_bytes(rows, self.dim, self.itemsize, k, max(self.sizes))
            if available is None or needed <= available or rows <= FEWEST:
                break
            rows = max(FEWEST, rows // 2)
        check_task(needed, rows, k, self.window.cluster)
        return rows

    @property
    def filtered(self) -> bool:
        """Whether the filter gives bounds for these points."""
        return not filter_is_off(self.exponent, self.dim)

    def samples(self) -> list[Any]:
        """Return a handle of a sample of each set of references."""
        return [self._sample(parts) for parts in self.refs]

    def _sample(self, parts: Sequence[Part]) -> Any:
        n = parts[-1].stop
        sample = np.sort(golden_permutation(n)[: sample_size(n)])
        handles = []
        for part in parts:
            index = sample[(part.start <= sample) & (sample < part.stop)] - part.start
            if index.size:
                handles.append(self.window.submit(take_rows, part, index))
        return self.window.submit(concatenate, handles)

    def counting(self, side: int, tasks: Sequence[Count]) -> Counting:
        return Counting(self, side, tasks)

    def arrays(self, handles: Sequence[Any]) -> list[tuple[Part, list[Any]]]:
        """Return the arrays of each part of the queries, and add up the work that they took."""
        return list(zip(self.queries, self.gathered(handles), strict=True))

    def gathered(self, handles: Sequence[Any]) -> list[list[Any]]:
        results = self.window.gather(handles)
        for result in results:
            self.window.resources.work.take(result.work)
        return [result.arrays for result in results]


class Counting:
    """Counts in one set, and handles of their thresholds for each part."""

    def __init__(self, sets: PartitionedSets, side: int, tasks: Sequence[Count]) -> None:
        self._submit = sets.window.cluster.submit
        self.tasks = tasks
        self.specs = [
            CountSpec(t.query_t is not None, t.closed, t.rows is not None, t.cols is not None)
            for t in tasks
        ]
        self.of_queries = [self._stored([t.query_t for t in tasks], part) for part in sets.queries]
        self.of_refs = [self._stored([t.ref_t for t in tasks], part) for part in sets.refs[side]]

    def _stored(self, thresholds: Sequence[Any], part: Part) -> Any:
        of_part = [None if t is None else np.ascontiguousarray(t[part.rows]) for t in thresholds]
        return self._submit(keep, of_part)

    def add_rows(self, part: Part, counts: Sequence[Any]) -> None:
        totals = [task.rows for task in self.tasks if task.rows is not None]
        for total, count in zip(totals, counts, strict=True):
            total[part.rows] += count

    def add_cols(self, part: Part, counts: Sequence[Any]) -> None:
        totals = [task.cols for task in self.tasks if task.cols is not None]
        for total, count in zip(totals, counts, strict=True):
            total[part.rows] += count

    @property
    def wants_cols(self) -> bool:
        return any(spec.cols for spec in self.specs)


def _exponent(points: Points) -> int:
    """Return an exponent of 2 above all values and their offsets from any mean of them."""
    base = base_of(points)
    largest = math.ldexp(base.largest, -(base.exponent or 0))
    return math.frexp(largest)[1] + 1 if largest > 0 else 0
