"""The one way from samples to scores: split, fit on one part, score the other."""

from __future__ import annotations

from typing import Any, NamedTuple

from prfast.balls import Points, Rows, in_range
from prfast.estimate.split import Split, draw_split
from prfast.inputs.arrays import Floats, read_vector
from prfast.inputs.errors import WrongValue
from prfast.inputs.locks import lock
from prfast.scorers.methods import Scorer
from prfast.scorers.neighbor_scorer import NeighborScorer, NeighborScores


class Scored(NamedTuple):
    """Scores of the evaluation samples of both sets, and their rows."""

    real: Any
    fake: Any
    real_rows: Any
    fake_rows: Any


class ArrayScorer:
    """A scorer as anyone may write one: it is given arrays, and its scores are checked."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer

    def fit(self, real: Points, fake: Points) -> None:
        self._scorer.fit(_array(real), _array(fake))

    def score(self, points: Points, own: str | None = None) -> Floats:
        found = read_vector("method: scores", self._scorer.score(_array(points)), finite=False)
        if found.size != len(points):
            raise WrongValue(
                "method", f"one score a point expected, got {found.size} for {len(points)} points"
            )
        return found


def score_samples(
    given: Scorer | NeighborScores,
    real: Floats,
    fake: Floats,
    split: float | str | None,
    seed: int,
    halves: tuple[Points, Points] | None = None,
) -> Scored:
    """The scores, for samples that have been read; those of neighbours take rows where they lie.

    halves: the training and the evaluation half of real, if they are there already.
    """
    n, m = len(real), len(fake)
    part = None if split is None else draw_split(n, m, split, seed)
    if not isinstance(given, NeighborScorer | NeighborScores):
        with lock(given):  # or a call of another thread fits it before this one has its scores
            return _score(ArrayScorer(given), real, fake, part)
    train = (n, m) if part is None else (len(part.real_train), len(part.fake_train))
    with given.shown(train, n + m if part is None else n + m - sum(train)):
        x, y = in_range(real, fake)
        return _score(given, x, y, part, halves if x is real else None)


def _score(
    scorer: Any,
    x: Floats,
    y: Floats,
    part: Split | None,
    halves: tuple[Points, Points] | None = None,
) -> Scored:
    if part is None:
        scorer.fit(x, y)
        return Scored(scorer.score(x, "real"), scorer.score(y, "fake"), slice(None), slice(None))
    if halves is None:
        halves = Rows(x, part.real_train), Rows(x, part.real_test)
    scorer.fit(halves[0], Rows(y, part.fake_train))
    of_real, of_fake = (scorer.score(points) for points in (halves[1], Rows(y, part.fake_test)))
    return Scored(of_real, of_fake, part.real_test, part.fake_test)


def _array(points: Points) -> Floats:
    return points[:] if isinstance(points, Rows) else points
