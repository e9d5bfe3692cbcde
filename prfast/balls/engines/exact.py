"""The exact engine: csrc, filters with a certified error, float64 where they cannot decide.

Counts, sums and ratios are one pass over super-blocks of references; the k nearest come from lists,
whose pass counts as well, or, inside a set, from computing each pair once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from prfast.balls.engines.lists import (
    FLOPS_A_CALL,
    QUERIES,
    answers,
    calls,
    capacity,
    fair,
    flops,
    frame_of,
    int8_may_pay,
    loads,
    new_pass,
    packed_bytes,
)
from prfast.balls.engines.nearest import kth_from_reservoirs, listed_kth, listed_union
from prfast.balls.resources import LISTED, Points, Resources, select
from prfast.balls.tasks import Count, Ints, Kth, LargestRatio, LogSum, Nearest, Task, own
from prfast.inputs.arrays import Float64s
from prfast.kernels import balls as kernels

# What an engine is: one method that answers tasks.


class Engine(Protocol):
    """Answers are those of the exact engine to the last bit, unless its name says otherwise."""

    def run(
        self,
        queries: Points,
        refs: Sequence[Points],
        tasks: Sequence[Task],
        resources: Resources,
    ) -> None:
        """Answer the tasks about the queries and the references: one set, or a and b of a Nearest.

        Rows are contiguous; `refs` holds `queries` itself where a task is within a set.
        """
        ...


# What threads take for the blocks of queries that they work on, and how `memory` bounds it.
#
# A thread holds its block twice, in float64 for D and packed for the filter, and some references
# in float64; or, through the int8 filter, the block in bytes, and pairs that wait for a closer
# look. Half of the memory is for that: where it does not do, blocks are made smaller, then threads
# fewer, then blocks as small as a register tile.  Results do not depend on either.


_TILE = 12  # queries of the largest register tile
_WELL = 48  # queries from which on more threads are better than larger blocks


class _Way(NamedTuple):
    """Bytes of a thread: of a feature of a query, of a feature beside, of a query, of any block."""

    number: int
    beside: int
    query: int
    fixed: int

    def taken(self, dim: int, block: int) -> int:
        return dim * (self.number * block + self.beside) + self.query * block + self.fixed

    def block(self, dim: int, share: int) -> int:
        """The largest in so many bytes; negative where there is none."""
        return (share - self.taken(dim, 0)) // (self.number * dim + self.query)


# 8 and 4, and the references that D is computed to; sums of slices, pairs that wait.
_DOTS = _Way(12, 128, 0, 1 << 17)
# A byte, and scratch of rows (int8_block.h, cascade.h); 64 pairs twice (loose.h), and some 110
# bytes; 8192 pairs that wait, twice (196608 bytes), and a list of 4000.
_INT8 = _Way(1, 80, 1024 + 112, 1 << 18)


def scratch(dim: int, block: int) -> int:
    """Bytes of a thread whose blocks have so many queries."""
    dots = _DOTS.taken(dim, min(block, kernels.BLOCK))
    return max(dots, _INT8.taken(dim, block)) if int8_may_pay(dim) else dots


def fitted(dim: int, resources: Resources) -> Resources:
    """The same with as many threads, and queries in a block of each, as there is memory for, and
    what they leave of it, half at least; one thread with a tile at least, whatever the memory."""
    room = resources.memory // 2
    threads = max(1, min(resources.threads, room // scratch(dim, _WELL)))
    block = _block(dim, room // threads)
    if threads < resources.threads or block < kernels.BLOCK:
        resources.work.cramped += 1
    left = max(room, resources.memory - threads * scratch(dim, block))
    return replace(resources, threads=threads, block=block, memory=left)


def _block(dim: int, share: int) -> int:
    """Queries that a thread takes together, in so many bytes: whole tiles, or whole blocks for the
    int8 filter."""
    found = min(_DOTS.block(dim, share), kernels.BLOCK)
    if int8_may_pay(dim):
        wide = min(_INT8.block(dim, share), kernels.INT8_BLOCK)
        if min(found, wide) == kernels.BLOCK:
            return wide // kernels.BLOCK * kernels.BLOCK
        found = min(found, wide)
    return max(found // _TILE, 1) * _TILE


# How the k nearest of two sets divide, by counting, where lists of the nearest do not tell.


def divide(
    engine: Engine, queries: Points, refs: Sequence[Points], task: Nearest, resources: Resources
) -> None:
    """Count the of_a, of_b and across_a, across_b of the task that are −1."""
    _count_union(
        engine, queries, refs, task, (task.of_a, task.of_b), (task.d2_both,) * 2, resources
    )
    if task.across:
        found, t = (task.across_a, task.across_b), (task.d2_b, task.d2_a)
        _count_union(engine, queries, refs, task, found, t, resources)


def _count_union(
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


# Every pair of points of a set once, in rounds whose parts of the set do not meet.


def rounds(n: int, least: int, block: int) -> Iterator[NDArray[np.int64]]:
    """Rows (first, end, first, end) of pairs of parts that can be worked on at the same time.

    The n points are cut into at least `least` parts of whole blocks, or of one block where there
    are too few.  First each part with itself; then, as in a round-robin tournament, one part stays
    and the others move on a seat a round, so that each meets each other once.
    """
    blocks = -(-n // block)
    size = max(1, blocks // least) * block
    cuts = np.append(np.arange(0, n, size), n).astype(np.int64)
    parts = np.stack([cuts[:-1], cuts[1:]], axis=1)
    yield np.concatenate([parts, parts], axis=1)
    seats = len(parts) + len(parts) % 2  # an odd one has a round off
    for turn in range(seats - 1):
        order = np.concatenate([[0], 1 + (np.arange(seats - 1) + turn) % (seats - 1)])
        pairs = np.sort(np.stack([order[: seats // 2], order[: seats // 2 - 1 : -1]]), axis=0)
        pairs = pairs[:, pairs[1] < len(parts)]
        if pairs.size:
            yield np.concatenate([parts[pairs[0]], parts[pairs[1]]], axis=1)


def ordered_pairs(parts: NDArray[np.int64]) -> int:
    """Ordered pairs of points that one round of parts stands for."""
    a, b = parts[:, 1] - parts[:, 0], parts[:, 3] - parts[:, 2]
    return int(np.where(parts[:, 0] == parts[:, 2], a * b, 2 * a * b).sum())


# Radii inside a set, the distance of each pair of its points computed once.


_FEWEST = 8 * kernels.SAMPLE  # points for which the sample is a small part of the pairs


def pays(points: Points, k: int, memory: int) -> bool:
    """Does computing each pair once pay (`python -m bench within`), and is there memory for the
    packed set and the lists of all its points?"""
    n, dim = points.shape
    each = LISTED * capacity(k + 1, n) + packed_bytes(dim) + 40
    return n >= _FEWEST and bool(n * each <= memory)


def each_pair_once(points: Points, task: Kth, resources: Resources) -> Any:
    """Answer the task; which points lists do not tell.  None where the filter is off, or all points
    are the sample.

    The first points stand for all of them: they are looked at together with all, and give the
    others their first limits; then come the pairs of the others, each once.
    """
    frame = frame_of(points)
    n, dim = points.shape
    threads, sample = resources.threads, kernels.SAMPLE
    if frame.exact or n <= sample:
        return None
    order = fair(n)
    rows = select(points, order)
    passed = new_pass(rows, rows, n, True, frame)
    passed.load(0, n, threads)
    lists = resources.lists(n, task.k + 1, capacity(task.k + 1, n))
    for first, count in calls(0, sample, n, dim, threads):
        passed.look([], first, count, threads, lists)
    for first, count in calls(sample, n - sample, sample, dim, threads):
        passed.look([], first, count, threads, lists, sample=True)
    resources.advance(sample * (2 * n - sample))
    least = math.ceil(n * n * flops(dim) / (2 * threads * FLOPS_A_CALL))
    arms, seen = passed.arms(), np.full(n, sample)
    seen[:sample] = n
    for parts in rounds(n - sample, max(4 * threads, least), QUERIES):
        passed.lower(lists, seen, arms, threads)
        passed.triangle(lists, parts + sample, arms, threads)
        for first, end, start, stop in (parts + sample).tolist():
            seen[first:end] += stop - start
            if first != start:
                seen[start:stop] += end - first
        resources.advance(ordered_pairs(parts))
        if lists.given_up > n // 4:
            break
    task.d2 = np.empty((n, len(task.ks)))
    failed = np.ones(n, bool)
    none = np.empty(0, np.int64)
    if lists.given_up <= n // 4:
        told = answers(passed, lists, slice(0, n), (task.ks, none, none), True, resources)
        task.d2[order], failed[order] = told["d2"][0], told["failed"]
    resources.give_back(lists)
    resources.work.add(passed.counters())
    resources.work.redone += int(failed.sum())
    return failed


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
