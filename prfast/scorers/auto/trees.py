"""Boosted trees on the raw columns, where a trial says that they add to the other bases.

Trees see what is aligned with single columns: thresholds, combinations of a few columns among many,
codes.  They cost more than all other bases together, so they are grown only where a trial pays: a
few small trees are grown on one half of at most TRIAL samples of each set; on the other half, a
logistic regression on the score of the other bases and that of the trees must have a lower loss
than one on the first alone, by more than _WORTH a sample and _ERRORS standard errors, the halves
taken in turn.  A trial that is passed by chance costs time, but changes next to nothing.

Where columns are many, trees see those that differ most (`screening`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.inputs.streams import stream
from prfast.scorers.auto.block import Block
from prfast.scorers.auto.coordinates import Coordinates
from prfast.scorers.auto.folds import Flags, Ints, balanced
from prfast.scorers.auto.screening import MANY, Screening
from prfast.scorers.auto.stack import group_of
from prfast.scorers.auto.workers import SHARES, Run

TRIAL = 4000  # samples of a set
_FEWEST = 100  # samples of a set, below which trees are not tried
_WORTH = 0.0005  # nats a sample
_ERRORS = 1.5
_TRIED = {"max_iter": 50, "max_leaf_nodes": 16, "learning_rate": 0.15, "max_bins": 63}
_GROWN = {"max_iter": 200, "max_leaf_nodes": 16, "learning_rate": 0.1}
_MANY = 6000  # samples of both sets, from which on trees are larger and more
_GROWN_OF_MANY = {"max_iter": 200, "max_leaf_nodes": 31, "learning_rate": 0.1}


class Trees(NamedTuple):
    """One column, the log-odds of the trees that were grown without the group of the fold."""

    columns: Ints | None
    """(folds, columns); None where they see all of them."""
    grown: list[Any]
    """A classifier for each group of folds."""

    def score(self, block: Block) -> Float64s:
        seen = None if self.columns is None else self.columns[block.fold]
        x = block.points if seen is None else block.points[:, seen]
        odds: Float64s = self.grown[block.fold % len(self.grown)].decision_function(x)
        return odds[:, None]


def trees(made: Coordinates, scores: Float64s, run: Run) -> Trees | None:
    """Grow trees if they add to the scores of the fitted rows; None where they do not."""
    sample = made.sample
    screened = made.screening if sample.width > MANY else None
    if not _pay(made, scores, screened):
        return None
    columns = None if screened is None else screened.without_each(sample.folds)
    group = group_of(sample.fitted_fold, sample.folds)
    size = _GROWN if len(group) < _MANY else _GROWN_OF_MANY

    def grow(one: int) -> Any:
        rows = np.flatnonzero(group != one)
        return _grown(made, rows, None if columns is None else columns[one], size)

    return Trees(columns, run(grow, range(int(group.max()) + 1), SHARES["trees"]))


def _pay(made: Coordinates, scores: Float64s, screened: Screening | None) -> bool:
    """Say whether trees of one half of some samples add to the scores of the other half."""
    sample = made.sample
    shuffled = stream(sample.seed, "trees").permutation(len(sample.fitted))
    real = sample.fitted_real[shuffled]
    if min(real.sum(), (~real).sum()) < _FEWEST:
        return False
    some = np.concatenate([shuffled[real][:TRIAL], shuffled[~real][:TRIAL]])
    group = group_of(sample.fitted_fold[some], sample.folds)
    gains = []
    for half in range(2):
        fit, held = some[group % 2 != half], some[group % 2 == half]
        groups = range(1 - half, int(group.max()) + 1, 2)
        seen = None if screened is None else screened.columns(groups)
        odds = _grown(made, fit, seen, _TRIED).decision_function(_points(made, held, seen))
        gains.append(_gains(scores[held], odds, sample.fitted_real[held]))
    gain = np.concatenate(gains)
    return bool(gain.mean() > max(_WORTH, _ERRORS * gain.std() / np.sqrt(len(gain))))


def _gains(scores: Float64s, odds: Float64s, real: Flags) -> Float64s:
    """Return by how much each sample's loss is lower where the odds of trees are known, too."""
    from sklearn.linear_model import LogisticRegression

    weight = balanced(real)
    sign = np.where(real, -1.0, 1.0)
    losses = []
    for x in (scores[:, None], np.column_stack([scores, odds])):
        fit = LogisticRegression(C=100.0).fit(x, real, weight)
        losses.append(weight * np.logaddexp(0.0, sign * fit.decision_function(x)))
    return np.asarray(losses[0] - losses[1])


def _points(made: Coordinates, places: Ints, columns: Ints | None) -> Float64s:
    points = made.sample.points(made.sample.fitted[places])
    return points if columns is None else points[:, columns]


def _grown(made: Coordinates, places: Ints, columns: Ints | None, size: dict[str, Any]) -> Any:
    """Grow trees on fitted rows, by their places."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    boosted = HistGradientBoostingClassifier(
        **size, l2_regularization=1.0, early_stopping=False, random_state=0
    )
    # Weights would make both sets weigh alike, and the binning of columns much slower; the odds
    # without them differ by a constant, which level 2 takes out.
    return boosted.fit(_points(made, places, columns), made.sample.fitted_real[places])
