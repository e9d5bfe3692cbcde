"""The Fréchet distance of the normal distributions that have the moments of two sets.

With means μ, ν and covariances S, T (divided by n − 1),

    FD = |μ − ν|² + tr(S + T − 2 (S T)^½).

No root of a matrix is taken, and nothing is added to its diagonal.  Let S = AᵀA and T = BᵀB, where
the rows of A are the centred samples over √(n − 1), or, of more samples than features, the
triangle of their QR decomposition.  Then the trace is the least ‖A − UB‖² over rotations U (rows
of 0 make A and B equally high), and the best one is made of the singular vectors of A Bᵀ.  The
distance is summed from that difference: no large numbers cancel, and it is never negative.

Of blocks of rows the triangles are found first, and then that of all of them in turn (`parts`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np

from prfast.balls.engines.blocks.parts import Part, base_of, cluster_of, in_pieces
from prfast.balls.resources import Points, Rows, largest_value
from prfast.cluster.sharded import in_turn
from prfast.inputs.arrays import Float64s, blocks
from prfast.inputs.errors import WrongValue
from prfast.inputs.executor import bounded_map, thread_pool
from prfast.kernels.blas import one_blas_thread
from prfast.scalars.estimate import Estimate, Hands, Pair

# Sets in blocks of rows, and what is found of each block: on threads, or where the blocks are.
#
# Blocks have a size that the width alone decides, and what is found of them comes in their order,
# so that sums of it are the same to the last bit for any number of threads, and for samples in
# pieces.


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


_ROWS = 1 << 10  # of a block, at least


class Moments(NamedTuple):
    """The mean, and a factor A of the covariance AᵀA with as few rows as it can have."""

    mean: Float64s
    factor: Float64s


def frechet_distance(pair: Pair) -> Estimate:
    """The row `frechet_distance` of the table."""
    most = max(map(largest, (pair.real, pair.fake)))
    exponent = _exponent(most)
    with one_blas_thread(), pair.hands.progress.work(3):
        if ("moments", exponent) not in pair.known:
            pair.known["moments", exponent] = moments(pair.real, exponent, pair.hands)
        found = distance(pair.known["moments", exponent], moments(pair.fake, exponent, pair.hands))
    try:
        value = math.ldexp(found, 2 * exponent)
    except OverflowError:
        value = math.inf
    rounding = pair.real.shape[1] * np.finfo(np.float64).eps  # may be all that equal sets have
    if math.isinf(value) or (value < np.finfo(np.float64).tiny and found > rounding):
        raise WrongValue(
            "real and fake",
            "a Fréchet distance that is a normal float64 number expected, got values up to "
            f"{most:.3g}",
        )
    return Estimate(value)


def moments(points: Points, exponent: int, hands: Hands) -> Moments:
    """Of samples in units of 2**exponent."""
    n, d = points.shape
    rows = max(_ROWS, 2 * d)
    parts = parts_of(points, rows)

    def of_parts(call: Callable[..., Float64s], mean: Float64s) -> Iterator[Float64s]:
        # its rows and what it makes of them, and a result or two that wait
        numbers = 3 * rows * d
        return of_each(points, call, [(part, mean, exponent) for part in parts], hands, numbers)

    with hands.progress.work(3 * len(parts)):
        mean = np.zeros(d)
        for _ in range(2):  # what the first sum has lost is in the second
            mean = mean + sum(of_parts(_sum, mean)) / n
        if n <= d:  # few samples: their own differences
            factor = np.concatenate(list(of_parts(_centred, mean)))
        else:
            factor = np.empty((0, d))
            for one in of_parts(_triangle, mean):
                factor = np.asarray(np.linalg.qr(np.concatenate([factor, one]), mode="r"))
    return Moments(mean, factor / math.sqrt(n - 1))


def distance(one: Moments, other: Moments) -> float:
    """FD, in float64."""
    a, b = sorted((one.factor, other.factor), key=len)
    u, _, v = np.linalg.svd(a @ b.T, full_matrices=False)
    apart = u.T @ a
    turned = v @ b
    apart -= turned
    total = _squares(one.mean - other.mean) + _squares(apart)
    if len(a) < len(b):  # what of b no row of a is turned to
        total += _squares(b - v.T @ turned)
    return total


def _exponent(most: float) -> int:
    """0 where squares of values, and sums of them, are normal float64 numbers."""
    exponent = int(np.frexp(most)[1])
    return 0 if most == 0 or abs(exponent) < 400 else exponent


def _centred(part: Any, mean: Float64s, exponent: int) -> Float64s:
    """A task, and so are the next."""
    rows = rows_of(part)
    return (np.ldexp(rows, -exponent) if exponent else rows) - mean


def _sum(part: Any, mean: Float64s, exponent: int) -> Float64s:
    return np.asarray(_centred(part, mean, exponent).sum(axis=0))


def _triangle(part: Any, mean: Float64s, exponent: int) -> Float64s:
    """R, RᵀR = Σ (x − μ)(x − μ)ᵀ."""
    return np.asarray(np.linalg.qr(_centred(part, mean, exponent), mode="r"))


def _squares(values: Float64s) -> float:
    return float(np.einsum("i,i", values.ravel(), values.ravel()))
