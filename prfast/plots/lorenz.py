"""Views of the error rates: Lorenz and ROC curves, the plot of F-scores, and points for reports.

A report draws points that show λ, precision and recall under the pointer.  Such a point is where
the line of slope λ touches the curve, so that it is the same in every view.
"""

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
    identity,
    literal_text,
    new_axes,
    read_curves,
    unit_square,
)
from prfast.theory.tradeoffs import lorenz, roc

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_STEP = 0.01  # largest distance between points of a report, in widths of the picture
TOLERANCE = 1e-4  # largest error of a thinned line, in widths of the unit square


def polyline(curve: PRCurve, x: Float64s, y: Float64s, ratio: Float64s) -> dict[str, Any]:
    """Return points along the edges, where λ is the edge's ratio, and the corners.

    The λ of a corner is the geometric mean of the ratios of its two edges.
    """
    pieces = np.maximum(1, np.ceil(np.hypot(np.diff(x), np.diff(y)) / _STEP)).astype(np.int64)
    edge = np.repeat(np.arange(ratio.size), pieces)
    part = (np.arange(edge.size) - np.repeat(np.cumsum(pieces) - pieces, pieces)) / pieces[edge]
    ends = np.append(ratio[1:], ratio[-1])
    with np.errstate(invalid="ignore", over="ignore"):
        middle = np.sqrt(ratio) * np.sqrt(ends)
    middle = np.where(np.isnan(middle), 1.0, middle)  # ∞ · 0, at the corner of disjoint supports
    at_corner = np.append(ratio[0], middle[:-1])
    lam = np.append(np.where(part == 0, at_corner[edge], ratio[edge]), ratio[-1])
    x = np.append(x[edge] + part * np.diff(x)[edge], x[-1])
    y = np.append(y[edge] + part * np.diff(y)[edge], y[-1])
    needed = thinned_points(x, y)
    return point_record(curve, x[needed], y[needed], lam[needed])


def thinned_points(x: Float64s, y: Float64s) -> Any:
    """Return indices of the finite points that the line needs, and of one per step along it."""
    finite = np.isfinite(x) & np.isfinite(y)
    if x.size == 1 or not finite.all():
        return np.flatnonzero(finite)
    length = np.append(0.0, np.hypot(np.diff(x), np.diff(y)).cumsum())
    step = max(_STEP, float(length[-1]) / 400)
    _, first = np.unique(np.floor(length / step), return_index=True)
    return np.union1d(thinned(x, y, TOLERANCE), first)


def descending(*lam: Float64s) -> Float64s:
    """Return the distinct values of all arrays in descending order."""
    return np.unique(np.concatenate(lam))[::-1]


def point_record(curve: PRCurve, x: Float64s, y: Float64s, lam: Float64s | None) -> dict[str, Any]:
    """Return the entry `View.points` of these points, with [λ, precision, recall] if λ is known."""
    at = None
    if lam is not None:
        precision, recall = curve.at(lam)
        at = [
            [_lambda_text(value), f"{alpha:.4f}", f"{beta:.4f}"]
            for value, alpha, beta in zip(lam, precision, recall, strict=True)
        ]
    return {"x": np.round(x, 6).tolist(), "y": np.round(y, 6).tolist(), "at": at}


def _lambda_text(lam: float) -> str:
    return "∞" if np.isinf(lam) else f"{lam:.4g}"


def plot_f_scores(
    curves: PRCurve | Iterable[PRCurve],
    ax: Axes | None = None,
    *,
    labels: Sequence[str] | None = None,
    beta: float = 8.0,
    title: str | None = None,
) -> Axes:
    """Draw F_β against F_1/β, one point per curve (2018 paper, Fig. 7).

    Below the diagonal recall is higher than precision, above it precision.

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
            literal_text(label),
            (x[i], y[i]),
            xytext=(5 * side, 4),
            textcoords="offset points",
            ha="right" if side < 0 else "left",
            fontsize="small",
        )
    return unit_square(ax, f"$F_{{{beta:g}}}$ (recall)", f"$F_{{1/{beta:g}}}$ (precision)", title)


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

    The x axis is the share of real samples rejected (fpr), the y axis that of generated samples
    rejected (1 − fnr).

    Parameters
    ----------
    curves, ax, labels, truth, colours, title, legend
        As for `plot_curves`.
    shade : bool
        Fill the area between each curve and the diagonal lightly; False by default.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    ImportError, TypeError, ValueError
        As `plot_curves`.
    """
    style = Style(labels, truth, colours, legend, "lower right", identity if shade else None)
    return draw_view(ROC, curves, ax, style, title)


def _roc_line(curve: PRCurve) -> Line:
    fpr, tpr = roc(curve)
    needed = thinned(fpr, tpr, TOLERANCE)
    return fpr[needed], tpr[needed]


def _roc_points(curve: PRCurve) -> dict[str, Any]:
    fpr, tpr = roc(curve)
    return polyline(curve, fpr, tpr, curve.vertices.ratio[1:])


def _roc_for_json(curve: PRCurve) -> dict[str, Any]:
    rates = roc(curve)
    return {"fpr": rates.fpr.tolist(), "tpr": rates.tpr.tolist(), "area": rates.area}


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

    The share t of real mass is on the x axis, the least generated mass that goes with it on the y
    axis.  A horizontal start is mass of P that Q lacks, a vertical end mass of Q that P lacks.

    Parameters
    ----------
    curves, ax, labels, truth, colours, title, legend
        As for `plot_curves`.
    shade : bool
        Fill the area between each curve and the diagonal, half of the Lorenz diagram, lightly;
        False by default.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    ImportError, TypeError, ValueError
        As `plot_curves`.
    """
    style = Style(labels, truth, colours, legend, "upper left", identity if shade else None)
    return draw_view(LORENZ, curves, ax, style, title)


def _lorenz_line(curve: PRCurve) -> Line:
    t, F = lorenz(curve).vertices
    needed = thinned(t, F, TOLERANCE)
    return t[needed], F[needed]


def _lorenz_points(curve: PRCurve) -> dict[str, Any]:
    # The vertices of a Lorenz curve are in the reverse order of those of the error rates.
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
