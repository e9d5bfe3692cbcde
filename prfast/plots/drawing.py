"""Figures, the row type `View`, and the drawing of lines, bands, legends and square axes.

matplotlib is imported where a figure is made (extra: plot), so that importing this module does
without it.

Figures are not registered with pyplot: scripts have nothing to close, and no backend shows the
picture a second time.  IPython asks the last value of a cell for `_repr_png_`, which
`display_in_notebook` sets.  Axes that the caller passes, such as pyplot's own, are displayed by
the caller.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve, read_curve
from prfast.curve.picture import COLOURS as COLOURS
from prfast.curve.picture import DASHES
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongType, WrongValue, load_extra
from prfast.results.values import clean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


SHARP = 2  # pixels per dot of the figure, for high-resolution screens

Png = tuple[bytes, dict[str, Any]]


def png(figure: Any, sharp: int = SHARP) -> Png:
    """Return the picture as PNG, and the width and height in pixels at which to display it."""
    buffer, dpi = io.BytesIO(), figure.dpi
    figure.savefig(buffer, format="png", dpi=sharp * dpi)
    width, height = (round(dpi * inches) for inches in figure.get_size_inches())
    return buffer.getvalue(), {"width": width, "height": height}


def display_in_notebook(figure: Figure) -> Figure:
    """Let a notebook display the figure, also by its axes, and return it."""
    # An attribute of the instances, not a subclass: loggers recognise a figure by its type.
    for artist in (figure, *figure.axes):
        vars(artist)["_repr_png_"] = partial(png, figure)
    return figure


Line = tuple[Float64s, Float64s]  # x and y


def _unit_end(lines: Sequence[Line]) -> float:
    return 1


class View(NamedTuple):
    """A view of a curve: its public function, its points, and the text beside them.

    The views are the rows of `prfast.plots.pr.ROWS`.
    """

    name: str
    """The name in `--view`, in `PRCurve.plot(view=…)`, in JSON and in a report."""
    title: str
    plot: Callable[..., Any]
    """The public function: curves, axes or None, options -> axes."""
    line: Callable[..., Line]
    """The line that `plot` draws for a curve."""
    points: Callable[..., dict[str, Any]]
    """The points that a report draws: {"x", "y", "at"}, at: [λ, precision, recall] per point, or
    None."""
    record: Callable[..., dict[str, Any]]
    """The points for JSON."""
    x: str
    """Label of the x axis: formulas between $, {order} replaced by that option."""
    y: str
    """Label of the y axis, likewise."""
    hover: tuple[str, str]
    """Names of the coordinates of a point in a report."""
    about: str
    """How to read the picture, a sentence or two, with {order} likewise."""
    diagonal: bool = False
    """Whether equal distributions lie on the diagonal."""
    end: Callable[[Sequence[Line]], float] = _unit_end
    """The upper end of both axes for these lines."""
    options: tuple[str, ...] = ()
    """Names of the parameters of `line`, `points` and `record` besides the curve."""
    flags: tuple[str, ...] = ()
    """Names of further boolean parameters of `plot` and `record`; a report shows the default."""

    def own(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return those of the options that this view has."""
        return {name: options[name] for name in self.options if name in options}

    def axes(self, points: Sequence[Mapping[str, Any]], order: float) -> dict[str, Any]:
        """Return the labels and limits that a report needs for the points of several curves."""
        order_text = "∞" if np.isinf(order) else f"{order:g}"
        lines = [(np.array(record["x"]), np.array(record["y"])) for record in points]
        return {
            "x": self.x.format(order=order_text).replace("$", ""),
            "y": self.y.format(order=order_text).replace("$", ""),
            "end": self.end(lines),
            "diagonal": self.diagonal,
            "hover": self.hover,
            "about": self.about.format(order=order_text),
        }


# Above the curves, which have zorder 3.
_TRUTH: dict[str, Any] = {"linestyle": "--", "linewidth": 1.2, "zorder": 4}
# In line widths; those of `prfast.curve.picture` are in pixels of lines that are two wide.
_DASHES = ["-", *((0, tuple(float(part) / 2 for part in dash.split())) for dash in DASHES[1:])]
_MAX_INSIDE = 4  # entries of a legend inside the axes
_ENTRY_HEIGHT = 0.2  # inches per line of a legend
_MAX_TWO_COLUMNS = 24  # characters of the longest label in a legend of two columns
_MAX_LABEL = 64  # characters of a label; longer ones are shortened in the middle


