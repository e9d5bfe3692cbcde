"""Results as text and JSON."""

from __future__ import annotations

import math


def for_json(number: float) -> float | str:
    """JSON knows no infinity: "inf"."""
    return "inf" if number == math.inf else number
