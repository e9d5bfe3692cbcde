"""The cross-fitted bases and the fitted model; it scores points of any sample.

A base has a `name`, a `difference` in words and

    fit(view, y, w) → scorer      or      fit_folds(data) → a scorer of each fold or bundle of folds

with `scorer.score(view)`, the columns of a view, each larger where more like real ones.  The first
form knows nothing of folds: it is fitted anew without each bundle of folds, or without each fold
where its `by_fold` is true, to at most `rows` rows.  The second leaves out folds itself, such as by
subtracting the sums of a fold.  It may return a tuple, with the columns of all rows beside the
scorers, each by the fit without its fold.  A fit that returns None does not apply to the data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.concurrency import Execute
from prfast.inputs.errors import WrongValue
from prfast.methods.auto.coordinates import Coordinates, Data, View
from prfast.methods.auto.folds import Folds, Ints, Sets, block_rows
from prfast.methods.auto.stack import Learner, fit_stack

SMALLER = 2000  # rows of both sets at most, whose scores by smaller fits are computed


def cross_fit(base: Any, data: Data) -> tuple[list[Any], Float64s] | None:
    """Return the scorers of a base, and the columns of all rows by the fits without their folds."""
    if hasattr(base, "fit_folds"):
        scorers = base.fit_folds(data)
        if isinstance(scorers, tuple):
            return scorers
    else:
        part, scorers = data.fold if getattr(base, "by_fold", False) else data.bundle, []
        for left_out in range(int(part.max()) + 1):
            places = np.flatnonzero(part != left_out)
            places = data.folds.labelled("rows", getattr(base, "rows", len(places)), places)
            scorers.append(base.fit(data.view(places), data.y[places], data.balanced(places)))
    if scorers is None or any(scorer is None for scorer in scorers):
        return None
    parts = []
    for fold, _, view in data.blocks():
        columns = scorers[fold % len(scorers)].score(view)
        parts.append(np.asarray(columns, np.float64).reshape(len(view.axes), -1))
    return scorers, np.concatenate(parts)


class Model(NamedTuple):
    """All that is fitted, and can be pickled."""

    coordinates: Coordinates
    scorers: list[list[Any]]  # of each base
    learners: list[Learner]
    folds: int

    def score(self, points: Floats, fold: int | None = None) -> Float64s:
        """Return the scores of points of a fold by the fits without it.  Points that are in no fold
        get the mean scores of all fits."""
        scores = np.zeros(len(points))
        size = len(points) if fold is not None else block_rows(self.coordinates.width)
        folds = range(self.folds) if fold is None else [fold]
        for part in blocks(len(points), size):
            values = np.asarray(points[part], np.float64)
            view = View(self.coordinates, {"points": values}, slice(None))  # the same for all folds
            for number in folds:
                found = (x[number % len(x)].score(view) for x in self.scorers)
                columns = [np.asarray(x, np.float64).reshape(len(values), -1) for x in found]
                learner = self.learners[number % len(self.learners)]
                scores[part] += learner.score(np.hstack(columns))
        return scores / len(folds)


def fit(
    data: Data, bases: Mapping[str, Any], execute: Execute
) -> tuple[Model, Float64s, dict[str, float]]:
    """Return the model, the cross-fitted scores of all rows of the data, and the share of each base
    in them.

    The columns of bases on the folds that they were not fitted to are the features of the
    meta-learner, cross-fitted in turn.
    """
    used = dict(bases)
    if not data.folds.is_exact:
        used = {x: base for x, base in used.items() if not getattr(base, "of_exact_values", False)}
    fits = execute(partial(cross_fit, data=data), list(used.values()), 1)
    fitted = {name: made for name, made in zip(used, fits, strict=True) if made is not None}
    if not fitted:
        names = ", ".join(bases)
        text = f"a base that applies to {data.folds.width} features expected, got {names}"
        raise WrongValue("bases", text)
    scorers, columns = zip(*fitted.values(), strict=True)
    learners, scores = fit_stack(data, np.hstack(columns), execute)
    shares = np.mean([learner.slopes * learner.spread for learner in learners], axis=0)
    by_base = np.add.reduceat(shares, np.cumsum([0, *(part.shape[1] for part in columns[:-1])]))
    by_base = np.round(by_base / (float(by_base.sum()) or 1.0), 4)
    weights = dict(zip(fitted, by_base.tolist(), strict=True))
    return Model(data.coordinates, list(scorers), learners, data.count), scores, weights


def fit_both(
    folds: Folds, sets: Sets, bases: Mapping[str, Any], execute: Execute
) -> tuple[Model, Float64s, dict[str, float], tuple[Ints, Float64s, float]]:
    """Return the fit with some fitted rows, their cross-fitted scores by fits to half of them in
    the same coordinates, and how many times as many rows the other fits have."""
    data = Data(folds, sets)
    whole = fit(data, bases, execute)
    rows = folds.fitted[folds.labelled("smaller fit", SMALLER)]
    fold = (folds.fold >= (folds.folds + 1) // 2).astype(np.int8)
    fewer = replace(folds, folds=2, fold=fold, fitted=rows)
    growth = len(folds.fitted) * (1 - 1 / folds.folds) / (len(rows) / 2)
    smaller = fit(Data(fewer, sets, data.coordinates), bases, execute)[1]
    return *whole, (rows, smaller, growth)
