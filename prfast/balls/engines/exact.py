"""The exact engine: csrc, filters with a certified error, float64 where they cannot decide.

Counts, sums and ratios are one pass over super-blocks of references; the k nearest come from lists,
whose pass counts as well, or, inside a set, from computing each pair once.
"""

from __future__ import annotations

from collections.abc import Sequence

from prfast.balls.engines.divide import divide
from prfast.balls.engines.nearest import kth_from_reservoirs, listed_kth, listed_union
from prfast.balls.engines.passes import loads
from prfast.balls.engines.scratch import fitted
from prfast.balls.engines.within import each_pair_once, pays
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
        """Counts share a pass, that of a Nearest where there is one; every other task is one of its
        own."""
        resources = fitted(queries.shape[1], resources)
        counts = [[t for t in tasks if isinstance(t, Count) and t.side == s] for s in (0, 1)]
        for task in tasks:
            match task:
                case Kth():
                    self._kth(queries, refs[0], task, resources)
                case Nearest():
                    joint = [[t for t in some if t.cols is None] for some in counts]
                    if listed_union(queries, refs, task, joint, resources):
                        counts = [[t for t in some if t.cols is not None] for some in counts]
                    divide(self, queries, refs, task, resources)
                case LogSum(t, total):
                    for side, first, number in loads(queries, refs[0], 16, resources):
                        side.logsum(t, total, first, number, resources.threads)
                case LargestRatio(ref_t, best):
                    for side, first, number in loads(queries, refs[0], 16, resources):
                        side.ratio(ref_t, best, first, number, resources.threads)
        for one, some in zip(refs, counts, strict=False):  # of one set or of two
            if some:
                _count(queries, one, some, resources)

    def _kth(self, queries: Points, refs: Points, task: Kth, resources: Resources) -> None:
        if task.within:
            once = pays(refs, task.k, resources.memory) if self.once is None else self.once
            failed = each_pair_once(refs, task, resources) if once else None
            if failed is not None:
                kth_from_reservoirs(queries, refs, task, failed, resources)
                return
        listed_kth(queries, refs, task, resources)


def _count(queries: Points, refs: Points, tasks: list[Count], resources: Resources) -> None:
    rows = [(t.query_t, t.ref_t, t.closed, t.rows, t.cols) for t in tasks]
    columns = sum(task.cols is not None for task in tasks)
    extra = 16 + 8 * len(tasks) + 4 * resources.threads * columns
    for side, first, number in loads(queries, refs, extra, resources):
        side.look(rows, first, number, resources.threads)
