"""Points of a view that can be pointed at, each with its λ.

A point is where the line of slope λ touches, so that one λ, precision and recall belong to it in
every view.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.outline import thinned
from prfast.inputs.arrays import Float64s

_STEP = 0.01  # between points that can be pointed at, in widths of the picture
TOLERANCE = 1e-4  # of lines, in widths of the unit square


def polyline(curve: PRCurve, x: Float64s, y: Float64s, ratio: Float64s) -> dict[str, Any]:
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
    kept = shown(x, y)
    return record(curve, x[kept], y[kept], lam[kept])


def shown(x: Float64s, y: Float64s) -> Any:
    """Numbers of points that the line needs, and of one a step along it."""
    finite = np.isfinite(x) & np.isfinite(y)
    if x.size == 1 or not finite.all():
        return np.flatnonzero(finite)
    length = np.append(0.0, np.hypot(np.diff(x), np.diff(y)).cumsum())
    step = max(_STEP, float(length[-1]) / 400)
    _, first = np.unique(np.floor(length / step), return_index=True)
    return np.union1d(thinned(x, y, TOLERANCE), first)


def falling(*lam: Float64s) -> Float64s:
    return np.unique(np.concatenate(lam))[::-1]


def record(curve: PRCurve, x: Float64s, y: Float64s, lam: Float64s | None) -> dict[str, Any]:
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
