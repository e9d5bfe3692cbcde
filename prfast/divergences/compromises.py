"""The compromises between P and Q that frontiers are drawn from: power means (2023 paper, §4.3).

    R_θ ∝ (θ p^b + (1−θ) q^b)^{1/b},   θ in [0, 1],   from Q to P

b = 1 − a for the exclusive frontier of order a (Proposition 21), b = a for the inclusive one.
b = 0 is the geometric path p^θ q^{1−θ}, b = 1 the mixtures, b = ∓∞ are min(λp, q) and max(λp, q).
A mean of exponent b <= 0 is 0 where P or Q is; one of b > 0 has mass wherever either has any.

With the log-ratio ρ = log(q/p) and the log-odds u = log(θ/(1−θ)) a cell changes from Q to P at
u = bρ.  For |b| > 1 the grid is one of w = u/b instead, on the scale of ρ.  Up to a constant

    log(R_θ/q) = log(θ e^{−bρ} + 1 − θ) / b,      log(R_θ/p) = log(θ + (1 − θ) e^{bρ}) / b

which are 0 where ρ is: each is computed for itself, and so is the constant, about P and about Q,
so that R_θ, P and Q may be nearly equal and their differences keep their digits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from prfast.divergences.numerics import (
    LEAST,
    NUMBERS_AT_ONCE,
    REACH,
    difference,
    log_sum,
    spaced,
)
from prfast.inputs.arrays import Float64s
from prfast.inputs.blocks import blocks


class Compromise(NamedTuple):
    """Distributions R, one a row, by logarithms: cells where p or q is 0 have no ratio to it."""

    log_r: Float64s
    to_p: Float64s
    """log(R/p)."""
    to_q: Float64s
    """log(R/q)."""


class Sides:
    """The masses of P and Q on the cells of their compromises, with what lies elsewhere."""

    def __init__(self, p: Float64s, q: Float64s, p_gap: float = 0.0, q_gap: float = 0.0) -> None:
        self.p, self.q, self.p_gap, self.q_gap = p, q, p_gap, q_gap
        with np.errstate(divide="ignore", over="ignore"):
            self.log_p, self.log_q = np.log(p), np.log(q)
            self.both = (p > 0) & (q > 0)
            p, q = p[self.both], q[self.both]
            apart = np.clip((q - p) / p, -0.5, 0.5)
            far = np.log(q) - np.log(p)
        self.ratio = np.where(np.abs(apart) < 0.5, np.log1p(apart), far)
        """log(q/p) of the cells that both have."""

    def compromise(self, to_p: Float64s, to_q: Float64s) -> Compromise:
        """Rows of log(R/p) and log(R/q), up to a constant each, scaled to ΣR = 1."""
        with np.errstate(over="ignore", invalid="ignore"):
            log_r = np.where(self.q > 0, self.log_q + to_q, self.log_p + to_p)
        total = log_sum(log_r)
        r = np.exp(log_r)
        sides = [log_r - total[:, None]]
        for mass, gap, to in ((self.p, self.p_gap, to_p), (self.q, self.q_gap, to_q)):
            with np.errstate(invalid="ignore"):
                excess = np.where(mass > 0, difference(r, mass, to), r).sum(axis=1) - gap
            near = np.abs(excess) <= 0.5
            scale = np.where(near, np.log1p(np.where(near, excess, 0.0)), total)
            sides.append(to - scale[:, None])
        return Compromise(*sides)


def compromises(sides: Sides, exponent: float, points: int) -> Iterator[Compromise]:
    """R_θ in blocks of rows, from θ = 0 to θ = 1, both included: Q and P there.

    Cells that only one of the two has only for exponents b >= 0.
    """
    b, ratio = exponent, sides.ratio
    alone = not sides.both.all()
    if not ratio.size:  # θ^{1/b}p and (1−θ)^{1/b}q: their odds alone matter
        b = math.inf
    wide = abs(b) > 1
    centres = (math.copysign(1, b) if wide else b) * ratio
    if wide:  # what only one has fades as e^w
        reach = REACH if alone else REACH / abs(b)
    else:  # … and here as θ^{1/b}
        reach = REACH + (-math.log(b) if alone and b > 0 else 0.0)
    low, high = (centres.min(), centres.max()) if ratio.size else (0.0, 0.0)
    grid = spaced(low - reach, high + reach, points)[1:-1]
    with np.errstate(invalid="ignore"):
        from_p, from_q = sides.log_q - sides.log_p, sides.log_p - sides.log_q
    from_p[sides.both], from_q[sides.both] = ratio, -ratio
    zero = np.zeros((1, sides.p.size))
    yield sides.compromise(from_p[None], zero)
    for rows in blocks(grid.size, NUMBERS_AT_ONCE // sides.p.size):
        at = grid[rows, None]
        if wide:
            yield _wide_mean(sides, b, math.copysign(1, b) * at)
        else:
            yield power_mean(sides, b, -np.logaddexp(0, -at), -np.logaddexp(0, at))
    yield sides.compromise(zero, from_q[None])


def power_mean(sides: Sides, b: float, log_theta: Float64s, log_rest: Float64s) -> Compromise:
    """(θ p^b + (1−θ) q^b)^{1/b} for finite b, of every θ (a column) and cell."""
    if not sides.both.any():  # 0 is where not all of it may fade
        top = np.maximum(log_theta, log_rest)
        log_theta, log_rest = log_theta - top, log_rest - top
    of_p = _tilt(-sides.ratio, b, log_rest, log_theta)
    of_q = _tilt(sides.ratio, b, log_theta, log_rest)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        return _with_lone_cells(sides, of_p, of_q, log_theta / b, log_rest / b)


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


def _wide_mean(sides: Sides, b: float, w: Float64s) -> Compromise:
    """The same for |b| > 1, infinite as well, θ = 1 / (1 + e^{−bw})."""
    of_p, of_q = _wide_tilt(-sides.ratio, b, -w), _wide_tilt(sides.ratio, b, w)
    return _with_lone_cells(sides, of_p, of_q, -_softplus(b, -w), -_softplus(b, w))


def _wide_tilt(ratio: Float64s, b: float, w: Float64s) -> Float64s:
    """log((1 + e^{b(w−ρ)}) / (1 + e^{bw})) / b."""
    found = _softplus(b, w - ratio) - _softplus(b, w)
    if math.isinf(b):
        return found
    with np.errstate(over="ignore"):
        bend = -b * ratio
        near = np.abs(bend) <= 1
        theta = np.exp(-np.logaddexp(0, -b * w))
        return np.where(near, np.log1p(theta * np.expm1(np.where(near, bend, 0.0))) / b, found)


def _softplus(b: float, x: Float64s) -> Float64s:
    """log(1 + e^{bx}) / b: max(x, 0) for b = ∞, min(x, 0) for b = −∞."""
    top = np.maximum(x, 0) if b > 0 else np.minimum(x, 0)
    if math.isinf(b):
        return top
    with np.errstate(over="ignore"):
        return top + np.log1p(np.exp(-abs(b) * np.abs(x))) / b


def _with_lone_cells(
    sides: Sides, of_p: Float64s, of_q: Float64s, lone_p: Float64s, lone_q: Float64s
) -> Compromise:
    """The compromise of the ratios on common cells and on those of P alone and of Q alone."""
    if sides.both.all():
        return sides.compromise(of_p, of_q)
    shape = (lone_p.shape[0], sides.p.size)
    to_p, to_q = np.full(shape, math.inf), np.full(shape, math.inf)
    to_p[:, sides.both], to_q[:, sides.both] = of_p, of_q
    to_p[:, (sides.p > 0) & ~sides.both] = lone_p
    to_q[:, (sides.q > 0) & ~sides.both] = lone_q
    return sides.compromise(to_p, to_q)
