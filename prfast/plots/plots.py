"""Pictures: PRCurve -> matplotlib axes.  matplotlib is imported where it is used (extra: plot)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from prfast.curve import PRCurve, arcs
from prfast.divergences import mauve_frontier, renyi_frontier, tsallis_frontier
from prfast.inputs.arrays import Float64s
from prfast.inputs.options import read_number, read_positive
from prfast.plots.drawing import COLOURS as COLOURS
from prfast.plots.drawing import (
    Line,
    Lines,
    Style,
    diagonal,
    draw,
    lines_of,
    plain,
    read_curves,
    square,
    unit_square,
)
from prfast.plots.drawing import new_axes as new_axes
from prfast.plots.drawing import new_figure as new_figure
from prfast.tradeoffs import lorenz, roc

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TOLERANCE = 1e-4  # of lines, in widths of the unit square


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
    base = (lambda x: 0.0) if shade else None
    style = Style(labels, truth, colours, legend, "lower left", base)
    ax = draw(lines_of(curves, PRCurve.outline, style), ax, style)
    return unit_square(ax, "recall", "precision", title)


def plot_lorenz(
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
    """Draw Lorenz curves F(t), with the diagonal of P = Q (2023 paper, Fig. 2).

    Real mass to the right, the least generated mass that goes with it up.  A level start is mass
    of P that Q lacks, an upright end mass of Q that P lacks.

    Parameters
    ----------
    curves, ax, labels, truth, colours, title, legend
        As for `plot_curves`.
    shade : bool
        Fill the half of the Lorenz diagram that is below the diagonal lightly.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    ImportError, TypeError, ValueError
        As `plot_curves`.
    """
    style = Style(labels, truth, colours, legend, "upper left", _itself if shade else None)
    ax = _with_diagonal(lines_of(curves, _lorenz_line, style), ax, style)
    return unit_square(ax, "share of real, $t$", "least share of generated, $F(t)$", title)


def plot_roc(
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
    """Draw ROC curves of the likelihood-ratio classifiers, with the diagonal of P = Q.

    Real samples rejected (fpr) to the right, generated ones rejected (1 − fnr) up.

    Parameters
    ----------
    curves, ax, labels, truth, colours, title, legend
        As for `plot_curves`.
    shade : bool
        Fill what is between each curve and the diagonal lightly.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    ImportError, TypeError, ValueError
        As `plot_curves`.
    """
    style = Style(labels, truth, colours, legend, "lower right", _itself if shade else None)
    ax = _with_diagonal(lines_of(curves, _roc_line, style), ax, style)
    return unit_square(ax, "real rejected (fpr)", "generated rejected (1 − fnr)", title)


def plot_frontiers(
    curves: PRCurve | Iterable[PRCurve],
    ax: Axes | None = None,
    *,
    order: float | None = None,
    kind: str = "renyi",
    limit: float | None = None,
    labels: Sequence[str] | None = None,
    truth: PRCurve | Sequence[PRCurve] | None = None,
    colours: Sequence[Any] | None = None,
    title: str | None = None,
    legend: bool = True,
) -> Axes:
    """Draw divergence frontiers: D(μ‖P) to the right, D(μ‖Q) up, better towards the origin.

    What moves a frontier to the right is recall that lacks, what moves it up precision.  The point
    (∞, ∞) of disjoint supports is not drawn.

    Parameters
    ----------
    curves, ax, labels, truth, colours, title, legend
        As for `plot_curves`.
    order : float, optional
        a in (0, ∞]; ∞, the default, is the PR curve on logarithmic scales.
    kind : str
        "renyi", "tsallis", or "mauve": exp(−5 KL) of the inclusive frontier in the unit square,
        which has neither order nor limit; there better is up and right.
    limit : float, optional
        Where both axes end; by default at five times the larger coordinate of the frontiers'
        middles, where the two are equal, or where the frontiers end.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    ImportError, TypeError, ValueError
        As `plot_curves`; `order` not in (0, ∞], another `kind`, `limit` not in (0, ∞); either of
        them with "mauve".
    """
    if kind not in ("renyi", "tsallis", "mauve"):
        raise ValueError(f"kind: renyi, tsallis or mauve expected, got {kind!r}")
    for name, value in (("order", order), ("limit", limit)):
        if kind == "mauve" and value is not None:
            raise ValueError(f"{name}: only for kind renyi or tsallis")
    order = np.inf if order is None else read_positive("order", order)
    if limit is not None:
        limit = read_positive("limit", limit, finite=True)
    place = "lower left" if kind == "mauve" else "upper right"
    style = Style(labels, truth, colours, legend, place, clip=True)
    lines = lines_of(curves, lambda curve: _frontier_line(curve, kind, order), style)
    ax = draw(lines, ax, style)
    if kind == "mauve":
        x, y = (rf"$\exp(-5\,\mathrm{{KL}}({name} \| R_\lambda))$" for name in "PQ")
        return unit_square(ax, f"{x} (recall)", f"{y} (precision)", title)
    name = r"\infty" if np.isinf(order) else f"{order:g}"
    hat = r"\hat{D}" if kind == "tsallis" else "D"
    x, y = (rf"${hat}_{{{name}}}(\mu \| {one})$" for one in "PQ")
    end = frontier_end([*lines.curves, *lines.truths]) if limit is None else limit
    return square(ax, end, f"{x} (recall)", f"{y} (precision)", title)


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
    curves = read_curves("curves", curves)
    beta = read_number("beta", beta, 1.0, float("inf"))
    if labels is not None and len(labels) != len(curves):
        raise ValueError(f"labels: {len(curves)} labels expected, got {len(labels)}")
    ax = new_axes() if ax is None else ax
    x = [curve.f_score(beta) for curve in curves]
    y = [curve.f_score(1 / beta) for curve in curves]
    diagonal(ax)
    ax.scatter(x, y, color=COLOURS[0], s=24, zorder=2)
    for i, label in enumerate(labels or ()):
        # Away from the right edge, where the text would leave the axes.
        side = -1 if x[i] > 0.8 else 1
        ax.annotate(
            plain(label),
            (x[i], y[i]),
            xytext=(5 * side, 4),
            textcoords="offset points",
            ha="right" if side < 0 else "left",
            fontsize="small",
        )
    return unit_square(ax, f"$F_{{{beta:g}}}$ (recall)", f"$F_{{1/{beta:g}}}$ (precision)", title)


def _with_diagonal(lines: Lines, ax: Axes | None, style: Style) -> Axes:
    ax = draw(lines, ax, style)
    diagonal(ax)
    return ax


def _itself(x: Float64s) -> Float64s:
    """Heights of the diagonal."""
    return x


# ---- lines: (x, y) of a curve ------------------------------------------------------------------


def _lorenz_line(curve: PRCurve) -> Line:
    t, F = lorenz(curve).vertices
    kept = arcs.thinned(t, F, _TOLERANCE)
    return t[kept], F[kept]


def _roc_line(curve: PRCurve) -> Line:
    fpr, tpr = roc(curve)
    kept = arcs.thinned(fpr, tpr, _TOLERANCE)
    return fpr[kept], tpr[kept]


def _frontier_line(curve: PRCurve, kind: str, order: float) -> Line:
    if kind == "mauve":
        inclusive = mauve_frontier(curve)
        return inclusive.real, inclusive.fake
    frontier = (tsallis_frontier if kind == "tsallis" else renyi_frontier)(curve, order)
    return frontier.to_real, frontier.to_fake


def frontier_end(lines: Sequence[Line]) -> float:
    """Where axes end that show the middle of every frontier, and not all of its long ends."""
    middle = end = 0.0
    for x, y in lines:
        finite = np.isfinite(x) & np.isfinite(y)
        if finite.any():
            middle = max(middle, float(np.maximum(x, y)[finite].min()))
            end = max(end, float(x[finite].max()), float(y[finite].max()))
    return 1.05 * min(5 * middle, end) if middle > 1e-9 else 1.0


# What --view of the command line and `view` of PRCurve.plot name.
VIEWS: dict[str, Callable[..., Any]] = {
    "pr": plot_curves,
    "lorenz": plot_lorenz,
    "roc": plot_roc,
    "frontier": plot_frontiers,
}
