"""Closed forms on the arcs of a PR curve (theory: 2019 paper, Theorems 3 and 4).

Vertex i of the error-rate polyline, (a_i, b_i) = (fpr, fnr), minimises λa + b for λ between the
ratios of its two edges, λ in [r_{i+1}, r_i].  There

    precision α = λ a_i + b_i,   recall β = a_i + b_i / λ,   (α − b_i)(β − a_i) = a_i b_i,

an arc of a hyperbola; for a_i = 0 a horizontal, for b_i = 0 a vertical piece of line.  Every
function here takes the arrays a, b (one number a vertex) and r (one number an edge, falling).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
    off by at most max(b/λ, aλ) h²/8 <= h²/8, since both are at most 1.  Half of the tolerance goes
    to such steps, the other half to leaving points out again.
    """
    lo, hi = ranges(r)
    arc = np.flatnonzero(hi > lo)
    a, b, lo, hi = a[arc], b[arc], lo[arc], hi[arc]
    with np.errstate(divide="ignore", invalid="ignore"):
        start, length = np.log(hi), np.log(hi) - np.log(lo)
    steps = np.ceil(length / np.sqrt(4 * tolerance))
    # Straight pieces have no more than their ends.
    steps = np.maximum(1, np.where((a > 0) & (b > 0), steps, 1)).astype(np.int64)
    of = np.repeat(np.arange(arc.size), steps)
    step = np.arange(of.size) - np.repeat(np.cumsum(steps) - steps, steps)
    # Each arc from its upper end, the knot that it shares with the arc before; and the last end.
    with np.errstate(invalid="ignore"):
        lam = np.where(step == 0, hi[of], np.exp(start[of] - length[of] * (step / steps[of])))
    of, lam = np.append(of, arc.size - 1), np.append(lam, lo[-1])
    precision, recall = points(a[of], b[of], lam)
    kept = _thinned(recall, precision, tolerance / 2)
    return recall[kept], precision[kept]


def _thinned(x: Float64s, y: Float64s, tolerance: float) -> NDArray[np.int64]:
    """Numbers of points of a monotone chain whose chords pass within `tolerance` of all others.

    Douglas and Peucker's: where a point is too far from its chord, the farthest becomes a point of
    the outline; all chords of one generation together.  A monotone chain stays in the rectangle of
    its ends, so the distance to the chord is that to its line.
    """
    kept = np.array([0, x.size - 1])
    open_ = np.arange(
        1
    )  # numbers of the chords, by their left ends, that are still to be looked at
    while open_.size:
        left, right = kept[open_], kept[open_ + 1]
        size = right - left
        first = np.cumsum(size) - size
        chord = np.repeat(np.arange(size.size), size)
        at = np.arange(chord.size) - first[chord] + left[chord]  # left ends and what is between
        dx, dy = (x[right] - x[left])[chord], (y[right] - y[left])[chord]
        across = np.abs(dx * (y[at] - y[left][chord]) - dy * (x[at] - x[left][chord]))
        length = np.hypot(dx, dy)
        distance = across / np.where(length > 0, length, 1.0)
        largest = np.maximum.reduceat(distance, first)
        farthest = np.where(distance == largest[chord], at, x.size)
        new = np.minimum.reduceat(farthest, first)[largest > tolerance]
        kept = np.union1d(kept, new)
        at = np.searchsorted(kept, new)
        open_ = np.union1d(at - 1, at)
    return kept
