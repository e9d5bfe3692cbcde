"""The Fréchet distance of the normal distributions that have the moments of two sets.

With means μ, ν and covariances S, T (divided by n − 1),

    FD = |μ − ν|² + tr(S + T − 2 (S T)^½).

No root of a matrix is taken, and nothing is added to its diagonal.  Let S = AᵀA and T = BᵀB, where
the rows of A are the centred samples over √(n − 1), or, of more samples than features, the
triangle of their QR decomposition.  Then the trace is the least ‖A − UB‖² over rotations U (rows
of 0 make A and B equally high), and the best one is made of the singular vectors of A Bᵀ.  The
distance is summed from that difference: no large numbers cancel, and it is never negative.

Samples are looked at in blocks of rows that their width alone decides, on one thread a set: the
number of threads does not change a bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from prfast.balls.rows import by_block
from prfast.balls.scale import largest_value
from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.blocks import blocks
from prfast.inputs.errors import WrongValue
from prfast.kernels.blas import one_blas_thread
from prfast.metrics.estimate import Estimate, Pair
from prfast.metrics.threads import in_threads

_ROWS = 1 << 10  # of a block, at least


class Moments(NamedTuple):
    """The mean, and a factor A of the covariance AᵀA with as few rows as it can have."""

    mean: Float64s
    factor: Float64s


def frechet_distance(pair: Pair) -> Estimate:
    """The row `frechet_distance` of the table."""
    largest = max(largest_value(points) for points in (pair.real, pair.fake))
    exponent = _exponent(largest)
    with one_blas_thread():
        key = "moments", exponent
        sets = [pair.fake] if key in pair.known else [pair.fake, pair.real]
        of_fake, *of_real = in_threads(
            lambda points: moments(points, exponent), sets, min(pair.threads, 2)
        )
        if of_real:
            pair.known[key] = of_real[0]
        found = distance(pair.known[key], of_fake)
    try:
        return Estimate(math.ldexp(found, 2 * exponent))
    except OverflowError:
        raise WrongValue(
            "real and fake",
            f"a Fréchet distance that is a float64 number expected, got values up to {largest:.3g}",
        ) from None


def moments(points: Floats, exponent: int = 0) -> Moments:
    """Of samples in units of 2**exponent."""
    mean = np.zeros(points.shape[1])
    for _ in range(2):  # what the first sum has lost is in the second
        mean += sum((one - mean).sum(axis=0) for one in _float64(by_block(points), exponent)) / len(
            points
        )
    factor = _triangle(points, mean, exponent)
    return Moments(mean, factor / math.sqrt(len(points) - 1))


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


def _exponent(largest: float) -> int:
    """0 where squares of values, and sums of them, are normal float64 numbers."""
    exponent = int(np.frexp(largest)[1])
    return 0 if largest == 0 or abs(exponent) < 400 else exponent


def _triangle(points: Floats, mean: Float64s, exponent: int) -> Float64s:
    """R, RᵀR = Σ (x − μ)(x − μ)ᵀ: of few samples their own differences."""
    n, d = points.shape
    if n <= d:
        return next(_float64([points], exponent)) - mean
    found: Float64s = np.empty((0, d))
    for rows in blocks(n, max(d, _ROWS)):
        (block,) = _float64([points[rows]], exponent)
        found = np.asarray(np.linalg.qr(np.vstack([found, block - mean]), mode="r"))
    return found


def _float64(some: Iterator[Floats] | list[Floats], exponent: int) -> Iterator[Float64s]:
    for one in some:
        wide = one.astype(np.float64)
        yield np.ldexp(wide, -exponent) if exponent else wide


def _squares(values: Float64s) -> float:
    return float(np.einsum("i,i", values.ravel(), values.ravel()))
