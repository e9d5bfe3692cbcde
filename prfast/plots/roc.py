"""ROC curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from prfast.curve import PRCurve
from prfast.curve.outline import thinned
from prfast.plots.drawing import Style, draw_view, itself
from prfast.plots.points import TOLERANCE, polyline
from prfast.plots.row import Line, View
from prfast.tradeoffs import roc

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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


def _line(curve: PRCurve) -> Line:
    fpr, tpr = roc(curve)
    kept = thinned(fpr, tpr, TOLERANCE)
    return fpr[kept], tpr[kept]


def _points(curve: PRCurve) -> dict[str, Any]:
    fpr, tpr = roc(curve)
    return polyline(curve, fpr, tpr, curve.vertices.ratio[1:])


def _for_json(curve: PRCurve) -> dict[str, Any]:
    found = roc(curve)
    return {"fpr": found.fpr.tolist(), "tpr": found.tpr.tolist(), "area": found.area}


ROC = View(
    name="roc",
    title="ROC",
    plot=plot_roc,
    line=_line,
    points=_points,
    record=_for_json,
    x="real rejected (fpr)",
    y="generated rejected (1 − fnr)",
    hover=("real rejected", "generated rejected"),
    about="Of the best classifiers of real against generated samples. Equal "
    "distributions are the diagonal: nothing can be told apart.",
    diagonal=True,
)
