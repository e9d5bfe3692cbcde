"""The numbers of a model's curves and its metrics, in one list, each with what its ± is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prfast.curve import PRCurve
from prfast.curve.summary import shown
from prfast.estimate.intervals import quantile, several_intervals
from prfast.estimate.redraw import scored
from prfast.inputs.options import read_share
from prfast.metrics.halves import Halves
from prfast.metrics.result import Metrics
from prfast.metrics.table import WHOLES, digits
from prfast.results.text import curve_name

Told = tuple[float, float | None]  # a value and its half width, None where it is not known


def numbers_of(
    curves: Mapping[Any, PRCurve],
    metrics: Metrics,
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
        found[name] = value, None if level is None else _half_width(name, metrics, halves, level)
    return found


def digits_of(name: str, known: bool) -> str:
    """How a number is printed: with one digit less where a ± stands behind it, unless it is a
    metric that has a unit and digits of its own."""
    if name in WHOLES:
        return digits(name)
    return ".3f" if known else ".4f"


def _half_width(
    name: str, metrics: Metrics, halves: Halves | None, confidence: float
) -> float | None:
    """Of a metric: from halves of the samples, or from its standard error."""
    if halves is not None:
        return halves.half_width(name, confidence)
    error = metrics.errors.get(name)
    return None if error is None else quantile(confidence) * error
