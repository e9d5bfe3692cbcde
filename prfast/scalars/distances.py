"""The kernel distances, without bias and with their errors.

Both are `kernel.estimate` for a kernel: their expectation for equal distributions is 0.

    kernel_distance     k(x, y) = (x·y / d + 1)³ (KID, whose published number is the mean over
                        random subsets)
    gaussian_distance   k(x, y) = exp(−|x − y|² / 2σ²) of pairs of samples; the statistic of CMMD
                        (Jayasumana et al. 2024; σ = 10, with bias, times 1000) and of KAD (Chung
                        et al. 2025; σ the median distance of generated samples, times 100)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from prfast.inputs.concurrency import one_blas_thread
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import stream
from prfast.neighbors import NeighborSearch, Points
from prfast.samples.partitioned import Rows
from prfast.scalars.blocks import map_blocks, parts_of, rows_of
from prfast.scalars.kernel import (
    FEWEST,
    Kernel,
    estimate,
    kernel_sums,
    shifted,
    squared_distances,
    sums_within,
)
from prfast.scalars.moments import mean_of
from prfast.scalars.options import DistanceInputs, Estimate

MOST = 2048  # real samples whose distances have the median that is the bandwidth
_LARGE = 1 << 33  # least (n + m)² (d + 64) for float32 products
_RANGE = 2.0**30  # of the largest value, for float32
_ACCURATE = 1e-9  # relative error of a squared distance


def kernel_distance(inputs: DistanceInputs) -> Estimate:
    """Return the metric `kernel_distance` of the table."""
    with one_blas_thread("scipy.linalg"), np.errstate(over="ignore", invalid="ignore"):
        result = _of_pairs(inputs, inputs.real, inputs.fake, 0, None)
    if not result.is_finite:
        text = "samples whose kernel (x·y / d + 1)³, and its square, are float64 numbers expected"
        raise WrongValue("real and fake", f"{text}, got values up to {inputs.largest:.3g}")
    return result


def gaussian_distance(inputs: DistanceInputs) -> Estimate:
    """Return the metric `gaussian_distance` of the table."""
    real, fake, exponent = inputs.in_unit()
    seed, bandwidth = inputs.options.seed, inputs.options.bandwidth
    with one_blas_thread("numpy"):
        if bandwidth is None:
            key = "bandwidth", exponent
            sigma = float(inputs.cached(key, median_distance, real, seed, inputs.search))
        else:
            sigma = math.ldexp(bandwidth, -exponent)
        scale = math.sqrt(2.0) * sigma
        result = _of_pairs(inputs, real, fake, exponent, scale)
    bandwidth = math.ldexp(sigma, exponent)
    if not result.is_finite:
        text = "a number beside which values, squared, are float64 numbers expected"
        raise WrongValue("bandwidth", f"{text}, got {bandwidth:.3g}")
    return result._replace(info={"bandwidth": bandwidth})


def _of_pairs(
    inputs: DistanceInputs, real: Points, fake: Points, exponent: int, scale: float | None
) -> Estimate:
    """Return the distance of the kernel of this scale over all pairs of samples in units of
    2**exponent.  Products of large sets are float32 where that is accurate."""
    n, m, search, result = len(real), len(fake), inputs.search, Estimate(math.nan)
    is_large = (n + m) ** 2 * (inputs.width + 64) >= _LARGE and min(n, m) >= FEWEST
    for in_float32 in (True, False):
        if in_float32 and not (is_large and 1 / _RANGE < inputs.largest < _RANGE):
            continue
        with search.progress.work(n * n + m * m + n * m):
            kernel = Kernel(inputs.cached(("center", exponent), mean_of, real, search), scale)
            if in_float32:
                kernel = inputs.cached(("shifted", scale), shifted, real, kernel, search)
            key = "sums", exponent, scale, in_float32
            of_real = inputs.cached(key, sums_within, real, kernel, search)
            of_fake = None if of_real is None else sums_within(fake, kernel, search)
            if of_fake is not None:
                result = estimate((of_real, of_fake), kernel_sums(real, fake, kernel, search))
        if result.is_finite:
            break
    return result


def median_distance(points: Points, seed: int, search: NeighborSearch) -> float:
    """Return the median distance of different samples, of `MOST` random ones if there are more.  If
    it is 0, it is that of those above 0, and 1 if all are 0."""
    if len(points) > MOST:
        points = Rows(points, np.sort(stream(seed, "bandwidth").permutation(len(points))[:MOST]))
    task = (parts_of(points, len(points))[0],)
    numbers = len(points) * (4 * len(points) + 2 * int(points.shape[1]))
    with search.progress.work(1, share=0):
        (median,) = map_blocks(points, _median_distance, [task], search, numbers)
    return float(median)


def _median_distance(part: Any) -> float:
    """Return the median distance of the rows of a block; a task of `map_blocks`."""
    rows = rows_of(part)
    center, pairs = rows.mean(axis=0), np.triu_indices(len(rows), 1)
    d2 = squared_distances(rows, rows, center, 1.0, _ACCURATE, math.inf, is_relative=True)
    distances = np.sqrt(d2[pairs])
    median = float(np.median(distances))
    if median == 0 and distances.any():
        median = float(np.median(distances[distances > 0]))
    return median or 1.0
