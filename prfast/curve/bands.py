"""Confidence bounds of true error rates, simultaneous over all thresholds, from counts of a hull.

Let c of n samples of one class lie below a threshold t, and F(t) be the probability to do so.  For
uniform V, #{x < t} is distributed as #{V < F(t)} for all t together.  So what holds for uniform
order statistics holds for every distribution.  Bounds F(t) <= U(c), each at all t with
probability >= 1 − δ; F(t) >= 1 − U(n − c) likewise, by counting from the other end:

    mixture   for γ < 1,  M_γ(u) = γ^c ((1 − γu) / (1 − u))^(n − c),  c = #{V <= u},  is a
              martingale in u of mean 1, and so is Σ w_γ M_γ.  It never exceeds 1/δ with probability
              >= 1 − δ (Ville), nor do its limits from the left, c = #{V < u}; U(c) is the least u
              from which on it would.  Tight at both ends of the curve
    joint     of both classes together, `joint_reach`
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from prfast.curve.masses import are_counts
from prfast.curve.provenance import Provenance
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import is_word
from prfast.kernels import masses as kernels

_RATES = 64  # members of the mixture beside that of share 0
_FIT = 6.0  # ln M of a member where it fits best, about what levels of 1 to 10 % require
_BLOCK = 4096  # counts at a time
_STEPS = 2000  # counts of a class at which a lower bound is computed


def mixture(n: int, counts: Float64s, delta: float) -> Float64s:
    """Return the mixture bound U(c) >= F(t), at every c = #{x < t}, with probability >= 1 − δ."""
    gamma, weight = members(n)
    blocks = [counts[i : i + _BLOCK] for i in range(0, counts.size, _BLOCK)]
    roots = [_root(n, block[:, None], gamma, np.log(weight * delta)) for block in blocks]
    return np.where(counts >= n, 1.0, np.concatenate(roots))


