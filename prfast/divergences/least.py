"""The minimum of a convex function of a number, of which only values are known."""

from __future__ import annotations

import math
from collections.abc import Callable

_GOLDEN = (math.sqrt(5) - 1) / 2


def least(function: Callable[[float], float], low: float, high: float) -> tuple[float, float]:
    """(x, f(x)) where f, quasi-convex on [low, high], is least: by golden sections.

    f(x) is the minimum up to rounding; x is as good as values tell, about the square root of that.
    What is level to rounding is taken to fall: on the left f may saturate, on the right be ∞.
    """
    a, b = low, high
    x, y = b - _GOLDEN * (b - a), a + _GOLDEN * (b - a)
    f, g = function(x), function(y)
    best = min((f, x), (g, y))
    while a < x < y < b and y - x > 1e-15 * max(1.0, abs(x)):
        if f < g or g == math.inf:
            b, y, g = y, x, f
            x = b - _GOLDEN * (b - a)
            f = function(x)
            best = min(best, (f, x))
        else:
            a, x, f = x, y, g
            y = a + _GOLDEN * (b - a)
            g = function(y)
            best = min(best, (g, y))
    return best[1], best[0]
