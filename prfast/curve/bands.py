"""Bounds of true error rates, from counts: at all thresholds at once, whatever the distributions.

Of n samples of one class c lie below a threshold t; F(t) is the share of the class that does.  With
V uniform, #{x < t} is distributed as #{V < F(t)} for all t together, ties or not, so that what
holds for the uniform order statistics holds for every F.  Three bounds F(t) <= U(c), each at all t
with probability >= 1 − δ; F(t) >= 1 − U(n − c) likewise, by counting from the other end:

    mixture   for γ < 1,  M_γ(u) = γ^c ((1 − γu) / (1 − u))^(n − c),  c = #{V <= u},  is a
              martingale in u of mean 1, and so is Σ w_γ M_γ.  With probability >= 1 − δ it never
              exceeds 1/δ (Ville), nor do its limits from the left, c = #{V < u}; U(c) is the u
              from which on it would: tight at both ends of the curve
    dkw       c/n + √(ln(1/δ) / 2n)  (Massart 1990; for all δ, Reeve 2024)
    joint     both classes together, `joint_reach`
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Self

import numpy as np

from prfast.curve import masses as curve_masses
from prfast.curve.notes import are_counts, proves_fixed, read_sizes
from prfast.curve.readings import Readings
from prfast.inputs.arrays import Float64s, read_weights
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import read_share
from prfast.kernels import masses as kernels

_RATES = 64  # members of the mixture
_FIT = 6.0  # ln M that a member reaches where it fits best, about what levels of 1 to 10 % ask for
_BLOCK = 4096  # counts at once


def mixture(n: int, counts: Float64s, delta: float) -> Float64s:
    """U(c) >= F(t) of the mixture, at every c = #{x < t}, with probability >= 1 − δ.

    ln Σ w_γ M_γ(u) is convex and rises with u: Newton's steps from above stay above its root.
    """
    gamma, weight = members(n)
    blocks = [counts[i : i + _BLOCK] for i in range(0, counts.size, _BLOCK)]
    found = [_root(n, block[:, None], gamma, np.log(weight * delta)) for block in blocks]
    return np.where(counts >= n, 1.0, np.concatenate(found))


def _root(n: int, c: Float64s, gamma: Float64s, log_weight: Float64s) -> Float64s:
    """The u at which Σ exp(log_weight) M_γ(u) = 1, never below it."""
    left = np.maximum(n - c, 1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        seen = np.where(c > 0, c * np.log(gamma), 0.0) + log_weight
        # One member alone:  (1 − γu) / (1 − u) = e^x,  x = −seen / (n − c)
        x = np.expm1(-seen / left)
        alone = np.where(np.isinf(x), 1.0, x / (x + 1 - gamma))
    u = np.minimum(alone.min(axis=1), 1 - 1e-15)
    for _ in range(8):
        at = u[:, None]
        log_m = seen + left * (np.log1p(-gamma * at) - np.log1p(-at))
        most = log_m.max(axis=1, keepdims=True)
        share = np.exp(log_m - most)
        total = share.sum(axis=1)
        slope = (share * left * (1 - gamma) / ((1 - gamma * at) * (1 - at))).sum(axis=1) / total
        u = u - np.maximum(most[:, 0] + np.log(total), 0.0) / slope
    above: Float64s = np.minimum(1.0, u * (1 + 1e-12))
    return above


@lru_cache(maxsize=64)
def members(n: int) -> tuple[Float64s, Float64s]:
    """The γ of the mixture and their weights: each fits one share p of the samples best.

    M_γ(u) is largest, e^(n KL(p‖u)), where γ u = p.  The shares are 0 and others equally spaced
    in ln p/(1 − p) from 1/n on; weights √(p(1 − p)): most to the middle, where a sample is least
    sure of its share, and little lost at the ends.
    """
    logit = np.linspace(-math.log(n), math.log(n), _RATES)
    p = np.append(0.0, 1 / (1 + np.exp(-logit)))
    weight = np.sqrt(np.append(1 / n, p[1:] * (1 - p[1:])))
    gamma = p / _divergent(p, _FIT / n)
    for array in (gamma, weight):
        array.flags.writeable = False
    return gamma, weight / weight.sum()


def _divergent(p: Float64s, distance: float) -> Float64s:
    """The u > p with KL(p‖u) = distance, by bisection."""
    low, high = p.copy(), np.ones_like(p)
    for _ in range(60):
        u = 0.5 * (low + high)
        with np.errstate(divide="ignore", invalid="ignore"):
            kl = np.where(p > 0, p * np.log(p / u), 0.0) + (1 - p) * np.log((1 - p) / (1 - u))
        low, high = np.where(kl <= distance, u, low), np.where(kl <= distance, high, u)
    return high


def dkw(n: int, counts: Float64s, delta: float) -> Float64s:
    """c/n + √(ln(1/δ) / 2n), at most 1."""
    return np.minimum(1.0, counts / n + math.sqrt(math.log(1 / delta) / (2 * n)))


def joint_reach(delta: float) -> float:
    """c with  λF(t) + G(t) <= λ fpr(t) + fnr(t) + c √(λ²/n + 1/m)  at all t and λ.

    2n sup(F − fpr)² and 2m sup(G − fnr)², of samples independent of each other, each exceed x with
    probability <= e^−x at every x >= 0 (Reeve 2024), so their sum exceeds q with at most
    (1 + q) e^−q = δ.  By Cauchy and Schwarz λ sup(F − fpr) + sup(G − fnr) <= √(q/2) √(λ²/n + 1/m).
    """
    low, high = 0.0, 1.0
    while (1 + high) * math.exp(-high) > delta:
        high *= 2
    for _ in range(60):
        middle = 0.5 * (low + high)
        if (1 + middle) * math.exp(-middle) > delta:
            low = middle
        else:
            high = middle
    return math.sqrt(high / 2)


# ---- from the counts of a hull to error rates ----------------------------------------------------

Rates = tuple[Float64s, Float64s]
SEPARATE = {"mixture": mixture, "dkw": dkw}
BOUNDS = (*SEPARATE, "joint")


def upper_rates(p: Float64s, q: Float64s, delta: float, bound: str) -> Rates:
    """(A, B) whose curve lies above the scorer's own, from the counts of the hull's cells.

    Bounds at the hull's thresholds alone: fewer thresholds only raise min over t of λ A + B.
    """
    n, m = int(p.sum()), int(q.sum())
    below, above = np.append(0.0, p.cumsum()), np.append(q[::-1].cumsum()[::-1], 0.0)
    if bound == "joint":
        theta = _knots(p / n, q / m)
        return majorant(theta, _least(below / n, above / m, theta) + _reach(theta, n, m, delta))
    of = SEPARATE[bound]
    return of(n, below, delta / 2), of(m, above, delta / 2)


def lower_rates(p: Float64s, q: Float64s, delta: float, bound: str) -> Rates:
    """(A, B) whose curve lies below the scorer's own, from the counts of the hull's cells.

    A threshold that is no vertex has counts (c, d) on the hull or above it, and bounds rise with
    the counts: those at the least d of every c, or, where samples are many, of a step of c.
    """
    n, m = int(p.sum()), int(q.sum())
    below, above = np.append(0.0, p.cumsum()), np.append(q[::-1].cumsum()[::-1], 0.0)
    if bound == "joint":
        theta = np.union1d(_knots(p / n, q / m), np.linspace(0, 1, 1001))
        least = _least(below / n, above / m, theta) - _reach(theta, n, m, delta)
        least[0] = least[-1] = 0.0  # the constant classifiers, exactly
        return majorant(theta, np.maximum(least, 0.0))
    c, d = _staircase(below, above)
    of = SEPARATE[bound]
    return 1 - of(n, n - c, delta / 2), 1 - of(m, m - d, delta / 2)


def _staircase(below: Float64s, above: Float64s, steps: int = 2000) -> Rates:
    """Counts (c, d), of which every point with whole coordinates on the hull or above it has one
    that is nowhere larger: at steps of c, of d, and at the vertices."""
    n, m = below[-1], above[0]
    c = np.unique(np.floor(np.linspace(0, n, min(int(n), steps) + 1)))
    d = np.unique(np.floor(np.linspace(0, m, min(int(m), steps) + 1)))
    # Where the hull comes down to d; of two vertices with one fpr the lower counts.
    reached = np.interp(-d, -above, below)
    c = np.unique(np.concatenate([c, np.ceil(reached), below]))
    last = np.append(c[1:] - 1, n)  # of the step that begins at c
    corner = np.append(np.flatnonzero(np.diff(below) > 0), below.size - 1)
    height = np.interp(last, below[corner], above[corner])
    return c, np.ceil(height - 1e-9 * m)


# ---- curves as concave functions of θ = λ / (1 + λ):  α_λ / (1 + λ) = min θ a + (1 − θ) b -------


def _knots(p: Float64s, q: Float64s) -> Float64s:
    """θ of the ratios of the cells, and both ends."""
    return np.unique(np.concatenate([[0.0], q / (p + q), [1.0]]))


def _least(a: Float64s, b: Float64s, theta: Float64s) -> Float64s:
    """min over the vertices of θ a + (1 − θ) b."""
    found = np.full(theta.size, np.inf)
    for i in range(0, a.size, 256):
        of = slice(i, i + 256)
        lines = theta[:, None] * a[of] + (1 - theta)[:, None] * b[of]
        found = np.minimum(found, lines.min(axis=1))
    return found


def _reach(theta: Float64s, n: int, m: int, delta: float) -> Float64s:
    """c √(θ²/n + (1 − θ)²/m), convex in θ."""
    return joint_reach(delta) * np.sqrt(theta**2 / n + (1 - theta) ** 2 / m)


def majorant(theta: Float64s, values: Float64s) -> Rates:
    """The least concave function above the points, as the rates (a, b) of its edges: their values
    at θ = 1 and at θ = 0.

    Above a function that is convex between the θ, and below every concave one that is above the
    points.  The rates of an edge that ends at θ = 0 or 1 are the values there, to the last bit: a
    rate of 1e-17 in place of 0 would be α_∞ = 1.
    """
    x, y = theta.copy(), -values
    kept = kernels.hull(x, y)
    x, y = x[:kept], -y[:kept]
    slope = np.diff(y) / np.diff(x)
    b = y[:-1] - slope * x[:-1]
    a = y[1:] + slope * (1 - x[1:])
    return np.clip(a, 0.0, 1.0), np.clip(b, 0.0, 1.0)


# What the samples behind a curve prove: what the true one lies below, and a band for the scorer's.
#
# counts of the hull ─► bounds of error rates, at all thresholds at once ─► from_rates ─► a curve
#                       bands


class Proved(Readings):
    """A curve, and what the samples behind it prove."""

    __slots__ = ()

    @property
    def hull(self) -> Self:
        """The curve of the scores alone, where this one is read off them otherwise; else itself.

        Its cells are the counts in ``info["hull"]``.

        Raises
        ------
        TypeError, ValueError
            `info["hull"]` is not {"real": counts, "fake": counts}.
        """
        if "hull" not in self._info:
            return self
        p, q = _read_hull(self._info["hull"])
        info = {key: value for key, value in self._info.items() if key != "hull"}
        swapped = info.pop("swapped", False) is True
        found = self._from_pooled(*curve_masses.of_masses(p, q), info)
        return found.swap() if swapped else found

    def upper(self, confidence: float = 0.95, *, bound: str = "mixture") -> Self:
        """The curve that the true one lies below, at every λ at once, with this confidence.

        A scorer's own curve lies on or above the true one, for every λ (2019 paper, Theorem 5).
        With upper bounds A(t), B(t) of its error rates at all thresholds, min over t of
        λ A(t) + B(t) is above both with probability at least `confidence`, whatever the
        distributions, the numbers of samples, drawn independently, and the scorer.  It says what a
        model cannot be; no such lower bound of the truth exists, as a better scorer may always
        come.

        Parameters
        ----------
        confidence : float
            In (0, 1), 0.95 by default.
        bound : "mixture", "dkw" or "joint"
            Of the rates (``prfast.curve.bands``).  "mixture" (default): of martingales, tight at
            both ends of the curve, each class with half of the doubt.  "dkw": Dvoretzky, Kiefer and
            Wolfowitz's, equally wide everywhere, likewise.  "joint": the same of both classes
            together, narrower where both rates matter; for sets drawn independently of each other.

        Returns
        -------
        PRCurve
            With `info` of this curve's hull and `bound`, `side` ("upper"), `confidence` and
            `certified`.  `certified` is True if the record does not deny that the scorer was fixed
            before it saw what it scored: there is a split, or a function was given.  Scores given
            to `from_scores` are taken for such, unless its `info` says otherwise.  False without a
            split, or where the samples were scored in folds: then the bound is that of a fixed
            scorer and only empirical.

        Raises
        ------
        TypeError, ValueError
            `confidence` not in (0, 1); another bound; a curve that does not count samples.
        """
        delta, bound = 1 - read_share("confidence", confidence), _read_bound(bound)
        hull, p, q = self._counted()
        told = {"bound": bound, "confidence": float(confidence)}
        return hull._of_bounds(upper_rates(p, q, delta, bound), told | {"side": "upper"})

    def band(self, confidence: float = 0.95, *, bound: str = "mixture") -> tuple[Self, Self]:
        """(lower, upper): curves that the scorer's own curve lies between, at every λ at once.

        The curve that the same scorer would have on endless samples; the truth is below `upper`,
        but may be below `lower` too.  Each side has half of the doubt, so that this upper curve is
        a little higher than that of `upper`.

        Parameters
        ----------
        confidence, bound
            As for `upper`.

        Returns
        -------
        (PRCurve, PRCurve)
            As that of `upper`; `side` is "lower" and "upper", `confidence` that of both together.

        Raises
        ------
        TypeError, ValueError
            As `upper`.
        """
        delta, bound = 1 - read_share("confidence", confidence), _read_bound(bound)
        hull, p, q = self._counted()
        told = {"bound": bound, "confidence": float(confidence)}
        return (
            hull._of_bounds(lower_rates(p, q, delta / 2, bound), told | {"side": "lower"}),
            hull._of_bounds(upper_rates(p, q, delta / 2, bound), told | {"side": "upper"}),
        )

    def _counted(self) -> tuple[Self, Float64s, Float64s]:
        """The hull, and its cells as counts of the samples that its record says were scored."""
        hull = self.hull
        sizes = read_sizes(hull._info)
        if sizes is None:
            raise WrongValue(
                "curve",
                "scored_real and scored_fake in its info expected, the numbers of samples "
                "that its masses count; a curve of weighted samples, of rates, or of masses alone, "
                "proves nothing",
            )
        for masses, total, size in zip((hull._p, hull._q), hull._totals, sizes, strict=True):
            if not are_counts(masses, total, size):
                raise WrongValue(
                    "curve",
                    f"cells that count {sizes[0]} + {sizes[1]} samples expected, got masses "
                    f"of sums {hull._totals[0]:g} and {hull._totals[1]:g}; a mean, an intersection "
                    "or a bound has none: bound each curve that it was made of",
                )
        return hull, hull._p, hull._q

    def _of_bounds(self, rates: Rates, told: dict[str, Any]) -> Self:
        info = dict(self._info) | told | {"certified": proves_fixed(self._info)}
        return self._from_pooled(*curve_masses.of_rates(*rates), info)


def _read_bound(bound: Any) -> str:
    if not isinstance(bound, str) or bound not in BOUNDS:
        known = ", ".join(map(repr, BOUNDS))
        raise WrongValue("bound", f"one of {known} expected, got {bound!r}")
    return bound


def _read_hull(hull: Any) -> tuple[Float64s, Float64s]:
    name = "info['hull']"
    if not isinstance(hull, dict) or not {"real", "fake"} <= hull.keys():
        raise WrongType(name, "{'real': counts, 'fake': counts} expected")
    p = read_weights(f"{name}['real']", hull["real"])
    return p, read_weights(f"{name}['fake']", hull["fake"], length=p.size)