def _root(n: int, c: Float64s, gamma: Float64s, log_weight: Float64s) -> Float64s:
    """Return the u at which Σ exp(log_weight) M_γ(u) = 1, or slightly more, never less."""
    above = np.maximum(n - c, 1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        constant = np.where(c > 0, c * np.log(gamma), 0.0) + log_weight
        # The root of a single member:  (1 − γu) / (1 − u) = e^x,  x = −constant / (n − c).  The sum
        # is no less than a member, so the least of these roots is not below that of the sum.
        x = np.expm1(-constant / above)
        start = np.where(np.isinf(x), 1.0, x / (x + 1 - gamma))
    u = np.minimum(start.min(axis=1), 1 - 1e-15)
    # The logarithm of the sum is convex and rises: Newton's steps from above stay above its root.
    for _ in range(8):
        at = u[:, None]
        log_m = constant + above * (np.log1p(-gamma * at) - np.log1p(-at))
        largest = log_m.max(axis=1, keepdims=True)
        share = np.exp(log_m - largest)
        total = share.sum(axis=1)
        slope = (share * above * (1 - gamma) / ((1 - gamma * at) * (1 - at))).sum(axis=1) / total
        u = u - np.maximum(largest[:, 0] + np.log(total), 0.0) / slope
    return np.minimum(1.0, u * (1 + 1e-12))


@lru_cache(maxsize=64)
def members(n: int) -> tuple[Float64s, Float64s]:
    """Return the γ of the mixture and their weights √(p(1 − p)): each fits a share p best.

    M_γ(u) is largest, e^(n KL(p‖u)), where γ u = p.  The shares p are 0 and others equally spaced
    in ln p/(1 − p) from 1/n on.
    """
    logit = np.linspace(-math.log(n), math.log(n), _RATES)
    p = np.append(0.0, 1 / (1 + np.exp(-logit)))
    weight = np.sqrt(np.append(1 / n, p[1:] * (1 - p[1:])))
    low, high = p.copy(), np.ones_like(p)
    for _ in range(60):  # bisection of n KL(p‖u) = _FIT, u > p
        u = 0.5 * (low + high)
        with np.errstate(divide="ignore", invalid="ignore"):
            kl = np.where(p > 0, p * np.log(p / u), 0.0) + (1 - p) * np.log((1 - p) / (1 - u))
        low, high = np.where(kl <= _FIT / n, u, low), np.where(kl <= _FIT / n, high, u)
    gamma = p / high
    for array in (gamma, weight):
        array.flags.writeable = False
    return gamma, weight / weight.sum()


def joint_reach(delta: float) -> float:
    """Return c with  λF(t) + G(t) <= λ fpr(t) + fnr(t) + c √(λ²/n + 1/m)  at all t and λ, with
    probability >= 1 − δ.

    2n sup(F − fpr)² and 2m sup(G − fnr)² are independent.  Each exceeds x with probability <= e^−x
    at every x >= 0 (Reeve 2024).  So their sum exceeds q with at most (1 + q) e^−q = δ.  Cauchy and
    Schwarz give λ sup(F − fpr) + sup(G − fnr) <= √(q/2) √(λ²/n + 1/m).
    """
    from scipy.special import lambertw  # here, to keep `import prfast` quick

    # −(1 + q) e^{−(1 + q)} = −δ/e, on the branch of q >= 0
    q = -1 - lambertw(-delta / math.e, -1).real
    return math.sqrt(q / 2)


Rates = tuple[Float64s, Float64s]
BOUNDS = ("mixture", "joint")


def check_bound(bound: Any, cells: Rates, totals: tuple[float, float], origin: Provenance) -> None:
    """Refuse other names of bounds, and cells of these sums that count no samples of `origin`."""
    if not is_word(bound, *BOUNDS):
        names = ", ".join(map(repr, BOUNDS))
        raise WrongValue("bound", f"one of {names} expected, got {bound!r}")
    if not origin.is_plain:
        text = "independent samples of equal weight expected, for which the bound holds; of "
        raise WrongValue("curve", text + "weighted or grouped samples take `interval`")
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
    """Return rates (A, B) whose curve lies above the scorer's own, from counts of the hull."""
    # The thresholds of the hull suffice: fewer thresholds only raise min over t of λ A + B.
    n, m = int(p.sum()), int(q.sum())
    below, above = np.append(0.0, p.cumsum()), np.append(q[::-1].cumsum()[::-1], 0.0)
    if bound == "joint":
        theta = np.union1d(q / m / (p / n + q / m), [0.0, 1.0])
        least, width = _least(below, above, theta)
        return _majorant(theta, least + joint_reach(delta) * width)
    return mixture(n, below, delta / 2), mixture(m, above, delta / 2)


def lower_rates(p: Float64s, q: Float64s, delta: float) -> Rates:
    """Return rates (A, B) whose curve lies below the scorer's own, by the mixture bound from counts
    of the hull."""
    # A threshold that is no vertex has counts (c, d) on the hull or above it, and bounds rise with
    # the counts.  So steps of c, steps of d and the vertices suffice.
    n, m = int(p.sum()), int(q.sum())
    below, above = np.append(0.0, p.cumsum()), np.append(q[::-1].cumsum()[::-1], 0.0)
    c = np.unique(np.floor(np.linspace(0, n, min(n, _STEPS) + 1)))
    d = np.unique(np.floor(np.linspace(0, m, min(m, _STEPS) + 1)))
    crossing = np.interp(-d, -above, below)  # where the hull comes down to d
    c = np.unique(np.concatenate([c, np.ceil(crossing), below]))
    last = np.append(c[1:] - 1, n)  # of the step that begins at c
    # The lower one of two vertices with the same fpr counts.
    corner = np.append(np.flatnonzero(np.diff(below) > 0), below.size - 1)
    d = np.ceil(np.interp(last, below[corner], above[corner]) - 1e-9 * m)
    return 1 - mixture(n, n - c, delta / 2), 1 - mixture(m, m - d, delta / 2)


# ---- curves as concave functions of θ = λ / (1 + λ):  α_λ / (1 + λ) = min θ a + (1 − θ) b -------


def _least(below: Float64s, above: Float64s, theta: Float64s) -> Rates:
    """Return the minimum over the vertices of θ a + (1 − θ) b, and √(θ²/n + (1 − θ)²/m)."""
    n, m = below[-1], above[0]
    a, b = below / n, above / m
    least = np.full(theta.size, np.inf)
    for i in range(0, a.size, 256):
        block = slice(i, i + 256)
        lines = theta[:, None] * a[block] + (1 - theta)[:, None] * b[block]
        least = np.minimum(least, lines.min(axis=1))
    return least, np.sqrt(theta**2 / n + (1 - theta) ** 2 / m)


def _majorant(theta: Float64s, values: Float64s) -> Rates:
    """Return the least concave function above the points, as the values (a, b) of its edges at
    θ = 1 and θ = 0.

    The rates of an edge that ends at θ = 0 or 1 are the values there, to the last bit.  A rate of
    1e-17 in place of 0 would make α_∞ = 1.
    """
    x, y = theta.copy(), -values
    size = kernels.hull(x, y)
    x, y = x[:size], -y[:size]
    slope = np.diff(y) / np.diff(x)
    b = y[:-1] - slope * x[:-1]
    a = y[1:] + slope * (1 - x[1:])
    return np.clip(a, 0.0, 1.0), np.clip(b, 0.0, 1.0)
