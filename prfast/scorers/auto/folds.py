"""Which rows are in which fold, and which of them are fitted to: vectors, without any points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s
from prfast.inputs.blocks import blocks
from prfast.inputs.lazily import made_once
from prfast.inputs.streams import stream

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

PARTS = 5
NUMBERS = 1 << 18  # of a block of points


def block_rows(width: int) -> int:
    """Rows of a block."""
    return max(64, NUMBERS // max(width, 64))


def balanced(real: Flags) -> Float64s:
    """N/2n for the n real and N/2m for the m generated of N samples: both sets weigh alike."""
    size, n = len(real), int(real.sum())
    return np.where(real, size / (2 * max(n, 1)), size / (2 * max(size - n, 1)))


@dataclass(frozen=True)
class Folds:
    """Rows are numbered through both sets, the real ones first."""

    n_real: int
    width: int
    folds: int
    fold: NDArray[np.int8]
    """Of each row."""
    part: NDArray[np.int8]
    """Of each row within its fold, PARTS at most."""
    order: Ints
    """All rows, by fold."""
    fitted: Ints
    """The rows that anything is fitted to, by fold: all of them or a random share."""
    unit: int
    """Points are read as multiples of 2**unit, so that their squares stay in range."""
    seed: int

    def __len__(self) -> int:
        return len(self.fold)

    @made_once
    def is_fitted(self) -> Flags:
        """Of each row."""
        flags = np.zeros(len(self), bool)
        flags[self.fitted] = True
        return flags

    @property
    def rest(self) -> Ints:
        """The rows that nothing is fitted to, by fold and ascending in each."""
        return self.order[~self.is_fitted[self.order]]

    def of_real(self, rows: Ints) -> Flags:
        flags: Flags = rows < self.n_real
        return flags

    def parts(self, rows: Ints) -> Iterator[tuple[int, slice]]:
        """Rows that are in the order of their folds, in blocks of one fold: (fold, block)."""
        ends = np.searchsorted(self.fold[rows], np.arange(self.folds + 1))
        for fold in range(self.folds):
            start, end = int(ends[fold]), int(ends[fold + 1])
            for block in blocks(end - start, block_rows(self.width)):
                yield fold, slice(start + block.start, start + block.stop)

    @made_once
    def fitted_fold(self) -> NDArray[np.int8]:
        return self.fold[self.fitted]

    @made_once
    def fitted_real(self) -> Flags:
        return self.of_real(self.fitted)

    def only_fitted(self) -> Folds:
        """The fitted rows among themselves: numbered anew, in the same order."""
        kept = np.flatnonzero(self.is_fitted)
        fold = self.fold[kept]
        order = np.argsort(fold, kind="stable")
        n = int(np.searchsorted(kept, self.n_real))
        return replace(self, n_real=n, fold=fold, part=self.part[kept], order=order, fitted=order)

    def window(self, real: slice, fake: slice) -> Folds:
        """Consecutive rows of each set, numbered anew; none of them is fitted to."""
        n, none = self.n_real, np.empty(0, np.int64)
        where = real, slice(n + fake.start, n + fake.stop)
        fold, part = (np.concatenate([one[w] for w in where]) for one in (self.fold, self.part))
        size = real.stop - real.start
        return replace(self, n_real=size, fold=fold, part=part, order=none, fitted=none)

    def weights(self, rows: Ints) -> Float64s:
        """Weights by which both sets weigh alike among these rows."""
        return balanced(self.of_real(rows))

    def some(self, purpose: str, count: int) -> Ints:
        """Places in `fitted` of a random share, ascending."""
        rng = stream(self.seed, purpose)
        return np.sort(rng.permutation(len(self.fitted))[:count])

    def training(self, fold: int, real: bool) -> Ints:
        """Places in `fitted` of the samples of a set outside a fold."""
        return np.flatnonzero((self.fitted_fold != fold) & (self.fitted_real == real))


def draw_folds(
    sizes: Sequence[int], width: int, folds: int, most: int, unit: int, seed: int
) -> Folds:
    """Rows of two sets in folds, with the same share of each; at most `most` of a set are fitted
    to."""
    rng = stream(seed, "folds")
    folds = min(folds, *sizes)
    parts = [rng.permutation(np.arange(size) % (PARTS * folds)) for size in sizes]
    part, fold = (one.astype(np.int8) for one in np.divmod(np.concatenate(parts), folds))
    chosen = np.concatenate([_share(rng, size, most) for size in sizes])
    order = np.argsort(fold, kind="stable")
    return Folds(sizes[0], width, folds, fold, part, order, order[chosen[order]], unit, seed)


def _share(rng: np.random.Generator, size: int, most: int) -> Flags:
    """Which of so many rows are among `most` at random."""
    chosen = np.zeros(size, bool)
    chosen[rng.permutation(size)[:most]] = True
    return chosen


def unit_of(largest: float) -> int:
    """0, or the power of two of the largest number where its square may leave the range."""
    exponent = int(np.frexp(largest)[1])
    return exponent if abs(exponent) > 100 else 0
