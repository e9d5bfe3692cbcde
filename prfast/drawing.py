"""What all pictures share: figures, the lines of curves and their legend, square axes.

matplotlib is imported where it is used (extra: plot).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from prfast.curve import PRCurve, read_curve
from prfast.samples import Float64s

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours: told apart by all readers, and in grey.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
# Lines along the frame keep their full width.
_TRUTH: dict[str, Any] = {"linestyle": "--", "linewidth": 1.2, "zorder": 4}


def new_axes(figsize: tuple[float, float] = (5.0, 5.0)) -> Axes:
    """The axes of a new figure, not registered with pyplot: nothing to close, any backend."""
    return new_figure(1, figsize)[1][0]


def new_figure(columns: int, figsize: tuple[float, float]) -> tuple[Figure, list[Axes]]:
    """A new figure with a row of axes."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError(
            "matplotlib is needed for plots: python -m pip install 'prfast[plot]'"
        ) from None
    figure = Figure(figsize=figsize, layout="constrained")
    return figure, [figure.add_subplot(1, columns, i + 1) for i in range(columns)]


def read_curves(name: str, curves: PRCurve | Iterable[PRCurve]) -> list[PRCurve]:
    if not isinstance(curves, PRCurve | Iterable):
        raise TypeError(f"{name}: curves expected, got {type(curves).__name__}")
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
    base: float | str | None = None
    """Down to where curves are shaded: a height, "diagonal", or not at all."""
    clip: bool = False


def draw(
    curves: PRCurve | Iterable[PRCurve],
    line_of: Callable[[PRCurve], tuple[Float64s, Float64s]],
    ax: Axes | None,
    style: Style,
) -> Axes:
    """The lines (x, y) of the curves and of the truth, and the legend."""
    curves = read_curves("curves", curves)
    labels, truth, colours = style.labels, style.truth, style.colours
    truths = [] if truth is None else read_curves("truth", truth)
    if labels is not None and len(labels) != len(curves):
        raise ValueError(f"labels: {len(curves)} labels expected, got {len(labels)}")
    if not isinstance(truth, PRCurve) and truths and len(truths) != len(curves):
        raise ValueError(f"truth: one curve or {len(curves)} expected, got {len(truths)}")
    if colours is not None and len(colours) == 0:
        raise ValueError("colours: at least one colour expected, got none")
    ax = new_axes() if ax is None else ax
    colours = COLOURS if colours is None else colours
    shown: list[tuple[Any, str]] = []  # what the legend shows
    for i, curve in enumerate(curves):
        colour = colours[i % len(colours)]
        x, y = line_of(curve)
        label = None if labels is None else labels[i]
        (line,) = ax.plot(
            x, y, color=colour, label=label, linewidth=1.8, clip_on=style.clip, zorder=3
        )
        if label is not None:
            shown.append((line, label))
        if style.base is not None:
            base = x if style.base == "diagonal" else style.base
            ax.fill_between(x, y, base, color=colour, alpha=0.12, linewidth=0)
        if len(truths) == len(curves) and not isinstance(truth, PRCurve):
            ax.plot(*line_of(truths[i]), color=colour, clip_on=style.clip, **_TRUTH)
    if isinstance(truth, PRCurve):
        (line,) = ax.plot(
            *line_of(truth), color="black", label="truth", clip_on=style.clip, **_TRUTH
        )
        shown.append((line, "truth"))
    if style.legend and shown:
        beside = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)}
        place = beside if len(curves) > 4 else {"loc": style.place, "framealpha": 0.9}
        # Written afterwards: matplotlib leaves out what begins with an underscore.
        texts = ax.legend(
            [line for line, _ in shown], ["-"] * len(shown), fontsize="small", **place
        )
        for text, (_, label) in zip(texts.get_texts(), shown, strict=True):
            text.set_text(plain(label))
    return ax


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
