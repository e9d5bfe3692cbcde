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

from prfast.divergences.compromises import compromises, power_mean, scaled
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
    log_p, log_q = np.log(p[common]), np.log(q[common])
    p_alone, q_alone = float(p[~common].sum()), float(q[~common].sum())
    to_fake, to_real = [], []
    for log_r in compromises(log_p, log_q, 1 - order, points):
        to_fake.append(renyi(log_r, log_q, q_alone, order))
        to_real.append(renyi(log_r, log_p, p_alone, order))
    # Where R is the distribution itself on the common support, whatever the order.
    to_fake[0][:] = cost(log_q, q_alone)
    to_real[-1][:] = cost(log_p, p_alone)
    return np.concatenate(to_fake), np.concatenate(to_real)


def inclusive(p: Float64s, q: Float64s, order: float, points: int) -> Pair:
    """(D_a(Q‖R), D_a(P‖R)), a >= 0, from R = Q to R = P."""
    with np.errstate(divide="ignore"):
        log_p, log_q = np.log(p), np.log(q)
    found = [
        (_to(log_q, log_r, order), _to(log_p, log_r, order))
        for log_r in compromises(log_p, log_q, order, points)
    ]
    to_fake, to_real = map(np.concatenate, zip(*found, strict=True))
    to_fake[0] = to_real[-1] = 0.0  # R is Q, and P
    return to_fake, to_real


def inclusive_at(p: Float64s, q: Float64s, order: float, theta: Float64s) -> Pair:
    """The same for finite orders at these θ."""
    with np.errstate(divide="ignore"):
        log_p, log_q = np.log(p), np.log(q)
        log_theta, log_rest = np.log(theta)[:, None], np.log1p(-theta)[:, None]
    to_fake, to_real = np.empty(theta.size), np.empty(theta.size)
    for rows in blocks(theta.size, NUMBERS_AT_ONCE // p.size):
        log_r = scaled(power_mean(log_p, log_q, order, log_theta[rows], log_rest[rows]))
        to_fake[rows], to_real[rows] = _to(log_q, log_r, order), _to(log_p, log_r, order)
    return to_fake, to_real


def _to(log_p: Float64s, log_r: Float64s, order: float) -> Float64s:
    """D_a(P‖R) of every row R, P being 0 where its logarithm is −∞."""
    own = np.isfinite(log_p)
    gap = np.exp(log_r[:, ~own]).sum(axis=1)
    return renyi(log_p[None, own], log_r[:, own], gap, order)
