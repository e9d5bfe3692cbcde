"""A small picture of lines, as SVG: without matplotlib, in the colours of the text around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from prfast.curve.polyline import thinned
from prfast.inputs.arrays import Float64s
from prfast.results.values import as_text, escaped, shown, table

# Okabe and Ito's colours: told apart by all readers, and in grey.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_SIDE = 180.0  # of the square
_LEFT, _TOP, _RIGHT, _BELOW = 30.0, 10.0, 12.0, 34.0  # around it
_TOLERANCE = 0.3  # of a line, in units of the picture
_DOT = 6  # across, of a line that is a point
DASHES = ("", "7 3", "2 3", "7 3 2 3")  # of lines whose colours come again


class Frame(NamedTuple):
    """What stands around the lines: the names of the axes, both from 0 to one end."""

    x: str
    y: str
    end: float = 1.0
    diagonal: bool = False
    """Are equal distributions the diagonal?"""


def picture(lines: Sequence[tuple[Float64s, Float64s]], frame: Frame, about: str) -> str:
    """Lines (x, y) in a square; about: what is seen, for those who do not see it."""
    width, height = _LEFT + _SIDE + _RIGHT, _TOP + _SIDE + _BELOW
    parts = [
        f'<svg role="img" aria-label="{escaped(about)}" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" fill="none" font-size="11">',
        *_around(frame),
        *(_line(i, x, y, frame.end) for i, (x, y) in enumerate(lines)),
        "</svg>",
    ]
    return "".join(parts)


def card(
    name: str,
    line: tuple[Float64s, Float64s],
    frame: Frame,
    numbers: Sequence[tuple[str, float]],
) -> str:
    """A line and a few numbers of it, as a notebook shows them."""
    lines = [[title, as_text(value, ".4f")] for title, value in numbers]
    told = ", ".join(" ".join(cells) for cells in lines)
    return shown(picture([line], frame, f"{name}: {told}"), table(["", "value"], lines, name))


def key(i: int) -> str:
    """The line of a legend, beside the name of line i."""
    return (
        '<svg aria-hidden="true" width="26" height="8" viewBox="0 0 26 8">'
        f'<path d="M1 4H25" {_stroke(i)}/></svg>'
    )


def _around(frame: Frame) -> list[str]:
    """The square, its axes, and the diagonal."""
    right, bottom = _LEFT + _SIDE, _TOP + _SIDE
    grey = 'stroke="currentColor" stroke-opacity=".35"'
    found = [f'<path d="M{_LEFT:g} {_TOP:g}V{bottom:g}H{right:g}V{_TOP:g}Z" {grey}/>']
    if frame.diagonal:
        found.append(f'<path d="M{_LEFT:g} {bottom:g}L{right:g} {_TOP:g}" {grey}/>')
    end = f"{frame.end:.3g}"
    above = len(end) > 4  # more than fits at the left
    found += [
        _word(_LEFT, bottom + 13, "0"),
        _word(right + _RIGHT, bottom + 13, end, anchor="end")
        if above
        else _word(right, bottom + 13, end),
        _word(_LEFT + _SIDE / 2, bottom + 27, frame.x),
        _word(_LEFT - 5, bottom + 4, "0", anchor="end"),
        _word(0, _TOP - 2, end, anchor="start")
        if above
        else _word(_LEFT - 5, _TOP + 4, end, anchor="end"),
        _word(-_TOP - _SIDE / 2, _LEFT - 17, frame.y, more=' transform="rotate(-90)"'),
    ]
    return found


def _word(x: float, y: float, text: str, *, anchor: str = "middle", more: str = "") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" fill="currentColor" text-anchor="{anchor}"{more}>'
        f"{escaped(text)}</text>"
    )


def _line(i: int, x: Float64s, y: Float64s, end: float) -> str:
    """A line through what is finite of its points, within a third of a pixel; a point is a dot."""
    finite = np.isfinite(x) & np.isfinite(y)
    across, up = _SIDE * x[finite] / end, _SIDE * (1 - y[finite] / end)
    kept = thinned(across, up, _TOLERANCE) if across.size > 1 else slice(None)
    found = zip(
        np.round(_LEFT + across[kept], 1).tolist(),
        np.round(_TOP + up[kept], 1).tolist(),
        strict=True,
    )
    points = list(dict.fromkeys(found))
    if not points:
        return ""
    if len(points) == 1:
        (a, b) = points[0]
        return f'<path d="M{a:g} {b:g}h0" {_stroke(i, _DOT)}/>'
    path = "L".join(f"{a:g} {b:g}" for a, b in points)
    return f'<path d="M{path}" {_stroke(i)}/>'


def _stroke(i: int, width: int = 2) -> str:
    """Colours in turn, the black one in the colour of the text; dashes where they come again."""
    colour, dashes = COLOURS[i % len(COLOURS)], DASHES[i // len(COLOURS) % len(DASHES)]
    seen = "currentColor" if colour == "#000000" else colour
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'stroke="{seen}" stroke-width="{width}"{dashed} '
        'stroke-linecap="round" stroke-linejoin="round"'
    )
