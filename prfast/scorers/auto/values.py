"""Values that come more than once in a column: how often each comes in either class.

Of a column of which many values are repeated, such as integers, codes or exact zeros, with the
numbers c and e of real and generated samples outside the fold that have the same value, PRIOR
samples of which are taken to be spread over all values alike, the log-ratio of the two shares,

    log (c + a) / (n + A) − log (e + a) / (m + A),

and of a value that no other sample has, the ratio of the shares of such samples.  The base is the
sum over these columns, once of all values and once of the frequent ones, the others being one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.scorers.auto.block import Block
from prfast.scorers.auto.coordinates import Coordinates

REPEATED = 0.05  # of the rows, whose value another has: a column below is continuous
_SCREENED = 2000  # rows, by which columns are taken for continuous
_FREQUENT = 20  # rows
_SMOOTH = 0.5


class _Column(NamedTuple):
    column: int
    values: Float64s
    """Ascending."""
    evidence: Float64s
    """(folds, values + 1, 2): of all values and of frequent ones; last that of a new value."""


class Values(NamedTuple):
    """Two columns."""

    columns: list[_Column]

    def score(self, block: Block) -> Float64s:
        found = np.zeros((len(block), 2))
        for one in self.columns:
            x = np.ascontiguousarray(block.points[:, one.column])
            at = one.values.searchsorted(x)
            at[at == len(one.values)] = 0
            at[one.values[at] != x] = len(one.values)
            found += one.evidence[block.fold, at]
        return found


def values(made: Coordinates) -> Values | None:
    """None where no column repeats its values."""
    sample = made.sample
    columns = []
    some = sample.some("values", _SCREENED)
    for j in range(sample.width):
        one = slice(j, j + 1)
        x = np.sort(sample.columns(sample.fitted[some], one)[:, 0])
        equal = x[1:] == x[:-1]
        if np.mean(np.append(equal, False) | np.append(False, equal)) < REPEATED:
            continue
        if x[0] != x[-1]:
            columns.append(_column(made, j, sample.columns(sample.fitted, one)[:, 0]))
    return Values(columns) if columns else None


def _column(made: Coordinates, j: int, x: Float64s) -> _Column:
    sample = made.sample
    values, place = np.unique(x, return_inverse=True)
    shape = (sample.folds, 2, len(values))
    flat = np.ravel_multi_index(
        (sample.fitted_fold.astype(np.int64), 1 - sample.fitted_real.astype(np.int64), place), shape
    )
    count = np.bincount(flat, minlength=int(np.prod(shape))).reshape(shape).astype(np.float64)
    outside = count.sum(axis=0) - count
    size = outside.sum(axis=2)
    total = outside.sum(axis=1)
    evidence = np.empty((sample.folds, len(values) + 1, 2))
    for fold in range(sample.folds):
        own = outside[fold]
        single = own * (own.sum(axis=0) == 1)  # new, if they were left out
        new = single.sum(axis=1) + 1.0
        ratio = np.log(new[0] / (size[fold, 0] + 2.0)) - np.log(new[1] / (size[fold, 1] + 2.0))
        shares = (own + _SMOOTH) / (size[fold] + 1.0)[:, None]
        log = np.log(shares[0]) - np.log(shares[1])
        log[total[fold] == 0] = ratio
        frequent = total[fold] >= _FREQUENT
        rest = (~frequent) & (total[fold] > 0)
        few = (own[:, rest].sum(axis=1) + 1.0) / (size[fold] + 2.0)
        coarse = np.where(frequent, log, np.log(few[0]) - np.log(few[1]))
        coarse[total[fold] == 0] = ratio
        evidence[fold, :-1, 0], evidence[fold, :-1, 1] = log, coarse
        evidence[fold, -1] = ratio
    return _Column(j, values, evidence)
