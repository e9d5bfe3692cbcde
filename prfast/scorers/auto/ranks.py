"""Least squares on normal scores of columns and their squares, and two Gaussians on them.

They see what skewed and heavy-tailed columns hide from the whitened coordinates.

Where columns are many there are polylines instead, in the normal scores of those that differ most
(`screening`).
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.scorers.auto.block import Block
from prfast.scorers.auto.coordinates import Coordinates
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


def ranks(made: Coordinates) -> Ranks | Ridge:
    """Fit to the normal scores of all columns, or of the screened ones, where they are many."""
    if made.sample.width > MANY:
        return _screened(made)
    return Ranks(ridge(made, _squares, (0.01, 0.3)), gaussians_of(made, _normal_scores))


def _screened(made: Coordinates) -> Ridge:
    """Fit polylines in the normal scores of the columns that differ most."""
    columns = made.screening.without_each(made.sample.folds)
    union, place = np.unique(columns, return_inverse=True)
    place = place.reshape(columns.shape)
    width = 1 + len(_KNOTS)
    chosen = [np.concatenate([one + i * len(union) for i in range(width)]) for one in place]
    return ridge(made, partial(_polylines, table(made.sample, union)), (0.1,), chosen)


def _normal_scores(block: Block) -> Float64s:
    return block.normal_scores


def _squares(block: Block) -> Float64s:
    x = block.normal_scores
    return np.hstack([x, x**2 / np.sqrt(2.0)])


def _polylines(some: Table, block: Block) -> Float64s:
    x = some.place(block.points)
    return np.hstack([x, *(np.maximum(x - at, 0.0) for at in _KNOTS)])
