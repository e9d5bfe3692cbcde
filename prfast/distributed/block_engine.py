"""The engine for partitioned samples: functions on parts of both sets, which the cluster runs.

Counts are added, maxima compared.  For the k nearest, no block knows how near the k-th of all is:

    sample ──> D beyond the k-th, for each query; a center and a scale that all blocks share
    block  ──> keys up to that D, 8 bytes each; inside a set each pair once, for both ends
    all    ──> how many are certainly nearer than the k-th; pairs that may be the k-th
    block  ──> D of these pairs
    all    ──> D of the k-th, and how many points of each set its ball contains

Queries that the lists do not answer are answered from the k nearest of every block.  This process
has numbers and results as long as a set; rows, lists and partial results stay on the workers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from prfast.distributed import block_lists as listed
from prfast.distributed.blocks import (
    PartialResult,
    PartitionedSets,
    Reduction,
    Window,
    common_frame,
    keep,
    limits,
    safe_rank,
    sample_size,
    work_of,
)
from prfast.distributed.partitions import Part
from prfast.inputs.arrays import Float64s
from prfast.neighbors.exact import answer, divide
from prfast.neighbors.tasks import Count, Ints, LargestRatio, Nearest, Points, Resources
from prfast.samples.partitioned import sample_set_of, select

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
                    # Lists of keys say nothing without the bounds of a filter.
                    left = _listed(sets, task) if sets.filtered else None
                    if left is None:
                        _nearest_of_blocks(sets, task)
                    elif left.size:
                        resources.work["fallback"] += left.size
                        again = replace(task)
                        unlisted = PartitionedSets(select(queries, left), refs, task.k, window)
                        _nearest_of_blocks(unlisted, again)
                        for name in NEAREST_ARRAYS:
                            if getattr(task, name).size:
                                getattr(task, name)[left] = getattr(again, name)
                    divide(answer_by_blocks, queries, refs, task, resources)
                case LargestRatio():
                    _ratio(sets, task)
        for side in (0, 1):
            of_set = [t for t in tasks if isinstance(t, Count) and t.side == side]
            if of_set:
                _count(sets, side, of_set)


def _listed(sets: PartitionedSets, task: Nearest) -> Ints:
    """Answer a Nearest from lists of keys, but for counts that stay −1; return the queries for
    which lists fail."""
    submit, sides = sets.window.submit, range(len(sets.refs))
    once = len(sets.refs) == 1 and task.within[0]  # each pair of the set is computed once
    # Lists of a symmetric pass have no pairs of a point with itself.
    within = (False, False) if once else task.within
    question = replace(task, cache=None, values=None, within=within)
    most = [min(task.k + within[side], sets.sizes[side]) for side in sides]
    ranks = [safe_rank(k, n) for k, n in zip(most, sets.sizes, strict=True)]
    samples = [sets.sample(side) for side in sides]
    frame = submit(common_frame, samples[0], sets.exponent)
    reaches = [submit(limits, part, samples, ranks, frame, sets.memory) for part in sets.queries]
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
    for part, reach, of_sets in zip(sets.queries, reaches, lists, strict=True):
        for side in () if once else sides:
            block = side, most[side], reach, frame, sets.memory
            for refs in sets.refs[side]:
                pairs = part.size * refs.size
                of_sets[side].add(submit(listed.list_block, part, refs, *block, pairs=pairs))
        near = [of_set.handles for of_set in of_sets]
        left = submit(listed.open_pairs, near, reach, frame, question)
        d2 = [
            submit(listed.open_d2, part, refs, side, left)
            for side in sides
            for refs in sets.refs[side]
        ]
        handles.append(submit(listed.answer, left, d2, question))
    task.open(sets.size)
    failed = np.zeros(sets.size, bool)
    for part, (*arrays, failed_rows) in sets.arrays(handles):
        for name, values in zip(NEAREST_ARRAYS, arrays, strict=True):
            getattr(task, name)[part.rows] = values
        failed[part.rows] = failed_rows
    return np.flatnonzero(failed)


def _nearest_of_blocks(sets: PartitionedSets, task: Nearest) -> None:
    """Answer a Nearest from the k nearest of every block, but for counts that stay −1."""
    question, handles = replace(task, cache=None, values=None), []
    for part in sets.queries:
        near = []
        for blocks, within in zip(sets.refs, task.within, strict=False):
            k = task.k + 1 + within  # one more, to tell whether the next one is farther
            result = Reduction(sets.window, merge_nearest, k)
            for refs in blocks:
                arguments = part, refs, k, sets.memory
                result.add(sets.window.submit(nearest, *arguments, pairs=part.size * refs.size))
            near.append(result.result())
        handles.append(sets.window.submit(split_by_set, near, question))
    task.open(sets.size)
    for part, arrays in sets.arrays(handles):
        for name, values in zip(NEAREST_ARRAYS, arrays, strict=True):
            getattr(task, name)[part.rows] = values


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
    for part, of_queries in zip(sets.queries, query_t, strict=True):
        row_sums = Reduction(sets.window, merge, np.add)
        for block, of_refs, col_sums in zip(refs, ref_t, cols, strict=True):
            arguments = part, block, of_queries, of_refs, kinds, sets.memory
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


# ---- functions that run on workers, on two parts


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
    for of_query, of_ref, (closed, has_rows, has_cols) in zip(query_t, ref_t, kinds, strict=True):
        rows = np.zeros(queries.size, np.int64) if has_rows else None
        cols = np.zeros(refs.size, np.int64) if has_cols else None
        counts.append(Count(of_query, of_ref, closed, rows, cols))
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
    """Return one of several results, so that its users are not sent the others."""
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
    """Return the arrays of a Nearest from lists of the nearest in each of one or two sets."""
    result = replace(task)  # the cluster may pass the same object to other functions
    lists = []
    for (d2,), within in zip((part.arrays for part in near), task.within, strict=False):
        # A list that contains the whole set ends with ∞ (`Nearest.fill`).
        has_all = d2.shape[1] - within <= task.k
        lists.append(np.pad(d2[:, within:], ((0, 0), (0, int(has_all))), constant_values=np.inf))
    result.open(len(lists[0]))
    result.fill(slice(None), *lists)
    return PartialResult([getattr(result, name) for name in NEAREST_ARRAYS], work_of(near))
