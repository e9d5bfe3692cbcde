"""Rényi's and Tsallis' divergences of rows of masses, compromises, and points of frontiers.

    D_a(μ‖ν) = log(Σ μ^a ν^{1−a}) / (a − 1)       D̂_a = (exp((a − 1) D_a) − 1) / (a (a − 1))

(2023, §2.2 and §4.3, Eq. 19; a = 1 and a = ∞ are limits.)  Nearly equal distributions keep their
digits: with y = log(μ/ν) and Σμ = 1, Σν = 1 − gap, terms of first order in y cancel in

    Σ μ^a ν^{1−a} − 1 = a (a − 1) Σ ν φ_a(e^y) + (a − 1) gap

Compromises between P and Q are power means (§4.3)

    R_θ ∝ (θ p^b + (1−θ) q^b)^{1/b},   θ in [0, 1],   from Q to P

with b = 1 − a for the exclusive frontier of order a (Proposition 21), b = a for the inclusive one.
b = 0 is the geometric path p^θ q^{1−θ}, b = 1 the mixtures, b = ∓∞ are min(λp, q) and max(λp, q).
A mean of exponent b <= 0 is 0 where P or Q is; for b > 0 it has mass wherever P or Q has any.

The log-ratio is ρ = log(q/p), the log-odds are u = log(θ/(1−θ)).  A cell changes from Q to P at u =
bρ; for |b| > 1 the grid is on the scale of ρ, of w = u/b.  Up to a constant

    log(R_θ/q) = log(θ e^{−bρ} + 1 − θ) / b,      log(R_θ/p) = log(θ + (1 − θ) e^{bρ}) / b

computed separately: nearly equal R_θ, P and Q keep their digits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, blocks

NUMBERS_AT_ONCE = 1 << 18  # parameters times cells in one array
LEAST = 1e-290  # least order > 0: products of smaller ones with log-ratios would lose digits
REACH = 20.0  # log-odds from the last cell's to the end of the grid; the exact end follows


def powers(log: Float64s, e: float, scale: Float64s | float = 1.0, over: float = 1.0) -> Float64s:
    """Return scale (u^e − 1) / e / over for u = exp(log), scale · log / over at e = 0.

    If factors may overflow and the result need not, it is exp(e log u + log scale − log |e ·
    over|).  Relative to it the 1 is less than e⁻⁴⁰.
    """
    if abs(e) < LEAST:
        return scale * log / over
    y, log_scale = e * log, np.log(scale)
    large = np.exp(y + (log_scale - math.log(abs(e)) - math.log(abs(over))))
    far = (y > 40) & (y + np.maximum(log_scale, 0) >= 700)
    near = scale * np.expm1(np.minimum(y, 700)) / e / over
    return np.where(far, math.copysign(1.0, e * over) * large, near)


def difference(m: Float64s, n: Float64s, y: Float64s) -> Float64s:
    """Return m − n for m = n e^y, with all digits of y where m and n are nearly equal."""
    return np.where(np.abs(y) <= 1, n * np.expm1(np.clip(y, -1, 1)), m - n)


def log_sum(x: Float64s) -> Float64s:
    """Return log Σ e^x of every row."""
    top: Float64s = x.max(axis=1)
    top += np.log(np.exp(x - top[:, None]).sum(axis=1))
    return top


class Compromise(NamedTuple):
    """Distributions R, one per row, as logarithms; ratios to p or q are undefined where it is 0."""

    log_r: Float64s
    to_p: Float64s  # log(R/p)
    to_q: Float64s  # log(R/q)


class Sides:
    """The masses of P and Q on the cells of their compromises; p_gap and q_gap are elsewhere."""

    def __init__(self, p: Float64s, q: Float64s, p_gap: float = 0.0, q_gap: float = 0.0) -> None:
        self.p, self.q, self.p_gap, self.q_gap = p, q, p_gap, q_gap
        with np.errstate(divide="ignore", over="ignore"):
            self.log_p, self.log_q = np.log(p), np.log(q)
            self.common = (p > 0) & (q > 0)
            p, q = p[self.common], q[self.common]
            change = np.clip((q - p) / p, -0.5, 0.5)
            far = np.log(q) - np.log(p)
        self.ratio = np.where(np.abs(change) < 0.5, np.log1p(change), far)  # log(q/p) on common

    def compromise(self, to_p: Float64s, to_q: Float64s) -> Compromise:
        """Return compromises with ΣR = 1 from log(R/p) and log(R/q), each up to a row constant."""
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

    def mean(
        self, to_p: Float64s, to_q: Float64s, exclusive_p: Float64s, exclusive_q: Float64s
    ) -> Compromise:
        """Return compromises from their ratios on common cells and on those of only P or Q."""
        if self.common.all():
            return self.compromise(to_p, to_q)
        shape = (exclusive_p.shape[0], self.p.size)
        all_to_p, all_to_q = np.full(shape, math.inf), np.full(shape, math.inf)
        all_to_p[:, self.common], all_to_q[:, self.common] = to_p, to_q
        all_to_p[:, (self.p > 0) & ~self.common] = exclusive_p
        all_to_q[:, (self.q > 0) & ~self.common] = exclusive_q
        return self.compromise(all_to_p, all_to_q)


def compromises(sides: Sides, exponent: float, points: int) -> Iterator[Compromise]:
    """Yield R_θ in blocks of rows, from Q at θ = 0 to P at θ = 1.

    Cells outside the common support are allowed for exponents b >= 0 only.
    """
    b, ratio = exponent, sides.ratio
    has_exclusive = not sides.common.all()
    if not ratio.size:  # θ^{1/b}p and (1−θ)^{1/b}q: only their odds matter
        b = math.inf
    wide = abs(b) > 1
    centers = (math.copysign(1, b) if wide else b) * ratio
    if wide:  # cells outside the common support vanish as e^w
        reach = REACH if has_exclusive else REACH / abs(b)
    else:  # … here as θ^{1/b}
        reach = REACH + (-math.log(b) if has_exclusive and b > 0 else 0.0)
    low, high = (centers.min(), centers.max()) if ratio.size else (0.0, 0.0)
    # Numbers whose asinh is equally spaced, so dense about 0.
    ends = np.arcsinh(low - reach), np.arcsinh(high + reach)
    grid = np.sinh(np.linspace(ends[0], ends[1], points))[1:-1]
    with np.errstate(invalid="ignore"):
        from_p, from_q = sides.log_q - sides.log_p, sides.log_p - sides.log_q
    from_p[sides.common], from_q[sides.common] = ratio, -ratio
    zero = np.zeros((1, sides.p.size))
    yield sides.compromise(from_p[None], zero)
    for rows in blocks(grid.size, NUMBERS_AT_ONCE // sides.p.size):
        at = grid[rows, None]
        if wide:  # θ = 1 / (1 + e^{−bw}), infinite b included
            w = math.copysign(1, b) * at
            to_p, to_q = _wide_log_mean(-ratio, b, -w), _wide_log_mean(ratio, b, w)
            yield sides.mean(to_p, to_q, -_softplus(b, -w), -_softplus(b, w))
        else:
            yield power_mean(sides, b, -np.logaddexp(0, -at), -np.logaddexp(0, at))
    yield sides.compromise(zero, from_q[None])


def power_mean(sides: Sides, b: float, log_theta: Float64s, log_rest: Float64s) -> Compromise:
    """Return (θ p^b + (1−θ) q^b)^{1/b} for finite b, for every θ (a column) and cell."""
    if not sides.common.any():  # only the odds matter; the larger share becomes 1, not to underflow
        top = np.maximum(log_theta, log_rest)
        log_theta, log_rest = log_theta - top, log_rest - top
    to_p = _log_mean(-sides.ratio, b, log_rest, log_theta)
    to_q = _log_mean(sides.ratio, b, log_theta, log_rest)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        return sides.mean(to_p, to_q, log_theta / b, log_rest / b)


def _log_mean(ratio: Float64s, b: float, log_theta: Float64s, log_rest: Float64s) -> Float64s:
    """Return log(θ e^{−bρ} + 1 − θ) / b; −θρ for b = 0, or so small that bρ would lose digits."""
    theta = np.exp(log_theta)
    if abs(b) < LEAST:
        return -theta * ratio
    bend = -b * ratio
    near = np.abs(bend) <= 1  # here the logarithm of the sum would lose digits
    log = np.log1p(theta * np.expm1(np.where(near, bend, 0.0)))
    return np.where(near, log, np.logaddexp(log_rest, log_theta + bend)) / b


def _wide_log_mean(ratio: Float64s, b: float, w: Float64s) -> Float64s:
    """Return log((1 + e^{b(w−ρ)}) / (1 + e^{bw})) / b."""
    far = _softplus(b, w - ratio) - _softplus(b, w)
    if math.isinf(b):
        return far
    with np.errstate(over="ignore"):
        bend = -b * ratio
        near = np.abs(bend) <= 1
        theta = np.exp(-np.logaddexp(0, -b * w))
        return np.where(near, np.log1p(theta * np.expm1(np.where(near, bend, 0.0))) / b, far)


def _softplus(b: float, x: Float64s) -> Float64s:
    """Return log(1 + e^{bx}) / b: max(x, 0) for b = ∞, min(x, 0) for b = −∞."""
    top = np.maximum(x, 0) if b > 0 else np.minimum(x, 0)
    if math.isinf(b):
        return top
    with np.errstate(over="ignore"):
        return top + np.log1p(np.exp(-abs(b) * np.abs(x))) / b


_TERMS = np.arange(19)
_FACTORIALS = np.cumprod(_TERMS + 1.0) * (_TERMS + 2)  # (j + 2)!


def renyi(log_mu: Float64s, log_nu: Float64s, y: Float64s, gap: Any, order: float) -> Float64s:
    """Return D_a(μ‖ν), a >= 0, of every row, over the cells where μ is positive.

    y = log(μ/ν).  Arrays of one row are broadcast.  `gap`, a number or one per row, is the mass of
    ν elsewhere.  ν may be 0, its logarithm −∞: D_a is then ∞ for a >= 1, and for a < 1 if ν is 0
    in all cells.
    """
    k = order - 1
    top: Float64s = y.max(axis=1) if k >= 0 else y.min(axis=1)
    values = top
    if not math.isinf(k):
        with np.errstate(all="ignore"):
            total = _second_order(log_mu, log_nu, y, order)
            if k == 0:
                values = total + gap
            else:  # Σ μ e^{ky} relative to the largest exponent: no term overflows
                values = top + log_sum(log_mu + k * (y - top[:, None])) / k
                excess = (k if order >= 0.5 else order) * total + k * gap
                near = np.abs(excess) <= 0.5
                values[near] = np.log1p(excess[near]) / k
    return np.where(np.isposinf(top), math.inf, np.maximum(values, 0.0))


def _second_order(log_mu: Float64s, log_nu: Float64s, y: Float64s, order: float) -> Float64s:
    """Return a Σ ν φ_a(e^y) of every row for a >= ½, (a − 1) Σ ν φ_a(e^y) for a < ½.

    The factors give finite limits at a = 0 and a = 1.  Cell by cell it is
    μ (e^{(a−1)y} − 1) / (a − 1) − (μ − ν) or ν (e^{ay} − 1) / a − (μ − ν); near y = 0 the series
    ν y² Σ_j (1 + a + … + a^j) y^j / (j + 2)!, times a or a − 1.
    """
    a = order
    mu, nu = np.exp(log_mu), np.exp(log_nu)
    if a >= 0.5:
        far, factor = powers(y, a - 1, mu), a
    else:
        far, factor = powers(np.where(nu > 0, y, 0.0), a, nu), a - 1
    far = far - difference(mu, nu, y)
    # The series in z, the larger of y and ay; its coefficients have powers of their ratio <= 1.
    scale = max(1.0, a)
    coefficients = np.cumsum(min(a, 1 / scale) ** _TERMS) / _FACTORIALS
    z = scale * y
    series = np.polynomial.polynomial.polyval(np.clip(z, -1, 1), coefficients)
    return np.where(np.abs(z) <= 1, factor * y * (y * nu) * series, far).sum(axis=1)


def tsallis(renyi: Float64s, order: float) -> Float64s:
    """Return Tsallis' D̂_a, a > 0, from Rényi's D_a; ∞ on overflow."""
    k = order - 1
    if k == 0:
        return renyi
    if math.isinf(k):
        return np.where(renyi > 0, np.inf, 0.0)
    with np.errstate(over="ignore"):
        return powers(renyi, k, over=order)


Pair = tuple[Float64s, Float64s]


def frontier(p: Float64s, q: Float64s, order: float, points: int, inclusive: bool) -> Pair:
    """Return the points of a frontier of order a >= 0, from R = Q to R = P.

    They are (D_a(Q‖R), D_a(P‖R)) if inclusive, otherwise (D_a(R‖Q), D_a(R‖P)) for R on the common
    support, the single point (∞, ∞) if there is none.
    """
    if inclusive:
        sides = Sides(p, q)
        to_fake, to_real = _inclusive_points(sides, compromises(sides, order, points), order)
        to_fake[0] = to_real[-1] = 0.0  # R is Q, and P
        return to_fake, to_real
    common = (p > 0) & (q > 0)
    if not common.any():
        return np.array([np.inf]), np.array([np.inf])
    p_gap, q_gap = float(p[~common].sum()), float(q[~common].sum())
    sides = Sides(p[common], q[common], p_gap, q_gap)
    parts_fake, parts_real = [], []
    for log_r, to_p, to_q in compromises(sides, 1 - order, points):
        parts_fake.append(renyi(log_r, sides.log_q, to_q, q_gap, order))
        parts_real.append(renyi(log_r, sides.log_p, to_p, p_gap, order))
    to_fake, to_real = np.concatenate(parts_fake), np.concatenate(parts_real)
    # At the ends R is Q or P on the common support, whose divergence is that for any order: −log of
    # the mass of the other there, from its mass elsewhere if that is smaller.
    to_fake[0], to_real[-1] = (
        abs(math.log1p(-gap)) if gap <= 0.5 else -float(log_sum(log[None])[0])
        for log, gap in ((sides.log_q, q_gap), (sides.log_p, p_gap))
    )
    return to_fake, to_real


def inclusive_at(p: Float64s, q: Float64s, order: float, theta: Float64s) -> Pair:
    """Return the points of the inclusive frontier of a finite order at these θ."""
    sides = Sides(p, q)
    with np.errstate(divide="ignore"):
        log_theta, log_rest = np.log(theta)[:, None], np.log1p(-theta)[:, None]
    rows = blocks(theta.size, NUMBERS_AT_ONCE // p.size)
    means = (power_mean(sides, order, log_theta[block], log_rest[block]) for block in rows)
    return _inclusive_points(sides, means, order)


def _inclusive_points(sides: Sides, means: Iterable[Compromise], order: float) -> Pair:
    """Return D_a(Q‖R) and D_a(P‖R) of every row R; P or Q may be 0 where R is not."""
    to_fake: list[Float64s] = []
    to_real: list[Float64s] = []
    for log_r, to_p, to_q in means:
        for divergences, log, to in ((to_fake, sides.log_q, to_q), (to_real, sides.log_p, to_p)):
            at = np.isfinite(log)
            gap = np.exp(log_r[:, ~at]).sum(axis=1)
            divergences.append(renyi(log[None, at], log_r[:, at], -to[:, at], gap, order))
    return np.concatenate(to_fake), np.concatenate(to_real)
