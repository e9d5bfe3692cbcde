"""PR curves: recall to the right, precision up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from prfast.curve import PRCurve
from prfast.plots.drawing import Style, draw_view
from prfast.plots.points import TOLERANCE, falling, record
from prfast.plots.row import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    return draw_view(PR, curves, ax, style, title)


def _points(curve: PRCurve) -> dict[str, Any]:
    recall, precision = curve.outline(TOLERANCE)
    with np.errstate(divide="ignore", invalid="ignore"):
        lam = precision / recall
    lam = falling(lam[~np.isnan(lam)], curve.grid(201).lam)
    precision, recall = curve.at(lam)
    return record(curve, recall, precision, lam)


def _for_json(curve: PRCurve) -> dict[str, Any]:
    recall, precision = curve.outline()
    return {"recall": recall.tolist(), "precision": precision.tolist()}


PR = View(
    name="pr",
    title="Precision-recall",
    plot=plot_curves,
    line=PRCurve.outline,
    points=_points,
    record=_for_json,
    x="recall",
    y="precision",
    hover=("recall", "precision"),
    about="Further up and to the right is better; equal distributions fill the square.",
)
