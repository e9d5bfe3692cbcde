"""Boosted trees on the raw columns, where a trial shows that they add to the other bases.

Trees detect differences that are aligned with single columns: thresholds, combinations of a few
columns among many, codes.  They cost more than all other bases together, so they are fitted only
where a trial shows a gain.  Trees are fitted on one half of at most TRIAL samples of each set; on
the other half, a logistic regression on the score of the other bases and that of the trees must
have a lower loss than one on the first alone, by more than _MIN_GAIN per sample and _ERRORS
standard errors, with both halves in turn.  A trial that succeeds by chance costs time, but changes
next to nothing.

The trial also determines the number of trees: _MORE times the one of _ROUNDS with the largest gain,
since all samples support more trees than a half.

Beyond MANY_COLUMNS, trees use the screened ones (`sample.Screening`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.inputs.copies import stream
from prfast.methods.auto.coordinates import Block, Coordinates
from prfast.methods.auto.resources import PHASES, Executor, skip_phases
from prfast.methods.auto.sample import MANY_COLUMNS, Flags, Ints, Screening, balanced

TRIAL = 4000  # samples of a set
_MIN_SAMPLES = 100  # of a set, below which trees are not tried
_MIN_GAIN = 0.0005  # nats per sample
_ERRORS = 1.5
_ROUNDS = (12, 25, 50, 100)  # trees of a trial
_MORE = 1.5
_MANY_ROWS = 6000  # of both sets, from which on trees are larger, and fitted for groups of folds
_LEAVES, _LEAVES_OF_MANY = 16, 31


class Trees(NamedTuple):
    """One column, the log-odds of the trees that were fitted without the fold."""

    columns: Ints | None
    """(folds, columns); None for all columns."""
    classifiers: list[Any]
    """One for each fold, or for each group of folds."""

    def score(self, block: Block) -> Float64s:
        x = block.points if self.columns is None else block.points[:, self.columns[block.fold]]
        classifier = self.classifiers[block.fold % len(self.classifiers)]
        odds: Float64s = classifier.decision_function(x)
        return odds[:, None]


def trees(coords: Coordinates, scores: Float64s, execute: Executor) -> Trees | None:
    """Return trees for each fold; None where the trial shows no gain over the scores of the fitted
    rows."""
    sample = coords.sample
    screening = coords.screening if sample.width > MANY_COLUMNS else None
    rounds = _best_rounds(coords, scores, screening, execute)
    if not rounds:
        return None
    columns = None if screening is None else screening.without_each(sample.folds)
    many = len(scores) >= _MANY_ROWS
    group = sample.group_of(sample.fitted_fold) if many else sample.fitted_fold
    size = {
        "max_iter": int(_MORE * rounds),
        "max_leaf_nodes": _LEAVES_OF_MANY if many else _LEAVES,
    }

    def grow(own: int) -> Any:
        places = np.flatnonzero(group != own)
        return _boost(coords, places, None if columns is None else columns[own], **size)

    groups = range(sample.groups if many else sample.folds)
    return Trees(columns, execute(grow, groups, PHASES["trees"]))


def _best_rounds(
    coords: Coordinates, scores: Float64s, screening: Screening | None, execute: Executor
) -> int:
    """Return the number of trees that improves the scores of held-out halves most; 0 where none
    does."""
    sample = coords.sample
    shuffled = stream(sample.seed, "trees").permutation(len(sample.fitted))
    real = sample.fitted_real[shuffled]
    if min(real.sum(), (~real).sum()) < _MIN_SAMPLES:
        skip_phases(execute, "trial")
        return 0
    places = np.concatenate([shuffled[real][:TRIAL], shuffled[~real][:TRIAL]])
    group = sample.group_of(sample.fitted_fold[places])

    def gains(half: int) -> list[Float64s]:
        training, held_out = places[group % 2 != half], places[group % 2 == half]
        columns = None
        if screening is not None:
            columns = screening.columns(range(1 - half, sample.groups, 2))
        size = {"max_iter": _ROUNDS[-1], "max_leaf_nodes": _LEAVES, "max_bins": 63}
        boosted = _boost(coords, training, columns, **size)
        stages = enumerate(
            boosted.staged_decision_function(_points(coords, held_out, columns)), start=1
        )
        return [
            _gains(scores[held_out], odds.ravel(), sample.fitted_real[held_out])
            for rounds, odds in stages
            if rounds in _ROUNDS
        ]

    gain = np.hstack(execute(gains, range(2), PHASES["trial"]))  # (rounds, samples)
    best = int(gain.mean(axis=1).argmax())
    error = gain[best].std() / np.sqrt(gain.shape[1])
    return _ROUNDS[best] if gain[best].mean() > max(_MIN_GAIN, _ERRORS * error) else 0


def _gains(scores: Float64s, odds: Float64s, real: Flags) -> Float64s:
    """Return the decrease of the loss of each sample by the odds of trees."""
    from sklearn.linear_model import LogisticRegression

    weight = balanced(real)
    sign = np.where(real, -1.0, 1.0)
    losses = []
    for x in (scores[:, None], np.column_stack([scores, odds])):
        regression = LogisticRegression(C=100.0).fit(x, real, weight)
        losses.append(weight * np.logaddexp(0.0, sign * regression.decision_function(x)))
    return np.asarray(losses[0] - losses[1])


def _points(coords: Coordinates, places: Ints, columns: Ints | None) -> Float64s:
    """Return fitted rows at places in `fitted`."""
    rows = coords.sample.fitted[places]
    return coords.sample.columns(rows, slice(coords.sample.width) if columns is None else columns)


def _boost(coords: Coordinates, places: Ints, columns: Ints | None, **size: Any) -> Any:
    """Return a classifier fitted to fitted rows at places in `fitted`."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    boosted = HistGradientBoostingClassifier(
        learning_rate=0.1, l2_regularization=1.0, early_stopping=False, random_state=0, **size
    )
    # Weights that balance the sets would make the binning of columns much slower.  Without them the
    # odds differ by a constant, which the meta-learner removes.
    return boosted.fit(_points(coords, places, columns), coords.sample.fitted_real[places])
