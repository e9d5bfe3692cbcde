"""Other views of a curve as records for JSON; numbers that are infinite are the string "inf"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prfast.curve import PRCurve
from prfast.plots import frontiers, lorenz, pr, roc


def view_record(curve: PRCurve, view: str, **options: Any) -> dict[str, Any]:
    """The points of a view of a curve, the one that `prfast.plots.VIEWS` draws by that name.

    pr: recall and precision of an outline to 10⁻⁴; lorenz: t and F; roc: fpr, tpr and area;
    frontier: order, an option, to_real and to_fake.
    """
    return {"view": view} | _RECORDS[view](curve, **options)


_RECORDS: dict[str, Callable[..., dict[str, Any]]] = {
    "pr": pr._for_json,
    "lorenz": lorenz._for_json,
    "roc": roc._for_json,
    "frontier": frontiers._for_json,
}
VIEWS = tuple(_RECORDS)
