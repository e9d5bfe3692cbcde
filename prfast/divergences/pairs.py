"""Points of the frontiers of Rényi's order: pairs of divergences of every compromise.

A compromise R of a frontier has the least θ D(P, R) + (1−θ) D(Q, R) for its θ, as Tsallis'
divergences, φ-divergences, are convex in R, in which argument it may stand.  Rényi's rise with
them where a > 0 and have the same frontier.

Exclusive, D_a(R‖·), over R on the common support.  Of Σ R^a (θ p^{1−a} + (1−θ) q^{1−a}) / (a(a−1))
the least for ΣR = 1 is where R^{a−1} (θ p^{1−a} + (1−θ) q^{1−a}) is the same in all cells:

    R ∝ (θ p^{1−a} + (1−θ) q^{1−a})^{1/(1−a)}      (Proposition 21)

Inclusive, D_a(·‖R), over all R.  Likewise of Σ R^{1−a} (θ p^a + (1−θ) q^a) / (a(a−1)):

    R ∝ (θ p^a + (1−θ) q^a)^{1/a}

At a = 1 these are the mixtures, at a = ∞, where D_∞(P‖R) <= x and D_∞(Q‖R) <= y ask for
R >= max(p e^{−x}, q e^{−y}), R ∝ max(λp, q); as Σ max(λp, q) = 1 + λ − α_λ, the pairs are
(log(1 + λ − α_λ), log((1 + λ − α_λ) / λ)).
"""

from __future__ import annotations

import numpy as np

from prfast.divergences.compromises import Compromise, Sides, compromises, power_mean
from prfast.divergences.numerics import NUMBERS_AT_ONCE
from prfast.divergences.renyi import cost, renyi
from prfast.inputs.arrays import Float64s
from prfast.inputs.blocks import blocks

Pair = tuple[Float64s, Float64s]


def exclusive(p: Float64s, q: Float64s, order: float, points: int) -> Pair:
    """(D_a(R‖Q), D_a(R‖P)), a >= 0, from R = Q to R = P on the common support; (∞, ∞) without."""
    common = (p > 0) & (q > 0)
    if not common.any():
        return np.array([np.inf]), np.array([np.inf])
    p_alone, q_alone = float(p[~common].sum()), float(q[~common].sum())
    sides = Sides(p[common], q[common], p_alone, q_alone)
    to_fake, to_real = [], []
    for log_r, to_p, to_q in compromises(sides, 1 - order, points):
        to_fake.append(renyi(log_r, sides.log_q, to_q, q_alone, order))
        to_real.append(renyi(log_r, sides.log_p, to_p, p_alone, order))
    # Where R is the distribution itself on the common support, whatever the order.
    to_fake[0][:] = cost(sides.log_q, q_alone)
    to_real[-1][:] = cost(sides.log_p, p_alone)
    return np.concatenate(to_fake), np.concatenate(to_real)


def inclusive(p: Float64s, q: Float64s, order: float, points: int) -> Pair:
    """(D_a(Q‖R), D_a(P‖R)), a >= 0, from R = Q to R = P."""
    sides = Sides(p, q)
    found = [_from(sides, each, order) for each in compromises(sides, order, points)]
    to_fake, to_real = map(np.concatenate, zip(*found, strict=True))
    to_fake[0] = to_real[-1] = 0.0  # R is Q, and P
    return to_fake, to_real


def inclusive_at(p: Float64s, q: Float64s, order: float, theta: Float64s) -> Pair:
    """The same for finite orders at these θ."""
    sides = Sides(p, q)
    with np.errstate(divide="ignore"):
        log_theta, log_rest = np.log(theta)[:, None], np.log1p(-theta)[:, None]
    to_fake, to_real = np.empty(theta.size), np.empty(theta.size)
    for rows in blocks(theta.size, NUMBERS_AT_ONCE // p.size):
        means = power_mean(sides, order, log_theta[rows], log_rest[rows])
        to_fake[rows], to_real[rows] = _from(sides, means, order)
    return to_fake, to_real


def _from(sides: Sides, means: Compromise, order: float) -> Pair:
    """D_a(Q‖R) and D_a(P‖R) of every row R."""
    log_r, to_p, to_q = means
    return _to(sides.log_q, log_r, -to_q, order), _to(sides.log_p, log_r, -to_p, order)


def _to(log_p: Float64s, log_r: Float64s, y: Float64s, order: float) -> Float64s:
    """D_a(P‖R) of every row R, y = log(P/R), P being 0 where its logarithm is −∞."""
    own = np.isfinite(log_p)
    gap = np.exp(log_r[:, ~own]).sum(axis=1)
    return renyi(log_p[None, own], log_r[:, own], y[:, own], gap, order)
