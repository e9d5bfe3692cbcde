"""The Fréchet distance of normal distributions with the moments of two sets.

For means μ, ν and covariances S, T (divided by n − 1),

    FD = |μ − ν|² + tr(S + T − 2 (S T)^½).

No square root of a matrix is computed, and nothing is added to its diagonal.  Let S = AᵀA and T =
BᵀB.  The rows of A are the centered samples over √(n − 1), or, for more samples than features, A is
a triangular factor of S.  There are two ways, the second where the first might lose digits:

1. tr (S T)^½ is the sum of the roots of the eigenvalues λ of A T Aᵀ (`by_eigenvalues`).  Rounding
   moves the matrix by some E with ‖E‖ ≤ ε = 4 · 2⁻⁵² ‖S‖ ‖T‖ in practice (Frobenius norms).  Over
   the λ above ε the sum of the roots moves by at most ε √(Σ 1/λ) / 2.  If r of them are not above
   it, it moves by r^¾ √ε more.  Twice that, and 4 · 2⁻⁵² tr(S + T), bound the error of FD.  The
   result stands up to 1e-6 of it.
2. Else the distance is small beside the traces, or a covariance is nearly singular.  The trace in
   FD is the least ‖A − UB‖² over rotations U (rows of 0 make A and B equally high).  The singular
   vectors of A Bᵀ give the best one; A is that of a QR decomposition of the samples
   (`by_rotation`).  No large numbers cancel, but this takes five times as long.
"""

from __future__ import annotations

import math
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, blocks
from prfast.inputs.concurrency import one_blas_thread
from prfast.inputs.errors import WrongValue
from prfast.neighbors import NeighborSearch, Points
from prfast.scalars.blocks import map_blocks, parts_of, rows_of
from prfast.scalars.options import DistanceInputs, Estimate

_ROWS = 1 << 10  # of a block, at least
_ROUNDING = 4 * float(np.finfo(np.float64).eps)
_TOLERANCE = 1e-6  # relative error from which on eigenvalues do not do


class Moments(NamedTuple):
    """The mean, and the covariance S or a factor A with AᵀA = S."""

    mean: Float64s
    matrix: Float64s
    is_factor: bool  # whether the matrix is A, of not more samples than features, and not S

    @property
    def trace(self) -> float:
        """The trace of S."""
        return _squares(self.matrix) if self.is_factor else float(self.matrix.trace())


def frechet_distance(inputs: DistanceInputs) -> Estimate:
    """Return the metric `frechet_distance` of the table."""
    x, y, exponent = inputs.in_unit()
    search = inputs.search
    with one_blas_thread("scipy.linalg"), search.progress.work(3):
        real = inputs.cached(("moments", exponent), moments, x, search)
        fake = moments(y, search)
        apart = _squares(real.mean - fake.mean)
        traces, roots, error = by_eigenvalues(real, fake)
        scaled = apart + traces - 2 * roots
        if not error <= _TOLERANCE * scaled:
            key = "factor", exponent
            a = inputs.cached(key, factor, x, real, search)
            scaled = apart + by_rotation(a, factor(y, fake, search))
    with np.errstate(over="ignore", under="ignore"):
        value = float(np.ldexp(scaled, 2 * exponent))
    rounding = inputs.width * np.finfo(np.float64).eps  # equal sets may have a distance of it
    if math.isinf(value) or (value < np.finfo(np.float64).tiny and scaled > rounding):
        text = "a Fréchet distance that is a normal float64 number expected, got values up to"
        raise WrongValue("real and fake", f"{text} {inputs.largest:.3g}")
    return Estimate(value)


def moments(points: Points, search: NeighborSearch) -> Moments:
    """Return the moments of samples."""
    n, d = len(points), int(points.shape[1])
    rows = max(_ROWS, d)
    # One block where there are not more samples than features.
    tasks = [(part, n <= d) for part in parts_of(points, rows)]
    numbers = rows * d + 2 * d * d  # the centered rows, and a result or two in the queue
    with search.progress.work(len(tasks)):
        results = map_blocks(points, _of_block, tasks, search, numbers, n * float(d * d))
        if n <= d:
            ((mean, centered),) = results
            return Moments(mean, centered / math.sqrt(n - 1), True)
        covariance, means, sizes = np.zeros((d, d)), [], _sizes(n, rows)
        with closing(results):
            for mean, products in results:
                covariance += products
                means.append(mean)
    # The products around the mean of all are those around the means of the blocks, and of these.
    centers = np.array(means)
    mean, error = _center(centers, sizes)
    centers -= error
    covariance += (centers.T * sizes) @ centers
    covariance /= n - 1
    return Moments(mean + error, covariance, False)


def mean_of(points: Points, search: NeighborSearch) -> Float64s:
    """Return the mean; of samples that are all equal it is exact."""
    d = int(points.shape[1])
    tasks = [(part,) for part in parts_of(points, _ROWS)]
    with one_blas_thread("numpy"):
        with search.progress.work(len(tasks), share=0):
            means = np.array(list(map_blocks(points, _mean, tasks, search, _ROWS * d)))
        with np.errstate(over="ignore", invalid="ignore"):
            mean, error = _center(means, _sizes(len(points), _ROWS))
            return np.asarray(mean + error)


