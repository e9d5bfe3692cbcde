"""Pictures of the experiments: one style, told apart by color and by line."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from prfast import PRCurve

# Okabe and Ito's colors, as in prfast.plots; black and dashes belong to the truth.
BLUE, VERMILION, GREEN, PINK, ORANGE, SKY = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
)
SOLID, DOTS, DASH_DOT, LONG, DASH_DOTS = (
    "-",
    (0, (1, 1)),
    "-.",
    (0, (7, 1.5)),
    (0, (5, 1, 1, 1, 1, 1)),
)
STYLES: dict[str, tuple[str, Any]] = {
    "knn": (BLUE, SOLID),
    "ipr": (VERMILION, DOTS),
    "parzen": (GREEN, DASH_DOT),
    "coverage": (PINK, LONG),
    "kmeans": (ORANGE, DASH_DOTS),
    "classifier": (GREEN, LONG),
}
SERIES = ((BLUE, SOLID), (VERMILION, DASH_DOT), (GREEN, LONG), (PINK, DOTS), (ORANGE, DASH_DOTS))
MARKS = ("o", "s", "^", "D", "v", "P")
DPI = 130


def panels(rows: int, columns: int, size: float = 3.4) -> tuple[Figure, list[Axes]]:
    """Return a new figure of square panels, row by row."""
    return sheet(rows, columns, (size * columns, size * rows + 0.7))


def sheet(rows: int, columns: int, figsize: tuple[float, float]) -> tuple[Figure, list[Axes]]:
    """Return a new figure of panels of any shape, row by row."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=figsize, layout="constrained")
    return figure, list(figure.subplots(rows, columns, squeeze=False).ravel())


def styles(names: Sequence[str]) -> dict[str, tuple[str, Any]]:
    """Color and line of each: a method's own, otherwise the next that none of these has."""
    chosen = [STYLES[name] for name in names if name in STYLES]
    free = iter([one for one in SERIES if one not in chosen])
    return {name: STYLES[name] if name in STYLES else next(free) for name in names}


def draw(
    ax: Axes, curves: Mapping[str, PRCurve], truth: PRCurve | None = None, title: str = ""
) -> None:
    """Curves by name, the truth dashed in black; the legend is the figure's."""
    from prfast.plots import plot_curves

    names, of = list(curves), styles(list(curves))
    colors = [of[name][0] for name in names]
    plot_curves(
        curves.values(), ax, labels=names, truth=truth, colors=colors, title=title, legend=False
    )
    for line in ax.get_lines():
        if line.get_label() in of:
            line.set_linestyle(of[line.get_label()][1])


def legend(figure: Figure, ax: Axes, columns: int | None = None) -> None:
    """One legend for all panels, below them; lines long enough to show what they are made of."""
    handles, labels = ax.get_legend_handles_labels()
    columns = columns or len(labels)
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, handlelength=3.2)


def save(
    figure: Figure, options: Namespace, title: str | None = None, *, name: str | None = None
) -> str:
    """Write the picture of a case, or another of that name, into the folder of results; a note."""
    if title:
        figure.suptitle(title)
    path = options.results / f"{name or options.case}.png"
    figure.savefig(path, dpi=DPI)
    return f"Figure: {path.name}, beside the JSON file"


def dots(
    ax: Axes, groups: Sequence[str], series: Mapping[str, Sequence[float]], label: str
) -> None:
    """Values of several series over the same groups, side by side within each group."""
    import numpy as np

    apart = np.linspace(-0.2, 0.2, len(series)) if len(series) > 1 else [0.0]
    at = np.arange(len(groups))
    for number, (name, values) in enumerate(series.items()):
        color, _ = SERIES[number % len(SERIES)]
        ax.plot(at + apart[number], values, MARKS[number], color=color, label=name, markersize=5)
    ax.set_xticks(at, groups)
    ax.set_ylabel(label)
    ax.grid(axis="y", color="0.92")
    ax.set_axisbelow(True)
