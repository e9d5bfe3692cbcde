"""What all pictures share: figures, the lines of curves and their legend, square axes.

matplotlib is imported where it is used (extra: plot).
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
from prfast.inputs.columns import load_extra
from prfast.inputs.errors import WrongType, WrongValue

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# Figures and axes that a notebook shows: once, where a call is the last line of a cell.
#
# IPython asks the last value of a cell for `_repr_png_`.  Nothing is registered with pyplot, so
# that scripts have nothing to close, and no backend shows the picture a second time.  Axes that
# are given, such as pyplot's own, are shown by whoever made them.


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


# A view of a curve, as a row: what draws it, its points, and what stands beside them.


Line = tuple[Float64s, Float64s]  # x and y


def _one(lines: Sequence[Line]) -> float:
    return 1


class View(NamedTuple):
    """A row of `prfast.plots.pr.ROWS`."""

    name: str
    """Of `--view`, of `PRCurve.plot(view=…)`, in JSON and in a report."""
    title: str
    plot: Callable[..., Any]
    """The public function: curves, axes or None, options -> axes."""
    line: Callable[..., Line]
    """What it draws of a curve."""
    points: Callable[..., dict[str, Any]]
    """What a report draws: {"x", "y", "at"}, at: [λ, precision, recall] a point, or None."""
    record: Callable[..., dict[str, Any]]
    """The points for JSON."""
    x: str
    """What the axis says: formulas between $, {order} where that option stands."""
    y: str
    hover: tuple[str, str]
    """What a report calls the coordinates of a point."""
    about: str
    """What to see in the picture, a sentence or two, with {order} likewise."""
    diagonal: bool = False
    """Are equal distributions the diagonal?"""
    end: Callable[[Sequence[Line]], float] = _one
    """Where both axes end that show these lines."""
    options: tuple[str, ...] = ()
    """Names of what `line`, `points` and `record` take besides the curve."""
    flags: tuple[str, ...] = ()
    """Names of what `plot` and `record` take as well, True or False; a report shows the default."""

    def own(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Those of the options that are this view's."""
        return {name: options[name] for name in self.options if name in options}

    def axes(self, points: Sequence[Mapping[str, Any]], order: float) -> dict[str, Any]:
        """What a report says beside the points of several curves."""
        shown = "∞" if np.isinf(order) else f"{order:g}"
        lines = [(np.array(one["x"]), np.array(one["y"])) for one in points]
        return {
            "x": self.x.format(order=shown).replace("$", ""),
            "y": self.y.format(order=shown).replace("$", ""),
            "end": self.end(lines),
            "diagonal": self.diagonal,
            "hover": self.hover,
            "about": self.about.format(order=shown),
        }


# Lines along the frame keep their full width.
_TRUTH: dict[str, Any] = {"linestyle": "--", "linewidth": 1.2, "zorder": 4}
# In units of the line's width, of which those of `prfast.curve.picture` have two.
_DASHES = ["-", *((0, tuple(float(one) / 2 for one in dash.split())) for dash in DASHES[1:])]
_INSIDE = 4  # entries of a legend that has room inside
_ENTRY = 0.2  # inches of a line of a legend
_WIDE, _LONGEST = 24, 64  # letters of a label of which two stand in a row, of any label


def new_axes(figsize: tuple[float, float] = (5.0, 5.0)) -> Axes:
    """The axes of a new figure, not registered with pyplot: nothing to close, any backend.

    As the last value of a cell they are shown by a notebook.
    """
    return new_figure(1, figsize)[1][0]


def new_figure(
    columns: int, figsize: tuple[float, float], heights: Sequence[float] = (1,)
) -> tuple[Figure, list[Axes]]:
    """A new figure and its axes, row by row; a row for each of the relative heights."""
    module = load_extra("matplotlib.figure", "plots", "plot")

    figure: Figure = module.Figure(figsize=figsize, layout="constrained")
    axes = figure.subplots(len(heights), columns, height_ratios=heights, squeeze=False)
    return shows_itself(figure), axes.ravel().tolist()


def read_curves(name: str, curves: PRCurve | Iterable[PRCurve]) -> list[PRCurve]:
    if not isinstance(curves, PRCurve | Iterable):
        raise WrongType(name, f"curves expected, got {type(curves).__name__}")
    curves = [curves] if isinstance(curves, PRCurve) else list(curves)
    for curve in curves:
        read_curve(name, curve)
    return curves


class Style(NamedTuple):
    """What every picture of curves can be told."""

    labels: Sequence[str] | None
    truth: PRCurve | Sequence[PRCurve] | None
    colours: Sequence[Any] | None
    legend: bool
    place: str
    """Where the legend is if it is inside."""
    base: Callable[[Float64s], Any] | None = None
    """Down to where curves are shaded: a height, or one for each x; None: they are not."""
    clip: bool = False
    bands: Sequence[Band] = ()
    """One a curve."""


class Band(NamedTuple):
    """What is drawn of what a curve's samples prove."""

    x: Float64s
    y: Float64s
    """The outline of the band, closed."""
    edge: Line
    """The curve that the true one is below."""
    label: str
    certified: bool


