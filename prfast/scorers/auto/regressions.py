"""Bases that are least squares on features of a sample alone."""

from __future__ import annotations

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.scorers.auto.coordinates import Block, Coordinates
from prfast.scorers.auto.plain import Plain, plain
from prfast.scorers.auto.ridge import Ridge, ridge
from prfast.scorers.auto.sample import stream

_GRAM = 2048  # features, beyond which there is no matrix of all their products
_ADDITIVE = 128  # columns, beyond which they have no hinges
_KNOTS = (0.05, 0.2, 0.4, 0.6, 0.8, 0.95)
LANDMARKS = 250
_WIDTHS = (0.1, 0.3, 1.0, 3.0)


def linear(made: Coordinates) -> Ridge | Plain:
    """z itself."""
    if made.sample.width > _GRAM:
        return plain(made)
    penalties = (0.3, 3.0, 30.0) if made.many else (1e-3, 0.3, 3.0)
    return ridge(made, lambda block: block.centred, penalties)


def leading(made: Coordinates) -> Ridge | None:
    """The leading axes alone, where there are many features."""
    return ridge(made, lambda block: block.axes, (1e-3, 0.3)) if made.many else None


def quadratic(made: Coordinates) -> Ridge:
    """Whitened coordinates, their squares and the radii."""

    def features(block: Block) -> Float64s:
        wh = block.whitened
        return np.hstack([wh, wh**2 / np.sqrt(2.0), block.radial])

    return ridge(made, features, (0.3,))


def radial(made: Coordinates) -> Ridge:
    """The radii alone."""
    return ridge(made, lambda block: block.radial, (1e-3,))


def additive(made: Coordinates) -> Ridge | None:
    """Each column alone: a polyline in it, with bends at some quantiles."""
    if not 0 < len(made.scale) <= _ADDITIVE:
        return None
    some = made.sample.fitted[made.sample.some("knots", 4000)]
    knots = np.quantile(Block(made, some, -1).single, _KNOTS, axis=0)

    def features(block: Block) -> Float64s:
        x = block.single
        return np.hstack([x, *(np.maximum(x - at, 0.0) for at in knots)])

    return ridge(made, features, (1e-3, 0.1))


def kernel(made: Coordinates) -> Ridge | None:
    """Gaussian kernels of four widths, on 4 tanh(single / 4), by Nyström's method.

    With the landmarks l and K = k(l, l') = V Λ Vᵀ, the features of z are k(z, l) V Λ^(−1/2).
    """
    from scipy import linalg

    if not len(made.scale):
        return None
    rng = stream(made.sample.seed, "kernel")
    chosen = rng.permutation(made.sample.fitted)[:LANDMARKS]
    landmarks = _bounded(Block(made, chosen, -1))
    among = _squared(landmarks, landmarks)
    apart = among[among > 0]
    if not apart.size:
        return None
    scales = [-0.5 / (width**2 * float(np.median(apart))) for width in _WIDTHS]
    maps = []
    for scale in scales:
        values, vectors = linalg.eigh(np.exp(scale * among))
        kept = values > 1e-7 * values[-1]
        maps.append(vectors[:, kept] / np.sqrt(values[kept]))

    def features(block: Block) -> Float64s:
        d2 = _squared(_bounded(block), landmarks)
        return np.hstack([np.exp(s * d2) @ m for s, m in zip(scales, maps, strict=True)])

    return ridge(made, features, (1e-4,))


def _bounded(block: Block) -> Float64s:
    return np.asarray(4.0 * np.tanh(block.single / 4.0))


def _squared(x: Float64s, y: Float64s) -> Float64s:
    """|x − y|² of all pairs; rounding aside, never below 0."""
    d2 = (x**2).sum(axis=1)[:, None] - 2.0 * (x @ y.T) + (y**2).sum(axis=1)
    return np.maximum(d2, 0.0)
