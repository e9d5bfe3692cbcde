"""Bands of a report: what the samples behind each curve prove, for the picture and in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from prfast.curve import PRCurve
from prfast.inputs.errors import ArgumentError
from prfast.plots.pr import band_of
from prfast.results.text import shortened


def bands_of(curves: Sequence[PRCurve], confidence: float | None) -> list[dict[str, Any] | None]:
    """Of each curve the outline of its band and the upper curve; None where it counts nothing."""
    return [None if confidence is None else _points(curve, confidence) for curve in curves]


def _points(curve: PRCurve, confidence: float) -> dict[str, Any] | None:
    try:
        band = band_of(curve, confidence)
    except ArgumentError:
        return None
    x, y = band.edge
    return {
        "x": band.x.tolist(),
        "y": band.y.tolist(),
        "upper": {"x": x.tolist(), "y": y.tolist()},
        "certified": band.certified,
    }


def about_bands(
    names: Sequence[str], bands: Sequence[dict[str, Any] | None], confidence: float | None
) -> str:
    """What the bands say; nothing where there is none."""
    if confidence is None or not any(bands):
        return ""
    said = [
        f"Bands: with {100 * confidence:g} % confidence the scorer's own curve, on endless "
        "samples, lies inside its band, and with the same confidence the true one below the dotted "
        "line, at every λ at once."
    ]
    pairs = list(zip(names, bands, strict=True))
    empirical = [name for name, band in pairs if band and not band["certified"]]
    if empirical:
        said.append(
            f"Of {shortened(empirical)} this is empirical, not certified: the samples were scored "
            "without a split or in folds."
        )
    without = [name for name, band in pairs if not band]
    if without:
        said.append(f"No band of {shortened(without)}: the curve counts no samples.")
    return " ".join(said)
