"""Folds of both sets, and the samples in folds, read a block of rows at a time.

`Folds` has vectors as long as the sets, and no points; `Sample` adds the points.  A fold has PARTS
parts, and folds form GROUPS groups, for fits that are repeated fewer times.  Rows are numbered
through both sets, the real ones first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.distributed.sharded import Sharded
from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.concurrency import cached_property
from prfast.inputs.copies import EqualRows, equal_rows, stream

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

PARTS = 5
GROUPS = 5  # groups of folds, at most
NUMBERS = 1 << 18  # numbers in a block of points


def block_rows(width: int) -> int:
    """Return the number of rows of a block."""
    return max(64, NUMBERS // max(width, 64))


def balanced(real: Flags) -> Float64s:
    """Return weights with equal sums in both sets: N/2n for the n real and N/2m for the m generated
    of N samples."""
    size, n = len(real), int(real.sum())
    return np.where(real, size / (2 * max(n, 1)), size / (2 * max(size - n, 1)))


@dataclass(frozen=True)
class Folds:
    """The folds of all rows, and the rows that are fitted to."""

    n_real: int
    width: int
    folds: int
    fold: NDArray[np.int8]
    """The fold of each row."""
    part: NDArray[np.int8]
    """The part of each row within its fold, at most PARTS of them."""
    order: Ints
    """All rows, by fold."""
    fitted: Ints
    """The rows that are fitted to, by fold: all or a random share; where equal rows share a fold,
    only the first of each set."""
    unit: int
    """Points are read as multiples of 2**unit, so that their squares stay in range."""
    seed: int
    discrete: bool
    """Whether repeated rows are evidence, and may be in different folds."""
    distinct: Flags
    """The rows for fits without labels: without generated rows whose equal real row is fitted to,
    as counting such rows twice would distinguish them from others."""

    def __len__(self) -> int:
        return len(self.fold)

    @property
    def groups(self) -> int:
        """The number of groups of folds."""
        return min(GROUPS, self.folds)

    def group_of(self, fold: NDArray[Any]) -> NDArray[np.int64]:
        """Return the group of each fold."""
        return fold.astype(np.int64) % self.groups

    @cached_property
    def is_fitted(self) -> Flags:
        """Whether each row is fitted to."""
        flags = np.zeros(len(self), bool)
        flags[self.fitted] = True
        return flags

    @property
    def rest(self) -> Ints:
        """The rows that are not fitted to, by fold and ascending in each."""
        return self.order[~self.is_fitted[self.order]]

    def of_real(self, rows: Ints) -> Flags:
        flags: Flags = rows < self.n_real
        return flags

    def parts(self, rows: Ints) -> Iterator[tuple[int, slice]]:
        """Yield rows that are in the order of their folds in blocks of one fold: (fold, block)."""
        ends = np.searchsorted(self.fold[rows], np.arange(self.folds + 1))
        for fold in range(self.folds):
            start, end = int(ends[fold]), int(ends[fold + 1])
            for block in blocks(end - start, block_rows(self.width)):
                yield fold, slice(start + block.start, start + block.stop)

    @cached_property
    def fitted_fold(self) -> NDArray[np.int8]:
        return self.fold[self.fitted]

    @cached_property
    def fitted_real(self) -> Flags:
        return self.of_real(self.fitted)

    def cells(self, some: Ints) -> Ints:
        """Return the numbers of the group and class of fitted rows, given by place: 2 * group, and
        1 more where a row is generated."""
        return 2 * self.group_of(self.fitted_fold[some]) + ~self.fitted_real[some]

    def only_fitted(self) -> Folds:
        """Return the folds of the fitted rows alone, renumbered in the same order."""
        kept = np.flatnonzero(self.is_fitted)
        fold = self.fold[kept]
        order = np.argsort(fold, kind="stable")
        n = int(np.searchsorted(kept, self.n_real))
        part, distinct = self.part[kept], self.distinct[kept]
        numbered = replace(self, n_real=n, fold=fold, part=part, distinct=distinct)
        return replace(numbered, order=order, fitted=order)

    def window(self, real: slice, fake: slice) -> Folds:
        """Return the folds of consecutive rows of each set, renumbered; no row is fitted to."""
        n, none = self.n_real, np.empty(0, np.int64)
        where = real, slice(n + fake.start, n + fake.stop)
        fold, part = (np.concatenate([one[w] for w in where]) for one in (self.fold, self.part))
        size = real.stop - real.start
        return replace(self, n_real=size, fold=fold, part=part, order=none, fitted=none)

    def weights(self, rows: Ints) -> Float64s:
        """Return weights of these rows with equal sums in both sets."""
        return balanced(self.of_real(rows))

    def some(self, purpose: str, count: int) -> Ints:
        """Return the places in `fitted` of `count` random rows, ascending."""
        return np.sort(stream(self.seed, purpose).permutation(len(self.fitted))[:count])

    def some_distinct(self, purpose: str, count: int) -> Ints:
        """Return the places in `fitted` of `count` random distinct rows, ascending."""
        return np.sort(self.shuffled(purpose)[:count])

    def shuffled(self, purpose: str) -> Ints:
        """Return the places in `fitted` of all distinct rows, in random order."""
        places = stream(self.seed, purpose).permutation(len(self.fitted))
        return places[self.distinct[self.fitted[places]]]

    def training(self, fold: int, real: bool) -> Ints:
        """Return the places in `fitted` of the samples of a set outside a fold."""
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
    """Return random folds with the same share of each set; at most `most` rows of a set are fitted
    to.

    Equal rows are in one fold and one part, as a fit that has seen one of them has seen all.  One
    of each set is fitted to: more would have more weight in the coordinates, which must not depend
    on labels.  Where the real set is discrete, equal rows are evidence and assigned one by one; so
    they are where a set has a single distinct row, which cannot be left out.  By default all rows
    are assumed to be distinct.
    """
    rng = stream(seed, "folds")
    n, size = sizes[0], sum(sizes)
    group, discrete = np.arange(size), False
    if equal is not None:
        discrete = equal.discrete
        if not discrete and min(map(len, equal.counts)) > 1:
            group = equal.group
    (real, first_real), (fake, first_fake) = (
        np.unique(own, return_index=True) for own in (group[:n], group[n:])
    )
    folds = min(folds, len(real), len(fake))
    both = np.intersect1d(real, fake)
    dealt = np.empty(size, np.int64)
    for own in (np.setdiff1d(real, both), np.setdiff1d(fake, both)):
        # They continue where the shared rows end, so that each set is spread evenly.
        dealt[own] = rng.permutation((len(both) + np.arange(len(own))) % (PARTS * folds))
    dealt[both] = rng.permutation(np.arange(len(both)) % (PARTS * folds))
    part, fold = (one.astype(np.int8) for one in np.divmod(dealt[group], folds))
    chosen = np.zeros(size, bool)
    for rows in (first_real, n + first_fake):
        chosen[rows[rng.permutation(len(rows))[:most]]] = True
    order = np.argsort(fold, kind="stable")
    fitted = order[chosen[order]]
    distinct = np.ones(size, bool)
    distinct[n:] = (group[n:] >= n) | ~chosen[group[n:]]
    return Folds(n, width, folds, fold, part, order, fitted, unit, seed, discrete, distinct)


def unit_of(largest: float) -> int:
    """Return the binary exponent of the largest number where its square may overflow or underflow,
    otherwise 0."""
    exponent = int(np.frexp(largest)[1])
    return exponent if abs(exponent) > 100 else 0


@dataclass(frozen=True)
class Sample(Folds):
    """Folds with the points of both sets."""

    real: Floats
    fake: Floats

    def points(self, rows: Ints) -> Float64s:
        """Return rows in float64."""
        return self.columns(rows, slice(self.width))

    def columns(self, rows: Ints, columns: slice | Ints) -> Float64s:
        """Return some columns of rows, in float64."""
        real = self.of_real(rows)
        some = np.arange(self.width)[columns] if isinstance(columns, slice) else columns
        values = np.empty((len(rows), len(some)))
        for own, points, first in ((real, self.real, 0), (~real, self.fake, self.n_real)):
            places = rows[own] - first
            if isinstance(columns, slice):
                values[own] = points[places, columns]
            else:
                values[own] = points[np.ix_(places, columns)]
        return np.ldexp(values, -self.unit, out=values) if self.unit else values


def holding(folds: Folds, real: Floats, fake: Floats) -> Sample:
    """Return folds with their points."""
    given = {one.name: getattr(folds, one.name) for one in fields(Folds)}
    return Sample(**given, real=real, fake=fake)


def in_folds(real: Floats, fake: Floats, folds: int, most: int, seed: int) -> Sample:
    """Return both sets in random folds; at most `most` rows of a set are fitted to."""
    equal = equal_rows(real, fake)
    return holding(folds_of(real, fake, folds, most, seed, equal), real, fake)


def folds_of(
    real: Floats | Sharded,
    fake: Floats | Sharded,
    folds: int,
    most: int,
    seed: int,
    equal: EqualRows | None = None,
) -> Folds:
    """Return the folds of both sets; by default all rows are assumed to be distinct."""
    unit = unit_of(max(_largest(real), _largest(fake)))
    return draw_folds((len(real), len(fake)), real.shape[1], folds, most, unit, seed, equal)


def _largest(points: Floats | Sharded) -> float:
    """Return the largest absolute value."""
    if isinstance(points, Sharded):
        return points.largest
    return max(float(points.max()), -float(points.min()))
