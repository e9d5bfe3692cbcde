"""The driver: which tasks are submitted for a question, and what becomes of their answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from prfast.balls.engines.blocks import looks, merges
from prfast.balls.engines.blocks.asking import Asking
from prfast.balls.engines.blocks.listing import NO_KS, Listing
from prfast.balls.engines.blocks.nearest import plain_nearest
from prfast.balls.engines.blocks.parts import cluster_of, keep
from prfast.balls.engines.blocks.window import Gathering, Window
from prfast.balls.engines.divide import divide
from prfast.balls.resources import Resources, Work
from prfast.balls.rows import Points, select
from prfast.balls.tasks import Count, Ints, Kth, LargestRatio, LogSum, Nearest, Task


class Blocks:
    """Answers every task about samples in pieces.

    Parameters
    ----------
    rows : int or None
        Points of a part; None (default) is what makes tasks of a useful size.  Answers do not
        depend on it.
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
        """Counts share tasks, those of a Nearest where there is one; every other question has
        tasks of its own."""
        counts = [[t for t in tasks if isinstance(t, Count) and t.side == s] for s in (0, 1)]
        with Window(cluster_of(queries), resources) as window:
            k = max((t.k for t in tasks if isinstance(t, Kth | Nearest)), default=1)
            of = Asking(queries, refs, self.rows, k, window)
            listed = of.filtered  # keys that blocks list say nothing without filters
            for task in tasks:
                match task:
                    case Kth(ks, within):
                        # Of one set: of two, the second is not asked for.
                        one = Nearest(ks if listed else task.anywhere().ks, NO_KS, NO_KS)
                        once = within and listed
                        if not once:
                            one.ks_a = task.anywhere().ks
                        self._nearest(queries, refs[:1], one, [[]], of, listed, once)
                        task.d2 = one.d2_a
                    case Nearest():
                        joint = [[t for t in some if t.cols is None] for some in counts]
                        if listed:
                            counts = [[t for t in some if t.cols is not None] for some in counts]
                        self._nearest(queries, refs, task, joint, of, listed)
                        divide(self, queries, refs, task, resources)
                    case LogSum():
                        _log_sum(of, task)
                    case LargestRatio():
                        _ratio(of, task)
            for side, some in enumerate(counts):
                if some:
                    _count(of, side, some)

    def _nearest(
        self,
        queries: Points,
        refs: Sequence[Points],
        task: Nearest,
        counts: Sequence[Sequence[Count]],
        of: Asking,
        listed: bool,
        once: bool = False,
    ) -> None:
        """From lists; and again, from k of every block, where they do not tell."""
        if not listed:
            plain_nearest(of, task)
            return
        left = Listing(of, task, counts, once=once).run()
        if not left.size:
            return
        of.window.resources.work.redone += left.size
        within = (True, False) if once else task.within
        rest = replace(task, shelf=None, within=within)
        again = Asking(select(queries, left), refs, self.rows, rest.k, of.window)
        plain_nearest(again, rest)
        _put(task, rest, left)


def _put(task: Nearest, rest: Nearest, left: Ints) -> None:
    for name in merges.OF_NEAREST:
        if getattr(task, name).size:
            getattr(task, name)[left] = getattr(rest, name)


def _log_sum(of: Asking, task: LogSum) -> None:
    """A chain of the parts of the references, for each part of the queries."""
    found: list[Any] = [looks.Found([task.total[part.rows]], Work()) for part in of.queries]
    for refs in of.refs[0]:
        for i, part in enumerate(of.queries):
            pairs = part.size * refs.size
            found[i] = of.window.submit(
                looks.log_sum, part, refs, found[i], task.t, of.memory, pairs=pairs
            )
    for part, (total,) in of.arrays(found):
        task.total[part.rows] = total


def _ratio(of: Asking, task: LargestRatio) -> None:
    t = [of.window.cluster.submit(keep, task.ref_t[refs.rows]) for refs in of.refs[0]]
    found = []
    for part in of.queries:
        best = Gathering(of.window, merges.largest)
        for refs, held in zip(of.refs[0], t, strict=True):
            pairs = part.size * refs.size
            best.add(of.window.submit(looks.ratio, part, refs, held, of.memory, pairs=pairs))
        found.append(best.whole())
    for part, (best_of_part,) in of.arrays(found):
        task.best[part.rows] = np.maximum(task.best[part.rows], best_of_part)


def _count(of: Asking, side: int, tasks: Sequence[Count]) -> None:
    counting, refs, submit = of.counting(side, tasks), of.refs[side], of.window.submit
    cols = [Gathering(of.window, merges.added) for _ in refs]
    rows = []
    for part, query_t in zip(of.queries, counting.of_queries, strict=True):
        of_part = Gathering(of.window, merges.added)
        for one, ref_t, of_ref in zip(refs, counting.of_refs, cols, strict=True):
            pairs = part.size * one.size
            found = submit(
                looks.count, part, one, query_t, ref_t, counting.asks, of.memory, pairs=pairs
            )
            of_part.add(submit(merges.pick, found, 0))
            if counting.wants_cols:
                of_ref.add(submit(merges.pick, found, 1))
        rows.append(of_part.whole())
    sums = [one.whole() for one in cols] if counting.wants_cols else []
    for part, found in of.arrays(rows):
        counting.add_rows(part, found)
    for part, found in zip(refs, of.gathered(sums), strict=False):
        counting.add_cols(part, found)
