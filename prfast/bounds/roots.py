"""Where a falling function has given values, all of them at once.

Chandrupatla's method: a bracket is halved, or cut by the inverse quadratic through its last three
points where these are so placed that this is safe.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from prfast.inputs.arrays import Float64s

_DIGITS = np.finfo(np.float64).eps


def falling_roots(
    function: Callable[[Float64s], Float64s], levels: Float64s, low: float, high: float
) -> Float64s:
    """x in [low, high] with f(x) = level > 0, where f >= 0 falls; an end where f does not reach
    the level.  The search is for a zero of ln(f/level), to rounding of x or, below 1, of e^x."""
    first, last = function(np.array([low, high]))
    found = np.where(levels >= first, low, high)
    asked = np.flatnonzero((levels < first) & (levels > last))
    level = levels[asked]
    with np.errstate(all="ignore"):
        # x_1 is the newest point; the root is between it and x_2; x_3 was left.
        x1, x2 = np.full(asked.size, low), np.full(asked.size, high)
        f1, f2 = np.log(first / level), np.log(last / level)
        cut = np.full(asked.size, 0.5)
        while asked.size:
            x = x1 + cut * (x2 - x1)
            f = np.log(function(x) / level)
            same = (f > 0) == (f1 > 0)
            x3, f3 = np.where(same, x1, x2), np.where(same, f1, f2)
            x2, f2 = np.where(same, x2, x1), np.where(same, f2, f1)
            x1, f1 = x, f
            found[asked] = np.where(np.abs(f1) < np.abs(f2), x1, x2)
            least = _DIGITS * np.maximum(np.abs(x1), 1.0) / np.abs(x2 - x1)
            # a = (x_1 − x_2)/(x_3 − x_2), b = (f_1 − f_2)/(f_3 − f_2):  b² < a, (1 − b)² < 1 − a
            a, b = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
            curved = (b * b < a) & ((1 - b) ** 2 < 1 - a)
            along = f1 / (f1 - f2) * f3 / (f3 - f2)
            along += (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
            cut = np.where(curved, np.clip(along, least, 1 - least), 0.5)
            more = (f != 0) & (least < 0.5)
            asked, level, cut = asked[more], level[more], cut[more]
            x1, x2, f1, f2 = x1[more], x2[more], f1[more], f2[more]
    return found
