"""Shares: what each sample adds to a metric, from what was counted of it.

A share of a metric's row is one of these functions: (what was counted, a number a sample; the
number of neighbours k that its balls reach; the options) -> Share.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.scalars.wanted import MetricOptions


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
