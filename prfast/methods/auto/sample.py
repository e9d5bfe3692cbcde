"""Samples in folds, read a block of rows at a time; normal scores and screening of their columns.

`Folds` has vectors as long as the sets, and no points; `Sample` adds the points.  A fold has PARTS
parts, and folds form GROUPS groups, for fits that are repeated fewer times.  Rows are numbered
through both sets, the real ones first.

The normal score of a value in a column is Φ⁻¹ of its rank among some rows of both sets; equal
values share the middle of their ranks.  Normal scores do not depend on the unit of a column, on
monotone transformations such as the logarithm, or on the size of outliers.

Where there are more than MANY_COLUMNS, they are screened: some bases use only the SCREENED ones
whose distributions differ most between the classes, by Σ (p − q)² / (p + q) over the shares p and q
of both classes in BINS bins between quantiles of both sets together.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.concurrency import bounded_map, cached_property
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import Progress, stream
from prfast.kernels import monotone
from prfast.neighbors.tasks import largest_value
from prfast.samples.pair import SETS, Pair
from prfast.samples.partition import systematic

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

PARTS = 5
GROUPS = 5  # groups of folds, at most
NUMBERS = 1 << 18  # numbers in a block of points
MANY_COLUMNS = 128  # columns, beyond which they are screened
SCREENED = 48
BINS = 8
_RANKED_ROWS = 500  # by which values are ranked: their error is that of a rank, about 1/√500
_SCREENED_ROWS = 8000
_EDGE_ROWS = 2000  # from which the edges of the bins are computed

# The coefficients of `normal_scores`, below _TAIL and from there to the middle.
_TAIL = 0.02425
_TAIL_ABOVE = (
    *(-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e00),
    *(-2.549732539343734e00, 4.374664141464968e00, 2.938163982698783e00),
)
_TAIL_BELOW = (
    *(7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e00),
    *(3.754408661907416e00, 1.0),
)
_MIDDLE_ABOVE = (
    *(-3.969683028665376e01, 2.209460984245205e02, -2.759285104469687e02),
    *(1.383577518672690e02, -3.066479806614716e01, 2.506628277459239e00),
)
_MIDDLE_BELOW = (
    *(-5.447609879822406e01, 1.615858368580409e02, -1.556989798598866e02),
    *(6.680131188771972e01, -1.328068155288572e01, 1.0),
)


def block_rows(width: int) -> int:
    """Return the number of rows of a block."""
    return max(64, NUMBERS // max(width, 64))


def class_weights(n: float, m: float) -> tuple[float, float]:
    """Return the weights N/2n of n real and N/2m of m generated samples of N, whose sums are
    equal."""
    return (n + m) / (2 * (n or 1)), (n + m) / (2 * (m or 1))


def balanced(real: Flags, weight: Float64s | None = None) -> Float64s:
    """Return the weight of each sample (`class_weights`); weight: the caller's own, optional."""
    if weight is None:
        n = int(real.sum())
        return np.where(real, *class_weights(n, len(real) - n))
    return weight * np.where(real, *class_weights(weight[real].sum(), weight[~real].sum()))


def normal_scores(n: int) -> Float64s:
    """Return the normal quantiles of 0, 1/2n, 2/2n, …, 1, to nine digits (rational approximations
    by P. J. Acklam)."""
    p = np.arange(1, n + 1) / (2 * n)
    tail, middle = np.sqrt(-2 * np.log(p[p < _TAIL])), p[p >= _TAIL] - 0.5
    squares = middle**2
    lower = np.concatenate(
        [
            [-np.inf],
            np.polyval(_TAIL_ABOVE, tail) / np.polyval(_TAIL_BELOW, tail),
            middle * np.polyval(_MIDDLE_ABOVE, squares) / np.polyval(_MIDDLE_BELOW, squares),
        ]
    )
    return np.concatenate([lower, -lower[-2::-1]])


