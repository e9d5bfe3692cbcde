"""Balls: their mean radius, and the T of a radius, closed or open."""

from __future__ import annotations

import math

import numpy as np

from prfast.inputs.arrays import Float64s


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
