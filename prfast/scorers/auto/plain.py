"""The linear base of many features, from means and a covariance of few numbers.

The covariance is taken for that of its leading axes, U with the variances v, and one variance s for
all the rest (probabilistic principal components); δ is the difference of the two means over the
training samples, and r̄ a penalty r times the mean variance:

    β = (U (v − s) Uᵀ + (s + r̄) 1)⁻¹ δ = δ / (s + r̄) − U ((1 / (s + r̄) − 1 / (v + r̄)) Uᵀ δ).

As it costs next to nothing, it is fitted for each part of a fold on all samples but those of the
part: where features are many, the difference of means is what every sample counts for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.scorers.auto.block import Block
from prfast.scorers.auto.coordinates import Coordinates
from prfast.scorers.auto.folds import PARTS

_PENALTIES = (0.0, 3.0)  # times the mean variance


class Plain(NamedTuple):
    """A column for each penalty: z β less that of the middle of the two means."""

    slopes: Float64s
    """(folds, parts, features, penalties)"""
    intercepts: Float64s
    """(folds, parts, penalties)"""

    def score(self, block: Block) -> Float64s:
        scores = np.empty((len(block), self.slopes.shape[-1]))
        for one in range(PARTS):
            own = block.part == one
            along = block.centred[own] @ self.slopes[block.fold, one]
            scores[own] = along + self.intercepts[block.fold, one]
        return scores


def plain(made: Coordinates) -> Plain | None:
    """Fit to all samples but those of a part of a fold, for each; return None where features are
    few, for which `linear` knows all variances."""
    if not made.many:
        return None
    sample = made.sample
    total = np.zeros((sample.folds, PARTS, 2, sample.width))
    count = np.zeros((sample.folds, PARTS, 2))
    for _, block in made.again():
        for one in range(PARTS):
            for i, real in enumerate((True, False)):
                own = (block.part == one) & (block.real == real)
                total[block.fold, one, i] += own.astype(np.float64) @ block.centred
                count[block.fold, one, i] += int(own.sum())
    all_total, all_count = total.sum(axis=(0, 1)), count.sum(axis=(0, 1))
    basis, v = made.basis, made.variance
    rest = max(made.size - float(v.sum()), 1e-12 * made.size, 1e-290)
    s = rest / max(sample.width - v.size, 1)
    slopes = np.empty((sample.folds, PARTS, sample.width, len(_PENALTIES)))
    intercepts = np.empty((sample.folds, PARTS, len(_PENALTIES)))
    for fold, one in np.ndindex(sample.folds, PARTS):
        left = np.maximum(all_count - count[fold, one], 1)[:, None]
        p, q = (all_total - total[fold, one]) / left
        delta = p - q
        along = basis.T @ delta
        for i, r in enumerate(_PENALTIES):
            extra = r * made.size / sample.width
            few, many = s + extra, np.maximum(v, s) + extra
            slopes[fold, one, :, i] = delta / few - basis @ ((1.0 / few - 1.0 / many) * along)
        intercepts[fold, one] = -0.5 * (p + q) @ slopes[fold, one]
    return Plain(slopes, intercepts)
