"""What threads take for the blocks of queries that they work on, and how `memory` bounds it.

A thread holds its block twice, in float64 for D and packed for the filter, and some references in
float64; or, through the int8 filter, the block in bytes, and pairs that wait for a closer look.
Half of the memory is for that: where it does not do, blocks are made smaller, then threads fewer,
then blocks as small as a register tile.  Results do not depend on either.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from prfast.balls.engines.passes import int8_may_pay
from prfast.balls.resources import Resources
from prfast.kernels import balls as kernels

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
