"""PR curves: recall to the right, precision up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from prfast.curve import PRCurve
from prfast.inputs.errors import ArgumentError
from prfast.inputs.options import read_share
from prfast.plots.drawing import Band, Style, View, draw_view, new_axes, read_curves
from prfast.plots.frontiers import FRONTIER
from prfast.plots.lorenz import LORENZ, ROC, TOLERANCE, falling, record

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
    """Draw curves: recall to the right, precision up, both [0, 1], equal aspect.

    Arcs are drawn as arcs: no chord is off by more than 10⁻⁴ of the width.

    Parameters
    ----------
    curves : PRCurve or iterable of PRCurve
    ax : matplotlib axes, optional
        Where to draw; by default new axes, whose picture `ax.figure.savefig(path)` writes.
    labels : sequence of str, optional
        One a curve, for the legend; as they are, without formulas, in the midst of long ones "…".
    truth : PRCurve or sequence of PRCurve, optional
        Ground truth, dashed: one for all in black, or one a curve in its colour.
    shade : bool
        Fill the PR set below each curve lightly; False by default.
    band : float, optional
        A confidence such as 0.95: fill `PRCurve.band` around each curve, where the scorer's own
        lies, and dot `PRCurve.upper`, below which the true one lies.  The legend says where that is
        empirical and not certified, as for samples scored in folds or without a split.
    colours : sequence of matplotlib colours, optional
        Used in turn; by default seven, and lines whose colours come again are dashed.
    title : str, optional
    legend : bool
        Show the labels, True by default.  More than four entries stand below new axes, in a
        legend of their figure, or beside axes that were given.

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
    """The picture that stands for a curve where HTML is not shown, a pixel a dot: `shown.png`."""
    ax = plot_curves(curve, new_axes(_SMALL))
    from prfast.plots.drawing import png

    return png(ax.figure, sharp=1)


def bands_of(curves: Sequence[PRCurve], confidence: float) -> list[Band]:
    """What is drawn of what each curve's samples prove; errors say which has none."""
    found = []
    for i, curve in enumerate(curves):
        try:
            found.append(band_of(curve, confidence))
        except ArgumentError as error:
            raise error.renamed(f"curves[{i}]") from None
    return found


def band_of(curve: PRCurve, confidence: float) -> Band:
    """What is drawn of what a curve's samples prove."""
    (x, y), (above_x, above_y) = (one.outline() for one in curve.band(confidence))
    upper = curve.upper(confidence)
    certified = bool(upper.info["certified"])
    label = f"{100 * confidence:g} %: the true curve is below"
    label += "" if certified else " (empirical)"
    around = np.concatenate([above_x, x[::-1]]), np.concatenate([above_y, y[::-1]])
    return Band(*around, upper.outline(), label, certified)


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


# The views of a curve, a row each: what `PRCurve.plot`, `prfast curve --view` and reports show.
#
# A new view is a file such as `lorenz.py` and its row here.


ROWS = {row.name: row for row in (PR, LORENZ, ROC, FRONTIER)}
VIEWS: dict[str, Callable[..., Any]] = {name: row.plot for name, row in ROWS.items()}


def view_record(curve: PRCurve, view: str, **options: Any) -> dict[str, Any]:
    """The points of a view of a curve for JSON; numbers that are infinite are "inf"."""
    return {"view": view} | ROWS[view].record(curve, **options)


def view_points(curve: PRCurve, **options: Any) -> dict[str, dict[str, Any]]:
    """{view: points on the exact curve, each with its λ}."""
    return {name: row.points(curve, **row.own(options)) for name, row in ROWS.items()}


def view_axes(
    points: Sequence[Mapping[str, dict[str, Any]]], order: float
) -> dict[str, dict[str, Any]]:
    """{view: what its picture says beside the points of these curves}."""
    return {name: row.axes([one[name] for one in points], order) for name, row in ROWS.items()}
