"""The engine for partitioned samples: which functions the cluster runs on parts of both sets.

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
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from prfast.distributed import block_lists as listed
from prfast.distributed import blocks as parts
from prfast.distributed.blocks import (
    PartialResult,
    PartitionedSets,
    Reduction,
    Window,
    keep,
)
from prfast.distributed.partitions import Part
from prfast.neighbors.exact import divide
from prfast.neighbors.tasks import (
    Count,
    Ints,
    LargestRatio,
    Nearest,
    Points,
    Resources,
    Task,
    smallest,
)
from prfast.samples.partitioned import sample_set_of, select

NEAREST_ARRAYS = ("d2_a", "d2_b", "d2_both", "of_a", "of_b", "across_a", "across_b")


def nearest_without_lists(sets: PartitionedSets, task: Nearest) -> None:
    """Answer from the k nearest of every block, where filters are off or lists fail.

    Some counts stay −1.
    """
    question = replace(task, cache=None)
    handles = []
    for part in sets.queries:
        # One more than the k nearest, to tell whether the next one is farther.
        near = [
            _nearest_in_set(sets, part, side, task.k + 1 + task.within[side])
            for side in range(len(sets.refs))
        ]
        handles.append(sets.window.submit(split_by_set, near, question))
    task.open(sets.size)
    for part, arrays in sets.arrays(handles):
        for name, values in zip(NEAREST_ARRAYS, arrays, strict=True):
            getattr(task, name)[part.rows] = values


def _nearest_in_set(sets: PartitionedSets, part: Part, side: int, k: int) -> Any:
    """Return a handle of the k nearest of a part's points in a set."""
    result = Reduction(sets.window, merge_nearest, k)
    for refs in sets.refs[side]:
        result.add(sets.window.submit_block(parts.nearest, part, refs, k, sets.memory))
    return result.result()


# ---- functions that run on workers and combine results of others


def pick(results: Sequence[Any], index: int) -> Any:
    """Return one of several results, so that its users are not sent the others."""
    return results[index]


def merge(results: Sequence[PartialResult], operation: Any) -> PartialResult:
    """Return the sums (numpy.add) or maxima (numpy.maximum) of the arrays."""
    columns = zip(*(result.arrays for result in results), strict=True)
    return PartialResult([operation.reduce(arrays) for arrays in columns], _work(results))


def merge_nearest(results: Sequence[PartialResult], k: int) -> PartialResult:
    """Merge lists of the nearest, and cut them to k."""
    d2 = smallest(*(result.arrays[0] for result in results))[:, :k]
    return PartialResult([d2], _work(results))


def split_by_set(near: Sequence[PartialResult], task: Nearest) -> PartialResult:
    """Return the arrays of a Nearest from lists of the nearest in each of one or two sets."""
    answer = replace(task)  # the cluster may pass the same object to other functions
    lists = []
    for result, within in zip(near, task.within, strict=False):
        others = result.arrays[0][:, within:]
        # A list that contains the whole set ends with ∞ (`Nearest.fill`).
        has_all = others.shape[1] <= task.k
        lists.append(np.pad(others, ((0, 0), (0, int(has_all))), constant_values=np.inf))
    size = len(lists[0])
    lists = [*lists, np.empty((size, 0))][:2]
    answer.open(size)
    answer.fill(slice(None), *lists)
    return PartialResult([getattr(answer, name) for name in NEAREST_ARRAYS], _work(near))


def _work(results: Sequence[PartialResult]) -> Counter[str]:
    return sum((result.work for result in results), Counter[str]())