class Lines(NamedTuple):
    """(x, y) of every curve, and of the truth: none, one for all, or one for each curve."""

    curves: list[Line]
    truths: list[Line]
    common: bool
    """Is the truth one for all?"""


def lines_of(
    curves: PRCurve | Iterable[PRCurve], line_of: Callable[[PRCurve], Line], style: Style
) -> Lines:
    """The lines of the curves and of the truth, after the style has been checked."""
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
    return Lines([line_of(curve) for curve in curves], [line_of(one) for one in truths], common)


def draw(lines: Lines, ax: Axes | None, style: Style) -> Axes:
    """The lines, what is below them shaded if asked for, and the legend."""
    labels, new = style.labels, ax is None
    ax = new_axes() if ax is None else ax
    colours = COLOURS if style.colours is None else style.colours
    shown: list[tuple[Any, str]] = []  # what the legend shows
    told: dict[str, Any] = {}  # ... of bands, once each
    for i, (x, y) in enumerate(lines.curves):
        colour = colours[i % len(colours)]
        label = None if labels is None else labels[i]
        again = i // len(colours) if style.colours is None else 0
        look: dict[str, Any] = {"linestyle": _DASHES[again % len(_DASHES)]}
        if len(x) and all(np.all(one == one[0]) for one in (x, y)):  # a point
            look = {"marker": "o", "markersize": 6}
        (line,) = ax.plot(
            x, y, color=colour, label=label, linewidth=1.8, clip_on=style.clip, zorder=3, **look
        )
        if label is not None:
            shown.append((line, label))
        if style.base is not None:
            ax.fill_between(x, y, style.base(x), color=colour, alpha=0.12, linewidth=0)
        if style.bands:
            band = style.bands[i]
            ax.fill(band.x, band.y, color=colour, alpha=0.16, linewidth=0, zorder=1)
            dashes = (0, (1, 1)) if band.certified else (0, (1, 3))
            (edge,) = ax.plot(
                *band.edge, color=colour, linewidth=1.2, linestyle=dashes, clip_on=style.clip
            )
            told.setdefault(band.label, edge)
        if lines.truths and not lines.common:
            ax.plot(*lines.truths[i], color=colour, clip_on=style.clip, **_TRUTH)
    if lines.common:
        (line,) = ax.plot(
            *lines.truths[0], color="black", label="truth", clip_on=style.clip, **_TRUTH
        )
        shown.append((line, "truth"))
    shown += [(edge, label) for label, edge in told.items()]
    if style.legend and shown:
        names = [plain(_shortened(str(label))) for _, label in shown]
        home, place = _legend_place(ax, new, style.place, names)
        # Written afterwards: matplotlib leaves out what begins with an underscore.
        texts = home.legend(
            [line for line, _ in shown], ["-"] * len(shown), fontsize="small", **place
        )
        for text, name in zip(texts.get_texts(), names, strict=True):
            text.set_text(name)
    return ax


def _legend_place(
    ax: Axes, new: bool, inside: str, labels: Sequence[str]
) -> tuple[Any, dict[str, Any]]:
    """Inside the axes where there is room; else below them, in a figure that is made taller, or,
    where they are somebody's, beside them."""
    if len(labels) <= _INSIDE:
        return ax, {"loc": inside, "framealpha": 0.9}
    if not new:
        return ax, {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)}
    columns = 2 if max(map(len, labels)) <= _WIDE else 1
    lines = sum(1 + label.count("\n") for label in labels)
    figure: Any = ax.figure
    width, height = figure.get_size_inches()
    figure.set_size_inches(width, height + _ENTRY * -(-lines // columns))
    return figure, {"loc": "outside lower center", "ncols": columns}


def _shortened(label: str) -> str:
    """As much of it as stands below axes of the usual width."""
    half = _LONGEST // 2 - 1
    return label if len(label) <= _LONGEST else f"{label[:half]}…{label[-half:]}"


def draw_view(
    view: View,
    curves: PRCurve | Iterable[PRCurve],
    ax: Axes | None,
    style: Style,
    title: str | None,
) -> Axes:
    """A view that lies in the unit square."""
    ax = draw(lines_of(curves, view.line, style), ax, style)
    if view.diagonal:
        diagonal(ax)
    return unit_square(ax, view.x, view.y, title)


def itself(x: Float64s) -> Float64s:
    """Heights of the diagonal."""
    return x


def diagonal(ax: Axes) -> None:
    """Where equal distributions would lie, behind everything."""
    ax.plot([0, 1], [0, 1], color="0.75", linewidth=1, zorder=0)


def plain(text: str) -> str:
    """Text that matplotlib shows as it is: no formulas, and ? for what no font and no file holds
    (surrogates, as in the names of files that are not UTF-8)."""
    return str(text).encode("utf-8", "replace").decode("utf-8").replace("$", r"\$")


def unit_square(ax: Axes, x: str, y: str, title: str | None) -> Axes:
    return square(ax, 1.0, x, y, title)


def square(ax: Axes, end: float, x: str, y: str, title: str | None) -> Axes:
    ax.set(xlim=(0, end), ylim=(0, end), xlabel=x, ylabel=y, title=plain(title or ""))
    ax.set_aspect("equal")
    ax.grid(color="0.92")
    ax.set_axisbelow(True)
    return ax
