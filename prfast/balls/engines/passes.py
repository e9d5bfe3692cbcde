"""A pass of the kernels: what it is given, and how much of it is one call.

Python hands out super-blocks, so that memory is bounded and Ctrl-C is heard.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.balls.resources import Resources
from prfast.balls.rows import Points, by_block
from prfast.inputs.arrays import Float64s
from prfast.inputs.blocks import blocks
from prfast.kernels import balls as kernels
from prfast.kernels.choice import isa, wanted_filter

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
