"""Least squares on normal scores of columns and their squares, and two Gaussians on them.

They see what skewed and heavy-tailed columns hide from the whitened coordinates.

Where columns are many there are polylines instead, in the normal scores of those that differ most
(`screening`).
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, Floats
from prfast.scorers.auto.block import Block
from prfast.scorers.auto.coordinates import Coordinates
from prfast.scorers.auto.folds import Ints
from prfast.scorers.auto.gaussians import Gaussians, gaussians_of
from prfast.scorers.auto.normal_scores import Table, table
from prfast.scorers.auto.ridge import Ridge, ridge
from prfast.scorers.auto.screening import MANY

_KNOTS = (-1.5, -0.75, 0.0, 0.75, 1.5)  # normal scores where the polylines bend


class Ranks(NamedTuple):
    """Four columns: a penalty each, and two Gaussians."""

    squares: Ridge
    gaussians: Gaussians

    def score(self, block: Block) -> Float64s:
        return np.hstack([self.squares.score(block), self.gaussians.score(block)])


def ranks(made: Coordinates) -> Ranks | Polylines:
    """Fit to the normal scores of all columns, or of the screened ones, where they are many."""
    if made.sample.width > MANY:
        return _screened(made)
    return Ranks(ridge(made, _squares, (0.01, 0.3)), gaussians_of(made, _normal_scores))


class Polylines(NamedTuple):
    """One column, the sum of polylines in the normal scores of the fold's own columns."""

    table: Table
    chosen: Ints
    """(folds, columns), by their places in the table."""
    slopes: Float64s
    """(folds, features, 1)"""
    intercepts: Float64s

    def score(self, block: Block) -> Float64s:
        phi = _polylines(self.table, self.chosen[block.fold], block)
        return np.asarray(phi @ self.slopes[block.fold] + self.intercepts[block.fold])


def _screened(made: Coordinates) -> Polylines:
    """Fit polylines in the normal scores of the columns that differ most."""
    columns = made.screening.without_each(made.sample.folds)
    union, place = np.unique(columns, return_inverse=True)
    place = place.reshape(columns.shape)
    bends = np.arange(1 + len(_KNOTS))[:, None] * len(union)
    chosen = [(one + bends).ravel() for one in place]
    some = table(made.sample, union)
    fitted = ridge(made, partial(_polylines, some, np.arange(len(union))), (0.1,), chosen)
    slopes = np.array([own[used] for own, used in zip(fitted.slopes, chosen, strict=True)])
    return Polylines(some, place, slopes, fitted.intercepts)


def _normal_scores(block: Block) -> Float64s:
    return block.normal_scores


def _squares(block: Block) -> Float64s:
    x = block.normal_scores
    return np.hstack([x, x**2 / np.sqrt(2.0)])


def _polylines(some: Table, chosen: Ints, block: Block) -> Floats:
    x = some.place(block.points, chosen).astype(np.float32)
    return np.hstack([x, *(np.maximum(x - np.float32(at), 0) for at in _KNOTS)])
