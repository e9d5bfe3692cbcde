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
    one_blas_thread,
    one_openmp_thread,
    thread_pool,
)
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import Progress, stream
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
    fitted: Ints  # rows that are fitted to, by fold: all or a random share; one of a unit of a set
    unfitted: Ints  # the others, by fold
    unit: int  # points are read as multiples of 2**unit, so that their squares stay in range
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

    def only_fitted(self) -> Folds:
        """Return the folds of the fitted rows alone, renumbered in the same order."""
        rows = np.sort(self.fitted)
        return replace(
            self,
            n_real=int(np.searchsorted(rows, self.n_real)),
            fold=self.fold[rows],
            fitted=np.argsort(self.fold[rows], kind="stable"),
            unfitted=rows[:0],
            unlabelled=self.unlabelled[rows],
            weight=self.weight[rows],
        )


def assign_folds(pair: Pair, folds: int, max_fitted: int, seed: int) -> Folds:
    """Return random folds with the same share of each set; `max_fitted`: rows of a set at most."""
    for name, samples in zip(SETS, pair.sets, strict=True):
        if len(samples) < 2:
            raise WrongValue(name, f"at least 2 samples expected for folds, got {len(samples)}")
    folds = min(folds, *(len(np.unique(units)) for units in pair.unit_parts))
    # A unit is in one fold: a fit to one of its rows would reveal the others.
    fold = np.concatenate(pair.partition(folds, seed, "folds")).astype(np.int8)
    real, fake = pair.representatives(max_fitted, seed)
    n, first, rows = len(pair.real), pair.firsts, np.argsort(fold, kind="stable")
    is_fitted = np.isin(rows, np.append(real, n + fake))
    unlabelled = (np.arange(len(fold)) < n) | (first >= n) | ~np.isin(first, real)
    # Squares of numbers at most 2**100 neither overflow nor underflow.
    exponent = int(np.frexp(max(map(largest_value, pair.points)))[1])
    weight = pair.scaled_weights()
    return Folds(
        n,
        pair.width,
        folds,
        fold,
        fitted=rows[is_fitted],
        unfitted=rows[~is_fitted],
        unit=exponent if abs(exponent) > 100 else 0,
        seed=seed,
        are_draws=pair.repetition.discrete,
        unlabelled=unlabelled,
        is_exact=pair.noise is None or not pair.noise.is_everywhere,
        weight=np.ones(len(fold)) if weight is None else weight,
    )


@dataclass(eq=False)
class Points:
    """Rows of both sets by their place among some rows, in float64 multiples of 2**unit."""

    sets: tuple[Floats, Floats]
    rows: Ints
    unit: int

    def __getitem__(self, places: Any) -> Float64s:
        rows, (real, fake) = self.rows[places], self.sets
        is_real, values = rows < len(real), np.empty((len(rows), real.shape[1]))
        values[is_real], values[~is_real] = real[rows[is_real]], fake[rows[~is_real] - len(real)]
        return np.ldexp(values, -self.unit, out=values) if self.unit else values


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
