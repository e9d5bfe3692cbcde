"""What threads take for the blocks of queries that they work on, and how `memory` bounds it.

A thread holds its block twice, in float64 for D and packed for the filter, and some references in
float64.  Half of the memory is for that: where it does not do, blocks are made smaller, then
threads fewer, then blocks as small as a register tile.  Results do not depend on either.
"""

from __future__ import annotations

from dataclasses import replace

from prfast.balls.resources import Resources
from prfast.kernels import balls as kernels

_NUMBER = 12  # bytes of a feature of a query: 8 and 4
_BESIDE = 128  # bytes of a feature, of the references that D is computed to
_FIXED = 1 << 17  # bytes of a thread: sums of slices, pairs that wait
_TILE = 12  # queries of the largest register tile
_WELL = 48  # queries from which on more threads are better than larger blocks


def scratch(dim: int, block: int) -> int:
    """Bytes of a thread whose blocks have so many queries."""
    return dim * (_NUMBER * block + _BESIDE) + _FIXED


def fitted(dim: int, resources: Resources) -> Resources:
    """The same with as many threads, and queries in a block of each, as there is memory for, and
    what they leave of it; one thread with a tile at least, whatever the memory."""
    room = resources.memory // 2
    threads = max(1, min(resources.threads, room // scratch(dim, _WELL)))
    share = (room // threads - scratch(dim, 0)) // (_NUMBER * dim)
    block = int(min(max(share // _TILE, 1) * _TILE, kernels.BLOCK))
    if threads < resources.threads or block < kernels.BLOCK:
        resources.work.cramped += 1
    left = max(room, resources.memory - threads * scratch(dim, block))
    return replace(resources, threads=threads, block=block, memory=left)
