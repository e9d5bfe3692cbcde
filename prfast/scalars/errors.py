"""What the ± of a metric is made of: its own standard error, or halves of the samples.

A metric's own error goes first: a few halvings know a deviation roughly, and they suppose a
variance that falls as 1/n, where that of the kernel distance of equal distributions falls as 1/n².
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from prfast.curve.interval import quantile
from prfast.scalars.halves import Halves
from prfast.scalars.table import ends_of


class Error(NamedTuple):
    """Standard deviation of a metric, and how many halvings it is known from; None: its own."""

    deviation: float
    halvings: int | None = None

    def half_width(self, confidence: float) -> float:
        """What stands behind the ±: the deviation times a normal or Student's quantile."""
        if self.halvings is None:
            return quantile(confidence) * self.deviation
        from scipy.stats import t

        return float(t.ppf((1 + confidence) / 2, self.halvings)) * self.deviation


def half_width_of(
    name: str, value: float, own: Mapping[str, float], halves: Halves | None, confidence: float
) -> float | None:
    """Return the half width of a metric's interval, which ends where the metric does; None where
    its error is not known.  Arguments as for `error_of`."""
    error = error_of(name, own, halves)
    if error is None:
        return None
    least, most = ends_of(name)
    return min(error.half_width(confidence), max(value - least, most - value))


def error_of(name: str, own: Mapping[str, float], halves: Halves | None) -> Error | None:
    """Of a metric; own: the standard errors that metrics came with.  None where it is not known."""
    if name in own:
        return Error(own[name])
    if halves is None or name not in halves.values:
        return None
    return Error(halves.deviation(name), len(halves.values[name]))
