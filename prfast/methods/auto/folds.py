"""Folds of the rows of both sets, and the rows that are fitted to.

Rows are numbered through both sets, the real ones first.  A block has rows of one fold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import stream
from prfast.methods.base import ExecutionContext
from prfast.neighbors.tasks import largest_value
from prfast.samples.large import first_copies
from prfast.samples.pair import SETS, Pair
from prfast.samples.partition import evenly

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Sets = tuple[Floats, ...]

_NUMBERS = 1 << 19  # numbers in a block of points
_LARGEST = 1e300  # beyond which differences of values, times a fence, overflow


def block_rows(width: int) -> int:
    """Return the number of rows whose features are in memory at the same time."""
    return max(128, _NUMBERS // max(width, 64))


def blocks_of_folds(fold: NDArray[np.int8], width: int) -> Iterator[tuple[int, slice]]:
    """Yield blocks of rows of one fold: (fold, rows); fold: of each row, ascending."""
    ends = np.searchsorted(fold, np.arange(int(fold[-1]) + 2 if len(fold) else 1))
    for number, (start, end) in enumerate(pairwise(ends.tolist())):
        for block in blocks(end - start, block_rows(width)):
            yield number, slice(start + block.start, start + block.stop)


@dataclass(frozen=True)
class Folds:
    """The folds of all rows, and the rows that are fitted to."""

    n_real: int
    width: int
    folds: int
    fold: NDArray[np.int8]  # of each row
    fitted: Ints  # rows that are fitted to, by fold: all or a random share; one of a unit of a set
    unfitted: Ints  # the others, by fold
    seed: int
    are_draws: bool  # equal rows are evidence, and may be in different folds
    # The rows for fits without labels: without generated rows whose equal real row is fitted to, as
    # counting such rows twice would distinguish them from others.
    unlabelled: Flags
    is_exact: bool  # exact values are evidence
    weight: Float64s  # the caller's, with the effective size as the sum over a set

    def labelled(self, purpose: str, count: int, among: Ints | None = None) -> Ints:
        """Return places of random fitted rows, ascending, for fits with labels; of each set half.

        among: of these places, ascending; None for all.
        """
        places = np.arange(len(self.fitted)) if among is None else among
        if count >= len(places):
            return places
        order = stream(self.seed, purpose).permutation(places)
        return evenly(self.fitted < self.n_real, order, count)


def assign_folds(pair: Pair, folds: int, max_fitted: int, context: ExecutionContext) -> Folds:
    """Return random folds with the same share of each set; `max_fitted`: rows of a set at most."""
    for name, samples in zip(SETS, pair.sets, strict=True):
        if len(samples) < 2:
            raise WrongValue(name, f"at least 2 samples expected for folds, got {len(samples)}")
        if (largest := largest_value(samples.points)) > _LARGEST:
            text = f"numbers within ±{_LARGEST:g} expected, got {largest:.3g}"
            raise WrongValue(name, f"{text}; divide both sets by one number")
    folds = min(folds, *(len(np.unique(units)) for units in pair.units))
    # A unit is in one fold: a fit to one of its rows would reveal the others.
    fold = np.concatenate(pair.partition(folds, context.seed, "folds")).astype(np.int8)
    real, fake = pair.representatives(max_fitted, context.seed)
    n, first, rows = len(pair.real), first_copies(pair), np.argsort(fold, kind="stable")
    is_fitted = np.isin(rows, np.append(real, n + fake))
    unlabelled = (np.arange(len(fold)) < n) | (first >= n) | ~np.isin(first, real)
    weight: Any = np.ones(len(fold)) if pair.is_plain else pair.scaled_weights()
    return Folds(
        n,
        pair.width,
        folds,
        fold,
        fitted=rows[is_fitted],
        unfitted=rows[~is_fitted],
        seed=context.seed,
        are_draws=pair.repetition.are_draws,
        unlabelled=unlabelled,
        is_exact=pair.noise is None or not pair.noise.is_everywhere,
        weight=weight,
    )
