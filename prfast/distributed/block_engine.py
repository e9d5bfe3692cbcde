"""The engine for partitioned samples: functions on parts of both sets.

Counts are added, maxima compared; the k nearest come from lists of keys (`block_lists`).  Queries
that lists do not answer are answered from the k nearest of every block.  This process has numbers
and results as long as a set; rows, lists and partial results stay on the workers.
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
from prfast.inputs.arrays import blocks
from prfast.inputs.errors import WrongValue
from prfast.neighbors import passes
from prfast.neighbors.exact import answer, divide
from prfast.neighbors.passes import QUERIES
from prfast.neighbors.tasks import LISTED, Count, Ints, LargestRatio, Nearest, Points, Resources
from prfast.samples.partitioned import Rows, sample_set_of

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
                        unlisted = PartitionedSets(Rows(queries, left), refs, task.k, window)
                        _store(unlisted, again, _nearest_of_blocks(unlisted, again))
                        for name in NEAREST_ARRAYS:
                            if getattr(task, name).size:
                                getattr(task, name)[left] = getattr(again, name)
                    divide(answer_by_blocks, queries, refs, task, resources)
                case LargestRatio():
                    _combine(sets, 0, [task], np.maximum)
        for side in (0, 1):
            group = [t for t in tasks if isinstance(t, Count) and t.side == side]
            if group:
                _combine(sets, side, group, np.add)


def _listed(sets: PartitionedSets, task: Nearest) -> list[Any]:
    """Submit the answers of a Nearest from lists of keys, for each part of the queries."""
    submit, sides = sets.window.submit, range(len(sets.refs))
    once = len(sets.refs) == 1 and task.within[0]  # each pair of the set is computed once
    # Lists of a symmetric pass have no pairs of a point with itself.
    within = (False, False) if once else task.within
    question = replace(task, cache=None, values=None, within=within)
    most = [min(task.k + within[side], sets.sizes[side]) for side in sides]
    ranks = [safe_rank(k, n) for k, n in zip(most, sets.sizes, strict=True)]
    samples = []
    for points, n in zip(sets.points, sets.sizes, strict=True):
        index = passes.golden_permutation(n, sample_size(n))
        rows = points.index[index] if isinstance(points, Rows) else index
        samples.append(submit(np.concatenate, gather_rows(sample_set_of(points), np.sort(rows))))
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
    for part, (*arrays, failed_rows) in zip(sets.queries, sets.window.gather(handles), strict=True):
        for name, values in zip(NEAREST_ARRAYS, arrays, strict=True):
            getattr(task, name)[part.rows] = values
        failed[part.rows] = failed_rows
    return np.flatnonzero(failed)


def _combine(sets: PartitionedSets, side: int, tasks: Sequence[Any], operation: Any) -> None:
    """Answer counts or a ratio in one set: sums (numpy.add) or maxima (numpy.maximum) of blocks.

    Thresholds are stored with the parts.
    """

    def store(part: Part, name: str) -> Any:
        thresholds = [getattr(task, name, None) for task in tasks]
        values = [None if t is None else t[part.rows] for t in thresholds]
        return sets.window.cluster.submit(keep, values)

    refs, submit = sets.refs[side], sets.window.submit
    query_t = [store(part, "query_t") for part in sets.queries]
    ref_t = [store(part, "ref_t") for part in refs]
    by_query = [task.rows for task in tasks if task.rows is not None]
    by_ref = [t.cols for t in tasks if isinstance(t, Count) and t.cols is not None]
    kinds = [
        (t.closed, t.rows is not None, t.cols is not None) if isinstance(t, Count) else None
        for t in tasks
    ]
    cols = [Reduction(sets.window, merge, operation) for _ in refs] if by_ref else []
    rows = []
    for part, query_values in zip(sets.queries, query_t, strict=True):
        row_results = Reduction(sets.window, merge, operation)
        for i, (block, ref_values) in enumerate(zip(refs, ref_t, strict=True)):
            arguments = part, block, query_values, ref_values, kinds, sets.memory
            result = submit(block_results, *arguments, pairs=part.size * block.size)
            row_results.add(submit(pick, result, 0))
            if by_ref:
                cols[i].add(submit(pick, result, 1))
        rows.append(row_results.result())
    col_handles = [col_results.result() for col_results in cols]
    for totals, parts, handles in ((by_query, sets.queries, rows), (by_ref, refs, col_handles)):
        for part, arrays in zip(parts, sets.window.gather(handles), strict=bool(handles)):
            for total, values in zip(totals, arrays, strict=True):
                total[part.rows] = operation(total[part.rows], values)


# ---- sets in parts, and the submission of functions on them

FAN = 8  # partial results that are combined at a time


class Window:
    """Submission of functions to the cluster, with a bounded number of them in flight.

    A context manager: it cancels those in flight on an error or an interrupt.
    """

    def __init__(self, cluster: Cluster, resources: Resources) -> None:
        self.cluster, self.resources = cluster, resources
        self._waiting: deque[tuple[Any, int]] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, *error: Any) -> None:
        if kind is not None:
            self.cluster.cancel([handle for handle, _ in self._waiting])

    def submit(self, function: Callable[..., Any], *args: Any, pairs: int = 0) -> Any:
        """Submit function(*args) and return its handle; its end advances the bar by `pairs`."""
        self._wait(AHEAD * self.cluster.threads - 1)
        handle = self.cluster.submit(function, *args)
        self._waiting.append((handle, pairs))
        return handle

    def gather(self, handles: Sequence[Any]) -> list[list[Any]]:
        """Wait for everything in flight; return the arrays of these results, and count the work
        that they took."""
        self._wait(0)
        results: list[PartialResult] = self.cluster.gather(handles)
        self.resources.work.update(work_of(results))
        return [result.arrays for result in results]

    def _wait(self, most: int) -> None:
        """Wait until at most so many functions are in flight."""
        while len(self._waiting) > most:
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


_PRODUCTS = 7.5e10  # of a function call: seconds, more than the scheduler needs
_MOST_PRODUCTS = 2e11  # the same, if that avoids cutting the partitions
_TASKS = 2  # calls per thread at least: threads end at about the same time
FEWEST = 1000  # rows of a part: below, the fixed cost of a call dominates


def rows_of_part(bases: Sequence[Any], sizes: tuple[int, int], k: int, cluster: Cluster) -> int:
    """Return the rows of a part: a useful number that fits every thread's share of the memory.

    sizes: of the queries and of the larger set of references; k: the largest.
    """
    dim, longest = bases[0].width, max(int(base.lengths.max()) for base in bases)
    enough = math.isqrt(int(_PRODUCTS / (dim + passes.OVERHEAD)))
    most = math.isqrt(int(_MOST_PRODUCTS / (dim + passes.OVERHEAD)))
    rows = longest if enough < longest <= most else enough
    if cluster.threads > 1:
        rows = min(rows, math.isqrt(math.prod(sizes) // (_TASKS * cluster.threads)))
    rows, n = max(FEWEST, rows), sizes[1]
    # The largest call has two parts as loaded and concatenated, packed, with lists of the points of
    # each in the other and the arrays from these lists; or the lists of all blocks for one part.
    itemsize, size = max(base.dtype.itemsize for base in bases), min(rows, n)
    share = min(1.0, safe_rank(k, n) / sample_size(n))
    capacity = passes.capacity(min(k, size), size)
    entries = min(capacity, k + 1.5 * share * size + 2 * QUERIES)
    row_bytes = 2 * dim * itemsize + 5 * dim + passes.PACKED_BYTES + 40 + 2 * LISTED * entries
    listed_bytes = LISTED * (share * (FAN * size if n > FAN * size else n) + k)
    needed = int(size * max(2 * row_bytes, 2 * listed_bytes + dim * itemsize))
    available = cluster.task_memory
    if available is not None and needed > available:
        # Lists of fewer rows are shorter as well: a part of so many rows fits.
        rows = max(FEWEST, rows * available // needed)
    return rows


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
        if rows is None:
            rows = rows_of_part(bases, (self.size, max(self.sizes)), k, window.cluster)
        parts = {key: _parts(points, rows) for key, points in sets.items()}
        self.queries, self.refs = parts[id(queries)], [parts[id(points)] for points in refs]
        # An exponent of 2 above all values and their offsets from any mean of them.
        largest = max(base.largest for base in bases)
        self.exponent = math.frexp(largest)[1] + 1 if largest > 0 else 0
        is_bounded = self.exponent in passes.EXPONENTS and dim < passes.TOO_WIDE
        self.filtered = passes.settings().filter != "off" and is_bounded


def _parts(points: Points, rows: int) -> list[Part]:
    """Return consecutive parts of about `rows` points; whole partitions if these are not larger."""
    base: Any = sample_set_of(points)
    if not isinstance(points, Rows):
        return base.parts(rows)
    n, number = len(points), -(-len(points) // rows)
    selected = [base.block(span, points.index) for span in blocks(n, -(-n // number))]
    return [part._replace(which=base.cluster.submit(keep, part.which)) for part in selected]


# ---- functions that run on workers, on two parts


def keep(value: Any) -> Any:
    """Return the value: submitted to the cluster, it is stored there once for many functions."""
    return value


def block_results(
    queries: Part,
    refs: Part,
    query_t: Sequence[Any],
    ref_t: Sequence[Any],
    kinds: Sequence[tuple[bool, bool, bool] | None],
    memory: int,
) -> tuple[PartialResult, PartialResult]:
    """Return the results by query, and the counts by reference, of the tasks that have them.

    kinds: the border (`closed`) of a Count and whether it counts by query, and by reference; None
    for a LargestRatio.
    """
    tasks: list[Any] = []
    for query_values, ref_values, kind in zip(query_t, ref_t, kinds, strict=True):
        if kind is None:
            tasks.append(LargestRatio(ref_values, np.zeros(queries.size)))
        else:
            closed, has_rows, has_cols = kind
            rows = np.zeros(queries.size, np.int64) if has_rows else None
            cols = np.zeros(refs.size, np.int64) if has_cols else None
            tasks.append(Count(query_values, ref_values, closed, rows, cols))
    work = Counter[str]()
    answer(queries.load(), [refs.load()], tasks, Resources(1, memory, work))
    by_query = [task.rows for task in tasks if task.rows is not None]
    by_ref = [t.cols for t in tasks if isinstance(t, Count) and t.cols is not None]
    return PartialResult(by_query, work), PartialResult(by_ref, Counter())


def nearest(queries: Part, refs: Part, k: int, memory: int) -> PartialResult:
    """Return the sorted D of the k nearest references of each query, or of all if fewer."""
    task, work = Nearest(np.arange(1, min(k, refs.size) + 1)), Counter[str]()
    answer(queries.load(), [refs.load()], [task], Resources(1, memory, work))
    return PartialResult([task.d2_a], work)


# ---- functions that run on workers, and combine results


def pick(results: Sequence[Any], index: int | slice) -> Any:
    """Return one or some of the results; their users are not sent the others."""
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