def new_axes(figsize: tuple[float, float] = (5.0, 5.0)) -> Axes:
    """Return the axes of a new figure, which is not registered with pyplot.

    There is nothing to close, any backend will do, and a notebook displays them as the last value
    of a cell.
    """
    return new_figure(1, figsize)[1][0]


def new_figure(
    columns: int, figsize: tuple[float, float], heights: Sequence[float] = (1,)
) -> tuple[Figure, list[Axes]]:
    """Return a new figure and its axes, row by row; a row for each of the relative heights."""
    module = load_extra("matplotlib.figure", "plots", "plot")

    figure: Figure = module.Figure(figsize=figsize, layout="constrained")
    axes = figure.subplots(len(heights), columns, height_ratios=heights, squeeze=False)
    return display_in_notebook(figure), axes.ravel().tolist()


def read_curves(name: str, curves: PRCurve | Iterable[PRCurve]) -> list[PRCurve]:
    """Check one curve or several, and return them as a list."""
    if not isinstance(curves, PRCurve | Iterable):
        raise WrongType(name, f"curves expected, got {type(curves).__name__}")
    curves = [curves] if isinstance(curves, PRCurve) else list(curves)
    for curve in curves:
        read_curve(name, curve)
    return curves


class Style(NamedTuple):
    """Options that all pictures of curves have in common."""

    labels: Sequence[str] | None
    truth: PRCurve | Sequence[PRCurve] | None
    colours: Sequence[Any] | None
    legend: bool
    place: str
    """matplotlib's position of the legend inside the axes."""
    base: Callable[[Float64s], Any] | None = None
    """The lower edge of the shaded area at each x; None: nothing is shaded."""
    clip: bool = False
    """Whether lines are clipped at the frame; unclipped, lines along it keep their full width."""
    bands: Sequence[Band] = ()
    """None, or one per curve."""


class Band(NamedTuple):
    """A confidence band of a curve."""

    x: Float64s
    """x of the closed outline of the band."""
    y: Float64s
    """y of the closed outline."""
    edge: Line
    """The upper bound of the true curve."""
    label: str
    certified: bool
    """Whether the coverage of the bound is proved, not only empirical."""


class Lines(NamedTuple):
    """Lines of the curves, and of the ground truth: none, one for all, or one per curve."""

    curves: list[Line]
    truths: list[Line]
    common: bool
    """Whether one truth belongs to all curves."""


def lines_of(
    curves: PRCurve | Iterable[PRCurve], line_of: Callable[[PRCurve], Line], style: Style
) -> Lines:
    """Check the options in `style`, and return the lines of the curves and of the truth."""
    curves = read_curves("curves", curves)
    labels, truth, colours = style.labels, style.truth, style.colours
    truths = [] if truth is None else read_curves("truth", truth)
    common = isinstance(truth, PRCurve)
    if labels is not None and len(labels) != len(curves):
        raise WrongValue("labels", f"{len(curves)} labels expected, got {len(labels)}")
    if not common and truths and len(truths) != len(curves):
        raise WrongValue("truth", f"one curve or {len(curves)} expected, got {len(truths)}")
    if colours is not None and len(colours) == 0:
        raise WrongValue("colours", "at least one colour expected, got none")
    return Lines([line_of(curve) for curve in curves], [line_of(curve) for curve in truths], common)


