"""Types that the modules of metrics exchange: options, shares of samples, pairs of sets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Floats
from prfast.inputs.options import Progress, RandomState, Shown


class MetricKeywords(TypedDict, total=False):
    """The keywords of `metrics`, for its overloads."""

    ties: str
    cover_k: int
    cover_factor: int | None
    cover_reach: int | None
    cover_self: bool
    p_k: int | None
    p_factor: float | None
    p_radius: float | Sequence[float] | None
    kernel_subsets: int | None
    kernel_subset_size: int
    random_state: RandomState
    backend: str
    n_jobs: int | None
    memory: int
    progress: Shown


class MetricOptions(NamedTuple):
    """Checked arguments of `metrics`, but for the samples and the search."""

    ks: list[int]
    several: bool  # whether {k: Metrics} is returned rather than Metrics
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
    seed: int  # of the subsets

    @property
    def cover_neighbor(self) -> int:
        """Rank k′ of the neighbour of precision and recall cover, not counting the point itself."""
        rank = self.cover_reach
        return (self.cover_factor * self.cover_k if rank is None else rank) - self.cover_self

    @property
    def draws(self) -> bool:
        """Whether random subsets are drawn."""
        return self.kernel_subsets is not None and "kernel_distance" in self.names


class Share(NamedTuple):
    """Contribution of each sample to a metric, which is Σ values / (each · samples)."""

    values: NDArray[Any]  # integers or float64, one a sample
    each: int = 1

    def mean(self, chosen: Any = slice(None)) -> float:
        """Return the metric over all samples of the set, or over the chosen ones."""
        values = self.values[chosen]
        if values.dtype.kind == "f":
            return math.fsum(values.tolist()) / len(values)
        return int(values.sum()) / (self.each * len(values))


# Functions of `SampleMetric.share`.  Their arguments: the count of each sample, the rank k of the
# neighbour whose distance is the radius of a ball, the options.


def any_pair(pairs: NDArray[Any], k: int, options: MetricOptions) -> Share:
    """Return 1 where there is a pair."""
    return Share(pairs >= 1)


def no_pair(pairs: NDArray[Any], k: int, options: MetricOptions) -> Share:
    """Return 1 where there is none."""
    return Share(pairs < 1)


def pairs_per_k(pairs: NDArray[Any], k: int, options: MetricOptions) -> Share:
    """Return pairs / k."""
    return Share(pairs, k)


def enough_pairs(pairs: NDArray[Any], k: int, options: MetricOptions) -> Share:
    """Return 1 where there are `cover_k` pairs or more."""
    return Share(pairs >= options.cover_k)


def nearness(logs: NDArray[Any], k: int, options: MetricOptions) -> Share:
    """Return 1 − Π min(1, d/R) = 1 − exp Σ ln min(1, d/R), from logarithms, so that nothing
    underflows."""
    return Share(np.array([-math.expm1(log) for log in logs.tolist()]))


Known = dict[Any, Any]  # cached results that depend on the real samples alone, by name


class ExecutionContext(NamedTuple):
    """Threads, bytes of working memory, and the progress bar."""

    threads: int
    memory: int
    progress: Progress

    def threads_within_memory(self, numbers: int) -> int:
        """Return how many threads fit into the memory, each with so many float64 numbers."""
        return max(1, min(self.threads, self.memory // (8 * numbers)))


class Pair(NamedTuple):
    """Two sets that have been read, and the options and resources to measure them."""

    real: Floats
    fake: Floats
    options: MetricOptions
    context: ExecutionContext
    known: Known
    """Cache from call to call with the same real samples."""


class Estimate(NamedTuple):
    """A number, its standard error if it has one, and further entries of `info`."""

    value: float
    error: float | None = None
    info: Mapping[str, Any] = {}
