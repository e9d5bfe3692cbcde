"""Closed forms on the vertices of an error-rate polyline: arcs of the curve, area, median, outline.

The arguments of a curve are arrays.  a and b have a number for each vertex, (a_i, b_i) = (fpr,
fnr), and r the likelihood ratio of each edge, falling.  `sectors` and `median` also take stacks of
curves, arrays with a leading axis.  For λ in [r_{i+1}, r_i]

    precision α = λ a_i + b_i,   recall β = a_i + b_i / λ,   (α − b_i)(β − a_i) = a_i b_i,

an arc of a hyperbola; for a_i = 0 a horizontal, for b_i = 0 a vertical piece of line.
"""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s, Ints

# The sets under curves are closed: points that rounding puts this far outside count as inside.
ROUNDING = 16 * float(np.finfo(np.float64).eps)
ON_CURVE = 1 + ROUNDING  # as a factor


def ranges(r: Float64s) -> tuple[Float64s, Float64s]:
    """Return the least and the largest λ of the arc of each vertex."""
    end = np.zeros_like(r[..., :1])
    return np.concatenate([r, end], axis=-1), np.concatenate([end + np.inf, r], axis=-1)


def points(a: Float64s, b: Float64s, lam: Float64s) -> tuple[Float64s, Float64s]:
    """Return precision and recall at λ for vertices that minimize there; 0 × ∞ = 0 / 0 = 0.

    Both are clipped to α <= min(1, λ) and β <= min(1, 1/λ), since rounding may exceed these.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        precision = np.where(a > 0, lam * a, 0.0) + b
        recall = a + np.where(b > 0, b / lam, 0.0)
        precision = np.minimum(precision, np.minimum(lam, 1.0))
        recall = np.minimum(recall, np.minimum(1.0 / lam, 1.0))
    return precision, recall


def sectors(a: Float64s, b: Float64s, r: Float64s) -> Float64s:
    """Return the area that the ray α = λβ sweeps over each arc, [λ0, λ1] = [r_{i+1}, r_i]:

    ½ ∫ β² dλ = ½ [a²(λ1 − λ0) + 2ab ln(λ1/λ0) + b²(1/λ0 − 1/λ1)], where nothing cancels
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


def median(a: Float64s, b: Float64s, r: Float64s) -> Any:
    """Return the λ whose ray halves the area under the curve (2024, §5.1); 1 where it is 0."""
    if a.ndim > 1:
        return [median(*curve) for curve in zip(a, b, r, strict=True)]
    areas = sectors(a, b, r)
    swept = areas[::-1].cumsum()  # from λ = 0 up
    if swept[-1] == 0:
        return 1.0
    i = areas.size - 1 - int(np.searchsorted(swept, swept[-1] / 2))
    above, below = float(areas[:i].sum()), float(areas[i + 1 :].sum())
    lo, hi = ranges(r)
    return _halving(float(a[i]), float(b[i]), float(lo[i]), float(hi[i]), below, above)


def _halving(a: float, b: float, lo: float, hi: float, below: float, above: float) -> float:
    """Return the λ in [lo, hi] whose ray halves the area of this arc's sector, `below` and `above`.

    For λ = (b/a) e^v the sector from v0 to v is ab [g(v) − g(v0)], g(v) = sinh v + v.  So both
    sides are equal where 2ab g(v) = above − below + ab [g(v0) + g(v1)] = D.  Without a or b there
    is one exponential, as where |v| is large: a² λ = D or b²/λ = −D.
    """
    parts = [above, -below]
    for lam in (lo, hi):
        parts.append(0.0 if a == 0 else a * (a * lam) / 2)  # ab e^v / 2
        parts.append(0.0 if b == 0 else -(b * (b / lam)) / 2)  # −ab e^−v / 2
    center = 0.0
    if a > 0 and b > 0:
        center = math.log(b) - math.log(a)
        parts += [a * b * (math.log(lam) - center) for lam in (lo, hi)]
    excess = math.fsum(parts)
    if a > 0 and b > 0:
        if abs(excess) <= 8 * sys.float_info.epsilon * math.fsum(map(abs, parts)):
            excess = 0.0  # nothing but rounding: the middle of the arc, whatever the order
        size = math.log(abs(excess) or 1.0) - math.log(2) - math.log(a) - math.log(b)
        if excess == 0 or size < 45:
            y = abs(excess / a / b / 2)
            v = min(y / 2, math.asinh(y))  # sinh v + v = y, a convex function: Newton from above
            for _ in range(60):
                step = (math.sinh(v) + v - y) / (math.cosh(v) + 1)
                v -= step
                if abs(step) <= 1e-16 * v:
                    break
            return min(hi, max(lo, math.exp(min(math.copysign(v, excess) + center, 709.0))))
    if excess > 0:
        return min(hi, max(lo, excess / a / a if a > 0 else math.inf))
    return max(lo, min(hi, b / (-excess / b) if excess < 0 and b > 0 else 0.0))


