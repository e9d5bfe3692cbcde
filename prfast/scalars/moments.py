"""The Fréchet distance of normal distributions with the moments of two sets; sums over blocks.

With means μ, ν and covariances S, T (divided by n − 1),

    FD = |μ − ν|² + tr(S + T − 2 (S T)^½).

No square root of a matrix is computed, and nothing is added to its diagonal.  Let S = AᵀA and
T = BᵀB, where the rows of A are the centered samples over √(n − 1), or, with more samples than
features, the triangular factor of their QR decomposition.  Then the trace is the least ‖A − UB‖²
over rotations U (rows of 0 make A and B equally high), and the singular vectors of A Bᵀ give the
best one.  The distance is summed from that difference: no large numbers cancel, and it is never
negative.

The triangular factor is that of the stacked factors of blocks of rows.  The width alone decides the
size of blocks, and their results are combined in order, so that sums are the same to the last bit
for any number of threads, and for samples in partitions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.concurrency import bounded_map, one_blas_thread, thread_pool
from prfast.inputs.errors import WrongValue
from prfast.neighbors import NeighborSearch, Points, Rows
from prfast.neighbors.tasks import largest_value, sample_set_of

_ROWS = 1 << 10  # of a block, at least


class Pair(NamedTuple):
    """Two sets that have been read, and what their distances depend on."""

    real: Floats
    fake: Floats
    search: NeighborSearch
    """Threads, bytes of working memory, and the progress bar."""
    cache: dict[Any, Any]
    """Results that depend on the real samples alone, by name, for calls with the same ones."""
    subsets: int | None
    """Number of random subsets for the kernel distance; None: all pairs."""
    subset_size: int
    seed: int


class Estimate(NamedTuple):
    """A number, its standard error if it has one, and further entries of `info`."""

    value: float
    error: float | None = None
    info: Mapping[str, Any] = {}


# ---- blocks of rows ------------------------------------------------------------------------------


def parts_of(points: Points, rows: int) -> list[Any]:
    """Return blocks of so many rows, the last one with the rest: slices of arrays, or references to
    rows of a `SampleSet`, which the tasks load."""
    return [_block(points, block) for block in blocks(len(points), rows)]


def undivided(points: Points) -> Any:
    """Return all rows as one block."""
    return points if sample_set_of(points) is None else _block(points, slice(0, len(points)))


def rows_of(part: Any) -> Float64s:
    """Return the rows of a block of `parts_of`, loaded here if they are references."""
    return np.asarray(part.load() if hasattr(part, "load") else part).astype(np.float64)


def map_blocks(
    points: Points,
    call: Callable[..., Any],
    arguments: Sequence[tuple[Any, ...]],
    search: NeighborSearch,
    numbers: int,
) -> Generator[Any, None, None]:
    """Yield the results of a function for each of the arguments, in their order, and advance the
    progress bar by one for each; on threads, or where the rows of a `SampleSet` are.

    call: a module-level function, which can be pickled; numbers: float64 numbers that a call
    allocates.
    """
    threads = max(1, min(search.threads, search.memory // (8 * numbers)))
    results: Generator[Any, None, None]
    if (samples := sample_set_of(points)) is not None:
        results = samples.map(_with_one_blas_thread, ((call, *a) for a in arguments))
    elif threads == 1 or len(arguments) == 1:
        results = (call(*a) for a in arguments)
    else:
        results = _in_threads(call, arguments, min(threads, len(arguments)))
    with closing(results) as iterator:  # stops the tasks if the progress bar is interrupted
        for result in iterator:
            yield result
            search.progress.advance()


def _block(points: Points, rows: slice) -> Any:
    if (samples := sample_set_of(points)) is None:
        return points[rows]
    return samples.block(rows, points.index if isinstance(points, Rows) else None)


def _in_threads(
    call: Callable[..., Any], arguments: Sequence[tuple[Any, ...]], threads: int
) -> Generator[Any, None, None]:
    with thread_pool(threads) as executor:
        yield from bounded_map(executor, lambda one: call(*one), arguments, 2 * threads)


def _with_one_blas_thread(call: Callable[..., Any], *arguments: Any) -> Any:
    with one_blas_thread():
        return call(*arguments)


# ---- the distance --------------------------------------------------------------------------------


class Moments(NamedTuple):
    """The mean, and a factor A of the covariance AᵀA with min(n, d) rows."""

    mean: Float64s
    factor: Float64s


def frechet_distance(pair: Pair) -> Estimate:
    """Return the metric `frechet_distance` of the table."""
    most = max(map(largest_value, (pair.real, pair.fake)))
    exponent = _exponent(most)
    with one_blas_thread(), pair.search.progress.work(3):
        if ("moments", exponent) not in pair.cache:
            pair.cache["moments", exponent] = moments(pair.real, exponent, pair.search)
        of_real = pair.cache["moments", exponent]
        scaled = distance(of_real, moments(pair.fake, exponent, pair.search))
    try:
        value = math.ldexp(scaled, 2 * exponent)
    except OverflowError:
        value = math.inf
    rounding = pair.real.shape[1] * np.finfo(np.float64).eps  # equal sets may have a distance of it
    if math.isinf(value) or (value < np.finfo(np.float64).tiny and scaled > rounding):
        raise WrongValue(
            "real and fake",
            "a Fréchet distance that is a normal float64 number expected, got values up to "
            f"{most:.3g}",
        )
    return Estimate(value)


def moments(points: Points, exponent: int, search: NeighborSearch) -> Moments:
    """Return the moments of samples in units of 2**exponent."""
    n, d = points.shape
    rows = max(_ROWS, 2 * d)
    parts = parts_of(points, rows)

    def of_parts(call: Callable[..., Float64s], mean: Float64s) -> Iterator[Float64s]:
        numbers = 3 * rows * d  # the rows, those centered, and a result or two in the queue
        return map_blocks(points, call, [(part, mean, exponent) for part in parts], search, numbers)

    with search.progress.work(3 * len(parts)):
        mean = np.zeros(d)
        for _ in range(2):  # the second pass corrects the rounding of the first
            mean = mean + sum(of_parts(_sum, mean)) / n
        if n <= d:  # the centered samples have no more rows than the triangular factor
            factor = np.concatenate(list(of_parts(_centered, mean)))
        else:
            factor = np.empty((0, d))
            for triangle in of_parts(_triangle, mean):
                factor = np.asarray(np.linalg.qr(np.concatenate([factor, triangle]), mode="r"))
    return Moments(mean, factor / math.sqrt(n - 1))


def distance(one: Moments, other: Moments) -> float:
    """Return the Fréchet distance of two sets with these moments."""
    a, b = sorted((one.factor, other.factor), key=len)
    u, _, v = np.linalg.svd(a @ b.T, full_matrices=False)
    difference = u.T @ a
    rotated = v @ b
    difference -= rotated
    total = _squares(one.mean - other.mean) + _squares(difference)
    if len(a) < len(b):  # the component of b that is paired with rows of 0
        total += _squares(b - v.T @ rotated)
    return total


def _exponent(most: float) -> int:
    """Return the binary exponent of the unit in which squares of values, and sums of them, are
    normal float64 numbers; 0 where they are so as they are."""
    exponent = int(np.frexp(most)[1])
    return 0 if most == 0 or abs(exponent) < 400 else exponent


def _centered(part: Any, mean: Float64s, exponent: int) -> Float64s:
    rows = rows_of(part)
    return (np.ldexp(rows, -exponent) if exponent else rows) - mean


def _sum(part: Any, mean: Float64s, exponent: int) -> Float64s:
    return np.asarray(_centered(part, mean, exponent).sum(axis=0))


def _triangle(part: Any, mean: Float64s, exponent: int) -> Float64s:
    """Return R with RᵀR = Σ (x − μ)(x − μ)ᵀ."""
    return np.asarray(np.linalg.qr(_centered(part, mean, exponent), mode="r"))


def _squares(values: Float64s) -> float:
    return float(np.einsum("i,i", values.ravel(), values.ravel()))
