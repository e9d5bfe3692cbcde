"""Lorenz curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.polyline import thinned
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_number
from prfast.plots.drawing import (
    COLOURS,
    Line,
    Style,
    View,
    diagonal,
    draw_view,
    itself,
    new_axes,
    plain,
    read_curves,
    unit_square,
)
from prfast.tradeoffs import lorenz, roc

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# Points of a view that can be pointed at, each with its λ.
#
# A point is where the line of slope λ touches, so that one λ, precision and recall belong to it in
# every view.


_STEP = 0.01  # between points that can be pointed at, in widths of the picture
TOLERANCE = 1e-4  # of lines, in widths of the unit square


def polyline(curve: PRCurve, x: Float64s, y: Float64s, ratio: Float64s) -> dict[str, Any]:
    """Points along edges, on which λ is the edge's ratio, and corners, with one λ of theirs."""
    pieces = np.maximum(1, np.ceil(np.hypot(np.diff(x), np.diff(y)) / _STEP)).astype(np.int64)
    edge = np.repeat(np.arange(ratio.size), pieces)
    part = (np.arange(edge.size) - np.repeat(np.cumsum(pieces) - pieces, pieces)) / pieces[edge]
    ends = np.append(ratio[1:], ratio[-1])
    with np.errstate(invalid="ignore", over="ignore"):
        middle = np.sqrt(ratio) * np.sqrt(ends)  # between the edges before and behind a corner
    middle = np.where(np.isnan(middle), 1.0, middle)  # from ∞ to 0 at once
    at_corner = np.append(ratio[0], middle[:-1])
    lam = np.append(np.where(part == 0, at_corner[edge], ratio[edge]), ratio[-1])
    x = np.append(x[edge] + part * np.diff(x)[edge], x[-1])
    y = np.append(y[edge] + part * np.diff(y)[edge], y[-1])
    kept = shown(x, y)
    return record(curve, x[kept], y[kept], lam[kept])


def shown(x: Float64s, y: Float64s) -> Any:
    """Numbers of points that the line needs, and of one a step along it."""
    finite = np.isfinite(x) & np.isfinite(y)
    if x.size == 1 or not finite.all():
        return np.flatnonzero(finite)
    length = np.append(0.0, np.hypot(np.diff(x), np.diff(y)).cumsum())
    step = max(_STEP, float(length[-1]) / 400)
    _, first = np.unique(np.floor(length / step), return_index=True)
    return np.union1d(thinned(x, y, TOLERANCE), first)


def falling(*lam: Float64s) -> Float64s:
    return np.unique(np.concatenate(lam))[::-1]


def record(curve: PRCurve, x: Float64s, y: Float64s, lam: Float64s | None) -> dict[str, Any]:
    at = None
    if lam is not None:
        precision, recall = curve.at(lam)
        at = [
            [_ratio(one), f"{a:.4f}", f"{b:.4f}"]
            for one, a, b in zip(lam, precision, recall, strict=True)
        ]
    return {"x": np.round(x, 6).tolist(), "y": np.round(y, 6).tolist(), "at": at}


def _ratio(lam: float) -> str:
    return "∞" if np.isinf(lam) else f"{lam:.4g}"


# F_β against F_1/β.


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
        Weight of recall, >= 1; 8 by default, as in the paper.
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
        raise WrongValue("labels", f"{len(curves)} labels expected, got {len(labels)}")
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


# ROC curves.


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
        Fill what is between each curve and the diagonal lightly; False by default.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    ImportError, TypeError, ValueError
        As `plot_curves`.
    """
    style = Style(labels, truth, colours, legend, "lower right", itself if shade else None)
    return draw_view(ROC, curves, ax, style, title)


def _roc_line(curve: PRCurve) -> Line:
    fpr, tpr = roc(curve)
    kept = thinned(fpr, tpr, TOLERANCE)
    return fpr[kept], tpr[kept]


def _roc_points(curve: PRCurve) -> dict[str, Any]:
    fpr, tpr = roc(curve)
    return polyline(curve, fpr, tpr, curve.vertices.ratio[1:])


def _roc_for_json(curve: PRCurve) -> dict[str, Any]:
    found = roc(curve)
    return {"fpr": found.fpr.tolist(), "tpr": found.tpr.tolist(), "area": found.area}


ROC = View(
    name="roc",
    title="ROC",
    plot=plot_roc,
    line=_roc_line,
    points=_roc_points,
    record=_roc_for_json,
    x="real rejected (fpr)",
    y="generated rejected (1 − fnr)",
    hover=("real rejected", "generated rejected"),
    about="Of the best classifiers of real against generated samples. Equal "
    "distributions are the diagonal: nothing can be told apart.",
    diagonal=True,
)


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
        Fill the half of the Lorenz diagram that is below the diagonal lightly; False by
        default.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    ImportError, TypeError, ValueError
        As `plot_curves`.
    """
    style = Style(labels, truth, colours, legend, "upper left", itself if shade else None)
    return draw_view(LORENZ, curves, ax, style, title)


def _lorenz_line(curve: PRCurve) -> Line:
    t, F = lorenz(curve).vertices
    kept = thinned(t, F, TOLERANCE)
    return t[kept], F[kept]


def _lorenz_points(curve: PRCurve) -> dict[str, Any]:
    # The vertices run against those of the error rates.
    t, F = lorenz(curve).vertices
    return polyline(curve, t, F, curve.vertices.ratio[:0:-1])


def _lorenz_for_json(curve: PRCurve) -> dict[str, Any]:
    t, F = lorenz(curve).vertices
    return {"t": t.tolist(), "F": F.tolist()}


LORENZ = View(
    name="lorenz",
    title="Lorenz",
    plot=plot_lorenz,
    line=_lorenz_line,
    points=_lorenz_points,
    record=_lorenz_for_json,
    x="share of real, $t$",
    y="least share of generated, $F(t)$",
    hover=("real", "generated"),
    about="Equal distributions are the diagonal. A level start is real mass that is not "
    "generated, an upright end generated mass that is not real. λ is the slope.",
    diagonal=True,
)
