"""The view of divergence frontiers: Rényi's, Tsallis' and MAUVE's."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from prfast.curve import PRCurve
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import is_word, read_flag, read_number, read_positive
from prfast.plots.drawing import Line, Style, View, draw, lines_of, square, unit_square
from prfast.plots.lorenz import TOLERANCE, descending, point_record, thinned_points
from prfast.results.values import for_json
from prfast.theory import mauve_frontier, renyi_frontier, tsallis_frontier

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    colours: Sequence[Any] | None = None,
    title: str | None = None,
    legend: bool = True,
) -> Axes:
    """Draw divergence frontiers: D(μ‖P) on the x axis, D(μ‖Q) on the y axis.

    (2023 paper, Definition 8, Theorem 11; inclusive ones: Djolonga et al. 2020.)
    Nearer to the origin is better.  Lack of recall moves a frontier to the right, lack of precision
    moves it up.  The point (∞, ∞) of disjoint supports is not drawn.

    Parameters
    ----------
    curves, ax, labels, truth, colours, title, legend
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
    order = _order(kind, order)
    if limit is not None:
        limit = read_positive("limit", limit, finite=True)
    place = "lower left" if kind == "mauve" else "upper right"
    style = Style(labels, truth, colours, legend, place, clip=True)
    lines = lines_of(curves, lambda curve: _line(curve, order, kind, inclusive), style)
    ax = draw(lines, ax, style)
    if kind == "mauve":
        x, y = (rf"$\exp(-5\,\mathrm{{KL}}({name} \| R_\lambda))$" for name in "PQ")
        return unit_square(ax, f"{x} (recall)", f"{y} (precision)", title)
    name = f"{order:g}".replace("inf", r"\infty")
    hat = r"\hat{D}" if kind == "tsallis" else "D"
    pair = r"{} \| R" if inclusive else r"\mu \| {}"
    x, y = (rf"${hat}_{{{name}}}({pair.format(side)})$" for side in "PQ")
    end = _end([*lines.curves, *lines.truths]) if limit is None else limit
    return square(ax, end, f"{x} (recall)", f"{y} (precision)", title)


def _order(kind: str, order: Any) -> float:
    if order is None:
        return math.inf
    if kind == "tsallis":
        return read_number("order", order, -math.inf, math.inf)
    return read_positive("order", order)


def _line(
    curve: PRCurve, order: float = math.inf, kind: str = "renyi", inclusive: bool = False
) -> Line:
    if kind == "mauve":
        scaled = mauve_frontier(curve)
        return scaled.real, scaled.fake
    frontier_function = tsallis_frontier if kind == "tsallis" else renyi_frontier
    frontier = frontier_function(curve, order, inclusive=inclusive)
    return frontier.to_real, frontier.to_fake


def _end(lines: Sequence[Line]) -> float:
    """Return the end of axes that show the middle of every frontier, not all of its long tails."""
    middle = end = 0.0
    for x, y in lines:
        finite = np.isfinite(x) & np.isfinite(y)
        if finite.any():
            middle = max(middle, float(np.maximum(x, y)[finite].min()))
            end = max(end, float(x[finite].max()), float(y[finite].max()))
    return 1.05 * min(5 * middle, end) if middle > 1e-9 else 1.0


def _points(curve: PRCurve, order: float = math.inf) -> dict[str, Any]:
    """Return (D(μ‖P), D(μ‖Q)), at order ∞ (−log β_λ, −log α_λ) (2023 paper, Theorem 11)."""
    if not np.isinf(order):
        frontier = renyi_frontier(curve, order)
        needed = thinned_points(frontier.to_real, frontier.to_fake)
        return point_record(curve, frontier.to_real[needed], frontier.to_fake[needed], None)
    ratio = curve.vertices.ratio[1:]
    ratio = ratio[(ratio > 0) & np.isfinite(ratio)]
    if not ratio.size:  # no common support: the point (∞, ∞)
        return point_record(curve, np.empty(0), np.empty(0), None)
    recall, precision = curve.outline(TOLERANCE)
    with np.errstate(divide="ignore", invalid="ignore"):
        lam = precision / recall
    even = np.geomspace(ratio[-1], ratio[0], 201)
    lam = descending(lam[(lam > ratio[-1]) & (lam < ratio[0])], ratio[[0, -1]], even)
    precision, recall = curve.at(lam)
    return point_record(curve, -np.log(recall) + 0.0, -np.log(precision) + 0.0, lam)


def _for_json(curve: PRCurve, order: float = math.inf, inclusive: bool = False) -> dict[str, Any]:
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
    line=_line,
    points=_points,
    record=_for_json,
    x="D<sub>{order}</sub>(μ‖P), recall",
    y="D<sub>{order}</sub>(μ‖Q), precision",
    hover=("to real", "to generated"),
    about="Rényi divergences of order {order} between a compromise μ and both sides: "
    "nearer to the origin is better. P is real, Q generated.",
    end=_end,
    options=("order",),
    flags=("inclusive",),
)
