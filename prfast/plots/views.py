"""The views of a curve: PR, Lorenz and ROC curves, divergence frontiers; and the plot of F-scores.

`ROWS` is the table of the views, which `PRCurve.plot`, `prfast curve --view` and reports show.  A
new view is a public function, a `View` that describes it, and its row.

A report draws points that show λ, precision and recall under the pointer.  Such a point is where
the line of slope λ touches the curve, so that it is the same in every view.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.polyline import thinned
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import ArgumentError, WrongValue
from prfast.inputs.options import is_word, read_flag, read_number, read_positive, read_share
from prfast.plots.drawing import (
    COLORS,
    Band,
    Line,
    Style,
    diagonal,
    draw,
    literal_text,
    new_axes,
    png,
    read_curves,
    square,
)
from prfast.results.values import for_json
from prfast.theory import mauve_frontier, renyi_frontier, tsallis_frontier
from prfast.theory.tradeoffs import lorenz, roc

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_SMALL = (2.8, 2.8)  # inches
_STEP = 0.01  # largest distance between points of a report, in widths of the picture
_TOLERANCE = 1e-4  # largest error of a thinned line, in widths of the unit square


def _unit_end(lines: Sequence[Line]) -> float:
    return 1


class View(NamedTuple):
    """A view of a curve: its public function, its points, and the text beside them.

    The views are the rows of `ROWS`.
    """

    name: str
    """The name in `--view`, in `PRCurve.plot(view=…)`, in JSON and in a report."""
    title: str
    plot: Callable[..., Any]
    """The public function: curves, axes or None, options -> axes."""
    line: Callable[..., Line]
    """The line that `plot` draws for a curve."""
    points: Callable[..., dict[str, Any]]
    """The points that a report draws: {"x", "y", "at"}, at: [λ, precision, recall] per point, or
    None."""
    record: Callable[..., dict[str, Any]]
    """The points for JSON."""
    x: str
    """Label of the x axis: formulas between $, {order} replaced by that option."""
    y: str
    """Label of the y axis, likewise."""
    hover: tuple[str, str]
    """Names of the coordinates of a point in a report."""
    about: str
    """How to read the picture, a sentence or two, with {order} likewise."""
    diagonal: bool = False
    """Whether equal distributions lie on the diagonal."""
    end: Callable[[Sequence[Line]], float] = _unit_end
    """The upper end of both axes for these lines."""
    options: tuple[str, ...] = ()
    """Names of the parameters of `line`, `points` and `record` besides the curve."""
    flags: tuple[str, ...] = ()
    """Names of further boolean parameters of `plot` and `record`; a report shows the default."""

    def own(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return those of the options that this view has."""
        return {name: options[name] for name in self.options if name in options}

    def axes(self, points: Sequence[Mapping[str, Any]], order: float) -> dict[str, Any]:
        """Return the labels and limits that a report needs for the points of several curves."""
        order_text = "∞" if np.isinf(order) else f"{order:g}"
        lines = [(np.array(record["x"]), np.array(record["y"])) for record in points]
        return {
            "x": self.x.format(order=order_text).replace("$", ""),
            "y": self.y.format(order=order_text).replace("$", ""),
            "end": self.end(lines),
            "diagonal": self.diagonal,
            "hover": self.hover,
            "about": self.about.format(order=order_text),
        }


def _draw_view(view: View, curves: Any, ax: Axes | None, style: Style, title: str | None) -> Axes:
    """Draw curves in a view whose axes are the unit square."""
    ax, _ = draw(curves, view.line, ax, style)
    if view.diagonal:
        diagonal(ax)
    return square(ax, view.x, view.y, title)


def _on_diagonal(x: Float64s) -> Float64s:
    """Return the lower edge of the area between a curve and the diagonal."""
    return x


# ---- PR curves and their confidence bands -------------------------------------------------------


