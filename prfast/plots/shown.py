"""Figures and axes that a notebook shows: once, where a call is the last line of a cell.

IPython asks the last value of a cell for `_repr_png_`.  Nothing is registered with pyplot, so that
scripts have nothing to close, and no backend shows the picture a second time.  Axes that are given,
such as pyplot's own, are shown by whoever made them.
"""

from __future__ import annotations

import io
from functools import partial
from typing import Any

from matplotlib.figure import Figure

SHARP = 2  # pixels for each of the figure's dots, as screens of today have them

Png = tuple[bytes, dict[str, Any]]


def png(figure: Any, sharp: int = SHARP) -> Png:
    """The picture, and the width and height, in pixels, that it is to be shown at."""
    written, dpi = io.BytesIO(), figure.dpi
    figure.savefig(written, format="png", dpi=sharp * dpi)
    width, height = (round(dpi * inches) for inches in figure.get_size_inches())
    return written.getvalue(), {"width": width, "height": height}


def shows_itself(figure: Figure) -> Figure:
    """The figure, which a notebook shows, as it does its axes.  Both stay of matplotlib's types, by
    which loggers know a figure."""
    for one in (figure, *figure.axes):
        vars(one)["_repr_png_"] = partial(png, figure)
    return figure
