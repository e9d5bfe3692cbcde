"""Other views of a curve as records for JSON; numbers that are infinite are the string "inf"."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from prfast.curve import PRCurve
from prfast.divergences import renyi_frontier
from prfast.results.text import for_json
from prfast.tradeoffs import lorenz, roc


def view_record(curve: PRCurve, view: str, **options: Any) -> dict[str, Any]:
    """The points of a view of a curve, the one that `prfast.plots.VIEWS` draws by that name.

    pr: recall and precision of an outline to 10⁻⁴; lorenz: t and F; roc: fpr, tpr and area;
    frontier: order, an option, to_real and to_fake.
    """
    return {"view": view} | _RECORDS[view](curve, **options)


def _pr(curve: PRCurve) -> dict[str, Any]:
    recall, precision = curve.outline()
    return {"recall": recall.tolist(), "precision": precision.tolist()}


def _lorenz(curve: PRCurve) -> dict[str, Any]:
    t, F = lorenz(curve).vertices
    return {"t": t.tolist(), "F": F.tolist()}


def _roc(curve: PRCurve) -> dict[str, Any]:
    found = roc(curve)
    return {"fpr": found.fpr.tolist(), "tpr": found.tpr.tolist(), "area": found.area}


def _frontier(curve: PRCurve, order: float = math.inf) -> dict[str, Any]:
    found = renyi_frontier(curve, order)
    return {
        "order": for_json(order),
        "to_real": [for_json(x) for x in found.to_real.tolist()],
        "to_fake": [for_json(x) for x in found.to_fake.tolist()],
    }


_RECORDS: dict[str, Callable[..., dict[str, Any]]] = {
    "pr": _pr,
    "lorenz": _lorenz,
    "roc": _roc,
    "frontier": _frontier,
}
VIEWS = tuple(_RECORDS)
