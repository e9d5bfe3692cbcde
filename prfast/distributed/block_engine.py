"""The engine for partitioned samples: functions on parts of both sets.

Counts are added, maxima compared.  The k nearest take several steps:

    sample ──> D beyond the k-th, for each query; a center and a scale that all blocks share
    block  ──> keys up to that D, 8 bytes each; inside a set each pair once, for both ends
    all    ──> how many are certainly nearer than the k-th; pairs that may be the k-th
    block  ──> D of these pairs
    all    ──> D of the k-th, and how many points of each set its ball contains

Queries that the lists do not answer are answered from the k nearest of every block.  This process
has numbers and results as long as a set; rows, lists and partial results stay on the workers.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from prfast.distributed import block_lists as listed
from prfast.distributed.block_lists import PartialResult, safe_rank, sample_size, work_of
from prfast.distributed.partitions import AHEAD, Cluster, Part, gather_rows
from prfast.inputs.arrays import Float64s, blocks
from prfast.inputs.errors import WrongValue
from prfast.neighbors.exact import answer, divide
from prfast.neighbors.passes import (
    OVERHEAD,
    QUERIES,
    capacity,
    filter_is_off,
    golden_permutation,
    packed_bytes,
)
from prfast.neighbors.tasks import LISTED, Count, Ints, LargestRatio, Nearest, Points, Resources
from prfast.samples.partitioned import Rows, sample_set_of, select

NEAREST_ARRAYS = ("d2_a", "d2_b", "d2_both", "of_a", "of_b", "across_a", "across_b")


def answer_by_blocks(
    queries: Points, refs: Sequence[Points], tasks: Sequence[Any], resources: Resources
) -> None:
    """Answer every task about partitioned samples: the engine of the neighbor search.

    Counts share one pass; every other task takes a pass of its own.
    """
    samples: Any = sample_set_of(queries)
    with Window(samples.cluster, resources) as window:
        k = max((t.k for t in tasks if isinstance(t, Nearest)), default=1)
        sets = PartitionedSets(queries, refs, k, window)
        for task in tasks:
            match task:
                case Nearest():
                    # Keys need the bounds of a filter.
                    submit = _listed if sets.filtered else _nearest_of_blocks
                    left = _store(sets, task, submit(sets, task))
                    if left.size:
                        resources.work["fallback"] += left.size
                        again = replace(task)
                        unlisted = PartitionedSets(select(queries, left), refs, task.k, window)
                        _store(unlisted, again, _nearest_of_blocks(unlisted, again))
                        for name in NEAREST_ARRAYS:
                            if getattr(task, name).size:
                                getattr(task, name)[left] = getattr(again, name)
                    divide(answer_by_blocks, queries, refs, task, resources)
                case LargestRatio():
                    _ratio(sets, task)
        for side in (0, 1):
            group = [t for t in tasks if isinstance(t, Count) and t.side == side]
            if group:
                _count(sets, side, group)


def _listed(sets: PartitionedSets, task: Nearest) -> list[Any]:
    """Submit the answers of a Nearest from lists of keys, for each part of the queries."""
    submit, sides = sets.window.submit, range(len(sets.refs))
    once = len(sets.refs) == 1 and task.within[0]  # each pair of the set is computed once
    # Lists of a symmetric pass have no pairs of a point with itself.
    within = (False, False) if once else task.within
    question = replace(task, cache=None, values=None, within=within)
    most = [min(task.k + within[side], sets.sizes[side]) for side in sides]
    ranks = [safe_rank(k, n) for k, n in zip(most, sets.sizes, strict=True)]
    samples = [sets.sample(side) for side in sides]
    frame = submit(listed.common_frame, samples[0], sets.exponent)
    reaches = [
        submit(listed.limits, part, samples, ranks, frame, sets.memory) for part in sets.queries
    ]
    lists = [
        [Reduction(sets.window, listed.shorten, reach, frame, k) for k in most] for reach in reaches
    ]
    if once:
        share = min(1.0, ranks[0] / sample_size(sets.sizes[0]))
        for i, first in enumerate(sets.queries):
            for j, second in enumerate(sets.queries[i:], i):
                pair = first, second if j > i else None, [reaches[i], reaches[j]]
                pairs = first.size * second.size * (2 if j > i else 1)
                arguments = *pair, most[0], share, frame, sets.memory
                result = submit(listed.list_pair, *arguments, pairs=pairs)
                lists[i][0].add(submit(pick, result, 0))
                if j > i:
                    lists[j][0].add(submit(pick, result, 1))
    handles = []
    for part, reach, reductions in zip(sets.queries, reaches, lists, strict=True):
        for side in () if once else sides:
            block = side, most[side], reach, frame, sets.memory
            for refs in sets.refs[side]:
                pairs = part.size * refs.size
                reductions[side].add(submit(listed.list_block, part, refs, *block, pairs=pairs))
        near = [group.handles for group in reductions]
        left = submit(listed.open_pairs, near, reach, frame, question)
        d2 = [
            submit(listed.open_d2, part, refs, side, left)
            for side in sides
            for refs in sets.refs[side]
        ]
        handles.append(submit(listed.answer, left, d2, question))
    return handles


def _nearest_of_blocks(sets: PartitionedSets, task: Nearest) -> list[Any]:
    """Submit the answers of a Nearest from the k nearest of every block."""
    question, handles = replace(task, cache=None, values=None), []
    for part in sets.queries:
        near = []
        for parts, within in zip(sets.refs, task.within, strict=False):
            k = task.k + 1 + within  # one more, to tell whether the next one is farther
            result = Reduction(sets.window, merge_nearest, k)
            for refs in parts:
                arguments = part, refs, k, sets.memory
                result.add(sets.window.submit(nearest, *arguments, pairs=part.size * refs.size))
            near.append(result.result())
        handles.append(sets.window.submit(split_by_set, near, question))
    return handles


def _store(sets: PartitionedSets, task: Nearest, handles: Sequence[Any]) -> Ints:
    """Set the results of a Nearest, but for counts that stay −1; return the queries for which lists
    fail."""
    task.open(sets.size)
    failed = np.zeros(sets.size, bool)
    for part, (*arrays, failed_rows) in sets.arrays(handles):
        for name, values in zip(NEAREST_ARRAYS, arrays, strict=True):
            getattr(task, name)[part.rows] = values
        failed[part.rows] = failed_rows
    return np.flatnonzero(failed)


def _ratio(sets: PartitionedSets, task: LargestRatio) -> None:
    thresholds = [sets.window.cluster.submit(keep, task.ref_t[refs.rows]) for refs in sets.refs[0]]
    handles = []
    for part in sets.queries:
        best = Reduction(sets.window, merge, np.maximum)
        for refs, ref_t in zip(sets.refs[0], thresholds, strict=True):
            arguments = part, refs, ref_t, sets.memory
            best.add(sets.window.submit(ratio, *arguments, pairs=part.size * refs.size))
        handles.append(best.result())
    for part, (best_of_part,) in sets.arrays(handles):
        task.best[part.rows] = np.maximum(task.best[part.rows], best_of_part)


def _count(sets: PartitionedSets, side: int, tasks: Sequence[Count]) -> None:
    """Answer the counts in one set; their thresholds are stored with the parts."""

    def store(part: Part, thresholds: Sequence[Any]) -> Any:
        values = [None if t is None else t[part.rows] for t in thresholds]
        return sets.window.cluster.submit(keep, values)

    refs, submit = sets.refs[side], sets.window.submit
    query_t = [store(part, [t.query_t for t in tasks]) for part in sets.queries]
    ref_t = [store(part, [t.ref_t for t in tasks]) for part in refs]
    kinds = [(t.closed, t.rows is not None, t.cols is not None) for t in tasks]
    has_cols = any(task.cols is not None for task in tasks)
    cols = [Reduction(sets.window, merge, np.add) for _ in refs]
    rows = []
    for part, query_values in zip(sets.queries, query_t, strict=True):
        row_sums = Reduction(sets.window, merge, np.add)
        for block, ref_values, col_sums in zip(refs, ref_t, cols, strict=True):
            arguments = part, block, query_values, ref_values, kinds, sets.memory
            result = submit(count, *arguments, pairs=part.size * block.size)
            row_sums.add(submit(pick, result, 0))
            if has_cols:
                col_sums.add(submit(pick, result, 1))
        rows.append(row_sums.result())
    sums = [col_sums.result() for col_sums in cols] if has_cols else []
    for name, results in (
        ("rows", sets.arrays(rows)),
        ("cols", zip(refs, sets.window.gather(sums), strict=False)),
    ):
        totals = [total for task in tasks if (total := getattr(task, name)) is not None]
        for part, arrays in results:
            for total, counts in zip(totals, arrays, strict=True):
                total[part.rows] += counts


# ---- sets in parts, and the submission of functions on them

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


_PRODUCTS = 7.5e10  # of a function call: seconds, so that the scheduler is not the bottleneck
_MOST_PRODUCTS = 2e11  # the same, if that avoids cutting the partitions
_TASKS = 2  # calls per thread at least, so that threads end at about the same time
FEWEST = 1000  # rows of a part: below, the fixed cost of a call dominates


def rows_of_part(longest: int, queries: int, refs: int, dim: int, threads: int) -> int:
    """Return the rows of a part, for two sets whose partitions have up to `longest` rows."""
    enough = math.isqrt(int(_PRODUCTS / (dim + OVERHEAD)))
    most = math.isqrt(int(_MOST_PRODUCTS / (dim + OVERHEAD)))
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
        return self.window.submit(listed.concatenate, gather_rows(base, np.sort(rows)))

    def arrays(self, handles: Sequence[Any]) -> list[tuple[Part, list[Any]]]:
        """Return the arrays of each part of the queries; as `Window.gather`."""
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


# ---- functions that run on workers, on two parts


def keep(value: Any) -> Any:
    """Return the value: submitted to the cluster, it is stored there once for many functions."""
    return value


def count(
    queries: Part,
    refs: Part,
    query_t: Sequence[Any],
    ref_t: Sequence[Any],
    kinds: Sequence[tuple[bool, bool, bool]],
    memory: int,
) -> tuple[PartialResult, PartialResult]:
    """Return the counts by query, and those by reference, of the tasks that have them.

    query_t, ref_t: the thresholds of both parts for each task; kinds: its border (`closed`) and
    whether it counts by query, and by reference.
    """
    counts = []
    for query_values, ref_values, (closed, has_rows, has_cols) in zip(
        query_t, ref_t, kinds, strict=True
    ):
        rows = np.zeros(queries.size, np.int64) if has_rows else None
        cols = np.zeros(refs.size, np.int64) if has_cols else None
        counts.append(Count(query_values, ref_values, closed, rows, cols))
    work = Counter[str]()
    answer(queries.load(), [refs.load()], counts, Resources(1, memory, work))
    by_query = [task.rows for task in counts if task.rows is not None]
    by_ref = [task.cols for task in counts if task.cols is not None]
    return PartialResult(by_query, work), PartialResult(by_ref, Counter())


def ratio(queries: Part, refs: Part, ref_t: Float64s, memory: int) -> PartialResult:
    """Return the largest ratio of each query in a block (`LargestRatio`)."""
    task, work = LargestRatio(ref_t, np.zeros(queries.size)), Counter[str]()
    answer(queries.load(), [refs.load()], [task], Resources(1, memory, work))
    return PartialResult([task.best], work)


def nearest(queries: Part, refs: Part, k: int, memory: int) -> PartialResult:
    """Return the sorted D of the k nearest references of each query, or of all if fewer."""
    task, work = Nearest(np.arange(1, min(k, refs.size) + 1)), Counter[str]()
    answer(queries.load(), [refs.load()], [task], Resources(1, memory, work))
    return PartialResult([task.d2_a], work)


# ---- functions that run on workers, and combine results


def pick(results: Sequence[Any], index: int) -> Any:
    """Return a single result; its users are not sent the others."""
    return results[index]


def merge(results: Sequence[PartialResult], operation: Any) -> PartialResult:
    """Return the sums (numpy.add) or maxima (numpy.maximum) of the arrays."""
    columns = zip(*(result.arrays for result in results), strict=True)
    return PartialResult([operation.reduce(arrays) for arrays in columns], work_of(results))


def merge_nearest(results: Sequence[PartialResult], k: int) -> PartialResult:
    """Merge lists of the nearest, and cut them to k."""
    d2 = np.sort(np.hstack([result.arrays[0] for result in results]), axis=1)[:, :k]
    return PartialResult([d2], work_of(results))


def split_by_set(near: Sequence[PartialResult], task: Nearest) -> PartialResult:
    """Return the arrays of a Nearest from lists of the nearest in each set; no query has failed."""
    result = replace(task)  # the cluster may pass the same object to other functions
    lists = []
    for (d2,), within in zip((part.arrays for part in near), task.within, strict=False):
        # A list that contains the whole set ends with ∞ (`Nearest.fill`).
        has_all = d2.shape[1] - within <= task.k
        lists.append(np.pad(d2[:, within:], ((0, 0), (0, int(has_all))), constant_values=np.inf))
    result.open(len(lists[0]))
    result.fill(slice(None), *lists)
    arrays = [getattr(result, name) for name in NEAREST_ARRAYS]
    return PartialResult([*arrays, False], work_of(near))
