"""Points of the pictures of a report: PR curves, and areas against the resolution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from prfast.curve import PRCurve
from prfast.estimate.profiles import Profile, resolution_axis
from prfast.plots.resolution import interpolated

_POINTS = 200  # of a line of areas against the resolution
_TOLERANCE = 1e-4  # largest error of a line, in widths of the unit square


def curve_points(curve: PRCurve) -> dict[str, Any]:
    """Return points on the exact curve: "x" and "y", recall and precision, and "at", [λ, precision,
    recall] of each as text."""
    recall, precision = curve.outline(_TOLERANCE)
    with np.errstate(divide="ignore", invalid="ignore"):
        lam = precision / recall
    lam = np.unique(np.concatenate([lam[~np.isnan(lam)], curve.grid(201).lam]))[::-1]
    precision, recall = curve.at(lam)
    at = [
        [f"{value:.4g}".replace("inf", "∞"), f"{alpha:.4f}", f"{beta:.4f}"]
        for value, alpha, beta in zip(lam, precision, recall, strict=True)
    ]
    return {"x": np.round(recall, 6).tolist(), "y": np.round(precision, 6).tolist(), "at": at}


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
