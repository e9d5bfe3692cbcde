"""Passes of the kernels, their memory, and lists: for each query, the nearest references.

A pass packs references for the filters.  Super-blocks of queries and references bound the memory;
calls of a fraction of a second let Ctrl-C be handled in between.  Queries that lists do not answer
(ties, data for which the filter bounds nothing, first limits that were too low) are reported.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, blocks
from prfast.kernels import distances as kernels
from prfast.neighbors.heads import Axes, heads_of, open_share, open_within, sample_of, squares
from prfast.neighbors.tasks import LISTED, Count, Ints, Nearest, Points, Resources, by_block
from prfast.samples.partitioned import Rows

QUERIES = kernels.BLOCK
PRODUCTS_A_CALL = 5e9  # of numbers, by one thread; a fraction of a second on slow machines
OVERHEAD = 32  # products that take as long as what a pair costs beside its products
_HEAD_LONG, _HEAD_FEWEST = 256, 64  # features from which heads may pay; points, over their root
MANY = 32  # neighbors whose lists have too many pairs for filters of short rows
_BYTES_NUMBERS = 80_000  # that a set has for each neighbor where bytes are faster
# What heads may take for the pairs that they leave open, in dot products of all pairs: where bytes
# follow, where dot products follow, and within a set.  What axes and heads take.
_SPARE_OF_BYTES, _SPARE_OF_DOTS, _SPARE_WITHIN, _HEADS = 0.2, 0.6, 0.42, 0.1
_BYTES_ERROR = 0.03  # of the int8 filter, over the median of D, with a gain of 2
_PANEL = kernels.PANEL  # references of a panel, at most
# Bytes of a packed reference beside 5 a feature, float32 and int8: up to 8, and nine numbers.
PACKED_BYTES = 44
# The bound of the filter (csrc/filter) needs values whose squares are normal float64 numbers, in
# these exponents of 2, and rows whose sums are not too long.
EXPONENTS, TOO_WIDE = range(-470, 501), 1 << 22
_CENTERED = 1024  # references of which a frame has the mean
_LEAST_OFFSET = 2.0**-20  # smallest acceptable largest offset in a frame of other points
_SECONDS_A_CALL = 0.5  # the longest wait of an interrupt; threads synchronize after each call
_LISTS = 1 << 24  # bytes of lists that stay in use; more would be new memory to clear
_FAILED_SHARE = 0.25  # share of failed lists from which the other queries get none

Heads = tuple[Points, Points, float]  # of queries, of references, and the scale of their filter

# The best for the data; heads or int8 also where they are slower; products; all D in float64.
FILTERS = ("auto", "head", "int8", "float32", "off")


def golden_permutation(n: int, count: int | None = None) -> Ints:
    """Return the golden-ratio permutation of the numbers below n, i · step mod n, or its start.

    Its first elements, however many, are evenly spread over the range: a sample of the points
    however these are sorted.
    """
    step = max(1, round(n * (math.sqrt(5) - 1) / 2))
    while math.gcd(step, n) > 1:
        step += 1
    return np.arange(min(n, count or n), dtype=np.int64) * step % n


class Settings(NamedTuple):
    isa: str
    filter: str


def settings() -> Settings:
    """Return what PRFAST_ISA, by default the best of the CPU, and PRFAST_FILTER, "auto", name."""
    isa = os.environ.get("PRFAST_ISA", [*kernels.ISAS][-1])
    if isa not in kernels.ISAS:
        here = ", ".join(kernels.ISAS)
        raise ValueError(f"PRFAST_ISA: one of {here} expected on this machine, got {isa!r}")
    name = os.environ.get("PRFAST_FILTER", "auto")
    if name not in FILTERS:
        raise ValueError(f"PRFAST_FILTER: one of {', '.join(FILTERS)} expected, got {name!r}")
    return Settings(isa, name)


def int8_may_pay(dim: int, least: int = 2) -> bool:
    """Return whether the int8 filter may be used for this dimension, processor and setting.

    least: the gain over float32 that pays.
    """
    isa, name = settings()
    if dim > kernels.INT8_WIDEST or name in ("head", "float32", "off"):
        return False
    return name == "int8" or (dim >= 32 and kernels.INT8_GAINS[isa] >= least)


# ---- frames --------------------------------------------------------------------------------------


class Frame(NamedTuple):
    """The coordinates of the filter: (x − center) × scale; exact: they give no bound on D."""

    center: Float64s
    scale: float
    exact: bool

    def holds(self, points: Points) -> bool:
        """Return whether other points fit: offsets at most 1, not so small that digits are lost."""
        offsets = (np.abs(rows - self.center).max() for rows in by_block(points))
        largest = max(offsets) * self.scale
        return bool(not self.exact and largest <= 1 and (largest >= _LEAST_OFFSET or largest == 0))


def frame_of(refs: Points, *sets: Points, headroom: int = 0) -> Frame:
    """Return the frame centered on a sample of the references, the largest offset 1/2 to 1.

    headroom: leave a factor of 2^headroom for points that are not known yet.
    """
    sample = golden_permutation(len(refs), _CENTERED)  # also of rows that are periodic
    center = np.zeros(refs.shape[1])
    for block in by_block(refs, sample):
        center += block.sum(axis=0, dtype=np.float64) / len(sample)
    largest = 0.0
    for points in {id(points): points for points in (refs, *sets)}.values():
        for block in by_block(points):
            ends = block.max(axis=0) - center, center - block.min(axis=0)
            largest = max(largest, float(np.max(ends)))
    exponent = int(np.frexp(largest)[1]) + headroom if largest > 0 else 0
    is_bounded = exponent in EXPONENTS and refs.shape[1] < TOO_WIDE
    exact = settings().filter == "off" or not is_bounded
    return Frame(center, 1.0 if exact else float(np.ldexp(1.0, -exponent)), exact)


# ---- memory --------------------------------------------------------------------------------------

# A thread holds its block of queries twice, in float64 for D and packed for the filter, and some
# references in float64; or, through the int8 filter, the block in bytes, and a queue of pairs for
# the next step.  Half of the memory is for that: where it is too little, blocks become smaller,
# then threads fewer, then blocks as small as a register tile.  Results do not depend on either.

_TILE = 12  # queries of the largest register tile
_WELL = 48  # queries of a block from which more threads are better than larger blocks


def within_memory(dim: int, resources: Resources) -> Resources:
    """Return resources whose threads and blocks fit in half of the memory, and leave `memory`.

    One thread with a tile of queries is always granted.
    """
    half, sizes = resources.memory // 2, np.arange(QUERIES, 0, -_TILE)
    # 8 and 4 bytes a number, the references that D is computed to, sums of slices, queued pairs.
    scratch = dim * (12 * sizes + 128) + (1 << 17)
    if int8_may_pay(dim):  # whose blocks may be of several kernel blocks
        larger = np.arange(kernels.INT8_BLOCK, QUERIES, -QUERIES)
        scratch = np.concatenate([np.full(len(larger), scratch[0]), scratch])
        sizes = np.concatenate([larger, sizes])
        # A byte a number, scratch of rows (int8_block.h, cascade.h); for each query 64 pairs twice
        # (unrefined.h) and some 110 bytes; 8192 queued pairs, twice, and a list of 4000.
        scratch = np.maximum(scratch, dim * (sizes + 80) + 1136 * sizes + (1 << 18))
    well = int(scratch[sizes == _WELL][0])
    threads = max(1, min(resources.threads, half // well))
    fits = np.append(np.flatnonzero(scratch <= half // threads), len(sizes) - 1)[0]
    block = int(sizes[fits])
    if threads < resources.threads or block < QUERIES:
        resources.work["memory_limited"] += 1
    memory = max(half, resources.memory - threads * int(scratch[fits]))
    return replace(resources, threads=threads, block=block, memory=memory)


def capacity(k: int, n: int, spare: int = 2 * QUERIES) -> int:
    """Return the capacity of a list over n references.

    It is k, what the first limit admits beside them (csrc/engine/lists.h), and `spare`.
    """
    share = n / kernels.SAMPLE
    admitted = 1.2 * (5 * math.sqrt(k * share) + 4 * share)
    return k + int(min(admitted, k + 128)) + spare


def super_blocks(passes: Sequence[Pass], count: int) -> Iterator[slice]:
    """Return blocks of queries whose lists take half of the memory, or less if that is faster."""
    memory = passes[0].resources.memory // 2
    if all(kernel_pass.packed == kernel_pass.size for kernel_pass in passes):
        memory = min(memory, _LISTS)
    entries = sum(capacity(kernel_pass.k, kernel_pass.size) for kernel_pass in passes)
    return blocks(count, max(4, memory // (LISTED * entries) // QUERIES) * QUERIES)


# ---- passes --------------------------------------------------------------------------------------


def calls(first: int, count: int, refs: int, dim: int, threads: int) -> Iterator[tuple[int, int]]:
    """Yield (first, count) of the queries of each call into the kernels, in whole blocks.

    The first call is sized by its products, each next one by the time of the call before.
    """
    size = PRODUCTS_A_CALL * threads / (refs * (dim + OVERHEAD)) / 8
    start = 0
    while start < count:
        number = min(count - start, max(1, int(size) // QUERIES // threads) * threads * QUERIES)
        started = time.perf_counter()
        yield first + start, number
        seconds = time.perf_counter() - started
        size = number * min(4.0, _SECONDS_A_CALL / max(seconds, 1e-9))
        start += number


def _largest(thresholds: Sequence[Any]) -> Any:
    """Return the largest threshold of each sampled point; None is no threshold."""
    sampled = [sample_of(np.atleast_2d(t.T).max(axis=0)) for t in thresholds if t is not None]
    return np.maximum.reduce(sampled or [np.full(1, -1.0)])


def heads_that_pay(
    queries: Points, refs: Points, resources: Resources, k: int = 0, tasks: Sequence[Any] = ()
) -> Heads | None:
    """Return `heads_of` where they may be faster, or are forced, and None elsewhere.

    k : neighbors of a symmetric pass; 0 for counts, tasks as of `kernels.Pass.scan`.
    """
    isa, name = settings()
    dim, size = refs.shape[1], min(len(queries), len(refs))
    # Axes take the time of so many points.  Bytes are faster where hardware sums four of them.
    is_large = dim >= _HEAD_LONG and size >= _HEAD_FEWEST * math.sqrt(dim)
    if name != "head" and not (name == "auto" and is_large and kernels.INT8_GAINS[isa] < 4):
        return None

    def pays(axes: Axes, are_there: bool) -> bool:
        if k > 0:
            share, spare = open_within(axes, refs, k), _SPARE_WITHIN
        else:
            query_t, ref_t = (_largest([task[side] for task in tasks]) for side in (0, 1))
            share = open_share(axes, sample_of(queries), sample_of(refs), query_t, ref_t)
            spare = _SPARE_OF_BYTES if int8_may_pay(dim) else _SPARE_OF_DOTS
        return share * (4 + 1000 / dim) <= spare - (0 if are_there else _HEADS)  # cost.h

    return heads_of(queries, refs, resources, None if name == "head" else pays)


def bytes_pay(points: Points) -> bool:
    """Return whether int8 with a gain of 2 is faster if each pair of a set is computed once.

    Its open pairs may cost three tenths of the products (csrc/engine/cost.h).
    """
    dim = points.shape[1]
    if dim < _HEAD_LONG:
        return False
    d2 = squares(sample_of(points).astype(np.float64))
    reach = d2.min(axis=0) + _BYTES_ERROR * np.median(d2)
    is_open = d2 <= np.maximum(reach, reach[:, None])
    return bool(is_open.mean() * (4 + 2500 / dim) <= 0.3)


def least_gain(queries: Points, refs: Points, k: int, once: bool) -> int:
    """Return the gain of int8 over float32 that pays: 4 within most sets and for lists, where 2 is
    lost to refining keys.  once: whether each pair of a set is computed once."""
    return 4 if k > 0 or (queries is refs and not (once and bytes_pay(refs))) else 2


class Pass(kernels.Pass):
    """A pass of queries over references, with a list of the nearest for each query if k > 0.

    k : the largest rank of a neighbor; if there are lists, references are in golden-ratio order.
    within : whether the queries are the references and none is its own neighbor.
    unrefined : which keys of lists may stay unrefined lower bounds (`kernels.Lists`).
    sets : the passes that share half of the memory.
    extra : bytes of a packed reference beside its features.
    packed : references that are packed together, by default those that fit in the memory.
    nearest : the number of neighbors of each point, where each pair of a set is computed once.
    heads : of the queries and the references, where they pay.
    """

    def __init__(
        self,
        queries: Points,
        refs: Points,
        resources: Resources,
        frame: Frame | None = None,
        *,
        k: int = 0,
        within: bool = False,
        unrefined: int = 0,
        sets: int = 1,
        extra: int = 16,
        packed: int | None = None,
        nearest: int = 0,
        heads: Heads | None = None,
    ) -> None:
        n, dim = refs.shape
        isa, filter_name = settings()
        if heads is None and filter_name == "head":
            heads = heads_of(queries, refs, resources)
        extra += 0 if heads is None else 4 * heads[1].shape[1] + PACKED_BYTES
        fits = max(_PANEL, resources.memory // sets // 2 // (5 * dim + PACKED_BYTES + extra))
        self.packed = packed or min(n, fits)
        self.size, self.k = n, k + within
        self.resources, self._unrefined = resources, unrefined
        self._loaded: slice | None = None
        self._lists: kernels.Lists | None = None
        self._lists_fail, self.order, places = False, np.empty(0, np.int64), None
        if k:
            self.order = golden_permutation(n)
            refs = Rows(refs, self.order)
            if within:  # the inverse permutation: each query's place in the order
                places = np.empty_like(self.order)
                places[self.order] = np.arange(n)
        frame = frame or frame_of(refs, queries)
        block, work = resources.block, resources.work
        super().__init__(queries, refs, *frame, self.packed, isa, within, places, block, work)
        if heads is not None and not frame.exact:
            x, y, scale = heads
            y = Rows(y, self.order) if k else y
            zero = np.zeros(y.shape[1])
            way = scale, False, self.packed, isa, False, None, block, work
            self.use_head(kernels.Pass(x, y, zero, *way), filter_name == "head")
        elif not frame.exact and int8_may_pay(
            dim, least_gain(queries, refs, k, within and nearest < MANY)
        ):
            # Where each pair of a set is computed once, dot products cost half, while the pairs
            # that the filter leaves open cost the same.  Kernels abandon it where it is not faster.
            if nearest:
                pays = n * dim >= _BYTES_NUMBERS * nearest
            else:  # long lists need too many pairs of short rows
                pays = (dim >= 128 or queries is not refs) and (self.k < MANY or dim > 128)
            if filter_name == "int8" or (pays and min(len(queries), n) >= 512):
                self.use_int8(filter_name == "int8")

    def over_refs(self, first: int, count: int) -> Iterator[tuple[int, int]]:
        """Load super-blocks of references one by one; yield the queries of each call."""
        threads = self.resources.threads
        for part in blocks(self.size, self.packed):
            size = part.stop - part.start
            if self._loaded != part:
                self.load(part.start, size, threads)
                self._loaded = part
            for at, number in calls(first, count, size, self.dim, threads):
                yield at, number
                self.resources.progress.advance(number * size)

    def list_nearest(
        self,
        rows: slice,
        tasks: Sequence[Count] = (),
        *,
        lists: bool = True,
        reach: Float64s | None = None,
    ) -> kernels.Lists | None:
        """Return the lists of these queries, or None if too many of them fail.

        The tasks, without cols, are counted in the same pass in either case.  reach: D of each
        query beyond which nothing need be listed.
        """
        first, count = rows.start, rows.stop - rows.start
        arguments = [
            (np.ascontiguousarray(t.query_t), None, t.closed, t.rows, None)
            if t.ref_t is None
            else (None, t.ref_t[self.order], t.closed, t.rows, None)
            for t in tasks
        ]
        listed: kernels.Lists | None = None
        if lists and not self._lists_fail:
            if self._lists is None or len(self._lists) < count:
                most = capacity(self.k, self.size)
                self._lists = kernels.Lists(count, self.k, most, self._unrefined)
            listed = self._lists  # in the memory of the previous ones: these become invalid
            listed.begin(first)
            if reach is not None:
                listed.limit_to(self.limits(reach[rows]))
        for at, number in self.over_refs(first, count):
            self.scan(arguments, at, number, self.resources.threads, listed)
            is_first = self._loaded is not None and self._loaded.start == 0
            scanned = at + number - first if is_first else count
            if listed is not None and listed.failed > _FAILED_SHARE * scanned + QUERIES:
                listed, self._lists_fail = None, True
        return listed


def answer(
    scanned: Sequence[tuple[Pass, kernels.Lists]],
    rows: slice,
    task: Nearest,
    failed: Any,
    values: Float64s | None = None,
) -> None:
    """Write the answers of the lists in one set or in two into the task: `kernels.Pass.answer`.

    Calls are short, as D of most of the listed pairs is computed where the filter bounds little.
    """
    (kernel_pass, lists), *second = scanned
    first, count, threads = rows.start, rows.stop - rows.start, kernel_pass.resources.threads
    end = *(second[0] if second else (None, None)), values
    for at, number in calls(first, count, lists.capacity, kernel_pass.dim, threads):
        kernel_pass.answer(lists, at, number, task, failed.view(np.uint8), threads, *end)
