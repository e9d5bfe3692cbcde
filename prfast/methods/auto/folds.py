"""Folds of the rows of both sets, the rows that are fitted to, and their execution in threads.

Rows are numbered through both sets, the real ones first.  A block has rows of one fold.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.concurrency import (
    bounded_results,
    cached_property,
    one_blas_thread,
    one_openmp_thread,
    thread_pool,
)
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import Progress
from prfast.methods.base import ExecutionContext
from prfast.neighbors.tasks import largest_value
from prfast.samples.pair import SETS, Pair

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

NUMBERS = 1 << 19  # numbers in a block of points


def block_rows(width: int) -> int:
    """Return the number of rows whose features are in memory at the same time."""
    return max(128, NUMBERS // max(width, 64))


def blocks_of_folds(fold: NDArray[np.int8], width: int) -> Iterator[tuple[int, slice]]:
    """Yield blocks of rows of one fold: (fold, rows); fold: of each row, ascending."""
    ends = np.searchsorted(fold, np.arange(int(fold[-1]) + 2 if len(fold) else 1))
    for number, (start, end) in enumerate(pairwise(ends.tolist())):
        for block in blocks(end - start, block_rows(width)):
            yield number, slice(start + block.start, start + block.stop)


def evenly(real: Flags, order: Ints, count: int) -> Ints:
    """Return the first `count` places of an order, ascending: half of each set where it has so."""
    real_places, fake_places = order[real[order]], order[~real[order]]
    most = max(count // 2, count - len(fake_places)), max(count // 2, count - len(real_places))
    return np.sort(np.concatenate([real_places[: most[0]], fake_places[: most[1]]]))


def balanced(real: Flags, weight: Float64s) -> Float64s:
    """Return the weight of each sample, with equal sums over both sets."""
    real_sum, total = float(weight[real].sum()), float(weight.sum())
    fake_sum = total - real_sum
    return weight * np.where(real, total / (2 * (real_sum or 1)), total / (2 * (fake_sum or 1)))


@dataclass(frozen=True)
class Folds:
    """The folds of all rows, and the rows that are fitted to."""

    n_real: int
    width: int
    folds: int
    fold: NDArray[np.int8]  # of each row
    fitted: (
        Ints  # rows that are fitted to, by fold: all or a random share; one of each unit of a set
    )
    unit: int  # points are read as multiples of 2**unit: their squares stay in range
    seed: int
    discrete: bool  # repeated rows are evidence, and may be in different folds
    # The rows for fits without labels: without generated rows whose equal real row is fitted to, as
    # counting such rows twice would distinguish them from others.
    distinct: Flags
    smoothed: bool  # all features have noise: exact values are no evidence
    weight: Float64s  # the caller's, with the effective size as the sum over a set

    @cached_property
    def is_fitted(self) -> Flags:
        """Whether each row is fitted to."""
        return np.isin(np.arange(len(self.fold)), self.fitted)

    @property
    def unfitted(self) -> Ints:
        """The rows that are not fitted to, by fold and ascending in each."""
        rows = np.flatnonzero(~self.is_fitted)
        return rows[np.argsort(self.fold[rows], kind="stable")]

    def only_fitted(self) -> Folds:
        """Return the folds of the fitted rows alone, renumbered in the same order."""
        rows = np.flatnonzero(self.is_fitted)
        return replace(
            self,
            n_real=int(np.searchsorted(rows, self.n_real)),
            fold=self.fold[rows],
            fitted=np.argsort(self.fold[rows], kind="stable"),
            distinct=self.distinct[rows],
            weight=self.weight[rows],
        )


def assign_folds(pair: Pair, folds: int, max_fitted: int, context: ExecutionContext) -> Folds:
    """Return random folds with the same share of each set; `max_fitted`: rows of a set at most."""
    for name, samples in zip(SETS, pair.sets, strict=True):
        if len(samples) < 2:
            raise WrongValue(name, f"at least 2 samples expected for folds, got {len(samples)}")
    n, units = len(pair.real), np.concatenate(pair.units)
    folds = min(folds, len(np.unique(units[:n])), len(np.unique(units[n:])))
    # A unit is in one fold: a fit to one of its rows would reveal the others.
    fold = np.concatenate(pair.partition(folds, context.seed, "folds")).astype(np.int8)
    real, fake = pair.representatives(max_fitted, context.seed)
    fitted = np.concatenate([real, n + fake])
    equal, distinct = pair.repetition, np.ones(len(units), bool)
    if pair.noise is None and not equal.is_evidence:
        distinct[n:] = (equal.group[n:] >= n) | ~np.isin(equal.group[n:], real)
    # Squares of numbers at most 2**100 neither overflow nor underflow.
    exponent = int(np.frexp(max(map(largest_value, pair.points)))[1])
    weight = pair.scaled_weights()
    return Folds(
        n,
        pair.width,
        folds,
        fold,
        fitted=fitted[np.argsort(fold[fitted], kind="stable")],
        unit=exponent if abs(exponent) > 100 else 0,
        seed=context.seed,
        discrete=equal.discrete,
        distinct=distinct,
        smoothed=pair.noise is not None and pair.noise.is_everywhere,
        weight=np.ones(len(units)) if weight is None else weight,
    )


def read_rows(
    sets: tuple[Floats, Floats], rows: Ints, unit: int, columns: Ints | None = None
) -> Float64s:
    """Return rows, numbered through both sets, in float64 multiples of 2**unit; columns: or all."""
    real, fake = sets
    is_real = rows < len(real)
    values = np.empty((len(rows), real.shape[1] if columns is None else len(columns)))
    for flags, points, first in ((is_real, real, 0), (~is_real, fake, len(real))):
        numbers = rows[flags] - first
        values[flags] = points[numbers] if columns is None else points[np.ix_(numbers, columns)]
    return np.ldexp(values, -unit, out=values) if unit else values


Execute = Callable[..., list[Any]]  # (function, arguments, share of the bar): results in order


@contextmanager
def execution(threads: int, progress: Progress) -> Iterator[Execute]:
    """Yield a map of arguments in so many threads, each result of which advances the bar."""

    def execute(function: Any, arguments: Sequence[Any], share: float = 0) -> list[Any]:
        if pool is None:
            results = (function(argument) for argument in arguments)
        else:
            results = bounded_results(pool.submit(function, argument) for argument in arguments)
        return list(with_progress(progress, results, len(arguments), share))

    # One thread is the caller's; NumPy's default for floating-point errors is that of a new one.
    with (
        one_blas_thread("numpy"),
        np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"),
        thread_pool(threads, one_openmp_thread) if threads > 1 else nullcontext() as pool,
    ):
        yield execute


def with_progress(
    progress: Progress, results: Generator[Any, None, None], steps: int, share: float
) -> Iterator[Any]:
    """Yield the results of so many steps, and advance the bar."""
    with progress.work(steps, share=share), closing(results) as closed:
        for result in closed:
            yield result
            progress.advance()
