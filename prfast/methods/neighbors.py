"""Scorers from neighbours (2024 paper, §3): ratios of two counts, all from the same passes.

X are the real and Y the generated training samples, B_k^S(z) is the ball around z that reaches its
k-th nearest neighbour in S, comparisons are d <= r (`ties="closed"`):

    knn        # X in B_k^{X∪Y}(z)            /  # Y in B_k^{X∪Y}(z)
    ipr        # {x : z in B_k^X(x)}          /  # {y : z in B_k^Y(y)}
    parzen     # {x : d(x, z) <= ρ_X}         /  # {y : d(y, z) <= ρ_Y},   ρ_S = mean radius of S
    coverage   # X in B_k^Y(z)                /  # Y in B_k^X(z)

Each count is divided by the size of its set; c/0 is ∞ and 0/0 is 1.  The sizes are a constant
factor of all ratios, so that they decide nothing but the rank of a point without neighbours.

Self: inside a set a point is never its own neighbour; the radii of ipr and parzen exclude it by its
row.  For scored points there is a choice: without a split they are training samples, and the
published curves count each as its own first neighbour; `count_self=False` excludes it.

There are two passes for all methods and k together: training samples against themselves, for radii
(`train`), and scored points against both sets (`scores`), which gives the k-th neighbours and
counts the balls at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Sized
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
from prfast.neighbors import Count, Points, Search
from prfast.neighbors.tasks import mean_radius, own, squared_radius

# Sets in which a method searches the k-th neighbour, and the pair (real, generated) that results.
INSIDE = "inside"  # a training sample's, in its own set: D of each sample
EACH = "each"  # a scored point's, in each set: how many of the other set are as near
BOTH = "both"  # a scored point's, in the union: how many of each set are as near

Pair = tuple[NDArray[Any], NDArray[Any]]


class NeighborMethod(NamedTuple):
    """A row of NEIGHBORS."""

    where: str
    """INSIDE, EACH or BOTH."""
    balls: Callable[[Pair, int, bool], Count] | None
    """For INSIDE: the task that counts the balls of the real training set (side 0, the numerator)
    or of the generated one (side 1, the denominator) that contain a point."""
    summary: str
    blind: str
    """What it cannot detect, however many samples there are."""


def _balls(d2: Pair, side: int, closed: bool) -> Count:
    """Return the count of the samples whose k-NN balls contain the point."""
    return Count(None, d2[side], closed, side=side)


def _mean_balls(d2: Pair, side: int, closed: bool) -> Count:
    """Return the count of the samples within the mean k-NN radius of their set."""
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
    """Return ⌊√n⌋ of the real training samples, the default k (2024 paper, §3.3)."""
    return max(1, math.isqrt(len(real)))


def read_k(k: Any, real: Sized) -> int:
    """Return k as an integer; "sqrt" is ⌊√n⌋ of the real training samples."""
    if isinstance(k, str):
        if k != "sqrt":
            raise WrongValue("k", f"an integer or 'sqrt' expected, got {k!r}")
        return sqrt_k(real)
    return read_count("k", k)


def check_k(method: str, k: int, n: float, m: float, *, leave_out: bool = False) -> None:
    """Raise a ValueError if there is no k-th neighbour among n real and m generated samples.

    A sample has one neighbour less in its own set: inside the training sets, and where a scored
    point is left out of them.
    """
    where = NEIGHBORS[method].where
    excluded = leave_out or where == INSIDE
    for name, size in (("real", n), ("fake", m)):
        most = (n + m if where == BOTH else size) - excluded
        if k > most:
            raise WrongValue(
                "k",
                f"at most {most} expected for {method!r} with {size} {name} training samples, "
                f"got {k}",
            )


def _ks(methods_and_ks: Sequence[tuple[str, int]], where: str) -> list[int]:
    """Return the k of the methods that search there."""
    return sorted({k for method, k in methods_and_ks if NEIGHBORS[method].where == where})


def expected_pairs(methods: Sequence[str], training: tuple[int, int], scored: int) -> int:
    """Return the pairs of all passes, for a progress bar.

    training: the sizes (n, m) of the training sets; scored: the number of scored points.
    """
    n, m = training
    inside = any(NEIGHBORS[method].where == INSIDE for method in methods)
    return (n * n + m * m) * inside + scored * (n + m)


class Training(NamedTuple):
    """Training samples of both sets and, for each k, the D of the k-th neighbour inside each."""

    real: Points
    fake: Points
    inside: dict[int, Pair]


def train(
    real: Points, fake: Points, methods_and_ks: Sequence[tuple[str, int]], search: Search
) -> Training:
    """Return the training sets with radii inside both, for those (method, k) that need them."""
    for method, k in methods_and_ks:
        check_k(method, k, len(real), len(fake))
    ks = _ks(methods_and_ks, INSIDE)
    inside: dict[int, Pair] = {}
    if ks:
        x, y = (search.kth_within(points, ks) for points in (real, fake))
        inside = {k: (x[:, i].copy(), y[:, i].copy()) for i, k in enumerate(ks)}
    return Training(real, fake, inside)


def scores(
    points: Points,
    training: Training,
    methods_and_ks: Sequence[tuple[str, int]],
    search: Search,
    *,
    closed: bool = True,
    leave_out: str | None = None,
) -> dict[tuple[str, int], Float64s]:
    """Return the scores of the points, (points,), for each (method, k).

    leave_out: "real" or "fake" where the points are that training set and none is to be its own
    neighbour.
    """
    real, fake = training.real, training.fake
    for method, k in methods_and_ks if leave_out is not None else ():
        check_k(method, k, len(real), len(fake), leave_out=True)
    each, both = _ks(methods_and_ks, EACH), _ks(methods_and_ks, BOTH)
    balls = _training_balls(training, methods_and_ks, len(points), closed)
    tasks = [task for pair in balls.values() for task in pair]
    neighbor_counts: dict[tuple[str, int], Pair] = {}
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
            neighbor_counts[EACH, k] = nearest.across_a[:, i], nearest.across_b[:, i]
        for i, k in enumerate(both):
            neighbor_counts[BOTH, k] = nearest.of_a[:, i], nearest.of_b[:, i]
    elif tasks:
        search.run(points, [real, fake], tasks)
    for task in tasks if leave_out is not None else ():  # D(x, x) = 0 was counted
        if task.side == ("real", "fake").index(leave_out):
            task.rows -= own(task.ref_t, closed)
    result: dict[tuple[str, int], Float64s] = {}
    for method, k in methods_and_ks:
        a, b = (
            [task.rows for task in balls[method, k]]
            if (method, k) in balls
            else neighbor_counts[NEIGHBORS[method].where, k]
        )
        result[method, k] = ratio(a, b, len(real), len(fake))
    return result


def _training_balls(
    training: Training, methods_and_ks: Sequence[tuple[str, int]], points: int, closed: bool
) -> dict[tuple[str, int], list[Count]]:
    """Return the tasks that count balls of each set, for the methods that have such balls."""
    tasks = {}
    for method, k in methods_and_ks:
        balls = NEIGHBORS[method].balls
        if balls is not None:
            tasks[method, k] = [balls(training.inside[k], side, closed) for side in (0, 1)]
            for task in tasks[method, k]:
                task.rows = np.zeros(points, np.int64)
    return tasks


def ratio(a: NDArray[Any], b: NDArray[Any], n: int, m: int) -> Float64s:
    """Return (a / n) / (b / m) with c/0 = ∞, 0/0 = 1; equal fractions are equal floats."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = (a * float(m)) / (b * float(n))
    return np.where((a == 0) & (b == 0), 1.0, quotient)


