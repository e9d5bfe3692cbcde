"""Balls: what is inside, what of it is the centre itself, mean radius, the T of a radius.

Border: a point at D = T is inside a closed ball, the default, and not inside an open one.  The same
in C is `prf_inside` (csrc/balls/exact.h).

Self: a point is left out of its own set by its row, never by its distance 0; where rows are not
known it is counted, and taken off again by `own`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s


def inside(d2: Any, t: Any, closed: bool) -> Any:
    """Is a point at D in the ball of T?"""
    return d2 <= t if closed else d2 < t


def own(t: Float64s, closed: bool) -> Any:
    """Does the ball hold its own centre, D = 0?  T < 0 is no ball."""
    return inside(0.0, t, closed)


def mean_radius(d2: Float64s) -> float:
    """ρ = mean of the radii √D, correctly rounded: the order of the points does not matter."""
    return math.fsum(np.sqrt(d2).tolist()) / len(d2)


def squared_radius(radius: float, closed: bool) -> float:
    """T so that D <= T (closed) or D < T is the comparison √D <= radius or √D < radius.

    radius² in float64 may be an ulp off: √3 squared is less than 3, and a tie would be lost.
    """
    t = radius * radius
    if closed:  # the largest T of √T <= radius
        while math.sqrt(t) > radius:
            t = math.nextafter(t, 0)
        while math.sqrt(math.nextafter(t, math.inf)) <= radius:
            t = math.nextafter(t, math.inf)
    else:  # the smallest T of √T >= radius
        while math.sqrt(t) < radius:
            t = math.nextafter(t, math.inf)
        while t > 0 and math.sqrt(math.nextafter(t, 0)) >= radius:
            t = math.nextafter(t, 0)
    return t
