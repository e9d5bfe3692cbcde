"""The k nearest of each query in one set or in two: from lists, with reservoirs as the fallback.

Inside a set a symmetric pass computes each pair once, for both of its ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import blocks
from prfast.kernels import distances as kernels
from prfast.neighbors.passes import (
    FLOPS_A_CALL,
    QUERIES,
    Frame,
    Side,
    answers,
    calls,
    capacity,
    flops,
    frame_of,
    golden_permutation,
    int8_may_pay,
    new_pass,
    packed_bytes,
    ref_block_sizes,
    super_blocks,
)
from prfast.neighbors.tasks import (
    LISTED,
    NO_KS,
    Count,
    Ints,
    Nearest,
    Points,
    Resources,
    own,
)
from prfast.samples.partitioned import select

Failed = NDArray[np.bool_]  # for each query, whether lists do not answer it

_BYTES = 24  # of a reference in a reservoir
_LONG, _MANY = 256, 32  # features and neighbors from which, up to which int8 decides quickly
_VARIED = 0.1  # standard deviation of D over its mean from which int8 decides nearly all pairs
_FEWEST = 8 * kernels.SAMPLE  # points from which a symmetric pass is faster

# ---- reservoirs ----------------------------------------------------------------------------------


def _reservoirs(
    queries: Points, sets: Sequence[Points], k: int, resources: Resources
) -> Iterator[tuple[slice, list[tuple[kernels.Pass, kernels.Nearest]]]]:
    """Yield queries with a pass over each set and its reservoirs of their k nearest.

    They come in parts of super-blocks that can be answered in a fraction of a second.
    """
    # Cutting a reservoir costs O(capacity) and frees half.
    capacities = [2 * min(k, len(refs)) + 16 for refs in sets]
    share = resources.memory // 2 // (_BYTES * sum(capacities))
    block = max(QUERIES, share // QUERIES * QUERIES)
    most = ref_block_sizes(sets, 16, resources.memory)
    passes = [
        new_pass(queries, refs, size, resources) for refs, size in zip(sets, most, strict=True)
    ]
    for rows in blocks(len(queries), block):
        first, count = rows.start, rows.stop - rows.start
        of_sets = []
        for refs, kernel_pass, loaded, entries in zip(sets, passes, most, capacities, strict=True):
            state = kernels.Nearest(first, count, min(k, len(refs)), entries)
            for part in blocks(len(refs), loaded):
                size = part.stop - part.start
                if first == 0 or loaded < len(refs):
                    kernel_pass.load(part.start, size, resources.threads)
                for at, number in calls(first, count, size, refs.shape[1], resources.threads):
                    kernel_pass.nearest(state, at, number, resources.threads)
                    resources.progress.advance(number * size)
            of_sets.append((kernel_pass, state))
        for at, number in calls(first, count, sum(capacities), queries.shape[1], resources.threads):
            yield slice(at, at + number), of_sets


# ---- one set, each pair once ---------------------------------------------------------------------


def rounds(n: int, least: int, block: int) -> Iterator[Ints]:
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


def symmetric_pays(points: Points, k: int, memory: int) -> bool:
    """Return whether a symmetric pass is faster and fits in the memory.

    The packed set and the lists of all its points are in memory at the same time.  Where the int8
    filter decides nearly all pairs of long rows, the lists of a symmetric pass, two for a pair,
    take longer than the dot products that it saves: .75 to .95 of the time without it.  It does so
    where D varies; of normal samples in 2048 dimensions, all at nearly the same D, it leaves many
    open, for which a symmetric pass has half of the work.
    """
    n, dim = points.shape
    point_bytes = LISTED * capacity(k + 1, n, QUERIES) + packed_bytes(dim) + 40
    if n < _FEWEST or n * point_bytes > memory:
        return False
    if dim < _LONG or k >= _MANY or not int8_may_pay(dim, lists=True):
        return True
    order = golden_permutation(n)[: kernels.SAMPLE]
    d2 = kernels.pairs(points, points, order[1:].copy(), order[:-1].copy())
    return bool(d2.std() < _VARIED * d2.mean())


def symmetric_lists(
    points: Points, k: int, resources: Resources
) -> tuple[kernels.Pass, kernels.Lists | None, Ints] | None:
    """Return lists of the k nearest within a set from a symmetric pass, and the order of points.

    None where the filter is off or points are few, and in place of the lists where too many fail.
    """
    frame = frame_of(points)
    n, dim = points.shape
    threads = resources.threads
    if frame.exact or n <= kernels.SAMPLE:
        return None
    order = golden_permutation(n)
    rows = select(points, order)
    kernel_pass = new_pass(rows, rows, n, resources, frame, within=True)
    kernel_pass.load(0, n, threads)
    lists = kernels.Lists(n, k + 1, capacity(k + 1, n, QUERIES))
    least = math.ceil(n * n * flops(dim) / (2 * threads * FLOPS_A_CALL))
    arms, seen = kernel_pass.int8_bounds(), np.zeros(n, np.int64)
    for parts in rounds(n, max(4 * threads, least), QUERIES):
        kernel_pass.lower_limits(lists, seen, arms, threads)
        kernel_pass.symmetric(lists, parts, arms, threads)
        for first, end, start, stop in parts.tolist():
            seen[first:end] += stop - start
            if first != start:
                seen[start:stop] += end - first
        # Each pair of points is one of two, but for pairs within a part, which has both.
        a, b = parts[:, 1] - parts[:, 0], parts[:, 3] - parts[:, 2]
        ordered = np.where(parts[:, 0] == parts[:, 2], a * b, 2 * a * b)
        resources.progress.advance(int(ordered.sum()))
        if lists.failed > n // 4:
            return kernel_pass, None, order
    return kernel_pass, lists, order


def symmetric_kth(points: Points, task: Nearest, resources: Resources) -> Failed | None:
    """Answer a Nearest within a set from a symmetric pass, and return for which queries lists fail.

    None, without an answer, where the filter is off or points are few.
    """
    made = symmetric_lists(points, task.k, resources)
    if made is None:
        return None
    kernel_pass, lists, order = made
    failed = np.ones(len(points), bool)
    if lists is not None:
        result = answers([(kernel_pass, lists)], slice(0, len(points)), task, resources)
        task.d2_a[order], failed[order] = result["d2"][0], result["failed"]
    return failed


# ---- one set or two ------------------------------------------------------------------------------


class _CachedLists(NamedTuple):
    """Cached lists of all queries in a fixed set, and their frame.

    Every call has a pass of its own and does not change them, so that calls may share them.
    """

    frame: Frame
    lists: kernels.Lists


def listed(
    queries: Points,
    refs: Sequence[Points],
    task: Nearest,
    counts: Sequence[Sequence[Count]],
    resources: Resources,
) -> Failed | None:
    """Answer a Nearest, and `counts` (without cols) in each set, from one pass over the sets.

    Counts of the task that lists do not determine stay −1 (see `exact.divide`).  Return for which
    queries lists fail; None, without an answer, where the filter is off.
    """
    cached = None if task.cache is None else _cached_lists(queries, refs, task, resources)
    frame = frame_of(*refs, queries) if cached is None else cached.frame
    if frame.exact:
        return None
    failed = np.ones(len(queries), bool)
    most = ref_block_sizes(refs, 16, resources.memory)
    only_kth = len(refs) == 1 and len(task.ks_a) == 1
    unrefined = kernels.ALL_BUT_KTH_UNREFINED if only_kth else kernels.FAR_UNREFINED
    sides = []
    for points, within, packed in zip(refs, task.within, most, strict=False):
        k = min(task.k, len(points))
        sides.append(Side(queries, points, k, within, frame, packed, resources, unrefined))
    values = None if task.values is None else task.values[sides[0].order]
    task.least = None if values is None else np.full(len(queries), np.nan)
    ks = [side.k for side in sides]
    for rows in super_blocks(len(queries), ks, refs, most, resources.memory):
        scanned = []
        for i, (side, of_set) in enumerate(zip(sides, counts, strict=False)):
            if i == 0 and cached is not None:
                lists: kernels.Lists | None = cached.lists
                if of_set:
                    side.scan(rows, of_set, resources, lists=False)
            else:
                lists = side.scan(rows, of_set, resources)
            if lists is not None:
                scanned.append((side.kernel_pass, lists))
        if len(scanned) < len(sides):
            continue
        result = answers(scanned, rows, task, resources, values)
        task.d2_a[rows], task.d2_b[rows], task.d2_both[rows] = result["d2"]
        task.of_a[rows], task.of_b[rows] = result["of"]
        if task.across:
            task.across_a[rows], task.across_b[rows] = result["across"]
        if task.least is not None:
            task.least[rows] = result["least"]
        failed[rows] = result["failed"]
    return failed


def _cached_lists(
    queries: Points, refs: Sequence[Points], task: Nearest, resources: Resources
) -> _CachedLists | None:
    """Return cached lists of the first set, which are created here; None where there are none."""
    assert task.cache is not None
    k, within = min(task.k, len(refs[0])), task.within[0]
    if (k, within) not in task.cache:  # concurrent calls may each create them, with equal results
        task.cache[k, within] = _new_cached_lists(queries, refs[0], k, within, resources)
    cached: _CachedLists | None = task.cache[k, within]
    return cached if cached is not None and cached.frame.holds(refs[1]) else None


def _new_cached_lists(
    queries: Points, refs: Points, k: int, within: bool, resources: Resources
) -> _CachedLists | None:
    """Return lists to cache; None if the filter is off, memory is short or too many lists fail."""
    frame = frame_of(refs, queries, headroom=3)
    nbytes = len(queries) * LISTED * capacity(k + within, len(refs))
    if frame.exact or nbytes > resources.memory // 2:
        return None
    most = ref_block_sizes([refs], 16, resources.memory)
    side = Side(queries, refs, k, within, frame, most[0], resources, kernels.FAR_UNREFINED)
    every = slice(0, len(queries))
    lists = side.scan(every, [], resources)
    if lists is None:
        return None
    # The first call of `answers` removes own points from the lists; do it before they are shared.
    answers([(side.kernel_pass, lists)], every, Nearest(NO_KS), resources)
    return _CachedLists(frame, lists)


def from_reservoirs(
    queries: Points,
    refs: Sequence[Points],
    task: Nearest,
    failed: Failed | None,
    resources: Resources,
) -> None:
    """Answer a Nearest from reservoirs: for queries whose lists failed; without lists, for all."""
    left = np.arange(len(queries)) if failed is None else np.flatnonzero(failed)
    if not left.size:
        return
    if failed is not None:
        resources.work["fallback"] += left.size
    ks = task.inclusive_ks()
    ks_both = ks[2]
    most = int(max(of_set.max(initial=1) for of_set in ks))
    threads, closed = resources.threads, task.closed
    for rows, reservoirs in _reservoirs(select(queries, left), refs, most, resources):
        index, block = left[rows], (rows.start, rows.stop - rows.start)
        d2_of_sets = zip(reservoirs, (task.d2_a, task.d2_b), ks, strict=False)
        for (kernel_pass, state), d2, ks_of_set in d2_of_sets:
            if len(ks_of_set):
                d2[index] = kernel_pass.finish(state, *block, ks_of_set, threads)
        if len(ks_both):
            a, b = reservoirs
            t = a[0].finish(a[1], *block, ks_both, threads, *b)
            task.d2_both[index] = t
            sides = (a, task.of_a, task.within[0]), (b, task.of_b, task.within[1])
            for (kernel_pass, state), counts, same in sides:
                count = kernel_pass.count_within(state, *block, t, closed, threads)
                # −1 where points that the reservoir has dropped might be among them.
                counts[index] = np.where(count < 0, -1, count - (own(t, closed) if same else 0))
    if task.across:
        task.across_a[left] = task.across_b[left] = -1
