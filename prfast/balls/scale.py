"""Sets of samples in the range where squares of differences are float64 numbers."""

from __future__ import annotations

import numpy as np

from prfast.balls.rows import Points, by_block
from prfast.inputs.arrays import Floats
from prfast.inputs.errors import WrongValue


def largest_value(points: Points) -> float:
    """The largest absolute value."""
    return float(max(np.abs(block).max() for block in by_block(points)))


def in_range(real: Floats, fake: Floats) -> tuple[Floats, Floats]:
    """The sets as they are or, where squares of differences would over- or underflow, times one
    power of two in float64: comparisons of distances do not notice.

    Raises
    ------
    ValueError
        Values so large, beside values so small, that no power of two keeps both.
    """
    largest = max(largest_value(points) for points in (real, fake))
    exponent = int(np.frexp(largest)[1])
    if largest == 0 or -504 <= exponent <= 500 - real.shape[1].bit_length() // 2:
        return real, fake
    scaled = [np.ldexp(points.astype(np.float64), -exponent) for points in (real, fake)]
    smallest = min(float(np.abs(x[x != 0]).min(initial=1.0)) for x in scaled)
    if exponent > 0 and smallest < 2.0**-450:
        raise WrongValue(
            "real and fake",
            f"squares of differences within float64 expected, got values up to "
            f"{largest:.3g} beside values of {smallest * largest:.3g}",
        )
    return scaled[0], scaled[1]