class ListedNearest:
    """The submission of one Nearest by lists of keys from blocks.

    For each part of the queries: limits of its lists from samples, lists in every part of each set,
    the pairs that these leave open, D of those, and the answer.

    once: whether the queries are the references and each pair is computed once.
    """

    def __init__(self, sets: PartitionedSets, task: Nearest, *, once: bool) -> None:
        self.sets, self.task, self.once = sets, task, once
        # Lists of a symmetric pass have no pairs of a point with itself.
        within = (False, False) if once else task.within
        self.question = replace(task, cache=None, within=within)
        self.sides, submit = range(len(sets.refs)), sets.window.submit
        ks = self.question.inclusive_ks()
        self.most = [
            int(min(np.concatenate([ks[side], ks[2]]).max(initial=1), sets.sizes[side]))
            for side in self.sides
        ]
        ranks = [parts.safe_rank(k, n) for k, n in zip(self.most, sets.sizes, strict=True)]
        self.share = min(1.0, ranks[0] / parts.sample_size(sets.sizes[0]))
        samples = [sets.sample(side) for side in self.sides]
        self.frame = submit(parts.common_frame, samples[0], sets.exponent)
        self.limits = [
            submit(parts.limits, part, samples, ranks, self.frame, sets.memory)
            for part in sets.queries
        ]

    def run(self) -> Ints:
        """Answer but for counts that stay −1, and return the queries for which lists fail."""
        work = Reduction(self.sets.window, merge, np.add)
        lists = self._symmetric_lists(work) if self.once else self._lists(work)
        handles = [self._answer(i, near) for i, near in enumerate(lists)]
        self.sets.window.gather([work.result()])
        return self._store(handles)

    def _lists(self, work: Reduction) -> Iterator[list[list[Any]]]:
        """Submit the lists of each part of the queries in all parts of each set."""
        sets, submit = self.sets, self.sets.window.submit
        for i, part in enumerate(sets.queries):
            lists = [self._list_reduction(i, side) for side in self.sides]
            for side in self.sides:
                block = side, self.most[side], self.limits[i], self.frame, sets.memory
                for refs in sets.refs[side]:
                    result = sets.window.submit_block(listed.list_block, part, refs, *block)
                    lists[side].add(submit(pick, result, 0))
                    work.add(submit(pick, result, 1))
            yield [of_side.handles for of_side in lists]

    def _list_reduction(self, i: int, side: int) -> Reduction:
        """Return the reduction of lists of a part of the queries in the parts of a set."""
        shape = self.limits[i], self.frame, self.most[side]
        return Reduction(self.sets.window, listed.shorten, *shape)

    def _symmetric_lists(self, work: Reduction) -> list[list[list[Any]]]:
        """Submit the lists of each part in all, with each pair of points computed once."""
        sets, queries, submit = self.sets, self.sets.queries, self.sets.window.submit
        lists = [self._list_reduction(i, 0) for i in range(len(queries))]
        sizes = self.most[0], self.share
        for i, part in enumerate(queries):
            for j in range(i, len(queries)):
                other = queries[j] if j > i else None
                limits = [self.limits[i], self.limits[j]]
                pairs = part.size * queries[j].size * (1 if j == i else 2)
                block = part, other, limits, *sizes, self.frame, sets.memory
                result = submit(listed.list_pair, *block, pairs=pairs)
                lists[i].add(submit(pick, result, 0))
                if j > i:
                    lists[j].add(submit(pick, result, 1))
                work.add(submit(pick, result, 2))
        return [[of_part.handles] for of_part in lists]

    def _answer(self, i: int, near: Sequence[Any]) -> Any:
        """Submit the answer for a part of the queries from its lists in each set."""
        sets, submit = self.sets, self.sets.window.submit
        ends = [[(block.start, block.stop) for block in of_set] for of_set in sets.refs]
        left = submit(listed.open_pairs, near, self.limits[i], self.frame, self.question)
        d2 = [
            [submit(listed.open_d2, sets.queries[i], block, side, left) for block in of_set]
            for side, of_set in enumerate(sets.refs)
        ]
        return submit(listed.answer, left, d2, ends, self.question)

    def _store(self, handles: Sequence[Any]) -> Ints:
        """Store the arrays of the task, and return the queries for which lists fail."""
        sets, task = self.sets, self.task
        task.open(sets.size)
        failed = np.zeros(sets.size, bool)
        for part, (*arrays, failed_rows) in sets.arrays(handles):
            for name, values in zip(NEAREST_ARRAYS, arrays, strict=True):
                getattr(task, name)[part.rows] = values
            failed[part.rows] = failed_rows
        return np.flatnonzero(failed)


