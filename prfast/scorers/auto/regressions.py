"""Bases that are least squares on features of a sample alone."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.scorers.auto.coordinates import GRAM, Block, Coordinates
from prfast.scorers.auto.ridge import Ridge, ridge

_ADDITIVE = 128  # columns, beyond which they have no hinges
_FEW = 16  # columns, up to which three of them are multiplied
_KNOTS = (0.05, 0.2, 0.4, 0.6, 0.8, 0.95)


def linear(made: Coordinates) -> Ridge | None:
    """z itself, where there is a matrix of all products of features."""
    if made.sample.width > GRAM:
        return None
    penalties = (0.3, 3.0) if made.many else (1e-3, 0.3, 3.0)
    return ridge(made, lambda block: block.centred, penalties)


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
    knots = np.quantile(made.of(some, "single"), _KNOTS, axis=0)

    def features(block: Block) -> Float64s:
        x = block.single
        return np.hstack([x, *(np.maximum(x - at, 0.0) for at in knots)])

    return ridge(made, features, (1e-3, 0.1))


def products(made: Coordinates) -> Ridge | None:
    """Products of two and of three columns, bounded, where columns are few: dependences that no
    column shows alone, nor any two."""
    width = len(made.scale)
    if not 2 <= width <= _FEW:
        return None
    pairs = np.array(list(combinations(range(width), 2)))
    triples = np.array(list(combinations(range(width), 3))).reshape(-1, 3)

    def features(block: Block) -> Float64s:
        x = np.tanh(4 * block.single)
        return np.hstack([x[:, one].prod(axis=2) for one in (pairs, triples) if len(one)])

    return ridge(made, features, (0.01,))
