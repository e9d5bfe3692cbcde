"""Identical rows: how often each occurs in either class outside the fold.

Where the real set is discrete (`EqualRows.discrete`), a column: with c and e the numbers of rows
equal to z among the n real and m generated samples outside its fold,

    log (c + ½) / (n + ½) − log (e + ½) / (m + ½);    0 where neither has one.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.scorers.auto.block import Block
from prfast.scorers.auto.coordinates import Coordinates
from prfast.scorers.auto.folds import Ints


class Atoms(NamedTuple):
    """One column."""

    keys: Ints
    """The keys of the distinct rows, ascending."""
    outside: Float64s
    """The numbers of rows of each class outside each fold, (folds, 2, distinct rows)."""
    sizes: Float64s
    """The sums of these numbers, (folds, 2)."""

    def score(self, block: Block) -> Float64s:
        keys = _keys(block.points)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        known = self.keys[at] == keys
        count = np.where(known, self.outside[block.fold][:, at], 0.0)
        log = np.log((count + 0.5) / (self.sizes[block.fold][:, None] + 0.5))
        column = np.where(count.sum(axis=0) > 0, log[0] - log[1], 0.0)
        return column[:, None]


def atoms(made: Coordinates) -> Atoms | None:
    """Count identical rows; return None where the real set is not discrete."""
    sample = made.sample
    if not sample.discrete:
        return None
    keys = np.concatenate([_keys(block.points) for _, block in made.again()])
    distinct, place = np.unique(keys, return_inverse=True)
    count = np.zeros((sample.folds, 2, len(distinct)))
    np.add.at(count, (sample.fitted_fold, 1 - sample.fitted_real, place), 1.0)
    outside = count.sum(axis=0) - count
    return Atoms(distinct, outside, outside.sum(axis=2))


def _keys(points: Float64s) -> Ints:
    """Return a number for each row, the same for equal rows; 0 equals −0."""
    rows = np.ascontiguousarray(points + 0.0)
    digests = [blake2b(row, digest_size=8).digest() for row in rows.view(np.uint8)]
    return np.frombuffer(b"".join(digests), np.int64)
