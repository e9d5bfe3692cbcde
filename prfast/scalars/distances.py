"""The kernel distances and the sliced distance, all without bias and with their errors.

All are the estimate of `kernel` for some kernel, so that their expectation for equal distributions
is 0 for any n and m, and their standard error is that of `kernel.error`.

    kernel_distance     k(x, y) = (x·y / d + 1)³; of random subsets, as published (KID), it comes
                        with their standard deviation instead
    gaussian_distance   k(x, y) = exp(−|x − y|² / 2σ²) of pairs of samples; the statistic of CMMD
                        (Jayasumana et al. 2024; σ = 10, with bias, times 1000) and of KAD (Chung
                        et al. 2025; σ the median distance of generated samples, times 100)
    sliced_distance     the inner product of sorted projections, of pairs of groups of samples

The sliced distance is d times the mean over directions θ of the squared Wasserstein distance of the
projections θ·X and θ·Y, so that a shift by δ makes it |δ|² for any d.  The usual estimate, which
sorts all samples, as MIND does (Berthet et al. 2026), is that of equal sets plus the variance of
both quantile functions: above 0 by far for equal distributions in many dimensions.  Here each set
is divided at random into groups of s samples, s = ⌊√k⌋ or ⌊k / 16⌋, whichever is more, k =
min(n, m); the rest, less than s samples, is not used.  A group has the vector a of its sorted
projections on all directions, and with A = E a of X and B = E b of Y

    T = d / (L s) |A − B|² = E k(a, a′) + E k(b, b′) − 2 E k(a, b),  k(a, b) = d a·b / (L s),

for L directions, is estimated without bias from pairs of different groups.  T is the distance of
the expected quantile functions of s samples: |δ|² for a shift, and for other changes less than the
distance of the distributions by a part of a few times 1/s, which vanishes as n and m grow.

The variance of the estimate is that of the samples, given the directions, plus that of the mean
over random directions (`direction_variance`).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s, blocks
from prfast.inputs.concurrency import one_blas_thread
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import stream
from prfast.kernels import distances as kernels
from prfast.neighbors import NeighborSearch, Points
from prfast.samples.partitioned import select
from prfast.scalars.blocks import map_blocks, parts_of, rows_of, undivided
from prfast.scalars.kernel import (
    FEWEST,
    Kernel,
    Sums,
    accurate,
    cubic,
    estimate,
    kernel_sums,
    shifted,
    total,
)
from prfast.scalars.moments import mean_of
from prfast.scalars.options import DistanceInputs, Estimate

MOST = 2048  # real samples whose distances have the median that is the bandwidth
DIRECTIONS = 512  # at least, in bases; no more than this where there are more features
_BASES = 8  # from which on bases are independent draws, else directions
_GROUPS = 16  # of the smaller set, from 256 samples on
_LARGE = 1 << 33  # (n + m)² (d + 64), from which on products are float32
_RANGE = 2.0**30  # of the largest value, for float32
_EPS = float(np.finfo(np.float64).eps)


# ---- kernels over all pairs ----------------------------------------------------------------------


def kernel_distance(inputs: DistanceInputs) -> Estimate:
    """Return the metric `kernel_distance` of the table."""
    with one_blas_thread("scipy.linalg"), np.errstate(over="ignore", invalid="ignore"):
        if inputs.options.kernel_subsets is None:
            result = _of_pairs(inputs, (inputs.real, inputs.fake, 0), None)
        else:
            result = _of_subsets(inputs)
    if not result.is_finite:
        raise WrongValue(
            "real and fake",
            "samples whose kernel (x·y / d + 1)³, and its square, are float64 numbers expected, "
            f"got values up to {inputs.largest:.3g}",
        )
    return result


def gaussian_distance(inputs: DistanceInputs) -> Estimate:
    """Return the metric `gaussian_distance` of the table."""
    real, fake, exponent = inputs.in_unit()
    with one_blas_thread("numpy"):
        sigma = _bandwidth(inputs, real, exponent)
        scale = math.sqrt(2.0) * sigma
        result = _of_pairs(inputs, (real, fake, exponent), scale)
    if not result.is_finite:
        text = "a number beside which values, squared, are float64 numbers expected"
        raise WrongValue("bandwidth", f"{text}, got {math.ldexp(sigma, exponent):.3g}")
    return result._replace(info={"bandwidth": math.ldexp(sigma, exponent)})


def _of_pairs(
    inputs: DistanceInputs, sets: tuple[Points, Points, int], scale: float | None
) -> Estimate:
    """Return the distance of the kernel of this scale over all pairs, with its standard error if
    there are enough samples; of large sets from products in float32, where these are accurate.

    sets: the real and the generated samples, and the exponent of their unit.
    """
    n, m = map(len, sets[:2])
    is_large = (n + m) ** 2 * (inputs.width + 64) >= _LARGE and min(n, m) >= FEWEST
    if is_large and 1 / _RANGE < inputs.largest < _RANGE:
        result = _with_products(inputs, sets, scale, in_float32=True)
        if result.is_finite:
            return result
    return _with_products(inputs, sets, scale, in_float32=False)


def _with_products(
    inputs: DistanceInputs,
    sets: tuple[Points, Points, int],
    scale: float | None,
    in_float32: bool,
) -> Estimate:
    """Return the distance over all pairs; NaN where float32 is not accurate enough."""
    (real, fake, exponent), search = sets, inputs.search
    n, m = len(real), len(fake)
    kernel = Kernel(_center(inputs, real, exponent), scale)
    with search.progress.work(n * n + m * m + n * m):
        if in_float32:
            kernel = inputs.cached(("shifted", scale), shifted, real, kernel, search)
        key = "sums", exponent, scale, in_float32
        of_real = inputs.cached(key, _sums_within, real, kernel, search)
        of_fake = None if of_real is None else _sums_within(fake, kernel, search)
        if of_fake is None:
            return Estimate(math.nan)
        return estimate((of_real, of_fake), kernel_sums(real, fake, kernel, search))


def _sums_within(points: Points, kernel: Kernel, search: NeighborSearch) -> Sums | None:
    """Return the sums within a set; None where they are not accurate enough."""
    sums, _ = kernel_sums(points, None, kernel, search)
    return sums if accurate(sums, points, kernel, search) else None


# ---- the cubic kernel of subsets -----------------------------------------------------------------


def _of_subsets(inputs: DistanceInputs) -> Estimate:
    """Return the distance as published: the mean over random subsets of both sets, with the
    standard deviation of these.

    Subsets are drawn as torch-fidelity does with its `rng_seed`, the real ones first.
    """
    size = inputs.options.kernel_subset_size
    rng = np.random.RandomState(inputs.options.seed)
    subsets = [
        tuple(_subset(points, rng, size) for points in (inputs.real, inputs.fake))
        for _ in range(inputs.options.kernel_subsets or 0)
    ]
    numbers = size * (5 * size + 4 * inputs.width)
    with inputs.search.progress.work(len(subsets)):
        distances = list(map_blocks(inputs.real, _of_subset, subsets, inputs.search, numbers))
    mean, deviation = total(np.array(distances)) / len(distances), float(np.std(distances))
    return Estimate(mean, None, {"kernel_deviation": deviation})


def _subset(points: Points, rng: np.random.RandomState, size: int) -> Any:
    rows = rng.choice(len(points), size, replace=False)
    return undivided(select(points, rows.copy()))  # `rows` is a view of a permutation of all


def _of_subset(real: Any, fake: Any) -> float:
    """Return the distance of two subsets of the same size; a task of `map_blocks`."""
    with np.errstate(over="ignore", invalid="ignore"):  # `kernel_distance` checks the result
        x, y = rows_of(real), rows_of(fake)
        size, around = len(x), x.mean(axis=0)
        around += (x - around).mean(axis=0)  # corrects the rounding of the first mean
        sums = (float(k.sum() - np.trace(k)) for k in (cubic(z, z, around) for z in (x, y)))
        return sum(sums) / (size * (size - 1)) - 2 * float(cubic(x, y, around).mean())


# ---- the bandwidth of the Gaussian kernel --------------------------------------------------------


def median_distance(points: Points, seed: int, search: NeighborSearch) -> float:
    """Return the median distance of different samples, of `MOST` random ones where there are more;
    of those that are not 0 where it is 0, and 1 where all are."""
    if len(points) > MOST:
        points = select(points, np.sort(stream(seed, "bandwidth").permutation(len(points))[:MOST]))
    task, numbers = (undivided(points),), len(points) * (len(points) + 2 * int(points.shape[1]))
    with search.progress.work(1, share=0):
        (median,) = map_blocks(points, _median_distance, [task], search, numbers)
    return float(median)


def _median_distance(part: Any) -> float:
    """Return the median distance of the rows of a block; a task of `map_blocks`."""
    rows = rows_of(part)
    u = rows - rows.mean(axis=0)
    norms = np.einsum("ij,ij->i", u, u)
    products = np.add.outer(norms, norms)
    products -= 2 * (u @ u.T)
    d2 = np.concatenate([row[i + 1 :] for i, row in enumerate(products)])
    half = len(d2) // 2
    d2.partition(half)  # of one place: of two it takes six times as long
    high = d2[half]
    low = high if len(d2) % 2 else d2[:half].max()
    if (low + high) / 2 * 1e-9 > rows.shape[1] * _EPS * norms.max():
        return (math.sqrt(low) + math.sqrt(high)) / 2
    distances = np.sqrt(kernels.pairs(rows, rows, *np.triu_indices(len(rows), 1)))
    median = float(np.median(distances))
    if median == 0 and distances.any():
        median = float(np.median(distances[distances > 0]))
    return median or 1.0


def _center(inputs: DistanceInputs, real: Points, exponent: int) -> Float64s:
    """Return the mean of the real samples, which are in units of 2**exponent."""
    center: Float64s = inputs.cached(("center", exponent), mean_of, real, inputs.search)
    return center


def _bandwidth(inputs: DistanceInputs, real: Points, exponent: int) -> float:
    """Return σ, of real samples in units of 2**exponent; a given one has the features' unit."""
    if inputs.options.bandwidth is not None:
        return math.ldexp(inputs.options.bandwidth, -exponent)
    arguments = real, inputs.options.seed, inputs.search
    return float(inputs.cached(("bandwidth", exponent), median_distance, *arguments))


