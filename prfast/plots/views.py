"""The views of a curve: PR, Lorenz and ROC curves, divergence frontiers; and the plot of F-scores.

`VIEWS` has the function of each view, for `PRCurve.plot`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.polyline import thinned
from prfast.inputs.errors import ArgumentError, WrongValue
from prfast.inputs.options import is_word, read_flag, read_number, read_positive, read_share
from prfast.plots.drawing import (
    COLORS,
    Band,
    Line,
    diagonal,
    draw,
    literal_text,
    new_axes,
    read_curves,
    read_labels,
    square,
)
from prfast.theory import mauve_frontier, renyi_frontier, tsallis_frontier
from prfast.theory.tradeoffs import lorenz, roc

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TOLERANCE = 1e-4  # largest error of a thinned line, in widths of the unit square


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
    Example: ``ax = prfast.plots.plot_curves(prfast.reference.TOYS["a"].curve())``.
    See also `plot_lorenz` and `prfast.report.write_report`.

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
        A confidence level such as 0.95.  `PRCurve.band` is filled; it contains the curve of the
        scorer.  `PRCurve.upper`, an upper bound of the true curve, is dotted.  The legend names a
        bound that is empirical, as for samples scored in folds or without a split.
    colors : sequence of matplotlib colors, optional
        Cycled through; by default seven, and lines whose color repeats are dashed.
    title : str, optional
    legend : bool
        Show the labels, True by default.  More than four entries are placed below new axes, in a
        legend of their figure, or beside axes that are passed as `ax`.

    Raises
    ------
    ImportError, TypeError, ValueError
        matplotlib is missing; something that is not a PRCurve; not as many labels or truths as
        curves.  Given `band`, not a confidence in (0, 1), or a curve that does not count samples.
    """
    base = (lambda x: 0.0) if shade else None
    curves, bands = read_curves("curves", curves), []
    if band is not None:
        band = read_share("band", band)
        for i, curve in enumerate(curves):
            try:
                bands.append(band_of(curve, band))
            except ArgumentError as error:
                raise error.renamed(f"curves[{i}]") from None
    how: dict[str, Any] = {"labels": labels, "truth": truth, "colors": colors, "legend": legend}
    ax, _ = draw(curves, PRCurve.outline, ax, place="lower left", base=base, bands=bands, **how)
    return square(ax, "recall", "precision", title)


