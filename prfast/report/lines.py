"""The lines of a report: points on the exact curve in each view, each with its λ.

A point is where the line of slope λ touches, so that one λ, precision and recall belong to it in
every view.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.curve import PRCurve, arcs
from prfast.divergences import renyi_frontier
from prfast.inputs.arrays import Float64s
from prfast.tradeoffs import lorenz, roc

_STEP = 0.01  # between points that can be pointed at, in widths of the picture
_TOLERANCE = 1e-4  # of chords, as in prfast.plots


def lines(curve: PRCurve, order: float = np.inf) -> dict[str, dict[str, Any]]:
    """{view: {"x", "y", "at"}}, at: [λ, precision, recall] as text a point, or none of them."""
    return {
        "pr": _pr(curve),
        "lorenz": _lorenz(curve),
        "roc": _roc(curve),
        "frontier": _frontier(curve, order),
    }


def _pr(curve: PRCurve) -> dict[str, Any]:
    recall, precision = curve.outline(_TOLERANCE)
    with np.errstate(divide="ignore", invalid="ignore"):
        lam = precision / recall
    lam = _falling(lam[~np.isnan(lam)], curve.grid(201).lam)
    precision, recall = curve.at(lam)
    return _record(curve, recall, precision, lam)


def _lorenz(curve: PRCurve) -> dict[str, Any]:
    # The vertices run against those of the error rates.
    t, F = lorenz(curve).vertices
    return _polyline(curve, t, F, curve.vertices.ratio[:0:-1])


def _roc(curve: PRCurve) -> dict[str, Any]:
    fpr, tpr = roc(curve)
    return _polyline(curve, fpr, tpr, curve.vertices.ratio[1:])


def _frontier(curve: PRCurve, order: float) -> dict[str, Any]:
    """(D(μ‖P), D(μ‖Q)); at order ∞ it is (−log β_λ, −log α_λ) (2023 paper, Theorem 11)."""
    if not np.isinf(order):
        found = renyi_frontier(curve, order)
        kept = _shown(found.to_real, found.to_fake)
        return _record(curve, found.to_real[kept], found.to_fake[kept], None)
    ratio = curve.vertices.ratio[1:]
    ratio = ratio[(ratio > 0) & np.isfinite(ratio)]
    if not ratio.size:  # no common support: the point (∞, ∞)
        return _record(curve, np.empty(0), np.empty(0), None)
    recall, precision = curve.outline(_TOLERANCE)
    with np.errstate(divide="ignore", invalid="ignore"):
        lam = precision / recall
    even = np.geomspace(ratio[-1], ratio[0], 201)
    lam = _falling(lam[(lam > ratio[-1]) & (lam < ratio[0])], ratio[[0, -1]], even)
    precision, recall = curve.at(lam)
    return _record(curve, -np.log(recall) + 0.0, -np.log(precision) + 0.0, lam)


def _polyline(curve: PRCurve, x: Float64s, y: Float64s, ratio: Float64s) -> dict[str, Any]:
    """Points along edges, on which λ is the edge's ratio, and corners, with one λ of theirs."""
    pieces = np.maximum(1, np.ceil(np.hypot(np.diff(x), np.diff(y)) / _STEP)).astype(np.int64)
    edge = np.repeat(np.arange(ratio.size), pieces)
    part = (np.arange(edge.size) - np.repeat(np.cumsum(pieces) - pieces, pieces)) / pieces[edge]
    ends = np.append(ratio[1:], ratio[-1])
    with np.errstate(invalid="ignore", over="ignore"):
        middle = np.sqrt(ratio) * np.sqrt(ends)  # between the edges before and behind a corner
    middle = np.where(np.isnan(middle), 1.0, middle)  # from ∞ to 0 at once
    at_corner = np.append(ratio[0], middle[:-1])
    lam = np.append(np.where(part == 0, at_corner[edge], ratio[edge]), ratio[-1])
    x = np.append(x[edge] + part * np.diff(x)[edge], x[-1])
    y = np.append(y[edge] + part * np.diff(y)[edge], y[-1])
    kept = _shown(x, y)
    return _record(curve, x[kept], y[kept], lam[kept])


def _shown(x: Float64s, y: Float64s) -> Any:
    """Numbers of points that the line needs, and of one a step along it."""
    length = np.append(0.0, np.hypot(np.diff(x), np.diff(y)).cumsum())
    if not np.isfinite(length[-1]):
        return np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    step = max(_STEP, float(length[-1]) / 400)
    _, first = np.unique(np.floor(length / step), return_index=True)
    return np.union1d(arcs.thinned(x, y, _TOLERANCE), first)


def _falling(*lam: Float64s) -> Float64s:
    return np.unique(np.concatenate(lam))[::-1]


def _record(curve: PRCurve, x: Float64s, y: Float64s, lam: Float64s | None) -> dict[str, Any]:
    at = None
    if lam is not None:
        precision, recall = curve.at(lam)
        at = [
            [_ratio(one), f"{a:.4f}", f"{b:.4f}"]
            for one, a, b in zip(lam, precision, recall, strict=True)
        ]
    return {"x": np.round(x, 6).tolist(), "y": np.round(y, 6).tolist(), "at": at}


def _ratio(lam: float) -> str:
    return "∞" if np.isinf(lam) else f"{lam:.4g}"
