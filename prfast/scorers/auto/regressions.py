"""Bases that are least squares on features of a sample alone."""

from __future__ import annotations

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.scorers.auto.coordinates import GRAM, Block, Coordinates
from prfast.scorers.auto.plain import Plain, plain
from prfast.scorers.auto.ridge import Ridge, ridge

_ADDITIVE = 128  # columns, beyond which they have no hinges
_KNOTS = (0.05, 0.2, 0.4, 0.6, 0.8, 0.95)


def linear(made: Coordinates) -> Ridge | Plain:
    """z itself."""
    if made.sample.width > GRAM:
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
