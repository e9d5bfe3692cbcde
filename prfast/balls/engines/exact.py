"""The exact engine: super-blocks from Python, so that memory is bounded and Ctrl-C is heard."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import prfast._kernels as _kernels
from prfast.balls.engines.divide import divide
from prfast.balls.engines.pairs import ordered_pairs, rounds
from prfast.balls.engines.passes import (
    _capacity,
    _filter_is_off,
    _filter_is_void,
    _flops,
    _largest_offset,
    _mean,
    isa,
)
from prfast.balls.rows import Points, select
from prfast.balls.tasks import Count, Union
from prfast.inputs.arrays import Float64s
from prfast.inputs.blocks import blocks

# A pass, and what its references have left for a super-block of queries.
Kept = tuple[Any, Any]

_SECONDS_A_CALL = 0.5  # an interrupt waits no longer; threads wait for each other at its end
_FLOPS_A_CALL = 1e10  # of one thread; a fraction of a second on slow machines
_QUERIES = _kernels.BLOCK


class Exact:
    """The engine with its settings; each method is one pass over the distances.

    Parameters
    ----------
    threads : int
    memory : int
        Bytes for packed references and reservoirs, beside the inputs.

    `progress` may be set to an object with update(pairs).
    """

    def __init__(self, threads: int, memory: int) -> None:
        self.threads, self.memory = threads, memory
        self.progress: Any = None
        self.refined = 0  # distances computed in float64 because the filter could not decide
        self.unfiltered = 0  # pairs computed in float64 because the filter was given up
        self.redone = 0  # queries done again because a guessed threshold kept too much out

    def kth(
        self, queries: Points, refs: Points, ks: NDArray[np.int64], *, within: bool = False
    ) -> Float64s:
        """D of the k-th nearest reference for each of ks: (queries, ks)."""
        if within and self._symmetric(refs, int(ks.max())):
            symmetric = self._kth_within(refs, ks)
            if symmetric is not None:
                return symmetric
        found = np.empty((len(queries), len(ks)))
        for first, count, (one,) in self._nearest(queries, [refs], int(ks.max()), (within,)):
            side, state = one
            found[first : first + count] = side.finish(state, first, count, ks, self.threads)
            self._add(side)
        return found

    def _symmetric(self, points: Points, k: int) -> bool:
        """Does computing each pair once pay (`python -m bench within`), and is there memory for the
        packed set and the reservoirs of all its points?"""
        packed, reservoir = 4 * points.shape[1] + 16, 24 * _capacity(k)
        fits = len(points) * (packed + reservoir) <= self.memory
        return bool(fits and k <= 4 * points.shape[1])

    def _kth_within(self, points: Points, ks: NDArray[np.int64]) -> Float64s | None:
        """The same for the points of one set, computing each pair once; None where the filter
        decides so little that float64 tiles are better."""
        n, dim = points.shape
        side = self._pass(points, points, n, True)
        if side.exact:
            return None
        side.load(0, n, self.threads)
        state = _kernels.Nearest(0, n, int(ks.max()), _capacity(int(ks.max())))
        for first, count in self._calls(0, n, n, dim):
            side.within_start(state, first, count, self.threads)
        rounds_wanted = math.ceil(n * n * _flops(dim) / (2 * self.threads * _FLOPS_A_CALL))
        done = 0
        for parts in rounds(n, max(4 * self.threads, rounds_wanted), _QUERIES):
            decided = side.within_pairs(state, parts, self.threads)
            # engine_body.h gives up within a part, where it is long enough; here between rounds
            if not decided or side.refined > 2048 + (done + ordered_pairs(parts)) // 16:
                self._add(side)
                self._advance(-done)
                return None
            done += ordered_pairs(parts)
            self._advance(ordered_pairs(parts))
        for first, count in self._calls(0, n, n, dim):
            side.within_end(state, first, count, self.threads)
        found: Float64s = side.finish(state, 0, n, ks, self.threads)
        self._add(side)
        return found

    def union(
        self, queries: Points, a: Points, b: Points, task: Union, kept: Kept | None = None
    ) -> None:
        """Fill the task from one pass over both sets; over b alone with what was kept of a."""
        n, ks = len(queries), (task.ks_a, task.ks_b, task.ks_both)
        task.d2_a, task.d2_b, task.d2_both = (np.empty((n, len(one))) for one in ks)
        task.of_a, task.of_b = (np.empty((n, len(task.ks_both)), np.int64) for _ in range(2))
        sets, within = ([a, b], task.within) if kept is None else ([b], task.within[1:])
        for first, count, found in self._nearest(queries, sets, task.k, within):
            one, two = found if kept is None else (kept, *found)
            block = first, count
            rows = slice(first, first + count)
            if len(task.ks_a):
                task.d2_a[rows] = one[0].finish(one[1], *block, task.ks_a, self.threads)
            if len(task.ks_b):
                task.d2_b[rows] = two[0].finish(two[1], *block, task.ks_b, self.threads)
            if len(task.ks_both):
                t = one[0].finish(one[1], *block, task.ks_both, self.threads, two[0], two[1])
                task.d2_both[rows] = t
                for counts, (side, state) in ((task.of_a, one), (task.of_b, two)):
                    counts[rows] = side.kept_within(state, *block, t, task.closed, self.threads)
            self._add(one[0])
            self._add(two[0])
        unsure = np.flatnonzero(((task.of_a < 0) | (task.of_b < 0)).any(axis=1))
        if unsure.size:  # ties at the k-th distance that the reservoirs had no room for
            some = replace(task, d2_both=task.d2_both[unsure])
            task.of_a[unsure], task.of_b[unsure] = divide(self, select(queries, unsure), a, b, some)

    def count(self, queries: Points, refs: Points, tasks: Sequence[Count]) -> None:
        """Fill the rows and columns of the tasks."""
        columns = sum(task.cols is not None for task in tasks)
        room = self._room(refs, 16 + 8 * len(tasks) + 4 * self.threads * columns)
        side = self._pass(queries, refs, room, False)
        rows = [(t.query_t, t.ref_t, t.closed, t.rows, t.cols) for t in tasks]
        for part in blocks(len(refs), room):
            start, size = part.start, part.stop - part.start
            side.load(start, size, self.threads)
            for first, number in self._calls(0, len(queries), size, refs.shape[1]):
                side.count(rows, first, number, self.threads)
                self._advance(number * size)
        self._add(side)

    def log_distances(self, queries: Points, refs: Points, t: float) -> Float64s:
        """Σ ½ ln(D / t) over the references with D < t, in their order; −∞ where a D is 0."""
        total = np.zeros(len(queries))
        for side, first, count in self._passes(queries, refs):
            side.logsum(t, total, first, count, self.threads)
        return total

    def largest_ratio(self, queries: Points, refs: Points, ref_t: Float64s) -> Float64s:
        """max over the references of ref_t / D, 0/0 = 1; those with ref_t < 0 are passed over."""
        best = np.zeros(len(queries))
        for side, first, count in self._passes(queries, refs):
            side.ratio(ref_t, best, first, count, self.threads)
        return best

    def intervals(self, queries: Points, refs: Points) -> tuple[Float64s, Float64s]:
        """lo <= D <= hi, what the filter knows of up to 96 queries and all references."""
        side = self._pass(queries, refs, len(refs), False)
        side.load(0, len(refs), self.threads)
        lo, hi = side.intervals(len(queries))
        return lo, hi

    def _passes(self, queries: Points, refs: Points) -> Iterator[tuple[Any, int, int]]:
        """Super-blocks of references, loaded one by one, and calls of queries against each."""
        room = self._room(refs, 16)
        side = self._pass(queries, refs, room, False)
        for part in blocks(len(refs), room):
            start, size = part.start, part.stop - part.start
            side.load(start, size, self.threads)
            for first, number in self._calls(0, len(queries), size, refs.shape[1]):
                yield side, first, number
                self._advance(number * size)
        self._add(side)

    def _nearest(
        self,
        queries: Points,
        sets: Sequence[Points],
        k: int,
        within: Sequence[bool],
        block: int | None = None,
    ) -> Iterator[tuple[int, int, list[Kept]]]:
        """Super-blocks of queries, with what each set has kept for them."""
        capacities = [_capacity(min(k, len(refs))) for refs in sets]
        share = self.memory // 2 // (24 * sum(capacities))
        block = block or max(_QUERIES, share // _QUERIES * _QUERIES)
        rooms = [self._room(refs, 16) // len(sets) or 1 for refs in sets]
        sides = [
            self._pass(queries, refs, room, same)
            for refs, room, same in zip(sets, rooms, within, strict=True)
        ]
        for some in blocks(len(queries), block):
            first, count = some.start, some.stop - some.start
            kept = []
            for refs, side, room, capacity in zip(sets, sides, rooms, capacities, strict=True):
                state = _kernels.Nearest(first, count, min(k, len(refs)), capacity)
                for part in blocks(len(refs), room):
                    start, size = part.start, part.stop - part.start
                    if first == 0 or room < len(refs):
                        side.load(start, size, self.threads)
                    for at, number in self._calls(first, count, size, refs.shape[1]):
                        side.nearest(state, at, number, self.threads)
                        self._advance(number * size)
                kept.append((side, state))
            yield first, count, kept

    def keep(self, queries: Points, refs: Points, k: int, *, within: bool = False) -> Kept | None:
        """What a union with `refs` needs of it, k at most this; None where it is above `memory`."""
        if len(queries) * 24 * _capacity(min(k, len(refs))) > self.memory:
            return None
        ((_, _, (kept,)),) = self._nearest(queries, [refs], k, [within], len(queries))
        self._add(kept[0])
        kept[0].unload()
        return kept

    def _pass(self, queries: Points, refs: Points, room: int, within: bool) -> Any:
        centre = _mean(refs)
        both = [refs] if queries is refs else [queries, refs]
        largest = max(_largest_offset(points, centre) for points in both)
        exponent = int(np.frexp(largest)[1]) if largest > 0 else 0
        exact = _filter_is_off() or _filter_is_void(exponent, refs.shape[1])
        scale = 1.0 if exact else float(np.ldexp(1.0, -exponent))
        return _kernels.Pass(queries, refs, centre, scale, room, isa(), within, exact)

    def _room(self, refs: Points, extra: int) -> int:
        """References that are packed together: half of the memory, not more than there are."""
        each = 4 * refs.shape[1] + extra
        return int(min(len(refs), max(_QUERIES, self.memory // 2 // each)))

    def _calls(self, first: int, count: int, refs: int, dim: int) -> Iterator[tuple[int, int]]:
        """Queries of one call into the kernels, whole blocks: what takes a fraction of a second,
        as far as it can be told beforehand, and then by how long the calls before took."""
        size = _FLOPS_A_CALL * self.threads / (refs * _flops(dim)) / 8
        start = 0
        while start < count:
            blocks = max(1, int(size) // _QUERIES // self.threads) * self.threads
            number = min(count - start, blocks * _QUERIES)
            began = time.perf_counter()
            yield first + start, number
            took = time.perf_counter() - began
            size = number * min(4.0, _SECONDS_A_CALL / max(took, 1e-9))
            start += number

    def _advance(self, pairs: int) -> None:
        if self.progress is not None:
            self.progress.update(pairs)

    def _add(self, side: Any) -> None:
        refined, unfiltered, redone = side.counters()
        self.refined += refined
        self.unfiltered += unfiltered
        self.redone += redone
