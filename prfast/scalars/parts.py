"""Sets in blocks of rows, and what is found of each block: on threads, or where the blocks are.

Blocks have a size that the width alone decides, and what is found of them comes in their order, so
that sums of it are the same to the last bit for any number of threads, and for samples in pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import Any

import numpy as np

from prfast.balls.engines.blocks.parts import Part, base_of, cluster_of, in_pieces
from prfast.balls.rows import Points, Rows
from prfast.balls.scale import largest_value
from prfast.cluster.flow import in_turn
from prfast.inputs.arrays import Float64s
from prfast.inputs.blocks import blocks
from prfast.inputs.executor import bounded_map, thread_pool
from prfast.kernels.blas import one_blas_thread
from prfast.scalars.estimate import Hands


def parts_of(points: Points, rows: int) -> list[Any]:
    """So many rows each, and what is left."""
    if not in_pieces(points):
        return [points[some] for some in blocks(len(points), rows)]
    return [_part(points, some.start, some.stop) for some in blocks(len(points), rows)]


def undivided(points: Points) -> Any:
    """All rows as one part, which has a copy of them only where they are looked at."""
    return _part(points, 0, len(points)) if in_pieces(points) else points


def rows_of(part: Any) -> Float64s:
    """The rows, where they are looked at."""
    return np.asarray(part.load() if isinstance(part, Part) else part).astype(np.float64)


def of_each(
    points: Points,
    call: Callable[..., Any],
    arguments: Sequence[tuple[Any, ...]],
    hands: Hands,
    numbers: int,
) -> Generator[Any, None, None]:
    """What a function of a module returns for each of the arguments, in their order; a step each
    for the bar.

    numbers: float64 numbers that a call takes.
    """
    threads = hands.fitting(numbers)
    found: Generator[Any, None, None]
    if in_pieces(points):
        found = in_turn(cluster_of(points), _alone, ((call, *one) for one in arguments))
    elif threads == 1 or len(arguments) == 1:
        found = (call(*one) for one in arguments)
    else:
        found = _in_threads(call, arguments, min(threads, len(arguments)))
    with closing(found) as some:  # an interrupt of the bar leaves it half done
        for one in some:
            yield one
            hands.progress.advance()


def largest(points: Points) -> float:
    """The largest absolute value, or, of some rows of samples in pieces, that of all."""
    return float(base_of(points).largest if in_pieces(points) else largest_value(points))


def _part(points: Points, start: int, stop: int) -> Part:
    base: Any = base_of(points)
    if not isinstance(points, Rows):
        return Part(base.span(start, stop), None, start, stop)
    index = points.index[start:stop]
    first = int(index.min())
    return Part(base.span(first, int(index.max()) + 1), index - first, start, stop)


def _in_threads(
    call: Callable[..., Any], arguments: Sequence[tuple[Any, ...]], threads: int
) -> Generator[Any, None, None]:
    with thread_pool(threads) as executor:
        yield from bounded_map(executor, lambda one: call(*one), arguments, 2 * threads)


def _alone(call: Callable[..., Any], *arguments: Any) -> Any:
    """A task."""
    with one_blas_thread():
        return call(*arguments)
