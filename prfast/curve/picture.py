"""Plots of PR curves as SVG, without matplotlib: for notebooks, and for the pages of reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from prfast.curve.polyline import thinned
from prfast.inputs.arrays import Float64s
from prfast.results.values import escaped

# The palette of Okabe and Ito: color-blind readers can distinguish it.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_TOLERANCE = 0.3  # of `thinned`, in units of the picture
_DOT = 6  # diameter of a line that is a single point
DASHES = ("", "7 3", "2 3", "7 3 2 3")  # for lines beyond the number of colors

Ticks = Sequence[tuple[float, str]]  # places in [0, 1] and their labels


class Square(NamedTuple):
    """The square of a picture on which both coordinates are in [0, 1]; lengths in its units."""

    side: float
    left: float
    top: float
    right: float
    below: float
    font: float

    def points(self, x: Float64s, y: Float64s) -> tuple[Float64s, Float64s]:
        """Return places of the square in units of the picture."""
        return self.left + self.side * x, self.top + self.side * (1 - y)

    def path(self, x: Float64s, y: Float64s, attributes: str) -> str:
        """Return an element through the points of a monotone line; a single point is a dot."""
        x, y = self.points(x, y)
        indices = thinned(x, y, _TOLERANCE) if x.size > 1 else slice(None)
        pixels = zip(*(np.round(line[indices], 1).tolist() for line in (x, y)), strict=True)
        corners = list(dict.fromkeys(pixels))
        line = "L".join(f"{a:g} {b:g}" for a, b in corners)
        dot = "h0" if len(corners) == 1 else ""  # a stroke of no length
        return f'<path d="M{line}{dot}" {attributes}/>'

    def picture(
        self, about: str, across: tuple[str, Ticks], up: tuple[str, Ticks], elements: Sequence[str]
    ) -> str:
        """Return an SVG of axes, of class `grid`, and elements; about: for screen readers."""
        left, top, right, bottom = self.left, self.top, self.left + self.side, self.top + self.side
        lines, words = [], []

        def write(x: float, y: float, text: str, anchor: str = "middle", more: str = "") -> None:
            place = f'x="{x:.4g}" y="{y:.4g}" text-anchor="{anchor}"{more}'
            words.append(f'<text {place} fill="currentColor">{escaped(text)}</text>')

        for place, text in across[1]:
            x = left + self.side * place
            lines.append(f"M{x:.4g} {top:g}V{bottom:g}")
            write(x, bottom + 1.2 * self.font, text)
        for place, text in up[1]:
            y = bottom - self.side * place
            lines.append(f"M{left:g} {y:.4g}H{right:g}")
            write(left - self.font / 2, y + 0.36 * self.font, text, "end")
        write(left + self.side / 2, bottom + 2.6 * self.font, across[0])
        rotated = ' transform="rotate(-90)"'
        write(-top - self.side / 2, 1.1 * self.font, up[0], more=rotated)
        width, height = right + self.right, bottom + self.below
        return (
            f'<svg role="img" aria-label="{escaped(about)}" viewBox="0 0 {width:g} {height:g}" '
            f'width="{width:g}" height="{height:g}" fill="none" font-size="{self.font:g}">'
            f'<path class="grid" d="{"".join(lines)}" stroke="currentColor" stroke-opacity=".35"/>'
            f"{''.join(words)}{''.join(elements)}</svg>"
        )


_SMALL = Square(180.0, left=30.0, top=10.0, right=12.0, below=34.0, font=11.0)
_ENDS = [(0.0, "0"), (1.0, "1")]


def picture(lines: Sequence[tuple[Float64s, Float64s]], about: str) -> str:
    """Return a small SVG of PR curves, (recall, precision); about: its label for screen readers."""
    paths = [
        _SMALL.path(x, y, stroke(i, _DOT if np.ptp([x, y], axis=1).max() < 1e-3 else 2))
        for i, (x, y) in enumerate(lines)
    ]
    return _SMALL.picture(about, ("recall", _ENDS), ("precision", _ENDS), paths)


def key(i: int) -> str:
    """Return an SVG of a short piece of line i, for a legend."""
    return (
        '<svg aria-hidden="true" width="26" height="8" viewBox="0 0 26 8">'
        f'<path d="M1 4H25" {stroke(i)}/></svg>'
    )


def stroke(i: int, width: float = 2, dashes: str | None = None) -> str:
    """Return the attributes of line i: colors cycle, then dashes do, unless these are given."""
    dashes = DASHES[i // len(COLORS) % len(DASHES)] if dashes is None else dashes
    dasharray = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'stroke="{color_of(i)}" stroke-width="{width:g}"{dasharray} '
        'stroke-linecap="round" stroke-linejoin="round"'
    )


def color_of(i: int) -> str:
    """Return the color of line i; black is that of the text, visible on a dark background too."""
    color = COLORS[i % len(COLORS)]
    return "currentColor" if color == "#000000" else color
