"""Rényi's divergence of every row of masses, from logarithms, and Tsallis' from Rényi's.

    D_a(μ‖ν) = log(Σ μ^a ν^{1−a}) / (a − 1)       D̂_a = (exp((a − 1) D_a) − 1) / (a (a − 1))

(2023 paper, §2.2 and §4.3, Eq. 19; a = 1 and a = ∞ are limits.)
"""

from __future__ import annotations

import math

import numpy as np

from prfast.divergences.numerics import log_sum
from prfast.inputs.arrays import Float64s


def renyi(log_mu: Float64s, log_nu: Float64s, gap: float, order: float) -> Float64s:
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
            found = top + log_sum(log_mu + k * (y - top[:, None])) / k
            bend = order * y if low else k * y
        # Close to 1: Σ μ (e^{ky} − 1), of which nothing is lost near a = 1, and likewise
        # Σ ν (e^{ay} − 1) near a = 0.
        near = (np.abs(bend).max(axis=1) <= 1) & (gap <= 0.5 or not low)
        if near.any():
            mass = np.exp(log_nu) if low else np.exp(log_mu[near])
            excess = (mass * np.expm1(bend[near])).sum(axis=1) - (gap if low else 0.0)
            found[near] = np.log1p(excess) / k
    return np.maximum(found, 0.0, out=found)


def cost(log_nu: Float64s, gap: float) -> float:
    """−log ν(common support), from what lies outside while that is the less."""
    return abs(math.log1p(-gap)) if gap <= 0.5 else -float(log_sum(log_nu[None])[0])


def tsallis(renyi: Float64s, order: float) -> Float64s:
    """D̂_a of Rényi's D_a, which may be beyond float64: ∞."""
    k = order - 1
    if k == 0:
        return renyi
    if math.isinf(k):
        return np.where(renyi > 0, np.inf, 0.0)
    with np.errstate(over="ignore"):
        found: Float64s = np.expm1(k * renyi) / k / order
    return found
