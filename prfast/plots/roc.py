"""ROC curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from prfast.curve import PRCurve
from prfast.curve.outline import thinned
from prfast.plots.drawing import (
    Line,
    Style,
    itself,
    lines_of,
    unit_square,
    with_diagonal,
)
from prfast.plots.points import TOLERANCE, polyline
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
        Fill what is between each curve and the diagonal lightly.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    ImportError, TypeError, ValueError
        As `plot_curves`.
    """
    style = Style(labels, truth, colours, legend, "lower right", itself if shade else None)
    ax = with_diagonal(lines_of(curves, _roc_line, style), ax, style)
    return unit_square(ax, "real rejected (fpr)", "generated rejected (1 − fnr)", title)


def _roc_line(curve: PRCurve) -> Line:
    fpr, tpr = roc(curve)
    kept = thinned(fpr, tpr, TOLERANCE)
    return fpr[kept], tpr[kept]


def _points(curve: PRCurve) -> dict[str, Any]:
    fpr, tpr = roc(curve)
    return polyline(curve, fpr, tpr, curve.vertices.ratio[1:])


def _for_json(curve: PRCurve) -> dict[str, Any]:
    found = roc(curve)
    return {"fpr": found.fpr.tolist(), "tpr": found.tpr.tolist(), "area": found.area}