class NeighborScores:
    """A scorer for several neighbour methods and several k, from the same passes.

    Its scores are {(method, k): scores} with integers k; once fitted, `number` maps each k as it
    was passed, "sqrt" among them, to its integer.
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
        """Announce the pairs of all passes to the bar; train: the sizes of the training sets."""
        pairs = expected_pairs(self._methods, train, scored)
        return self.progress.work(pairs, "curves", share=pairs)

    def fit(self, real: Points, fake: Points) -> NeighborScores:
        self.number = {k: read_k(k, real) for k in self._ks}
        numbers = self.number.values()
        self._keys = [(method, k) for k in dict.fromkeys(numbers) for method in self._methods]
        self._training = train(real, fake, self._keys, self._search)
        return self

    def score(self, points: Points, own: str | None = None) -> dict[tuple[str, int], Float64s]:
        """Return the scores; own: "real" or "fake" if the points are that training set itself."""
        return scores(
            points,
            self._training,
            self._keys,
            self._search,
            closed=self._closed,
            leave_out=None if self._count_self else own,
        )


class NeighborScorer:
    """A scorer for one neighbour method and one k (formulas: `prfast.methods.neighbors`).

    Parameters
    ----------
    name : "knn", "ipr", "parzen" or "coverage"
    k : int, "sqrt" or None
        Number of neighbours; None (default) and "sqrt" are ⌊√n⌋ of the real training samples, set
        when fitted.
    ties : "closed" or "open"
        Whether a point at distance r is in the ball: d <= r (default) or d < r.
    count_self : bool
        Whether, without a split, a scored training sample is its own neighbour, as in the published
        curves (default).
    backend, memory, progress
        See `prfast.neighbors.Search`.
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
        self._k_option = "sqrt" if k is None or is_word(k, "sqrt") else read_count("k", k)
        self.k = self._k_option if isinstance(self._k_option, int) else None
        self.ties, closed = ties, read_ties(ties)
        self.count_self = read_flag("count_self", count_self)
        self.backend, self.memory, self.progress = backend, memory, read_progress(progress)
        self._search = Search(backend, n_jobs, memory, self.progress)
        self._scores = NeighborScores(
            [name], [self._k_option], self._search, closed=closed, count_self=self.count_self
        )

    def shown(self, train: tuple[int, int], scored: int) -> AbstractContextManager[None]:
        """Announce the pairs of all passes to the bar; train: the sizes of the training sets."""
        return self._scores.shown(train, scored)

    @property
    def work(self) -> dict[str, int]:
        """Numbers of pairs by the step that decided them, over all calls (`Search.work`)."""
        return self._search.work

    def fit(self, real: Points, fake: Points) -> NeighborScorer:
        self.k = self._scores.fit(real, fake).number[self._k_option]
        return self

    def score(self, points: Points, own: str | None = None) -> Float64s:
        """Return the scores; own: "real" or "fake" if the points are that training set itself."""
        (scores,) = self._scores.score(points, own).values()
        return scores
