"""The exact engine: counts, sums and ratios in one pass, the k nearest from lists (`nearest`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s, blocks
from prfast.inputs.options import Progress
from prfast.kernels import distances as kernels
from prfast.neighbors.nearest import (
    listed_kth,
    listed_union,
    symmetric_kth,
    symmetric_lists,
    symmetric_pays,
)
from prfast.neighbors.passes import (
    Frame,
    Side,
    calls,
    frame_of,
    golden_permutation,
    loads,
    new_pass,
    ref_block_sizes,
    super_blocks,
    within_memory,
)
from prfast.neighbors.tasks import (
    Count,
    Engine,
    HalfCount,
    HalfKth,
    Ints,
    Kth,
    LargestRatio,
    LogSum,
    Nearest,
    Points,
    Resources,
    Task,
    add_logs,
    own,
)
from prfast.samples.partitioned import select


def divide(
    engine: Engine, queries: Points, refs: Sequence[Points], task: Nearest, resources: Resources
) -> None:
    """Count the of_a, of_b, across_a and across_b of the task that are −1.

    These are the balls for which lists of the nearest do not reach far enough.
    """
    balls = [(0, task.of_a, task.d2_both), (1, task.of_b, task.d2_both)]
    if task.across:
        balls += [(0, task.across_a, task.d2_b), (1, task.across_b, task.d2_a)]
    for side, counts, d2 in balls:
        unknown = np.flatnonzero((counts < 0).any(axis=1))
        if not unknown.size:
            continue
        t = d2[unknown]
        rows = np.zeros((t.shape[1], len(unknown)), np.int64)
        tasks = [
            Count(thresholds, None, task.closed, count)
            for thresholds, count in zip(t.T, rows, strict=True)
        ]
        engine.run(select(queries, unknown), [refs[side]], tasks, resources)
        if task.within[side]:  # D(x, x) = 0 was counted
            rows -= own(t, task.closed).T
        counts[unknown] = rows.T


# ---- halves --------------------------------------------------------------------------------------


def half_kth(engine: Exact, points: Points, task: HalfKth, resources: Resources) -> None:
    """Answer a HalfKth from one list of the nearest of each point for all halvings.

    What lists do not determine is searched in the half itself.
    """
    n, sides = len(points), task.sides
    rank, task.d2 = min(n - 1, task.rank), np.full((n, len(task.ks), kernels.HALVINGS), np.nan)
    once = engine.once
    if once is None:
        once = symmetric_pays(points, rank, resources.memory)
    made = symmetric_lists(points, rank, resources) if once else None
    if made is not None:
        kernel_pass, lists, order = made
        if lists is not None:
            both = sides[order], sides[order]
            task.d2[order] = _half_answers(kernel_pass, lists, slice(0, n), both, task, resources)
            resources.give_back(lists)
        resources.work.add(kernel_pass.counters())
    elif not (frame := frame_of(points)).exact:
        most = ref_block_sizes([points], 16, resources.memory)
        side = Side(points, points, rank, True, frame, most[0], resources.block)
        both = sides, sides[side.order]
        for rows in super_blocks(n, [side.k], [points], most, resources.memory):
            lists = side.scan(rows, [], resources)
            if lists is not None:
                task.d2[rows] = _half_answers(side.kernel_pass, lists, rows, both, task, resources)
        side.end(resources)
        resources.work.add(side.kernel_pass.counters())
    _search_in_halves(engine, points, task, resources)


def _half_answers(
    kernel_pass: kernels.Pass,
    lists: kernels.Lists,
    rows: slice,
    sides: tuple[Any, Any],
    task: HalfKth,
    resources: Resources,
) -> Float64s:
    """Return `kernels.Pass.half_kth`, computed in calls of a fraction of a second."""
    first, count, threads = rows.start, rows.stop - rows.start, resources.threads
    return np.concatenate([
        kernel_pass.half_kth(lists, at, number, task.ks, task.halvings, sides, threads)
        for at, number in calls(first, count, lists.capacity, kernel_pass.dim, threads)
    ])  # fmt: skip


def _search_in_halves(engine: Exact, points: Points, task: HalfKth, resources: Resources) -> None:
    """Answer a HalfKth where d2 is NaN.

    Of these points it is not known which of their half they are (`Kth.inclusive`).
    """
    for halving in range(task.halvings):
        left = np.isnan(task.d2[:, :, halving]).any(axis=1)
        for rows in (task.sides >> halving & 1 == side for side in (0, 1)):
            queries = np.flatnonzero(rows & left)
            if queries.size:
                resources.work.fallback += queries.size
                kth, half = Kth(task.ks + 1), select(points, np.flatnonzero(rows))
                engine.run(select(points, queries), [half], [kth], resources)
                task.d2[queries, :, halving] = kth.d2


def count_halves(
    queries: Points, refs: Points, tasks: Sequence[HalfCount], resources: Resources
) -> None:
    """Answer counts of halves, of the same halvings, in one pass."""
    arguments = [(t.query_t, t.ref_t, t.closed, t.rows, t.cols) for t in tasks]
    extra = (8 + 4 * resources.threads) * len(tasks) * kernels.HALVINGS
    for kernel_pass, first, number in loads(queries, refs, extra, resources):
        kernel_pass.scan(arguments, first, number, resources.threads, sides=tasks[0].sides)


# ---- sums of logarithms --------------------------------------------------------------------------

# Sums end at LOG_LEAST.  Where many points are within the radius, as of most points, a sum ends
# there whatever its last digits are, and a product of upper bounds tells that without any D.  So
# all sums are exact in a first strip of each side, from which it is guessed which of them end; of
# those the kernels multiply bounds in the rest of the pass.  Sums that were guessed to end and of
# which the bounds do not tell it are taken again, exactly.  Guesses change the time, and not the
# results.

_STRIP = kernels.SAMPLE
_GUESSED_FROM = 4 * _STRIP  # points of a side
_MARGIN = 1.15  # of an estimated sum


class _LogSums:
    """Sums of logarithms in a pass: those of a task, of queries and of references.

    t, exact, sums, products, all : as `kernels.Pass.scan` expects them.
    """

    all = False

    def __init__(self, t: tuple[float, float], sizes: tuple[int, int], bounds: bool) -> None:
        self.t = t
        self.exact = tuple(np.ones(size, np.uint8) for size in sizes)
        self.sums = tuple(np.zeros(size, np.int64) for size in sizes)
        self.products = tuple(np.ones(size) for size in sizes) if bounds else None

    def guess(self, side: int, part: slice, seen: int, size: int) -> None:
        """Guess which sums end, when `seen` of the `size` points of the other side have passed."""
        assert self.products is not None
        product = self.products[side][part]
        rest = np.log2(product) * (size - seen) / seen
        estimate = self.sums[side][part] * kernels.LOG_UNIT + rest
        ends = estimate <= _MARGIN * kernels.LOG_LEAST * kernels.LOG_UNIT
        self.exact[side][part] = ~ends
        product[:] = 1.0

    def unknown(self, side: int) -> Ints:
        """Return the points whose sums were guessed to end, and did not; set the others."""
        assert self.products is not None
        guessed = self.exact[side] == 0
        bound = self.sums[side] * kernels.LOG_UNIT + np.log2(self.products[side])
        ends = bound <= np.log2(kernels.LOG_BOUND)
        self.sums[side][guessed & ends] = kernels.LOG_LEAST
        unknown = np.flatnonzero(guessed & ~ends)
        self.sums[side][unknown] = 0
        return unknown


def scan_logs(
    queries: Points, refs: Points, task: LogSum, counts: Sequence[Count], resources: Resources
) -> None:
    """Answer a sum of logarithms and counts in one pass."""
    m, n = len(queries), len(refs)
    guessed = min(m, n) >= _GUESSED_FROM
    orders = None
    if guessed:  # strips are fair samples of each side, however the points are sorted
        orders = golden_permutation(m), golden_permutation(n)
        queries, refs = select(queries, orders[0]), select(refs, orders[1])
    state = _LogSums(task.t, (m, n), guessed)
    permuted = [_permuted(count, orders) for count in counts]
    frame = frame_of(refs, queries)
    _scan(queries, refs, state, permuted, guessed, frame, resources)
    for side, (near, far) in enumerate(((queries, refs), (refs, queries))):
        unknown = state.unknown(side) if guessed else np.empty(0, np.int64)
        if unknown.size:
            again = _LogSums((task.t[side], -1.0), (unknown.size, len(far)), False)
            quiet = replace(resources, progress=Progress(False))
            _scan(select(near, unknown), far, again, [], False, frame, quiet)
            state.sums[side][unknown] = again.sums[0]
    for side, total in enumerate((task.rows, task.cols)):
        sums = state.sums[side]
        if orders is not None:
            sums = np.empty_like(sums)
            sums[orders[side]] = state.sums[side]
        add_logs(total, sums)
    for count, one in zip(counts, permuted, strict=True):
        for side, name in enumerate(("rows", "cols")):
            if orders is not None and getattr(count, name) is not None:
                getattr(count, name)[orders[side]] += getattr(one, name)


def _permuted(count: Count, orders: tuple[Ints, Ints] | None) -> Count:
    """Return a count of points in another order, with arrays of its own."""
    if orders is None:
        return count
    query_t, ref_t = (
        None if t is None else t[order]
        for t, order in zip((count.query_t, count.ref_t), orders, strict=True)
    )
    rows, cols = (None if one is None else np.zeros_like(one) for one in (count.rows, count.cols))
    return Count(query_t, ref_t, count.closed, rows, cols)


def _scan(
    queries: Points,
    refs: Points,
    state: _LogSums,
    counts: Sequence[Count],
    guess: bool,
    frame: Frame,
    resources: Resources,
) -> None:
    """Scan all pairs; guess: strips of both sides first, and guesses from them."""
    m, n, threads = len(queries), len(refs), resources.threads
    arguments = [(t.query_t, t.ref_t, t.closed, t.rows, t.cols) for t in counts]
    extra = 24 + 8 * len(counts) + threads * (16 + 4 * len(counts))
    (most,) = ref_block_sizes([refs], extra, resources.memory)
    kernel_pass = new_pass(queries, refs, most, False, frame, block=resources.block)
    strip = _STRIP if guess else 0
    columns = [*blocks(strip, most), *(_shifted(part, strip) for part in blocks(n - strip, most))]
    for part in columns:
        size = part.stop - part.start
        kernel_pass.load(part.start, size, threads)
        state.all = part.start < strip
        for rows in (slice(0, strip), slice(strip, m))[not guess :]:
            count = rows.stop - rows.start
            for first, number in calls(rows.start, count, size, refs.shape[1], threads):
                kernel_pass.scan(arguments, first, number, threads, logs=state)
                resources.progress.advance(number * size)
            if guess and not state.all and not rows.start:
                state.guess(1, part, strip, m)
        if guess and part.stop == strip:
            state.guess(0, slice(None), strip, n)
    resources.work.add(kernel_pass.counters())


def _shifted(part: slice, by: int) -> slice:
    return slice(part.start + by, part.stop + by)


@dataclass
class Exact:
    """The engine that answers every task.

    Parameters
    ----------
    once : bool or None
        Whether to compute each pair inside a set once; None (default) does so where it is faster.
        Results do not depend on it.
    """

    once: bool | None = None

    def run(
        self, queries: Points, refs: Sequence[Points], tasks: Sequence[Task], resources: Resources
    ) -> None:
        """Answer the tasks.

        Counts without `cols` share the pass of a Nearest, the others one pass, with a sum of
        logarithms; every other task takes a pass of its own.
        """
        resources = within_memory(queries.shape[1], resources)
        counts = [[t for t in tasks if isinstance(t, Count) and t.side == s] for s in (0, 1)]
        if halved := [task for task in tasks if isinstance(task, HalfCount)]:
            count_halves(queries, refs[0], halved, resources)
        for task in tasks:
            match task:
                case Kth():
                    once = task.within and self.once is not False
                    if self.once is None:
                        once = once and symmetric_pays(refs[0], task.k, resources.memory)
                    if not (once and symmetric_kth(refs[0], task, resources)):
                        listed_kth(queries, refs[0], task, resources)
                case Nearest():
                    fused = [[t for t in of_set if t.cols is None] for of_set in counts]
                    if listed_union(queries, refs, task, fused, resources):
                        counts = [[t for t in of_set if t.cols is not None] for of_set in counts]
                    divide(self, queries, refs, task, resources)
                case HalfKth():
                    half_kth(self, refs[0], task, resources)
                case LogSum():
                    scan_logs(queries, refs[0], task, counts[0], resources)
                    counts[0] = []
                case LargestRatio(ref_t, best):
                    for kernel_pass, first, number in loads(queries, refs[0], 16, resources):
                        kernel_pass.ratio(ref_t, best, first, number, resources.threads)
        for points, of_set in zip(refs, counts, strict=False):  # one set or two
            if of_set:
                arguments = [(t.query_t, t.ref_t, t.closed, t.rows, t.cols) for t in of_set]
                columns = sum(task.cols is not None for task in of_set)
                extra = 16 + 8 * len(of_set) + 4 * resources.threads * columns
                for kernel_pass, first, number in loads(queries, points, extra, resources):
                    kernel_pass.scan(arguments, first, number, resources.threads)
