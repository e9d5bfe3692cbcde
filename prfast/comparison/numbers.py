"""The numbers of a model's curves and its metrics, in one list, each with what its ± is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prfast.curve import PRCurve
from prfast.curve.summary import shown
from prfast.estimate.intervals import several_intervals
from prfast.estimate.redraw import scored
from prfast.inputs.options import read_share
from prfast.metrics.halves import Halves
from prfast.results.text import curve_name

Told = tuple[float, float | None]  # a value and its half width, None where it is not known


def numbers_of(
    curves: Mapping[Any, PRCurve],
    metrics: Mapping[str, float],
    halves: Halves | None = None,
    confidence: float | None = None,
) -> dict[str, Told]:
    """{heading: (value, half width)}, of each curve, as "auto: area", and then of the metrics."""
    level = None if confidence is None else read_share("confidence", confidence)
    found: dict[str, Told] = {}
    for (method, k), curve in curves.items():
        rows = shown("comparison")
        widths: list[float | None] = [None] * len(rows)
        if level is not None and scored(curve) is not None:
            intervals = several_intervals(curve, [row.value for row in rows], level)
            widths = [one.half_width for one in intervals]
        for row, half in zip(rows, widths, strict=True):
            found[f"{curve_name(method, k)}: {row.title}"] = row.value(curve), half
    for name, value in metrics.items():
        known = None if level is None or halves is None else halves.half_width(name, level)
        found[name] = value, known
    return found
