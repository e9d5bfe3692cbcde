"""The linear base where there are more features than a matrix of all their products can hold.

The covariance is taken for that of its leading axes and one variance s for all the rest
(probabilistic principal components), and δ is the difference of the two means over the training
folds:

    β = (U (v − s) Uᵀ + s 1)⁻¹ δ = δ / s − U ((1 / s − 1 / v) Uᵀ δ),    and v + r·v̄ for v, with s.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.scorers.auto.coordinates import Block, Coordinates

_PENALTIES = (0.0, 3.0)  # times the mean variance


class Plain(NamedTuple):
    """A column a penalty: z β − the middle of the two means."""

    slopes: Float64s
    """(folds, features, penalties)"""
    intercepts: Float64s

    def score(self, block: Block) -> Float64s:
        found: Float64s = block.centred @ self.slopes[block.fold]
        found += self.intercepts[block.fold]
        return found


def plain(made: Coordinates) -> Plain:
    """Fitted on all folds but one, for each."""
    sample = made.sample
    total, count = np.zeros((sample.folds, 2, sample.width)), np.zeros((sample.folds, 2))
    for _, block in made.again():
        for i, flags in enumerate((block.real, ~block.real)):
            total[block.fold, i] += flags.astype(np.float64) @ block.centred
            count[block.fold, i] += int(flags.sum())
    basis, v = made.basis, made.variance
    rest = max(made.size - float(v.sum()), 1e-12 * made.size, 1e-290)
    s = rest / max(sample.width - v.size, 1)
    slopes = np.empty((sample.folds, sample.width, len(_PENALTIES)))
    intercepts = np.empty((sample.folds, len(_PENALTIES)))
    for fold in range(sample.folds):
        a, b = (total.sum(axis=0) - total[fold]) / (count.sum(axis=0) - count[fold])[:, None]
        delta = a - b
        along = basis.T @ delta
        for i, r in enumerate(_PENALTIES):
            extra = r * made.size / sample.width
            one, many = s + extra, np.maximum(v, s) + extra
            slopes[fold, :, i] = delta / one - basis @ ((1.0 / one - 1.0 / many) * along)
        intercepts[fold] = -0.5 * (a + b) @ slopes[fold]
    return Plain(slopes, intercepts)
