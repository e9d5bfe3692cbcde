"""Pictures: PRCurve -> matplotlib axes.  matplotlib is imported where it is used (extra: plot).

plots       a function a picture: PR, Lorenz and ROC curves, frontiers, F_β against F_1/β
drawing     what all pictures share: figures, lines and their legend, square axes
records     the points of a view for JSON
"""

from prfast.plots.drawing import COLOURS, new_axes, new_figure
from prfast.plots.plots import (
    VIEWS,
    plot_curves,
    plot_f_scores,
    plot_frontiers,
    plot_lorenz,
    plot_roc,
)

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
