"""Rényi's divergence of every row of masses, from logarithms, and Tsallis' from Rényi's.

    D_a(μ‖ν) = log(Σ μ^a ν^{1−a}) / (a − 1)       D̂_a = (exp((a − 1) D_a) − 1) / (a (a − 1))

(2023 paper, §2.2 and §4.3, Eq. 19; a = 1 and a = ∞ are limits.)  Nearly equal distributions keep
their digits, as with y = log(μ/ν) and Σμ = 1, Σν = 1 − gap

    Σ μ^a ν^{1−a} − 1 = a (a − 1) Σ ν φ_a(e^y) + (a − 1) gap

whose terms have one sign and are of second order in y: those of first order add up to 0.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from prfast.divergences.numerics import difference, log_sum, powers
from prfast.inputs.arrays import Float64s

_TERMS = np.arange(19)
_FACTORIALS = np.cumprod(_TERMS + 1.0) * (_TERMS + 2)  # (j + 2)!


def renyi(log_mu: Float64s, log_nu: Float64s, y: Float64s, gap: Any, order: float) -> Float64s:
    """D_a(μ‖ν), a >= 0, of every row, over the cells where μ is positive; one row stands for all.

    y = log(μ/ν).  `gap`, a number or one a row, is the mass of ν elsewhere.  ν may be 0, its
    logarithm −∞: where μ has mass then, D_a is ∞ for a >= 1; for a < 1 only where ν is 0 all over.
    """
    k = order - 1
    top = y.max(axis=1) if k >= 0 else y.min(axis=1)
    lost = np.isposinf(top)
    found: Float64s
    if math.isinf(k):
        found = top
    else:
        with np.errstate(all="ignore"):
            e = k if order >= 0.5 else order
            total = _second_order(log_mu, log_nu, y, order)
            excess = e * total + k * gap
            if k == 0:
                found = total + gap
            else:  # Σ μ e^{ky} about the largest exponent, so that no term overflows
                found = top + log_sum(log_mu + k * (y - top[:, None])) / k
                near = np.abs(excess) <= 0.5
                found[near] = np.log1p(excess[near]) / k
    found = np.maximum(found, 0.0)
    found[lost] = math.inf
    return found


def _second_order(log_mu: Float64s, log_nu: Float64s, y: Float64s, order: float) -> Float64s:
    """a Σ ν φ_a(e^y) of every row for a >= ½, (a − 1) Σ ν φ_a(e^y) for a < ½: of limits at 1 and 0.

    Cell by cell μ (e^{(a−1)y} − 1) / (a − 1) − (μ − ν) or ν (e^{ay} − 1) / a − (μ − ν); near y = 0
    the series ν y² Σ_j (1 + a + … + a^j) y^j / (j + 2)!, times a or a − 1.
    """
    a = order
    mu, nu = np.exp(log_mu), np.exp(log_nu)
    if a >= 0.5:
        found, factor = powers(y, a - 1, mu), a
    else:
        found, factor = powers(np.where(nu > 0, y, 0.0), a, nu), a - 1
    found = found - difference(mu, nu, y)
    # In units of the larger of y and ay, by the ratio of the smaller.
    scale = max(1.0, a)
    coefficients = np.cumsum(min(a, 1 / scale) ** _TERMS) / _FACTORIALS
    z = scale * y
    series = np.polynomial.polynomial.polyval(np.clip(z, -1, 1), coefficients)
    total: Float64s = np.where(np.abs(z) <= 1, factor * y * (y * nu) * series, found).sum(axis=1)
    return total


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
