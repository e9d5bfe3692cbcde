"""The views of a curve, a row each: what `PRCurve.plot`, `prfast curve --view` and reports show.

A new view is a file such as `lorenz.py` and its row here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from prfast.curve import PRCurve
from prfast.plots.frontiers import FRONTIER
from prfast.plots.lorenz import LORENZ
from prfast.plots.pr import PR
from prfast.plots.roc import ROC

ROWS = {row.name: row for row in (PR, LORENZ, ROC, FRONTIER)}
VIEWS: dict[str, Callable[..., Any]] = {name: row.plot for name, row in ROWS.items()}


def view_record(curve: PRCurve, view: str, **options: Any) -> dict[str, Any]:
    """The points of a view of a curve for JSON; numbers that are infinite are "inf"."""
    return {"view": view} | ROWS[view].record(curve, **options)


def view_points(curve: PRCurve, **options: Any) -> dict[str, dict[str, Any]]:
    """{view: points on the exact curve, each with its λ}."""
    return {name: row.points(curve, **row.own(options)) for name, row in ROWS.items()}


def view_axes(
    points: Sequence[Mapping[str, dict[str, Any]]], order: float
) -> dict[str, dict[str, Any]]:
    """{view: what its picture says beside the points of these curves}."""
    return {name: row.axes([one[name] for one in points], order) for name, row in ROWS.items()}
