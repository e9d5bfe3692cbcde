"""Lists: of each set the references with the smallest keys, kept for a super-block of queries.

One look at a pair offers it to the list of its query and counts it for every task whose radii are
known.  What lists cannot tell (ties, a filter that cannot see, first limits that were too low) is
named by query, and answered from reservoirs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.balls.resources import LISTED, Points, Resources, by_block, select
from prfast.balls.tasks import Count
from prfast.inputs.arrays import Float64s, blocks
from prfast.inputs.locks import cached_property
from prfast.kernels import balls as kernels
from prfast.kernels.choice import isa, wanted_filter

# A fixed order in which the first of some points stand for all, however the points are sorted.


def fair(n: int) -> NDArray[np.int64]:
    """The numbers below n, i · step mod n: evenly spread from the first on, as the step is about
    n times the golden section, and each once, as it has no divisor in common with n."""
    step = max(1, round(n * (math.sqrt(5) - 1) / 2))
    while math.gcd(step, n) > 1:
        step += 1
    return np.arange(n, dtype=np.int64) * step % n


def places(order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each number is in the order."""
    found = np.empty_like(order)
    found[order] = np.arange(len(order))
    return found


# A pass of the kernels: what it is given, and how much of it is one call.
#
# Python hands out super-blocks, so that memory is bounded and Ctrl-C is heard.


QUERIES = kernels.BLOCK
_PANEL = 32  # references that are packed together, at most
FLOPS_A_CALL = 1e10  # of one thread; a fraction of a second on slow machines
_INT8_BYTES = 36  # of a reference: what a point has, and its terms of the comparison
_LEAST = 2.0**-20  # the largest offset in a frame that was made for other points
_SECONDS_A_CALL = 0.5  # an interrupt waits no longer; threads wait for each other at its end


class Frame(NamedTuple):
    """What the filter sees of a point: (x − centre) × scale; exact: nothing that bounds D."""

    centre: Float64s
    scale: float
    exact: bool

    def holds(self, points: Points) -> bool:
        """May these points be seen in it as well?  Then their offsets are at most 1, and not so
        small that much is lost."""
        if self.exact:
            return False
        largest = _largest_offset(points, self.centre) * self.scale
        return largest <= 1 and (largest >= _LEAST or largest == 0)


def frame_of(refs: Points, *others: Points, spare: int = 0) -> Frame:
    """Centred on the references; the largest offset of all is 1/2 to 1, or 2^−spare of that, so
    that there is room for points to come."""
    centre = _mean(refs)
    largest = max(_largest_offset(points, centre) for points in (refs, *others))
    exponent = int(np.frexp(largest)[1]) + spare if largest > 0 else 0
    exact = filter_is_off(exponent, refs.shape[1])
    return Frame(centre, 1.0 if exact else float(np.ldexp(1.0, -exponent)), exact)


def new_pass(
    queries: Points,
    refs: Points,
    room: int,
    within: bool,
    frame: Frame | None = None,
    own: NDArray[np.int64] | None = None,
    k: int = 0,
    block: int = QUERIES,
) -> kernels.Pass:
    """Queries against references, of which `room` are packed at a time.

    own: where each query is among the references, if it is not at its own number; k: of lists;
    block: queries that a thread takes together.
    """
    others = () if queries is refs else (queries,)
    seen = frame_of(refs, *others) if frame is None else frame
    passed = kernels.Pass(queries, refs, *seen[:2], room, isa(), within, seen.exact, own, block)
    n, dim = refs.shape
    if not seen.exact and _int8_pays(len(queries), n, dim, k, queries is refs):
        passed.use_int8(True, wanted_filter() == "int8")
    return passed


def loads(
    queries: Points, refs: Points, extra: int, resources: Resources
) -> Iterator[tuple[kernels.Pass, int, int]]:
    """Super-blocks of references, loaded one by one, and calls of queries against each.

    extra: bytes that a reference takes beside its features.
    """
    most = room(refs, extra, resources.memory)
    side = new_pass(queries, refs, most, False, block=resources.block)
    for part in blocks(len(refs), most):
        size = part.stop - part.start
        side.load(part.start, size, resources.threads)
        for first, number in calls(0, len(queries), size, refs.shape[1], resources.threads):
            yield side, first, number
            resources.advance(number * size)
    resources.work.add(side.counters())


def packed_bytes(dim: int) -> int:
    """Of a packed reference, beside its two norms: float32 and, for the int8 filter, bytes, of
    columns rounded up to 8, and nine numbers."""
    return 4 * dim + (dim + 7) // 8 * 8 + _INT8_BYTES


