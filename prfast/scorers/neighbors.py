"""Scorers from neighbours (2024 paper, §3): each a ratio of two counts, all from the same passes.

X are the real and Y the generated training samples, B_k^S(z) is the ball around z that reaches its
k-th nearest neighbour in S, comparisons are d <= r (`ties="closed"`):

    knn        # X in B_k^{X∪Y}(z)            /  # Y in B_k^{X∪Y}(z)
    ipr        # {x : z in B_k^X(x)}          /  # {y : z in B_k^Y(y)}
    parzen     # {x : d(x, z) <= ρ_X}         /  # {y : d(y, z) <= ρ_Y},   ρ_S = mean radius of S
    coverage   # X in B_k^Y(z)                /  # Y in B_k^X(z)

Each count is divided by the size of its set, c/0 is ∞ and 0/0 is 1: which class a point without
neighbours falls to is the only thing that the division decides where the sizes differ.

Self: inside a set a point is never its own neighbour, so the radii of ipr and parzen leave it out
by its row.  A point that is scored is another matter: without a split it is a training sample, and
the published curves count it as its own first neighbour; `count_self=False` leaves it out as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Sized
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.balls import Count, Points, Search
from prfast.balls.tasks import mean_radius, own, squared_radius
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import (
    MEMORY,
    Shown,
    is_word,
    read_count,
    read_flag,
    read_progress,
    read_ties,
)

# Where a k-th neighbour is looked for, and what that gives: a pair, of the real and of the
# generated training samples.
INSIDE = "inside"  # each training set, of its own samples: the D of each sample
EACH = "each"  # of the training sets, of the scored points: how many are as near as the other's
BOTH = "both"  # training sets together, of the scored points: how many of either are as near

Pair = tuple[NDArray[Any], NDArray[Any]]


class NeighborMethod(NamedTuple):
    """A row: where its k-th neighbours are; and, INSIDE a set, the balls that have these radii,
    whose samples are counted, of the real training set (0, the numerator) or of the generated one
    (1, the denominator)."""

    where: str
    balls: Callable[[Pair, int, bool], Count] | None
    summary: str
    blind: str
    """What it cannot see, however many samples there are."""


def _balls(d2: Pair, side: int, closed: bool) -> Count:
    """The samples whose balls hold the point."""
    return Count(None, d2[side], closed, side=side)


def _mean_balls(d2: Pair, side: int, closed: bool) -> Count:
    """The samples within the mean radius of their set."""
    t = squared_radius(mean_radius(d2[side]), closed)
    return Count(None, np.full(len(d2[side]), t), closed, side=side)


NEIGHBORS = {
    "knn": NeighborMethod(
        BOTH,
        None,
        "classes of the k nearest of both sets (2024)",
        "differences in many dimensions: all neighbours of every point may be of one set, "
        "whichever it is of itself; then the scores tie, and a tie reads as equality",
    ),
    "ipr": NeighborMethod(
        INSIDE,
        _balls,
        "balls of the training samples that hold a point (2019 b, 2024)",
        "what lies inside wide balls: those around outliers, and in many dimensions those of the "
        "wider set, which hold the other",
    ),
    "parzen": NeighborMethod(
        INSIDE,
        _mean_balls,
        "training samples within the mean k-NN radius (2024)",
        "what is finer than the one radius, and points that no radius reaches: they tie, whichever "
        "set they are of",
    ),
    "coverage": NeighborMethod(
        EACH,
        None,
        "each set within the k-NN ball of the other (2020, 2024)",
        "differences in many dimensions: all neighbours of every point may be of one set, "
        "whichever it is of itself; then the scores tie, and a tie reads as equality",
    ),
}
NEIGHBOR_METHODS = tuple(NEIGHBORS)


def sqrt_k(real: Sized) -> int:
    """⌊√n⌋ of the real training samples, the default k (2024 paper, §3.3)."""
    return max(1, math.isqrt(len(real)))


def read_k(k: Any, real: Sized) -> int:
    """A number of neighbours: an integer, or "sqrt", which stands for ⌊√n⌋."""
    if isinstance(k, str):
        if k != "sqrt":
            raise WrongValue("k", f"an integer or 'sqrt' expected, got {k!r}")
        return sqrt_k(real)
    return read_count("k", k)


def check_k(method: str, k: int, n: float, m: float, *, leave_out: bool = False) -> None:
    """Is there a k-th neighbour?  In its own set a sample has one neighbour less: inside the
    training sets, and where a scored point is left out of them."""
    where = NEIGHBORS[method].where
    own = leave_out or where == INSIDE
    for name, size in (("real", n), ("fake", m)):
        most = (n + m if where == BOTH else size) - own
        if k > most:
            raise WrongValue(
                "k",
                f"at most {most} expected for {method!r} with {size} {name} training samples, "
                f"got {k}",
            )


# The passes over the distances that give the scores of every neighbour method and k at once.
#
# Training samples against themselves for radii, then scored points against both sets: one look at
# each pair gives the k-th neighbours and counts the balls.  `neighbors` says which method takes
# what.


def _ks(wanted: Sequence[tuple[str, int]], where: str) -> list[int]:
    """The k of the methods whose neighbours are there."""
    return sorted({k for method, k in wanted if NEIGHBORS[method].where == where})


def expected_pairs(methods: Sequence[str], training: tuple[int, int], scored: int) -> int:
    """Pairs of all passes, for a bar: of so many training samples of both sets, and scored ones."""
    n, m = training
    inside = any(NEIGHBORS[method].where == INSIDE for method in methods)
    return (n * n + m * m) * inside + scored * (n + m)


class Training(NamedTuple):
    """Training samples of both sets and, for each k, the D of the k-th neighbour inside each."""

    real: Points
    fake: Points
    inside: dict[int, Pair]


def train(
    real: Points, fake: Points, wanted: Sequence[tuple[str, int]], search: Search
) -> Training:
    """Radii inside both sets, for those (method, k) that need them."""
    for method, k in wanted:
        check_k(method, k, len(real), len(fake))
    ks = _ks(wanted, INSIDE)
    inside: dict[int, Pair] = {}
    if ks:
        x, y = (search.kth_within(points, ks) for points in (real, fake))
        inside = {k: (x[:, i].copy(), y[:, i].copy()) for i, k in enumerate(ks)}
    return Training(real, fake, inside)


def scores(
    points: Points,
    training: Training,
    wanted: Sequence[tuple[str, int]],
    search: Search,
    *,
    closed: bool = True,
    leave_out: str | None = None,
) -> dict[tuple[str, int], Float64s]:
    """The score of every point for each wanted (method, k).

    leave_out: "real" or "fake" where the points are that training set and none is to be its own
    neighbour.
    """
    real, fake = training.real, training.fake
    for method, k in wanted if leave_out is not None else ():
        check_k(method, k, len(real), len(fake), leave_out=True)
    each, both = _ks(wanted, EACH), _ks(wanted, BOTH)
    balls = _training_balls(training, wanted, len(points), closed)
    tasks = [task for pair in balls.values() for task in pair]
    counted: dict[tuple[str, int], Pair] = {}
    if each or both:
        nearest = search.union(
            points,
            real,
            fake,
            each,
            each,
            both,
            closed=closed,
            leave_out=leave_out,
            across=True,
            counts=tasks,
        )
        for i, k in enumerate(each):
            counted[EACH, k] = nearest.across_a[:, i], nearest.across_b[:, i]
        for i, k in enumerate(both):
            counted[BOTH, k] = nearest.of_a[:, i], nearest.of_b[:, i]
    elif tasks:
        search.run(points, [real, fake], tasks)
    for task in tasks if leave_out is not None else ():
        if task.side == ("real", "fake").index(leave_out):
            task.rows -= own(task.ref_t, closed)
    found: dict[tuple[str, int], Float64s] = {}
    for method, k in wanted:
        a, b = (
            [task.rows for task in balls[method, k]]
            if (method, k) in balls
            else counted[NEIGHBORS[method].where, k]
        )
        found[method, k] = ratio(a, b, len(real), len(fake))
    return found


def _training_balls(
    training: Training, wanted: Sequence[tuple[str, int]], points: int, closed: bool
) -> dict[tuple[str, int], list[Count]]:
    """Counts of the balls of each set that hold a point, for the methods that have such balls."""
    found = {}
    for method, k in wanted:
        of = NEIGHBORS[method].balls
        if of is not None:
            found[method, k] = [of(training.inside[k], side, closed) for side in (0, 1)]
            for task in found[method, k]:
                task.rows = np.zeros(points, np.int64)
    return found


def ratio(a: NDArray[Any], b: NDArray[Any], n: int, m: int) -> Float64s:
    """(a / n) / (b / m) with c/0 = ∞, 0/0 = 1; equal fractions are equal floats."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = (a * float(m)) / (b * float(n))
    return np.where((a == 0) & (b == 0), 1.0, quotient)


