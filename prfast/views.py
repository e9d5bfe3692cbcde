"""Other views of a curve as records for JSON; numbers that are infinite are the string "inf"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from prfast.curve import PRCurve
from prfast.frontiers import renyi_frontier
from prfast.samples import Float64s
from prfast.tradeoffs import lorenz, roc


def view_record(curve: PRCurve, view: str, order: float = np.inf) -> dict[str, Any]:
    """The points of a view of a curve, the one that `prfast.plots.VIEWS` draws by that name.

    pr: recall and precision of an outline to 10⁻⁴; lorenz: t and F; roc: fpr, tpr and area;
    frontier: order, to_real and to_fake.
    """
    return {"view": view} | _RECORDS[view](curve, order)


def _pr(curve: PRCurve, order: float) -> dict[str, Any]:
    recall, precision = curve.outline()
    return {"recall": recall.tolist(), "precision": precision.tolist()}


def _lorenz(curve: PRCurve, order: float) -> dict[str, Any]:
    t, F = lorenz(curve).vertices
    return {"t": t.tolist(), "F": F.tolist()}


def _roc(curve: PRCurve, order: float) -> dict[str, Any]:
    found = roc(curve)
    return {"fpr": found.fpr.tolist(), "tpr": found.tpr.tolist(), "area": found.area}


def _frontier(curve: PRCurve, order: float) -> dict[str, Any]:
    found = renyi_frontier(curve, order)
    (shown,) = _numbers(np.array([order], np.float64))
    return {
        "order": shown,
        "to_real": _numbers(found.to_real),
        "to_fake": _numbers(found.to_fake),
    }


def _numbers(values: Float64s) -> list[float | str]:
    return [value if np.isfinite(value) else "inf" for value in values.tolist()]


_RECORDS: dict[str, Callable[[PRCurve, float], dict[str, Any]]] = {
    "pr": _pr,
    "lorenz": _lorenz,
    "roc": _roc,
    "frontier": _frontier,
}
VIEWS = tuple(_RECORDS)
