"""The exact engine: counts, sums and ratios in one pass, the k nearest from lists (`nearest`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from prfast.inputs.arrays import blocks
from prfast.inputs.options import Progress
from prfast.kernels import distances as kernels
from prfast.neighbors.nearest import listed_kth, listed_union, symmetric_kth, symmetric_pays
from prfast.neighbors.passes import (
    Frame,
    calls,
    frame_of,
    golden_permutation,
    loads,
    new_pass,
    ref_block_size,
    within_memory,
)
from prfast.neighbors.tasks import (
    Count,
    Engine,
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
    select,
)


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
    most = ref_block_size(refs, extra, resources.memory)
    kernel_pass = new_pass(queries, refs, most, False, frame, block=resources.block)
    strip = _STRIP if guess else 0
    columns = [slice(0, strip), *(_shifted(part, strip) for part in blocks(n - strip, most))]
    for part in columns[not guess :]:
        size = part.stop - part.start
        kernel_pass.load(part.start, size, threads)
        state.all = guess and not part.start
        for rows in (slice(0, strip), slice(strip, m))[not guess :]:
            count = rows.stop - rows.start
            for first, number in calls(rows.start, count, size, refs.shape[1], threads):
                kernel_pass.scan(arguments, first, number, threads, logs=state)
                resources.progress.advance(number * size)
            if guess and part.start and not rows.start:
                state.guess(1, part, strip, m)
        if guess and not part.start:
            state.guess(0, slice(None), strip, n)
    resources.work.add(kernel_pass.counters())


def _shifted(part: slice, by: int) -> slice:
    return slice(part.start + by, part.stop + by)


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
        self, queries: Points, refs: Sequence[Points], tasks: Sequence[Task], resources: Resources
    ) -> None:
        """Answer the tasks.

        Counts without `cols` share the pass of a Nearest, the others one pass, with a sum of
        logarithms; every other task takes a pass of its own.
        """
        resources = within_memory(queries.shape[1], resources)
        counts = [[t for t in tasks if isinstance(t, Count) and t.side == s] for s in (0, 1)]
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