def column_quantiles(x: Floats, shares: Sequence[float]) -> Float64s:
    """Return the quantiles of each column, interpolated, (shares, columns)."""
    ordered = np.sort(np.ascontiguousarray(x.T), axis=1).T
    place = np.multiply(shares, len(x) - 1)
    low = np.floor(place).astype(np.int64)
    ends = ordered[low], ordered[np.minimum(low + 1, len(x) - 1)]
    return np.asarray(ends[0] + (place - low)[:, None] * (ends[1] - ends[0]), np.float64)


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
    smoothed: bool
    """Whether all features have noise, so that exact values are no evidence."""
    weight: Float64s | None = field(default=None, kw_only=True)
    """The caller's weight of each row, with the effective size as the sum over a set
    (`Pair.scaled_weights`); None where all weigh alike."""

    def __len__(self) -> int:
        return len(self.fold)

    @property
    def groups(self) -> int:
        """The number of groups of folds."""
        return min(GROUPS, self.folds)

    def group_of(self, fold: NDArray[Any]) -> Ints:
        """Return the group of each fold."""
        return fold.astype(np.int64) % self.groups

    @cached_property
    def is_fitted(self) -> Flags:
        """Whether each row is fitted to."""
        flags = np.zeros(len(self), bool)
        flags[self.fitted] = True
        return flags

    @property
    def unfitted(self) -> Ints:
        """The rows that are not fitted to, by fold and ascending in each."""
        return self.order[~self.is_fitted[self.order]]

    def is_real(self, rows: Ints) -> Flags:
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
        return self.is_real(self.fitted)

    def group_and_class(self, places: Ints) -> Ints:
        """Return 2 * group, and 1 more where generated, of fitted rows at places in `fitted`."""
        return 2 * self.group_of(self.fitted_fold[places]) + ~self.fitted_real[places]

    def only_fitted(self) -> Folds:
        """Return the folds of the fitted rows alone, renumbered in the same order."""
        rows = np.flatnonzero(self.is_fitted)
        fold = self.fold[rows]
        order = np.argsort(fold, kind="stable")
        n = int(np.searchsorted(rows, self.n_real))
        part, distinct = self.part[rows], self.distinct[rows]
        weight = self.weight_of(rows)
        return replace(
            self,
            n_real=n,
            fold=fold,
            part=part,
            distinct=distinct,
            order=order,
            fitted=order,
            weight=weight,
        )

    def window(self, real: slice, fake: slice) -> Folds:
        """Return the folds of consecutive rows of each set, renumbered; no row is fitted to."""
        n, none = self.n_real, np.empty(0, np.int64)
        slices = real, slice(n + fake.start, n + fake.stop)
        fold, part = (np.concatenate([x[s] for s in slices]) for x in (self.fold, self.part))
        size = real.stop - real.start
        return replace(self, n_real=size, fold=fold, part=part, order=none, fitted=none)

    def of_new(self, points: int) -> Folds:
        """Return so many other rows, none of which is in a fold or fitted to."""
        none, zeros = np.empty(0, np.int64), np.zeros(points, np.int8)
        return replace(
            self,
            n_real=points,
            fold=zeros,
            part=zeros,
            order=none,
            fitted=none,
            distinct=np.ones(points, bool),
            weight=None,
        )

    def weight_of(self, rows: Ints) -> Float64s | None:
        """Return the caller's weights of these rows; None where all weigh alike."""
        return None if self.weight is None else self.weight[rows]

    def weights(self, rows: Ints) -> Float64s:
        """Return weights of these rows with equal sums in both sets."""
        return balanced(self.is_real(rows), self.weight_of(rows))

    def references(self, places: Ints, count: int) -> Ints:
        """Return at most `count` of some places in `fitted`, in random order; with weights, as
        often as these say."""
        weight = self.weight_of(self.fitted[places])
        if weight is None:
            return places[:count]
        return places[systematic(weight, min(count, len(places)))]

    def subsample(self, purpose: str, count: int) -> Ints:
        """Return the places in `fitted` of `count` random rows, ascending."""
        return np.sort(stream(self.seed, purpose).permutation(len(self.fitted))[:count])

    def subsample_distinct(self, purpose: str, count: int) -> Ints:
        """Return the places in `fitted` of `count` random distinct rows, ascending."""
        return np.sort(self.shuffled(purpose)[:count])

    def shuffled(self, purpose: str) -> Ints:
        """Return the places in `fitted` of all distinct rows, in random order."""
        places = stream(self.seed, purpose).permutation(len(self.fitted))
        return places[self.distinct[self.fitted[places]]]

    def training(self, fold: int, real: bool) -> Ints:
        """Return the places in `fitted` of the samples of a set outside a fold."""
        return np.flatnonzero((self.fitted_fold != fold) & (self.fitted_real == real))


