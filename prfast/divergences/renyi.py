"""Rényi's divergence of every row of masses, from logarithms, and Tsallis' from Rényi's.

    D_a(μ‖ν) = log(Σ μ^a ν^{1−a}) / (a − 1)       D̂_a = (exp((a − 1) D_a) − 1) / (a (a − 1))

(2023 paper, §2.2 and §4.3, Eq. 19; a = 1 and a = ∞ are limits.)  Nearly equal distributions keep
their digits, as with y = log(μ/ν) and Σμ = 1, Σν = 1 − gap

    Σ μ^a ν^{1−a} − 1 = a (a − 1) Σ ν φ_a(e^y) + (a − 1) gap

whose terms have one sign and are of second order in y: those of first order add up to 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, blocks

# Powers, differences and sums by logarithms, and parameters dense about 0, for φ and frontiers.


NUMBERS_AT_ONCE = 1 << 18  # in one array of rows (parameters) by cells
LEAST = 1e-290  # of orders: of a smaller one products with log-ratios would lose digits
REACH = 20.0  # log-odds beyond the last cell's own, where the grid gives way to the exact end


def order_of(order: float) -> float:
    """The order that is computed, 10⁻²⁹⁰ of one between 0 and it."""
    return LEAST if 0 < order < LEAST else order


def powers(log: Float64s, e: float, scale: Float64s | float = 1.0, over: float = 1.0) -> Float64s:
    """scale (u^e − 1) / e / over for u = exp(log), scale · log / over at e = 0.

    Where factors are beyond float64 and the result need not be it is
    exp(e log u + log scale − log |e · over|), beside which the 1 is less than e⁻⁴⁰.
    """
    if abs(e) < LEAST:
        return scale * log / over
    y, more = e * log, np.log(scale)
    large = np.exp(y + (more - math.log(abs(e)) - math.log(abs(over))))
    far = (y > 40) & (y + np.maximum(more, 0) >= 700)
    near = scale * np.expm1(np.minimum(y, 700)) / e / over
    return np.where(far, math.copysign(1.0, e * over) * large, near)


def difference(m: Float64s, n: Float64s, y: Float64s) -> Float64s:
    """m − n cell by cell for m = n e^y, with all digits of y where the two are nearly equal."""
    return np.where(np.abs(y) <= 1, n * np.expm1(np.clip(y, -1, 1)), m - n)


def log_sum(x: Float64s) -> Float64s:
    """log Σ e^x of every row."""
    top: Float64s = x.max(axis=1)
    top += np.log(np.exp(x - top[:, None]).sum(axis=1))
    return top


def spaced(low: float, high: float, points: int) -> Float64s:
    """Numbers from low to high, as equally spaced as their asinh: dense about 0."""
    return np.sinh(np.linspace(np.arcsinh(low), np.arcsinh(high), points))


# The compromises between P and Q that frontiers are drawn from: power means (2023 paper, §4.3).
#
#     R_θ ∝ (θ p^b + (1−θ) q^b)^{1/b},   θ in [0, 1],   from Q to P
#
# b = 1 − a for the exclusive frontier of order a (Proposition 21), b = a for the inclusive one. b
# = 0 is the geometric path p^θ q^{1−θ}, b = 1 the mixtures, b = ∓∞ are min(λp, q) and max(λp, q).
# A mean of exponent b <= 0 is 0 where P or Q is; one of b > 0 has mass wherever either has any.
#
# With the log-ratio ρ = log(q/p) and the log-odds u = log(θ/(1−θ)) a cell changes from Q to P at
# u = bρ.  For |b| > 1 the grid is one of w = u/b instead, on the scale of ρ.  Up to a constant
#
#     log(R_θ/q) = log(θ e^{−bρ} + 1 − θ) / b,      log(R_θ/p) = log(θ + (1 − θ) e^{bρ}) / b
#
# which are 0 where ρ is: each is computed for itself, and so is the constant, about P and about Q,
# so that R_θ, P and Q may be nearly equal and their differences keep their digits.


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


# Points of the frontiers of Rényi's order: pairs of divergences of every compromise.
#
# A compromise R of a frontier has the least θ D(P, R) + (1−θ) D(Q, R) for its θ, as Tsallis'
# divergences, φ-divergences, are convex in R, in which argument it may stand.  Rényi's rise with
# them where a > 0 and have the same frontier.
#
# Exclusive, D_a(R‖·), over R on the common support.  Of Σ R^a (θ p^{1−a} + (1−θ) q^{1−a}) /
# (a(a−1)) the least for ΣR = 1 is where R^{a−1} (θ p^{1−a} + (1−θ) q^{1−a}) is the same in all
# cells:
#
#     R ∝ (θ p^{1−a} + (1−θ) q^{1−a})^{1/(1−a)}      (Proposition 21)
#
# Inclusive, D_a(·‖R), over all R.  Likewise of Σ R^{1−a} (θ p^a + (1−θ) q^a) / (a(a−1)):
#
#     R ∝ (θ p^a + (1−θ) q^a)^{1/a}
#
# At a = 1 these are the mixtures, at a = ∞, where D_∞(P‖R) <= x and D_∞(Q‖R) <= y ask for
# R >= max(p e^{−x}, q e^{−y}), R ∝ max(λp, q); as Σ max(λp, q) = 1 + λ − α_λ, the pairs are
# (log(1 + λ − α_λ), log((1 + λ − α_λ) / λ)).


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