def by_eigenvalues(first: Moments, second: Moments) -> tuple[float, float, float]:
    """Return tr(S + T), tr (S T)^½ from the eigenvalues of A T Aᵀ, and a bound of their error (∞ if
    S has no factor A)."""
    from scipy.linalg import cholesky, eigvalsh, lapack  # here, to keep `import prfast` quick

    # A has the fewest rows: the eigenvalues other than 0 are those of B S Bᵀ as well.
    a, b = sorted((first, second), key=lambda x: (not x.is_factor, len(x.matrix)))
    traces = a.trace + b.trace
    # In units of the traces: products of covariances are normal float64 numbers.
    units = [int(np.frexp(x.trace)[1]) // 2 for x in (a, b)]
    s, t = (
        np.ldexp(x.matrix, -unit if x.is_factor else -2 * unit)
        for x, unit in zip((a, b), units, strict=True)
    )
    scale, error = math.ldexp(1.0, sum(units)), _ROUNDING * traces
    if b.is_factor:
        across = s @ t.T
        product, sets = across @ across.T, (s @ s.T, t @ t.T)
    elif a.is_factor:
        product, sets = s @ t @ s.T, (s @ s.T, t)
    else:
        varied = np.flatnonzero((s.diagonal() > 0) & (t.diagonal() > 0))
        if not varied.size:
            return traces, 0.0, error
        if len(varied) < len(s):  # others contribute nothing, and would leave S without a factor
            s, t = s[np.ix_(varied, varied)], t[np.ix_(varied, varied)]
        try:
            root = cholesky(s, check_finite=False)
        except np.linalg.LinAlgError:
            return traces, 0.0, math.inf
        product, sets = lapack.dsygst(t, root, itype=2)[0], (s, t)
    values = eigvalsh(product, lower=False, check_finite=False)
    if a.is_factor:
        values = values[1:]  # 0 but for rounding, as the rows of A have the sum 0
    norms = [math.sqrt(_squares(x)) for x in sets]
    rounding = _ROUNDING * norms[0] * norms[1]
    large = values[values > rounding]
    error += scale * rounding * math.sqrt(float(np.sum(1 / large)))
    error += scale * 2 * (len(values) - len(large)) ** 0.75 * math.sqrt(rounding)
    roots = float(np.sqrt(np.maximum(values, 0)).sum())
    return traces, scale * roots, error


def factor(points: Points, of_points: Moments, search: NeighborSearch) -> Float64s:
    """Return a matrix A with AᵀA = S and at most d rows, from the samples themselves."""
    if of_points.is_factor:
        return of_points.matrix
    n, d = len(points), int(points.shape[1])
    rows = max(_ROWS, 2 * d)
    tasks = [(part, of_points.mean) for part in parts_of(points, rows)]
    triangle = np.empty((0, d))
    with search.progress.work(len(tasks)):
        for block in map_blocks(points, _triangle, tasks, search, 3 * rows * d):
            triangle = np.asarray(np.linalg.qr(np.concatenate([triangle, block]), mode="r"))
    return triangle / math.sqrt(n - 1)


def by_rotation(first: Float64s, second: Float64s) -> float:
    """Return the least ‖A − UB‖² over rotations U."""
    a, b = sorted((first, second), key=len)
    u, _, v = np.linalg.svd(a @ b.T, full_matrices=False)
    rotated = v @ b
    total = _squares(u.T @ a - rotated)
    if len(a) < len(b):  # the component of b that is paired with rows of 0
        total += _squares(b - v.T @ rotated)
    return total


def _mean(part: Any) -> Float64s:
    """Return the mean of a block; a task of `map_blocks`, as are the next."""
    with np.errstate(over="ignore", invalid="ignore"):  # callers check the result
        rows = rows_of(part)
        mean, error = _center(rows, np.ones(len(rows)))
        return np.asarray(mean + error)


def _sizes(n: int, rows: int) -> Float64s:
    """Return the number of rows of each block."""
    return np.array([block.stop - block.start for block in blocks(n, rows)], np.float64)


def _center(rows: Float64s, weights: Float64s) -> tuple[Float64s, Float64s]:
    """Subtract their weighted mean from the rows, in place.  Return it and the mean of the result,
    the rounding of the first, exactly that if all rows are equal."""
    total = weights.sum()
    mean = weights @ rows / total
    rows -= mean
    return mean, weights @ rows / total


def _of_block(part: Any, is_factor: bool) -> tuple[Float64s, Float64s]:
    """Return the mean μ of a block, and its rows less it or Σ (x − μ)(x − μ)ᵀ."""
    rows = rows_of(part)
    mean, error = _center(rows, np.ones(len(rows)))
    if is_factor:
        return mean + error, rows - error
    products = rows.T @ rows  # half of the products: NumPy detects that it is symmetric
    products -= len(rows) * np.outer(error, error)
    return mean + error, products


def _triangle(part: Any, mean: Float64s) -> Float64s:
    """Return R with RᵀR = Σ (x − μ)(x − μ)ᵀ."""
    return np.asarray(np.linalg.qr(rows_of(part) - mean, mode="r"))


def _squares(values: Float64s) -> float:
    return float(np.einsum("i,i", values.ravel(), values.ravel()))
