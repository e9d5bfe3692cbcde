"""From samples to scores: split, fit on one part, score the other; and the `info` of a curve.

A split is None, all samples train and are scored; the share in (0, 1) of the samples that train; or
a name of `KINDS`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.curve import PRCurve
from prfast.distributed.sharded import Sharded
from prfast.inputs.arrays import Floats, read_vector
from prfast.inputs.concurrency import lock
from prfast.inputs.copies import stream
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_share
from prfast.methods.base import Scorer
from prfast.methods.neighbors import NeighborScorer, NeighborScores
from prfast.neighbors import Points, Rows, in_range
from prfast.results.info import version


class Split(NamedTuple):
    """Row numbers of the training and the evaluation samples of both sets."""

    real_train: NDArray[np.int64]
    real_test: NDArray[np.int64]
    fake_train: NDArray[np.int64]
    fake_test: NDArray[np.int64]


def read_split(split: Any, own: float | str | None) -> Any:
    """Return the split to use and to record: the method's own one for "auto", a share as a Python
    float."""
    used = own if isinstance(split, str) and split == "auto" else split
    return used if used is None or isinstance(used, str) else read_share("split", used)


def draw_split(n: int, m: int, split: float | str, seed: int) -> Split:
    """Return the rows of n real and m generated samples that train, and those that are scored."""
    if not isinstance(split, str):
        return split_share(n, m, split, seed)
    if split not in KINDS:
        known = ", ".join(map(repr, ("auto", *KINDS)))
        raise WrongValue("split", f"{known}, a share in (0, 1) or None expected, got {split!r}")
    return KINDS[split](n, m, seed)


def train_size(size: int, share: float) -> int:
    """Return ⌊share · size⌋."""
    return math.floor(share * size * (1 + 1e-12))  # 29 for 0.29 × 100, which is 28.999… in float64


def split_share(n: int, m: int, share: float, seed: int) -> Split:
    """Return a random split in which ⌊share · n⌋ real and ⌊share · m⌋ generated samples train."""
    share = read_share("split", share)
    rng = stream(seed, "split")
    parts = []
    for name, size in (("real", n), ("fake", m)):
        train = train_size(size, share)
        if not 0 < train < size:
            raise WrongValue(
                name,
                f"too few samples to split at {share}: {size} would leave "
                f"{train} to train and {size - train} to evaluate",
            )
        order = rng.permutation(size)
        parts += [np.sort(order[:train]), np.sort(order[train:])]
    return Split(*parts)


def split_bernoulli(n: int, m: int, seed: int) -> Split:
    """Return the split of Algorithm 1 (2019 paper): a fair coin per pair (x_i, y_i) sends one of
    the two to training and the other to evaluation.

    Where n ≠ m, the samples without a partner have a fair coin each.  Coins that leave one of the
    four parts empty are tossed again.
    """
    for name, size in (("real", n), ("fake", m)):
        if size < 2:
            raise WrongValue(name, f"at least 2 samples expected for a split, got {size}")
    rng = stream(seed, "split")
    while True:
        coin = rng.random(max(n, m)) < 0.5
        real, fake = coin[:n], ~coin[:m]
        if real.any() and fake.any() and not real.all() and not fake.all():
            return Split(
                np.flatnonzero(real),
                np.flatnonzero(~real),
                np.flatnonzero(fake),
                np.flatnonzero(~fake),
            )


KINDS: dict[str, Callable[[int, int, int], Split]] = {"bernoulli": split_bernoulli}  # (n, m, seed)


class Scored(NamedTuple):
    """Scores of the evaluation samples of both sets, and their rows."""

    real: Any
    fake: Any
    real_rows: Any
    fake_rows: Any


class ArrayScorer:
    """Adapter of a user's scorer: it receives arrays, and its scores are checked."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer

    def fit(self, real: Points, fake: Points) -> None:
        self._scorer.fit(_array(real), _array(fake))

    def score(self, points: Points, own: str | None = None) -> Floats:
        scores = read_vector("method: scores", self._scorer.score(_array(points)), finite=False)
        if scores.size != len(points):
            raise WrongValue(
                "method", f"one score a point expected, got {scores.size} for {len(points)} points"
            )
        return scores


def score_samples(
    scorer: Scorer | NeighborScores,
    real: Floats,
    fake: Floats,
    split: float | str | None,
    seed: int,
    halves: tuple[Points, Points] | None = None,
) -> Scored:
    """Return the scores of a scorer that is fitted here, for samples that have been read.

    Scorers that count neighbours access rows without a copy.

    halves: the training and the evaluation half of the real samples, if they are prepared already.
    """
    n, m = len(real), len(fake)
    part = None if split is None else draw_split(n, m, split, seed)
    if not isinstance(scorer, NeighborScorer | NeighborScores):
        with lock(scorer):  # another thread may fit the same object before it scores
            return _score(ArrayScorer(scorer), real, fake, part)
    train = (n, m) if part is None else (len(part.real_train), len(part.fake_train))
    with scorer.shown(train, n + m if part is None else n + m - sum(train)):
        x, y = in_range(real, fake)
        return _score(scorer, x, y, part, halves if x is real else None)


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


def how_made(
    name: str,
    settings: dict[str, Any],
    split: Any,
    real: Floats | Sharded,
    fake: Floats | Sharded,
    scored: tuple[int, int],
    seed: int,
) -> dict[str, Any]:
    """Return the `info` of a curve of samples; scored: how many real and generated ones were
    scored."""
    return {
        "method": name,
        **settings,
        "split": split,
        "n_real": len(real),
        "n_fake": len(fake),
        "scored_real": scored[0],
        "scored_fake": scored[1],
        "n_features": real.shape[1],
        "random_state": seed,
        "version": version(),
    }


def with_features(curves: Mapping[Any, PRCurve], features: Mapping[str, Any]) -> dict[Any, PRCurve]:
    """Return the curves with the entry `features` that `features_info` gives."""
    return {key: one.with_info(**features) if features else one for key, one in curves.items()}
