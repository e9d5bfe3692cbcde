"""The exact engine: counts, sums and ratios in one pass, the k nearest from lists (`nearest`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prfast.neighbors.nearest import listed_kth, listed_union, symmetric_kth, symmetric_pays
from prfast.neighbors.passes import loads, within_memory
from prfast.neighbors.tasks import (
    Count,
    Engine,
    Kth,
    LargestRatio,
    LogSum,
    Nearest,
    Points,
    Resources,
    Task,
    own,
    select,
)


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
        engine.run(select(queries, unknown), [refs[side]], tasks, resources)
        if task.within[side]:  # D(x, x) = 0 was counted
            rows -= own(t, task.closed).T
        counts[unknown] = rows.T


class Exact:
    """The engine that answers every task.

    Parameters
    ----------
    once : bool or None
        Whether to compute each pair inside a set once; None (default) does so where it is faster.
        Results do not depend on it.
    """

    def __init__(self, once: bool | None = None) -> None:
        self.once = once

    def run(
        self, queries: Points, refs: Sequence[Points], tasks: Sequence[Task], resources: Resources
    ) -> None:
        """Answer the tasks.

        Counts without `cols` share the pass of a Nearest, the others one pass; every other task
        takes a pass of its own.
        """
        resources = within_memory(queries.shape[1], resources)
        counts = [[t for t in tasks if isinstance(t, Count) and t.side == s] for s in (0, 1)]
        for task in tasks:
            match task:
                case Kth():
                    once = task.within and self.once is not False
                    if self.once is None:
                        once = once and symmetric_pays(refs[0], task.k, resources.memory)
                    if not (once and symmetric_kth(refs[0], task, resources)):
                        listed_kth(queries, refs[0], task, resources)
                case Nearest():
                    fused = [[t for t in of_set if t.cols is None] for of_set in counts]
                    if listed_union(queries, refs, task, fused, resources):
                        counts = [[t for t in of_set if t.cols is not None] for of_set in counts]
                    divide(self, queries, refs, task, resources)
                case LogSum(t, total):
                    for kernel_pass, first, number in loads(queries, refs[0], 16, resources):
                        kernel_pass.logsum(t, total, first, number, resources.threads)
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
