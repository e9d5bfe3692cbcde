"""The exact engine: counts and ratios in one pass, the k nearest from lists.

Queries that lists do not answer are answered from reservoirs.  Inside a set a symmetric pass
computes each pair once, for both of its ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import blocks
from prfast.kernels import distances as kernels
from prfast.neighbors import passes
from prfast.neighbors.heads import near_together
from prfast.neighbors.passes import QUERIES, Pass, calls, capacity, frame_of, golden_permutation
from prfast.neighbors.tasks import (
    LISTED,
    NO_KS,
    Count,
    Engine,
    HalfCount,
    HalfKth,
    Ints,
    LargestRatio,
    Nearest,
    Points,
    Resources,
    Task,
    inside,
)
from prfast.samples.partitioned import Rows

Failed = NDArray[np.bool_]  # for each query, whether lists do not answer it

_BYTES = 24  # of a reference in a reservoir
_LONG = 256  # features from which int8 decides quickly
_VARIED = 0.1  # standard deviation of D over its mean from which int8 decides nearly all pairs
_FEWEST = 8 * kernels.SAMPLE  # points from which a symmetric pass is faster


def answer(
    queries: Points, refs: Sequence[Points], tasks: Sequence[Task], resources: Resources
) -> None:
    """Answer every kind of task: the engine whose results others have to the last bit.

    Counts without `cols` share the pass of a Nearest, counts with `cols` share a pass, and so do
    counts of halves, of the same halvings.  Every other task takes a pass of its own.
    """
    resources = passes.within_memory(queries.shape[1], resources)
    n, threads = len(queries), resources.threads
    counts = [[t for t in tasks if isinstance(t, Count) and t.side == s] for s in (0, 1)]
    if halved := [task for task in tasks if isinstance(task, HalfCount)]:
        arguments = [(t.query_t, t.ref_t, t.closed, t.rows, t.cols) for t in halved]
        extra = (8 + 4 * threads) * len(halved) * kernels.HALVINGS
        heads = passes.heads_that_pay(queries, refs[0], resources, tasks=arguments)
        kernel_pass = Pass(queries, refs[0], resources, extra=extra, heads=heads)
        for first, number in kernel_pass.over_refs(0, n):
            kernel_pass.scan(arguments, first, number, threads, sides=halved[0].sides)
    for task in tasks:
        match task:
            case Nearest():
                task.open(n)
                failed = None
                is_within = len(refs) == 1 and task.within[0]
                if is_within and symmetric_pays(refs[0], task.k, resources.memory):
                    made = _symmetric_lists(refs[0], task.k, resources)
                    if made is not None:
                        kernel_pass, lists, order = made
                        failed = np.ones(n, bool)
                        if lists is not None:
                            in_order, failed_in_order = replace(task), np.ones(n, bool)
                            in_order.open(n)
                            scanned = [(kernel_pass, lists)]
                            passes.answer(scanned, slice(0, n), in_order, failed_in_order)
                            task.d2_a[order], failed[order] = in_order.d2_a, failed_in_order
                if failed is None:
                    fused = [[t for t in group if t.cols is None] for group in counts]
                    failed = _listed(queries, refs, task, fused, resources)
                    if failed is not None:
                        counts = [[t for t in group if t.cols is not None] for group in counts]
                if failed is None or failed.any():
                    _from_reservoirs(queries, refs, task, failed, resources)
                divide(answer, queries, refs, task, resources)
            case HalfKth():
                _half_kth(refs[0], task, resources)
            case LargestRatio():
                squares = np.ascontiguousarray(task.ref_t)
                kernel_pass = Pass(queries, refs[0], resources)
                for first, number in kernel_pass.over_refs(0, n):
                    kernel_pass.ratio(squares, task.rows, first, number, threads)
    for points, group in zip(refs, counts, strict=False):  # one set or two
        if not group:
            continue
        # References in a row are a random sample.  Filters are abandoned by what the first of them
        # leave open: of sorted samples, near ones.
        order = golden_permutation(len(points))
        arguments = []
        for task in group:
            query_t = None if task.query_t is None else np.ascontiguousarray(task.query_t)
            ref_t = None if task.ref_t is None else task.ref_t[order]
            cols = None if task.cols is None else np.zeros(len(points), np.int64)
            arguments.append((query_t, ref_t, task.closed, task.rows, cols))
        columns = sum(task.cols is not None for task in group)
        extra = 32 + 16 * len(group) + 4 * threads * columns
        rows = Rows(points, order)
        heads = passes.heads_that_pay(queries, rows, resources, tasks=arguments)
        kernel_pass = Pass(queries, rows, resources, extra=extra, heads=heads)
        for first, number in kernel_pass.over_refs(0, n):
            kernel_pass.scan(arguments, first, number, threads)
        for task, (*_, cols) in zip(group, arguments, strict=True):
            if task.cols is not None:
                task.cols[order] += cols


def divide(
    engine: Engine, queries: Points, refs: Sequence[Points], task: Nearest, resources: Resources
) -> None:
    """Count the of_a, of_b, across_a and across_b that are −1: lists do not reach far enough."""
    balls = [(0, task.of_a, task.d2_both), (1, task.of_b, task.d2_both)]
    if task.across:
        balls += [(0, task.across_a, task.d2_b), (1, task.across_b, task.d2_a)]
    for side, counts, d2 in balls:
        unknown = np.flatnonzero((counts < 0).any(axis=1))
        if not unknown.size:
            continue
        t = d2[unknown]
        rows = np.zeros((t.shape[1], len(unknown)), np.int64)
        tasks = [Count(radii, None, task.closed, row) for radii, row in zip(t.T, rows, strict=True)]
        engine(Rows(queries, unknown), [refs[side]], tasks, resources)
        if task.within[side]:  # D(x, x) = 0 was counted
            rows -= inside(0.0, t, task.closed).T
        counts[unknown] = rows.T


# ---- lists ---------------------------------------------------------------------------------------


def _listed(
    queries: Points,
    refs: Sequence[Points],
    task: Nearest,
    counts: Sequence[Sequence[Count]],
    resources: Resources,
) -> Failed | None:
    """Answer a Nearest, and `counts` (without cols) in each set, from one pass over the sets.

    Counts of the task that lists do not determine stay −1 (`divide`).  Return for which queries
    lists fail; None, without an answer, where the filter is off.
    """
    cached = None if task.cache is None else _cached_lists(queries, refs, task, resources)
    frame = frame_of(*refs, queries) if cached is None else cached[0]
    if frame.exact:
        return None
    failed = np.ones(len(queries), bool)
    only_kth = len(refs) == 1 and len(task.ks_a) == 1
    unrefined = kernels.ALL_BUT_KTH_UNREFINED if only_kth else kernels.FAR_UNREFINED
    scans = []
    for points, within in zip(refs, task.within, strict=False):
        ranks: Any = {"k": min(task.k, len(points)), "within": within, "unrefined": unrefined}
        scans.append(Pass(queries, points, resources, frame, **ranks, sets=len(refs)))
    values = None if task.values is None else task.values[scans[0].order]
    task.least = None if values is None else np.full(len(queries), np.nan)
    for rows in passes.super_blocks(scans, len(queries)):
        scanned = []
        for kernel_pass, group in zip(scans, counts, strict=False):
            if cached is None or kernel_pass is not scans[0]:
                lists = kernel_pass.list_nearest(rows, group)
            else:
                lists = cached[1]
                if group:
                    kernel_pass.list_nearest(rows, group, lists=False)
            if lists is not None:
                scanned.append((kernel_pass, lists))
        if len(scanned) < len(scans):
            continue
        passes.answer(scanned, rows, task, failed, values)
    return failed


def _cached_lists(
    queries: Points, refs: Sequence[Points], task: Nearest, resources: Resources
) -> tuple[passes.Frame, kernels.Lists] | None:
    """Return cached lists of all queries in the first set, and their frame; create missing ones.

    None if the filter is off, memory is short, too many lists fail or the second set does not fit.
    """
    assert task.cache is not None
    k, within = min(task.k, len(refs[0])), task.within[0]
    if (k, within) not in task.cache:  # concurrent calls may each create them, with equal results
        cached, frame = None, frame_of(refs[0], queries, headroom=3)
        nbytes = len(queries) * LISTED * capacity(k + within, len(refs[0]))
        if not frame.exact and nbytes <= resources.memory // 2:
            ranks: Any = {"k": k, "within": within, "unrefined": kernels.FAR_UNREFINED}
            kernel_pass = Pass(queries, refs[0], resources, frame, **ranks)
            lists = kernel_pass.list_nearest(every := slice(0, len(queries)))
            if lists is not None:
                # `answer` removes own points from the lists, before these are shared.
                (none := Nearest(NO_KS)).open(len(queries))
                passes.answer([(kernel_pass, lists)], every, none, np.ones(len(queries), bool))
                cached = frame, lists
        task.cache[k, within] = cached
    found: tuple[passes.Frame, kernels.Lists] | None = task.cache[k, within]
    return found if found is not None and found[0].holds(refs[1]) else None


# ---- one set, each pair once ---------------------------------------------------------------------


def rounds(n: int, count: int) -> Iterator[Ints]:
    """Yield rounds of pairs of parts, rows (first, end, first, end), that share no point.

    The pairs of a round can be worked on in parallel, and all rounds together cover every pair of
    points once.  There are `count` parts of whole panels, or fewer that are a block each.  Their
    nearly equal sizes keep threads from waiting.  First comes each part with itself; then, as in a
    round-robin tournament, one part stays and the others move on by a seat each round.
    """
    count, panels = min(count, -(-n // QUERIES)), -(-n // kernels.PANEL)
    cuts = np.minimum(n, np.arange(count + 1, dtype=np.int64) * panels // count * kernels.PANEL)
    parts = np.stack([cuts[:-1], cuts[1:]], axis=1)
    yield np.concatenate([parts, parts], axis=1)
    seats = len(parts) + len(parts) % 2  # of an odd number, one part pauses each round
    for turn in range(seats - 1):
        order = np.concatenate([[0], 1 + (np.arange(seats - 1) + turn) % (seats - 1)])
        pairs = np.sort(np.stack([order[: seats // 2], order[: seats // 2 - 1 : -1]]), axis=0)
        pairs = pairs[:, pairs[1] < len(parts)]
        if pairs.size:
            yield np.concatenate([parts[pairs[0]], parts[pairs[1]]], axis=1)


def symmetric_pays(points: Points, k: int, memory: int) -> bool:
    """Return whether a symmetric pass is faster and fits in the memory.

    The packed set and the lists of all its points are in memory at the same time.  The two lists of
    a pair take longer than the saved dot product if the int8 filter decides nearly all pairs of
    long rows.  The filter does so where D varies.  Normal samples in 2048 dimensions are all at
    nearly the same D; it leaves many pairs open, and the pass has half of the work.
    """
    n, dim = points.shape
    point_bytes = LISTED * capacity(k + 1, n, QUERIES) + 5 * dim + passes.PACKED_BYTES + 40
    if n < _FEWEST or n * point_bytes > memory:
        return False
    if dim < _LONG or k >= passes.MANY or not passes.int8_may_pay(dim, least=4):
        return True
    order = golden_permutation(n, kernels.SAMPLE)
    d2 = kernels.pairs(points, points, order[1:].copy(), order[:-1].copy())
    return bool(d2.std() < _VARIED * d2.mean())


def _symmetric_lists(
    points: Points, k: int, resources: Resources
) -> tuple[Pass, kernels.Lists | None, Ints] | None:
    """Return lists of the k nearest within a set from a symmetric pass, and the order of points.

    None where the filter is off or points are few, and in place of the lists where too many fail.
    """
    frame = frame_of(points)
    n, dim = points.shape
    threads = resources.threads
    if frame.exact or n <= kernels.SAMPLE:
        return None
    heads = passes.heads_that_pay(points, points, resources, k)
    order = golden_permutation(n) if heads is None else near_together(heads[1][:], kernels.SAMPLE)
    rows = Rows(points, order)
    if heads is not None:
        heads = Rows(heads[0], order), Rows(heads[1], order), heads[2]
    ranks: Any = {"within": True, "nearest": k}
    kernel_pass = Pass(rows, rows, resources, frame, packed=n, heads=heads, **ranks)
    kernel_pass.load(0, n, threads)
    lists = kernels.Lists(n, k + 1, capacity(k + 1, n, QUERIES))
    count = math.ceil(n * n * (dim + passes.OVERHEAD) / (2 * threads * passes.PRODUCTS_A_CALL))
    arms, seen = kernel_pass.int8_bounds(), np.zeros(n, np.int64)
    # Filters decide more in parts of several blocks, whose limits are lower from the start.
    count = max((4 if n >= 12 * threads * QUERIES else 2) * threads, count)
    for parts in rounds(n, count):
        kernel_pass.lower_limits(lists, seen, arms, threads)
        kernel_pass.symmetric(lists, parts, arms, threads)
        for first, end, start, stop in parts.tolist():
            seen[first:end] += stop - start
            if first != start:
                seen[start:stop] += end - first
        # Each pair of points is one of two, but for pairs within a part: it has both.
        a, b = parts[:, 1] - parts[:, 0], parts[:, 3] - parts[:, 2]
        ordered = np.where(parts[:, 0] == parts[:, 2], a * b, 2 * a * b)
        resources.progress.advance(int(ordered.sum()))
        if lists.failed > n // 4:
            return kernel_pass, None, order
    return kernel_pass, lists, order


# ---- reservoirs ----------------------------------------------------------------------------------


def _from_reservoirs(
    queries: Points,
    refs: Sequence[Points],
    task: Nearest,
    failed: Failed | None,
    resources: Resources,
) -> None:
    """Answer a Nearest from reservoirs: for queries whose lists failed; without lists, for all."""
    left = np.arange(len(queries)) if failed is None else np.flatnonzero(failed)
    if failed is not None:
        resources.work["fallback"] += left.size
    ks, closed, threads = task.inclusive_ks(), task.closed, resources.threads
    k = int(max(group.max(initial=1) for group in ks))
    # Cutting a reservoir costs O(capacity) and frees half.
    capacities = [2 * min(k, len(points)) + 16 for points in refs]
    share = resources.memory // 2 // (_BYTES * sum(capacities))
    queries = Rows(queries, left)
    scans = [Pass(queries, points, resources, sets=len(refs)) for points in refs]
    for rows in blocks(len(left), max(1, share // QUERIES) * QUERIES):
        first, count = rows.start, rows.stop - rows.start
        states = []
        for kernel_pass, entries in zip(scans, capacities, strict=True):
            state = kernels.Nearest(first, count, min(k, kernel_pass.size), entries)
            for at, number in kernel_pass.over_refs(first, count):
                kernel_pass.nearest(state, at, number, threads)
            states.append(state)
        for block in calls(first, count, sum(capacities), queries.shape[1], threads):
            index = left[block[0] : sum(block)]
            d2_of_sets = zip(scans, states, (task.d2_a, task.d2_b), ks, strict=False)
            for kernel_pass, state, d2, ks_of_set in d2_of_sets:
                if len(ks_of_set):
                    d2[index] = kernel_pass.finish(state, *block, ks_of_set, threads)
            if not len(ks[2]):
                continue
            t = scans[0].finish(states[0], *block, ks[2], threads, scans[1], states[1])
            task.d2_both[index] = t
            sides = zip(scans, states, (task.of_a, task.of_b), task.within, strict=True)
            for kernel_pass, state, counts, within in sides:
                found = kernel_pass.count_within(state, *block, t, closed, threads)
                # −1 where points that the reservoir has dropped might be among them.
                itself = inside(0.0, t, closed) if within else 0
                counts[index] = np.where(found < 0, -1, found - itself)
    if task.across:
        task.across_a[left] = task.across_b[left] = -1


# ---- halves --------------------------------------------------------------------------------------


def _half_kth(points: Points, task: HalfKth, resources: Resources) -> None:
    """Answer a HalfKth from one list of the nearest of each point for all halvings.

    What lists do not determine is searched in the half itself.
    """
    n, threads, places = len(points), resources.threads, np.arange(len(points))
    rank, task.d2 = min(n - 1, task.rank), np.full((n, len(task.ks), kernels.HALVINGS), np.nan)
    scanned: Iterable[tuple[slice, kernels.Lists | None]] = []
    made = None
    if symmetric_pays(points, rank, resources.memory):
        made = _symmetric_lists(points, rank, resources)
    if made is not None:
        kernel_pass, lists, places = made
        scanned, order = [(slice(0, n), lists)], places
    elif not (frame := frame_of(points)).exact:
        kernel_pass = Pass(points, points, resources, frame, k=rank, within=True)
        order, parts = kernel_pass.order, passes.super_blocks([kernel_pass], n)
        scanned = ((rows, kernel_pass.list_nearest(rows)) for rows in parts)
    for rows, lists in scanned:
        if lists is None:
            continue
        sides: tuple[Any, Any] = task.sides[places], task.sides[order]
        block = rows.start, rows.stop - rows.start
        for at, number in calls(*block, lists.capacity, kernel_pass.dim, threads):
            part = kernel_pass.half_kth(lists, at, number, task.ks, task.halvings, sides, threads)
            task.d2[places[at : at + number]] = part
    for halving in range(task.halvings):
        left = np.isnan(task.d2[:, :, halving]).any(axis=1)
        for members in (task.sides >> halving & 1 == side for side in (0, 1)):
            queries = np.flatnonzero(members & left)
            if queries.size:
                resources.work["fallback"] += queries.size
                near, half = Nearest(task.ks + 1), Rows(points, np.flatnonzero(members))
                answer(Rows(points, queries), [half], [near], resources)
                task.d2[queries, :, halving] = near.d2_a