def assign_folds(pair: Pair, folds: int, max_fitted: int, seed: int) -> Folds:
    """Return random folds with the same share of each set; at most `max_fitted` rows of a set are
    fitted to.

    A unit is in one fold and one part, as a fit that has seen one of its rows has seen all.
    """
    for name, samples in zip(SETS, pair.sets, strict=True):
        if len(samples) < 2:
            text = f"at least 2 samples expected for folds, got {len(samples)}"
            raise WrongValue(name, text)
    n, units = len(pair.real), pair.units
    folds = min(folds, len(np.unique(units[:n])), len(np.unique(units[n:])))
    slots = np.concatenate(pair.partition(PARTS * folds, seed, "folds"))
    part, fold = (x.astype(np.int8) for x in np.divmod(slots, folds))
    real, fake = pair.representatives(max_fitted, seed)
    is_fitted = np.zeros(len(units), bool)
    is_fitted[real] = is_fitted[n + fake] = True
    order = np.argsort(fold, kind="stable")
    distinct = np.ones(len(units), bool)
    equal = pair.repetition
    if pair.noise is None and not equal.is_evidence:
        distinct[n:] = (equal.group[n:] >= n) | ~is_fitted[equal.group[n:]]
    return Folds(
        n,
        pair.width,
        folds,
        fold,
        part,
        order,
        order[is_fitted[order]],
        _unit(max(map(largest_value, pair.points))),
        seed,
        equal.discrete,
        distinct,
        pair.noise is not None and pair.noise.is_everywhere,
        weight=pair.scaled_weights(),
    )


def _unit(largest: float) -> int:
    """Return the binary exponent of the largest number where its square may overflow or underflow,
    otherwise 0."""
    exponent = int(np.frexp(largest)[1])
    return exponent if abs(exponent) > 100 else 0


@dataclass(frozen=True)
class Sample(Folds):
    """Folds with the points of both sets."""

    real: Floats
    fake: Floats

    @classmethod
    def from_folds(cls, folds: Folds, real: Floats, fake: Floats) -> Sample:
        """Return folds with their points."""
        values = {one.name: getattr(folds, one.name) for one in fields(Folds)}
        return cls(**values, real=real, fake=fake)

    def points(self, rows: Ints) -> Float64s:
        """Return rows in float64."""
        return self.columns(rows, slice(self.width))

    def columns(self, rows: Ints, columns: slice | Ints) -> Float64s:
        """Return some columns of rows, in float64; their numbers ascending."""
        real = self.is_real(rows)
        numbers = np.arange(self.width)[columns] if isinstance(columns, slice) else columns
        values = np.empty((len(rows), len(numbers)))
        sets: list[Any] = [real, ~real]
        if (count := int(real.sum())) and real[:count].all():  # mostly
            sets = [slice(count), slice(count, None)]
        for own, points, first in zip(sets, (self.real, self.fake), (0, self.n_real), strict=True):
            places = rows[own] - first
            if len(numbers) == self.width:
                values[own] = points.take(places, axis=0)
            elif isinstance(columns, slice):
                values[own] = points[places, columns]
            else:
                values[own] = points[np.ix_(places, columns)]
        return np.ldexp(values, -self.unit, out=values) if self.unit else values


def make_sample(real: Floats, fake: Floats, folds: int, max_fitted: int, seed: int) -> Sample:
    """Return both sets in random folds; at most `max_fitted` rows of a set are fitted to."""
    pair = Pair.read(real, fake)
    return Sample.from_folds(assign_folds(pair, folds, max_fitted, seed), *pair.points)


class RankTable(NamedTuple):
    """The sorted values of some columns, by which other values are ranked."""

    columns: Ints
    values: Float64s
    """(columns, rows)"""
    ends: Ints
    """The place behind the last value that equals each one, (columns, rows)."""
    scores: Float64s
    """The normal score by the number of values below plus the number not above."""

    def transform(self, x: Float64s, places: Ints | slice = slice(None)) -> Float64s:
        """Return the normal scores of values, (rows, columns); places: of their columns among
        `columns`."""
        chosen = np.arange(len(self.columns))[places]
        x = np.ascontiguousarray(x.T)
        scores = np.empty(x.shape)
        for at, i in enumerate(chosen):
            monotone.scores_of_ranks(x[at], self.values[i], self.ends[i], self.scores, scores[at])
        return scores.T


