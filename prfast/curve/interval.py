"""A number of a curve and where it may lie."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Interval:
    """A number and where it may lie; prints as "0.812 ± 0.014"."""

    value: float
    """Of the curve itself."""
    low: float
    high: float
    confidence: float

    @property
    def half_width(self) -> float:
        """What stands behind the ±."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        return f"{self.value:.3f} ± {self.half_width:.3f}"
