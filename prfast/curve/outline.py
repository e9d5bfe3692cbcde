"""Points on the curve for drawing and exchange: chords within a tolerance of it, angles of λ."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.curve.arcs import points, ranges
from prfast.inputs.arrays import Float64s


class Grid(NamedTuple):
    """The curve at many λ: arrays of one length."""

    lam: Float64s
    precision: Float64s
    recall: Float64s


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
    kept = thinned(recall, precision, tolerance / 2)
    return recall[kept], precision[kept]


def thinned(x: Float64s, y: Float64s, tolerance: float) -> NDArray[np.int64]:
    """Numbers of points of a monotone chain whose chords pass within `tolerance` of all others.

    Douglas and Peucker's: where a point is too far from its chord, the farthest becomes a point of
    the outline; all chords of one generation together.  A monotone chain stays in the rectangle of
    its ends, so the distance to the chord is that to its line.
    """
    kept = np.array([0, x.size - 1])
    # Numbers of the chords, by their left ends, that are still to be looked at.
    open_ = np.arange(1)
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


def lambdas(angles: int) -> Float64s:
    """tan θ at equally spaced θ from 0 to π/2; an odd number of them contains 1 (2018 paper, §3.3).

    With each λ there is exactly its inverse.
    """
    half = np.tan(np.linspace(0, np.pi / 2, angles)[: (angles + 1) // 2])
    with np.errstate(divide="ignore"):
        lam = np.concatenate([half, 1 / half[: angles // 2][::-1]])
    if angles % 2:
        lam[angles // 2] = 1.0
    return lam