# Neighbour methods as scorers: one method and k, or several from the same passes.


class NeighborScores:
    """Several methods and several k as one scorer, from the same passes; its score is
    {(method, k): scores}, k a number, and `number` says which one "sqrt" stands for.
    """

    def __init__(
        self,
        methods: Sequence[str],
        ks: Sequence[int | str],
        search: Search,
        *,
        closed: bool = True,
        count_self: bool = True,
    ) -> None:
        self._methods, self._ks, self._search = methods, ks, search
        self.progress = search.progress
        self._closed, self._count_self = closed, count_self

    def shown(self, train: tuple[int, int], scored: int) -> AbstractContextManager[None]:
        """The work of all passes: so many training samples of both sets, and scored ones."""
        pairs = expected_pairs(self._methods, train, scored)
        return self.progress.work(pairs, "curves", share=pairs)

    def fit(self, real: Points, fake: Points) -> NeighborScores:
        self.number = {k: read_k(k, real) for k in self._ks}
        numbers = self.number.values()
        self._keys = [(method, k) for k in dict.fromkeys(numbers) for method in self._methods]
        self._training = train(real, fake, self._keys, self._search)
        return self

    def score(self, points: Points, own: str | None = None) -> dict[tuple[str, int], Float64s]:
        """Scores of points; own: "real" or "fake" where they are that training set itself."""
        return scores(
            points,
            self._training,
            self._keys,
            self._search,
            closed=self._closed,
            leave_out=None if self._count_self else own,
        )


