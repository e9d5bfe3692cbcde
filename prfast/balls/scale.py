"""Sets of samples in the range where squares of differences are float64 numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from prfast.balls.rows import Points, by_block
from prfast.cluster.sharded import Sharded
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
    largest = max(_largest(points) for points in (real, fake))
    exponent = int(np.frexp(largest)[1])
    if largest == 0 or -504 <= exponent <= 500 - real.shape[1].bit_length() // 2:
        return real, fake
    scaled = [_scaled(points, exponent) for points in (real, fake)]
    smallest = min(_smallest(points) for points in scaled)
    if exponent > 0 and smallest < 2.0**-450:
        raise WrongValue(
            "real and fake",
            f"squares of differences within float64 expected, got values up to "
            f"{largest:.3g} beside values of {smallest * largest:.3g}",
        )
    return scaled[0], scaled[1]


def _largest(points: Any) -> float:
    return points.largest if isinstance(points, Sharded) else largest_value(points)


def _scaled(points: Any, exponent: int) -> Any:
    """The points in units of 2**exponent; of samples in pieces, what tells where they are read."""
    if isinstance(points, Sharded):
        return replace(points, exponent=exponent)
    return np.ldexp(points.astype(np.float64), -exponent)


def _smallest(scaled: Any) -> float:
    """The smallest absolute value that is not 0, 1 at most."""
    if isinstance(scaled, Sharded):
        return min(1.0, float(np.ldexp(scaled.smallest, -(scaled.exponent or 0))))
    return float(np.abs(scaled[scaled != 0]).min(initial=1.0))
