"""A search that keeps what it found of sets that stay: the same answers, sooner.

What depends on the fixed sets alone is computed once: radii inside a set, counts of balls whose
radii belong to a fixed set, and what a union needs of it.  Sets are known by identity.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from prfast.balls.engines.exact import Kept
from prfast.balls.rows import Points
from prfast.balls.search import Search
from prfast.balls.tasks import Count
from prfast.inputs.arrays import Float64s


class Remembering(Search):
    """A `Search` (the same arguments) for which some sets are fixed.

    radii: {(number of a fixed set, k): D of the k-th other point}, (points,) each.
    """

    def __init__(self, fixed: Sequence[Points], **settings: Any) -> None:
        super().__init__(**settings)
        self.fixed = list(fixed)
        self.radii: dict[tuple[int, int], Float64s] = {}
        self._counts: dict[Any, Any] = {}
        self._partial: dict[Any, Kept | None] = {}

    def kth_within(self, points: Points, ks: Sequence[int]) -> Float64s:
        number = self._number(points)
        if number is None:
            return super().kth_within(points, ks)
        missing = [k for k in dict.fromkeys(ks) if (number, k) not in self.radii]
        if missing:
            d2 = super().kth_within(points, missing)
            for column, k in enumerate(missing):
                self.radii[number, k] = d2[:, column].copy()
        return np.stack([self.radii[number, k] for k in ks], axis=1)

    def count(self, queries: Points, refs: Points, tasks: Sequence[Count]) -> None:
        pair = self._number(queries), self._number(refs)
        if None in pair:
            super().count(queries, refs, tasks)
            return
        found: dict[Any, Any] = {}
        new, keys = [], []
        for task in tasks:
            # Balls of references; those of queries have radii that depend on another set.
            own = task.ref_t is not None and task.cols is None
            key = (pair, task.closed, task.ref_t.tobytes()) if own else None
            keys.append(key)
            if key is None:
                new.append(task)
            elif key not in self._counts and key not in found:
                found[key] = np.zeros(len(queries), np.int64)
                new.append(Count(None, task.ref_t, task.closed, found[key]))
        super().count(queries, refs, new)
        self._counts |= found  # only now: an interrupt leaves nothing half counted
        for task, key in zip(tasks, keys, strict=True):
            if key is not None:
                task.rows += self._counts[key]

    def _kept(self, queries: Points, refs: Points, k: int, within: bool) -> Kept | None:
        pair = self._number(queries), self._number(refs)
        if None in pair:
            return None
        key = (pair, k, within)
        if key not in self._partial:
            self._partial[key] = self._keep(queries, refs, k, within)
        return self._partial[key]

    def _number(self, points: Points) -> int | None:
        """Which of the fixed sets this is."""
        for number, one in enumerate(self.fixed):
            if one is points:
                return number
        return None
