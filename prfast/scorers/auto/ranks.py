"""Normal scores of single columns, and the columns whose distributions differ most.

The normal score of a value is Φ⁻¹ of its rank among some rows of both sets, ties in the middle: it
is the same in any units, in the logarithm, and beside any outlier.  Least squares on normal scores
and their squares, and two Gaussians on them, see what skewed and heavy-tailed columns hide from the
whitened coordinates.

Beyond MOST columns there are polylines instead, in the normal scores of the SCREENED columns whose
distributions over BINS bins differ most between the classes, by

    Σ (p − q)² / (p + q),

chosen for each group of folds on the samples outside of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s
from prfast.inputs.blocks import blocks
from prfast.scorers.auto.block import Block
from prfast.scorers.auto.coordinates import Coordinates
from prfast.scorers.auto.folds import NUMBERS, Ints
from prfast.scorers.auto.gaussians import Gaussians, gaussians_of
from prfast.scorers.auto.ridge import Ridge, ridge
from prfast.scorers.auto.stack import group_of

MOST = 128
SCREENED = 48
BINS = 16
_ROWS = 500  # by which values are ranked
_FOR_BINS = 8000  # rows
_KNOTS = (-1.5, -0.75, 0.0, 0.75, 1.5)  # normal scores where the polylines bend


class Table(NamedTuple):
    """Sorted values of some columns, by which other values are ranked."""

    columns: Ints
    values: Float64s
    """(columns, rows)"""
    scores: Float64s
    """The normal score by the number of values below plus the number not above."""

    def place(self, points: Float64s) -> Float64s:
        """Return the normal scores of all features, a column each."""
        found = np.empty((len(points), len(self.columns)))
        for i, j in enumerate(self.columns):
            x = np.ascontiguousarray(points[:, j])
            below = self.values[i].searchsorted(x, "left")
            found[:, i] = self.scores[below + self.values[i].searchsorted(x, "right")]
        return found


def table(made: Coordinates, columns: Ints) -> Table:
    from scipy import special

    sample = made.sample
    some = sample.fitted[sample.some("ranks", _ROWS)]
    values = np.sort(sample.points(some)[:, columns], axis=0).T.copy()
    twice = np.arange(2 * len(some) + 1)
    return Table(columns, values, special.ndtri((twice + 1.0) / (2.0 * len(some) + 2.0)))


class Ranks(NamedTuple):
    """Four columns: a penalty each, and two Gaussians."""

    squares: Ridge
    gaussians: Gaussians

    def score(self, block: Block) -> Float64s:
        return np.hstack([self.squares.score(block), self.gaussians.score(block)])


def ranks(made: Coordinates) -> Ranks | Ridge:
    """Fit to the normal scores of all columns, or of the screened ones, where they are many."""
    if made.sample.width > MOST:
        return _screened(made)
    of_all = table(made, np.arange(made.sample.width))
    squares = ridge(made, partial(_squares, of_all), (0.01, 0.3))
    return Ranks(squares, gaussians_of(made, partial(_normal_scores, of_all)))


def _screened(made: Coordinates) -> Ridge:
    """Fit polylines in the normal scores of the columns that differ most."""
    columns = screening(made).without_each(made.sample.folds)
    union, place = np.unique(columns, return_inverse=True)
    place = place.reshape(columns.shape)
    width = 1 + len(_KNOTS)
    chosen = [np.concatenate([one + i * len(union) for i in range(width)]) for one in place]
    return ridge(made, partial(_polylines, table(made, union)), (0.1,), chosen)


class Screening(NamedTuple):
    """How the values of every column fall into bins, by group of folds and class."""

    counts: Float64s
    """(groups, generated or real, columns, bins)"""

    @property
    def groups(self) -> int:
        return len(self.counts)

    def columns(self, groups: Sequence[int]) -> Ints:
        """Return the columns that differ most between the classes in these groups, ascending."""
        q, p = self.counts[groups].sum(axis=0)
        p, q = (x / np.maximum(x.sum(axis=1, keepdims=True), 1) for x in (p, q))
        apart = ((p - q) ** 2 / np.maximum(p + q, 1e-9)).sum(axis=1)
        return np.sort(np.argsort(-apart, kind="stable")[:SCREENED])

    def without_each(self, folds: int) -> NDArray[np.int64]:
        """Return for each fold the columns that differ most in the other groups."""
        others = [[g for g in range(self.groups) if g != one] for one in range(self.groups)]
        return np.array([self.columns(some) for some in others])[np.arange(folds) % self.groups]


def screening(made: Coordinates) -> Screening:
    """Count the values of some rows in bins of quantiles."""
    sample = made.sample
    some = sample.some("screening", _FOR_BINS)
    rows = sample.fitted[some]
    group = group_of(sample.fitted_fold[some].astype(np.int64), sample.folds)
    cell = 2 * group + sample.fitted_real[some]
    cells = 2 * (int(group.max()) + 1)
    counts = np.zeros((cells, sample.width, BINS))
    for columns in blocks(sample.width, max(1, NUMBERS // len(rows))):
        x = sample.columns(rows, columns)
        edges = np.quantile(x, np.arange(1, BINS) / BINS, axis=0)
        bins = sum((x > edge).astype(np.int64) for edge in edges)
        size = x.shape[1]
        at = (cell[:, None] * size + np.arange(size)) * BINS + bins
        found = np.bincount(at.ravel(), minlength=cells * size * BINS)
        counts[:, columns] = found.reshape(cells, size, BINS)
    return Screening(counts.reshape(-1, 2, *counts.shape[1:]))


def _normal_scores(of_all: Table, block: Block) -> Float64s:
    return of_all.place(block.points)


def _squares(of_all: Table, block: Block) -> Float64s:
    x = of_all.place(block.points)
    return np.hstack([x, x**2 / np.sqrt(2.0)])


def _polylines(some: Table, block: Block) -> Float64s:
    x = some.place(block.points)
    return np.hstack([x, *(np.maximum(x - at, 0.0) for at in _KNOTS)])
