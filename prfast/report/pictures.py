"""Pictures of a report as SVG: PR curves, and areas against the resolution.

A model is a group `g` with the attribute data-model; the page shows and hides its band by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.picture import Square, color_of, stroke
from prfast.estimate.profiles import Profile
from prfast.inputs.arrays import Float64s
from prfast.plots.drawing import Band
from prfast.plots.summaries import interpolated
from prfast.results.values import escaped
from prfast.samples.ladder import Resolutions

_SQUARE = Square(340.0, left=50.0, top=8.0, right=12.0, below=46.0, font=14.0)
_POINTS = 100  # of a line of areas
_FIFTHS = [(x / 5, f"{x / 5:g}") for x in range(6)]


def curves_picture(curves: Mapping[str, PRCurve], bands: Sequence[Band | None]) -> str:
    """Return the picture of PR curves."""
    drawn = []
    for i, ((name, curve), band) in enumerate(zip(curves.items(), bands, strict=True)):
        parts = []
        if band is not None:
            dots = "2 4" if band.certified else "1 7"
            bound = f'class="band" {stroke(i, 1.5, dots)}'
            parts += [_area(i, band.x, band.y), _SQUARE.path(*band.edge, bound)]
        parts.append(_SQUARE.path(*curve.outline(), stroke(i, 2.5)))
        drawn.append(_model(i, f"{name}, area {curve.area:.3f}", parts))
    about = f"Precision against recall of {len(curves)} models; the table has numbers"
    return _SQUARE.picture(about, ("recall", _FIFTHS), ("precision", _FIFTHS), drawn)


def profiles_picture(profiles: Mapping[str, Profile | None]) -> str:
    """Return the picture of areas against the resolution; "" without profiles."""
    shown = [profile for profile in profiles.values() if profile is not None]
    if not shown:
        return ""
    ladder = Resolutions.joined(profile.curves for profile in shown)
    start, *_, end = ticks = ladder.axis()
    drawn = []
    for i, (name, profile) in enumerate(profiles.items()):
        if profile is None:
            continue
        x = (ladder.axis(profile.curves) - start) / (end - start)
        fine = np.union1d(x, np.linspace(x[0], x[-1], _POINTS))
        areas = profile.intervals("area")
        value, low, high = interpolated(x, areas, fine)
        outline = np.append(fine, fine[::-1]), np.append(high, low[::-1])
        dots = [
            _SQUARE.path(np.array([at]), np.array([area.value]), stroke(i, 6))
            for at, area in zip(x, areas, strict=True)
        ]
        line = _SQUARE.path(fine, value, stroke(i, 2.5))
        drawn.append(_model(i, name, [_area(i, *outline), line, *dots]))
    places = ((ticks - start) / (end - start)).tolist()
    labels = [(at, f"{sigma:g}") for at, sigma in zip(places, ladder, strict=True)]
    about = "The area of each model against the resolution; the tables have numbers"
    return _SQUARE.picture(about, ("resolution", labels), ("area", _FIFTHS), drawn)


def _model(i: int, title: str, parts: Sequence[str]) -> str:
    return f'<g data-model="{i}"><title>{escaped(title)}</title>{"".join(parts)}</g>'


def _area(i: int, x: Float64s, y: Float64s) -> str:
    """Return the filled outline of a band, in the color of line i."""
    points = zip(*_SQUARE.points(x, y), strict=True)
    outline = "L".join(f"{a:.4g} {b:.4g}" for a, b in dict.fromkeys(points))
    return f'<path class="band" d="M{outline}Z" fill="{color_of(i)}" fill-opacity=".16"/>'
