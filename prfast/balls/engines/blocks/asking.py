"""Sets in parts, and what all questions about them are given."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from prfast.balls.engines.blocks import looks, sample
from prfast.balls.engines.blocks.parts import Part, base_of, cut, keep, lengths
from prfast.balls.engines.blocks.sizes import FEWEST, rows_of_part, task_bytes
from prfast.balls.engines.blocks.window import Window
from prfast.balls.engines.order import fair
from prfast.balls.engines.passes import filter_is_off
from prfast.balls.rows import Points
from prfast.balls.tasks import Count
from prfast.cluster.preflight import check_task
from prfast.inputs.errors import WrongValue


class Asking:
    """Queries and one or two sets of references in parts; the window for tasks about them.

    rows: of a part, about; None is what makes tasks of a useful size that every thread has the
    memory for.  k: the largest that is asked for.
    """

    def __init__(
        self, queries: Points, refs: Sequence[Points], rows: int | None, k: int, window: Window
    ) -> None:
        self.window, self.memory = window, window.resources.memory
        self.size, self.dim = len(queries), queries.shape[1]
        sets = {id(one): one for one in (queries, *refs)}
        most = max(map(len, sets.values()))
        if most >= 2**31:  # numbers of points in lists are of 32 bits
            raise WrongValue("samples", f"at most 2**31 - 1 in a set expected, got {most}")
        self.sizes = [len(one) for one in refs]
        self.itemsize = max(one.dtype.itemsize for one in sets.values())
        if rows is None:
            longest = int(max(lengths(one).max() for one in sets.values()))
            sizes = self.size, max(self.sizes)
            rows = rows_of_part(longest, *sizes, self.dim, window.cluster.threads)
            rows = self._fitting(rows, k)
        parts = {key: cut(one, rows) for key, one in sets.items()}
        self.queries, self.refs = parts[id(queries)], [parts[id(one)] for one in refs]
        self.exponent = max(_exponent(one) for one in sets.values())

    def _fitting(self, rows: int, k: int) -> int:
        """So many rows, or fewer, with which a task fits in a thread's share of the memory."""
        room = self.window.cluster.room
        while True:
            needed = task_bytes(rows, self.dim, self.itemsize, k, max(self.sizes))
            if room is None or needed <= room or rows <= FEWEST:
                break
            rows = max(FEWEST, rows // 2)
        check_task(needed, rows, k, self.window.cluster)
        return rows

    @property
    def filtered(self) -> bool:
        """Do filters say anything of these points?"""
        return not filter_is_off(self.exponent, self.dim)

    def samples(self) -> list[Any]:
        """Of each set of references, held where the tasks run."""
        return [self._sample(parts) for parts in self.refs]

    def _sample(self, parts: Sequence[Part]) -> Any:
        n = parts[-1].stop
        some = np.sort(fair(n)[: sample.size(n)])
        found = []
        for part in parts:
            index = some[(part.start <= some) & (some < part.stop)] - part.start
            if index.size:
                found.append(self.window.submit(sample.rows, part, index))
        return self.window.submit(sample.together, found)

    def counting(self, side: int, tasks: Sequence[Count]) -> Counting:
        return Counting(self, side, tasks)

    def arrays(self, found: Sequence[Any]) -> list[tuple[Part, list[Any]]]:
        """What was found for each part of the queries; its work is added up."""
        return list(zip(self.queries, self.gathered(found), strict=True))

    def gathered(self, found: Sequence[Any]) -> list[list[Any]]:
        gathered = self.window.gather(found)
        for one in gathered:
            self.window.resources.work.take(one.work)
        return [one.arrays for one in gathered]


class Counting:
    """Counts in one set: their thresholds, held with the parts where the tasks run."""

    def __init__(self, of: Asking, side: int, tasks: Sequence[Count]) -> None:
        self._submit = of.window.cluster.submit
        self.tasks = tasks
        self.asks = [
            looks.Ask(t.query_t is not None, t.closed, t.rows is not None, t.cols is not None)
            for t in tasks
        ]
        self.of_queries = [self._held([t.query_t for t in tasks], part) for part in of.queries]
        self.of_refs = [self._held([t.ref_t for t in tasks], part) for part in of.refs[side]]

    def _held(self, ts: Sequence[Any], part: Part) -> Any:
        some = [None if t is None else np.ascontiguousarray(t[part.rows]) for t in ts]
        return self._submit(keep, some)

    def add_rows(self, part: Part, found: Sequence[Any]) -> None:
        of_rows = [task.rows for task in self.tasks if task.rows is not None]
        for into, values in zip(of_rows, found, strict=True):
            into[part.rows] += values

    def add_cols(self, part: Part, found: Sequence[Any]) -> None:
        of_cols = [task.cols for task in self.tasks if task.cols is not None]
        for into, values in zip(of_cols, found, strict=True):
            into[part.rows] += values

    @property
    def wants_cols(self) -> bool:
        return any(ask.cols for ask in self.asks)


def _exponent(points: Points) -> int:
    """Values, and what they are off the mean of any of them, are below 2 to this."""
    base = base_of(points)
    largest = math.ldexp(base.largest, -(base.exponent or 0))
    return math.frexp(largest)[1] + 1 if largest > 0 else 0
