"""The columns whose distributions differ most between the classes, where columns are many.

A difference is Σ (p − q)² / (p + q) over the shares p and q of both classes in BINS bins, which are
bounded by quantiles of both sets together.  Counts are kept by group of folds, so that columns are
chosen without the samples that they serve to score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s
from prfast.inputs.blocks import blocks
from prfast.scorers.auto.folds import NUMBERS, Ints
from prfast.scorers.auto.sample import Sample

MANY = 128  # columns, beyond which they are screened
SCREENED = 48
BINS = 8
_ROWS = 8000
_FOR_EDGES = 2000  # rows


class Screening(NamedTuple):
    """Counts of the values of every column in bins, by group of folds and class."""

    counts: Float64s
    """(groups, real or generated, columns, bins)"""

    @property
    def groups(self) -> int:
        return len(self.counts)

    def columns(self, groups: Sequence[int]) -> Ints:
        """Return the columns that differ most between the classes in these groups, ascending."""
        p, q = self.counts[groups].sum(axis=0)
        p, q = (x / np.maximum(x.sum(axis=1, keepdims=True), 1) for x in (p, q))
        apart = ((p - q) ** 2 / np.maximum(p + q, 1e-9)).sum(axis=1)
        return np.sort(np.argsort(-apart, kind="stable")[:SCREENED])

    def without_each(self, folds: int) -> NDArray[np.int64]:
        """Return for each fold the columns that differ most in the other groups."""
        others = [[g for g in range(self.groups) if g != one] for one in range(self.groups)]
        return np.array([self.columns(some) for some in others])[np.arange(folds) % self.groups]


def screening(sample: Sample) -> Screening:
    """Count the values of some rows in bins of quantiles."""
    some = sample.some("screening", _ROWS)
    rows = sample.fitted[some]
    cell, cells = sample.cells(some), 2 * sample.groups
    counts = np.zeros((cells, sample.width, BINS))
    for columns in blocks(sample.width, max(1, NUMBERS // len(rows))):
        x = sample.columns(rows, columns)
        edges = np.quantile(x[:: -(-len(x) // _FOR_EDGES)], np.arange(1, BINS) / BINS, axis=0)
        bins = sum((x > edge).astype(np.int64) for edge in edges)
        size = x.shape[1]
        at = (cell[:, None] * size + np.arange(size)) * BINS + bins
        binned = np.bincount(at.ravel(), minlength=cells * size * BINS)
        counts[:, columns] = binned.reshape(cells, size, BINS)
    return Screening(counts.reshape(-1, 2, *counts.shape[1:]))
