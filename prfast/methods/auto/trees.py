"""Boosted trees on the raw columns, where a trial shows that they add to the other bases.

Trees detect differences that are aligned with single columns: thresholds, combinations of a few
columns among many, codes.  They cost more than all other bases together, so they are fitted only
where a trial shows a gain.  Trees are fitted on one half of at most TRIAL samples of each set; on
the other half, a logistic regression on the score of the other bases and that of the trees must
have a lower loss than one on the first alone, by more than _WORTH per sample and _ERRORS standard
errors, with both halves in turn.  A trial that succeeds by chance costs time, but changes next to
nothing.

The trial also determines the number of trees: _MORE times the one of _ROUNDS with the largest gain,
since all samples support more trees than a half.

Beyond MANY columns, trees use the screened ones (`block.Screening`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.inputs.copies import stream
from prfast.methods.auto.block import MANY, Block, Screening
from prfast.methods.auto.coordinates import Coordinates
from prfast.methods.auto.sample import Flags, Ints, balanced
from prfast.methods.auto.workers import SHARES, Run, skip

TRIAL = 4000  # samples of a set
_FEWEST = 100  # samples of a set, below which trees are not tried
_WORTH = 0.0005  # nats per sample
_ERRORS = 1.5
_ROUNDS = (12, 25, 50, 100)  # trees of a trial
_MORE = 1.5
_LEAVES, _LEAVES_OF_MANY = 16, 31
_MANY = 6000  # samples of both sets, from which on trees are larger, and fitted for groups of folds


class Trees(NamedTuple):
    """One column, the log-odds of the trees that were fitted without the fold."""

    columns: Ints | None
    """(folds, columns); None for all columns."""
    grown: list[Any]
    """A classifier for each fold, or for each group of folds."""

    def score(self, block: Block) -> Float64s:
        seen = None if self.columns is None else self.columns[block.fold]
        x = block.points if seen is None else block.points[:, seen]
        odds: Float64s = self.grown[block.fold % len(self.grown)].decision_function(x)
        return odds[:, None]


def trees(made: Coordinates, scores: Float64s, run: Run) -> Trees | None:
    """Return trees for each fold; None where the trial shows no gain over the scores of the fitted
    rows."""
    sample = made.sample
    screened = made.screening if sample.width > MANY else None
    rounds = _tried(made, scores, screened, run)
    if not rounds:
        return None
    columns = None if screened is None else screened.without_each(sample.folds)
    many = len(scores) >= _MANY
    group = sample.group_of(sample.fitted_fold) if many else sample.fitted_fold
    size = {
        "max_iter": int(_MORE * rounds),
        "max_leaf_nodes": _LEAVES_OF_MANY if many else _LEAVES,
    }

    def grow(one: int) -> Any:
        rows = np.flatnonzero(group != one)
        return _grown(made, rows, None if columns is None else columns[one], **size)

    parts = range(sample.groups if many else sample.folds)
    return Trees(columns, run(grow, parts, SHARES["trees"]))


def _tried(made: Coordinates, scores: Float64s, screened: Screening | None, run: Run) -> int:
    """Return the number of trees that improves the scores of held-out halves most; 0 where none
    does."""
    sample = made.sample
    shuffled = stream(sample.seed, "trees").permutation(len(sample.fitted))
    real = sample.fitted_real[shuffled]
    if min(real.sum(), (~real).sum()) < _FEWEST:
        skip(run, "trial")
        return 0
    some = np.concatenate([shuffled[real][:TRIAL], shuffled[~real][:TRIAL]])
    group = sample.group_of(sample.fitted_fold[some])

    def gains(half: int) -> list[Float64s]:
        fit, held = some[group % 2 != half], some[group % 2 == half]
        seen = None
        if screened is not None:
            seen = screened.columns(range(1 - half, sample.groups, 2))
        small = _grown(made, fit, seen, max_iter=_ROUNDS[-1], max_leaf_nodes=_LEAVES, max_bins=63)
        stages = enumerate(small.staged_decision_function(_points(made, held, seen)), 1)
        return [
            _gains(scores[held], odds.ravel(), sample.fitted_real[held])
            for rounds, odds in stages
            if rounds in _ROUNDS
        ]

    gain = np.hstack(run(gains, range(2), SHARES["trial"]))  # (rounds, samples)
    best = int(gain.mean(axis=1).argmax())
    error = gain[best].std() / np.sqrt(gain.shape[1])
    return _ROUNDS[best] if gain[best].mean() > max(_WORTH, _ERRORS * error) else 0


def _gains(scores: Float64s, odds: Float64s, real: Flags) -> Float64s:
    """Return the decrease of the loss of each sample by the odds of trees."""
    from sklearn.linear_model import LogisticRegression

    weight = balanced(real)
    sign = np.where(real, -1.0, 1.0)
    losses = []
    for x in (scores[:, None], np.column_stack([scores, odds])):
        fit = LogisticRegression(C=100.0).fit(x, real, weight)
        losses.append(weight * np.logaddexp(0.0, sign * fit.decision_function(x)))
    return np.asarray(losses[0] - losses[1])


def _points(made: Coordinates, places: Ints, columns: Ints | None) -> Float64s:
    every = slice(made.sample.width)
    return made.sample.columns(made.sample.fitted[places], every if columns is None else columns)


def _grown(made: Coordinates, places: Ints, columns: Ints | None, **size: Any) -> Any:
    """Return a classifier fitted to some of the fitted rows, given by place."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    boosted = HistGradientBoostingClassifier(
        learning_rate=0.1, l2_regularization=1.0, early_stopping=False, random_state=0, **size
    )
    # Weights that balance the sets would make the binning of columns much slower.  Without them the
    # odds differ by a constant, which level 2 removes.
    return boosted.fit(_points(made, places, columns), made.sample.fitted_real[places])
