"""The view of PR curves with their confidence bands, and the table `ROWS` of all views.

`PRCurve.plot`, `prfast curve --view` and reports show the views of this table.  A new view is a
function in a module such as `lorenz.py`, a `View` that describes it, and its row here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from prfast.curve import PRCurve
from prfast.inputs.errors import ArgumentError
from prfast.inputs.options import read_share
from prfast.plots.drawing import Band, Style, View, draw_view, new_axes, png, read_curves
from prfast.plots.frontiers import FRONTIER
from prfast.plots.lorenz import LORENZ, ROC, TOLERANCE, descending, point_record

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_SMALL = (2.8, 2.8)  # inches


def plot_curves(
    curves: PRCurve | Iterable[PRCurve],
    ax: Axes | None = None,
    *,
    labels: Sequence[str] | None = None,
    truth: PRCurve | Sequence[PRCurve] | None = None,
    shade: bool = False,
    band: float | None = None,
    colours: Sequence[Any] | None = None,
    title: str | None = None,
    legend: bool = True,
) -> Axes:
    """Draw curves: recall on the x axis, precision on the y axis, both in [0, 1], equal aspect.

    Arcs are approximated by chords that are off by at most 10⁻⁴ of the width.

    Parameters
    ----------
    curves : PRCurve or iterable of PRCurve
    ax : matplotlib axes, optional
        Where to draw; by default new axes, whose picture `ax.figure.savefig(path)` writes.
    labels : sequence of str, optional
        One per curve, for the legend; drawn literally, "$" too, long ones with "…" in the middle.
    truth : PRCurve or sequence of PRCurve, optional
        Ground truth, dashed: one for all in black, or one per curve in its colour.
    shade : bool
        Fill the PR set below each curve lightly; False by default.
    band : float, optional
        A confidence level such as 0.95: fill `PRCurve.band`, which contains the curve of the
        scorer, and dot `PRCurve.upper`, an upper bound of the true curve.  The legend says where
        the bound is empirical and not certified, as for samples scored in folds or without a split.
    colours : sequence of matplotlib colours, optional
        Cycled through; by default seven, and lines whose colour repeats are dashed.
    title : str, optional
    legend : bool
        Show the labels, True by default.  More than four entries are placed below new axes, in a
        legend of their figure, or beside axes that are passed as `ax`.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    ImportError
        matplotlib is missing; the message names the extra to install.
    TypeError, ValueError
        Something that is not a PRCurve; not as many labels or truths as curves; with `band`, not
        a confidence in (0, 1), or a curve that does not count samples.
    """
    base = (lambda x: 0.0) if shade else None
    curves = read_curves("curves", curves)
    bands = [] if band is None else bands_of(curves, read_share("band", band))
    style = Style(labels, truth, colours, legend, "lower left", base, bands=bands)
    return draw_view(PR, curves, ax, style, title)


def small_png(curve: PRCurve) -> tuple[bytes, dict[str, Any]]:
    """Return the picture of a curve for front ends without HTML, and its width and height."""
    ax = plot_curves(curve, new_axes(_SMALL))
    return png(ax.figure, sharp=1)


def bands_of(curves: Sequence[PRCurve], confidence: float) -> list[Band]:
    """Return the band of each curve; errors name the curve that has none."""
    bands = []
    for i, curve in enumerate(curves):
        try:
            bands.append(band_of(curve, confidence))
        except ArgumentError as error:
            raise error.renamed(f"curves[{i}]") from None
    return bands


def band_of(curve: PRCurve, confidence: float) -> Band:
    """Return the confidence band of a curve and the upper bound of the true one."""
    (x, y), (above_x, above_y) = (bound.outline() for bound in curve.band(confidence))
    upper = curve.upper(confidence)
    certified = upper.provenance.certified
    label = f"{100 * confidence:g} %: the true curve is below"
    label += "" if certified else " (empirical)"
    outline = np.concatenate([above_x, x[::-1]]), np.concatenate([above_y, y[::-1]])
    return Band(*outline, upper.outline(), label, certified)


def _points(curve: PRCurve) -> dict[str, Any]:
    recall, precision = curve.outline(TOLERANCE)
    with np.errstate(divide="ignore", invalid="ignore"):
        lam = precision / recall
    lam = descending(lam[~np.isnan(lam)], curve.grid(201).lam)
    precision, recall = curve.at(lam)
    return point_record(curve, recall, precision, lam)


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


ROWS = {row.name: row for row in (PR, LORENZ, ROC, FRONTIER)}
VIEWS: dict[str, Callable[..., Any]] = {name: row.plot for name, row in ROWS.items()}


def view_record(curve: PRCurve, view: str, **options: Any) -> dict[str, Any]:
    """Return the points of a view of a curve for JSON, infinite numbers as "inf"."""
    return {"view": view} | ROWS[view].record(curve, **options)


def view_points(curve: PRCurve, **options: Any) -> dict[str, dict[str, Any]]:
    """Return {view: points on the exact curve, each with its λ}."""
    return {name: row.points(curve, **row.own(options)) for name, row in ROWS.items()}


def view_axes(
    points: Sequence[Mapping[str, dict[str, Any]]], order: float
) -> dict[str, dict[str, Any]]:
    """Return {view: labels and limits of the axes for the points of these curves}."""
    return {name: row.axes([views[name] for views in points], order) for name, row in ROWS.items()}
