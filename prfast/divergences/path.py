"""The compromises μ_θ between P and Q that exclusive frontiers are drawn from (2023 paper, §4.3).

They belong to the path

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

import numpy as np

from prfast.divergences.numerics import NUMBERS_AT_ONCE, REACH, log_sum, spaced
from prfast.inputs.arrays import Float64s
from prfast.inputs.blocks import blocks


def path(log_p: Float64s, log_q: Float64s, order: float, points: int) -> Iterator[Float64s]:
    """log μ_θ on the common cells in blocks of rows, from θ = 0 to θ = 1, both included.

    For |k| <= 1 the grid is one of u, otherwise of v = u/k, on which T has the scale of ρ.
    """
    k = order - 1
    ratio = log_q - log_p
    wide = abs(k) > 1
    centres = -ratio if wide else -k * ratio  # where a cell changes from Q to P
    reach = REACH / k if wide else REACH
    grid = spaced(centres.min() - reach, centres.max() + reach, points)[1:-1]
    yield _scaled(log_q[None])
    for rows in blocks(grid.size, NUMBERS_AT_ONCE // ratio.size):
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
    return log_mass - log_sum(log_mass)[:, None]
