"""Reservoirs: of each set, the nearest that are kept for a super-block of queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prfast.balls.engines.passes import QUERIES, calls, new_pass, rooms
from prfast.balls.kept import Kept
from prfast.balls.resources import Resources
from prfast.balls.rows import Points
from prfast.inputs.blocks import blocks
from prfast.kernels import balls as kernels

_BYTES = 24  # of a reference in a reservoir


def capacity(k: int) -> int:
    """Room of a reservoir: cutting it costs O(room) and frees half."""
    return 2 * k + 16


def reservoirs(
    queries: Points,
    sets: Sequence[Points],
    k: int,
    within: Sequence[bool],
    resources: Resources,
) -> Iterator[tuple[slice, list[Kept]]]:
    """Queries of super-blocks, with what each set has kept for them; as many at a time as can be
    answered in a fraction of a second."""
    capacities = [capacity(min(k, len(refs))) for refs in sets]
    share = resources.memory // 2 // (_BYTES * sum(capacities))
    block = max(QUERIES, share // QUERIES * QUERIES)
    most = rooms(sets, 16, resources.memory)
    sides = [
        new_pass(queries, refs, size, same, block=resources.block)
        for refs, size, same in zip(sets, most, within, strict=True)
    ]
    for rows in blocks(len(queries), block):
        first, count = rows.start, rows.stop - rows.start
        kept = []
        for refs, side, loaded, places in zip(sets, sides, most, capacities, strict=True):
            state = kernels.Nearest(first, count, min(k, len(refs)), places)
            for part in blocks(len(refs), loaded):
                size = part.stop - part.start
                if first == 0 or loaded < len(refs):
                    side.load(part.start, size, resources.threads)
                for at, number in calls(first, count, size, refs.shape[1], resources.threads):
                    side.nearest(state, at, number, resources.threads)
                    resources.advance(number * size)
            kept.append(Kept(side, state))
        for at, number in calls(first, count, sum(capacities), queries.shape[1], resources.threads):
            yield slice(at, at + number), kept
