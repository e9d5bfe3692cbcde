"""Bounds of the error on a target by that on a source (2023, §5).

P, the real side of a curve, is the source and Q, its generated side, the target.  Both are over
pairs of a sample and its label: `PRCurve.from_masses(source, target)`.  R_P and R_Q are the errors
of one classifier.

    R_Q <= 1 − F(1 − R_P)                    F the Lorenz curve               (Proposition 24)
    R_Q <= λ* R_P + 1 − α_λ*                 λ* = argmax α_λ − λ R_P          (Proposition 25)
    R_Q <= R_P + ∫|p − q|                    never below the other two        (Eq. 20)
    R_Q^ℓ <= λ R_P^{φ*∘ℓ} + D_φ(Q‖λP)        for every λ >= 0 and a loss ℓ    (Proposition 28)

Note the order: D_φ has the target first.  No sample proves such a bound, as a better scorer may
lower the curve (2019, Theorem 5).  The upper bound `curve.upper()` of the true curve proves the
contrary: no bound is below its number.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve, read_curve
from prfast.curve.polyline import ROUNDING
from prfast.inputs.arrays import (
    Float64s,
    in_order,
    read_between,
    read_rates,
    read_shaped,
    read_shaped_pair,
    read_vector,
    read_weights,
    shaped,
)
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_number
from prfast.theory.divergences import measure_divergence
from prfast.theory.phi import Phi, phi_function

_EPSILON, _LARGEST = float(np.finfo(np.float64).eps), float(np.finfo(np.float64).max)
_MOST = 1500.0  # |ln λ|; e^1500 is beyond any ratio of float64 masses
_FAR = 100.0  # |ln u| where φ' of a user's φ is computed; powers of e^100 do not overflow


class AdaptationBound(NamedTuple):
    """R_Q <= value = common + exclusive (Proposition 25).  See also `adaptation_bound`."""

    value: float
    """In [R_P, 1]."""
    lam: float
    """λ*, in [0, ∞): the multiplier of the source mass."""
    common: float
    """λ* R_P: errors where source and target share mass."""
    exclusive: float
    """1 − α_λ*: target mass beyond λ* times the source; errors on all of it are possible."""
    loose: float
    """R_P + ∫|p − q| (Eq. 20), in [0, 3]."""

    def __str__(self) -> str:
        return (
            f"R_Q <= {self.value:.4g} = {self.common:.4g} (common mass, λ* {self.lam:.4g}) "
            f"+ {self.exclusive:.4g} (target only); R_P + TV {self.loose:.4g}"
        )


class PhiBound(NamedTuple):
    """R_Q^ℓ <= value = common + divergence (Proposition 28 at its best λ).

    See also `phi_bound`."""

    value: float
    """In [0, φ◇(0)], ∞ if no λ gives a bound."""
    lam: float
    """The minimizing λ, in [0, ∞); at 0 the bound is φ◇(0) and holds for any distributions."""
    common: float
    """λ R_P^{φ*∘ℓ}."""
    divergence: float
    """D_φ(Q‖λP)."""
    risk: float
    """R_P^{φ*∘ℓ}, the mean of φ*(ℓ) over the source."""

    def __str__(self) -> str:
        return (
            f"R_Q <= {self.value:.4g} = {self.common:.4g} (λ {self.lam:.4g} × "
            f"source risk {self.risk:.4g}) + {self.divergence:.4g} (divergence)"
        )


def lorenz_bound(curve: PRCurve, risk: Any) -> Any:
    """Return the bound R_Q <= 1 − F(1 − R_P), F the Lorenz curve (2023, Proposition 24).

    It is 2023, Eq. 21, the largest mass under Q of a set of errors that has mass R_P under P.
    A curve estimated from samples lies above the true one, and its number is no bound (2019,
    Theorem 5).
    Example: ``prfast.theory.lorenz_bound(prfast.reference.TOYS["a"].curve(), risk=0.1)``.
    See also `adaptation_bound`.

    Parameters
    ----------
    curve : PRCurve
        Source (real) against target (generated).
    risk : float or array
        R_P, the source error, in [0, 1].

    Returns
    -------
    float or array of the shape of `risk`
        In [R_P, 1]: R_P for P = Q, 1 for disjoint supports; for R_P = 0 the target mass outside
        the support of the source.
    """
    read_curve("curve", curve)
    flat, shape = read_shaped("risk", risk, read_rates)
    # In terms of R_P, as 1 − R_P would round away an R_P below 10⁻¹⁶.
    fpr, fnr, _ = curve.vertices
    return shaped(np.clip(1.0 - np.interp(flat, fpr, fnr), flat, 1.0), shape)


def adaptation_bound(curve: PRCurve, risk: float) -> AdaptationBound:
    """Return the bound R_Q <= λ* R_P + 1 − α_λ* and its terms (2023, Proposition 25; 2023, Eq. 22).

    Equal to `lorenz_bound`, and never above R_P + 1 − α_1 (λ = 1), so never above 2023, Eq. 20.
    The smallest λ that maximizes α_λ − λ R_P is λ*: the ratio of the edge of the error-rate
    polyline over fpr = R_P.  For P = Q the value is R_P; for disjoint supports 1, all of it
    `exclusive`, λ* = 0.  A curve estimated from samples lies above the true one: no bound.
    Example: ``prfast.theory.adaptation_bound(prfast.reference.TOYS["a"].curve(), risk=0.1)``.
    See also `lorenz_bound` and `phi_bound`.

    Parameters
    ----------
    curve, risk
        See `lorenz_bound`, a single risk.
    """
    read_curve("curve", curve)
    risk = read_number("risk", risk, 0.0, 1.0)
    lam, value = alpha_multiplier(curve, risk)
    common = lam * risk
    exclusive = max(0.0, value - common)
    return AdaptationBound(value, lam, common, exclusive, risk + 2 * curve.total_variation)


def phi_bound(
    curve: PRCurve, losses: Any, phi: Any, *, weights: Any = None, loss_max: float = 1.0
) -> PhiBound:
    """Return the bound R_Q^ℓ <= inf_λ λ R_P^{φ*∘ℓ} + D_φ(Q‖λP) (2023, Proposition 28).

    D_φ(Q‖λP) = Σ λp_i φ(q_i/(λp_i)) + φ(0) λP(q = 0) + φ◇(0) Q(p = 0), target first.  The infimum
    is the φ-Lorenz curve at R_P^{φ*∘ℓ} (`phi_lorenz`).  A curve estimated from samples lies above
    the true one, and its number is no bound.  Source: 2023, Eq. 26; 2023, Eq. 29; 2023, Eq. 31;
    2023, Remark 29; 2023, Eq. 32.
    Example: ``prfast.theory.phi_bound(prfast.reference.TOYS["a"].curve(), [0.1, 0.3], "chi2")``.
    See also `adaptation_bound`.

    Parameters
    ----------
    curve : PRCurve
        See `lorenz_bound`.
    losses : array, shape (n,)
        ℓ(h(x); y) for each source sample, in [0, loss_max].
    phi : str or Phi
        See `phi_divergence`.
    weights : array, shape (n,), optional
        Masses of the source samples, >= 0.
    loss_max : float
        The largest possible loss, on the target too, 1 by default; at most φ◇(0), the end of the
        domain of φ*.  For js (ln 2) and tsallis:a with a < 0 (1/(1 − a)) scale the loss down.

    Returns
    -------
    PhiBound
        Values above `loss_max` are trivial.  It is ∞ if φ◇(0) = ∞ and the target has mass outside
        the support of the source.  It is φ◇(0) at λ = 0 in three cases: the supports are disjoint;
        φ(0) = ∞ and the source has mass outside the support of the target; or the risk is ∞ (loss 1
        with reverse_kl or hellinger).
    """
    read_curve("curve", curve)
    phi = phi_function(phi)
    end, top = phi.dual_at_zero, read_number("loss_max", loss_max, 1e-300, 1e300)
    if top > end:
        text = f"at most {end:.6g} expected, where φ* of {phi.name} ends, got {top:g}"
        raise WrongValue("loss_max", f"{text}; scale the losses")
    weights = in_order("weights", weights, "losses", losses)
    losses = read_between("losses", losses, top)
    masses = read_masses("weights", weights, losses.size)
    used = masses > 0  # φ* of the others may be ∞
    risk = float(np.asarray(phi.conjugate(losses))[used] @ masses[used])
    [(lam, value)] = phi_multipliers(curve, phi, [risk])
    if lam == 0 or math.isinf(value):
        return PhiBound(value, lam, 0.0, value, risk)
    p, q = curve.masses
    divergence = measure_divergence(q, p, phi, lam)
    return PhiBound(lam * risk + divergence, lam, lam * risk, divergence, risk)


def phi_lorenz(curve: PRCurve, t: Any, phi: Any) -> Any:
    """Return the extended Lorenz curve F̄_φ(t) = sup { ∫f dQ : ∫φ*(f) dP <= t }.

    (2023, Definition 26; 2023, Eq. 25; 2023, Footnote 11.)  f ranges
    over functions with values where φ* is finite.  It is computed from the dual,
    F̄_φ(t) = inf_{λ>=0} λt + D_φ(Q‖λP) (2023, Eq. 30, with equality): in closed form, except for js,
    the frontier integral and a φ of the user's, whose λ is the root of a monotone function.  A
    curve estimated from samples lies above the true one, and F̄_φ of it bounds no risk.
    Example: ``prfast.theory.phi_lorenz(prfast.reference.TOYS["a"].curve(), [0.1, 0.5], "chi2")``.
    See also `lorenz`.

    Parameters
    ----------
    curve : PRCurve
        P is its real, Q its generated side.
    t : float or array
        Finite; the minimum of ∫φ*(f) dP is −φ(0).
    phi : str or Phi
        See `phi_divergence`.

    Returns
    -------
    float or array of the shape of `t` Concave, rising to φ◇(0); max_t F̄_φ(t) − t = D_φ(Q‖P).  It
        is −∞ for t < −φ(0), and at −φ(0) if no f attains it.  It is ∞ if φ◇(0) = ∞ and Q has mass
        where P has none.
    """
    read_curve("curve", curve)
    phi = phi_function(phi)
    flat, shape = read_shaped("t", t, read_vector)
    values = [value for _, value in phi_multipliers(curve, phi, flat.tolist())]
    return shaped(np.array(values), shape)


def in_phi_lorenz_diagram(curve: PRCurve, t: Any, y: Any, phi: Any) -> Any:
    """Return whether t >= ∫φ*(f) dP and y <= ∫f dQ for some f: y <= F̄_φ(t) (2023, Eq. 24).

    Arguments, limits and the bias of samples are as for `phi_lorenz`; t and y are finite and
    broadcast.  Points within a few units of float64 rounding of the border count as inside.

    >>> curve = prfast.reference.TOYS["a"].curve()
    >>> prfast.theory.in_phi_lorenz_diagram(curve, 0.1, 0.2, "kl")

    See also `phi_lorenz`.
    """
    x, y, shape = read_shaped_pair("t", t, "y", y, read_vector)
    top = np.ravel(phi_lorenz(curve, x, phi))
    slack = ROUNDING * (np.abs(x) + np.abs(y) + np.where(np.isfinite(top), np.abs(top), 0.0))
    return shaped(y <= top + slack, shape)


def read_masses(name: str, weights: Any, count: int) -> Float64s:
    """Return weights of `count` samples, equal by default, divided by their sum."""
    masses = np.ones(count) if weights is None else read_weights(name, weights, count)
    masses = masses / masses.max()  # the sum of huge weights would overflow
    return np.asarray(masses / masses.sum())


def alpha_multiplier(curve: PRCurve, risk: float) -> tuple[float, float]:
    """Return λ* and λ* R + 1 − α_λ*; λ* is the ratio of the edge over fpr = R."""
    # R is a subgradient of α at that λ.
    fpr, _, ratio = curve.vertices
    i = int(np.searchsorted(fpr, risk, side="right"))
    lam = float(ratio[i]) if i < fpr.size else 0.0
    return lam, min(1.0, max(risk, lam * risk + 1.0 - curve.at(lam)[0]))


def phi_multipliers(curve: PRCurve, phi: Phi, ts: list[float]) -> list[tuple[float, float]]:
    """Return for each t the minimizer of λt + D_φ(Q‖λP) over λ in [0, ∞], and the minimum."""
    p, q = curve.masses
    zero, slope = phi.at_zero, phi.dual_at_zero
    if phi.shortfall is not None:
        return _minimize_by_slope(p, q, phi, ts)
    is_tv = phi is phi_function("tv")
    unbounded = math.isinf(slope) and bool((q[p == 0] > 0).any())
    if phi.tsallis:
        c, a = phi.tsallis
        d = measure_divergence(q, p, phi) / c
        log_s = _log_power_sum(p, q, a, d)

    def best(t: float) -> tuple[float, float]:
        if t < -zero:
            return math.inf, -math.inf
        if unbounded:
            return 0.0, math.inf
        if math.isinf(t):
            return 0.0, slope
        if phi.tsallis:
            lam, value = _minimize_tsallis(a, d, log_s, t / c)
            return lam, c * value
        if not is_tv:
            return _minimize(p, q, phi, t)
        # tv: D = 1 + λ − 2α_λ, Proposition 25 for the risk (1 + t)/2
        lam, value = alpha_multiplier(curve, min(1.0, (1 + t) / 2))
        return lam, 2 * value - 1

    return [best(t) for t in ts]


def _minimize_tsallis(a: float, d: float, log_s: float, t: float) -> tuple[float, float]:
    """Return the minimizer and the minimum for Tsallis' φ of order a, from D_a(Q‖P) and ln S.

    Let S = Σ q^a p^{1−a} and T = 1 + at.  Then λ^a = S/T, and the minimum is (λT − 1) / (a − 1),
    where λT = (S T^{a−1})^{1/a}.  At a = 0 and a = 1, the limits, S is 1 and D takes its place.
    """
    if 1 + a * t <= 0:
        if a < 0:  # λt + D increases with λ
            return 0.0, 1 / (1 - a)
        return math.inf, -1 / (a - 1) if a > 1 else -math.inf
    if a == 1:
        return 1 / (1 + t), d + math.log1p(t)
    if a == 0:
        below = -d - t
        return _exp(below), -math.expm1(below) if below < 709 else -math.inf
    log_t = math.log1p(a * t) if abs(t) < 1e300 else math.log(abs(a)) + math.log(abs(t))
    log = (log_s + (a - 1) * log_t) / a
    if log > 700:  # e^log may overflow, its quotient by a − 1 need not
        return _exp((log_s - log_t) / a), math.copysign(_exp(log - math.log(abs(a - 1))), a - 1)
    return _exp((log_s - log_t) / a), math.expm1(log) / (a - 1)


def _log_power_sum(p: Float64s, q: Float64s, a: float, d: float) -> float:
    """Return ln S: from S = 1 + a(a−1) D_a(Q‖P) if that is near 1, else from logarithms.

    The former keeps its digits about a = 0 and a = 1; the terms of the latter do not overflow.
    """
    excess = a * (a - 1) * d
    if abs(excess) <= 0.5 or a in (0, 1):
        return math.log1p(excess) if excess > -1 else -math.inf
    common = (p > 0) & (q > 0)
    if not common.any() or (a < 0 and bool((p[q == 0] > 0).any())):
        return math.inf if a < 0 else -math.inf
    log_p = np.log(p[common])
    terms = a * (np.log(q[common]) - log_p) + log_p
    top = float(terms.max())
    return top + math.log(float(np.exp(terms - top).sum()))


def _minimize_by_slope(
    p: Float64s, q: Float64s, phi: Phi, ts: list[float]
) -> list[tuple[float, float]]:
    """Return for each t the λ with t = ∫φ*(φ'(u)) dP, u = q/(λp), and the minimum ∫φ'(u) dQ.

    For s = ln λ and the shortfall ρ(ln u) = φ◇(0) − φ'(u) of a φ that is its own dual, these are

        t + φ(0) = Σ p ρ(s − ln(q/p)),      Σ q (φ◇(0) − ρ(ln(q/p) − s))
    """
    from scipy.optimize import brentq

    shortfall, slope = phi.shortfall, phi.dual_at_zero
    assert shortfall is not None
    with np.errstate(divide="ignore"):
        log = np.log(q) - np.log(p)
    real, fake = p > 0, q > 0

    def height(s: float) -> float:
        return float(p[real] @ shortfall(s - log[real]))

    def difference(s: float, level: float) -> float:
        return math.log(max(height(s), 5e-324)) - math.log(level)

    best = []
    for t in ts:
        level = t + phi.at_zero
        if t <= -phi.at_zero:
            best.append((math.inf, -math.inf))
            continue
        if height(-_MOST) <= level:
            s = -_MOST
        elif height(_MOST) >= level:
            s = _MOST
        else:
            tolerance = {"xtol": _EPSILON, "rtol": 4 * _EPSILON}
            s = float(brentq(difference, -_MOST, _MOST, (level,), **tolerance))
        best.append((_exp(s), float(q[fake] @ (slope - shortfall(log[fake] - s)))))
    return best


def _minimize(p: Float64s, q: Float64s, phi: Phi, t: float) -> tuple[float, float]:
    """Return the minimizer and the minimum for a φ of the user's, by bisection of ln λ.

    The derivative t − ∫φ*(φ'(q/(λp))) dP rises with λ; at a corner of φ it jumps past 0.
    """
    zero, end = phi.at_zero, phi.dual_at_zero
    real, common = p > 0, (p > 0) & (q > 0)
    lost, fresh = float(p[q == 0].sum()), float(q[p == 0].sum())
    base = end * fresh if fresh else 0.0
    if t == -zero:  # f = φ'(0) on the support of P, λ = ∞
        kept = float(q[real].sum())
        return math.inf, base + (phi.low * kept if kept else 0.0)
    if not common.any() or (lost and math.isinf(zero)):
        return 0.0, end
    p, q = p[common], q[common]
    log = np.log(q) - np.log(p)

    def slopes(s: float) -> tuple[Float64s, float]:
        v = np.clip(phi.derivative(np.exp(np.clip(log - s, -_FAR, _FAR))), -_LARGEST, _LARGEST)
        return v, t - float(phi.conjugate(v) @ p) + (zero * lost if lost else 0.0)

    low, high = float(log.min()) - _FAR, float(log.max()) + _FAR
    for _ in range(100):
        s = low / 2 + high / 2
        low, high = (s, high) if slopes(s)[1] < 0 else (low, s)
    v, rise = slopes(high)
    lam = _exp(high)
    return lam, base + float(q @ v) + lam * rise


def _exp(x: float) -> float:
    return math.exp(x) if x < 709 else math.inf
