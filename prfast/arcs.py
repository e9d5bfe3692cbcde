"""Closed forms on the arcs of a PR curve (theory: 2019 paper, Theorems 3 and 4).

Vertex i of the error-rate polyline, (a_i, b_i) = (fpr, fnr), minimises λa + b for λ between the
ratios of its two edges, λ in [r_{i+1}, r_i].  There

    precision α = λ a_i + b_i,   recall β = a_i + b_i / λ,   (α − b_i)(β − a_i) = a_i b_i,

an arc of a hyperbola; for a_i = 0 a horizontal, for b_i = 0 a vertical piece of line.  Every
function here takes the arrays a, b (one number a vertex) and r (one number an edge, falling).
"""

from __future__ import annotations

import numpy as np

from prfast.samples import Float64s


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


def sector_root(a: float, b: float, lo: float, hi: float, swept: float) -> float:
    """The λ in [lo, hi] at which the ray has swept the area `swept` since lo, on one arc.

    With λ = lo e^u the swept area is ½ [A(e^u − 1) + 2Bu + C(1 − e^{−u})], A = a² lo, B = ab,
    C = b²/lo: increasing in u, one root.  The two ends have closed forms.
    """
    if b == 0.0:  # ½ a² (λ − lo)
        return min(hi, lo + 2 * swept / a / a)
    if a == 0.0:  # ½ b² (1/lo − 1/λ)
        rest = 1 / lo - 2 * swept / b / b
        return hi if rest <= 0 else min(hi, 1 / rest)
    from scipy.optimize import brentq

    big_a, big_b, big_c = a * (a * lo), a * b, b * (b / lo)

    def excess(u: float) -> float:
        grown = big_a * np.expm1(u) + 2 * big_b * u - big_c * np.expm1(-u)
        return float(0.5 * grown - swept)

    width = float(np.log(hi) - np.log(lo))
    if excess(width) <= 0:
        return hi
    return min(hi, lo * float(np.exp(brentq(excess, 0.0, width, xtol=1e-15, rtol=1e-15))))


def outline(a: Float64s, b: Float64s, r: Float64s, tolerance: float) -> tuple[Float64s, Float64s]:
    """Points (recall, precision) on the curve, from recall 0 to precision 0, whose chords stay
    within `tolerance` of it.

    On an arc, (β − a, α − b) = (b e^{−u}, a e^{u}) with u = ln λ.  A chord over a step h of u is
    off by at most max(b/λ, aλ) h²/8 <= h²/8, since both are at most 1.
    """
    lo, hi = ranges(r)
    step = np.sqrt(8 * tolerance)
    recall, precision = [], []
    for i in np.flatnonzero(hi > lo):
        if a[i] == 0 or b[i] == 0:  # straight: its two ends are enough
            lam = np.array([hi[i], lo[i]])
        else:
            steps = max(1, int(np.ceil((np.log(hi[i]) - np.log(lo[i])) / step)))
            u = np.linspace(np.log(hi[i]), np.log(lo[i]), steps + 1)
            lam = np.concatenate([hi[i : i + 1], np.exp(u[1:-1]), lo[i : i + 1]])
        on_arc = points(a[i], b[i], lam)
        precision.append(on_arc[0])
        recall.append(on_arc[1])
    return np.concatenate(recall), np.concatenate(precision)
