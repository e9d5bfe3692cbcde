"""Nearest and narrow balls, the calibration of clipped coverage, α-precision and β-recall.

Alaa et al. 2022 compare the shares of samples in balls around a center with the shares α that these
are to hold, for all α.  Their definitions need a network that maps the real samples into one ball;
here, as in synthcity ("naive"), there is none:

    α-precision   A(α) = share of Y within R_α of the mean of X, R_α the α quantile of the distances
                  of X from it
    β-recall      B(β) = share of X with d(x, y) ≤ the distance of x from the nearest other x, and y
                  within S_β of the mean of Y; y is the nearest generated sample of x, and S_β the β
                  quantile of the distances from the mean of Y of these nearest samples

and the numbers are 1 − Σ |A(α) − α| / Σ α and 1 − Σ |B(β) − β| / Σ β over α = β = 0, 1/29, …, 1
(`agreement`).  Of several nearest generated samples y is the one nearest to the mean of Y, so that
the order of samples does not matter.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.concurrency import one_blas_thread
from prfast.kernels import distances as kernels
from prfast.neighbors import Count, NeighborSearch, Points
from prfast.neighbors.tasks import Ints, in_unit, inside, largest_value, select
from prfast.scalars.moments import Estimate, Pair, exponent_of

QUANTILES = 30
_NUMBERS = 1 << 21  # in a block
_FEW = 64  # real samples in a range whose pairs are all computed
_PAIRS = 1 << 22  # computed at a time
_SAME = 1 + 2.0**-32  # ratio up to which distances from a center differ by rounding


# ---- clipped coverage ----------------------------------------------------------------------------
#
# Around a real sample the ball that reaches its k-th nearest of n − 1 others holds one more sample
# of their distribution with a probability whose distribution is Beta(k, n − k), for any
# distribution of the samples.  So it holds J of g more, J ~ BetaBinomial(g; k, n − k), and the mean
# of min(J, k) / k over the real samples has the expectation f(g) = `covered`.  If g of the m
# generated samples are of the real distribution and the others far away, the expectation of the
# measured mean is f(g): the number is g / m for the g at which f(g) is the measured mean, f being
# linear between integers (Salvy et al. 2026; their code takes the integer above over m + 1, and
# f(g) = 0 for g < k).


def covered(g: int, k: int, n: int) -> float:
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
    if value >= covered(m, k, n):
        return 1.0
    above = bisect_left(range(m + 1), value, key=lambda g: covered(g, k, n))
    if above == 0:
        return 0.0
    low, high = covered(above - 1, k, n), covered(above, k, n)
    return (above - 1 + (value - low) / (high - low)) / m


# ---- α-precision and β-recall --------------------------------------------------------------------


def agreement(distances: Float64s, radii: Float64s, counted: NDArray[np.bool_] | None) -> float:
    """Return 1 − Σ |share within the radius − α| / Σ α over the radii of α = 0, …, 1.

    counted: whether a sample counts; all by default.
    """
    alphas = np.linspace(0, 1, len(radii))
    within = distances[:, None] <= radii * _SAME
    if counted is not None:
        within &= counted[:, None]
    return float(1 - np.abs(alphas - within.mean(axis=0)).sum() / alphas.sum())


def alpha_precision(pair: Pair) -> Estimate:
    """Return the metric `alpha_precision` of the table."""
    exponent = exponent_of(max(map(largest_value, (pair.real, pair.fake))))
    real, fake = in_unit(pair.real, exponent), in_unit(pair.fake, exponent)
    center = _mean(real)
    radii = np.quantile(_distances(real, center), np.linspace(0, 1, QUANTILES))
    return Estimate(agreement(_distances(fake, center), radii, None))


def beta_recall(pair: Pair) -> Estimate:
    """Return the metric `beta_recall` of the table."""
    exponent = exponent_of(max(map(largest_value, (pair.real, pair.fake))))
    real, fake = in_unit(pair.real, exponent), in_unit(pair.fake, exponent)
    if ("nearest", exponent) not in pair.cache:
        pair.cache["nearest", exponent] = pair.search.kth_within(real, [1])[:, 0].copy()
    nearest = pair.search.kth(real, fake, [1])[:, 0]
    around = least_of_nearest(real, fake, nearest, _distances(fake, _mean(fake)))
    radii = np.quantile(around, np.linspace(0, 1, QUANTILES))
    return Estimate(agreement(around, radii, nearest <= pair.cache["nearest", exponent]))


def least_of_nearest(queries: Floats, refs: Floats, nearest: Float64s, values: Float64s) -> Any:
    """Return the least of the values of the nearest references of each query, shape (queries,).

    nearest: D of the nearest references.  A product in float64 bounds D, as in `halves`, and what
    it leaves is computed.
    """
    dim = queries.shape[1]
    share = 0.5 - 2 * (dim + 16) * float(np.finfo(np.float64).eps)
    center = refs.mean(axis=0, dtype=np.float64)
    b = refs - center
    of_refs = share * np.einsum("ij,ij->i", b, b)
    least = np.full(len(queries), np.inf)
    with one_blas_thread("numpy"):
        for rows in blocks(len(queries), max(1, _NUMBERS // max(dim, len(refs)))):
            a = queries[rows] - center
            of_queries = share * np.einsum("ij,ij->i", a, a) - nearest[rows] / 2
            near = np.flatnonzero(a @ b.T >= np.add.outer(of_queries, of_refs))
            query, ref = np.divmod(near, len(refs))
            query += rows.start
            equal = kernels.pairs(queries, refs, query, ref) <= nearest[query]
            np.minimum.at(least, query[equal], values[ref[equal]])
    return least


def _mean(points: Floats) -> Float64s:
    mean = points.mean(axis=0, dtype=np.float64)
    return np.asarray(mean + (points - mean).mean(axis=0))  # corrects the rounding of the first


def _distances(points: Floats, center: Float64s) -> Float64s:
    parts = blocks(len(points), max(1, _NUMBERS // points.shape[1]))
    return np.concatenate([np.linalg.norm(points[rows] - center, axis=1) for rows in parts])


# ---- balls of at most the median radius ----------------------------------------------------------


def at_most_median(d2: Float64s) -> Float64s:
    """Return squared radii, those above the median radius replaced by it."""
    order = np.sort(d2)
    low, high = order[(len(d2) - 1) // 2], order[len(d2) // 2]
    # Of one middle radius the square of its root would not be the square that was computed.
    median = low if low == high else ((math.sqrt(low) + math.sqrt(high)) / 2) ** 2
    return np.minimum(d2, median)


def balls_within(
    points: Points, d2: Float64s, closed: bool, search: NeighborSearch
) -> NDArray[np.int64]:
    """Return in how many balls around other points of the set each point lies."""
    task = Count(None, d2, closed, np.zeros(len(points), np.int64))
    search.count(points, points, [task])
    own = inside(np.zeros(len(d2)), d2, closed)
    return np.asarray(task.rows - own, np.int64)


# ---- authenticity --------------------------------------------------------------------------------


# Let T be the squared distance of a real sample x from its nearest other real sample.  y is in the
# ball of its nearest x, at m = min D(x, y), if and only if m is also the least D of y to the x with
# T >= m (closed) or T > m (open).  So the index of the nearest x is not needed, and of several
# equally near ones one ball that holds y suffices: the order of the samples does not matter.
#
# With the real samples sorted by T these x are the last ones, from a position on that depends on y.
# A range of real samples is bisected: the y whose position is in the lower half are compared with
# the upper half; only those without a match there go on to the lower half.  All searches are for
# the nearest distance, which every exact engine computes, and together they cost at most as much as
# the first one.  Only samples in some ball are searched, half or less of them in many dimensions.


def in_nearest_ball(
    fake: Points, real: Points, d2: Float64s, closed: bool, search: NeighborSearch
) -> NDArray[np.bool_]:
    """Return whether each generated sample lies in the ball of its nearest real one.

    d2: squared distance of each real sample from the nearest other one.
    """
    quiet = search.quiet()
    least = quiet.kth(fake, real, [1])[:, 0]
    order = np.argsort(d2, kind="stable")
    t = d2[order]
    place = np.searchsorted(t, least, "left" if closed else "right")
    held: NDArray[np.bool_] = place == 0  # every radius is large enough
    pending = [(0, len(real), np.flatnonzero((place > 0) & (place < len(real))))]
    while pending:
        start, stop, rows = pending.pop()
        if not rows.size:
            continue
        if stop - start <= _FEW:
            held[rows] = _in_any(fake, real, order[start:stop], t[start:stop], least, rows, closed)
            continue
        middle = (start + stop) // 2
        below = rows[place[rows] <= middle]
        if below.size:
            upper = select(real, np.sort(order[middle:stop]))
            near = quiet.kth(select(fake, below), upper, [1])[:, 0]
            held[below] = near == least[below]
        pending.append((start, middle, below[~held[below] & (place[below] < middle)]))
        pending.append((middle, stop, rows[place[rows] > middle]))
    return held


def _in_any(
    fake: Points, real: Points, refs: Ints, t: Float64s, least: Float64s, rows: Ints, closed: bool
) -> Any:
    """Return whether one of a few real samples is a nearest one and its ball holds the sample."""
    held = np.zeros(len(rows), bool)
    for first in range(0, len(rows), _PAIRS // len(refs)):
        part = rows[first : first + _PAIRS // len(refs)]
        query, ref = np.repeat(part, len(refs)), np.tile(refs, len(part))
        d2 = kernels.pairs(fake, real, query, ref).reshape(len(part), len(refs))
        near = (d2 == least[part, None]) & inside(least[part, None], t, closed)
        held[first : first + len(part)] = near.any(axis=1)
    return held
