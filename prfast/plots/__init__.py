"""Pictures: PRCurve -> matplotlib axes.  matplotlib is imported where it is used (extra: plot).

One polyline of error rates is a PR curve (2019 paper, Theorem 4), a Lorenz curve, a ROC curve (2019
paper, §5) and a divergence frontier (2023 paper, Theorem 11).  Each of these views is a file, and a
row of one table.

    PRCurve ─► a view ─┬ line ───► plot_curves, plot_lorenz, plot_roc, plot_frontiers ─► axes
                       ├ points, each with its λ ─► report
                       └ record ─► JSON of the command line

    views       the rows: what PRCurve.plot, --view and reports show, by name
    row         what is in a row
    pr, lorenz, roc, frontiers      a view each: its function, line, points, record, words
    f_scores    F_β against F_1/β, a point a curve
    phi_lorenz  the φ-Lorenz diagram of a curve, with the divergence in it
    points      points that can be pointed at
    drawing     what all pictures share: figures, lines and their legend, square axes
    shown       figures and axes that a notebook shows
"""

from prfast.plots.drawing import COLOURS, new_axes, new_figure
from prfast.plots.frontiers import plot_frontiers
from prfast.plots.lorenz import plot_f_scores, plot_lorenz, plot_roc
from prfast.plots.phi_lorenz import plot_phi_lorenz
from prfast.plots.pr import VIEWS, plot_curves, small_png

__all__ = [
    "COLOURS",
    "VIEWS",
    "new_axes",
    "new_figure",
    "plot_curves",
    "plot_f_scores",
    "plot_frontiers",
    "plot_lorenz",
    "plot_phi_lorenz",
    "plot_roc",
    "small_png",
]
