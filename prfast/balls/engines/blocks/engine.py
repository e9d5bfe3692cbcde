"""The driver: which tasks are submitted for a question, and what becomes of their answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from prfast.balls.engines.blocks import looks, merges
from prfast.balls.engines.blocks.parts import Part, cluster_of, cut, keep, lengths
from prfast.balls.engines.blocks.sizes import rows_of_part
from prfast.balls.engines.blocks.window import Gathering, Window
from prfast.balls.engines.divide import divide
from prfast.balls.resources import Resources, Work
from prfast.balls.rows import Points
from prfast.balls.tasks import Count, Kth, LargestRatio, LogSum, Nearest, Task


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
        """Counts in one set share their tasks; every other question has tasks of its own."""
        with Window(cluster_of(queries), resources) as window:
            ask = _Asking(queries, refs, self.rows, window)
            for task in tasks:
                match task:
                    case Kth():
                        ask.kth(task)
                    case Nearest():
                        ask.nearest(task)
                        divide(self, queries, refs, task, resources)
                    case LogSum():
                        ask.log_sum(task)
                    case LargestRatio():
                        ask.ratio(task)
            for side in range(len(refs)):
                counts = [t for t in tasks if isinstance(t, Count) and t.side == side]
                if counts:
                    ask.count(side, counts)


class _Asking:
    """Two or three sets in parts, and the window for tasks about them."""

    def __init__(
        self, queries: Points, refs: Sequence[Points], rows: int | None, window: Window
    ) -> None:
        self.window, self.memory = window, window.resources.memory
        self.size = len(queries)
        sets = {id(one): one for one in (queries, *refs)}
        if rows is None:
            longest = int(max(lengths(one).max() for one in sets.values()))
            most, dim = max(map(len, refs)), queries.shape[1]
            rows = rows_of_part(longest, self.size, most, dim, window.cluster.threads)
        parts = {key: cut(one, rows) for key, one in sets.items()}
        self.queries, self.refs = parts[id(queries)], [parts[id(one)] for one in refs]

    def kth(self, task: Kth) -> None:
        ks = task.anywhere().ks
        found = [
            self.window.submit(merges.kth, self._listed(part, 0, int(ks.max())), ks)
            for part in self.queries
        ]
        task.d2 = np.empty((self.size, len(ks)))
        for part, (d2,) in self._arrays(found):
            task.d2[part.rows] = d2

    def nearest(self, task: Nearest) -> None:
        question = replace(task, shelf=None)
        found = []
        for part in self.queries:
            # One more than the k nearest, to see that the next one is farther.
            a, b = (self._listed(part, side, task.k + 1 + task.within[side]) for side in (0, 1))
            found.append(self.window.submit(merges.divided, a, b, question))
        task.open(self.size)
        for part, arrays in self._arrays(found):
            for name, values in zip(merges.OF_NEAREST, arrays, strict=True):
                getattr(task, name)[part.rows] = values

    def _listed(self, part: Part, side: int, k: int) -> Any:
        """The k nearest of a part's points in a set."""
        found = Gathering(self.window, merges.shortened, k)
        for refs in self.refs[side]:
            pairs = part.size * refs.size
            found.add(self.window.submit(looks.nearest, part, refs, k, self.memory, pairs=pairs))
        return found.whole()

    def log_sum(self, task: LogSum) -> None:
        """A chain of the parts of the references, for each part of the queries."""
        found: list[Any] = [looks.Found([task.total[part.rows]], Work()) for part in self.queries]
        for refs in self.refs[0]:
            for i, part in enumerate(self.queries):
                found[i] = self.window.submit(
                    looks.log_sum,
                    part,
                    refs,
                    found[i],
                    task.t,
                    self.memory,
                    pairs=part.size * refs.size,
                )
        for part, (total,) in self._arrays(found):
            task.total[part.rows] = total

    def ratio(self, task: LargestRatio) -> None:
        t = [self.window.cluster.submit(keep, task.ref_t[refs.rows]) for refs in self.refs[0]]
        found = []
        for part in self.queries:
            best = Gathering(self.window, merges.largest)
            for refs, held in zip(self.refs[0], t, strict=True):
                best.add(
                    self.window.submit(
                        looks.ratio, part, refs, held, self.memory, pairs=part.size * refs.size
                    )
                )
            found.append(best.whole())
        for part, (best_of_part,) in self._arrays(found):
            task.best[part.rows] = np.maximum(task.best[part.rows], best_of_part)

    def count(self, side: int, tasks: Sequence[Count]) -> None:
        asks = [
            looks.Ask(t.query_t is not None, t.closed, t.rows is not None, t.cols is not None)
            for t in tasks
        ]
        submit, refs = self.window.submit, self.refs[side]
        of_queries = [self._thresholds([t.query_t for t in tasks], part) for part in self.queries]
        of_refs = [self._thresholds([t.ref_t for t in tasks], part) for part in refs]
        cols = [Gathering(self.window, merges.added) for _ in refs]
        rows = []
        for part, query_t in zip(self.queries, of_queries, strict=True):
            of_part = Gathering(self.window, merges.added)
            for one, ref_t, of_ref in zip(refs, of_refs, cols, strict=True):
                found = submit(
                    looks.count,
                    part,
                    one,
                    query_t,
                    ref_t,
                    asks,
                    self.memory,
                    pairs=part.size * one.size,
                )
                of_part.add(submit(merges.pick, found, 0))
                if any(ask.cols for ask in asks):
                    of_ref.add(submit(merges.pick, found, 1))
            rows.append(of_part.whole())
        for part, found in self._arrays(rows):
            of_rows = [task.rows for task in tasks if task.rows is not None]
            for into, values in zip(of_rows, found, strict=True):
                into[part.rows] += values
        if any(ask.cols for ask in asks):
            done = [one.whole() for one in cols]
            for part, found in zip(refs, self.window.gather(done), strict=True):
                of_cols = [task.cols for task in tasks if task.cols is not None]
                for into, values in zip(of_cols, found.arrays, strict=True):
                    into[part.rows] += values

    def _thresholds(self, ts: Sequence[Any], part: Part) -> Any:
        """Held where the tasks run: of a part, a vector each."""
        some = [None if t is None else np.ascontiguousarray(t[part.rows]) for t in ts]
        return self.window.cluster.submit(keep, some)

    def _arrays(self, found: Sequence[Any]) -> list[tuple[Part, list[Any]]]:
        """What was found for each part of the queries; its work is added up."""
        gathered = self.window.gather(found)
        for one in gathered:
            self.window.resources.work.take(one.work)
        return [(part, one.arrays) for part, one in zip(self.queries, gathered, strict=True)]
