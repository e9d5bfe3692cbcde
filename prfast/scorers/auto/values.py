"""Values that come more than once in a column: how often each comes in either class.

Of a column of which many values are repeated, such as integers, codes or exact zeros, with the
numbers c and e of real and generated samples with the same value among the n and m of some rows
outside the group of the fold, the evidence is

    log (c + ½) / (n + 1) − log (e + ½) / (m + 1).

A value that none of these rows has counts as new; its evidence is that of all values that occur
once.  The base is the sum over these columns (naive Bayes), once of all values and once of the
frequent ones, where all rare values but the new ones are taken for one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s
from prfast.inputs.blocks import blocks
from prfast.scorers.auto.block import Block
from prfast.scorers.auto.coordinates import Coordinates
from prfast.scorers.auto.folds import NUMBERS, Flags, Ints

REPEATED = 0.05  # of the rows, whose value another has: a column below is continuous
MOST = 1 << 18  # values of all columns together, the most frequent ones of each
_ROWS = 8000  # whose values are counted
_FEW = 2000  # of them, by which most continuous columns are recognised
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
        total = np.zeros((len(block), 2))
        for one in self.columns:
            x = np.ascontiguousarray(block.points[:, one.column])
            at = one.values.searchsorted(x)
            at[at == len(one.values)] = 0
            at[one.values[at] != x] = len(one.values)
            total += one.evidence[block.fold % len(one.evidence), at]
        return total


def values(made: Coordinates) -> Values | None:
    """Count the values of the columns that repeat them; None where no column does."""
    sample = made.sample
    some = sample.some("values", _ROWS)
    rows = sample.fitted[some]
    cell, cells = sample.cells(some), 2 * sample.groups
    most = max(MOST // sample.width, 2)
    columns = []
    for part in blocks(sample.width, max(1, NUMBERS // len(rows))):
        for j, x in enumerate(sample.columns(rows, part).T, part.start):
            if _repeats(x[:: -(-len(x) // _FEW)]) and _repeats(x):
                frequent, place = _frequent_values(x, sample.distinct[rows], most)
                columns.append(_Column(j, frequent, _evidence(cell, cells, place, len(frequent))))
    return Values(columns) if columns else None


def _repeats(x: Float64s) -> bool:
    """Return whether enough of the values come more than once, but not all are the same."""
    x = np.sort(x)
    equal = x[1:] == x[:-1]
    repeated = np.append(equal, False) | np.append(False, equal)
    return bool(repeated.mean() >= REPEATED and x[0] != x[-1])


def _frequent_values(x: Float64s, counted: Flags, most: int) -> tuple[Float64s, Ints]:
    """Return the distinct values, ascending, at most so many and then the most frequent ones, and
    the place of each x among them: the number of values where it is none of them.

    counted: rows that count for how frequent a value is, distinct ones.
    """
    distinct, place = np.unique(x, return_inverse=True)
    if len(distinct) <= most:
        return distinct, place
    number = np.bincount(place[counted], minlength=len(distinct))
    frequent = np.sort(np.argsort(-number, kind="stable")[:most])
    places = np.full(len(distinct), most)
    places[frequent] = np.arange(most)
    return distinct[frequent], places[place]


def _evidence(cell: Ints, cells: int, place: Ints, values: int) -> NDArray[np.float32]:
    """Return the evidence of every value and of a new one for each group of folds left out."""
    slots = values + 1  # the last one for all other values, which count as new
    count = np.bincount(cell * slots + place, minlength=cells * slots)
    count = count.reshape(-1, 2, slots).astype(np.float64)
    outside = count.sum(axis=0) - count
    size = outside.sum(axis=2, keepdims=True)
    known = outside[:, :, :-1]
    total = known.sum(axis=1)
    rare = total < _FREQUENT
    once = (known * (total == 1)[:, None]).sum(axis=2, keepdims=True) + outside[:, :, -1:]
    new = _log_ratio(once, size, 1.0)
    few = _log_ratio((known * rare[:, None]).sum(axis=2, keepdims=True), size, 1.0)
    evidence = np.empty((len(count), slots, 2), np.float32)
    evidence[:, :-1, 0] = _log_ratio(known, size, 0.5)
    evidence[:, :-1, 1] = np.where(rare, few, evidence[:, :-1, 0])
    evidence[:, :-1] = np.where((total == 0)[:, :, None], new[:, :, None], evidence[:, :-1])
    evidence[:, -1] = new
    return evidence


def _log_ratio(count: Float64s, size: Float64s, prior: float) -> Float64s:
    """Return the log-ratio of the shares of both classes, (groups, values)."""
    logs = np.log((count + prior) / (size + 2 * prior))
    return np.asarray(logs[:, 0] - logs[:, 1])
