"""Points of the views of a curve for a report, and of profiles, and the text beside each view.

A point shows λ, precision and recall under the pointer.  It is where the line of slope λ touches
the curve, so that it is the same in every view.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.polyline import thinned
from prfast.estimate.profiles import Profile, resolution_axis
from prfast.inputs.arrays import Float64s
from prfast.plots.resolution import interpolated
from prfast.plots.views import frontier_end
from prfast.theory import renyi_frontier
from prfast.theory.tradeoffs import lorenz, roc

_STEP = 0.01  # largest distance between points, in widths of the picture
_POINTS = 200  # of a line of areas against the resolution
_TOLERANCE = 1e-4  # largest error of a thinned line, in widths of the unit square


class ViewText(NamedTuple):
    """The text beside a view; {order} stands for the order of the frontier."""

    title: str
    x: str
    y: str
    hover: tuple[str, str]
    """Names of the coordinates of a point."""
    about: str
    """How to read the picture, a sentence or two."""
    diagonal: bool = False
    """Whether equal distributions lie on the diagonal."""


TEXTS = {
    "pr": ViewText(
        title="Precision-recall",
        x="recall",
        y="precision",
        hover=("recall", "precision"),
        about="Further up and to the right is better; equal distributions fill the square.",
    ),
    "lorenz": ViewText(
        title="Lorenz",
        x="share of real, t",
        y="least share of generated, F(t)",
        hover=("real", "generated"),
        about="Equal distributions are the diagonal. A level start is real mass that is not "
        "generated, an upright end generated mass that is not real. λ is the slope.",
        diagonal=True,
    ),
    "roc": ViewText(
        title="ROC",
        x="real rejected (fpr)",
        y="generated rejected (1 − fnr)",
        hover=("real rejected", "generated rejected"),
        about="Of the best classifiers of real against generated samples. Equal "
        "distributions are the diagonal: the two cannot be distinguished.",
        diagonal=True,
    ),
    "frontier": ViewText(
        title="Frontier",
        x="D<sub>{order}</sub>(μ‖P), recall",
        y="D<sub>{order}</sub>(μ‖Q), precision",
        hover=("to real", "to generated"),
        about="Rényi divergences of order {order} between a compromise μ and both sides: "
        "nearer to the origin is better. P is real, Q generated.",
    ),
}


def view_axes(
    points: Sequence[Mapping[str, dict[str, Any]]], order: float
) -> dict[str, dict[str, Any]]:
    """Return {view: labels and limits of the axes for the points of these curves}."""
    order_text = "∞" if np.isinf(order) else f"{order:g}"
    axes: dict[str, dict[str, Any]] = {}
    for view, row in TEXTS.items():
        texts = {
            key: value.format(order=order_text)
            for key, value in (("x", row.x), ("y", row.y), ("about", row.about))
        }
        axes[view] = texts | {"end": 1, "diagonal": row.diagonal, "hover": row.hover}
    lines = [(np.array(one["frontier"]["x"]), np.array(one["frontier"]["y"])) for one in points]
    axes["frontier"]["end"] = frontier_end(lines)
    return axes


def view_points(curve: PRCurve, order: float = math.inf) -> dict[str, dict[str, Any]]:
    """Return {view: {"x", "y", "at"}}, points on the exact curve; at: [λ, precision, recall] of
    each point, or None."""
    t, F = lorenz(curve).vertices
    fpr, tpr = roc(curve)
    ratio = curve.vertices.ratio
    return {
        "pr": _pr_points(curve),
        # The vertices of a Lorenz curve are in the reverse order of those of the error rates.
        "lorenz": _edge_points(curve, t, F, ratio[:0:-1]),
        "roc": _edge_points(curve, fpr, tpr, ratio[1:]),
        "frontier": _frontier_points(curve, order),
    }


def profile_points(profiles: Sequence[Profile | None]) -> dict[str, Any] | None:
    """Return the ticks of the axis of resolutions and, for each model, the areas with the ends of
    their intervals, and points of the lines between them; None without profiles."""
    sigmas = sorted({sigma for one in profiles if one is not None for sigma in one.resolutions})
    if not sigmas:
        return None
    ticks = {
        "at": resolution_axis(sigmas, sigmas).tolist(),
        "text": [f"{sigma:g}" for sigma in sigmas],
    }
    return {"ticks": ticks, "models": [one and _areas(one, sigmas) for one in profiles]}


def _areas(profile: Profile, sigmas: Sequence[float]) -> dict[str, Any]:
    x = resolution_axis(sigmas, profile.resolutions)
    fine = np.union1d(x, np.linspace(x[0], x[-1], _POINTS))
    areas = profile.intervals("area")
    lines = {
        end: interpolated(x, [getattr(one, end) for one in areas], fine).round(6).tolist()
        for end in ("value", "low", "high")
    }
    at = [
        [f"{sigma:g}", f"{one.value:.4f}", f"{one.low:.4f} to {one.high:.4f}"]
        for sigma, one in zip(profile.resolutions, areas, strict=True)
    ]
    points = {"x": x.tolist(), "y": [one.value for one in areas], "at": at}
    return {"x": fine.tolist(), **lines, "points": points}


def _pr_points(curve: PRCurve) -> dict[str, Any]:
    recall, precision = curve.outline(_TOLERANCE)
    with np.errstate(divide="ignore", invalid="ignore"):
        lam = precision / recall
    lam = _descending(lam[~np.isnan(lam)], curve.grid(201).lam)
    precision, recall = curve.at(lam)
    return _point_record(curve, recall, precision, lam)


def _frontier_points(curve: PRCurve, order: float) -> dict[str, Any]:
    """Return (D(μ‖P), D(μ‖Q)), at order ∞ (−log β_λ, −log α_λ) (2023 paper, Theorem 11)."""
    if not np.isinf(order):
        frontier = renyi_frontier(curve, order)
        needed = _thinned_points(frontier.to_real, frontier.to_fake)
        return _point_record(curve, frontier.to_real[needed], frontier.to_fake[needed], None)
    ratio = curve.vertices.ratio[1:]
    ratio = ratio[(ratio > 0) & np.isfinite(ratio)]
    if not ratio.size:  # no common support: the point (∞, ∞)
        return _point_record(curve, np.empty(0), np.empty(0), None)
    recall, precision = curve.outline(_TOLERANCE)
    with np.errstate(divide="ignore", invalid="ignore"):
        lam = precision / recall
    even = np.geomspace(ratio[-1], ratio[0], 201)
    lam = _descending(lam[(lam > ratio[-1]) & (lam < ratio[0])], ratio[[0, -1]], even)
    precision, recall = curve.at(lam)
    return _point_record(curve, -np.log(recall) + 0.0, -np.log(precision) + 0.0, lam)


def _edge_points(curve: PRCurve, x: Float64s, y: Float64s, ratio: Float64s) -> dict[str, Any]:
    """Return points along the edges, where λ is the edge's ratio, and the corners.

    The λ of a corner is the geometric mean of the ratios of its two edges.
    """
    pieces = np.maximum(1, np.ceil(np.hypot(np.diff(x), np.diff(y)) / _STEP)).astype(np.int64)
    edge = np.repeat(np.arange(ratio.size), pieces)
    part = (np.arange(edge.size) - np.repeat(np.cumsum(pieces) - pieces, pieces)) / pieces[edge]
    ends = np.append(ratio[1:], ratio[-1])
    with np.errstate(invalid="ignore", over="ignore"):
        middle = np.sqrt(ratio) * np.sqrt(ends)
    middle = np.where(np.isnan(middle), 1.0, middle)  # ∞ · 0, at the corner of disjoint supports
    at_corner = np.append(ratio[0], middle[:-1])
    lam = np.append(np.where(part == 0, at_corner[edge], ratio[edge]), ratio[-1])
    x = np.append(x[edge] + part * np.diff(x)[edge], x[-1])
    y = np.append(y[edge] + part * np.diff(y)[edge], y[-1])
    needed = _thinned_points(x, y)
    return _point_record(curve, x[needed], y[needed], lam[needed])


def _thinned_points(x: Float64s, y: Float64s) -> Any:
    """Return indices of the finite points that the line needs, and of one per step along it."""
    finite = np.isfinite(x) & np.isfinite(y)
    if x.size == 1 or not finite.all():
        return np.flatnonzero(finite)
    length = np.append(0.0, np.hypot(np.diff(x), np.diff(y)).cumsum())
    step = max(_STEP, float(length[-1]) / 400)
    _, first = np.unique(np.floor(length / step), return_index=True)
    return np.union1d(thinned(x, y, _TOLERANCE), first)


def _descending(*lam: Float64s) -> Float64s:
    """Return the distinct values of all arrays in descending order."""
    return np.unique(np.concatenate(lam))[::-1]


def _point_record(curve: PRCurve, x: Float64s, y: Float64s, lam: Float64s | None) -> dict[str, Any]:
    """Return the entry `View.points` of these points, with [λ, precision, recall] if λ is known."""
    at = None
    if lam is not None:
        precision, recall = curve.at(lam)
        at = [
            [f"{value:.4g}".replace("inf", "∞"), f"{alpha:.4f}", f"{beta:.4f}"]
            for value, alpha, beta in zip(lam, precision, recall, strict=True)
        ]
    return {"x": np.round(x, 6).tolist(), "y": np.round(y, 6).tolist(), "at": at}