def answer_by_blocks(
    queries: Points, refs: Sequence[Points], tasks: Sequence[Task], resources: Resources
) -> None:
    """Answer every task about partitioned samples: the engine of the neighbor search.

    Counts share one pass; every other task takes a pass of its own.
    """
    counts = [[t for t in tasks if isinstance(t, Count) and t.side == s] for s in (0, 1)]
    samples: Any = sample_set_of(queries)
    with Window(samples.cluster, resources) as window:
        k = max((t.k for t in tasks if isinstance(t, Nearest)), default=1)
        sets = PartitionedSets(queries, refs, k, window)
        for task in tasks:
            match task:
                case Nearest():
                    _nearest(sets, queries, refs, task)
                    divide(answer_by_blocks, queries, refs, task, resources)
                case LargestRatio():
                    _ratio(sets, task)
        for side, of_set in enumerate(counts):
            if of_set:
                _count(sets, side, of_set)


def _nearest(sets: PartitionedSets, queries: Points, refs: Sequence[Points], task: Nearest) -> None:
    """Answer from lists, and where they fail from the k nearest of every block."""
    if not sets.filtered:  # lists of keys say nothing without the bounds of a filter
        nearest_without_lists(sets, task)
        return
    once = len(refs) == 1 and task.within[0]
    left = ListedNearest(sets, task, once=once).run()
    if left.size:
        sets.window.resources.work["fallback"] += left.size
        rest = replace(task, cache=None)
        again = PartitionedSets(select(queries, left), refs, rest.k, sets.window)
        nearest_without_lists(again, rest)
        for name in NEAREST_ARRAYS:
            if getattr(task, name).size:
                getattr(task, name)[left] = getattr(rest, name)


def _ratio(sets: PartitionedSets, task: LargestRatio) -> None:
    thresholds = [sets.window.cluster.submit(keep, task.ref_t[refs.rows]) for refs in sets.refs[0]]
    handles = []
    for part in sets.queries:
        best = Reduction(sets.window, merge, np.maximum)
        for refs, ref_t in zip(sets.refs[0], thresholds, strict=True):
            best.add(sets.window.submit_block(parts.ratio, part, refs, ref_t, sets.memory))
        handles.append(best.result())
    for part, (best_of_part,) in sets.arrays(handles):
        task.best[part.rows] = np.maximum(task.best[part.rows], best_of_part)


def _count(sets: PartitionedSets, side: int, tasks: Sequence[Count]) -> None:
    """Answer the counts in one set; their thresholds are stored with the parts."""

    def store(part: Part, thresholds: Sequence[Any]) -> Any:
        values = [None if t is None else t[part.rows] for t in thresholds]
        return sets.window.cluster.submit(keep, values)

    refs, window = sets.refs[side], sets.window
    query_t = [store(part, [t.query_t for t in tasks]) for part in sets.queries]
    ref_t = [store(part, [t.ref_t for t in tasks]) for part in refs]
    kinds = [(t.closed, t.rows is not None, t.cols is not None) for t in tasks]
    has_cols = any(task.cols is not None for task in tasks)
    cols = [Reduction(window, merge, np.add) for _ in refs]
    rows = []
    for part, of_queries in zip(sets.queries, query_t, strict=True):
        row_sums = Reduction(window, merge, np.add)
        for block, of_refs, col_sums in zip(refs, ref_t, cols, strict=True):
            arguments = of_queries, of_refs, kinds, sets.memory
            result = window.submit_block(parts.count, part, block, *arguments)
            row_sums.add(window.submit(pick, result, 0))
            if has_cols:
                col_sums.add(window.submit(pick, result, 1))
        rows.append(row_sums.result())
    sums = [col_sums.result() for col_sums in cols] if has_cols else []
    for name, results in (
        ("rows", sets.arrays(rows)),
        ("cols", zip(refs, window.gather(sums), strict=False)),
    ):
        totals = [total for task in tasks if (total := getattr(task, name)) is not None]
        for part, arrays in results:
            for total, counts in zip(totals, arrays, strict=True):
                total[part.rows] += counts
