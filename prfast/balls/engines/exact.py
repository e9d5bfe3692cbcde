"""The exact engine: csrc, a float32 filter with a certified error, float64 where it cannot decide.

Counts, sums and ratios are one pass over super-blocks of references; the k nearest come from
reservoirs, or, inside a set, from computing each pair once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prfast.balls.engines.divide import divide
from prfast.balls.engines.passes import loads
from prfast.balls.engines.reservoirs import keep, reservoirs
from prfast.balls.engines.within import each_pair_once, pays
from prfast.balls.kept import Kept
from prfast.balls.resources import Resources
from prfast.balls.rows import Points
from prfast.balls.tasks import Count, Kth, LargestRatio, LogSum, Nearest, Task


class Exact:
    """Answers every task.

    Parameters
    ----------
    once : bool or None
        Compute each pair inside a set once: always, never, or where it pays (default).  Answers do
        not depend on it.
    """

    def __init__(self, once: bool | None = None) -> None:
        self.once = once

    def run(
        self,
        queries: Points,
        refs: Sequence[Points],
        tasks: Sequence[Task],
        resources: Resources,
    ) -> None:
        """Counts share a pass; every other task is one of its own."""
        counts = [task for task in tasks if isinstance(task, Count)]
        if counts:
            _count(queries, refs[0], counts, resources)
        for task in tasks:
            match task:
                case Kth():
                    self._kth(queries, refs[0], task, resources)
                case Nearest():
                    self._nearest(queries, refs, task, resources)
                case LogSum(t, total):
                    for side, first, number in loads(queries, refs[0], 16, resources):
                        side.logsum(t, total, first, number, resources.threads)
                case LargestRatio(ref_t, best):
                    for side, first, number in loads(queries, refs[0], 16, resources):
                        side.ratio(ref_t, best, first, number, resources.threads)

    def _kth(self, queries: Points, refs: Points, task: Kth, resources: Resources) -> None:
        if task.within:
            once = pays(refs, task.k, resources.memory) if self.once is None else self.once
            if once and each_pair_once(refs, task, resources):
                return
        task.d2 = np.empty((len(queries), len(task.ks)))
        for rows, (kept,) in reservoirs(queries, [refs], task.k, [task.within], resources):
            task.d2[rows] = kept.kth(rows, task.ks, resources.threads)
            resources.work.add(*kept.side.counters())

    def _nearest(
        self, queries: Points, refs: Sequence[Points], task: Nearest, resources: Resources
    ) -> None:
        """From one pass over both sets; over b alone with what was kept of a."""
        kept = _kept(queries, refs[0], task, resources)
        known = [] if kept is None else [kept]
        sets, within = refs[len(known) :], task.within[len(known) :]
        task.open(len(queries))
        threads = resources.threads
        for rows, found in reservoirs(queries, sets, task.k, within, resources):
            a, b = known + found
            if len(task.ks_a):
                task.d2_a[rows] = a.kth(rows, task.ks_a, threads)
            if len(task.ks_b):
                task.d2_b[rows] = b.kth(rows, task.ks_b, threads)
            if len(task.ks_both):
                task.d2_both[rows] = t = a.kth(rows, task.ks_both, threads, b)
                task.of_a[rows] = a.inside(rows, t, task.closed, threads)
                task.of_b[rows] = b.inside(rows, t, task.closed, threads)
            for side in (a.side, b.side):
                resources.work.add(*side.counters())
        divide(self, queries, refs, task, resources)


def _count(queries: Points, refs: Points, tasks: list[Count], resources: Resources) -> None:
    rows = [(t.query_t, t.ref_t, t.closed, t.rows, t.cols) for t in tasks]
    columns = sum(task.cols is not None for task in tasks)
    extra = 16 + 8 * len(tasks) + 4 * resources.threads * columns
    for side, first, number in loads(queries, refs, extra, resources):
        side.count(rows, first, number, resources.threads)


def _kept(queries: Points, a: Points, task: Nearest, resources: Resources) -> Kept | None:
    """What there is already of the nearest in a."""
    if task.shelf is None:
        return None
    key = (task.k, task.within[0])
    if key not in task.shelf:
        task.shelf[key] = keep(queries, a, *key, resources)
    return task.shelf[key]
