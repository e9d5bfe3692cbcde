"""Clipped coverage, α-precision and β-recall, sums of logarithms, and the nearest reference.

Alaa et al. 2022 compare the shares of samples in balls around a center with the intended shares α,
for all α.  Their definitions need a network that maps the real samples into one ball; here, as in
synthcity ("naive"), there is none:

    α-precision   A(α) = share of Y within R_α of the mean of X, R_α the α quantile of the distances
                  of X from it
    β-recall      B(β) = share of X with d(x, y) ≤ the distance of x from the nearest other x, and y
                  within S_β of the mean of Y; y is the nearest generated sample of x, and S_β the β
                  quantile of the distances from the mean of Y of these nearest samples

and the numbers are 1 − Σ |A(α) − α| / Σ α and 1 − Σ |B(β) − β| / Σ β over α = β = 0, 1/29, …, 1
(`agreement`).  If several generated samples are nearest, y is the one nearest to the mean of Y.
"""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.concurrency import one_blas_thread
from prfast.neighbors import NeighborSearch, Points
from prfast.neighbors.tasks import Nearest
from prfast.samples.partitioned import Rows
from prfast.scalars.blocks import block_sums, rows_of
from prfast.scalars.kernel import squared_distances
from prfast.scalars.moments import mean_of
from prfast.scalars.options import DistanceInputs, Estimate

QUANTILES = 30
_NUMBERS = 1 << 21  # in a block
_ROWS = 1 << 8  # of a block of pairs
_ACCURATE = 1e-10  # relative error of a squared distance
_SAME = 1 + 2.0**-32  # ratio up to which distances from a center differ by rounding


# ---- clipped coverage ----------------------------------------------------------------------------
#
# Around a real sample the ball that reaches its k-th nearest of n − 1 others holds one more sample
# of their distribution with a probability whose distribution is Beta(k, n − k), for any
# distribution of the samples.  So it holds J of g more, J ~ BetaBinomial(g; k, n − k), and the mean
# of min(J, k) / k over the real samples has the expectation f(g) = `expected_coverage`.  If g of
# the m generated samples are of the real distribution and the others far away, the expectation of
# the measured mean is f(g): the number is g / m for the g at which f(g) is the measured mean, f
# being linear between integers (Salvy et al. 2026; their code takes the integer above over m + 1,
# and f(g) = 0 for g < k).


def expected_coverage(g: int, k: int, n: int) -> float:
    """Return E min(J, k) / k = 1 − Σ_{j<k} (k − j) P(J = j) / k."""
    probability = float(np.prod([(n - i) / (n + g - i) for i in range(1, k + 1)]))  # of J = 0
    missing = 0.0
    for j in range(min(k, g + 1)):
        missing += (k - j) * probability
        if j < g:
            probability *= (g - j) * (k + j) / ((j + 1) * (n - k + g - j - 1))
    return 1.0 - missing / k


def good_share(value: float, k: int, sizes: tuple[int, int]) -> float:
    """Return g / m with f(g) = value, at most 1."""
    n, m = sizes
    if value >= expected_coverage(m, k, n):
        return 1.0
    above = bisect_left(range(m + 1), value, key=lambda g: expected_coverage(g, k, n))
    if above == 0:
        return 0.0
    low, high = expected_coverage(above - 1, k, n), expected_coverage(above, k, n)
    return (above - 1 + (value - low) / (high - low)) / m


def agreement(distances: Float64s, radii: Float64s, counted: NDArray[np.bool_]) -> float:
    """Return 1 − Σ |share within the radius − α| / Σ α over the radii of α = 0, …, 1.  Samples that
    are not counted are far away."""
    alphas = np.linspace(0, 1, len(radii))
    within = (distances[:, None] <= radii * _SAME) & counted[:, None]
    return float(1 - np.abs(alphas - within.mean(axis=0)).sum() / alphas.sum())