class NeighborScorer:
    """One method and one k as a scorer.

    Parameters
    ----------
    name : "knn", "ipr", "parzen" or "coverage"
    k : int, "sqrt" or None
        Number of neighbours; None (default) and "sqrt" are ⌊√n⌋ of the real training samples, once
        fitted.
    ties : "closed" or "open"
        Is a point at distance r in the ball: d <= r (default) or d < r.
    count_self : bool
        Without a split: is a scored training sample its own neighbour, as in the published curves
        (default)?
    backend, memory, progress
        See `prfast.balls.Search`.
    random_state : int
        Unused: nothing here is random.
    n_jobs : int or None
        Threads, at most the usable cores, which None takes.  The result does not depend on it.
    """

    def __init__(
        self,
        name: str,
        *,
        k: int | str | None = None,
        ties: str = "closed",
        count_self: bool = True,
        backend: str = "auto",
        memory: int = MEMORY,
        progress: Shown = None,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.name = name
        self._given_k = "sqrt" if k is None or is_word(k, "sqrt") else read_count("k", k)
        self.k = self._given_k if isinstance(self._given_k, int) else None
        self.ties, closed = ties, read_ties(ties)
        self.count_self = read_flag("count_self", count_self)
        self.backend, self.memory, self.progress = backend, memory, read_progress(progress)
        self._search = Search(backend, n_jobs, memory, self.progress)
        self._one = NeighborScores(
            [name], [self._given_k], self._search, closed=closed, count_self=self.count_self
        )

    def shown(self, train: tuple[int, int], scored: int) -> AbstractContextManager[None]:
        """As of several methods."""
        return self._one.shown(train, scored)

    @property
    def work(self) -> dict[str, int]:
        """What decided the pairs, of all calls so far."""
        return self._search.work

    def fit(self, real: Points, fake: Points) -> NeighborScorer:
        self.k = self._one.fit(real, fake).number[self._given_k]
        return self

    def score(self, points: Points, own: str | None = None) -> Float64s:
        """Scores of points; own: "real" or "fake" where they are that training set itself."""
        (found,) = self._one.score(points, own).values()
        return found
