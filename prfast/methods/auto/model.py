"""The fitted model, which scores points of any sample."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.errors import WrongValue
from prfast.methods.auto.coordinates import Coordinates, Data, View
from prfast.methods.auto.crossfit import cross_fit
from prfast.methods.auto.folds import Execute, Folds, Ints, block_rows
from prfast.methods.auto.stack import Learner, fit_stack
from prfast.samples.pair import Pair

SMALLER = 2000  # rows of both sets at most, whose scores by smaller fits are computed
WORK = 100  # of a fit, in units of the progress bar
WORK_OF_SMALLER = 25
UNFITTED = 25  # of the scores of as many rows as are fitted to


class Model(NamedTuple):
    """All that is fitted, and can be pickled."""

    coordinates: Coordinates
    scorers: list[Any]
    learners: list[Learner]
    folds: int

    def score(self, points: Floats, fold: int) -> Float64s:
        """Return the scores of points of a fold, by the fits without it."""
        return self._scored(self._view(points), fold)

    def score_new(self, points: Floats) -> Float64s:
        """Return the mean scores of points that are in no fold."""
        scores = np.zeros(len(points))
        for part in blocks(len(points), block_rows(self.coordinates.width)):
            view = self._view(points[part])  # coordinates are the same for all folds
            for fold in range(self.folds):
                scores[part] += self._scored(view, fold)
        return scores / self.folds

    def _view(self, points: Floats) -> View:
        values = np.ldexp(np.asarray(points, np.float64), -self.coordinates.unit)
        return View(self.coordinates, lambda: values, 0, {})

    def _scored(self, view: View, fold: int) -> Float64s:
        view.fold = fold
        columns = np.hstack([scorer.score(view) for scorer in self.scorers])
        return self.learners[fold % len(self.learners)].score(columns)


class SmallerFit(NamedTuple):
    """Cross-fitted scores of random rows by fits to fewer rows, for the effect of their number."""

    rows: Ints
    scores: Float64s
    ratio: float
    """The number of rows of a full fit over that of these."""

    def with_equal_rows(self, pair: Pair, scores: Float64s) -> SmallerFit:
        """Return the rows that equal these rows, too, and the scores of all rows with theirs."""
        equal, n = pair.repetition, len(pair.real)
        if pair.noise is not None or equal.is_evidence:
            replaced = scores.copy()
            replaced[self.rows] = self.scores
            return self._replace(scores=replaced)
        group = 2 * equal.group + (np.arange(len(scores)) >= n)
        by_group = np.full(int(group.max()) + 1, np.nan)
        by_group[group[self.rows]] = self.scores
        found = by_group[group]
        rows = np.flatnonzero(~np.isnan(found))
        return self._replace(rows=rows, scores=np.where(np.isnan(found), scores, found))


class Fit(NamedTuple):
    """A model, and the cross-fitted scores of the rows that it is fitted to."""

    model: Model
    scores: Float64s
    """The scores of the fitted rows, in their order."""
    weights: dict[str, float]
    """The share of each base in the scores."""


def smaller_fit(
    folds: Folds, real: Floats, fake: Floats, bases: Mapping[str, Any], execute: Execute
) -> SmallerFit:
    """Return the scores of some fitted rows by fits to half of them."""
    fewer = folds.smaller(SMALLER)
    scores = fit(fewer, real, fake, bases, execute, WORK_OF_SMALLER).scores
    ratio = len(folds.fitted) * (1 - 1 / folds.folds) / (len(fewer.fitted) / 2)
    return SmallerFit(fewer.fitted, scores, ratio)


def fit(
    folds: Folds,
    real: Floats,
    fake: Floats,
    bases: Mapping[str, Any],
    execute: Execute,
    work: int = WORK,
) -> Fit:
    """Return the fit to the fitted rows of both sets, the only ones that are read.

    As in scikit-learn's stacking, bases are cross-fitted, their columns on the folds that they were
    not fitted to are the features of the meta-learner, which is cross-fitted in turn.
    """
    data = Data(folds, real, fake)
    names = [
        name
        for name, base in bases.items()
        if not (folds.smoothed and getattr(base, "of_exact_values", False))
    ]
    fits = execute(partial(cross_fit, data=data), [bases[name] for name in names], work - work // 4)
    fitted = {name: made for name, made in zip(names, fits, strict=True) if made is not None}
    if not fitted:
        text = f"a base that applies to {folds.width} features expected, got {', '.join(bases)}"
        raise WrongValue("bases", text)
    columns = np.hstack([columns for _, columns in fitted.values()])
    learners, scores = fit_stack(data, columns, execute, work // 4)
    shares = np.mean([learner.slopes * learner.spread for learner in learners], axis=0)
    widths = [columns.shape[1] for _, columns in fitted.values()]
    of_bases = np.add.reduceat(shares, np.cumsum([0, *widths[:-1]]))
    total = float(of_bases.sum()) or 1.0
    weights = dict(zip(fitted, np.round(of_bases / total, 4).tolist(), strict=True))
    scorers = [scorer for scorer, _ in fitted.values()]
    return Fit(Model(data.coordinates, scorers, learners, folds.folds), scores, weights)
