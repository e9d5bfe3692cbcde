"""What is found of two sets as wholes: a number, perhaps with its standard error."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Floats
from prfast.inputs.options import Progress, RandomState, Shown

# What is wanted of `metrics`: its options, as a type checker sees them, and checked.


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
    client: Any


class MetricOptions(NamedTuple):
    """Checked arguments of `metrics`, but for the samples and the search."""

    ks: list[int]
    several: bool  # {k: Metrics} rather than Metrics
    names: list[str]
    ties: str
    cover_k: int
    cover_factor: int
    cover_reach: int | None  # k′, the point itself counted if cover_self; None: C k
    cover_self: bool
    p_k: int
    p_factor: float
    p_radius: tuple[float, float] | None  # R of real, of fake; None: p_factor × mean radius
    kernel_subsets: int | None  # of kernel_distance; None: all pairs
    kernel_subset_size: int
    seed: int  # of the subsets

    @property
    def cover_neighbor(self) -> int:
        """k′ of precision and recall cover, the point itself not counted."""
        asked = self.cover_reach
        return (self.cover_factor * self.cover_k if asked is None else asked) - self.cover_self

    @property
    def draws(self) -> bool:
        """Are subsets drawn?"""
        return self.kernel_subsets is not None and "kernel_distance" in self.names


# Shares: what each sample adds to a metric, from what was counted of it.
#
# A share of a metric's row is one of these functions: (what was counted, a number a sample; the
# number of neighbours k that its balls reach; the options) -> Share.


class Share(NamedTuple):
    """What each sample adds to a metric, which is Σ values / (each · samples)."""

    values: NDArray[Any]  # whole numbers or float64, a sample each
    each: int = 1

    def mean(self, chosen: Any = slice(None)) -> float:
        """The metric over all samples of the set, or over those chosen."""
        values = self.values[chosen]
        if values.dtype.kind == "f":
            return math.fsum(values.tolist()) / len(values)
        return int(values.sum()) / (self.each * len(values))


def any_pair(pairs: NDArray[Any], k: int, wanted: MetricOptions) -> Share:
    """1 where there is a pair."""
    return Share(pairs >= 1)


def no_pair(pairs: NDArray[Any], k: int, wanted: MetricOptions) -> Share:
    """1 where there is none."""
    return Share(pairs < 1)


def pairs_per_k(pairs: NDArray[Any], k: int, wanted: MetricOptions) -> Share:
    """Pairs / k."""
    return Share(pairs, k)


def enough_pairs(pairs: NDArray[Any], k: int, wanted: MetricOptions) -> Share:
    """1 where there are `cover_k` pairs or more."""
    return Share(pairs >= wanted.cover_k)


def nearness(logs: NDArray[Any], k: int, wanted: MetricOptions) -> Share:
    """1 − Π min(1, d/R) = 1 − exp Σ ln min(1, d/R): logarithms, so that nothing underflows."""
    return Share(np.array([-math.expm1(log) for log in logs.tolist()]))


Known = dict[Any, Any]  # what was found of the real samples alone, by what it is


class Hands(NamedTuple):
    """Who does the work, with what memory, and who is told."""

    threads: int
    memory: int
    progress: Progress

    def fitting(self, numbers: int) -> int:
        """So many threads as the memory has room for, each with so many float64 numbers."""
        return max(1, min(self.threads, self.memory // (8 * numbers)))


class Pair(NamedTuple):
    """Two sets that have been read, and how to look at them."""

    real: Floats
    fake: Floats
    wanted: MetricOptions
    hands: Hands
    known: Known
    """Where the real samples stay the same, what is found of them is looked up and kept here."""


class Estimate(NamedTuple):
    """A number, its standard error where it has one, and what else is to be recorded."""

    value: float
    error: float | None = None
    info: Mapping[str, Any] = {}