def room(refs: Points, extra: int, memory: int) -> int:
    """References that are packed together: half of the memory, not more than there are; a panel at
    least."""
    each = packed_bytes(refs.shape[1]) + extra
    return int(min(len(refs), max(_PANEL, memory // 2 // each)))


def rooms(refs: Sequence[Points], extra: int, memory: int) -> list[int]:
    """References of each set that are packed together, of sets that share the memory."""
    return [room(one, extra, memory // len(refs)) for one in refs]


def calls(first: int, count: int, refs: int, dim: int, threads: int) -> Iterator[tuple[int, int]]:
    """Queries of one call into the kernels, whole blocks: what takes a fraction of a second,
    as far as it can be told beforehand, and then by how long the calls before took."""
    size = FLOPS_A_CALL * threads / (refs * flops(dim)) / 8
    start = 0
    while start < count:
        whole = max(1, int(size) // QUERIES // threads) * threads
        number = min(count - start, whole * QUERIES)
        began = time.perf_counter()
        yield first + start, number
        took = time.perf_counter() - began
        size = number * min(4.0, _SECONDS_A_CALL / max(took, 1e-9))
        start += number


def flops(dim: int) -> int:
    """Of one pair: the products, and what comes with them."""
    return 2 * dim + 64


def int8_may_pay(dim: int) -> bool:
    """May the int8 filter be used at all, whatever the sets?"""
    wanted = wanted_filter()
    if dim > kernels.INT8_WIDEST or wanted in ("float32", "off"):
        return False
    return wanted == "int8" or (dim >= 32 and kernels.INT8_GAINS[isa()] >= 2)


def _int8_pays(queries: int, refs: int, dim: int, k: int, once: bool) -> bool:
    """May the int8 filter be faster?  Whether it is, the kernels see as they go.

    once: is each pair of a set computed once?  Then dot products cost half, and what the filter
    leaves is as much (`python -m bench within`).
    """
    if not int8_may_pay(dim):
        return False
    enough = (dim >= 128 or not once) and min(queries, refs) >= 512
    enough = enough and (k < 32 or dim > 128)  # of short rows lists want too many
    return enough or wanted_filter() == "int8"


def filter_is_off(exponent: int, dim: int) -> bool:
    """Where that is wanted, or the bound of csrc/filter does not hold: D, or a threshold in the
    filter's units, would leave the normal numbers of float64, or sums of so many float32 bound
    nothing."""
    return wanted_filter() == "off" or not -470 <= exponent <= 500 or dim >= 1 << 22


def _mean(points: Points) -> Float64s:
    total = np.zeros(points.shape[1])
    for block in by_block(points):
        total += block.sum(axis=0, dtype=np.float64)
    return total / len(points)


def _largest_offset(points: Points, centre: Float64s) -> float:
    highest = np.full(points.shape[1], -np.inf)
    lowest = np.full(points.shape[1], np.inf)
    for block in by_block(points):
        np.maximum(highest, block.max(axis=0), out=highest)
        np.minimum(lowest, block.min(axis=0), out=lowest)
    return float(max((highest - centre).max(), (centre - lowest).max()))


_LISTS = 1 << 24  # bytes of lists: what has been used before is in memory already
_HOPELESS = 0.25  # share of the queries whose lists are given up, from which on none is tried


def capacity(k: int, n: int) -> int:
    """Room of a list, of n references: for k, for what the first limit lets in beside them
    (csrc/engine/lists.h) or, where that is much, for as many again, and for two blocks."""
    share = n / kernels.SAMPLE
    beside = 1.2 * (5 * math.sqrt(k * share) + 4 * share)
    return k + int(min(beside, k + 128)) + 2 * QUERIES


class Side:
    """Queries against one set, whose references are packed in a fair order.

    k: the largest that will be asked for; within: are the queries the set, none its own neighbour?
    most: references that are packed together; block: queries that a thread takes together; loose:
    keys that may be left so (`kernels.Lists`).
    """

    def __init__(
        self,
        queries: Points,
        refs: Points,
        k: int,
        within: bool,
        frame: Frame,
        most: int,
        block: int = QUERIES,
        loose: int = 0,
    ) -> None:
        self.k, self.most, self._block, self._loose = k + within, most, block, loose
        self.size, self.dim = refs.shape
        self._sets, self._within, self._frame = (queries, refs), within, frame
        self._loaded: slice | None = None
        self._lists: kernels.Lists | None = None
        self._hopeless = False

    @cached_property
    def order(self) -> NDArray[np.int64]:
        return fair(self.size)

    @cached_property
    def passed(self) -> kernels.Pass:
        """Made when it is looked through: where lists are there already it is not."""
        queries, refs = self._sets
        own = places(self.order) if self._within else None
        refs = select(refs, self.order)
        within, frame = self._within, self._frame
        return new_pass(queries, refs, self.most, within, frame, own, self.k, self._block)

    def look(
        self,
        rows: slice,
        tasks: Sequence[Count],
        resources: Resources,
        *,
        lists: bool = True,
        reach: Float64s | None = None,
    ) -> kernels.Lists | None:
        """The lists of these queries, or None where there is no hope for them; the tasks, whose
        radii are the references' or the queries', are counted in any case.

        reach: D of each query beyond which nothing need be listed.
        """
        first, count, threads = rows.start, rows.stop - rows.start, resources.threads
        asked = [self._asked(task) for task in tasks]
        kept = self._begin(first, count, resources) if lists and not self._hopeless else None
        if kept is not None and reach is not None:
            kept.limit_to(self.passed.limits(reach[rows]))
        for part in blocks(self.size, self.most):
            size = part.stop - part.start
            if self._loaded != part:
                self.passed.load(part.start, size, threads)
                self._loaded = part
            for at, number in calls(first, count, size, self.dim, threads):
                self.passed.look(asked, at, number, threads, kept)
                resources.advance(number * size)
                offered = count if part.start else at + number - first
                if kept is not None and kept.given_up > _HOPELESS * offered + QUERIES:
                    kept, self._hopeless = None, True
        resources.work.add(self.passed.counters())
        return kept

    def _begin(self, first: int, count: int, resources: Resources) -> kernels.Lists:
        """Lists in the memory of those before, which are over."""
        if self._lists is None or len(self._lists) < count:
            self.end(resources)
            self._lists = resources.lists(count, self.k, capacity(self.k, self.size), self._loose)
        self._lists.begin(first)
        return self._lists

    def end(self, resources: Resources) -> None:
        """The lists are over."""
        resources.give_back(self._lists)
        self._lists = None

    def unload(self) -> None:
        """Give the packed references back, if there are any; the lists can still be asked."""
        if self._loaded is not None:
            self.passed.unload()
            self._loaded = None

    def _asked(self, task: Count) -> tuple[Any, ...]:
        ref_t = None if task.ref_t is None else task.ref_t[self.order]
        return task.query_t, ref_t, task.closed, task.rows, None


class Listed(NamedTuple):
    """A set, and the lists that it has left for some queries."""

    side: Side
    lists: kernels.Lists

    def tell(
        self,
        rows: slice,
        ks: Sequence[NDArray[np.int64]],
        closed: bool,
        resources: Resources,
        other: Listed | None = None,
        *,
        across: bool = False,
    ) -> dict[str, Any]:
        """What these lists, and another set's, say of the queries: `kernels.Pass.answers`."""
        both = () if other is None else (other.side.passed, other.lists, across)
        return answers(self.side.passed, self.lists, rows, ks, closed, resources, *both)


def answers(
    passed: kernels.Pass,
    lists: kernels.Lists,
    rows: slice,
    ks: Sequence[NDArray[np.int64]],
    closed: bool,
    resources: Resources,
    *both: Any,
) -> dict[str, Any]:
    """`kernels.Pass.answers`, a fraction of a second at a time: where the filter sees little, D of
    most of what is in the lists is computed."""
    first, count, threads = rows.start, rows.stop - rows.start, resources.threads
    parts = [
        passed.answers(lists, at, number, ks, closed, threads, *both)
        for at, number in calls(first, count, lists.capacity, passed.dim, threads)
    ]
    resources.work.add(passed.counters())
    told = {
        name: [np.concatenate(some) for some in zip(*(part[name] for part in parts), strict=True)]
        for name in ("d2", "of", "across")
    }
    return {**told, "failed": np.concatenate([part["failed"] for part in parts])}


def super_blocks(
    count: int, ks: Sequence[int], refs: Sequence[Points], most: Sequence[int], memory: int
) -> list[slice]:
    """Queries whose lists, of sets that are asked for so many k, take half of the memory; where all
    references are packed at a time no more than pays."""
    all_packed = all(len(one) <= room for one, room in zip(refs, most, strict=True))
    room = min(memory // 2, _LISTS) if all_packed else memory // 2
    places = sum(capacity(k, len(one)) for k, one in zip(ks, refs, strict=True))
    share = room // (LISTED * places)
    return list(blocks(count, max(4 * QUERIES, share // QUERIES * QUERIES)))
