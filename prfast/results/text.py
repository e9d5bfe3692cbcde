"""Results as text and JSON: numbers, aligned columns, ∞."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

_LISTED = 6  # items of a list in a sentence, before it only says how many more there are


def for_json(number: float) -> float | str:
    """JSON knows no infinity: "inf"."""
    return "inf" if number == math.inf else number


def as_text(number: float, digits: str) -> str:
    """A number in a format such as ".4f"; "∞" if it is infinite."""
    return f"{number:{digits}}".replace("inf", "∞")


def curve_name(method: str, k: Any) -> str:
    """What a table calls the curve of a method and k: "knn k=5"; "auto", which has no k."""
    return method if k is None else f"{method} k={k}"


def counted(number: int, one: str, more: str) -> str:
    """ "1 file", "2 files"."""
    return f"{number} {one if number == 1 else more}"


def listed(items: Sequence[str]) -> str:
    """At least one item: a; a and b; a, b and c."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def shortened(items: Sequence[str]) -> str:
    """A list in a sentence: the first six by name, and how many others there are."""
    left = len(items) - _LISTED
    return listed(items if left < 2 else [*items[:_LISTED], f"{left} others"])


def aligned(
    lines: Sequence[Sequence[str]], *, least: int = 0, first: Callable[[str, int], str] = str.ljust
) -> list[str]:
    """Lines of cells in columns, two spaces apart, of at least a width: names to the left, or as
    `first` puts them, numbers to the right."""
    name_width, *widths = (max(map(len, column)) for column in zip(*lines, strict=True))
    found = []
    for name, *cells in lines:
        numbers = (cell.rjust(max(least, w)) for cell, w in zip(cells, widths, strict=True))
        found.append("  ".join([first(name, name_width), *numbers]).rstrip())
    return found
