"""The estimator `Auto`: a cross-fitted log-ratio of every sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.concurrency import resolve_threads
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import is_word, read_count, read_list
from prfast.methods.auto.coordinates import ALL_AXES, LEADING, MAX_GRAM
from prfast.methods.auto.folds import (
    Folds,
    assign_folds,
    block_rows,
    blocks_of_folds,
    execution,
    read_rows,
)
from prfast.methods.auto.readout import AutoScores, large_units
from prfast.methods.base import WORK_OF_SAMPLE, ExecutionContext, FittedMethod
from prfast.samples.pair import Pair
from prfast.samples.samples import read_samples

if TYPE_CHECKING:  # the library of bases is imported by the first fit
    from prfast.methods.auto.model import Model

CURVE_ESTIMATORS = ("auto", "hull")
_LEAST_FITTED = 20  # of a set; fewer may be in a single group of folds, outside which is none
_MIN_ROWS = 1000  # samples of a fit
_SMOOTHED_PART = 5  # at a resolution above 0, `fitted` over this are fitted to
MAX_COPIES = 4  # of a sample, each with other noise
_COARSE = 0.5  # resolution from which on copies are so different that more of them help
_ALIKE_PART = 4  # below it, copies are made up to these samples over this


class Auto(FittedMethod):
    """The automatic estimator: a cross-fitted log-ratio by a stacked library of bases.

    Unless the real set is discrete (`Repetition.discrete`), equal rows are in one fold and fitted
    to once.  If the generated set then has a smaller share ρ of distinct rows, it covers as much as
    ρ m distinct samples of m would.  A share 1 − ρ of the real samples counts as missed, ρ at least
    1/20, the excess that fidelity forgives.

    Parameters
    ----------
    folds : int
        Each sample is scored by a fit on the other folds, 10 by default; fewer where a set has
        fewer samples.  More folds come closer to the truth where samples are few for their
        dimension, at a cost that grows with them.
    fitted : int
        Samples of a set at most that bases are fitted to, at random, 20 000 by default; all are
        scored.  A curve records how many they were.  At a resolution above 0, where densities are
        smooth, a fifth of them are, in half as many folds.  Smaller sets are used up to 4 times,
        with other noise.  They then have that many samples, from resolution 0.5 on, or a quarter of
        it.  The copies of a sample are in one fold, and one unit of the bootstrap.
    curve_estimator : "auto" or "hull"
        The hull of the scores, shrunk towards equal distributions for want of evidence by default.
    bases : sequence of str and objects, optional
        Names of ``prfast.methods.auto.bases.LIBRARY``, and objects with ``fit``
        (``prfast.methods.auto.model``); by default the library.

    Raises
    ------
    TypeError, ValueError
        Not integers, `folds` outside 2 to 100, fewer than 20 `fitted`, another `curve_estimator`,
        `bases` that are neither names nor have ``fit``.
    """

    name = "auto"
    split = None
    has_split = False
    has_folds = True
    takes_partitions = True
    takes_weights = True
    summary = "an ensemble of simple classifiers"
    _fitted: Model | None = None
    weights: Mapping[str, float] | None = None  # of each base in the scores of a fitted copy

    def __init__(
        self,
        *,
        folds: int = 10,
        fitted: int = 20_000,
        curve_estimator: str = "auto",
        bases: Sequence[Any] | None = None,
    ) -> None:
        self.folds = read_count("folds", folds, at_least=2, at_most=100)
        self.fitted = read_count("fitted", fitted, at_least=_LEAST_FITTED)
        if not is_word(curve_estimator, *CURVE_ESTIMATORS):
            names = ", ".join(map(repr, CURVE_ESTIMATORS))
            raise WrongValue("curve_estimator", f"one of {names} expected, got {curve_estimator!r}")
        self.curve_estimator = curve_estimator
        self.bases = bases
        if bases is not None:
            self.library()

    def library(self) -> dict[str, Any]:
        """Return the bases by name."""
        from prfast.methods.auto.bases import LIBRARY

        if self.bases is None:
            return dict(LIBRARY)
        found: dict[str, Any] = {}
        for base in read_list("bases", self.bases, (str,)):
            if isinstance(base, str):
                if base not in LIBRARY:
                    names = ", ".join(map(repr, LIBRARY))
                    raise WrongValue("bases", f"names among {names} expected, got {base!r}")
                base = LIBRARY[base]
            elif isinstance(base, type) or not (hasattr(base, "fit") or hasattr(base, "fit_folds")):
                raise WrongType("bases", f"names and objects with fit expected, got {base!r}")
            name = getattr(base, "name", type(base).__name__)
            if name in found:
                raise WrongValue("bases", f"bases of different names expected, got {name!r} twice")
            found[name] = base
        return found

    def settings(self) -> dict[str, Any]:
        params = self.get_params()
        bases = params.pop("bases")
        return params if bases is None else {**params, "bases": list(self.library())}

    def scores(
        self, pair: Pair, split: float | str | None, context: ExecutionContext
    ) -> AutoScores:
        """Return the log-ratio of every sample of both sets.

        The `memory` of the context is in bytes, beside the inputs and 100 a sample.  If it is too
        little, threads are fewer, and if one thread is too many, samples that are fitted.
        """
        from prfast.methods.auto.model import fit, smaller_fit

        original, number, limit, bases = pair, self.folds, self.fitted, self.library()
        if pair.noise is not None:
            number, limit = max(number // 2, 2), max(limit // _SMOOTHED_PART, _LEAST_FITTED)
            # The copies of a sample are the more alike the less noise they have.
            part = 1 if pair.noise.sigma >= _COARSE else _ALIKE_PART
            pair = pair.stacked(min(max(limit // part // max(pair.sizes), 1), MAX_COPIES))
        folds, threads = divide(pair, number, limit, context)
        n, size, progress = len(pair.real), len(folds.fold), context.progress
        real, fake = pair.points
        with progress.work(3, "auto", share=WORK_OF_SAMPLE * size):
            if pair.real.is_partitioned:
                s, weights, smaller = real.score_auto(fake, folds, bases, progress)
            else:
                x, y, s, left = np.asarray(real), np.asarray(fake), np.empty(size), folds.unfitted
                with execution(threads, progress) as execute:
                    fitted = fit(folds, x, y, bases, execute)
                    s[folds.fitted], weights = fitted.scores, fitted.weights

                    def score(block: tuple[int, slice]) -> None:
                        rows = left[block[1]]
                        s[rows] = fitted.model.score(read_rows((x, y), rows, 0), block[0])

                    execute(score, list(blocks_of_folds(folds.fold[left], folds.width)), 1)
                    smaller = smaller_fit(folds, x, y, bases, execute)
        large, group = large_units(pair, context), np.arange(size)
        if pair.noise is None and not pair.repetition.is_evidence:
            group = 2 * pair.repetition.group + (
                group >= n
            )  # a score is that of equal rows as well
        from_fits = np.full(2 * size, np.nan)
        from_fits[group[smaller.rows]] = smaller.scores
        from_fits = from_fits[group]
        is_settled = ~np.isnan(large.ratio)
        s = np.where(is_settled, large.ratio, s)
        from_fits = np.where(is_settled & ~np.isnan(from_fits), large.ratio, from_fits)
        fitted_real = int((folds.fitted < n).sum())
        numbers = [fitted_real, len(folds.fitted) - fitted_real]
        counts = {"folds": folds.folds, "fitted": numbers, "weights": weights}
        return AutoScores(
            s[:n],
            s[n:],
            real_rows=original.real.rows,
            fake_rows=original.fake.rows,
            provenance=self.record(original, "folds", pair.sizes, context.seed, **counts),
            pair=pair.without_points(),
            curve_estimator=self.curve_estimator,
            large=large,
            smaller=smaller._replace(scores=from_fits),
        )

    def fit_pair(self, pair: Pair, context: ExecutionContext) -> Self:
        """Return a copy that is fitted to samples of both sets in folds, for `score`."""
        from prfast.methods.auto.model import fit

        folds, threads = divide(pair, self.folds, self.fitted, context)
        with (
            context.progress.work(1, "auto", share=WORK_OF_SAMPLE * len(folds.fold)),
            execution(threads, context.progress) as execute,
        ):
            real, fake = map(np.asarray, pair.points)
            fitted = fit(folds, real, fake, self.library(), execute)
        copy = type(self)(**self.get_params())
        copy._fitted, copy.weights = fitted.model, fitted.weights
        return copy

    def score(self, points: Floats) -> Float64s:
        """Return the log-ratio of each point by a fitted copy, shape (points,): the mean over the
        folds of those by the fits without a fold.  It depends on the other points by rounding only.

        Raises
        ------
        TypeError, ValueError
            Points that are no array of finite numbers with the features of the fit; the method is
            not fitted.
        """
        if self._fitted is None:
            raise WrongValue("method", "a fitted method expected: fit(real, fake).score(points)")
        points = read_samples("points", points)
        width = self._fitted.coordinates.width
        if points.shape[1] != width:
            raise WrongValue("points", f"{width} features expected, got {points.shape[1]}")
        return self._fitted.score(points)


def divide(pair: Pair, number: int, most: int, context: ExecutionContext) -> tuple[Folds, int]:
    """Return so many folds, with at most so many samples of a set that are fitted to, and the
    number of threads, as far as the memory allows."""
    width, is_wide = pair.width, pair.width > ALL_AXES
    axes = LEADING if is_wide else width
    features = 8 * min(width, 128)
    sums = 8 * features**2 * (min(number, 5) + 2) // 4
    if is_wide:
        sums = max(sums, 4 * min(width, MAX_GRAM) ** 2 * (min(number, 5) + 3))
    row = 8 * (3 * width + 4 * axes + features)
    block = block_rows(width) * row
    # A sample has axes and centered columns; the columns of bases and their maps.
    sample = 8 * (LEADING + 320 + (0 if is_wide else 2 * width))
    rows = (context.memory - sums - block) // sample
    if rows < _MIN_ROWS:
        least = sums + block + _MIN_ROWS * sample
        text = f"at least {least} bytes expected for {width} features, got {context.memory}"
        raise WrongValue("memory", text)
    folds = assign_folds(pair, number, min(most, rows // 2), context)
    # The demand is twice the bytes of samples.
    left = context.memory - sums - len(folds.fitted) * sample // 2
    threads = left // (min(block_rows(width), len(folds.fitted)) * row)
    return folds, min(resolve_threads(context.n_jobs), max(1, threads))
