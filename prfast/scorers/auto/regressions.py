"""Bases that are least squares on features of a sample alone."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s
from prfast.scorers.auto.block import Block
from prfast.scorers.auto.coordinates import GRAM, Coordinates
from prfast.scorers.auto.ridge import Ridge, ridge

_ADDITIVE = 128  # columns, beyond which they have no hinges
_FEW = 16  # columns, up to which three of them are multiplied
_KNOTS = (0.05, 0.2, 0.4, 0.6, 0.8, 0.95)


def linear(made: Coordinates) -> Ridge | None:
    """Fit to z itself, where there is a matrix of all products of features."""
    if made.sample.width > GRAM:
        return None
    penalties = (0.3, 3.0) if made.many else (1e-3, 0.3, 3.0)
    return ridge(made, _centred, penalties)


def quadratic(made: Coordinates) -> Ridge:
    """Fit to whitened coordinates, their squares and the radii; of many features also to the
    energies of bands of axes, which noise raises and smoothing lowers."""
    return ridge(made, _squares, (0.01, 0.3) if made.many else (0.3,))


def radial(made: Coordinates) -> Ridge:
    """Fit to the radii alone."""
    return ridge(made, _radial, (1e-3,))


def additive(made: Coordinates) -> Ridge | None:
    """Fit a polyline in each column alone, with bends at some quantiles."""
    if not 0 < len(made.scale) <= _ADDITIVE:
        return None
    some = made.sample.fitted[made.sample.some_distinct("knots", 4000)]
    knots = np.quantile(made.of(some, "single"), _KNOTS, axis=0)
    return ridge(made, partial(_hinges, knots), (1e-3, 0.1))


def products(made: Coordinates) -> Ridge | None:
    """Fit to bounded products of two and of three columns, where columns are few: dependences that
    no column shows alone, nor any two."""
    width = len(made.scale)
    if not 2 <= width <= _FEW:
        return None
    pairs = np.array(list(combinations(range(width), 2)))
    triples = np.array(list(combinations(range(width), 3))).reshape(-1, 3)
    return ridge(made, partial(_products, pairs, triples), (0.01,))


# Features are functions of this module, so that fits can be sent to other processes.


def _centred(block: Block) -> Float64s:
    return block.centred


def _squares(block: Block) -> Float64s:
    wh, energies = block.whitened, block.energies
    return np.hstack([wh, wh**2 / np.sqrt(2.0), block.radial, energies, energies**2])


def _radial(block: Block) -> Float64s:
    return block.radial


def _hinges(knots: Float64s, block: Block) -> Float64s:
    x = block.single
    return np.hstack([x, *(np.maximum(x - at, 0.0) for at in knots)])


def _products(pairs: NDArray[np.int64], triples: NDArray[np.int64], block: Block) -> Float64s:
    x = np.tanh(4 * block.single)
    return np.hstack([x[:, one].prod(axis=2) for one in (pairs, triples) if len(one)])
