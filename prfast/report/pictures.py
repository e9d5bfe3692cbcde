"""Pictures of a report as SVG: PR curves, and areas against the resolution.

A model is a group `g` with the attribute data-model: its line, and a band that the page shows with
few models, or where the reader points at the model.  Colors follow the style sheet of the page.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.picture import color_of, path_of, stroke
from prfast.estimate.profiles import Profile, resolution_axis
from prfast.inputs.arrays import Float64s
from prfast.plots.drawing import Band
from prfast.plots.summaries import interpolated
from prfast.results.values import escaped

_SIDE = 340.0  # of the square that the axes span, in units of the picture
_LEFT, _TOP, _RIGHT, _BELOW = 50.0, 8.0, 12.0, 46.0  # margins
_POINTS = 100  # of a line of areas against the resolution
_FIFTHS = [(x / 5, f"{x / 5:g}") for x in range(6)]

Ticks = Sequence[tuple[float, str]]  # places in [0, 1] and their labels


def curves_picture(
    names: Sequence[str], curves: Sequence[PRCurve], bands: Sequence[Band | None]
) -> str:
    """Return the picture of PR curves."""
    groups = []
    for i, (curve, band) in enumerate(zip(curves, bands, strict=True)):
        parts = []
        if band is not None:
            dots = "2 4" if band.certified else "1 7"
            bound = f'class="band" {stroke(i, 1.5, dots)}'
            parts += [_area(i, band.x, band.y), _path(*band.edge, bound)]
        parts.append(_path(*curve.outline(), stroke(i, 2.5)))
        groups.append(_group(i, f"{names[i]}, area {curve.area:.3f}", parts))
    about = f"Precision against recall of {len(names)} models; the tables have numbers"
    return _picture(about, ("recall", _FIFTHS), ("precision", _FIFTHS), groups)


def profiles_picture(names: Sequence[str], profiles: Sequence[Profile | None]) -> str:
    """Return the picture of areas against the resolution; "" without profiles."""
    known = [one for one in profiles if one is not None]
    sigmas = sorted({sigma for one in known for sigma in one.resolutions})
    if not sigmas:
        return ""
    ticks = resolution_axis(sigmas, sigmas)
    start, width = ticks[0], ticks[-1] - ticks[0]
    groups = []
    for i, profile in enumerate(profiles):
        if profile is None:
            continue
        x = (resolution_axis(sigmas, profile.resolutions) - start) / width
        fine = np.union1d(x, np.linspace(x[0], x[-1], _POINTS))
        areas = profile.intervals("area")
        value, low, high = (
            interpolated(x, [getattr(one, end) for one in areas], fine)
            for end in ("value", "low", "high")
        )
        outline = np.append(fine, fine[::-1]), np.append(high, low[::-1])
        dots = [
            _path(np.array([at]), np.array([one.value]), stroke(i, 6))
            for at, one in zip(x, areas, strict=True)
        ]
        parts = [_area(i, *outline), _path(fine, value, stroke(i, 2.5)), *dots]
        groups.append(_group(i, names[i], parts))
    labels = [
        (float(at), f"{sigma:g}") for at, sigma in zip((ticks - start) / width, sigmas, strict=True)
    ]
    about = "The area of each model against the resolution; the tables have numbers"
    return _picture(about, ("resolution", labels), ("area", _FIFTHS), groups)


# ---- elements ------------------------------------------------------------------------------------


def _picture(
    about: str, across: tuple[str, Ticks], up: tuple[str, Ticks], groups: Sequence[str]
) -> str:
    """Return an SVG of axes, with titles and ticks, and of groups."""
    bottom, right = _TOP + _SIDE, _LEFT + _SIDE
    lines, words = [], []
    for place, text in across[1]:
        x = _LEFT + _SIDE * place
        lines.append(f"M{x:.4g} {_TOP:g}V{bottom:g}")
        words.append(_word(x, bottom + 17, text))
    for place, text in up[1]:
        y = bottom - _SIDE * place
        lines.append(f"M{_LEFT:g} {y:.4g}H{right:g}")
        words.append(_word(_LEFT - 7, y + 5, text, "end"))
    words.append(_word(_LEFT + _SIDE / 2, bottom + 38, across[0]))
    words.append(_word(-_TOP - _SIDE / 2, 14, up[0], more=' transform="rotate(-90)"'))
    width, height = right + _RIGHT, bottom + _BELOW
    return (
        f'<svg role="img" aria-label="{escaped(about)}" viewBox="0 0 {width:g} {height:g}" '
        f'fill="none"><path class="grid" d="{"".join(lines)}"/>{"".join(words)}{"".join(groups)}'
        "</svg>"
    )


def _word(x: float, y: float, text: str, anchor: str = "middle", more: str = "") -> str:
    place = f'x="{x:.4g}" y="{y:.4g}" text-anchor="{anchor}"{more}'
    return f"<text {place}>{escaped(text)}</text>"


def _group(i: int, title: str, parts: Sequence[str]) -> str:
    return f'<g data-model="{i}"><title>{escaped(title)}</title>{"".join(parts)}</g>'


def _path(x: Float64s, y: Float64s, attributes: str) -> str:
    points = path_of(_LEFT + _SIDE * x, _TOP + _SIDE * (1 - y))
    return f'<path d="{points}" {attributes}/>'


def _area(i: int, x: Float64s, y: Float64s) -> str:
    """Return the filled outline of a band, in the color of line i."""
    points = zip(_LEFT + _SIDE * x, _TOP + _SIDE * (1 - y), strict=True)
    outline = "L".join(f"{a:.4g} {b:.4g}" for a, b in dict.fromkeys(points))
    return f'<path class="band" d="M{outline}Z" fill="{color_of(i)}" fill-opacity=".16"/>'
