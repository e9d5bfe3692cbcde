"""Figures, and the drawing of lines, bands, legends and square axes.

Figures are not registered with pyplot: scripts have nothing to close, and no backend shows the
picture a second time.  IPython displays the last value of a cell by its `_repr_png_`.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve, read_curve
from prfast.curve.picture import COLORS as COLORS
from prfast.curve.picture import DASHES
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongType, WrongValue, import_optional, kind_of
from prfast.inputs.options import read_list
from prfast.results.values import clean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


Line = tuple[Float64s, Float64s]  # x and y

SHARP = 2  # pixels per dot of the figure, for sharp screens


def png(figure: Any) -> tuple[bytes, dict[str, Any]]:
    """Return the picture as PNG, and the width and height in pixels at which to display it."""
    buffer, dpi = io.BytesIO(), figure.dpi
    figure.savefig(buffer, format="png", dpi=SHARP * dpi)
    width, height = (round(dpi * inches) for inches in figure.get_size_inches())
    return buffer.getvalue(), {"width": width, "height": height}


# Above the curves: these have zorder 3.
_TRUTH: dict[str, Any] = {"linestyle": "--", "linewidth": 1.2, "zorder": 4}
# In line widths; those of `prfast.curve.picture` are in pixels of lines that are two wide.
_DASHES = ["-", *((0, tuple(float(part) / 2 for part in dash.split())) for dash in DASHES[1:])]
_MAX_INSIDE = 4  # entries of a legend inside the axes
_ENTRY_HEIGHT = 0.2  # inches per line of a legend
_MAX_TWO_COLUMNS = 24  # characters of the longest label in a legend of two columns
_MAX_LABEL = 64  # characters of a label; longer ones are shortened in the middle


def new_axes(figsize: tuple[float, float] = (5.0, 5.0)) -> Axes:
    """Return the axes of a new figure, which is not registered with pyplot.

    Example: ``ax = prfast.plots.new_axes(figsize=(4, 4))``.  See also `new_figure`."""
    return new_figure(1, figsize)[1][0]


def new_figure(
    columns: int, figsize: tuple[float, float], heights: Sequence[float] = (1,)
) -> tuple[Figure, list[Axes]]:
    """Return a new figure and its axes, row by row; a row for each of the relative heights.

    Example: ``figure, panels = prfast.plots.new_figure(2, figsize=(8, 4))``.  See also `new_axes`.
    """
    figures = import_optional("matplotlib.figure", "plots")
    figure: Figure = figures.Figure(figsize=figsize, layout="constrained")
    axes = figure.subplots(len(heights), columns, height_ratios=heights, squeeze=False)
    # An attribute of the instances, not a subclass: loggers recognize a figure by its type.
    for artist in (figure, *figure.axes):
        vars(artist)["_repr_png_"] = partial(png, figure)
    return figure, axes.ravel().tolist()


def read_curves(name: str, curves: PRCurve | Iterable[PRCurve]) -> list[PRCurve]:
    """Check one curve or several, and return them as a list."""
    if not isinstance(curves, PRCurve | Iterable):
        raise WrongType(name, f"curves expected, got {type(curves).__name__}")
    curves = [curves] if isinstance(curves, PRCurve) else list(curves)
    for curve in curves:
        read_curve(name, curve)
    return curves


class Band(NamedTuple):
    """A confidence band of a curve."""

    x: Float64s  # of the closed outline
    y: Float64s
    edge: Line  # the upper bound of the true curve
    label: str
    certified: bool  # whether the coverage of the bound is proved, not only empirical


def read_labels(labels: Any, number: int) -> list[str]:
    """Return the labels of so many curves."""
    items = read_list("labels", labels, ())
    for item in items:
        if not isinstance(item, str):
            raise WrongType("labels", f"labels of type str expected, got {kind_of(item)}")
    if len(items) != number:
        raise WrongValue("labels", f"{number} labels expected, got {len(items)}")
    return items


def draw(
    curves: PRCurve | Iterable[PRCurve],
    line_of: Callable[[PRCurve], Line],
    ax: Axes | None,
    *,
    place: str,
    labels: Sequence[str] | None = None,
    truth: PRCurve | Sequence[PRCurve] | None = None,
    colors: Sequence[Any] | None = None,
    legend: bool = True,
    base: Callable[[Float64s], Any] | None = None,
    clip: bool = False,
    bands: Sequence[Band] = (),
) -> tuple[Axes, list[Line]]:
    """Draw the lines of curves with their shading, bands and legend; return the axes and all lines.

    place: of the legend inside the axes.  base: the lower edge of the shaded area at each x.  clip:
    whether lines are clipped at the frame; unclipped ones along it keep their full width.
    """
    curves = read_curves("curves", curves)
    truths = [] if truth is None else read_curves("truth", truth)
    is_common = isinstance(truth, PRCurve)  # for all curves
    labels = None if labels is None else read_labels(labels, len(curves))
    if not is_common and truths and len(truths) != len(curves):
        raise WrongValue("truth", f"one curve or {len(curves)} expected, got {len(truths)}")
    palette = COLORS if colors is None else read_list("colors", colors, (str,))
    lines, true_lines = [line_of(x) for x in curves], [line_of(x) for x in truths]
    if ax is not None and not hasattr(ax, "plot"):
        raise WrongType("ax", f"matplotlib axes or None expected, got {kind_of(ax)}")
    is_new = ax is None
    ax = new_axes() if ax is None else ax
    entries: list[tuple[Any, str]] = []  # artist and label of each legend entry
    band_edges: dict[str, Any] = {}  # by label: bands of one label share an entry
    for i, (x, y) in enumerate(lines):
        color = palette[i % len(palette)]
        label = None if labels is None else labels[i]
        cycle = i // len(palette) if colors is None else 0
        line_style: dict[str, Any] = {"linestyle": _DASHES[cycle % len(_DASHES)]}
        # A curve of coinciding points, such as that of disjoint supports, needs a marker.
        if len(x) and all(np.all(coordinate == coordinate[0]) for coordinate in (x, y)):
            line_style = {"marker": "o", "markersize": 6}
        line_style |= {"color": color, "label": label, "linewidth": 1.8, "zorder": 3}
        (line,) = ax.plot(x, y, clip_on=clip, **line_style)
        if label is not None:
            entries.append((line, label))
        if base is not None:
            ax.fill_between(x, y, base(x), color=color, alpha=0.12, linewidth=0)
        if bands:
            band = bands[i]
            ax.fill(band.x, band.y, color=color, alpha=0.16, linewidth=0, zorder=1)
            dashes = (0, (1, 1)) if band.certified else (0, (1, 3))
            edge_style: dict[str, Any] = {"linewidth": 1.2, "linestyle": dashes, "clip_on": clip}
            (edge,) = ax.plot(*band.edge, color=color, **edge_style)
            band_edges.setdefault(band.label, edge)
        if true_lines and not is_common:
            ax.plot(*true_lines[i], color=color, clip_on=clip, **_TRUTH)
    if is_common:
        (line,) = ax.plot(*true_lines[0], color="black", label="truth", clip_on=clip, **_TRUTH)
        entries.append((line, "truth"))
    entries += [(edge, label) for label, edge in band_edges.items()]
    if legend and entries:
        half = _MAX_LABEL // 2 - 1
        texts = [
            literal_text(x if len(x) <= _MAX_LABEL else f"{x[:half]}…{x[-half:]}")
            for x in (str(label) for _, label in entries)
        ]
        # Few labels stand inside the axes; more below the axes of a new, taller figure, or beside
        # axes that the caller passed.
        parent: Any = ax
        options: dict[str, Any] = {"loc": place, "framealpha": 0.9}
        if len(texts) > _MAX_INSIDE and not is_new:
            options = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)}
        elif len(texts) > _MAX_INSIDE:
            columns = 2 if max(map(len, texts)) <= _MAX_TWO_COLUMNS else 1
            count = sum(1 + text.count("\n") for text in texts)
            parent = ax.figure
            width, height = parent.get_size_inches()
            parent.set_size_inches(width, height + _ENTRY_HEIGHT * -(-count // columns))
            options = {"loc": "outside lower center", "ncols": columns}
        # Labels are set afterwards: matplotlib drops entries that begin with an underscore.
        box = parent.legend(
            [artist for artist, _ in entries], ["-"] * len(entries), fontsize="small", **options
        )
        for entry, text in zip(box.get_texts(), texts, strict=True):
            entry.set_text(text)
    return ax, lines + true_lines


def diagonal(ax: Axes) -> None:
    """Draw the diagonal, the points of equal distributions, behind everything else."""
    ax.plot([0, 1], [0, 1], color="0.75", linewidth=1, zorder=0)


def literal_text(text: str) -> str:
    """Return text that matplotlib draws without reading formulas or surrogates in it."""
    return clean(text).replace("$", r"\$")


def square(ax: Axes, x: str, y: str, title: str | None, end: float = 1.0) -> Axes:
    """Set labels, title and a grid, and the limits of both axes to 0 and `end`."""
    ax.set(xlim=(0, end), ylim=(0, end), xlabel=x, ylabel=y, title=literal_text(title or ""))
    ax.set_aspect("equal")
    ax.grid(color="0.92")
    ax.set_axisbelow(True)
    return ax
