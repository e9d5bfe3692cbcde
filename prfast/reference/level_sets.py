"""Curves from level sets of the log-ratio along a line."""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.curve import PRCurve
from prfast.inputs.arrays import Float64s

CELLS = 1 << 15  # default resolution; the error of α falls with its square


def line_curve(
    cells: int, means: Float64s, sds: Float64s, weights: Float64s, info: dict[str, Any]
) -> PRCurve:
    """The curve of two mixtures of Gaussians on a line: intervals and their masses.

    Mass of an interval under N(m, s²): a difference of Φ, taken on the side where both are small,
    so that far cells keep their digits and with them their ratio.

    α is exact at the ratios of the intervals' ends, and between them too high by no more than the
    square of an interval's length h, in standard deviations of the components that have mass there:
    by less than 0.05 Δ h² for N(0, 1) against N(Δ, 1), and h is at most 24 times the number of
    components divided by `cells`.  Beyond 12 standard deviations, a mass of 4e-33, nothing is told
    apart.  The ends are float64 numbers, so standard deviations must not be
    lost beside the means.

    Both distributions have mass everywhere: what underflows is the smallest positive number, so
    that supports stay equal.  From there on (N(0, 1) against N(Δ, 1): Δ > 34, N(0, 1) against
    N(0, s²): s < 0.15) the ratios of the tails are too small, and with them KL; χ² asks for tails
    beyond 12 standard deviations from Δ = 9 on.
    """
    from scipy.special import ndtr

    there = (weights > 0).any(axis=0)
    means, sds, weights = means[there], sds[there], weights[:, there]
    ends = _ends(cells, means, sds)
    masses = np.zeros((2, cells))
    for mean, sd, weight in zip(means, sds, weights.T, strict=True):
        z = (ends - mean) / sd
        left, right = np.diff(ndtr(z)), -np.diff(ndtr(-z))
        masses += weight[:, None] * np.where(z[1:] <= 0, left, right)
    masses = np.maximum(masses, 5e-324)
    return PRCurve.from_masses(masses[0], masses[1], info=info)


def _ends(cells: int, means: Float64s, sds: Float64s) -> Float64s:
    """Ends of the intervals: within 12 standard deviations of each mean, as dense everywhere as the
    narrowest component that reaches there asks for, 1/s; none in gaps; −∞ and ∞ besides."""
    low, high = means - 12.0 * sds, means + 12.0 * sds
    cuts = np.unique(np.concatenate([low, high]))
    density = np.zeros(cuts.size - 1)
    for left, right, sd in zip(low, high, sds, strict=True):
        inside = slice(np.searchsorted(cuts, left), np.searchsorted(cuts, right))
        density[inside] = np.maximum(density[inside], 1.0 / sd)
    share = np.append(0.0, np.cumsum(density * np.diff(cuts)))
    ends = np.interp(np.linspace(0.0, share[-1], cells - 1), share, cuts)
    return np.concatenate([[-np.inf], ends, [np.inf]])
