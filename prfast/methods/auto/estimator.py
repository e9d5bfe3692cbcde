"""The estimator `Auto`: a cross-fitted log-ratio of every sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.concurrency import execution, resolve_threads
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import read_count, read_list
from prfast.methods.auto.coordinates import ALL_AXES, LEADING, MAX_GRAM, Data
from prfast.methods.auto.folds import Folds, assign_folds, block_rows, blocks_of_folds
from prfast.methods.auto.readout import AutoScores
from prfast.methods.auto.stack import CLIP
from prfast.methods.base import WORK_OF_SAMPLE, ExecutionContext, FittedMethod
from prfast.samples.large import first_copies, large_units
from prfast.samples.pair import Pair
from prfast.samples.partitioned import JointRows
from prfast.samples.samples import read_samples

if TYPE_CHECKING:  # the library of bases is imported by the first fit
    from prfast.methods.auto.model import Model

_LEAST_FITTED = 20  # of a set; fewer may be in a single bundle of folds, outside which is none
_MIN_ROWS = 1000  # samples of a fit
_SMOOTHED_PART = 5  # with noise, `fitted` over this are fitted to


class Auto(FittedMethod):
    """The automatic estimator: a cross-fitted log-ratio by a stacked library of bases.

    Unless the real set is discrete (`Repetition.discrete`), equal rows are in one fold and fitted
    to once.  Where the generated set then has a smaller share ρ of distinct rows than the real set,
    it covers as much as ρ m distinct samples of m would.  A share 1 − ρ of the real samples counts
    as missed.  ρ is at least 1/20, the excess that fidelity forgives.
    Example: ``prfast.pr_curve(*prfast.reference.TOYS["a"].sample(500), prfast.methods.Auto())``.
    See also `prfast.pr_curve`.

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
    bases : sequence of str and objects, optional
        Names of ``prfast.methods.auto.bases.LIBRARY``, and objects with ``fit``
        (``prfast.methods.auto.model``); by default the library.

    Raises
    ------
    TypeError, ValueError
        Not integers, `folds` outside 2 to 100, fewer than 20 `fitted`, `bases`
        that are neither names nor have ``fit``.
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
        bases: Sequence[Any] | None = None,
    ) -> None:
        self.folds = read_count("folds", folds, at_least=2, at_most=100)
        self.fitted = read_count("fitted", fitted, at_least=_LEAST_FITTED)
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

    def scores(self, pair: Pair, split: Any, context: ExecutionContext) -> AutoScores:
        """Return the log-ratio of every sample of both sets.

        The `memory` of the context is in bytes, beside the inputs and 100 a sample.  If it is too
        little, threads are fewer, and if one thread is too many, samples that are fitted.
        """
        from prfast.methods.auto.model import fit_both

        original, number, limit, bases = pair, self.folds, self.fitted, self.library()
        if pair.noise is not None:
            number, limit = max(number // 2, 2), max(limit // _SMOOTHED_PART, _LEAST_FITTED)
            pair = pair.stacked(pair.noise.copies_of(limit))
        folds, threads = divide(pair, number, limit, context)
        n, size, progress = len(pair.real), len(folds.fold), context.progress
        with progress.work(3, "auto", share=WORK_OF_SAMPLE * size):
            if pair.real.is_partitioned:
                real, fake = pair.points
                s, weights, smaller = real.score_auto(fake, folds, bases, progress)
            else:
                sets, s, left = tuple(map(np.asarray, pair.points)), np.empty(size), folds.unfitted
                with execution(threads, progress) as execute:
                    made = fit_both(folds, sets, bases, execute)
                    model, s[folds.fitted], weights, smaller = made

                    def score(block: tuple[int, slice]) -> None:
                        rows = left[block[1]]
                        s[rows] = model.score(JointRows(sets, rows)[:], block[0])

                    execute(score, list(blocks_of_folds(folds.fold[left], folds.width)), 1)
        large, first = large_units(pair, context), first_copies(pair)
        # Equal rows have one score; that by a smaller fit is of copies in the same set.
        copies, by_fits = 2 * first + (np.arange(size) >= n), np.full(2 * size, np.nan)
        by_fits[copies[smaller[0]]] = smaller[1]
        settled = np.nan_to_num(large.ratio, nan=np.nan, posinf=CLIP, neginf=-CLIP)
        s, fewer = (
            np.where(np.isnan(settled) | np.isnan(scores), scores, settled)
            for scores in (s[first], by_fits[copies])
        )
        numbers = np.bincount(folds.fitted >= n, minlength=2).tolist()
        counts = {"folds": folds.folds, "fitted": numbers, "weights": weights}
        return AutoScores(
            s[:n],
            s[n:],
            real_rows=original.real.rows,
            fake_rows=original.fake.rows,
            provenance=self.record(original, "folds", pair.sizes, context.seed, **counts),
            large=large,
            fewer=fewer,
            growth=smaller[2],
        )

    def fit_pair(self, pair: Pair, context: ExecutionContext) -> Self:
        """Return a copy that is fitted to samples of both sets in folds, for `score`."""
        from prfast.methods.auto.model import fit

        folds, threads = divide(pair, self.folds, self.fitted, context)
        work = context.progress.work(1, "auto", share=WORK_OF_SAMPLE * len(folds.fold))
        with work, execution(threads, context.progress) as execute:
            sets, copy = tuple(map(np.asarray, pair.points)), type(self)(**self.get_params())
            copy._fitted, _, copy.weights = fit(Data(folds, sets), self.library(), execute)
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
    axes, features = LEADING if is_wide else width, 8 * min(width, 128)
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
