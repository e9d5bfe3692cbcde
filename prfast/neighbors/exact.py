"""The exact engine: counts and ratios in one pass, the k nearest from lists (`nearest`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.kernels import distances as kernels
from prfast.neighbors.nearest import (
    from_reservoirs,
    listed,
    symmetric_kth,
    symmetric_lists,
    symmetric_pays,
)
from prfast.neighbors.passes import (
    Side,
    calls,
    frame_of,
    loads,
    ref_block_sizes,
    super_blocks,
    within_memory,
)
from prfast.neighbors.tasks import (
    Count,
    Engine,
    HalfCount,
    HalfKth,
    LargestRatio,
    Nearest,
    Points,
    Resources,
    Task,
    own,
)
from prfast.samples.partitioned import select


def divide(
    engine: Engine, queries: Points, refs: Sequence[Points], task: Nearest, resources: Resources
) -> None:
    """Count the of_a, of_b, across_a and across_b of the task that are −1.

    These are the balls for which lists of the nearest do not reach far enough.
    """
    balls = [(0, task.of_a, task.d2_both), (1, task.of_b, task.d2_both)]
    if task.across:
        balls += [(0, task.across_a, task.d2_b), (1, task.across_b, task.d2_a)]
    for side, counts, d2 in balls:
        unknown = np.flatnonzero((counts < 0).any(axis=1))
        if not unknown.size:
            continue
        t = d2[unknown]
        rows = np.zeros((t.shape[1], len(unknown)), np.int64)
        tasks = [
            Count(thresholds, None, task.closed, count)
            for thresholds, count in zip(t.T, rows, strict=True)
        ]
        engine(select(queries, unknown), [refs[side]], tasks, resources)
        if task.within[side]:  # D(x, x) = 0 was counted
            rows -= own(t, task.closed).T
        counts[unknown] = rows.T


# ---- halves --------------------------------------------------------------------------------------


def half_kth(points: Points, task: HalfKth, resources: Resources) -> None:
    """Answer a HalfKth from one list of the nearest of each point for all halvings.

    What lists do not determine is searched in the half itself.
    """
    n, sides = len(points), task.sides
    rank, task.d2 = min(n - 1, task.rank), np.full((n, len(task.ks), kernels.HALVINGS), np.nan)
    once = symmetric_pays(points, rank, resources.memory)
    made = symmetric_lists(points, rank, resources) if once else None
    if made is not None:
        kernel_pass, lists, order = made
        if lists is not None:
            both = sides[order], sides[order]
            task.d2[order] = _half_answers(kernel_pass, lists, slice(0, n), both, task, resources)
    elif not (frame := frame_of(points)).exact:
        most = ref_block_sizes([points], 16, resources.memory)
        side = Side(points, points, rank, True, frame, most[0], resources)
        both = sides, sides[side.order]
        for rows in super_blocks(n, [side.k], [points], most, resources.memory):
            lists = side.scan(rows, [], resources)
            if lists is not None:
                task.d2[rows] = _half_answers(side.kernel_pass, lists, rows, both, task, resources)
    _search_in_halves(points, task, resources)


def _half_answers(
    kernel_pass: kernels.Pass,
    lists: kernels.Lists,
    rows: slice,
    sides: tuple[Any, Any],
    task: HalfKth,
    resources: Resources,
) -> Float64s:
    """Return `kernels.Pass.half_kth`, computed in calls of a fraction of a second."""
    first, count, threads = rows.start, rows.stop - rows.start, resources.threads
    return np.concatenate([
        kernel_pass.half_kth(lists, at, number, task.ks, task.halvings, sides, threads)
        for at, number in calls(first, count, lists.capacity, kernel_pass.dim, threads)
    ])  # fmt: skip


def _search_in_halves(points: Points, task: HalfKth, resources: Resources) -> None:
    """Answer a HalfKth where d2 is NaN.

    Of these points it is not known which of their half they are (`Nearest.inclusive_ks`).
    """
    for halving in range(task.halvings):
        left = np.isnan(task.d2[:, :, halving]).any(axis=1)
        for rows in (task.sides >> halving & 1 == side for side in (0, 1)):
            queries = np.flatnonzero(rows & left)
            if queries.size:
                resources.work["fallback"] += queries.size
                near, half = Nearest(task.ks + 1), select(points, np.flatnonzero(rows))
                answer(select(points, queries), [half], [near], resources)
                task.d2[queries, :, halving] = near.d2_a


def count_halves(
    queries: Points, refs: Points, tasks: Sequence[HalfCount], resources: Resources
) -> None:
    """Answer counts of halves, of the same halvings, in one pass."""
    arguments = [(t.query_t, t.ref_t, t.closed, t.rows, t.cols) for t in tasks]
    extra = (8 + 4 * resources.threads) * len(tasks) * kernels.HALVINGS
    for kernel_pass, first, number in loads(queries, refs, extra, resources):
        kernel_pass.scan(arguments, first, number, resources.threads, sides=tasks[0].sides)


def answer(
    queries: Points, refs: Sequence[Points], tasks: Sequence[Task], resources: Resources
) -> None:
    """Answer every kind of task: the engine whose results others have to the last bit.

    Counts without `cols` share the pass of a Nearest, counts with `cols` share a pass.  Every other
    task takes a pass of its own.
    """
    resources = within_memory(queries.shape[1], resources)
    counts = [[t for t in tasks if isinstance(t, Count) and t.side == s] for s in (0, 1)]
    if halved := [task for task in tasks if isinstance(task, HalfCount)]:
        count_halves(queries, refs[0], halved, resources)
    for task in tasks:
        match task:
            case Nearest():
                task.open(len(queries))
                once = len(refs) == 1 and task.within[0]
                once = once and symmetric_pays(refs[0], task.k, resources.memory)
                failed = symmetric_kth(refs[0], task, resources) if once else None
                if failed is None:
                    fused = [[t for t in of_set if t.cols is None] for of_set in counts]
                    failed = listed(queries, refs, task, fused, resources)
                    if failed is not None:
                        counts = [[t for t in of_set if t.cols is not None] for of_set in counts]
                from_reservoirs(queries, refs, task, failed, resources)
                divide(answer, queries, refs, task, resources)
            case HalfKth():
                half_kth(refs[0], task, resources)
            case LargestRatio(ref_t, best):
                for kernel_pass, first, number in loads(queries, refs[0], 16, resources):
                    kernel_pass.ratio(ref_t, best, first, number, resources.threads)
    for points, of_set in zip(refs, counts, strict=False):  # one set or two
        if of_set:
            arguments = [(t.query_t, t.ref_t, t.closed, t.rows, t.cols) for t in of_set]
            columns = sum(task.cols is not None for task in of_set)
            extra = 16 + 8 * len(of_set) + 4 * resources.threads * columns
            for kernel_pass, first, number in loads(queries, points, extra, resources):
                kernel_pass.scan(arguments, first, number, resources.threads)
