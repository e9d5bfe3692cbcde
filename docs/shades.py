"""Every figure twice: as it is drawn, and for dark pages.

A page names one picture, `_figures/NAME.png`; `Shades` puts `NAME-dark.png` beside it, and the
theme shows the one that fits the reader's choice.
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
    """The figure as it is, then with its greys exchanged: colors stay what they are."""
    figure.savefig(path, dpi=120, facecolor=PAPER)
    figure.set_layout_engine("none")  # everything has its place
    darken(figure)
    figure.savefig(path.with_name(f"{path.stem}-dark.png"), dpi=120, facecolor=NIGHT)


def darken(figure):
    for artist in figure.findobj():
        if isinstance(artist, Line2D):
            artist.set_color(turned(artist.get_color()))
            artist.set_markerfacecolor(turned(artist.get_markerfacecolor()))
            artist.set_markeredgecolor(turned(artist.get_markeredgecolor()))
        elif isinstance(artist, Text):
            artist.set_color(turned(artist.get_color()))
        elif isinstance(artist, Patch | Collection):
            for part in ("facecolor", "edgecolor"):
                found = getattr(artist, f"get_{part}")()
                getattr(artist, f"set_{part}")(
                    [turned(one) for one in found] if np.ndim(found) == 2 else turned(found)
                )


def turned(color):
    """Grey turned over, white to the night of the page; another color as it is."""
    if isinstance(color, str) and color in ("none", "auto"):
        return color
    *rgb, alpha = to_rgba(color)
    if max(rgb) - min(rgb) > 0.02:
        return (*rgb, alpha)
    low = np.array(to_rgba(NIGHT)[:3])
    return (*(low + (0.93 - low) * (1 - np.array(rgb))), alpha)


class Shades(SphinxTransform):
    """Images of `_figures` become two, one for light pages and one for dark ones."""

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
