"""Closed forms on the arcs of a PR curve (theory: 2019 paper, Theorems 3 and 4).

Vertex i of the error-rate polyline, (a_i, b_i) = (fpr, fnr), minimises λa + b for λ between the
ratios of its two edges, λ in [r_{i+1}, r_i].  There

    precision α = λ a_i + b_i,   recall β = a_i + b_i / λ,   (α − b_i)(β − a_i) = a_i b_i,

an arc of a hyperbola; for a_i = 0 a horizontal, for b_i = 0 a vertical piece of line.  Every
function here takes the arrays a, b (one number a vertex) and r (one number an edge, falling).
"""

from __future__ import annotations

import math
import sys

import numpy as np

from prfast.inputs.arrays import Float64s


def ranges(r: Float64s) -> tuple[Float64s, Float64s]:
    """The λ at which the arc of each vertex begins and ends."""
    return np.append(r, 0.0), np.append(np.inf, r)


def points(a: Float64s, b: Float64s, lam: Float64s) -> tuple[Float64s, Float64s]:
    """Precision and recall at λ for vertices that minimise there; 0 × ∞ = 0 / 0 = 0.

    Rounding is kept within α <= min(1, λ) and β <= min(1, 1/λ).
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        precision = np.where(a > 0, lam * a, 0.0) + b
        recall = a + np.where(b > 0, b / lam, 0.0)
        precision = np.minimum(precision, np.minimum(lam, 1.0))
        recall = np.minimum(recall, np.minimum(1.0 / lam, 1.0))
    return precision, recall


def sectors(a: Float64s, b: Float64s, r: Float64s) -> Float64s:
    """Area swept by the ray α = λβ over each arc, [λ0, λ1] = [r_{i+1}, r_i]:

    ½ ∫ β² dλ = ½ [a²(λ1 − λ0) + 2ab ln(λ1/λ0) + b²(1/λ0 − 1/λ1)]

    All three terms are >= 0, so nothing cancels.
    """
    lo, hi = ranges(r)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        share = np.where(np.isinf(hi), 1.0, (hi - lo) / hi)  # (λ1 − λ0) / λ1
        share = np.where(np.isnan(share), 0.0, share)  # r_i = 0: an arc without length
        steep = np.where(a > 0, a * (a * hi) * share, 0.0)
        flat = np.where(b > 0, b * (b / lo) * share, 0.0)
        growth = (hi - lo) / lo
        log = np.where(growth < 1e15, np.log1p(growth), np.log(hi) - np.log(lo))
        bend = np.where((a > 0) & (b > 0), 2 * a * b * log, 0.0)
    return 0.5 * (steep + bend + flat)


def median(a: Float64s, b: Float64s, r: Float64s) -> float:
    """The λ whose ray halves the area under the curve (2024 paper, §5.1); 1 where it is 0, which
    every ray halves."""
    areas = sectors(a, b, r)
    swept = areas[::-1].cumsum()  # from λ = 0 up
    if swept[-1] == 0:
        return 1.0
    i = areas.size - 1 - int(np.searchsorted(swept, swept[-1] / 2))
    above, below = float(areas[:i].sum()), float(areas[i + 1 :].sum())
    lo, hi = ranges(r)
    return _halving(float(a[i]), float(b[i]), float(lo[i]), float(hi[i]), below, above)


def _halving(a: float, b: float, lo: float, hi: float, below: float, above: float) -> float:
    """The λ in [lo, hi] whose ray halves the area, which is `below` under this arc's sector, that
    sector, and `above` over it.

    With λ = (b/a) e^v the sector from v0 to v is ab [g(v) − g(v0)], g(v) = sinh v + v.  So both
    sides are equal where 2ab g(v) = above − below + ab [g(v0) + g(v1)] = D, in which P and Q are
    alike.  Without a or b there is one exponential, as where |v| is large: a² λ = D or b²/λ = −D.
    """
    parts = [above, -below]
    for lam in (lo, hi):
        parts.append(0.0 if a == 0 else a * (a * lam) / 2)  # ab e^v / 2
        parts.append(0.0 if b == 0 else -(b * (b / lam)) / 2)  # −ab e^−v / 2
    centre = 0.0
    if a > 0 and b > 0:
        centre = math.log(b) - math.log(a)
        parts += [a * b * (math.log(lam) - centre) for lam in (lo, hi)]
    excess = math.fsum(parts)
    if a > 0 and b > 0:
        if abs(excess) <= 8 * sys.float_info.epsilon * math.fsum(map(abs, parts)):
            excess = 0.0  # nothing but rounding: the middle of the arc, whatever the order
        size = math.log(abs(excess) or 1.0) - math.log(2) - math.log(a) - math.log(b)
        if excess == 0 or size < 45:
            y = excess / a / b / 2
            v = math.copysign(_inverse(abs(y)), y)
            return min(hi, max(lo, math.exp(min(v + centre, 709.0))))
    if excess > 0:
        return min(hi, max(lo, excess / a / a if a > 0 else math.inf))
    return max(lo, min(hi, b / (-excess / b) if excess < 0 and b > 0 else 0.0))


def _inverse(y: float) -> float:
    """v >= 0 with sinh v + v = y, by Newton's method from above: the function is convex."""
    v = min(y / 2, math.asinh(y))
    for _ in range(60):
        step = (math.sinh(v) + v - y) / (math.cosh(v) + 1)
        v -= step
        if abs(step) <= 1e-16 * v:
            break
    return v
