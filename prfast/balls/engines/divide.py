"""How the k nearest of two sets divide, by counting: for engines that keep no candidates."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from prfast.balls.rows import Points
from prfast.balls.tasks import Count, Union


class Counts(Protocol):
    """An engine that counts."""

    def count(self, queries: Points, refs: Points, tasks: list[Count]) -> None: ...


def divide(engine: Counts, queries: Points, a: Points, b: Points, task: Union) -> tuple[Any, Any]:
    """of_a and of_b of the task, from d2_both, by counting."""
    found = []
    for refs, own in zip((a, b), task.within, strict=True):
        counts = [
            Count(np.ascontiguousarray(t), None, task.closed, np.zeros(len(queries), np.int64))
            for t in task.d2_both.T
        ]
        if counts:
            engine.count(queries, refs, counts)
        rows = np.empty(task.d2_both.shape, np.int64)
        for column, one in enumerate(counts):
            rows[:, column] = one.rows
        if own:  # D(x, x) = 0 was counted
            rows -= task.d2_both >= 0 if task.closed else task.d2_both > 0
        found.append(rows)
    return found[0], found[1]
