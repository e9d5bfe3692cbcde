"""A family of samples and its truth.

A pair is sampled in coordinates in which its log-ratio is known.  What an estimator sees is
`show(coordinates)`, an injective map, which changes neither the ratio nor the curve.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit

from prfast import PRCurve

Sample = Callable[[np.random.Generator, int, int], tuple[Any, Any]]
LogRatio = Callable[[Any], Any]
Truth = Callable[[int], PRCurve]

TRUTH_SAMPLES = 1 << 20  # of ½(P + Q): α has a standard error below 6e-4
_BLOCK = 1 << 20  # numbers that are drawn at once
_CELLS = 1 << 14


@dataclass(frozen=True)
class Pair:
    """P and Q: (rng, n, m) -> coordinates of both; ln dP/dQ at coordinates, ±∞ allowed; the curve
    (of a number of samples where it is not in closed form); from coordinates to features."""

    sample: Sample
    log_ratio: LogRatio
    truth: Truth
    show: Callable[[Any], Any] = lambda coordinates: coordinates


@dataclass(frozen=True)
class Family:
    """A row: how many samples of P and Q (m: n by default), and how to make the pair."""

    name: str
    make: Callable[[], Pair]
    n: int = 10_000
    m: int | None = None


def exact(curve: PRCurve) -> Truth:
    """Return a truth in closed form."""
    return lambda size: curve


def sampled(sample: Sample, log_ratio: LogRatio, times: int = 1) -> Truth:
    """Return a truth from samples z of ½(P + Q), which carry the masses p ∝ η(z), q ∝ 1 − η(z),
    with η = p/(p + q); neighbors in the order of the ratio are summed into cells.  A small area
    asks for `times` as many samples."""

    def truth(size: int) -> PRCurve:
        rng = np.random.default_rng(2026)
        drawn = log_ratios(sample, log_ratio, rng, times * size // 2)
        ratio = np.sort(np.concatenate(drawn))
        starts = np.arange(0, ratio.size, max(1, ratio.size // _CELLS))
        masses = [np.add.reduceat(eta, starts) for eta in (expit(ratio), expit(-ratio))]
        return PRCurve.from_masses(*masses)

    return truth


def log_ratios(
    sample: Sample, log_ratio: LogRatio, rng: np.random.Generator, size: int
) -> tuple[Any, Any]:
    """Log-ratios of `size` samples of P and of as many of Q, drawn in blocks."""
    result: tuple[list[Any], list[Any]] = ([], [])
    rows = 64
    while size > 0:
        points = sample(rng, min(rows, size), min(rows, size))
        for side, of in zip(result, points, strict=True):
            side.append(log_ratio(of))
        size -= rows
        rows = max(64, min(1 << 16, _BLOCK // points[0].shape[1]))
    return np.concatenate(result[0]), np.concatenate(result[1])
