"""Plots of PR curves with matplotlib, imported where it is used (extra: plot).

A polyline of error rates is a PR curve (2019, Theorem 4), a Lorenz and a ROC curve (2019, §5) and a
divergence frontier (2023, Theorem 11).

    views       PR, Lorenz and ROC curves, frontiers, F-scores; confidence bands
    summaries   profiles
    drawing     figures, lines with legend and bands, square axes
"""

from prfast.plots.drawing import COLORS, new_axes, new_figure
from prfast.plots.summaries import plot_profiles
from prfast.plots.views import (
    VIEWS,
    plot_curves,
    plot_f_scores,
    plot_frontiers,
    plot_lorenz,
    plot_roc,
)

__all__ = [
    "COLORS",
    "VIEWS",
    "new_axes",
    "new_figure",
    "plot_curves",
    "plot_f_scores",
    "plot_frontiers",
    "plot_lorenz",
    "plot_profiles",
    "plot_roc",
]
