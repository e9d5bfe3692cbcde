"""What the command line says of curves and metrics: lines of text, and numbers for JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from prfast.curve import PRCurve
from prfast.curve.summary import shown
from prfast.metrics.result import Metrics
from prfast.results.info import agreed
from prfast.results.text import aligned, as_text


def numbers(curve: PRCurve) -> dict[str, float | None]:
    """The numbers of a curve for the JSON; None for what does not exist."""
    found = {row.key: row.value(curve) for row in shown("json")}
    return {key: None if math.isnan(value) else value for key, value in found.items()}


def intervals(curve: PRCurve) -> dict[str, list[float]]:
    """Where these numbers may lie, at a level of 0.95, for the JSON."""
    found = {row.key: curve.interval(row.key) for row in shown("interval")}
    return {f"{key}_interval": [one.low, one.high] for key, one in found.items()}


def table(names: Sequence[str], curves: Sequence[PRCurve]) -> list[str]:
    """A line a file, and what all curves agree on."""
    columns = [(row.title, row.value) for row in shown("table")]
    lines = [["", *(title for title, _ in columns)]]
    for name, curve in zip(names, curves, strict=True):
        lines.append([name, *(as_text(number(curve), ".4f") for _, number in columns)])
    return [*aligned(lines, least=10), "", _common([curve.info for curve in curves])]


def metrics_table(names: Sequence[str], found: Sequence[dict[int, Metrics]]) -> list[str]:
    """A block a k."""
    lines = []
    for k in found[0]:
        lines += [*rows(f"k = {k}", names, [one[k] for one in found], ".4f"), ""]
    return [*lines, _common([one[k].info for one in found for k in one], ["k"])]


def rows(
    title: str, names: Sequence[str], found: Sequence[Mapping[str, float]], digits: str
) -> list[str]:
    """Names of numbers down, files across."""
    lines = [[name, *(as_text(one[name], digits) for one in found)] for name in found[0]]
    return aligned([[title, *names], *lines], least=8)


def _common(infos: Sequence[Any], but: Sequence[str] = ()) -> str:
    """What all records agree on, in one line."""
    return ", ".join(f"{key} {value}" for key, value in agreed(infos).items() if key not in but)
