"""Sums of kernels over pairs of samples, and the distances that follow, with their errors.

For a kernel k, n samples x and m samples y, the squared maximum mean discrepancy, unbiased, is

    mean_{i≠j} k(xᵢ, xⱼ) + mean_{i≠j} k(yᵢ, yⱼ) − 2 mean k(xᵢ, yⱼ).

Over all pairs it comes with its standard error (`estimate`).

Sums over pairs of the cubic kernel, (x·y / d + 1)³, are computed block by block from k(x, y) − k(x,
c) − k(c, y) + k(c, c), where c is the mean of the real samples.  Neither the distance nor its error
changes by this, for any point c.  If the mean of samples is large beside their deviation, all
digits of k are those of k(c, c).  The difference is expanded (`kernel`): no large numbers cancel.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s
from prfast.kernels import distances as kernels
from prfast.neighbors import NeighborSearch, Points
from prfast.neighbors.passes import settings
from prfast.scalars.blocks import block_sums, loaded, map_blocks, parts_of, rows_of
from prfast.scalars.options import Estimate

FEWEST = 4  # samples of each set, for a standard error
_MOST, _FEWEST, _NUMBERS = 1 << 10, 1 << 4, 1 << 21  # rows of a block; float64 numbers in them
_MOST_FLOAT32, _NUMBERS_FLOAT32 = 1 << 11, 1 << 22  # the same of float32
_SHIFT = 1 << 8  # samples whose pairs have the mean that a kernel is shifted by
_LOG2_E = 1 / math.log(2.0)
_ACCURATE = 1e-12  # error of a squared distance, in 2σ², up to which a product is enough
_FAR = 750.0  # |x − y|² / 2σ² from which the Gaussian kernel is 0
_SMALL = 0.01  # the same up to which 1 less the kernel would lose digits
_LEAST_SHARE = 2.0**-14  # of E h² in E k², for float32
_LEAST_SQUARE = 2.0**-80  # of E k², for float32
_LEAST_RATIO = 2.0**20  # of E h² in the mean square of rounding errors, for float32


class Sums(NamedTuple):
    """Sums of the kernel over the samples paired with each one; of its squares over all pairs."""

    kernel: Float64s
    squared: float


class Kernel(NamedTuple):
    """A kernel of samples, computed from the samples less a center.

    In float32, products and partial sums of at most 2048 pairs (csrc/engine/kernels.h) have
    rounding errors without a sign.  They move the distance by less than 1e-3 of its standard error,
    or a few hundredths where far rows repeat; `sums_within` has where that holds.
    """

    center: Float64s
    scale: float | None  # √2 σ of the Gaussian kernel; None: the cubic one
    # For float32, a number near the mean of the kernel, subtracted from sums: that keeps partial
    # sums small and does not change the distance; None: float64.
    shift: float | None = None


def shifted(points: Points, kernel: Kernel, search: NeighborSearch) -> Kernel:
    """Return a kernel in float32, less its mean over the first samples."""
    part, n = parts_of(points, _SHIFT)[0], min(_SHIFT, len(points))
    task = part, part, True, kernel._replace(shift=0.0)
    ((sums, _, _),) = map_blocks(points, _pair_sums, [task], search, n * n)
    return kernel._replace(shift=float(sums.sum()) / (n * (n - 1)))


def kernel_sums(
    x: Points, y: Points | None, kernel: Kernel, search: NeighborSearch
) -> tuple[Sums, Sums]:
    """Return the sums of each sample of x over the samples y, and of each of y over x; y: None for
    pairs within x."""
    (rows, numbers), (columns, _) = _sizes(x, kernel), _sizes(x if y is None else y, kernel)
    how = (kernel,), (rows, columns), search, numbers
    sums_x, sums_y, squares = block_sums(x, y, _pair_sums, *how)
    of_pairs = total(np.array(squares))
    return Sums(sums_x, of_pairs), Sums(sums_y, of_pairs)


def cubic(x: Float64s, y: Float64s, c: Float64s) -> Float64s:
    """Return k(x, y) − k(x, c) − k(c, y) + k(c, c) of all pairs.

    With u = x − c, v = y − c, g = u·v / d, a = c·u / d, b = c·v / d, t = c·c / d + 1 and
    s = t + a + b it is  g (3 s (s + g) + g²) + 3 a b (s + t).
    """
    d = len(c)
    u = x - c
    v = u if y is x else y - c  # BLAS computes u uᵀ in half the time
    t, a, b = float(c @ c) / d + 1.0, u @ c / d, v @ c / d
    g = u @ v.T
    g /= d
    s = np.add.outer(a, b)
    s += t
    k = s + g
    k *= s
    k *= 3.0
    k += g * g
    k *= g
    s += t
    s *= 3.0 * a[:, None]
    s *= b
    k += s
    return k


def gaussian(x: Float64s, y: Float64s, center: Float64s, scale: float) -> Float64s:
    """Return exp(−|x − y|² / 2σ²) − 1 of all pairs; scale: √2 σ."""
    g = squared_distances(x, y, center, scale, _ACCURATE, _FAR)
    np.negative(g, out=g)
    if g.min() > -_SMALL:
        return np.asarray(np.expm1(g, out=g))
    np.exp(g, out=g)
    g -= 1.0
    return g


def squared_distances(
    x: Float64s,
    y: Float64s,
    center: Float64s,
    scale: float,
    accurate: float,
    limit: float,
    *,
    is_relative: bool = False,
) -> Float64s:
    """Return |x − y|² / scale² of all pairs, from a product of the rows less a center.

    Below `limit` errors are at most `accurate`, or this part of the result.
    """
    u = (x - center) / scale
    v = u if y is x else (y - center) / scale
    norms = [np.einsum("ij,ij->i", rows, rows) for rows in (u, v)]
    d2 = u @ v.T
    d2 *= -2.0
    d2 += norms[0][:, None]
    d2 += norms[1]
    allowed = accurate * d2 if is_relative else np.asarray(accurate)
    rounding = 2 * (x.shape[1] + 8) * float(np.finfo(np.float64).eps)
    if not rounding * (norms[0].max() + norms[1].max()) <= allowed.min():
        error = rounding * np.add.outer(*norms)
        near = np.flatnonzero((error > allowed) & (d2 - error < limit))
        i, j = np.divmod(near, len(v))
        x, y = (np.ascontiguousarray(rows) for rows in (x, y))
        d2.flat[near] = kernels.pairs(x, y, i, j) / scale**2
    return np.asarray(np.maximum(d2, 0.0, out=d2))


def total(values: Float64s) -> float:
    """Return the correctly rounded sum; NaN where it is not a float64 number."""
    try:
        return math.fsum(values.tolist())
    except (OverflowError, ValueError):  # beyond float64, or ∞ − ∞
        return math.nan


def _pair_sums(
    part: Any, second: Any, same: bool, kernel: Kernel
) -> tuple[Float64s, Float64s, float]:
    """Return the sums of the samples of either part over the second, and that of squares; a task of
    `block_sums`.  Samples of the same part are not paired with themselves."""
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):  # the results are checked
        center, scale, shift = kernel
        if shift is not None:
            u = centered(part, center)
            v = u if same else centered(second, center)
            products = u @ v.T  # BLAS does half of it for the same
            factor, a = offsets(u, center, scale)
            b = a if same else offsets(v, center, scale)[1]
            how = factor, shift, scale is None, same
            sums: tuple[Float64s, Float64s, float]
            sums = kernels.kernel_sums(settings().isa, products, a, b, *how)
            return sums
        x = rows_of(part)
        y = x if same else rows_of(second)
        k = cubic(x, y, center) if scale is None else gaussian(x, y, center, scale)
        if same:
            np.fill_diagonal(k, 0.0)
        return k.sum(axis=1), k.sum(axis=0), float(np.vdot(k, k))


def centered(part: Any, center: Float64s) -> NDArray[np.float32]:
    """Return the rows of a block less a center that is rounded to float32."""
    return np.asarray(loaded(part) - center.astype(np.float32), np.float32)


def offsets(
    rows: NDArray[np.float32], center: Float64s, scale: float | None
) -> tuple[float, NDArray[np.float32]]:
    """Return f and a such that f u·v + a + b is x·y / d, or −|x − y|² log2 e / 2σ², of rows u = x −
    c, v = y − c, and their a and b."""
    if scale is None:
        c, d = center.astype(np.float32), len(center)
        half = float(c.astype(np.float64) @ c) / 2
        return 1 / d, (((rows @ c).astype(np.float64) + half) / d).astype(np.float32)
    unit = _LOG2_E / scale**2
    return 2 * unit, (-unit * np.einsum("ij,ij->i", rows, rows)).astype(np.float32)


def _sizes(points: Points, kernel: Kernel) -> tuple[int, int]:
    """Return the number of rows of a block, and of float64 numbers that `_pair_sums` allocates."""
    n, d = len(points), int(points.shape[1])
    if kernel.shift is None:
        rows = max(_FEWEST, min(_MOST, _NUMBERS // d))
        return rows, rows * (5 * rows + 4 * d)
    most = max(_FEWEST, min(_MOST_FLOAT32, _NUMBERS_FLOAT32 // d))
    rows = -(-n // -(-n // most))  # blocks of one size: threads share them evenly
    return rows, rows * (rows + d)


def _norms(part: Any, center: Float64s, scale: float) -> Float64s:
    rows = centered(part, center)
    return np.asarray(np.einsum("ij,ij->i", rows, rows, dtype=np.float64) / scale**2)


# ---- standard error ------------------------------------------------------------------------------
#
# Let p(z) = E k(X, z) and q(z) = E k(Y, z), and h the degenerate rest of k: h(X, X') is
# k(X, X') − p(X) − p(X') + E p(X), and likewise for other arguments.  The terms of Hoeffding's
# decomposition are uncorrelated, so the variance is, for any n and m, without remainder
#
#     4/n Var (p − q)(X) + 4/m Var (p − q)(Y)
#         + 2/(n(n−1)) E h(X, X')² + 2/(m(m−1)) E h(Y, Y')² + 4/(nm) E h(X, Y)².
#
# For equal distributions the first line is 0.  Both lines are estimated without bias, from sums of
# products over different samples (Sutherland and Deka 2019 do so for n = m); an estimate of a line
# that is below 0 is replaced by 0.


def _parts(within: Sums, across: Sums, m: int, q_q: float) -> tuple[float, float, float]:
    """Return Var (p − q)(X), E h(X, X1)² and E q(X)².  X, X1, X2, X3 are different samples of a
    set, and Y, Y1 of the second, of m samples.

    within, across: sums of the samples X over their set, and over the second; q_q: (E k(X, Y))².
    """
    n = len(within.kernel)
    pairs = n * (n - 1)
    threes = pairs * (n - 2)
    squares, mixed = _product(within, within), _product(within, across)
    sums = total(within.kernel)
    pp = (squares - within.squared) / threes  # E p(X)², from k(X, X1) k(X, X2)
    pq = mixed / (pairs * m)  # E p(X) q(X), from k(X, X1) k(X, Y)
    # E q(X)², from k(X, Y) k(X, Y1).
    qq = (_product(across, across) - across.squared) / (n * m * (m - 1))
    # (E p(X))², from k(X, X1) k(X2, X3).
    p_p = (sums * sums - (4 * squares - 2 * within.squared)) / (threes * (n - 3))
    # E p(X) E q(X), from k(X, X1) k(X2, Y).
    p_q = (sums * total(across.kernel) - 2 * mixed) / (threes * m)
    first = pp - 2 * pq + qq - (p_p - 2 * p_q + q_q)
    return first, within.squared / pairs - 2 * pp + p_p, qq


def _product(first: Sums, second: Sums) -> float:
    return total(first.kernel * second.kernel)


def sums_within(points: Points, kernel: Kernel, search: NeighborSearch) -> Sums | None:
    """Return the sums of a kernel within a set; None where float32 is not accurate enough.

    It is where the part h of the kernel that the standard error consists of is, in root mean
    squares, at least 2⁻⁷ of the cubic kernel, or a thousand times the rounding errors of the
    Gaussian one.  h is less of clusters that are narrow beside their distance from 0, of a
    bandwidth far above all distances, and of far outliers.  Rounding errors of a pair of the
    Gaussian kernel are at most 2⁻²⁵ (4 + √d (p + q)) in the mean, p = |x − c|² / 2σ² and q that of
    y.  They are those of d products and sums, and of the exponential function.
    """
    (center, scale, shift), n = kernel, len(points)
    sums, _ = kernel_sums(points, None, kernel, search)
    if shift is None:
        return sums
    _, second, _ = _parts(sums, sums, n, 0.0)
    if scale is None:
        square = sums.squared / (n * (n - 1)) + shift**2
        is_accurate = square >= _LEAST_SQUARE and second >= _LEAST_SHARE * square
    else:
        rows, numbers = _sizes(points, kernel)
        tasks = [(part, center, scale) for part in parts_of(points, rows)]
        results = map_blocks(points, _norms, tasks, search, numbers)
        root = 2 * math.sqrt(int(points.shape[1]))
        rounding = float(np.mean(np.square(2.0**-25 * (4 + root * np.concatenate([*results])))))
        is_accurate = second >= _LEAST_RATIO * rounding
    return sums if is_accurate else None


def estimate(within: tuple[Sums, Sums], between: tuple[Sums, Sums]) -> Estimate:
    """Return the squared distance with its standard error, from sums of both sets within and
    between them.  It is None for fewer than `FEWEST` samples, NaN if products are beyond
    float64."""
    n, m = (len(sums.kernel) for sums in within)
    value = total(within[0].kernel) / (n * (n - 1)) + total(within[1].kernel) / (m * (m - 1))
    value -= 2 * total(between[0].kernel) / (n * m)
    if min(n, m) < FEWEST:
        return Estimate(value)
    squared, cross = between[0].squared, total(between[0].kernel)
    # (E k(X, Y))², from k(X, Y) k(X1, Y1).
    q_q = cross * cross - sum(_product(sums, sums) for sums in between) + squared
    q_q /= n * (n - 1) * (m * (m - 1))
    var_x, h_x, qq_x = _parts(within[0], between[0], m, q_q)
    var_y, h_y, qq_y = _parts(within[1], between[1], n, q_q)
    mixed = squared / (n * m) - qq_x - qq_y + q_q
    first = 4 / n * var_x + 4 / m * var_y
    second = 2 / (n * (n - 1)) * h_x + 2 / (m * (m - 1)) * h_y + 4 / (n * m) * mixed
    is_number = math.isfinite(first + second)
    error = math.sqrt(max(0.0, first) + max(0.0, second)) if is_number else math.nan
    return Estimate(value, error)
