"""Lorenz curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from prfast.curve import PRCurve
from prfast.curve.outline import thinned
from prfast.plots.drawing import Style, draw_view, itself
from prfast.plots.points import TOLERANCE, polyline
from prfast.plots.row import Line, View
from prfast.tradeoffs import lorenz

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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


def _line(curve: PRCurve) -> Line:
    t, F = lorenz(curve).vertices
    kept = thinned(t, F, TOLERANCE)
    return t[kept], F[kept]


def _points(curve: PRCurve) -> dict[str, Any]:
    # The vertices run against those of the error rates.
    t, F = lorenz(curve).vertices
    return polyline(curve, t, F, curve.vertices.ratio[:0:-1])


def _for_json(curve: PRCurve) -> dict[str, Any]:
    t, F = lorenz(curve).vertices
    return {"t": t.tolist(), "F": F.tolist()}


LORENZ = View(
    name="lorenz",
    title="Lorenz",
    plot=plot_lorenz,
    line=_line,
    points=_points,
    record=_for_json,
    x="share of real, $t$",
    y="least share of generated, $F(t)$",
    hover=("real", "generated"),
    about="Equal distributions are the diagonal. A level start is real mass that is not "
    "generated, an upright end generated mass that is not real. λ is the slope.",
    diagonal=True,
)
