"""Small plots of PR curves as SVG, without matplotlib, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prfast.curve.polyline import thinned
from prfast.inputs.arrays import Float64s
from prfast.results.values import escaped

# The palette of Okabe and Ito, which color-blind readers can distinguish.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_SIDE = 180.0  # of the square that the axes span, in units of the picture
_LEFT, _TOP, _RIGHT, _BELOW = 30.0, 10.0, 12.0, 34.0  # margins
_TOLERANCE = 0.3  # of `thinned`, in units of the picture
_DOT = 6  # diameter of a line that is a single point
DASHES = ("", "7 3", "2 3", "7 3 2 3")  # for lines beyond the number of colors


def picture(lines: Sequence[tuple[Float64s, Float64s]], about: str) -> str:
    """Return an SVG of PR curves, (recall, precision); about: its label for screen readers."""
    width, height = _LEFT + _SIDE + _RIGHT, _TOP + _SIDE + _BELOW
    parts = [
        f'<svg role="img" aria-label="{escaped(about)}" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" fill="none" font-size="11">',
        *_axes(),
        *(_line(i, x, y) for i, (x, y) in enumerate(lines)),
        "</svg>",
    ]
    return "".join(parts)


def key(i: int) -> str:
    """Return an SVG of a short piece of line i, for a legend."""
    return (
        '<svg aria-hidden="true" width="26" height="8" viewBox="0 0 26 8">'
        f'<path d="M1 4H25" {stroke(i)}/></svg>'
    )


def _axes() -> list[str]:
    """Return the square and the labels of its axes, as elements of SVG."""
    right, bottom = _LEFT + _SIDE, _TOP + _SIDE
    grey = 'stroke="currentColor" stroke-opacity=".35"'
    return [
        f'<path d="M{_LEFT:g} {_TOP:g}V{bottom:g}H{right:g}V{_TOP:g}Z" {grey}/>',
        _word(_LEFT, bottom + 13, "0"),
        _word(right, bottom + 13, "1"),
        _word(_LEFT + _SIDE / 2, bottom + 27, "recall"),
        _word(_LEFT - 5, bottom + 4, "0", anchor="end"),
        _word(_LEFT - 5, _TOP + 4, "1", anchor="end"),
        _word(-_TOP - _SIDE / 2, _LEFT - 17, "precision", more=' transform="rotate(-90)"'),
    ]


def _word(x: float, y: float, text: str, *, anchor: str = "middle", more: str = "") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" fill="currentColor" text-anchor="{anchor}"{more}>'
        f"{escaped(text)}</text>"
    )


def _line(i: int, x: Float64s, y: Float64s) -> str:
    """Return a path through the points of a line; a single point is a dot."""
    path = path_of(_LEFT + _SIDE * x, _TOP + _SIDE * (1 - y))
    return f'<path d="{path}" {stroke(i, _DOT if path.endswith("h0") else 2)}/>'


def path_of(x: Float64s, y: Float64s) -> str:
    """Return the commands of an SVG path through the points of a monotone line, in units of the
    picture; of one that is a single point, a stroke of no length, which is a dot."""
    indices = thinned(x, y, _TOLERANCE) if x.size > 1 else slice(None)
    pixels = zip(np.round(x[indices], 1).tolist(), np.round(y[indices], 1).tolist(), strict=True)
    points = list(dict.fromkeys(pixels))
    line = "L".join(f"{a:g} {b:g}" for a, b in points)
    return f"M{line}h0" if len(points) == 1 else f"M{line}"


def stroke(i: int, width: float = 2, dashes: str | None = None) -> str:
    """Return the attributes of line i: colors cycle, then dashes do; black is that of the text, so
    that it is visible on a dark background.

    dashes: other ones than those of line i.
    """
    color = color_of(i)
    dashes = DASHES[i // len(COLORS) % len(DASHES)] if dashes is None else dashes
    dasharray = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'stroke="{color}" stroke-width="{width:g}"{dasharray} '
        'stroke-linecap="round" stroke-linejoin="round"'
    )


def color_of(i: int) -> str:
    """Return the color of line i in a picture."""
    color = COLORS[i % len(COLORS)]
    return "currentColor" if color == "#000000" else color
