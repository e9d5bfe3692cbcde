"""The lines of a report: points on the exact curve in each view, each with its λ.

A point is where the line of slope λ touches, so that one λ, precision and recall belong to it in
every view.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.curve import PRCurve
from prfast.plots import frontiers, lorenz, pr, roc


def lines(curve: PRCurve, order: float = np.inf) -> dict[str, dict[str, Any]]:
    """{view: {"x", "y", "at"}}, at: [λ, precision, recall] as text a point, or none of them."""
    return {
        "pr": pr._points(curve),
        "lorenz": lorenz._points(curve),
        "roc": roc._points(curve),
        "frontier": frontiers._points(curve, order),
    }