def rank_table(sample: Sample, columns: Ints) -> RankTable:
    """Return the table of normal scores of these columns, from some rows of both sets."""
    rows = sample.fitted[sample.subsample_distinct("ranks", _RANKED_ROWS)]
    values = np.sort(np.ascontiguousarray(sample.columns(rows, columns).T))
    ends = np.array([column.searchsorted(column, "right") for column in values], np.int64)
    scores = normal_scores(len(rows) + 1)[1:-1]
    return RankTable(columns, values, ends.reshape(values.shape), scores)


class Screening(NamedTuple):
    """Counts of the values of every column in bins, by group of folds and class.

    Being separate by group, they can choose the columns of a fold without its samples.
    """

    counts: Float64s
    """(groups, real or generated, columns, bins)"""

    @property
    def groups(self) -> int:
        return len(self.counts)

    def columns(self, groups: Sequence[int]) -> Ints:
        """Return the columns that differ most between the classes in these groups, ascending."""
        p, q = self.counts[groups].sum(axis=0)
        p, q = (x / np.maximum(x.sum(axis=1, keepdims=True), 1) for x in (p, q))
        distance = ((p - q) ** 2 / np.maximum(p + q, 1e-9)).sum(axis=1)
        return np.sort(np.argsort(-distance, kind="stable")[:SCREENED])

    def of_halves(self) -> Ints:
        """Return the columns that differ most in the odd groups, and in the even ones."""
        return np.array([self.columns(range(1 - half, self.groups, 2)) for half in range(2)])

    def without_each(self, folds: int) -> Ints:
        """Return the columns that differ most in the other groups, (folds, SCREENED)."""
        others = [[g for g in range(self.groups) if g != own] for own in range(self.groups)]
        return np.array([self.columns(groups) for groups in others])[np.arange(folds) % self.groups]


def screen_columns(sample: Sample) -> Screening:
    """Return the counts of the values of some rows in bins between quantiles."""
    places = sample.subsample("screening", _SCREENED_ROWS)
    rows = sample.fitted[places]
    cell, cells = sample.group_and_class(places), 2 * sample.groups
    counts = np.zeros((cells, sample.width, BINS))
    for columns in blocks(sample.width, max(1, NUMBERS // len(rows))):
        x = sample.columns(rows, columns)
        shares = [i / BINS for i in range(1, BINS)]
        edges = column_quantiles(x[:: -(-len(x) // _EDGE_ROWS)], shares)
        bins = np.zeros(x.shape, np.int8)
        for edge in edges:
            bins += x > edge
        size = x.shape[1]
        at = (cell[:, None] * size + np.arange(size)) * BINS + bins
        weight = sample.weight_of(rows)
        weight = None if weight is None else np.repeat(weight, size)
        binned = np.bincount(at.ravel(), weight, cells * size * BINS)
        counts[:, columns] = binned.reshape(cells, size, BINS)
    return Screening(counts.reshape(-1, 2, *counts.shape[1:]))


# ---- execution -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Executor:
    """A map: the results of a function for each argument, in order; each advances the bar."""

    progress: Progress
    pool: Any = None
    """Threads; None for that of the caller."""

    def __call__(
        self, function: Callable[[Any], Any], arguments: Sequence[Any], share: float = 0
    ) -> list[Any]:
        """Return the results; share: that of the fit, as in PHASES."""
        results = (
            (function(argument) for argument in arguments)
            if self.pool is None
            else bounded_map(self.pool, function, arguments)
        )
        return list(with_progress(self.progress, results, len(arguments), share))


def with_progress(
    progress: Progress, results: Generator[Any, None, None], steps: int, share: float
) -> Iterator[Any]:
    """Yield the results of so many steps, and advance the bar."""
    with progress.work(steps, share=share), closing(results) as closed:
        for result in closed:
            yield result
            progress.advance()
