"""What --view of the command line and `view` of PRCurve.plot name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prfast.plots.frontiers import plot_frontiers
from prfast.plots.lorenz import plot_lorenz
from prfast.plots.pr import plot_curves
from prfast.plots.roc import plot_roc

VIEWS: dict[str, Callable[..., Any]] = {
    "pr": plot_curves,
    "lorenz": plot_lorenz,
    "roc": plot_roc,
    "frontier": plot_frontiers,
}
