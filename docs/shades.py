"""Figures for light and for dark pages.

A page has one figure, `_figures/NAME.png`; `Shades` adds `NAME-dark.png`, and the theme displays
the one of the reader's color scheme.
"""

import numpy as np
from docutils import nodes
from matplotlib.collections import Collection
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text
from sphinx.transforms import SphinxTransform

PAPER, NIGHT = "#ffffff", "#131416"  # the theme's backgrounds


def save(figure, path):
    """Save a figure as it is, then with its greys inverted; colors do not change."""
    figure.savefig(path, dpi=120, facecolor=PAPER)
    figure.set_layout_engine("none")  # everything has its place
    darken(figure)
    figure.savefig(path.with_name(f"{path.stem}-dark.png"), dpi=120, facecolor=NIGHT)


def darken(figure):
    for artist in figure.findobj():
        if isinstance(artist, Line2D):
            artist.set_color(inverted(artist.get_color()))
            artist.set_markerfacecolor(inverted(artist.get_markerfacecolor()))
            artist.set_markeredgecolor(inverted(artist.get_markeredgecolor()))
        elif isinstance(artist, Text):
            artist.set_color(inverted(artist.get_color()))
        elif isinstance(artist, Patch | Collection):
            for part in ("facecolor", "edgecolor"):
                color = getattr(artist, f"get_{part}")()
                getattr(artist, f"set_{part}")(
                    [inverted(one) for one in color] if np.ndim(color) == 2 else inverted(color)
                )


def inverted(color):
    """Return a grey inverted, white becoming the dark background; other colors unchanged."""
    if isinstance(color, str) and color in ("none", "auto"):
        return color
    *rgb, alpha = to_rgba(color)
    if max(rgb) - min(rgb) > 0.02:
        return (*rgb, alpha)
    low = np.array(to_rgba(NIGHT)[:3])
    return (*(low + (0.93 - low) * (1 - np.array(rgb))), alpha)


class Shades(SphinxTransform):
    """Replace images of `_figures` by two, for light and for dark pages."""

    default_priority = 400

    def apply(self, **kwargs):
        for image in list(self.document.findall(nodes.image)):
            uri = image["uri"]
            if "_figures/" in uri:
                dark = image.deepcopy()
                dark["uri"] = uri.replace(".png", "-dark.png")
                image["classes"].append("only-light")
                dark["classes"].append("only-dark")
                image.parent.insert(image.parent.index(image) + 1, dark)
