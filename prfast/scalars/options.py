"""What the metrics are given: their options, and the inputs of those of both sets as wholes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from prfast.neighbors import NeighborSearch
from prfast.samples.pair import Pair

ReferenceCache = dict[Any, Any]  # cached results that depend on the real samples alone, by name


class MetricOptions(NamedTuple):
    """Checked arguments of `metrics`, but for the samples and the search."""

    ks: list[int]
    names: list[str]
    ties: str
    cover_k: int
    cover_factor: int
    cover_reach: int | None  # k′, which counts the point itself if cover_self; None: C k
    cover_self: bool
    p_k: int
    p_factor: float
    p_radius: tuple[float, float] | None  # R_X, R_Y; None: p_factor × mean radius
    kernel_subsets: int | None  # of kernel_distance; None: all pairs
    kernel_subset_size: int
    bandwidth: float | None  # of gaussian_distance; None: the median distance of real samples
    seed: int  # of the subsets, of directions and groups

    @property
    def cover_neighbor(self) -> int:
        """Rank k′ of the neighbor of precision and recall cover, not counting the point itself."""
        rank = self.cover_reach
        return (self.cover_factor * self.cover_k if rank is None else rank) - self.cover_self

    @property
    def draws(self) -> bool:
        """Whether random subsets are drawn for the kernel distance."""
        return self.kernel_subsets is not None and "kernel_distance" in self.names


class DistanceInputs(NamedTuple):
    """What a metric of both sets as wholes depends on."""

    pair: Pair
    options: MetricOptions
    search: NeighborSearch
    """Threads, bytes of working memory, and the progress bar."""
    cache: ReferenceCache
    in_float32: dict[str, Estimate | None]
    """Distances by kernels in float32, None where there is none; empty before."""

    @property
    def real(self) -> Any:
        """The real rows."""
        return self.pair.real.points

    @property
    def fake(self) -> Any:
        """The generated rows."""
        return self.pair.fake.points


class Estimate(NamedTuple):
    """A number, its standard error if it has one, and further entries of `info`."""

    value: float
    error: float | None = None
    info: Mapping[str, Any] = {}