def band_of(curve: PRCurve, confidence: float) -> Band:
    """Return the confidence band of a curve and the upper bound of the true one."""
    (x, y), (above_x, above_y) = (bound.outline() for bound in curve.band(confidence))
    upper = curve.upper(confidence)
    certified = upper.provenance.certified is True
    label = f"{100 * confidence:g} %: the true curve is below{' (empirical)' * (not certified)}"
    outline = np.concatenate([above_x, x[::-1]]), np.concatenate([above_y, y[::-1]])
    return Band(*outline, upper.outline(), label, certified)


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
    """Draw Lorenz curves F(t), with the diagonal of P = Q (2023, Fig. 2).

    The x axis is the share t of real mass, the y axis the least generated mass that goes with it.
    A horizontal start is mass of P that Q lacks, a vertical end mass of Q that P lacks.
    Example: ``ax = prfast.plots.plot_lorenz(prfast.reference.TOYS["a"].curve())``.
    See also `prfast.theory.lorenz`.

    Parameters
    ----------
    curves, ax, labels, truth, colors, title, legend
        See `plot_curves`, with its errors.
    shade : bool
        Fill the area between each curve and the diagonal, half of the Lorenz diagram, lightly;
        False by default.
    """
    sides, place = ("share of real, $t$", "least share of generated, $F(t)$"), "upper left"
    how: dict[str, Any] = {"labels": labels, "truth": truth, "colors": colors, "legend": legend}
    how |= {"shade": shade, "title": title, "place": place}
    return _plot_rates(curves, ax, lambda curve: lorenz(curve).vertices, sides, **how)


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
    Example: ``ax = prfast.plots.plot_roc(prfast.reference.TOYS["a"].curve())``.
    See also `prfast.theory.roc`.

    Parameters
    ----------
    curves, ax, labels, truth, colors, title, legend
        See `plot_curves`, with its errors.
    shade : bool
        Fill the area between each curve and the diagonal lightly; False by default.
    """
    sides, place = ("real rejected (fpr)", "generated rejected (1 − fnr)"), "lower right"
    how: dict[str, Any] = {"labels": labels, "truth": truth, "colors": colors, "legend": legend}
    how |= {"shade": shade, "title": title, "place": place}
    return _plot_rates(curves, ax, roc, sides, **how)


def _plot_rates(
    curves: Any, ax: Any, vertices: Any, sides: Any, *, shade: bool, title: Any, **how: Any
) -> Axes:
    """Draw polylines in the unit square, and the diagonal; how: options of `draw`."""

    def line_of(curve: PRCurve) -> Line:
        x, y = vertices(curve)
        needed = thinned(x, y, _TOLERANCE)
        return x[needed], y[needed]

    ax, _ = draw(curves, line_of, ax, base=(lambda x: x) if shade else None, **how)
    diagonal(ax)
    return square(ax, sides[0], sides[1], title)


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

    (2023, Definition 8, Theorem 11; inclusive ones: Djolonga et al. 2020.)  Nearer to the origin is
    better.  Lack of recall moves a frontier to the right, lack of precision moves it up.  The point
    (∞, ∞) of disjoint supports is not drawn.
    Example: ``ax = prfast.plots.plot_frontiers(prfast.reference.TOYS["a"].curve())``.
    See also `prfast.theory.renyi_frontier`.

    Parameters
    ----------
    curves, ax, labels, truth, colors, title, legend
        See `plot_curves`.
    order : float, optional
        a in (0, ∞], for kind "tsallis" any number, as for `tsallis_frontier`; ∞, the default, is
        the PR curve on logarithmic scales.
    kind : str
        "renyi" (default), "tsallis", or "mauve": exp(−5 KL) of the inclusive frontier in the unit
        square.  The last is inclusive, without order or limit; up and right is better.
    inclusive : bool
        Draw D(P‖R) and D(Q‖R) instead, of compromises R with any support, as for
        `renyi_frontier`; False by default.
    limit : float, optional
        The upper end of both axes.  Default: five times the larger coordinate of the frontiers'
        middles, the points of equal coordinates, or the end of the frontiers if that is less.

    Raises
    ------
    ImportError, TypeError, ValueError
        See `plot_curves`; values out of these ranges; order, limit or inclusive with "mauve".
    """
    if not is_word(kind, "renyi", "tsallis", "mauve"):
        raise WrongValue("kind", f"renyi, tsallis or mauve expected, got {kind!r}")
    inclusive = read_flag("inclusive", inclusive)
    for name, value in (("order", order), ("limit", limit), ("inclusive", inclusive or None)):
        if kind == "mauve" and value is not None:
            raise WrongValue(name, "only for kind renyi or tsallis")
    order = math.inf if order is None else order
    if kind == "tsallis":
        order = read_number("order", order, -math.inf, math.inf)
    else:
        order = read_positive("order", order)
    if limit is not None:
        limit = read_positive("limit", limit, finite=True)

    def line_of(curve: PRCurve) -> Line:
        if kind == "mauve":
            to_fake, to_real = mauve_frontier(curve)
        else:
            frontier = tsallis_frontier if kind == "tsallis" else renyi_frontier
            to_fake, to_real = frontier(curve, order, inclusive=inclusive)
        return to_real, to_fake

    how: dict[str, Any] = {"labels": labels, "truth": truth, "colors": colors, "legend": legend}
    how["place"] = "lower left" if kind == "mauve" else "upper right"
    ax, lines = draw(curves, line_of, ax, clip=True, **how)
    if kind == "mauve":
        x, y = (rf"$\exp(-5\,\mathrm{{KL}}({name} \| R_\lambda))$" for name in "PQ")
        return square(ax, f"{x} (recall)", f"{y} (precision)", title)
    name = f"{order:g}".replace("inf", r"\infty")
    hat = r"\hat{D}" if kind == "tsallis" else "D"
    pair = r"{} \| R" if inclusive else r"\mu \| {}"
    x, y = (rf"${hat}_{{{name}}}({pair.format(side)})$" for side in "PQ")
    if limit is None:  # the middle of every frontier, not all of its long tails
        middle = end = 0.0
        for across, up in lines:
            finite = np.isfinite(across) & np.isfinite(up)
            if finite.any():
                middle = max(middle, float(np.maximum(across, up)[finite].min()))
                end = max(end, float(across[finite].max()), float(up[finite].max()))
        limit = 1.05 * min(5 * middle, end) if middle > 1e-9 else 1.0
    return square(ax, f"{x} (recall)", f"{y} (precision)", title, limit)


def plot_f_scores(
    curves: PRCurve | Iterable[PRCurve],
    ax: Axes | None = None,
    *,
    labels: Sequence[str] | None = None,
    beta: float = 8.0,
    title: str | None = None,
) -> Axes:
    """Draw F_β against F_1/β, one point per curve (2018, Fig. 7).

    Below the diagonal recall is higher than precision, above it precision.
    Example: ``ax = prfast.plots.plot_f_scores(prfast.reference.TOYS["a"].curve())``.
    See also `plot_curves`.

    Parameters
    ----------
    curves, ax, title
        See `plot_curves`, with its errors.
    labels : sequence of str, optional
        Written beside the points.
    beta : float
        Weight of recall, in [1, ∞]; 8 by default, as in the paper.
    """
    curves = read_curves("curves", curves)
    beta = read_number("beta", beta, 1.0, float("inf"))
    labels = None if labels is None else read_labels(labels, len(curves))
    ax = new_axes() if ax is None else ax
    x, y = ([curve.f_score(b) for curve in curves] for b in (beta, 1 / beta))
    diagonal(ax)
    ax.scatter(x, y, color=COLORS[0], s=24, zorder=2)
    for i, label in enumerate(labels or ()):
        # Away from the right and the upper edge, where the text would leave the axes.
        side, align = (-5, "right") if x[i] > 0.8 else (5, "left")
        at = side, 4 if y[i] < 0.95 else -11
        place: dict[str, Any] = {"xytext": at, "textcoords": "offset points", "ha": align}
        ax.annotate(literal_text(label), (x[i], y[i]), fontsize="small", **place)
    return square(ax, f"$F_{{{beta:g}}}$ (recall)", f"$F_{{1/{beta:g}}}$ (precision)", title)


VIEWS: dict[str, Callable[..., Any]] = {
    "pr": plot_curves,
    "lorenz": plot_lorenz,
    "roc": plot_roc,
    "frontier": plot_frontiers,
}


def plot_view(curves: Any, ax: Axes | None = None, *, view: str = "pr", **options: Any) -> Axes:
    """Draw curves by the function of a view, as `PRCurve.plot`."""
    if view not in VIEWS:
        raise WrongValue("view", f"one of {', '.join(VIEWS)} expected, got {view!r}")
    return VIEWS[view](curves, ax=ax, **options)
