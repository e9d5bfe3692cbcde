"""Pictures: PRCurve -> matplotlib axes.  matplotlib is imported where it is used (extra: plot)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from prfast.curve import PRCurve
from prfast.samples import read_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours: told apart by all readers, and in grey.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
# Lines along the frame keep their full width.
_TRUTH: dict[str, Any] = {"linestyle": "--", "linewidth": 1.2, "clip_on": False, "zorder": 4}


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


def plot_curves(
    curves: PRCurve | Iterable[PRCurve],
    ax: Axes | None = None,
    *,
    labels: Sequence[str] | None = None,
    truth: PRCurve | Sequence[PRCurve] | None = None,
    shade: bool = False,
    colours: Sequence[Any] | None = None,
    title: str | None = None,
    legend: bool = True,
) -> Axes:
    """Draw curves: recall to the right, precision up, both [0, 1], equal aspect.

    Arcs are drawn as arcs: no chord is off by more than 10⁻⁴ of the width.

    Parameters
    ----------
    curves : PRCurve or iterable of PRCurve
    ax : matplotlib axes, optional
        Where to draw; by default new axes, whose picture `ax.figure.savefig(path)` writes.
    labels : sequence of str, optional
        One a curve, for the legend; as they are, without formulas.
    truth : PRCurve or sequence of PRCurve, optional
        Ground truth, dashed: one for all in black, or one a curve in its colour.
    shade : bool
        Fill the PR set below each curve lightly.
    colours : sequence of matplotlib colours, optional
        Used in turn.
    title : str, optional
    legend : bool
        Show the labels; beside the axes if there are more than four.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    ImportError
        matplotlib is missing; the message names the extra to install.
    TypeError, ValueError
        Something that is not a PRCurve; not as many labels or truths as curves.
    """
    curves = _read_curves("curves", curves)
    truths = [] if truth is None else _read_curves("truth", truth)
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
        recall, precision = curve.outline()
        label = None if labels is None else labels[i]
        (line,) = ax.plot(
            recall, precision, color=colour, label=label, linewidth=1.8, clip_on=False, zorder=3
        )
        if label is not None:
            shown.append((line, label))
        if shade:
            ax.fill_between(recall, precision, color=colour, alpha=0.12, linewidth=0)
        if len(truths) == len(curves) and not isinstance(truth, PRCurve):
            ax.plot(*truths[i].outline(), color=colour, **_TRUTH)
    if isinstance(truth, PRCurve):
        (line,) = ax.plot(*truth.outline(), color="black", label="truth", **_TRUTH)
        shown.append((line, "truth"))
    _unit_square(ax, "recall", "precision", title)
    if legend and shown:
        beside = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)}
        place = beside if len(curves) > 4 else {"loc": "lower left", "framealpha": 0.9}
        # Written afterwards: matplotlib leaves out what begins with an underscore.
        texts = ax.legend(
            [line for line, _ in shown], ["-"] * len(shown), fontsize="small", **place
        )
        for text, (_, label) in zip(texts.get_texts(), shown, strict=True):
            text.set_text(_plain(label))
    return ax


def plot_f_scores(
    curves: PRCurve | Iterable[PRCurve],
    ax: Axes | None = None,
    *,
    labels: Sequence[str] | None = None,
    beta: float = 8.0,
    title: str | None = None,
) -> Axes:
    """F_β against F_1/β, one point a curve (2018 paper, Fig. 7).

    To the right of the diagonal recall is the better of the two, above it precision.

    Parameters
    ----------
    curves : PRCurve or iterable of PRCurve
    ax : matplotlib axes, optional
    labels : sequence of str, optional
        Written beside the points.
    beta : float
        Weight of recall, >= 1; 8 as in the paper.
    title : str, optional

    Returns
    -------
    matplotlib axes

    Raises
    ------
    ImportError
        matplotlib is missing; the message names the extra to install.
    TypeError, ValueError
        Something that is not a PRCurve; not as many labels as curves; `beta` not in [1, ∞].
    """
    curves = _read_curves("curves", curves)
    beta = read_number("beta", beta, 1.0, float("inf"))
    if labels is not None and len(labels) != len(curves):
        raise ValueError(f"labels: {len(curves)} labels expected, got {len(labels)}")
    ax = new_axes() if ax is None else ax
    x = [curve.f_score(beta) for curve in curves]
    y = [curve.f_score(1 / beta) for curve in curves]
    ax.plot([0, 1], [0, 1], color="0.75", linewidth=1, zorder=0)
    ax.scatter(x, y, color=COLOURS[0], s=24, zorder=2)
    for i, label in enumerate(labels or ()):
        # Away from the right edge, where the text would leave the axes.
        side = -1 if x[i] > 0.8 else 1
        ax.annotate(
            _plain(label),
            (x[i], y[i]),
            xytext=(5 * side, 4),
            textcoords="offset points",
            ha="right" if side < 0 else "left",
            fontsize="small",
        )
    _unit_square(ax, f"$F_{{{beta:g}}}$ (recall)", f"$F_{{1/{beta:g}}}$ (precision)", title)
    return ax


def _plain(text: str) -> str:
    """Text that matplotlib shows as it is: no formulas, and ? for what no font and no file holds
    (surrogates, as in the names of files that are not UTF-8)."""
    return str(text).encode("utf-8", "replace").decode("utf-8").replace("$", r"\$")


def _read_curves(name: str, curves: PRCurve | Iterable[PRCurve]) -> list[PRCurve]:
    if not isinstance(curves, PRCurve | Iterable):
        raise TypeError(f"{name}: curves expected, got {type(curves).__name__}")
    curves = [curves] if isinstance(curves, PRCurve) else list(curves)
    for curve in curves:
        if not isinstance(curve, PRCurve):
            raise TypeError(f"{name}: a PRCurve expected, got {type(curve).__name__}")
    return curves


def _unit_square(ax: Axes, x: str, y: str, title: str | None) -> None:
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel=x, ylabel=y, title=_plain(title or ""))
    ax.set_aspect("equal")
    ax.grid(color="0.92")
    ax.set_axisbelow(True)
