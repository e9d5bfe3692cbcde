"""The exact engine, the interface of all engines, and how memory bounds blocks and threads.

Counts, sums and ratios take one pass over super-blocks of references.  The k nearest come from
lists, whose pass counts as well, or, inside a set, from a symmetric pass that computes each pair
once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s
from prfast.kernels import distances as kernels
from prfast.neighbors.engines.lists import (
    FLOPS_A_CALL,
    QUERIES,
    answers,
    calls,
    capacity,
    flops,
    frame_of,
    golden_permutation,
    int8_may_pay,
    loads,
    new_pass,
    packed_bytes,
)
from prfast.neighbors.engines.nearest import kth_from_reservoirs, listed_kth, listed_union
from prfast.neighbors.resources import LISTED, Points, Resources, select
from prfast.neighbors.tasks import Count, Ints, Kth, LargestRatio, LogSum, Nearest, Task, own


class Engine(Protocol):
    """An engine: one method that answers tasks.

    Its results are those of the exact engine to the last bit, unless its name says otherwise.
    """

    def run(
        self,
        queries: Points,
        refs: Sequence[Points],
        tasks: Sequence[Task],
        resources: Resources,
    ) -> None:
        """Set the results of the tasks.

        refs has one set, or a and b of a Nearest.  Rows are contiguous; `refs` contains `queries`
        itself where a task is within a set.
        """
        ...


# Memory of threads.  A thread holds its block of queries twice, in float64 for D and packed for
# the filter, and some references in float64; or, through the int8 filter, the block in bytes, and
# a queue of pairs for the next step.  Half of the memory is for that: where it is too little,
# blocks become smaller, then threads fewer, then blocks as small as a register tile.  Results do
# not depend on either.


_TILE = 12  # queries of the largest register tile
_WELL = 48  # queries of a block from which more threads are better than larger blocks


class _Scratch(NamedTuple):
    """Bytes of a thread: per query and feature, per feature, per query, and constant."""

    query_feature: int
    feature: int
    query: int
    fixed: int

    def nbytes(self, dim: int, block: int) -> int:
        return dim * (self.query_feature * block + self.feature) + self.query * block + self.fixed

    def block(self, dim: int, nbytes: int) -> int:
        """Return the largest block that fits in `nbytes`; negative if none does."""
        return (nbytes - self.nbytes(dim, 0)) // (self.query_feature * dim + self.query)


# 8 and 4 bytes a number, and the references that D is computed to; sums of slices, queued pairs.
_DOTS = _Scratch(12, 128, 0, 1 << 17)
# A byte a number, and scratch of rows (int8_block.h, cascade.h); 64 pairs twice (unrefined.h), and
# some 110 bytes; 8192 queued pairs, twice (196608 bytes), and a list of 4000.
_INT8 = _Scratch(1, 80, 1024 + 112, 1 << 18)


def scratch(dim: int, block: int) -> int:
    """Return the bytes of a thread whose blocks have `block` queries."""
    dots = _DOTS.nbytes(dim, min(block, kernels.BLOCK))
    return max(dots, _INT8.nbytes(dim, block)) if int8_may_pay(dim) else dots


def fitted(dim: int, resources: Resources) -> Resources:
    """Return resources whose threads and blocks fit in half of the memory.

    `memory` becomes what they leave, at least half of it.  One thread with a tile of queries is
    always granted.
    """
    half = resources.memory // 2
    threads = max(1, min(resources.threads, half // scratch(dim, _WELL)))
    block = _block(dim, half // threads)
    if threads < resources.threads or block < kernels.BLOCK:
        resources.work.memory_limited += 1
    memory = max(half, resources.memory - threads * scratch(dim, block))
    return replace(resources, threads=threads, block=block, memory=memory)


def _block(dim: int, nbytes: int) -> int:
    """Return the queries that a thread takes together in `nbytes`.

    They are whole tiles, or whole blocks for the int8 filter.
    """
    block = min(_DOTS.block(dim, nbytes), kernels.BLOCK)
    if int8_may_pay(dim):
        int8_block = min(_INT8.block(dim, nbytes), kernels.INT8_BLOCK)
        if min(block, int8_block) == kernels.BLOCK:
            return int8_block // kernels.BLOCK * kernels.BLOCK
        block = min(block, int8_block)
    return max(block // _TILE, 1) * _TILE


def divide(
    engine: Engine, queries: Points, refs: Sequence[Points], task: Nearest, resources: Resources
) -> None:
    """Count the of_a, of_b, across_a and across_b of the task that are −1.

    These are the balls for which lists of the nearest reach too little far.
    """
    counts = task.of_a, task.of_b
    _count_unknown(engine, queries, refs, task, counts, (task.d2_both,) * 2, resources)
    if task.across:
        counts, radii = (task.across_a, task.across_b), (task.d2_b, task.d2_a)
        _count_unknown(engine, queries, refs, task, counts, radii, resources)


def _count_unknown(
    engine: Engine,
    queries: Points,
    refs: Sequence[Points],
    task: Nearest,
    counts_of_sets: tuple[Ints, Ints],
    radii: tuple[Float64s, Float64s],
    resources: Resources,
) -> None:
    for points, same, counts, d2 in zip(refs, task.within, counts_of_sets, radii, strict=True):
        unknown = np.flatnonzero((counts < 0).any(axis=1))
        if not unknown.size:
            continue
        t = d2[unknown]
        rows = np.zeros((t.shape[1], len(unknown)), np.int64)
        tasks = [
            Count(thresholds, None, task.closed, count)
            for thresholds, count in zip(t.T, rows, strict=True)
        ]
        engine.run(select(queries, unknown), [points], tasks, resources)
        if same:  # D(x, x) = 0 was counted
            rows -= own(t, task.closed).T
        counts[unknown] = rows.T


# The symmetric pass: each pair of points of a set is computed once, for both of its ends.


def rounds(n: int, least: int, block: int) -> Iterator[NDArray[np.int64]]:
    """Yield rounds of pairs of parts, rows (first, end, first, end), that share no point.

    The pairs of a round can be worked on in parallel, and all rounds together cover every pair of
    points once.  The n points are cut into at least `least` parts of whole blocks, or of one block
    where there are too few.  First comes each part with itself; then, as in a round-robin
    tournament, one part stays and the others move on by a seat each round.
    """
    blocks = -(-n // block)
    size = max(1, blocks // least) * block
    cuts = np.append(np.arange(0, n, size), n).astype(np.int64)
    parts = np.stack([cuts[:-1], cuts[1:]], axis=1)
    yield np.concatenate([parts, parts], axis=1)
    seats = len(parts) + len(parts) % 2  # of an odd number, one part pauses each round
    for turn in range(seats - 1):
        order = np.concatenate([[0], 1 + (np.arange(seats - 1) + turn) % (seats - 1)])
        pairs = np.sort(np.stack([order[: seats // 2], order[: seats // 2 - 1 : -1]]), axis=0)
        pairs = pairs[:, pairs[1] < len(parts)]
        if pairs.size:
            yield np.concatenate([parts[pairs[0]], parts[pairs[1]]], axis=1)


def ordered_pairs(parts: NDArray[np.int64]) -> int:
    """Return the number of ordered pairs of points in one round."""
    a, b = parts[:, 1] - parts[:, 0], parts[:, 3] - parts[:, 2]
    return int(np.where(parts[:, 0] == parts[:, 2], a * b, 2 * a * b).sum())


_FEWEST = 8 * kernels.SAMPLE  # points from which the sample is a small part of the pairs


def _symmetric_pays(points: Points, k: int, memory: int) -> bool:
    """Return whether a symmetric pass is faster (`python -m bench within`) and fits in the memory.

    The packed set and the lists of all its points are in memory at the same time.
    """
    n, dim = points.shape
    point_bytes = LISTED * capacity(k + 1, n) + packed_bytes(dim) + 40
    return n >= _FEWEST and bool(n * point_bytes <= memory)


def _symmetric_kth(points: Points, task: Kth, resources: Resources) -> Any:
    """Answer the task from a symmetric pass, and return for which points its lists failed.

    None where the filter is off, or all points are the sample.  The first points are a sample of
    the set: they are compared with all points, which gives the others their first limits; then come
    the pairs of the others, each once.
    """
    frame = frame_of(points)
    n, dim = points.shape
    threads, sample = resources.threads, kernels.SAMPLE
    if frame.exact or n <= sample:
        return None
    order = golden_permutation(n)
    rows = select(points, order)
    kernel_pass = new_pass(rows, rows, n, True, frame)
    kernel_pass.load(0, n, threads)
    lists = resources.lists(n, task.k + 1, capacity(task.k + 1, n))
    for first, count in calls(0, sample, n, dim, threads):
        kernel_pass.scan([], first, count, threads, lists)
    for first, count in calls(sample, n - sample, sample, dim, threads):
        kernel_pass.scan([], first, count, threads, lists, sample=True)
    resources.progress.advance(sample * (2 * n - sample))
    least = math.ceil(n * n * flops(dim) / (2 * threads * FLOPS_A_CALL))
    arms, seen = kernel_pass.int8_bounds(), np.full(n, sample)
    seen[:sample] = n
    for parts in rounds(n - sample, max(4 * threads, least), QUERIES):
        kernel_pass.lower_limits(lists, seen, arms, threads)
        kernel_pass.symmetric(lists, parts + sample, arms, threads)
        for first, end, start, stop in (parts + sample).tolist():
            seen[first:end] += stop - start
            if first != start:
                seen[start:stop] += end - first
        resources.progress.advance(ordered_pairs(parts))
        if lists.failed > n // 4:
            break
    task.d2 = np.empty((n, len(task.ks)))
    failed = np.ones(n, bool)
    none = np.empty(0, np.int64)
    if lists.failed <= n // 4:
        result = answers(kernel_pass, lists, slice(0, n), (task.ks, none, none), True, resources)
        task.d2[order], failed[order] = result["d2"][0], result["failed"]
    resources.give_back(lists)
    resources.work.add(kernel_pass.counters())
    resources.work.fallback += int(failed.sum())
    return failed


class Exact:
    """The engine that answers every task.

    Parameters
    ----------
    once : bool or None
        Whether to compute each pair inside a set once; None (default) does so where it is faster.
        Results do not depend on it.
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
        """Answer the tasks.

        Counts without `cols` share the pass of a Nearest, the others one pass; every other task
        takes a pass of its own.
        """
        resources = fitted(queries.shape[1], resources)
        counts = [[t for t in tasks if isinstance(t, Count) and t.side == s] for s in (0, 1)]
        for task in tasks:
            match task:
                case Kth():
                    self._kth(queries, refs[0], task, resources)
                case Nearest():
                    fused = [[t for t in of_set if t.cols is None] for of_set in counts]
                    if listed_union(queries, refs, task, fused, resources):
                        counts = [[t for t in of_set if t.cols is not None] for of_set in counts]
                    divide(self, queries, refs, task, resources)
                case LogSum(t, total):
                    for kernel_pass, first, number in loads(queries, refs[0], 16, resources):
                        kernel_pass.logsum(t, total, first, number, resources.threads)
                case LargestRatio(ref_t, best):
                    for kernel_pass, first, number in loads(queries, refs[0], 16, resources):
                        kernel_pass.ratio(ref_t, best, first, number, resources.threads)
        for points, of_set in zip(refs, counts, strict=False):  # one set or two
            if of_set:
                _count(queries, points, of_set, resources)

    def _kth(self, queries: Points, refs: Points, task: Kth, resources: Resources) -> None:
        if task.within:
            pays = self.once is None and _symmetric_pays(refs, task.k, resources.memory)
            failed = _symmetric_kth(refs, task, resources) if self.once or pays else None
            if failed is not None:
                kth_from_reservoirs(queries, refs, task, failed, resources)
                return
        listed_kth(queries, refs, task, resources)


def _count(queries: Points, refs: Points, tasks: list[Count], resources: Resources) -> None:
    arguments = [(t.query_t, t.ref_t, t.closed, t.rows, t.cols) for t in tasks]
    columns = sum(task.cols is not None for task in tasks)
    extra = 16 + 8 * len(tasks) + 4 * resources.threads * columns
    for kernel_pass, first, number in loads(queries, refs, extra, resources):
        kernel_pass.scan(arguments, first, number, resources.threads)
