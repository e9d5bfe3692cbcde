"""Confidence bounds of true error rates, simultaneous over all thresholds, and curves of them.

    counts of the hull ─► bounds of error rates (`upper_rates`, `lower_rates`) ─► curves

Let c of n samples of one class lie below a threshold t, and F(t) be the probability to do so.  With
V uniform, #{x < t} is distributed as #{V < F(t)} for all t together, with ties or without, so that
what holds for the uniform order statistics holds for every distribution.  Three bounds
F(t) <= U(c), each at all t with probability >= 1 − δ; F(t) >= 1 − U(n − c) likewise, by counting
from the other end:

    mixture   for γ < 1,  M_γ(u) = γ^c ((1 − γu) / (1 − u))^(n − c),  c = #{V <= u},  is a
              martingale in u of mean 1, and so is Σ w_γ M_γ.  With probability >= 1 − δ it never
              exceeds 1/δ (Ville), nor do its limits from the left, c = #{V < u}; U(c) is the least
              u from which on it would.  Tight at both ends of the curve
    dkw       c/n + √(ln(1/δ) / 2n)  (Massart 1990; for all δ, Reeve 2024)
    joint     of both classes together, `joint_reach`
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from prfast.curve.masses import are_counts, majorant
from prfast.curve.provenance import Provenance
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongValue

_RATES = 64  # members of the mixture beside that of share 0
_FIT = 6.0  # ln M of a member where it fits best, about what levels of 1 to 10 % require
_BLOCK = 4096  # counts at a time
_STEPS = 2000  # of the counts of a class, at which a lower bound is computed


def mixture(n: int, counts: Float64s, delta: float) -> Float64s:
    """Return the mixture bound U(c) >= F(t), at every c = #{x < t}, with probability >= 1 − δ."""
    gamma, weight = members(n)
    blocks = [counts[i : i + _BLOCK] for i in range(0, counts.size, _BLOCK)]
    roots = [_root(n, block[:, None], gamma, np.log(weight * delta)) for block in blocks]
    return np.where(counts >= n, 1.0, np.concatenate(roots))


