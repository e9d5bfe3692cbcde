"""How the k nearest of two sets divide, by counting, where lists of the nearest do not tell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prfast.balls.engines.engine import Engine
from prfast.balls.resources import Resources
from prfast.balls.rows import Points, select
from prfast.balls.tasks import Count, Ints, Nearest
from prfast.balls.thresholds import own
from prfast.inputs.arrays import Float64s


def divide(
    engine: Engine, queries: Points, refs: Sequence[Points], task: Nearest, resources: Resources
) -> None:
    """Count the of_a, of_b and across_a, across_b of the task that are −1."""
    _count(engine, queries, refs, task, (task.of_a, task.of_b), (task.d2_both,) * 2, resources)
    if task.across:
        found, t = (task.across_a, task.across_b), (task.d2_b, task.d2_a)
        _count(engine, queries, refs, task, found, t, resources)


def _count(
    engine: Engine,
    queries: Points,
    refs: Sequence[Points],
    task: Nearest,
    found: tuple[Ints, Ints],
    radii: tuple[Float64s, Float64s],
    resources: Resources,
) -> None:
    for one, same, counts, d2 in zip(refs, task.within, found, radii, strict=True):
        unsure = np.flatnonzero((counts < 0).any(axis=1))
        if not unsure.size:
            continue
        t = d2[unsure]
        rows = np.zeros((t.shape[1], len(unsure)), np.int64)
        tasks = [
            Count(of_query, None, task.closed, into)
            for of_query, into in zip(t.T, rows, strict=True)
        ]
        engine.run(select(queries, unsure), [one], tasks, resources)
        if same:  # D(x, x) = 0 was counted
            rows -= own(t, task.closed).T
        counts[unsure] = rows.T
