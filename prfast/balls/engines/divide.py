"""How the k nearest of two sets divide, by counting, where lists of the nearest do not tell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prfast.balls.engines.engine import Engine
from prfast.balls.resources import Resources
from prfast.balls.rows import Points, select
from prfast.balls.tasks import Count, Nearest
from prfast.balls.thresholds import own


def divide(
    engine: Engine, queries: Points, refs: Sequence[Points], task: Nearest, resources: Resources
) -> None:
    """Count the of_a and of_b of the task that are −1."""
    unsure = np.flatnonzero(((task.of_a < 0) | (task.of_b < 0)).any(axis=1))
    if not unsure.size:
        return
    some, t = select(queries, unsure), task.d2_both[unsure]
    for one, same, found in zip(refs, task.within, (task.of_a, task.of_b), strict=True):
        rows = np.zeros((t.shape[1], len(unsure)), np.int64)
        counts = [
            Count(of_query, None, task.closed, into)
            for of_query, into in zip(t.T, rows, strict=True)
        ]
        engine.run(some, [one], counts, resources)
        if same:  # D(x, x) = 0 was counted
            rows -= own(t, task.closed).T
        found[unsure] = rows.T
