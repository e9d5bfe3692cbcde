"""Rényi's divergence of every row of masses, from logarithms, and Tsallis' from Rényi's.

    D_a(μ‖ν) = log(Σ μ^a ν^{1−a}) / (a − 1)       D̂_a = (exp((a − 1) D_a) − 1) / (a (a − 1))

(2023 paper, §2.2 and §4.3, Eq. 19; a = 1 and a = ∞ are limits.)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from prfast.divergences.numerics import log_sum, powers
from prfast.inputs.arrays import Float64s


def renyi(log_mu: Float64s, log_nu: Float64s, gap: Any, order: float) -> Float64s:
    """D_a(μ‖ν), a >= 0, of every row, over the cells where μ is positive; one row stands for all.

    `gap`, a number or one a row, is the mass of ν elsewhere.  ν may be 0, its logarithm −∞: where
    μ has mass then, D_a is ∞ for a >= 1; for a < 1 only where ν is 0 all over.
    """
    k = order - 1
    y = log_mu - log_nu
    found: Float64s
    if k == 0:
        with np.errstate(invalid="ignore"):
            found = (np.exp(log_mu) * y).sum(axis=1)
        lost = np.isposinf(y).any(axis=1)
    else:
        top = y.max(axis=1) if k > 0 else y.min(axis=1)
        lost = np.isposinf(top)
        found = top if math.isinf(k) else _from_powers(log_mu, log_nu, gap, order, top)
    found = np.maximum(found, 0.0)
    found[lost] = math.inf
    return found


def _from_powers(
    log_mu: Float64s, log_nu: Float64s, gap: Any, order: float, top: Float64s
) -> Float64s:
    """The same for a that is neither 1 nor ∞; `top` has the ratio of the largest power."""
    k = order - 1
    y = log_mu - log_nu
    low = order < 0.5
    # Σ μ e^{ky}, about the largest exponent: no term overflows.
    with np.errstate(over="ignore", invalid="ignore"):
        found: Float64s = top + log_sum(log_mu + k * (y - top[:, None])) / k
        bend = np.where(np.isneginf(log_nu), 0.0, order * y) if low else k * y
    # Close to 1: Σ μ (e^{ky} − 1), of which nothing is lost near a = 1, and likewise
    # Σ ν (e^{ay} − 1) near a = 0, without the cells where ν is 0.
    excess = _excess(log_nu, bend) - gap if low else _excess(log_mu, bend)
    near = np.abs(excess) <= 0.5
    found[near] = np.log1p(excess[near]) / k
    return found


def _excess(log_mass: Float64s, e: Float64s) -> Float64s:
    """Σ m (e^e − 1) of every row of masses m and exponents e; ∞ beyond float64."""
    mass = np.exp(log_mass)
    with np.errstate(over="ignore"):
        far = np.exp(log_mass + e) - mass
        found: Float64s = np.where(np.abs(e) <= 1, mass * np.expm1(np.clip(e, -1, 1)), far).sum(1)
    return found


def cost(log_nu: Float64s, gap: float) -> float:
    """−log ν(common support), from what lies outside while that is the less."""
    return abs(math.log1p(-gap)) if gap <= 0.5 else -float(log_sum(log_nu[None])[0])


def tsallis(renyi: Float64s, order: float) -> Float64s:
    """D̂_a, a > 0, of Rényi's D_a, which may be beyond float64: ∞."""
    k = order - 1
    if k == 0:
        return renyi
    if math.isinf(k):
        return np.where(renyi > 0, np.inf, 0.0)
    with np.errstate(over="ignore"):
        return powers(renyi, k, over=order)
