"""F_β against F_1/β."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from prfast.curve import PRCurve
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_number
from prfast.plots.drawing import COLOURS, diagonal, new_axes, plain, read_curves, unit_square

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_f_scores(
    curves: PRCurve | Iterable[PRCurve],
    ax: Axes | None = None,
    *,
    labels: Sequence[str] | None = None,
    beta: float = 8.0,
    title: str | None = None,
) -> Axes:
    """F_β against F_1/β, one point a curve (2018 paper, Fig. 7).

    To the right of the diagonal recall is the better of the two, above it precision.

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
            plain(label),
            (x[i], y[i]),
            xytext=(5 * side, 4),
            textcoords="offset points",
            ha="right" if side < 0 else "left",
            fontsize="small",
        )
    return unit_square(ax, f"$F_{{{beta:g}}}$ (recall)", f"$F_{{1/{beta:g}}}$ (precision)", title)
