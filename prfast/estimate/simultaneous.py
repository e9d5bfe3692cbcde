"""Several comparisons at once: how large the largest of them is by chance alone.

Numbers of M models have errors with covariance C.  The errors of the pairs' differences, each
divided by its own standard deviation, are a linear image of M normal ones; the largest of them in
size is drawn many times, and its quantile c is what each pair is judged by:

    P(|d_ij − true d_ij| <= c s_ij for all pairs at once) = the level.

With C estimated from few draws the normal ones are divided by one √(χ²_f / f).  Where no pair
varies at all, c is that of one comparison: a width may hold more than the scatter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s

DRAWS = 20_000


def largest(covariance: Any, pairs: Sequence[tuple[int, int]], freedom: int, seed: int) -> Float64s:
    """Draws of the largest |error| / standard deviation over the pairs, in order."""
    rng = np.random.default_rng([seed, 2])
    values, vectors = np.linalg.eigh(np.asarray(covariance, np.float64))
    root = vectors * np.sqrt(np.clip(values, 0.0, None))
    errors = rng.standard_normal((DRAWS, len(values))) @ root.T
    scale = np.sqrt(rng.chisquare(freedom, DRAWS) / freedom)
    most, least = np.zeros(DRAWS), 1e-6 * float(np.sqrt(np.abs(values).max(initial=0.0)))
    for i, j in pairs:
        difference = errors[:, i] - errors[:, j]
        deviation = float(np.sqrt(np.mean(difference**2)))
        if deviation > least:  # else the two are one and the same, but for rounding
            np.maximum(most, np.abs(difference) / deviation / scale, out=most)
    if not most.any():
        most = np.abs(rng.standard_normal(DRAWS)) / scale
    return np.sort(most)


def critical(most: Float64s, confidence: float) -> float:
    """c of the level."""
    return float(np.quantile(most, confidence))


def chance(most: Float64s, size: float) -> float:
    """How often the largest is at least of this size: a p adjusted for all pairs."""
    return (1 + float(np.sum(most >= size))) / (1 + len(most))
