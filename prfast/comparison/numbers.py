"""The numbers of a model's curves and its metrics, in one list, each with what its ± is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prfast.curve import PRCurve
from prfast.curve.summary import shown
from prfast.estimate.intervals import has_intervals, several_intervals
from prfast.inputs.options import read_share
from prfast.results.text import as_text, curve_name
from prfast.scalars.errors import half_width_of
from prfast.scalars.halves import Halves
from prfast.scalars.result import Metrics
from prfast.scalars.table import WHOLES, digits

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
    half: float | None
    for (method, k), curve in curves.items():
        rows = shown("comparison")
        widths: list[float | None] = [None] * len(rows)
        if level is not None and has_intervals(curve):
            intervals = several_intervals(curve, [row.value for row in rows], level)
            widths = [one.half_width for one in intervals]
        for row, half in zip(rows, widths, strict=True):
            found[f"{curve_name(method, k)}: {row.title}"] = row.value(curve), half
    for name, value in metrics.items():
        half = None
        if level is not None:
            half = half_width_of(name, value, metrics.errors, halves, level)
        found[name] = value, half
    return found


def digits_of(name: str, known: bool) -> str:
    """How a number is printed: with one digit less where a ± stands behind it, unless it is a
    metric that has a unit and digits of its own."""
    if name in WHOLES:
        return digits(name)
    return ".3f" if known else ".4f"


def cell(name: str, value: float, half: float | None, known: bool) -> str:
    """A number of a table, as "0.712 ±.014" where ± is known, with room for it where that of others
    is."""
    digits = digits_of(name, known)
    if not known:
        return as_text(value, digits)
    told = "" if half is None else "±" + as_text(half, digits).removeprefix("0")
    return f"{as_text(value, digits)} {told:5}"
