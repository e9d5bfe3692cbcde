"""Values that come more than once in a column: how often each comes in either class.

Of a column of which many values are repeated, such as integers, codes or exact zeros, with the
numbers c and e of real and generated samples with the same value among the n and m of some rows
outside the group of the fold, the evidence is

    log (c + ½) / (n + 1) − log (e + ½) / (m + 1).

A value that none of them has counts as new: the shares of samples whose value no other sample of
theirs has stand for it.  The base is the sum over these columns (naive Bayes), once of all values
and once of the frequent ones, where all rare values are taken for one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s
from prfast.inputs.blocks import blocks
from prfast.scorers.auto.block import Block
from prfast.scorers.auto.coordinates import Coordinates
from prfast.scorers.auto.folds import NUMBERS, Ints
from prfast.scorers.auto.stack import group_of

REPEATED = 0.05  # of the rows, whose value another has: a column below is continuous
_ROWS = 8000  # whose values are counted
_FEW = 2000  # of them, by which most continuous columns are known
_FREQUENT = 20  # rows


class _Column(NamedTuple):
    column: int
    values: Float64s
    """Ascending."""
    evidence: NDArray[np.float32]
    """(groups, values + 1, 2): of all values and of frequent ones; last that of a new value."""


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
            found += one.evidence[block.fold % len(one.evidence), at]
        return found


def values(made: Coordinates) -> Values | None:
    """Count the values of the columns that repeat them; None where no column does."""
    sample = made.sample
    some = sample.some("values", _ROWS)
    rows = sample.fitted[some]
    group = group_of(sample.fitted_fold[some].astype(np.int64), sample.folds)
    cell = 2 * group + ~sample.fitted_real[some]
    columns = []
    for part in blocks(sample.width, max(1, NUMBERS // len(rows))):
        for j, x in enumerate(sample.columns(rows, part).T, part.start):
            of_column, place, number = np.unique(x, return_inverse=True, return_counts=True)
            if len(of_column) > 1 and number[number > 1].sum() >= REPEATED * len(x):
                columns.append(_Column(j, of_column, _evidence(cell, place, len(of_column))))
    return Values(columns) if columns else None


def _evidence(cell: Ints, place: Ints, values: int) -> NDArray[np.float32]:
    """Return the evidence of every value and of a new one for each group of folds left out."""
    cells = int(cell.max()) // 2 * 2 + 2
    count = np.bincount(cell * values + place, minlength=cells * values)
    count = count.reshape(-1, 2, values).astype(np.float64)
    outside = count.sum(axis=0) - count
    size = outside.sum(axis=2, keepdims=True)
    total = outside.sum(axis=1)
    single, rare = total == 1, total < _FREQUENT
    new, few = (
        _log_ratio((outside * some[:, None]).sum(axis=2, keepdims=True), size, 1.0)
        for some in (single, rare)
    )
    evidence = np.empty((len(count), values + 1, 2), np.float32)
    evidence[:, :-1, 0] = _log_ratio(outside, size, 0.5)
    evidence[:, :-1, 1] = np.where(rare, few, evidence[:, :-1, 0])
    evidence[:, :-1] = np.where((total == 0)[:, :, None], new[:, :, None], evidence[:, :-1])
    evidence[:, -1] = new
    return evidence


def _log_ratio(count: Float64s, size: Float64s, prior: float) -> Float64s:
    """Return the log-ratio of the shares of both classes, (groups, values)."""
    logs = np.log((count + prior) / (size + 2 * prior))
    return np.asarray(logs[:, 0] - logs[:, 1])
