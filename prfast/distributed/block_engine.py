"""The engine for partitioned samples: parts of queries × parts of references, on a cluster.

This module is the driver: it decides which functions are submitted for each task.  `blocks` has the
sets in parts, and the functions that run the exact engine on two parts; `block_lists` those that
list the nearest in blocks and combine the lists.

Counts are added, maxima compared; a sum in the order of the references is a chain of blocks.  For
the k nearest, no block knows how near the k-th of all is:

    sample ──> D beyond the k-th, for each query; a center and a scale that all blocks share
                 │
    block  ──> keys up to that D, 8 bytes each; inside a set each pair once, for both ends
                 │     eight blocks at a time are cut to what may be among the k nearest
    all    ──> how many are certainly nearer than the k-th; pairs that may be the k-th
                 │
    block  ──> D of these pairs
                 │
    all    ──> D of the k-th, and how many points of each set its ball contains

A query that the lists do not answer (ties, a filter without useful bounds, an unlucky sample) is
answered from the k nearest of every block.  Of two sets the farther one is scanned first, because
its balls are then counted while the other is scanned.

The driver holds numbers and, at the end, results as long as a set.  Rows, lists and partial results
stay where the functions run; these know nothing of the cluster.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    cluster_of,
    keep,
)
from prfast.distributed.partitions import Part
from prfast.inputs.arrays import Float64s
from prfast.neighbors.exact import divide
from prfast.neighbors.tasks import (
    Count,
    Ints,
    Kth,
    LargestRatio,
    LogSum,
    Nearest,
    Points,
    Resources,
    Task,
    Work,
    own,
    select,
    smallest,
)

NEAREST_ARRAYS = ("d2_a", "d2_b", "d2_both", "of_a", "of_b", "across_a", "across_b")
NO_KS = np.empty(0, np.int64)


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
        pairs = part.size * refs.size
        result.add(sets.window.submit(parts.nearest, part, refs, k, sets.memory, pairs=pairs))
    return result.result()


# ---- functions that run on workers and combine results of others


def pick(results: Sequence[Any], index: int) -> Any:
    """Return one of several results, so that its users are not sent the others."""
    return results[index]


def add_up(results: Sequence[PartialResult]) -> PartialResult:
    """Return the sums of the arrays."""
    columns = zip(*(result.arrays for result in results), strict=True)
    return PartialResult([sum(arrays) for arrays in columns], _work(results))


def maximum(results: Sequence[PartialResult]) -> PartialResult:
    """Return the maxima of the arrays."""
    columns = zip(*(result.arrays for result in results), strict=True)
    return PartialResult([np.maximum.reduce(arrays) for arrays in columns], _work(results))


def merge_nearest(results: Sequence[PartialResult], k: int) -> PartialResult:
    """Merge lists of the nearest, and cut them to k."""
    d2 = smallest(*(result.arrays[0] for result in results))[:, :k]
    return PartialResult([d2], _work(results))


def split_by_set(near: Sequence[PartialResult], task: Nearest) -> PartialResult:
    """Return the arrays of a Nearest from lists of the nearest in each of one or two sets."""
    answer = replace(task)  # the cluster may pass the same object to other functions
    lists = [
        _ended(result.arrays[0], task.k, own)
        for result, own in zip(near, task.within, strict=False)
    ]
    lists = [*lists, np.empty((len(lists[0]), 0))][:2]
    answer.open(len(lists[0]))
    answer.fill(slice(None), *lists)
    return PartialResult([getattr(answer, name) for name in NEAREST_ARRAYS], _work(near))


def _ended(d2: Float64s, k: int, own: bool) -> Float64s:
    """Drop the point itself; end a list that contains the whole set with ∞ (`Nearest.fill`)."""
    others = d2[:, own:]
    has_all = d2.shape[1] <= k + own
    return np.hstack([others, np.full((len(d2), 1), np.inf)]) if has_all else others


def _work(results: Sequence[PartialResult]) -> Work:
    total = Work()
    for result in results:
        total.add(vars(result.work).values())
    return total


class ListedNearest:
    """The submission of one Nearest by lists of keys from blocks.

    For each part of the queries: limits of its lists from samples, lists in every part of each set,
    the pairs that these leave open, D of those, and the answer.

    once: whether the queries are the references and each pair is computed once.  Then no query is
    its own neighbor.
    """

    def __init__(
        self, sets: PartitionedSets, task: Nearest, counts: Sequence[Sequence[Count]], *, once: bool
    ) -> None:
        self.sets, self.task, self.once = sets, task, once
        self.question = replace(task, cache=None)  # what is sent to the cluster
        self.sides = range(len(sets.refs))
        self.counting = [parts.CountTasks(sets, side, counts[side]) for side in self.sides]
        self._submit_limits()

    def _submit_limits(self) -> None:
        """Submit the limits of lists, from a sample of each set."""
        sets, submit = self.sets, self.sets.window.submit
        ks = listed.inclusive_ks(self.task)
        ks_of_sides = [np.concatenate([ks[side], ks[2]]) for side in self.sides]
        self.most = [
            int(min(of_side.max(initial=1), n))
            for of_side, n in zip(ks_of_sides, sets.sizes, strict=True)
        ]
        sizes = [parts.sample_size(n) for n in sets.sizes]
        ranks = [
            (parts.safe_rank(size, k, n), parts.expected_rank(size, k, n))
            for size, k, n in zip(sizes, self.most, sets.sizes, strict=True)
        ]
        self.share = min(1.0, ranks[0][0] / sizes[0])
        samples = [sets.sample(refs) for refs in sets.refs]
        self.frame = submit(parts.common_frame, samples[0], sets.exponent)
        self.limits = [
            submit(parts.limits, part, samples, ranks, self.frame, sets.memory)
            for part in sets.queries
        ]

    def run(self) -> Ints:
        """Answer but for counts that stay −1, and return the queries for which lists fail."""
        sets = self.sets
        work = Reduction(sets.window, add_up)
        both = self._symmetric_lists(work) if self.once else None
        far = None if self.once else self._far()
        order = self.sides if far is None else (far, 1 - far)
        sums: list[list[Any]] = [[] for _ in self.sides]
        handles = []
        for i in range(len(sets.queries)):
            near: list[Any] = [None for _ in self.sides]
            far_radii: Any = []
            if both is not None:
                near[0] = both[i]
            for side in order if both is None else ():
                near[side], counted = self._lists(i, side, far_radii)
                sums[side].append(counted)
                if side == far:
                    far_radii = self._radii(i, side, near[side])
            handles.append(self._answer(i, near, self.sides, self.question))
        if both is not None:
            sets.gather([work.result()])
        failed = self._store(handles)
        for side in self.sides if both is None else ():
            self._store_counts(side, far, sums[side])
        return failed

    def _far(self) -> int | None:
        """Return the set to scan first, or None where the order does not matter.

        It is so far from most queries that the lists of the other set would not reach to its k-th
        nearest; its balls are counted while the other is scanned.
        """
        task = self.task
        if not task.across or not (task.ks_a.size or task.ks_b.size):
            return None
        (far,) = self.sets.window.gather([self.sets.window.submit(parts.far, self.limits)])
        farther: int | None = far
        return farther

    def _lists(self, i: int, side: int, far_radii: Any) -> tuple[list[Any], Any]:
        """Submit the lists of a part of the queries in all parts of a set, and their counts."""
        sets, submit, counting = self.sets, self.sets.window.submit, self.counting[side]
        part, lists = sets.queries[i], self._list_reduction(i, self.most[side])
        sums = Reduction(sets.window, add_up)
        specs, closed = counting.specs, self.task.closed
        block = listed.BlockSpec(side, self.most[side], specs, closed, sets.memory)
        for refs, ref_t in zip(sets.refs[side], counting.ref_thresholds, strict=True):
            thresholds = counting.query_thresholds[i], ref_t, far_radii
            limits, pairs = self.limits[i], part.size * refs.size
            result = submit(
                listed.list_block, part, refs, limits, self.frame, *thresholds, block, pairs=pairs
            )
            lists.add(submit(pick, result, 0))
            sums.add(submit(pick, result, 1))
        return lists.partial_results(), sums.result()

    def _list_reduction(self, i: int, k: int) -> Reduction:
        """Return the reduction of lists of a part of the queries in the parts of a set."""
        return Reduction(self.sets.window, listed.shorten, self.limits[i], self.frame, k)

    def _symmetric_lists(self, work: Reduction) -> list[list[Any]]:
        """Submit the lists of each part in all, with each pair of points computed once."""
        sets, queries, submit = self.sets, self.sets.queries, self.sets.window.submit
        lists = [self._list_reduction(i, self.most[0]) for i in range(len(queries))]
        for i, part in enumerate(queries):
            for j in range(i, len(queries)):
                other = queries[j] if j > i else None
                limits = [self.limits[i], self.limits[j]]
                sizes = self.most[0], self.share
                pairs = part.size * queries[j].size * (1 if j == i else 2)
                result = submit(
                    listed.list_pair,
                    part,
                    other,
                    limits,
                    *sizes,
                    self.frame,
                    sets.memory,
                    pairs=pairs,
                )
                lists[i].add(submit(pick, result, 0))
                if j > i:
                    lists[j].add(submit(pick, result, 1))
                work.add(submit(pick, result, 2))
        return [of_part.partial_results() for of_part in lists]

    def _radii(self, i: int, side: int, near: Any) -> Any:
        """Submit D of the k-th nearest in the set that is scanned first."""
        task = self.task
        ks, within = (task.ks_a, task.ks_b)[side], (task.within[side], False)
        question = Nearest(ks, NO_KS, NO_KS, task.closed, within)
        result = self._answer(i, [near], [side], question)
        return self.sets.window.submit(listed.radii, result)

    def _answer(self, i: int, near: Any, sides: Sequence[int], question: Nearest) -> Any:
        sets, submit = self.sets, self.sets.window.submit
        part, refs = sets.queries[i], [sets.refs[side] for side in sides]
        ends = [[(block.start, block.stop) for block in of_set] for of_set in refs]
        left = submit(listed.open_pairs, near, self.limits[i], self.frame, question)
        d2 = [
            [submit(listed.open_d2, part, block, index, left) for block in of_set]
            for index, of_set in enumerate(refs)
        ]
        return submit(listed.answer, left, d2, ends, question)

    def _store(self, handles: Sequence[Any]) -> Ints:
        """Store the arrays of the task, and return the queries for which lists fail."""
        sets, task = self.sets, self.task
        task.open(sets.size)
        failed = np.zeros(sets.size, bool)
        for part, arrays in sets.arrays(handles):
            for name, values in zip(NEAREST_ARRAYS, arrays, strict=False):
                getattr(task, name)[part.rows] = values
            failed[part.rows] = arrays[-1]
        return np.flatnonzero(failed)

    def _store_counts(self, side: int, far: int | None, handles: Sequence[Any]) -> None:
        """Add the counts of the pass; in the set scanned second also those of the far balls."""
        counting, task = self.counting[side], self.task
        across = (task.across_a, task.across_b)[side]
        for part, rows in self.sets.arrays(handles):
            number = len(counting.specs)
            counting.add("rows", part, rows[:number])
            if far is None or side == far:
                continue
            radii = (task.d2_a, task.d2_b)[far][part.rows]
            counts = np.stack(rows[number:], axis=1)
            across[part.rows] = counts - (own(radii, task.closed) if task.within[side] else 0)


class Blocks:
    """The engine that answers every task about partitioned samples.

    Parameters
    ----------
    rows : int or None
        Points of a part; None (default) chooses a useful size.  Results do not depend on it.
    """

    def __init__(self, rows: int | None = None) -> None:
        self.rows = rows

    def run(
        self,
        queries: Points,
        refs: Sequence[Points],
        tasks: Sequence[Task],
        resources: Resources,
    ) -> None:
        """Answer the tasks.

        Counts without `cols` share the pass of a Nearest, the others one pass; every other task
        takes a pass of its own.
        """
        counts = [[t for t in tasks if isinstance(t, Count) and t.side == s] for s in (0, 1)]
        with Window(cluster_of(queries), resources) as window:
            k = max((t.k for t in tasks if isinstance(t, Kth | Nearest)), default=1)
            sets = PartitionedSets(queries, refs, self.rows, k, window)
            listed = sets.filtered  # lists of keys say nothing without the bounds of a filter
            for task in tasks:
                match task:
                    case Kth(ks, within):
                        # A Kth is a Nearest in one set.
                        once = within and listed
                        ks = ks if once else task.inclusive().ks
                        nearest = Nearest(ks, NO_KS, NO_KS)
                        self._nearest(queries, refs[:1], nearest, [[]], sets, listed, once)
                        task.d2 = nearest.d2_a
                    case Nearest():
                        fused = [[t for t in of_set if t.cols is None] for of_set in counts]
                        if listed:
                            counts = [
                                [t for t in of_set if t.cols is not None] for of_set in counts
                            ]
                        self._nearest(queries, refs, task, fused, sets, listed)
                        divide(self, queries, refs, task, resources)
                    case LogSum():
                        _log_sum(sets, task)
                    case LargestRatio():
                        _ratio(sets, task)
            for side, of_set in enumerate(counts):
                if of_set:
                    _count(sets, side, of_set)

    def _nearest(
        self,
        queries: Points,
        refs: Sequence[Points],
        task: Nearest,
        counts: Sequence[Sequence[Count]],
        sets: PartitionedSets,
        listed: bool,
        once: bool = False,
    ) -> None:
        """Answer from lists, and where they fail from the k nearest of every block."""
        if not listed:
            nearest_without_lists(sets, task)
            return
        left = ListedNearest(sets, task, counts, once=once).run()
        if not left.size:
            return
        sets.window.resources.work.fallback += left.size
        within = (True, False) if once else task.within
        rest = replace(task, cache=None, within=within)
        again = PartitionedSets(select(queries, left), refs, self.rows, rest.k, sets.window)
        nearest_without_lists(again, rest)
        for name in NEAREST_ARRAYS:
            if getattr(task, name).size:
                getattr(task, name)[left] = getattr(rest, name)


def _log_sum(sets: PartitionedSets, task: LogSum) -> None:
    """Submit a chain over the parts of the references, for each part of the queries."""
    sums: list[Any] = [PartialResult([task.total[part.rows]], Work()) for part in sets.queries]
    for refs in sets.refs[0]:
        for i, part in enumerate(sets.queries):
            pairs = part.size * refs.size
            sums[i] = sets.window.submit(
                parts.log_sum, part, refs, sums[i], task.t, sets.memory, pairs=pairs
            )
    for part, (total,) in sets.arrays(sums):
        task.total[part.rows] = total


def _ratio(sets: PartitionedSets, task: LargestRatio) -> None:
    thresholds = [sets.window.cluster.submit(keep, task.ref_t[refs.rows]) for refs in sets.refs[0]]
    handles = []
    for part in sets.queries:
        best = Reduction(sets.window, maximum)
        for refs, ref_t in zip(sets.refs[0], thresholds, strict=True):
            pairs = part.size * refs.size
            best.add(sets.window.submit(parts.ratio, part, refs, ref_t, sets.memory, pairs=pairs))
        handles.append(best.result())
    for part, (best_of_part,) in sets.arrays(handles):
        task.best[part.rows] = np.maximum(task.best[part.rows], best_of_part)


def _count(sets: PartitionedSets, side: int, tasks: Sequence[Count]) -> None:
    counting, refs, submit = (
        parts.CountTasks(sets, side, tasks),
        sets.refs[side],
        sets.window.submit,
    )
    has_cols = any(spec.cols for spec in counting.specs)
    cols = [Reduction(sets.window, add_up) for _ in refs]
    rows = []
    for part, query_t in zip(sets.queries, counting.query_thresholds, strict=True):
        row_sums = Reduction(sets.window, add_up)
        for block, ref_t, col_sums in zip(refs, counting.ref_thresholds, cols, strict=True):
            pairs = part.size * block.size
            result = submit(
                parts.count, part, block, query_t, ref_t, counting.specs, sets.memory, pairs=pairs
            )
            row_sums.add(submit(pick, result, 0))
            if has_cols:
                col_sums.add(submit(pick, result, 1))
        rows.append(row_sums.result())
    sums = [col_sums.result() for col_sums in cols] if has_cols else []
    for part, counts in sets.arrays(rows):
        counting.add("rows", part, counts)
    for part, counts in zip(refs, sets.gather(sums), strict=False):
        counting.add("cols", part, counts)
