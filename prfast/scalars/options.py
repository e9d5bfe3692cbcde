"""What the metrics are given: their options, and the inputs of those of both sets as wholes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from prfast.neighbors import NeighborSearch
from prfast.neighbors.tasks import common_unit, in_unit, largest_value

ReferenceCache = dict[Any, Any]  # cached results that depend on the real samples alone, by name


class MetricOptions(NamedTuple):
    """Checked arguments of `metrics`, but for the samples and the search."""

    ks: list[int]
    names: list[str]
    ties: str
    seed: int  # of the samples for the bandwidth
    cover_k: int = 3
    cover_factor: int = 3
    cover_reach: int | None = None  # k′; None: C k
    p_k: int = 4
    p_factor: float = 1.2
    p_radius: tuple[float, float] | None = None  # R_X, R_Y; None: p_factor × mean radius
    bandwidth: float | None = None  # of gaussian_distance; None: the median of real samples


class DistanceInputs(NamedTuple):
    """The inputs of a metric of both sets as wholes."""

    real: Any
    fake: Any
    options: MetricOptions
    search: NeighborSearch
    cache: ReferenceCache

    @property
    def width(self) -> int:
        """The number of features."""
        return int(self.real.shape[1])

    @property
    def largest(self) -> float:
        """The largest magnitude of a value."""
        return float(max(map(largest_value, (self.real, self.fake))))

    def in_unit(self) -> tuple[Any, Any, int]:
        """Return the real and the generated rows in units of 2**exponent, and the exponent: squares
        of values are normal numbers."""
        exponent = common_unit(self.real, self.fake)
        return in_unit(self.real, exponent), in_unit(self.fake, exponent), exponent

    def cached(self, key: Any, compute: Callable[..., Any], *arguments: Any) -> Any:
        """Return the result of a function of the real samples, computed at most once."""
        if key not in self.cache:
            self.cache[key] = compute(*arguments)
        return self.cache[key]


class Estimate(NamedTuple):
    """A number, its standard error if it has one, and further entries of `info`."""

    value: float
    error: float | None = None
    info: Mapping[str, Any] = {}

    @property
    def is_finite(self) -> bool:
        """Whether both are numbers."""
        return math.isfinite(self.value + (self.error or 0.0))
