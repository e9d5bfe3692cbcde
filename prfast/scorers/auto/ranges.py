"""How far a point lies outside the range that each class has, column by column.

Per class and tail of a column, outside the fold: x₁ its extreme value, g the mean spacing of its
_TAIL outermost values.  With E the sum over the tails of max(0, excess over x₁) / g and c the
number of tails exceeded, the columns are

    log (E_generated + .01) − log (E_real + .01),    c_generated − c_real + ½ tanh(E_gen − E_real).

One partition of each class for its outermost values serves all folds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s
from prfast.scorers.auto.block import Block
from prfast.scorers.auto.coordinates import Coordinates
from prfast.scorers.auto.folds import Flags

_TAIL = 20
_HELD = 34  # outermost values, of which some are of the fold that is left out
_NUMBERS = 1 << 20  # of columns that are sorted together
_FLOOR = 1e-6  # of a column's reach, up to which a spacing or an excess is rounding


class Ranges(NamedTuple):
    """Two columns."""

    end: Float64s
    """(folds, class, tail, columns): the extreme value, with the sign of the tail."""
    spacing: Float64s
    tolerance: Float64s
    """(columns,): an excess up to this is rounding."""

    def score(self, block: Block) -> Float64s:
        sums, exceeded = [], []
        for i in range(2):
            total, count = np.zeros(len(block)), np.zeros(len(block))
            for tail, sign in enumerate((1.0, -1.0)):
                excess = sign * block.points - self.end[block.fold, i, tail]
                excess[excess <= self.tolerance] = 0.0
                count += (excess > 0).sum(axis=1)
                excess /= self.spacing[block.fold, i, tail]
                total += excess.sum(axis=1)
            sums.append(total)
            exceeded.append(count)
        (p, q), (n, m) = sums, exceeded
        return np.column_stack([np.log(q + 0.01) - np.log(p + 0.01), m - n + 0.5 * np.tanh(q - p)])


def ranges(made: Coordinates) -> Ranges:
    sample = made.sample
    shape = (sample.folds, 2, 2, sample.width)
    end, spacing = np.empty(shape), np.empty(shape)
    tolerance = np.maximum(_FLOOR * made.reach, 1e-290)
    for i, real in enumerate((True, False)):
        own = np.flatnonzero(sample.fitted_real == real)
        rows, folds = sample.fitted[own], sample.fitted_fold[own]
        step = max(1, _NUMBERS // len(rows))
        for start in range(0, sample.width, step):
            columns = slice(start, min(start + step, sample.width))
            x = sample.columns(rows, columns)
            floor = tolerance[columns]
            for tail, sign in enumerate((1.0, -1.0)):
                values, of_fold = _outermost(sign * x, folds)
                for fold in range(sample.folds):
                    first, gap = _without(values, of_fold != fold)
                    end[fold, i, tail, columns] = first
                    spacing[fold, i, tail, columns] = np.maximum(gap, floor)
    return Ranges(end, spacing, tolerance)


def _outermost(x: Float64s, folds: NDArray[Any]) -> tuple[Float64s, NDArray[Any]]:
    """Return the largest values of each column, falling, and their folds.

    Every fold but one must leave some: where one fold holds them all, its own end is all there is.
    """
    held = min(_HELD, len(x))
    at = np.argpartition(x, len(x) - held, axis=0)[-held:]
    values = np.take_along_axis(x, at, axis=0)
    order = np.argsort(-values, axis=0, kind="stable")
    return np.take_along_axis(values, order, axis=0), folds[np.take_along_axis(at, order, axis=0)]


def _without(values: Float64s, kept: Flags) -> tuple[Float64s, Float64s]:
    """Return the first of the values that are kept, and the mean spacing of the first _TAIL."""
    rank = np.cumsum(kept, axis=0)
    some = rank[-1] > 0
    first = np.argmax(kept, axis=0)
    last_rank = np.minimum(rank[-1], _TAIL)
    last = np.argmax(rank >= np.maximum(last_rank, 1), axis=0)
    columns = np.arange(values.shape[1])
    end = np.where(some, values[first, columns], values[-1])
    spacing = (values[first, columns] - values[last, columns]) / np.maximum(last_rank - 1, 1)
    return end, np.where(some, spacing, 0.0)
