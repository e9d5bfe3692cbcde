"""Sets of samples in the range where squares of differences are float64 numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from prfast.balls.rows import Points, Rows, by_block
from prfast.cluster.sharded import Sharded
from prfast.inputs.arrays import Floats
from prfast.inputs.errors import WrongValue

LEAST = -450  # of the exponent: the last digit of such a number, squared, is no subnormal number


def largest_value(points: Points) -> float:
    """The largest absolute value."""
    return float(max(np.abs(block).max() for block in by_block(points)))


def in_range(real: Floats, fake: Floats) -> tuple[Floats, Floats]:
    """The sets as they are or, where squares of differences would over- or underflow, times one
    power of two in float64: comparisons of distances do not notice.

    Raises
    ------
    ValueError
        As `common_unit`.
    """
    exponent = common_unit(real, fake)
    return in_unit(real, exponent), in_unit(fake, exponent)


def in_unit(points: Floats, exponent: int) -> Floats:
    """The points in units of 2**exponent; as they are where that is 1."""
    scaled: Floats = _scaled(points, exponent) if exponent else points
    return scaled


def common_unit(real: Floats, fake: Floats) -> int:
    """The exponent of the power of two in units of which squares of differences are float64
    numbers; 0 where they are as the sets are.

    Raises
    ------
    ValueError
        Values so large, beside values so small, that no power of two keeps both.
    """
    largest = max(_largest(points) for points in (real, fake))
    exponent = int(np.frexp(largest)[1])
    if largest == 0 or LEAST <= exponent <= 500 - real.shape[1].bit_length() // 2:
        return 0
    smallest = min(_smallest(points) for points in (real, fake))
    if exponent > 0 and np.ldexp(smallest, -exponent) < 2.0**-450:
        raise WrongValue(
            "real and fake",
            f"squares of differences within float64 expected, got values up to "
            f"{largest:.3g} beside values of {smallest:.3g}",
        )
    return exponent


def _largest(points: Any) -> float:
    if isinstance(points, Rows) and isinstance(points.base, Sharded):
        return points.base.largest  # or less
    return points.largest if isinstance(points, Sharded) else largest_value(points)


def _scaled(points: Any, exponent: int) -> Any:
    """The points in units of 2**exponent; of samples in pieces, what tells where they are read."""
    if isinstance(points, Rows) and isinstance(points.base, Sharded):
        return Rows(_scaled(points.base, exponent), points.index)
    if isinstance(points, Sharded):
        return replace(points, exponent=exponent, dtype=np.dtype(np.float64))
    return np.ldexp(points.astype(np.float64), -exponent)


def _smallest(points: Any) -> float:
    """The smallest absolute value that is not 0; ∞ where all are."""
    if isinstance(points, Rows) and isinstance(points.base, Sharded):
        return points.base.smallest  # or more
    if isinstance(points, Sharded):
        return points.smallest
    return float(min(_least(np.abs(block)) for block in by_block(points)))


def _least(sizes: Floats) -> Any:
    return sizes[sizes > 0].min(initial=np.inf)
