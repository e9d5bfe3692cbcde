"""What a task finds in a block: the exact engine, on one thread, on two parts of sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from prfast.balls.engines.blocks.parts import Part
from prfast.balls.engines.exact import Exact
from prfast.balls.resources import Resources, Work
from prfast.balls.tasks import Count, Kth, LargestRatio, LogSum, Task
from prfast.inputs.arrays import Float64s


class Found(NamedTuple):
    """Arrays, a row a query or a reference, and the work that they took."""

    arrays: list[Any]
    work: Work


class Ask(NamedTuple):
    """A Count without its thresholds, which are held with the parts, and without its answers."""

    of_query: bool
    closed: bool
    rows: bool
    cols: bool


def counts_of(
    queries: Part,
    refs: Part,
    query_t: Sequence[Any],
    ref_t: Sequence[Any],
    asks: Sequence[Ask],
) -> list[Count]:
    """What is asked, about a block."""
    return [
        Count(
            t if ask.of_query else None,
            None if ask.of_query else u,
            ask.closed,
            np.zeros(queries.size, np.int64) if ask.rows else None,
            np.zeros(refs.size, np.int64) if ask.cols else None,
        )
        for ask, t, u in zip(asks, query_t, ref_t, strict=True)
    ]


def count(
    queries: Part,
    refs: Part,
    query_t: Sequence[Any],
    ref_t: Sequence[Any],
    asks: Sequence[Ask],
    memory: int,
) -> tuple[Found, Found]:
    """Counts of each query, and of each reference, of every ask that wants them."""
    tasks = counts_of(queries, refs, query_t, ref_t, asks)
    work = _run(queries, refs, tasks, memory)
    rows = [task.rows for task in tasks if task.rows is not None]
    cols = [task.cols for task in tasks if task.cols is not None]
    return Found(rows, work), Found(cols, Work())


def ratio(queries: Part, refs: Part, ref_t: Float64s, memory: int) -> Found:
    task = LargestRatio(ref_t, np.zeros(queries.size))
    work = _run(queries, refs, [task], memory)
    return Found([task.best], work)


def log_sum(queries: Part, refs: Part, before: Found, t: float, memory: int) -> Found:
    """The sum goes on from that of the references before."""
    task = LogSum(t, before.arrays[0].copy())
    work = _run(queries, refs, [task], memory)
    work.take(before.work)
    return Found([task.total], work)


def nearest(queries: Part, refs: Part, k: int, memory: int) -> Found:
    """D of the k nearest references of each query, in order, or of all."""
    task = Kth(np.arange(1, min(k, refs.size) + 1))
    work = _run(queries, refs, [task], memory)
    return Found([task.d2], work)


def _run(queries: Part, refs: Part, tasks: Sequence[Task], memory: int) -> Work:
    work = Work()
    Exact().run(queries.load(), [refs.load()], tasks, Resources(1, memory, work))
    return work