def draw(lines: Lines, ax: Axes | None, style: Style) -> Axes:
    """Draw the lines with their shading, bands and legend; return the axes, new ones for None."""
    labels, is_new = style.labels, ax is None
    ax = new_axes() if ax is None else ax
    colours = COLOURS if style.colours is None else style.colours
    entries: list[tuple[Any, str]] = []  # artist and label of each legend entry
    band_edges: dict[str, Any] = {}  # by label, so that bands of one label share an entry
    for i, (x, y) in enumerate(lines.curves):
        colour = colours[i % len(colours)]
        label = None if labels is None else labels[i]
        cycle = i // len(colours) if style.colours is None else 0
        line_style: dict[str, Any] = {"linestyle": _DASHES[cycle % len(_DASHES)]}
        # A curve of coinciding points, such as that of disjoint supports, needs a marker.
        if len(x) and all(np.all(coordinate == coordinate[0]) for coordinate in (x, y)):
            line_style = {"marker": "o", "markersize": 6}
        (line,) = ax.plot(
            x,
            y,
            color=colour,
            label=label,
            linewidth=1.8,
            clip_on=style.clip,
            zorder=3,
            **line_style,
        )
        if label is not None:
            entries.append((line, label))
        if style.base is not None:
            ax.fill_between(x, y, style.base(x), color=colour, alpha=0.12, linewidth=0)
        if style.bands:
            band = style.bands[i]
            ax.fill(band.x, band.y, color=colour, alpha=0.16, linewidth=0, zorder=1)
            dashes = (0, (1, 1)) if band.certified else (0, (1, 3))
            (edge,) = ax.plot(
                *band.edge, color=colour, linewidth=1.2, linestyle=dashes, clip_on=style.clip
            )
            band_edges.setdefault(band.label, edge)
        if lines.truths and not lines.common:
            ax.plot(*lines.truths[i], color=colour, clip_on=style.clip, **_TRUTH)
    if lines.common:
        (line,) = ax.plot(
            *lines.truths[0], color="black", label="truth", clip_on=style.clip, **_TRUTH
        )
        entries.append((line, "truth"))
    entries += [(edge, label) for label, edge in band_edges.items()]
    if style.legend and entries:
        texts = [literal_text(_shortened(str(label))) for _, label in entries]
        parent, options = _legend_options(ax, is_new, style.place, texts)
        # Labels are set afterwards: matplotlib drops entries that begin with an underscore.
        legend = parent.legend(
            [artist for artist, _ in entries], ["-"] * len(entries), fontsize="small", **options
        )
        for entry, text in zip(legend.get_texts(), texts, strict=True):
            entry.set_text(text)
    return ax


def _legend_options(
    ax: Axes, is_new: bool, inside: str, labels: Sequence[str]
) -> tuple[Any, dict[str, Any]]:
    """Return the parent of the legend, axes or figure, and its options.

    Few labels stand inside the axes; more below the axes of a new figure, which is made taller, or
    beside axes that the caller passed.
    """
    if len(labels) <= _MAX_INSIDE:
        return ax, {"loc": inside, "framealpha": 0.9}
    if not is_new:
        return ax, {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)}
    columns = 2 if max(map(len, labels)) <= _MAX_TWO_COLUMNS else 1
    lines = sum(1 + label.count("\n") for label in labels)
    figure: Any = ax.figure
    width, height = figure.get_size_inches()
    figure.set_size_inches(width, height + _ENTRY_HEIGHT * -(-lines // columns))
    return figure, {"loc": "outside lower center", "ncols": columns}


def _shortened(label: str) -> str:
    half = _MAX_LABEL // 2 - 1
    return label if len(label) <= _MAX_LABEL else f"{label[:half]}…{label[-half:]}"


def draw_view(
    view: View,
    curves: PRCurve | Iterable[PRCurve],
    ax: Axes | None,
    style: Style,
    title: str | None,
) -> Axes:
    """Draw curves in a view whose axes are the unit square."""
    ax = draw(lines_of(curves, view.line, style), ax, style)
    if view.diagonal:
        diagonal(ax)
    return unit_square(ax, view.x, view.y, title)


def identity(x: Float64s) -> Float64s:
    return x


def diagonal(ax: Axes) -> None:
    """Draw the diagonal, on which equal distributions lie, behind everything else."""
    ax.plot([0, 1], [0, 1], color="0.75", linewidth=1, zorder=0)


def literal_text(text: str) -> str:
    """Return text that matplotlib draws without reading formulas or surrogates in it."""
    return clean(text).replace("$", r"\$")


def unit_square(ax: Axes, x: str, y: str, title: str | None) -> Axes:
    return square(ax, 1.0, x, y, title)


def square(ax: Axes, end: float, x: str, y: str, title: str | None) -> Axes:
    ax.set(xlim=(0, end), ylim=(0, end), xlabel=x, ylabel=y, title=literal_text(title or ""))
    ax.set_aspect("equal")
    ax.grid(color="0.92")
    ax.set_axisbelow(True)
    return ax
