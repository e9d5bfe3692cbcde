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
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from prfast.balls.rows import Points
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongValue
from prfast.kernels.blas import one_blas_thread
from prfast.scalars.estimate import Estimate, Hands, Pair
from prfast.scalars.parts import largest, of_each, parts_of, rows_of

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
