"""The compromises between P and Q that frontiers are drawn from: power means (2023 paper, §4.3).

    R_θ ∝ (θ p^b + (1−θ) q^b)^{1/b},   θ in [0, 1],   from Q to P

b = 1 − a for the exclusive frontier of order a (Proposition 21), b = a for the inclusive one.
b = 0 is the geometric path p^θ q^{1−θ}, b = 1 the mixtures, b = ∓∞ are min(λp, q) and max(λp, q).
A mean of exponent b <= 0 is 0 where P or Q is; one of b > 0 has mass wherever either has any.

With the log-ratio ρ = log(q/p) and the log-odds u = log(θ/(1−θ)) a cell changes from Q to P at
u = bρ.  For |b| > 1 the grid is one of w = u/b instead, on the scale of ρ:

    log R_θ = log q + log(θ e^{−bρ} + 1 − θ) / b + constant
            = log(p^b e^{bw} + q^b) / b + another one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from prfast.divergences.numerics import LEAST, NUMBERS_AT_ONCE, REACH, log_sum, spaced
from prfast.inputs.arrays import Float64s
from prfast.inputs.blocks import blocks


def compromises(
    log_p: Float64s, log_q: Float64s, exponent: float, points: int
) -> Iterator[Float64s]:
    """log R_θ of every cell in blocks of rows, from θ = 0 to θ = 1, both included: Q and P there.

    Cells that only one of the two has, with a logarithm of −∞, only for exponents b >= 0.
    """
    b = exponent
    both = np.isfinite(log_p) & np.isfinite(log_q)
    ratio = (log_q - log_p)[both]
    alone = not both.all()
    wide = abs(b) > 1 or not ratio.size
    centres = (math.copysign(1, b) if wide else b) * ratio
    if wide:  # what only one has fades as e^w
        reach = REACH if alone else REACH / abs(b)
    else:  # … and here as θ^{1/b}
        reach = REACH + (-math.log(b) if alone and b > 0 else 0.0)
    low, high = (centres.min(), centres.max()) if ratio.size else (0.0, 0.0)
    grid = spaced(low - reach, high + reach, points)[1:-1]
    yield scaled(log_q[None])
    for rows in blocks(grid.size, NUMBERS_AT_ONCE // log_p.size):
        at = grid[rows, None]
        if wide:
            mean = _wide_mean(log_p, log_q, b, math.copysign(1, b) * at)
        else:
            mean = power_mean(log_p, log_q, b, -np.logaddexp(0, -at), -np.logaddexp(0, at))
        yield scaled(mean)
    yield scaled(log_p[None])


def power_mean(
    log_p: Float64s, log_q: Float64s, b: float, log_theta: Float64s, log_rest: Float64s
) -> Float64s:
    """log(θ p^b + (1−θ) q^b) / b for finite b, of every θ (a column) and cell; without a common
    cell up to a number of every θ."""
    both = np.isfinite(log_p) & np.isfinite(log_q)
    ratio = (log_q - log_p)[both]
    found = np.empty((log_theta.shape[0], log_p.size))
    if not both.any():  # of masses up to a factor: 0 is where not all of it may fade
        top = np.maximum(log_theta, log_rest)
        log_theta, log_rest = log_theta - top, log_rest - top
    found[:, both] = log_q[both] + _tilt(ratio, b, log_theta, log_rest)
    if not both.all():
        with np.errstate(over="ignore", divide="ignore"):
            of_p, of_q = log_p + log_theta / b, log_q + log_rest / b
        found[:, ~both] = np.where(np.isfinite(log_p), of_p, of_q)[:, ~both]
    return found


def _tilt(ratio: Float64s, b: float, log_theta: Float64s, log_rest: Float64s) -> Float64s:
    """log(θ e^{−bρ} + 1 − θ) / b; −θρ for b = 0, and for b so small that bρ would lose digits."""
    theta = np.exp(log_theta)
    if abs(b) < LEAST:
        return -theta * ratio
    bend = -b * ratio
    near = np.abs(bend) <= 1  # where the logarithm of a sum would lose digits
    return (
        np.where(
            near,
            np.log1p(theta * np.expm1(np.where(near, bend, 0.0))),
            np.logaddexp(log_rest, log_theta + bend),
        )
        / b
    )


def _wide_mean(log_p: Float64s, log_q: Float64s, b: float, w: Float64s) -> Float64s:
    """log(p^b e^{bw} + q^b) / b: max(x, y) + log(1 + e^{−b|x−y|}) / b, x = log p + w, y = log q;
    for b < 0 the smaller of the two."""
    x = log_p + w
    top = np.maximum(x, log_q) if b >= 0 else np.minimum(x, log_q)
    if math.isinf(b):
        return top
    apart = np.abs(x - log_q)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        return top + np.where(np.isinf(apart), 0.0, np.log1p(np.exp(-abs(b) * apart)) / b)


def scaled(log_mass: Float64s) -> Float64s:
    """Logarithms of masses that sum to 1 in every row."""
    # About the largest, which may be far from 0: no digits of the sum are lost.
    x: Float64s = log_mass - log_mass.max(axis=1)[:, None]
    return x - log_sum(x)[:, None]
