"""A search that keeps what it found of sets that stay: the same answers, sooner.

What depends on the fixed sets alone is computed once: radii inside a set, counts of balls whose
radii belong to a fixed set, and what an engine needs of a fixed set for the nearest in it and in
another.  Sets are known by identity.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from prfast.balls.kept import Shelf
from prfast.balls.rows import Points
from prfast.balls.search import Search
from prfast.balls.tasks import Count, Ints, Kth, Nearest, Task
from prfast.inputs.arrays import Float64s

_Balls = tuple[int, int, bool, bytes]  # queries, references, closed, thresholds of references


class Remembering(Search):
    """A `Search` (the same arguments) for which some sets are fixed.

    radii: {(number of a fixed set, k): D of the k-th other point}, (points,) each.
    """

    def __init__(self, fixed: Sequence[Points], **settings: Any) -> None:
        super().__init__(**settings)
        self.fixed = list(fixed)
        self.radii: dict[tuple[int, int], Float64s] = {}
        self._counts: dict[_Balls, Ints] = {}
        self._shelves: dict[tuple[int, int], Shelf] = {}

    def run(self, queries: Points, refs: Sequence[Points], tasks: Sequence[Task]) -> None:
        """Ask for what is not known, keep it, and answer from what is kept."""
        one, others = self._number(queries), [self._number(points) for points in refs]
        other = others[0]
        if one is None or other is None:
            super().run(queries, refs, tasks)
            return
        inside = [task for task in tasks if isinstance(task, Kth) and task.within]
        ks = {k for task in inside for k in task.ks.tolist() if (one, k) not in self.radii}
        missing = Kth(np.array(sorted(ks), np.int64), within=True)
        balls: dict[_Balls, Count] = {}
        known: list[tuple[Count, _Balls]] = []
        asked: list[Task] = [missing] if ks else []
        for task in tasks:
            match task:
                case Kth(within=True):
                    pass
                # Balls of references; those of queries have radii that depend on another set.
                case Count(ref_t=np.ndarray() as t, cols=None) if others[task.side] is not None:
                    key = (one, others[task.side] or 0, task.closed, t.tobytes())
                    known.append((task, key))
                    if key not in self._counts and key not in balls:
                        rows = np.zeros(len(queries), np.int64)
                        balls[key] = Count(None, t, task.closed, rows, None, task.side)
                case Nearest():
                    task.shelf = self._shelves.setdefault((one, other), {})
                    asked.append(task)
                case _:
                    asked.append(task)
        super().run(queries, refs, [*asked, *balls.values()])
        # Only now: an interrupt leaves nothing half counted.
        for column, k in enumerate(sorted(ks)):
            self.radii[one, k] = missing.d2[:, column].copy()
        self._counts |= {key: task.rows for key, task in balls.items()}
        for task in inside:
            task.d2 = np.stack([self.radii[one, k] for k in task.ks.tolist()], axis=1)
        for task, key in known:
            task.rows += self._counts[key]

    def _number(self, points: Points) -> int | None:
        """Which of the fixed sets this is."""
        for number, one in enumerate(self.fixed):
            if one is points:
                return number
        return None
