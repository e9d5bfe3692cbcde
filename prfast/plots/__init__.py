"""Pictures: PRCurve -> matplotlib axes.  matplotlib is imported where it is used (extra: plot).

pr, lorenz, roc, frontiers, f_scores     a picture each: its function, its points
views       the pictures that are views of one curve, by name
points      points that can be pointed at, each with its λ
drawing     what all pictures share: figures, lines and their legend, square axes
records     the points of a view for JSON
"""

from prfast.plots.drawing import COLOURS, new_axes, new_figure
from prfast.plots.f_scores import plot_f_scores
from prfast.plots.frontiers import plot_frontiers
from prfast.plots.lorenz import plot_lorenz
from prfast.plots.pr import plot_curves
from prfast.plots.roc import plot_roc
from prfast.plots.views import VIEWS

__all__ = [
    "COLOURS",
    "VIEWS",
    "new_axes",
    "new_figure",
    "plot_curves",
    "plot_f_scores",
    "plot_frontiers",
    "plot_lorenz",
    "plot_roc",
]
