"""The kernel base: Gaussian kernels of several widths, by Nyström's method.

On x = 4 tanh(single / 4), with the landmarks l and, of a width h times their median distance,
K = k(l, l') = V Λ Vᵀ, the features of z are k(z, l) V Λ^(−1/2), least squares are fitted to them,
and the score is Σ_l k(z, l) γ_l, γ = V Λ^(−1/2) β.  Widths whose features hardly vary (narrow ones
in many dimensions, where no two samples are near) are left out.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Floats
from prfast.scorers.auto.block import Block
from prfast.scorers.auto.coordinates import Coordinates
from prfast.scorers.auto.ridge import Ridge, ridge

LANDMARKS = 250
_WIDTHS = (0.1, 0.3, 1.0, 3.0)
_KEPT = 1e-5  # of the largest eigenvalue
_VARIES = 0.01  # of a kernel's 1
_OTHERS = 1000  # samples on which features vary
_PENALTY = 1e-4


class _Width(NamedTuple):
    """k(z, l) = exp(scale · |x − l|²), and V Λ^(−1/2)."""

    scale: np.float32
    map: Floats


def kernel(made: Coordinates) -> Ridge | None:
    if not len(made.scale):
        return None
    shuffled = made.sample.fitted[made.sample.shuffled("kernel")]
    landmarks = _bounded(made.of(shuffled[:LANDMARKS], "single"))
    others = _squared(_bounded(made.of(shuffled[-_OTHERS:], "single")), landmarks)
    among = _squared(landmarks, landmarks)
    apart = among[among > 0]
    if not apart.size:
        return None
    median = float(np.median(apart))
    of_all = [_width(np.float32(-0.5 / (h**2 * median)), among, others) for h in _WIDTHS]
    widths = [one for one in of_all if one is not None]
    if not widths:
        return None
    fitted = ridge(made, partial(_features, landmarks, widths), (_PENALTY,))
    ends = np.cumsum([0, *(one.map.shape[1] for one in widths[:-1])])
    starts = list(zip(widths, ends, strict=True))
    slopes = [
        np.concatenate([one.map @ of_fold[a : a + one.map.shape[1]] for one, a in starts])
        for of_fold in fitted.slopes
    ]
    kernels = partial(_kernels, landmarks, [one.scale for one in widths])
    return Ridge(kernels, np.array(slopes), fitted.intercepts)


def _features(landmarks: Floats, widths: list[_Width], block: Block) -> Floats:
    d2 = _squared(_bounded(block.single), landmarks)
    with np.errstate(over="ignore"):  # of a far outlier: e^−∞ is 0
        return np.hstack([np.exp(one.scale * d2) @ one.map for one in widths])


def _kernels(landmarks: Floats, scales: list[np.float32], block: Block) -> Floats:
    d2 = _squared(_bounded(block.single), landmarks)
    with np.errstate(over="ignore"):  # of a far outlier: e^−∞ is 0
        return np.hstack([np.exp(scale * d2) for scale in scales])


def _width(scale: np.float32, among: Floats, others: Floats) -> _Width | None:
    from scipy import linalg

    values, vectors = linalg.eigh(np.exp(np.float64(scale) * among))
    kept = values > _KEPT * values[-1]
    map_ = (vectors[:, kept] / np.sqrt(values[kept])).astype(np.float32)
    varies = (np.exp(scale * others) @ map_).var(axis=0).sum() > _VARIES
    return _Width(scale, map_) if varies else None


def _bounded(single: Floats) -> Floats:
    return np.asarray(4.0 * np.tanh(single / 4.0), np.float32)


def _squared(x: Floats, y: Floats) -> Floats:
    """Return |x − y|² of all pairs, at least 0 whatever the rounding."""
    d2 = (x**2).sum(axis=1)[:, None] - np.float32(2) * (x @ y.T) + (y**2).sum(axis=1)
    return np.asarray(np.maximum(d2, 0))
