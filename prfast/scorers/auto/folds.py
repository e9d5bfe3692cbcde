"""Which rows are in which fold, and which of them are fitted to: vectors, without any points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s
from prfast.inputs.blocks import blocks
from prfast.inputs.copies import EqualRows
from prfast.inputs.lazily import made_once
from prfast.inputs.streams import stream

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

DISTINCT = 0.9  # of the real rows, below which their set is discrete
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
    """The rows that anything is fitted to, by fold: all of them or a random share, and of rows that
    are equal and in one fold the first of each set."""
    unit: int
    """Points are read as multiples of 2**unit, so that their squares stay in range."""
    seed: int
    discrete: bool
    """Whether equal rows are evidence, and may be in different folds."""

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
    sizes: Sequence[int],
    width: int,
    folds: int,
    most: int,
    unit: int,
    seed: int,
    equal: EqualRows | None = None,
) -> Folds:
    """Deal the rows of two sets to folds with the same share of each; at most `most` of a set are
    fitted to.

    Equal rows are in one fold and one part, as a fit that has seen one of them has seen all, and
    one of each set is fitted to: more would weigh in the coordinates, which must not see labels.
    Where the real set is discrete, they are evidence and dealt one by one, and so they are where a
    set has a single distinct row, which cannot be left out.  By default no rows are equal.
    """
    rng = stream(seed, "folds")
    n, size = sizes[0], sum(sizes)
    group, discrete = np.arange(size), False
    if equal is not None:
        discrete = is_discrete(equal)
        if not discrete and min(map(len, equal.counts)) > 1:
            group = equal.group
    (real, first_real), (fake, first_fake) = (
        np.unique(own, return_index=True) for own in (group[:n], group[n:])
    )
    folds = min(folds, len(real), len(fake))
    both = np.intersect1d(real, fake)
    dealt = np.empty(size, np.int64)
    for own in (np.setdiff1d(real, both), np.setdiff1d(fake, both)):
        # They go on where the rows of both sets end, so that each set is spread evenly.
        dealt[own] = rng.permutation((len(both) + np.arange(len(own))) % (PARTS * folds))
    dealt[both] = rng.permutation(np.arange(len(both)) % (PARTS * folds))
    part, fold = (one.astype(np.int8) for one in np.divmod(dealt[group], folds))
    chosen = np.zeros(size, bool)
    for rows in (first_real, n + first_fake):
        chosen[rows[rng.permutation(len(rows))[:most]]] = True
    order = np.argsort(fold, kind="stable")
    fitted = order[chosen[order]]
    return Folds(n, width, folds, fold, part, order, fitted, unit, seed, discrete)


def is_discrete(equal: EqualRows) -> bool:
    """Return whether the real rows are draws from a discrete distribution.

    Fewer than DISTINCT of them are distinct, and the set is not a whole that was repeated: most of
    its distinct rows come as seldom as any, at least twice, but less often than there are distinct
    rows.
    """
    counts = equal.counts[0]
    least = int(counts.min())
    repeated = 1 < least < len(counts) and int((counts == least).sum()) > len(counts) / 2
    return len(counts) < DISTINCT * equal.n_real and not repeated


def unit_of(largest: float) -> int:
    """0, or the power of two of the largest number where its square may leave the range."""
    exponent = int(np.frexp(largest)[1])
    return exponent if abs(exponent) > 100 else 0