# ---- sorted projections --------------------------------------------------------------------------


def directions(dim: int, seed: int) -> Float64s:
    """Return unit vectors, a column each: random orthonormal bases, or a part of one of them."""
    rng = stream(seed, "directions")
    if dim == 1:
        return np.ones((1, 1))
    draws = (rng.normal(size=(dim, min(dim, DIRECTIONS))) for _ in range(-(-DIRECTIONS // dim)))
    return np.concatenate([np.linalg.qr(draw)[0] for draw in draws], axis=1)


def groups(points: int, size: int, seed: int, name: str) -> Any:
    """Return the rows of each group, shape (groups, size)."""
    order = stream(seed, f"groups of {name}").permutation(points)
    return order[: points // size * size].reshape(-1, size)


def sliced_distance(inputs: DistanceInputs) -> Estimate:
    """Return the metric `sliced_distance` of the table."""
    real, fake, exponent = inputs.in_unit()
    sets = {"real": real, "fake": fake}
    dim, fewest = inputs.width, min(map(len, sets.values()))
    size = max(math.isqrt(fewest), fewest // _GROUPS)
    rows = {name: groups(len(one), size, inputs.options.seed, name) for name, one in sets.items()}
    n, m = (len(chosen) for chosen in rows.values())
    products = np.zeros((n, n)), np.zeros((m, m)), np.zeros((n, m))
    of_halves: tuple[list[Float64s], list[Float64s]] = ([], [])
    with one_blas_thread("numpy"):
        vectors = directions(dim, inputs.options.seed)
        count = vectors.shape[1]
        around = _center(inputs, sets["real"], exponent)
        # Projections, sorted ones and a copy of these, of both sets.
        most = max(1, inputs.search.memory // (8 * 3 * sum(map(len, sets.values()))))
        parts = list(blocks(count, min(most, 64)))
        with inputs.search.progress.work(len(parts)):
            for part in parts:
                a, b = (
                    _sorted(one, around, vectors[:, part], rows[name], inputs)
                    for name, one in sets.items()
                )
                for product, x, y in zip(products, (a, b, a), (a, b, b), strict=True):
                    product += x @ y.T
                if min(n, m) >= FEWEST:
                    for half, of_half in enumerate(of_halves):
                        of_half.append(_of_directions(a[half::2], b[half::2], size))
    unit = dim / (count * size)
    xx, yy, xy = (unit * product for product in products)
    within = _within(xx), _within(yy)
    squared = total(xy.ravel() ** 2)
    between = Sums(xy.sum(axis=1), squared), Sums(xy.sum(axis=0), squared)
    result = estimate(within, between)
    value, error = float(np.ldexp(result.value, 2 * exponent)), result.error
    if error is not None:
        one, other = (dim * np.concatenate(half) for half in of_halves)
        error = math.sqrt(error**2 + direction_variance(one, other, min(dim, count)))
        error = float(np.ldexp(error, 2 * exponent))
    result = Estimate(value, error, {"sliced_directions": count, "sliced_group": size})
    if not result.is_finite:
        text = "samples whose squared distances are float64 numbers expected"
        raise WrongValue("real and fake", text)
    return result


def direction_variance(one: Float64s, other: Float64s, basis: int) -> float:
    """Return the variance of the mean over random directions of the distance, from its estimates
    from two independent halves of the groups, for each direction, whose covariance is its variance.

    basis: number of directions that are orthonormal.
    """
    if len(one) >= _BASES * basis:
        one, other = (x.reshape(-1, basis).mean(axis=1) for x in (one, other))
    if len(one) == 1:
        return 0.0
    return max(0.0, float(np.cov(one, other)[0, 1]) / len(one))


def _of_directions(a: Float64s, b: Float64s, size: int) -> Float64s:
    """Return the distance in each direction, from sorted projections of groups."""
    n, m = len(a), len(b)
    sums, squares = [x.sum(axis=0) for x in (a, b)], [(x * x).sum(axis=0) for x in (a, b)]
    of_ranks = (sums[0] ** 2 - squares[0]) / (n * (n - 1)) - 2 * sums[0] * sums[1] / (n * m)
    of_ranks += (sums[1] ** 2 - squares[1]) / (m * (m - 1))
    return np.asarray(of_ranks.reshape(-1, size).mean(axis=1))


def _within(products: Float64s) -> Sums:
    off = products.copy()
    np.fill_diagonal(off, 0.0)
    return Sums(off.sum(axis=1), total(off.ravel() ** 2))


def _sorted(
    points: Any, around: Float64s, vectors: Float64s, rows: Any, inputs: DistanceInputs
) -> Float64s:
    """Return the sorted projections of each group, shape (groups, directions × size)."""
    height = max(1, (1 << 21) // max(points.shape[1], vectors.shape[1]))
    tasks = [(part, around, vectors) for part in parts_of(points, height)]
    numbers = height * (int(points.shape[1]) + vectors.shape[1])
    projected = np.concatenate(
        list(map_blocks(points, _projections, tasks, inputs.search, numbers)), axis=1
    )
    of_groups = np.sort(projected[:, rows], axis=2)
    return of_groups.transpose(1, 0, 2).reshape(len(rows), -1)


def _projections(part: Any, around: Float64s, vectors: Float64s) -> Float64s:
    """Return the projections of a block on each direction; a task of `map_blocks`."""
    return np.asarray(vectors.T @ (rows_of(part) - around).T)