def alpha_precision(inputs: DistanceInputs) -> Estimate:
    """Return the metric `alpha_precision` of the table."""
    real, fake, _ = inputs.in_unit()
    center = mean_of(real, inputs.search)
    radii = np.quantile(_distances(real, center), np.linspace(0, 1, QUANTILES))
    return Estimate(agreement(_distances(fake, center), radii, np.ones(len(fake), bool)))


def beta_recall(inputs: DistanceInputs) -> Estimate:
    """Return the metric `beta_recall` of the table."""
    real, fake, exponent = inputs.in_unit()
    within = inputs.cached(("nearest", exponent), inputs.search.kth_within, real, [1]).ravel()
    distances = _distances(fake, mean_of(fake, inputs.search))
    nearest, around = least_of_nearest(real, fake, distances, inputs.search)
    radii = np.quantile(around, np.linspace(0, 1, QUANTILES))
    return Estimate(agreement(around, radii, nearest <= within))


def _distances(points: Floats, center: Float64s) -> Float64s:
    """Return the distance of each point from the center."""
    parts = blocks(len(points), max(1, _NUMBERS // points.shape[1]))
    return np.concatenate([np.linalg.norm(points[rows] - center, axis=1) for rows in parts])


def least_of_nearest(
    queries: Points, refs: Points, values: Float64s, search: NeighborSearch
) -> tuple[Float64s, Float64s]:
    """Return D of the nearest reference of each query, and the least value of those as near.

    Lists of the exact engine have both.  Else, as with many ties, the references, in the order of
    their values, are bisected.  A query goes on to the lower half if it has one as near, else to
    the upper half.  All these searches together cost at most as much as the first.
    """
    quiet = search.quiet()
    task = Nearest(np.array([1]), values=values)
    quiet.run(queries, [refs], [task])
    nearest, least = task.d2_a[:, 0].copy(), task.least
    if least is None:
        least = np.full(len(queries), np.nan)
    order = np.argsort(values, kind="stable")
    pending = [(0, len(refs), np.flatnonzero(np.isnan(least)))]
    while pending:
        start, stop, rows = pending.pop()
        if not rows.size:
            continue
        if stop - start == 1:
            least[rows] = values[order[start]]
            continue
        middle = (start + stop) // 2
        lower = Rows(refs, np.sort(order[start:middle]))
        near = quiet.kth(Rows(queries, rows), lower, [1])[:, 0] == nearest[rows]
        pending += [(start, middle, rows[near]), (middle, stop, rows[~near])]
    return nearest, least


def log_sums(
    x: Points, y: Points, t: tuple[float, ...], search: NeighborSearch
) -> tuple[Float64s, Float64s]:
    """Return Σ ln min(1, D/t), zeros for t < 0.  Sums are over y for each x, with the first t, and
    over x for each y, with the second t."""
    numbers = 2 * _ROWS * (2 * _ROWS + int(x.shape[1]))
    with one_blas_thread("numpy"):
        arguments = mean_of(x, search), t
        sums_x, sums_y, _ = block_sums(x, y, _log_sums, arguments, (_ROWS, _ROWS), search, numbers)
    return sums_x, sums_y


def _log_sums(
    part_x: object, part_y: object, _: bool, center: Float64s, t: tuple[float, ...]
) -> tuple[Float64s, Float64s, float]:
    """Return the sums of the rows of two blocks; a task of `block_sums`."""
    x, y = rows_of(part_x), rows_of(part_y)
    d2 = squared_distances(x, y, center, 1.0, _ACCURATE, max(t), is_relative=True).ravel()
    near = np.flatnonzero(d2 <= max(t))
    d2 = d2[near]
    sums = []
    for places, size, limit in zip(np.divmod(near, len(y)), (len(x), len(y)), t, strict=True):
        is_inside = (d2 < limit) | ((d2 == 0) & (limit == 0))
        with np.errstate(divide="ignore"):
            logs = np.log(d2[is_inside] / (limit or 1.0))
        sums.append(np.asarray(np.bincount(places[is_inside], logs, size), np.float64))
    return sums[0], sums[1], 0.0