def plot_curves(
    curves: PRCurve | Iterable[PRCurve],
    ax: Axes | None = None,
    *,
    labels: Sequence[str] | None = None,
    truth: PRCurve | Sequence[PRCurve] | None = None,
    shade: bool = False,
    band: float | None = None,
    colors: Sequence[Any] | None = None,
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
        Ground truth, dashed: one for all in black, or one per curve in its color.
    shade : bool
        Fill the PR set below each curve lightly; False by default.
    band : float, optional
        A confidence level such as 0.95: fill `PRCurve.band`, which contains the curve of the
        scorer, and dot `PRCurve.upper`, an upper bound of the true curve.  The legend says where
        the bound is empirical and not certified, as for samples scored in folds or without a split.
    colors : sequence of matplotlib colors, optional
        Cycled through; by default seven, and lines whose color repeats are dashed.
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
    style = Style(labels, truth, colors, legend, "lower left", base, bands=bands)
    return _draw_view(PR, curves, ax, style, title)


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


def _pr_points(curve: PRCurve) -> dict[str, Any]:
    recall, precision = curve.outline(_TOLERANCE)
    with np.errstate(divide="ignore", invalid="ignore"):
        lam = precision / recall
    lam = _descending(lam[~np.isnan(lam)], curve.grid(201).lam)
    precision, recall = curve.at(lam)
    return _point_record(curve, recall, precision, lam)


def _pr_record(curve: PRCurve) -> dict[str, Any]:
    recall, precision = curve.outline()
    return {"recall": recall.tolist(), "precision": precision.tolist()}


PR = View(
    name="pr",
    title="Precision-recall",
    plot=plot_curves,
    line=PRCurve.outline,
    points=_pr_points,
    record=_pr_record,
    x="recall",
    y="precision",
    hover=("recall", "precision"),
    about="Further up and to the right is better; equal distributions fill the square.",
)


# ---- Lorenz and ROC curves ----------------------------------------------------------------------


def plot_lorenz(
    curves: PRCurve | Iterable[PRCurve],
    ax: Axes | None = None,
    *,
    labels: Sequence[str] | None = None,
    truth: PRCurve | Sequence[PRCurve] | None = None,
    shade: bool = False,
    colors: Sequence[Any] | None = None,
    title: str | None = None,
    legend: bool = True,
) -> Axes:
    """Draw Lorenz curves F(t), with the diagonal of P = Q (2023 paper, Fig. 2).

    The share t of real mass is on the x axis, the least generated mass that goes with it on the y
    axis.  A horizontal start is mass of P that Q lacks, a vertical end mass of Q that P lacks.

    Parameters
    ----------
    curves, ax, labels, truth, colors, title, legend
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
    style = Style(labels, truth, colors, legend, "upper left", _on_diagonal if shade else None)
    return _draw_view(LORENZ, curves, ax, style, title)


def _lorenz_line(curve: PRCurve) -> Line:
    t, F = lorenz(curve).vertices
    needed = thinned(t, F, _TOLERANCE)
    return t[needed], F[needed]


def _lorenz_points(curve: PRCurve) -> dict[str, Any]:
    # The vertices of a Lorenz curve are in the reverse order of those of the error rates.
    t, F = lorenz(curve).vertices
    return _edge_points(curve, t, F, curve.vertices.ratio[:0:-1])


def _lorenz_record(curve: PRCurve) -> dict[str, Any]:
    t, F = lorenz(curve).vertices
    return {"t": t.tolist(), "F": F.tolist()}


LORENZ = View(
    name="lorenz",
    title="Lorenz",
    plot=plot_lorenz,
    line=_lorenz_line,
    points=_lorenz_points,
    record=_lorenz_record,
    x="share of real, $t$",
    y="least share of generated, $F(t)$",
    hover=("real", "generated"),
    about="Equal distributions are the diagonal. A level start is real mass that is not "
    "generated, an upright end generated mass that is not real. λ is the slope.",
    diagonal=True,
)


def plot_roc(
    curves: PRCurve | Iterable[PRCurve],
    ax: Axes | None = None,
    *,
    labels: Sequence[str] | None = None,
    truth: PRCurve | Sequence[PRCurve] | None = None,
    shade: bool = False,
    colors: Sequence[Any] | None = None,
    title: str | None = None,
    legend: bool = True,
) -> Axes:
    """Draw ROC curves of the likelihood-ratio classifiers, with the diagonal of P = Q.

    The x axis is the share of real samples rejected (fpr), the y axis that of generated samples
    rejected (1 − fnr).

    Parameters
    ----------
    curves, ax, labels, truth, colors, title, legend
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
    style = Style(labels, truth, colors, legend, "lower right", _on_diagonal if shade else None)
    return _draw_view(ROC, curves, ax, style, title)


def _roc_line(curve: PRCurve) -> Line:
    fpr, tpr = roc(curve)
    needed = thinned(fpr, tpr, _TOLERANCE)
    return fpr[needed], tpr[needed]


def _roc_points(curve: PRCurve) -> dict[str, Any]:
    fpr, tpr = roc(curve)
    return _edge_points(curve, fpr, tpr, curve.vertices.ratio[1:])


def _roc_record(curve: PRCurve) -> dict[str, Any]:
    rates = roc(curve)
    return {"fpr": rates.fpr.tolist(), "tpr": rates.tpr.tolist(), "area": rates.area}


ROC = View(
    name="roc",
    title="ROC",
    plot=plot_roc,
    line=_roc_line,
    points=_roc_points,
    record=_roc_record,
    x="real rejected (fpr)",
    y="generated rejected (1 − fnr)",
    hover=("real rejected", "generated rejected"),
    about="Of the best classifiers of real against generated samples. Equal "
    "distributions are the diagonal: nothing can be told apart.",
    diagonal=True,
)


# ---- divergence frontiers -----------------------------------------------------------------------


def plot_frontiers(
    curves: PRCurve | Iterable[PRCurve],
    ax: Axes | None = None,
    *,
    order: float | None = None,
    kind: str = "renyi",
    inclusive: bool = False,
    limit: float | None = None,
    labels: Sequence[str] | None = None,
    truth: PRCurve | Sequence[PRCurve] | None = None,
    colors: Sequence[Any] | None = None,
    title: str | None = None,
    legend: bool = True,
) -> Axes:
    """Draw divergence frontiers: D(μ‖P) on the x axis, D(μ‖Q) on the y axis.

    (2023 paper, Definition 8, Theorem 11; inclusive ones: Djolonga et al. 2020.)
    Nearer to the origin is better.  Lack of recall moves a frontier to the right, lack of precision
    moves it up.  The point (∞, ∞) of disjoint supports is not drawn.

    Parameters
    ----------
    curves, ax, labels, truth, colors, title, legend
        As for `plot_curves`.
    order : float, optional
        a in (0, ∞], for kind "tsallis" any number, as for `tsallis_frontier`; ∞, the default, is
        the PR curve on logarithmic scales.
    kind : str
        "renyi" (default), "tsallis", or "mauve": exp(−5 KL) of the inclusive frontier in the unit
        square, which has neither order nor limit and is inclusive; up and right is better there.
    inclusive : bool
        Draw D(P‖R) and D(Q‖R) instead, of compromises R with any support, as for
        `renyi_frontier`; False by default.
    limit : float, optional
        The upper end of both axes; by default five times the larger coordinate of the frontiers'
        middles, where the two coordinates are equal, or the end of the frontiers if that is less.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    ImportError, TypeError, ValueError
        As `plot_curves`; `order` not in (0, ∞], of "tsallis" not a number, another `kind`,
        `inclusive` not True or False, `limit` not in (0, ∞); one of them with "mauve".
    """
    if not is_word(kind, "renyi", "tsallis", "mauve"):
        raise WrongValue("kind", f"renyi, tsallis or mauve expected, got {kind!r}")
    inclusive = read_flag("inclusive", inclusive)
    for name, value in (("order", order), ("limit", limit), ("inclusive", inclusive or None)):
        if kind == "mauve" and value is not None:
            raise WrongValue(name, "only for kind renyi or tsallis")
    if order is None:
        order = math.inf
    elif kind == "tsallis":
        order = read_number("order", order, -math.inf, math.inf)
    else:
        order = read_positive("order", order)
    if limit is not None:
        limit = read_positive("limit", limit, finite=True)
    place = "lower left" if kind == "mauve" else "upper right"
    style = Style(labels, truth, colors, legend, place, clip=True)
    ax, lines = draw(curves, lambda curve: _frontier_line(curve, order, kind, inclusive), ax, style)
    if kind == "mauve":
        x, y = (rf"$\exp(-5\,\mathrm{{KL}}({name} \| R_\lambda))$" for name in "PQ")
        return square(ax, f"{x} (recall)", f"{y} (precision)", title)
    name = f"{order:g}".replace("inf", r"\infty")
    hat = r"\hat{D}" if kind == "tsallis" else "D"
    pair = r"{} \| R" if inclusive else r"\mu \| {}"
    x, y = (rf"${hat}_{{{name}}}({pair.format(side)})$" for side in "PQ")
    end = _frontier_end(lines) if limit is None else limit
    return square(ax, f"{x} (recall)", f"{y} (precision)", title, end)


def _frontier_line(
    curve: PRCurve, order: float = math.inf, kind: str = "renyi", inclusive: bool = False
) -> Line:
    if kind == "mauve":
        scaled = mauve_frontier(curve)
        return scaled.real, scaled.fake
    frontier_function = tsallis_frontier if kind == "tsallis" else renyi_frontier
    frontier = frontier_function(curve, order, inclusive=inclusive)
    return frontier.to_real, frontier.to_fake


def _frontier_end(lines: Sequence[Line]) -> float:
    """Return the end of axes that show the middle of every frontier, not all of its long tails."""
    middle = end = 0.0
    for x, y in lines:
        finite = np.isfinite(x) & np.isfinite(y)
        if finite.any():
            middle = max(middle, float(np.maximum(x, y)[finite].min()))
            end = max(end, float(x[finite].max()), float(y[finite].max()))
    return 1.05 * min(5 * middle, end) if middle > 1e-9 else 1.0


def _frontier_points(curve: PRCurve, order: float = math.inf) -> dict[str, Any]:
    """Return (D(μ‖P), D(μ‖Q)), at order ∞ (−log β_λ, −log α_λ) (2023 paper, Theorem 11)."""
    if not np.isinf(order):
        frontier = renyi_frontier(curve, order)
        needed = _thinned_points(frontier.to_real, frontier.to_fake)
        return _point_record(curve, frontier.to_real[needed], frontier.to_fake[needed], None)
    ratio = curve.vertices.ratio[1:]
    ratio = ratio[(ratio > 0) & np.isfinite(ratio)]
    if not ratio.size:  # no common support: the point (∞, ∞)
        return _point_record(curve, np.empty(0), np.empty(0), None)
    recall, precision = curve.outline(_TOLERANCE)
    with np.errstate(divide="ignore", invalid="ignore"):
        lam = precision / recall
    even = np.geomspace(ratio[-1], ratio[0], 201)
    lam = _descending(lam[(lam > ratio[-1]) & (lam < ratio[0])], ratio[[0, -1]], even)
    precision, recall = curve.at(lam)
    return _point_record(curve, -np.log(recall) + 0.0, -np.log(precision) + 0.0, lam)


def _frontier_record(
    curve: PRCurve, order: float = math.inf, inclusive: bool = False
) -> dict[str, Any]:
    frontier = renyi_frontier(curve, order, inclusive=inclusive)
    return {
        "order": for_json(order),
        "inclusive": inclusive,
        "to_real": [for_json(x) for x in frontier.to_real.tolist()],
        "to_fake": [for_json(x) for x in frontier.to_fake.tolist()],
    }


FRONTIER = View(
    name="frontier",
    title="Frontier",
    plot=plot_frontiers,
    line=_frontier_line,
    points=_frontier_points,
    record=_frontier_record,
    x="D<sub>{order}</sub>(μ‖P), recall",
    y="D<sub>{order}</sub>(μ‖Q), precision",
    hover=("to real", "to generated"),
    about="Rényi divergences of order {order} between a compromise μ and both sides: "
    "nearer to the origin is better. P is real, Q generated.",
    end=_frontier_end,
    options=("order",),
    flags=("inclusive",),
)


# ---- F-scores -----------------------------------------------------------------------------------


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
    ax.scatter(x, y, color=COLORS[0], s=24, zorder=2)
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
    return square(ax, f"$F_{{{beta:g}}}$ (recall)", f"$F_{{1/{beta:g}}}$ (precision)", title)


# ---- points for reports -------------------------------------------------------------------------


def _edge_points(curve: PRCurve, x: Float64s, y: Float64s, ratio: Float64s) -> dict[str, Any]:
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
    needed = _thinned_points(x, y)
    return _point_record(curve, x[needed], y[needed], lam[needed])


def _thinned_points(x: Float64s, y: Float64s) -> Any:
    """Return indices of the finite points that the line needs, and of one per step along it."""
    finite = np.isfinite(x) & np.isfinite(y)
    if x.size == 1 or not finite.all():
        return np.flatnonzero(finite)
    length = np.append(0.0, np.hypot(np.diff(x), np.diff(y)).cumsum())
    step = max(_STEP, float(length[-1]) / 400)
    _, first = np.unique(np.floor(length / step), return_index=True)
    return np.union1d(thinned(x, y, _TOLERANCE), first)


def _descending(*lam: Float64s) -> Float64s:
    """Return the distinct values of all arrays in descending order."""
    return np.unique(np.concatenate(lam))[::-1]


def _point_record(curve: PRCurve, x: Float64s, y: Float64s, lam: Float64s | None) -> dict[str, Any]:
    """Return the entry `View.points` of these points, with [λ, precision, recall] if λ is known."""
    at = None
    if lam is not None:
        precision, recall = curve.at(lam)
        at = [
            [f"{value:.4g}".replace("inf", "∞"), f"{alpha:.4f}", f"{beta:.4f}"]
            for value, alpha, beta in zip(lam, precision, recall, strict=True)
        ]
    return {"x": np.round(x, 6).tolist(), "y": np.round(y, 6).tolist(), "at": at}


# ---- the table of the views ---------------------------------------------------------------------


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
