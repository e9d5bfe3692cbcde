"""Normal scores of single columns: Φ⁻¹ of the rank of a value among some rows of both sets.

Ties have the rank in their middle.  Normal scores are the same in any units, in the logarithm, and
beside any outlier.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.scorers.auto.folds import Ints
from prfast.scorers.auto.sample import Sample

_ROWS = 500  # by which values are ranked: their error is that of a rank, about 1/√500


class Table(NamedTuple):
    """The sorted values of some columns, by which other values are ranked."""

    columns: Ints
    values: Float64s
    """(columns, rows)"""
    ends: Ints
    """The place behind the last value that equals each one, (columns, rows)."""
    scores: Float64s
    """The normal score by the number of values below plus the number not above."""

    def place(self, points: Float64s, chosen: Ints | slice = slice(None)) -> Float64s:
        """Return the normal scores of all features, a column for each chosen one."""
        places = np.arange(len(self.columns))[chosen]
        placed = np.empty((len(points), len(places)))
        for at, i in enumerate(places):
            x = np.ascontiguousarray(points[:, self.columns[i]])
            below = self.values[i].searchsorted(x)
            # A second search, for the values not above, would take as long as the first.
            equal = self.values[i].take(below, mode="clip") == x
            not_above = np.where(equal, self.ends[i].take(below, mode="clip"), below)
            placed[:, at] = self.scores[below + not_above]
        return placed


def table(sample: Sample, columns: Ints) -> Table:
    """Return the table of some rows of both sets."""
    from scipy import special

    some = sample.fitted[sample.some_distinct("ranks", _ROWS)]
    values = np.sort(sample.columns(some, columns), axis=0).T.copy()
    ends = np.array([one.searchsorted(one, "right") for one in values], np.int64)
    twice = np.arange(2 * len(some) + 1)
    return Table(
        columns,
        values,
        ends.reshape(values.shape),
        special.ndtri((twice + 1.0) / (2.0 * len(some) + 2.0)),
    )
