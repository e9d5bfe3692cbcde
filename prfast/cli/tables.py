"""What the command line says of curves and metrics: lines of text, and numbers for JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from prfast.curve import PRCurve
from prfast.curve.summary import shown
from prfast.metrics.result import Metrics


def numbers(curve: PRCurve) -> dict[str, float | None]:
    """The numbers of a curve for the JSON; None for what does not exist."""
    found = {row.key: row.value(curve) for row in shown("json")}
    return {key: None if math.isnan(value) else value for key, value in found.items()}


def table(names: Sequence[str], curves: Sequence[PRCurve]) -> list[str]:
    """A line a file, and what all curves agree on."""
    columns = [(row.title, row.value) for row in shown("table")]
    width = max(4, *(len(name) for name in names))
    lines = [" " * width + "".join(f"  {title:>10}" for title, _ in columns)]
    for name, curve in zip(names, curves, strict=True):
        cells = (f"  {number(curve):>{max(10, len(title))}.4f}" for title, number in columns)
        lines.append(f"{name:<{width}}{''.join(cells)}")
    return [*lines, "", _common([curve.info for curve in curves])]


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
    width = max(len(name) for name in [title, *found[0]])
    columns = [max(8, len(name)) for name in names]
    lines = [
        f"{title:<{width}}" + "".join(f"  {n:>{w}}" for n, w in zip(names, columns, strict=True))
    ]
    for name in found[0]:
        values = (f"{one[name]:{digits}}".replace("inf", "∞") for one in found)
        cells = "".join(f"  {v:>{w}}" for v, w in zip(values, columns, strict=True))
        lines.append(f"{name:<{width}}{cells}")
    return lines


def _common(infos: Sequence[Any], but: Sequence[str] = ()) -> str:
    """What all records agree on, in one line."""
    agreed = {key: v for key, v in infos[0].items() if all(i[key] == v for i in infos)}
    return ", ".join(f"{key} {value}" for key, value in agreed.items() if key not in but)