def _root(n: int, c: Float64s, gamma: Float64s, log_weight: Float64s) -> Float64s:
    """Return the u at which Σ exp(log_weight) M_γ(u) = 1, or slightly more, never less.

    The logarithm of the sum is convex and rises with u: Newton's steps from above stay above its
    root.
    """
    rest = np.maximum(n - c, 1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        constant = np.where(c > 0, c * np.log(gamma), 0.0) + log_weight
        # The root of one member:  (1 − γu) / (1 − u) = e^x,  x = −constant / (n − c).  The sum is
        # no less than a member, so the least of these roots is not below that of the sum.
        x = np.expm1(-constant / rest)
        start = np.where(np.isinf(x), 1.0, x / (x + 1 - gamma))
    u = np.minimum(start.min(axis=1), 1 - 1e-15)
    for _ in range(8):
        at = u[:, None]
        log_m = constant + rest * (np.log1p(-gamma * at) - np.log1p(-at))
        largest = log_m.max(axis=1, keepdims=True)
        share = np.exp(log_m - largest)
        total = share.sum(axis=1)
        slope = (share * rest * (1 - gamma) / ((1 - gamma * at) * (1 - at))).sum(axis=1) / total
        u = u - np.maximum(largest[:, 0] + np.log(total), 0.0) / slope
    rounded_up: Float64s = np.minimum(1.0, u * (1 + 1e-12))
    return rounded_up


@lru_cache(maxsize=64)
def members(n: int) -> tuple[Float64s, Float64s]:
    """Return the γ of the mixture and their weights: each fits one share p of the samples best.

    M_γ(u) is largest, e^(n KL(p‖u)), where γ u = p.  The shares p are 0 and others equally spaced
    in ln p/(1 − p) from 1/n on.  The weights √(p(1 − p)) are largest in the middle, where the
    share varies most from sample to sample, and cost little at the ends.
    """
    logit = np.linspace(-math.log(n), math.log(n), _RATES)
    p = np.append(0.0, 1 / (1 + np.exp(-logit)))
    weight = np.sqrt(np.append(1 / n, p[1:] * (1 - p[1:])))
    gamma = p / _divergent(p, _FIT / n)
    for array in (gamma, weight):
        array.flags.writeable = False
    return gamma, weight / weight.sum()


def _divergent(p: Float64s, distance: float) -> Float64s:
    """Return u > p with KL(p‖u) = distance, by bisection."""
    low, high = p.copy(), np.ones_like(p)
    for _ in range(60):
        u = 0.5 * (low + high)
        with np.errstate(divide="ignore", invalid="ignore"):
            kl = np.where(p > 0, p * np.log(p / u), 0.0) + (1 - p) * np.log((1 - p) / (1 - u))
        low, high = np.where(kl <= distance, u, low), np.where(kl <= distance, high, u)
    return high


def dkw(n: int, counts: Float64s, delta: float) -> Float64s:
    """Return the bound c/n + √(ln(1/δ) / 2n), at most 1 (Dvoretzky, Kiefer, Wolfowitz; Massart)."""
    return np.minimum(1.0, counts / n + math.sqrt(math.log(1 / delta) / (2 * n)))


def joint_reach(delta: float) -> float:
    """Return c with  λF(t) + G(t) <= λ fpr(t) + fnr(t) + c √(λ²/n + 1/m)  at all t and λ, with
    probability >= 1 − δ.

    2n sup(F − fpr)² and 2m sup(G − fnr)², of samples independent of each other, each exceed x with
    probability <= e^−x at every x >= 0 (Reeve 2024), so their sum exceeds q with at most
    (1 + q) e^−q = δ.  By Cauchy and Schwarz λ sup(F − fpr) + sup(G − fnr) <= √(q/2) √(λ²/n + 1/m).
    """
    from scipy.special import lambertw  # here, to keep `import prfast` quick

    # −(1 + q) e^{−(1 + q)} = −δ/e, on the branch of q >= 0
    q = -1 - lambertw(-delta / math.e, -1).real
    return math.sqrt(q / 2)


# ---- from the counts of a hull to error rates ----------------------------------------------------

Rates = tuple[Float64s, Float64s]
SEPARATE = {"mixture": mixture, "dkw": dkw}
BOUNDS = (*SEPARATE, "joint")


def read_bound(bound: Any) -> str:
    """Return the name of a bound; raise WrongValue for any other value."""
    if not isinstance(bound, str) or bound not in BOUNDS:
        known = ", ".join(map(repr, BOUNDS))
        raise WrongValue("bound", f"one of {known} expected, got {bound!r}")
    return bound


def check_counts(cells: Rates, totals: tuple[float, float], origin: Provenance) -> None:
    """Raise WrongValue where cells of these sums do not count the samples that `origin` states."""
    if not origin.is_plain:
        raise WrongValue(
            "curve",
            "independent samples of equal weight expected, for which the bound holds; of "
            "weighted or grouped samples take `interval`",
        )
    sizes = origin.scored
    if sizes is None or not all(map(are_counts, cells, totals, sizes)):
        expected = "samples" if sizes is None else f"{sizes[0]} + {sizes[1]} samples"
        raise WrongValue(
            "curve",
            f"cells that count {expected} expected, got masses of sums {totals[0]:g} and "
            f"{totals[1]:g}; curves of weights, rates or masses alone, intersections and "
            "bounds count none, and a mean is bounded by a bound of each of its curves",
        )


def upper_rates(p: Float64s, q: Float64s, delta: float, bound: str) -> Rates:
    """Return rates (A, B) whose curve lies above the scorer's own, from the counts of the hull's
    cells.

    The thresholds of the hull suffice: fewer thresholds only raise min over t of λ A + B.
    """
    n, m = int(p.sum()), int(q.sum())
    below, above = np.append(0.0, p.cumsum()), np.append(q[::-1].cumsum()[::-1], 0.0)
    if bound == "joint":
        theta = _knots(p / n, q / m)
        return majorant(theta, _least(below / n, above / m, theta) + _reach(theta, n, m, delta))
    upper = SEPARATE[bound]
    return upper(n, below, delta / 2), upper(m, above, delta / 2)


def lower_rates(p: Float64s, q: Float64s, delta: float, bound: str) -> Rates:
    """Return rates (A, B) whose curve lies below the scorer's own, from the counts of the hull's
    cells.

    A threshold that is no vertex has counts (c, d) on the hull or above it, and bounds rise with
    the counts: so those of the least d of every c are enough, or, where samples are many, of every
    step of c.
    """
    n, m = int(p.sum()), int(q.sum())
    below, above = np.append(0.0, p.cumsum()), np.append(q[::-1].cumsum()[::-1], 0.0)
    if bound == "joint":
        theta = np.union1d(_knots(p / n, q / m), np.linspace(0, 1, 1001))
        least = _least(below / n, above / m, theta) - _reach(theta, n, m, delta)
        least[0] = least[-1] = 0.0  # the constant classifiers are exact
        return majorant(theta, np.maximum(least, 0.0))
    c, d = _staircase(below, above)
    upper = SEPARATE[bound]
    return 1 - upper(n, n - c, delta / 2), 1 - upper(m, m - d, delta / 2)


def _staircase(below: Float64s, above: Float64s) -> Rates:
    """Return counts (c, d), at steps of c, of d, and at the vertices, such that every integer point
    on the hull or above it has one of them that is not larger in either coordinate."""
    n, m = below[-1], above[0]
    c = np.unique(np.floor(np.linspace(0, n, min(int(n), _STEPS) + 1)))
    d = np.unique(np.floor(np.linspace(0, m, min(int(m), _STEPS) + 1)))
    crossing = np.interp(-d, -above, below)  # where the hull comes down to d
    c = np.unique(np.concatenate([c, np.ceil(crossing), below]))
    last = np.append(c[1:] - 1, n)  # of the step that begins at c
    # Of two vertices with the same fpr the lower one counts.
    corner = np.append(np.flatnonzero(np.diff(below) > 0), below.size - 1)
    height = np.interp(last, below[corner], above[corner])
    return c, np.ceil(height - 1e-9 * m)


# ---- curves as concave functions of θ = λ / (1 + λ):  α_λ / (1 + λ) = min θ a + (1 − θ) b -------


def _knots(p: Float64s, q: Float64s) -> Float64s:
    """Return θ of the ratios of the cells, and both ends."""
    return np.unique(np.concatenate([[0.0], q / (p + q), [1.0]]))


def _least(a: Float64s, b: Float64s, theta: Float64s) -> Float64s:
    """Return the minimum over the vertices of θ a + (1 − θ) b."""
    least = np.full(theta.size, np.inf)
    for i in range(0, a.size, 256):
        block = slice(i, i + 256)
        lines = theta[:, None] * a[block] + (1 - theta)[:, None] * b[block]
        least = np.minimum(least, lines.min(axis=1))
    return least


def _reach(theta: Float64s, n: int, m: int, delta: float) -> Float64s:
    """Return c √(θ²/n + (1 − θ)²/m), convex in θ, with c of `joint_reach`."""
    return joint_reach(delta) * np.sqrt(theta**2 / n + (1 - theta) ** 2 / m)
