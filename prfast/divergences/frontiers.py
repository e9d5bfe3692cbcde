"""Divergence frontiers of the two distributions of a PR curve (2023 paper, §2.2 and §4.3).

The exclusive frontier of order a: the best pairs (D_a(μ‖Q), D_a(μ‖P)) over the distributions μ on
the common support, the cells where P and Q are both positive.  They belong to the path

    μ_θ ∝ (θ p^{1−a} + (1−θ) q^{1−a})^{1/(1−a)},   θ in [0, 1],        (Proposition 21)

from Q to P, each restricted to the common support and scaled to 1.  With k = a − 1, the log-ratio
ρ = log(q/p) and the log-odds u = log(θ/(1−θ)) it is

    log μ = log q − T(ρ) + constant,   T(ρ) = log(θ e^{kρ} + 1 − θ) / k,

where T(ρ) = θρ at a = 1, the geometric path p^θ q^{1−θ}.  At a = ∞ T(ρ) = max(ρ + v, 0), v = u/k,
that is μ ∝ min(λp, q), λ = e^{−v}, and the pairs are (−log α_λ, −log β_λ) (Theorem 11).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve, read_curve
from prfast.inputs.arrays import Float64s, read_rates
from prfast.inputs.blocks import blocks
from prfast.inputs.options import read_count, read_positive

_NUMBERS_AT_ONCE = 1 << 18  # in one array of rows (parameters) by cells
_REACH = 20.0  # log-odds beyond the last cell's own, where the grid gives way to the exact end


class Frontier(NamedTuple):
    """Points of an exclusive frontier: arrays of one length, from θ = 0 (μ = Q) to 1 (μ = P)."""

    to_fake: Float64s
    """Divergence of μ from the generated distribution, D(μ‖Q): rises; −log α at order ∞."""
    to_real: Float64s
    """Divergence of μ from the real distribution, D(μ‖P): falls; −log β at order ∞."""


def renyi_frontier(curve: PRCurve, order: float, points: int = 1001) -> Frontier:
    """The Rényi divergence frontier of an order: the pairs (D_a(μ‖Q), D_a(μ‖P)) for μ = μ_θ.

        D_a(μ‖ν) = log(Σ μ^a ν^{1−a}) / (a − 1)

    (2023 paper, Definitions 7 and 8, Proposition 21.)  Order 1 is the Kullback-Leibler divergence
    on the geometric path, order ∞ the PR curve as (−log α_λ, −log β_λ) from its largest to its
    smallest ratio in (0, ∞), beyond which μ does not change.

    Parameters
    ----------
    curve : PRCurve
    order : float
        a in (0, ∞].
    points : int
        How many, at least 2; the log-odds of θ go far beyond all log-ratios, densest in the
        middle, and both ends are exact.

    Returns
    -------
    Frontier
        Arrays of shape (points,), >= 0 and finite.  The ends are μ = Q and μ = P on the common
        support, so (−log α_∞, D_a(Q/α_∞‖P)) and (D_a(P/β_0‖Q), −log β_0): mass that only one of
        the two has moves the frontier away from the axes.  P = Q gives zeros.  Without a common
        support it is the single point (∞, ∞), of shape (1,).

    Raises
    ------
    TypeError, ValueError
        Not a PRCurve; `order` not in (0, ∞], `points` not an integer of at least 2.

    Notes
    -----
    Time is points × cells.  Sums are taken of logarithms: no order overflows.
    """
    read_curve("curve", curve)
    order = read_positive("order", order)
    points = read_count("points", points, at_least=2, at_most=100_000_000)
    p, q = curve.masses
    common = (p > 0) & (q > 0)
    if not common.any():
        return Frontier(np.array([np.inf]), np.array([np.inf]))
    log_p, log_q = np.log(p[common]), np.log(q[common])
    p_alone, q_alone = float(p[~common].sum()), float(q[~common].sum())
    to_fake, to_real = [], []
    for log_mu in _path(log_p, log_q, order, points):
        to_fake.append(_renyi(log_mu, log_q, q_alone, order))
        to_real.append(_renyi(log_mu, log_p, p_alone, order))
    # Where μ is the distribution itself on the common support, whatever the order.
    to_fake[0][:] = _cost(log_q, q_alone)
    to_real[-1][:] = _cost(log_p, p_alone)
    return Frontier(np.concatenate(to_fake), np.concatenate(to_real))


def tsallis_frontier(curve: PRCurve, order: float, points: int = 1001) -> Frontier:
    """The Tsallis divergence frontier of an order: φ_a-divergences of the same μ_θ.

        D̂_a(μ‖ν) = (Σ μ^a ν^{1−a} − 1) / (a (a − 1)) = (exp((a − 1) D_a(μ‖ν)) − 1) / (a (a − 1))

    (2023 paper, §4.3, Proposition 21, Eq. 19; φ_a as in Eq. 17.)  A monotone transform of the Rényi
    frontier, in which it is convex.

    Parameters
    ----------
    curve : PRCurve
    order : float
        a in (0, ∞]; 1 is the Kullback-Leibler divergence, ∞ the limit, which is 0 where the Rényi
        divergence is 0 and ∞ elsewhere.
    points : int
        As for `renyi_frontier`.

    Returns
    -------
    Frontier
        As `renyi_frontier`; ∞ where (a − 1) D_a is beyond about 709, and the single point (∞, ∞)
        without a common support whatever the order.

    Raises
    ------
    TypeError, ValueError
        Not a PRCurve; `order` not in (0, ∞], `points` not an integer of at least 2.
    """
    renyi = renyi_frontier(curve, order, points)
    if np.isinf(renyi.to_fake).all():
        return renyi
    return Frontier(*(_tsallis(divergence, float(order)) for divergence in renyi))


class InclusiveFrontier(NamedTuple):
    """Points of the inclusive frontier on the scale (0, 1], from (1, 0) to (0, 1)."""

    fake: Float64s
    """exp(−c KL(Q‖R)): falls from 1."""
    real: Float64s
    """exp(−c KL(P‖R)): rises to 1."""

    @property
    def area(self) -> float:
        """Area under the polyline: the MAUVE score.  1 for P = Q; small for disjoint supports."""
        return float(np.sum(-np.diff(self.fake) * (self.real[1:] + self.real[:-1])) / 2)


def mauve_frontier(
    curve: PRCurve, scale: float = 5.0, weights: Any = None, points: int = 1001
) -> InclusiveFrontier:
    """MAUVE's frontier: (exp(−c KL(Q‖R_λ)), exp(−c KL(P‖R_λ))), R_λ = λP + (1 − λ)Q.

    (Djolonga et al. 2020, the inclusive frontier of order 1; Pillutla et al. 2021.)  Its `area` is
    the MAUVE score of the two histograms.  Mixtures may be anywhere, so that mass which only one
    of the two has costs no more than its share: even disjoint supports have a finite frontier.

    Parameters
    ----------
    curve : PRCurve
    scale : float
        c, positive and finite; 5 in the package mauve-text.
    weights : array, shape (m,), optional
        λ in [0, 1], in any order; `np.linspace(1e-6, 1 - 1e-6, 25)` gives mauve-text's own curve
        and score.  By default `points` of them, densest in the middle, which reach both ends.
    points : int
        Number of the default weights, at least 2.

    Returns
    -------
    InclusiveFrontier
        Arrays of shape (weights + 2,): by rising λ, between the corners (1, 0) and (0, 1).

    Raises
    ------
    TypeError, ValueError
        Not a PRCurve; `scale` not in (0, ∞); weights outside [0, 1]; `points` below 2.
    """
    read_curve("curve", curve)
    scale = read_positive("scale", scale, finite=True)
    points = read_count("points", points, at_least=2, at_most=100_000_000)
    p, q = curve.masses
    with np.errstate(divide="ignore"):
        log_p, log_q = np.log(p), np.log(q)
        if weights is None:
            ratio = (log_q - log_p)[(p > 0) & (q > 0)]
            reach = _REACH + np.abs(ratio).max(initial=0.0)
            u = _spaced(-reach, reach, points)
            log_l, log_rest = -np.logaddexp(0, -u), -np.logaddexp(0, u)
        else:
            lam = np.sort(read_rates("weights", weights))
            log_l, log_rest = np.log(lam), np.log1p(-lam)
    fake, real = np.empty(log_l.size), np.empty(log_l.size)
    for rows in blocks(log_l.size, _NUMBERS_AT_ONCE // p.size):
        log_r = np.logaddexp(log_l[rows, None] + log_p, log_rest[rows, None] + log_q)
        for found, mass, log_mass in ((fake, q, log_q), (real, p, log_p)):
            own = mass > 0
            kl = (mass[own] * (log_mass[own] - log_r[:, own])).sum(axis=1)
            with np.errstate(over="ignore"):
                found[rows] = np.exp(-scale * np.maximum(kl, 0.0))
    return InclusiveFrontier(np.hstack([1.0, fake, 0.0]), np.hstack([0.0, real, 1.0]))


# ---- the path --------------------------------------------------------------------------------


def _path(log_p: Float64s, log_q: Float64s, order: float, points: int) -> Iterator[Float64s]:
    """log μ_θ on the common cells in blocks of rows, from θ = 0 to θ = 1, both included.

    For |k| <= 1 the grid is one of u, otherwise of v = u/k, on which T has the scale of ρ.
    """
    k = order - 1
    ratio = log_q - log_p
    wide = abs(k) > 1
    centres = -ratio if wide else -k * ratio  # where a cell changes from Q to P
    reach = _REACH / k if wide else _REACH
    grid = _spaced(centres.min() - reach, centres.max() + reach, points)[1:-1]
    yield _scaled(log_q[None])
    for rows in blocks(grid.size, _NUMBERS_AT_ONCE // ratio.size):
        at = grid[rows, None]
        tilt = _tilt_wide(ratio, k, at) if wide else _tilt(ratio, k, at)
        yield _scaled(log_q - tilt)
    yield _scaled(log_p[None])


def _tilt(ratio: Float64s, k: float, u: Float64s) -> Float64s:
    """T(ρ) = log(θ e^{kρ} + 1 − θ) / k; θρ for k = 0."""
    log_theta, log_rest = -np.logaddexp(0, -u), -np.logaddexp(0, u)
    theta = np.exp(log_theta)
    if k == 0:
        return theta * ratio
    bend = k * ratio
    near = np.abs(bend) <= 1  # where the logarithm of a sum would lose digits
    return (
        np.where(
            near,
            np.log1p(theta * np.expm1(np.where(near, bend, 0.0))),
            np.logaddexp(log_rest, log_theta + bend),
        )
        / k
    )


def _tilt_wide(ratio: Float64s, k: float, v: Float64s) -> Float64s:
    """The same plus log(1 + e^{kv}) / k, a constant: log(1 + e^{kz}) / k with z = ρ + v, k > 0."""
    z = ratio + v
    if math.isinf(k):
        return np.maximum(z, 0.0)
    with np.errstate(over="ignore"):
        return np.maximum(z, 0.0) + np.log1p(np.exp(-k * np.abs(z))) / k


def _scaled(log_mass: Float64s) -> Float64s:
    """Logarithms of masses that sum to 1 in every row."""
    return log_mass - _log_sum(log_mass)[:, None]


def _log_sum(x: Float64s) -> Float64s:
    """log Σ e^x of every row."""
    top: Float64s = x.max(axis=1)
    top += np.log(np.exp(x - top[:, None]).sum(axis=1))
    return top


def _spaced(low: float, high: float, points: int) -> Float64s:
    """Numbers from low to high, as equally spaced as their asinh: dense about 0."""
    return np.sinh(np.linspace(np.arcsinh(low), np.arcsinh(high), points))


# ---- the divergences -------------------------------------------------------------------------


def _renyi(log_mu: Float64s, log_nu: Float64s, gap: float, order: float) -> Float64s:
    """D_a(μ‖ν) of every row; `gap` is the mass of ν outside the common support."""
    k = order - 1
    y = log_mu - log_nu
    found: Float64s
    if k == 0:
        found = (np.exp(log_mu) * y).sum(axis=1)
    elif math.isinf(k):
        found = y.max(axis=1)
    else:
        # Σ μ e^{ky}, about the largest exponent: no term overflows.
        top = y.max(axis=1) if k > 0 else y.min(axis=1)
        low = order < 0.5
        with np.errstate(over="ignore"):
            found = top + _log_sum(log_mu + k * (y - top[:, None])) / k
            bend = order * y if low else k * y
        # Close to 1: Σ μ (e^{ky} − 1), of which nothing is lost near a = 1, and likewise
        # Σ ν (e^{ay} − 1) near a = 0.
        near = (np.abs(bend).max(axis=1) <= 1) & (gap <= 0.5 or not low)
        if near.any():
            mass = np.exp(log_nu) if low else np.exp(log_mu[near])
            excess = (mass * np.expm1(bend[near])).sum(axis=1) - (gap if low else 0.0)
            found[near] = np.log1p(excess) / k
    return np.maximum(found, 0.0, out=found)


def _cost(log_nu: Float64s, gap: float) -> float:
    """−log ν(common support), from what lies outside while that is the less."""
    return abs(math.log1p(-gap)) if gap <= 0.5 else -float(_log_sum(log_nu[None])[0])


def _tsallis(renyi: Float64s, order: float) -> Float64s:
    k = order - 1
    if k == 0:
        return renyi
    if math.isinf(k):
        return np.where(renyi > 0, np.inf, 0.0)
    with np.errstate(over="ignore"):
        found: Float64s = np.expm1(k * renyi) / k / order
    return found