def outline(a: Float64s, b: Float64s, r: Float64s, tolerance: float) -> tuple[Float64s, Float64s]:
    """Return points (recall, precision) on the curve whose chords stay within `tolerance` of it.

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
    i = np.repeat(np.arange(arc.size), steps)  # the arc of each point
    step = np.arange(i.size) - np.repeat(np.cumsum(steps) - steps, steps)
    # Each arc begins at its upper end, the knot that it shares with the arc before; the lower end
    # of the last arc is added.
    with np.errstate(invalid="ignore"):
        lam = np.where(step == 0, hi[i], np.exp(start[i] - length[i] * (step / steps[i])))
    i, lam = np.append(i, arc.size - 1), np.append(lam, lo[-1])
    precision, recall = points(a[i], b[i], lam)
    indices = thinned(recall, precision, tolerance / 2)
    return recall[indices], precision[indices]


def thinned(x: Float64s, y: Float64s, tolerance: float) -> Ints:
    """Return the indices of points of a monotone chain whose chords are near all other points.

    The algorithm of Douglas and Peucker, all chords of one generation together.  A monotone chain
    stays in the rectangle of its ends, so the distance to the chord is that to its line.
    """
    vertices = np.array([0, x.size - 1])
    pending = np.arange(1)  # chords yet to be tested: positions in `vertices` of their left ends
    while pending.size:
        left, right = vertices[pending], vertices[pending + 1]
        size = right - left
        first = np.cumsum(size) - size
        chord = np.repeat(np.arange(size.size), size)
        at = np.arange(chord.size) - first[chord] + left[chord]  # left end and inner points
        dx, dy = (x[right] - x[left])[chord], (y[right] - y[left])[chord]
        across = np.abs(dx * (y[at] - y[left][chord]) - dy * (x[at] - x[left][chord]))
        length = np.hypot(dx, dy)
        distance = across / np.where(length > 0, length, 1.0)
        largest = np.maximum.reduceat(distance, first)
        farthest = np.where(distance == largest[chord], at, x.size)
        new = np.minimum.reduceat(farthest, first)[largest > tolerance]
        vertices = np.union1d(vertices, new)
        at = np.searchsorted(vertices, new)
        pending = np.union1d(at - 1, at)
    return vertices


def rejected(ratios: Float64s, gamma: Float64s, *, log: bool = False) -> Ints:
    """Return how many of the rising ratios f_γ classifies as generated, for each γ in [0, ∞].

    A sample with the counts a (real) and b (generated) is real by (2024, §3.1, "Note on symmetry")

        f_γ = 1[γ a >= b]  for γ >= 1,      f_γ = 1[γ a > b]  for γ < 1.

    0/0 is the ratio 1.  f_0 is 1 only where b = 0 < a, f_∞ wherever a > 0.  log: of the ratios.
    """
    with np.errstate(divide="ignore", over="ignore"):
        threshold = -np.log(gamma) if log else 1.0 / gamma
    lowest = -np.inf if log else 0.0
    ties_are_real = ((gamma >= 1) & (threshold > lowest)) | np.isposinf(threshold)
    less = np.searchsorted(ratios, threshold, side="left")
    at_most = np.searchsorted(ratios, threshold, side="right")
    return np.asarray(np.where(ties_are_real, less, at_most), dtype=np.int64)
