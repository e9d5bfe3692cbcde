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
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.balls import MEMORY, Count, Points, Search
from prfast.balls.thresholds import mean_radius, read_ties, squared_radius
from prfast.inputs.arrays import Float64s
from prfast.inputs.options import read_count, read_flag

# Where a k-th neighbour is looked for, and what that gives: a pair, of the real and of the
# generated training samples.
INSIDE = "inside"  # each training set, of its own samples: the D of each sample
EACH = "each"  # of the training sets, of the scored points: the D of each point
BOTH = "both"  # training sets together, of the scored points: how many of either are as near

Pair = tuple[NDArray[Any], NDArray[Any]]


@dataclass(frozen=True)
class NeighborMethod:
    """A row: where its k-th neighbours are, and what it counts there of one training set, the real
    (0, the numerator) or the generated one (1, the denominator)."""

    where: str
    count: Callable[[Pair, int, bool], Count]
    summary: str


def _classes(nearest: Pair, side: int, closed: bool) -> Count:
    """The samples among the k nearest of both sets: counted already."""
    return Count(None, None, closed, nearest[side])


def _balls(d2: Pair, side: int, closed: bool) -> Count:
    """The samples whose balls hold the point."""
    return Count(None, d2[side], closed)


def _mean_balls(d2: Pair, side: int, closed: bool) -> Count:
    """The samples within the mean radius of their set."""
    t = squared_radius(mean_radius(d2[side]), closed)
    return Count(None, np.full(len(d2[side]), t), closed)


def _other_ball(d2: Pair, side: int, closed: bool) -> Count:
    """The samples as near as the k-th of the other set."""
    return Count(d2[1 - side], None, closed)


NEIGHBORS = {
    "knn": NeighborMethod(BOTH, _classes, "classes of the k nearest of both sets (2024)"),
    "ipr": NeighborMethod(
        INSIDE, _balls, "balls of the training samples that hold a point (2019 b, 2024)"
    ),
    "parzen": NeighborMethod(
        INSIDE, _mean_balls, "training samples within the mean k-NN radius (2024)"
    ),
    "coverage": NeighborMethod(
        EACH, _other_ball, "each set within the k-NN ball of the other (2020, 2024)"
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
            raise ValueError(f"k: an integer or 'sqrt' expected, got {k!r}")
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
            raise ValueError(
                f"k: at most {most} expected for {method!r} with {size} {name} training samples, "
                f"got {k}"
            )


def _ks(wanted: Sequence[tuple[str, int]], where: str) -> list[int]:
    """The k of the methods whose neighbours are there."""
    return sorted({k for method, k in wanted if NEIGHBORS[method].where == where})


@dataclass(frozen=True)
class Training:
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
    found = {(INSIDE, k): pair for k, pair in training.inside.items()}
    each, both = _ks(wanted, EACH), _ks(wanted, BOTH)
    if each or both:
        nearest = search.union(
            points, real, fake, each, each, both, closed=closed, leave_out=leave_out
        )
        found |= {(EACH, k): (nearest.d2_a[:, i], nearest.d2_b[:, i]) for i, k in enumerate(each)}
        found |= {(BOTH, k): (nearest.of_a[:, i], nearest.of_b[:, i]) for i, k in enumerate(both)}
    counts: dict[tuple[str, int], list[Count]] = {}
    for method, k in wanted:
        row = NEIGHBORS[method]
        counts[method, k] = [row.count(found[row.where, k], side, closed) for side in (0, 1)]
    for side, (name, refs) in enumerate((("real", real), ("fake", fake))):
        tasks = [pair[side] for pair in counts.values() if pair[side].rows is None]
        for task in tasks:
            task.rows = np.zeros(len(points), np.int64)
        search.count(points, refs, tasks)
        for task in tasks if leave_out == name else ():
            t = task.ref_t if task.query_t is None else task.query_t
            task.rows[:] -= np.where(t >= 0 if closed else t > 0, 1, 0)
    return {key: ratio(a.rows, b.rows, len(real), len(fake)) for key, (a, b) in counts.items()}


def ratio(a: NDArray[Any], b: NDArray[Any], n: int, m: int) -> Float64s:
    """(a / n) / (b / m) with c/0 = ∞, 0/0 = 1; equal fractions are equal floats."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = (a * float(m)) / (b * float(n))
    return np.where((a == 0) & (b == 0), 1.0, quotient)


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
        self._closed, self._count_self = closed, count_self

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
        Threads; None is every usable core.  The result does not depend on it.
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
        progress: bool = False,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.name = name
        self._given_k = "sqrt" if k is None or k == "sqrt" else read_count("k", k)
        self.k = self._given_k if isinstance(self._given_k, int) else None
        self.ties, closed = ties, read_ties(ties)
        self.count_self = read_flag("count_self", count_self)
        self.backend, self.memory, self.progress = backend, memory, progress
        search = Search(backend, n_jobs, memory, progress)
        self._one = NeighborScores(
            [name], [self._given_k], search, closed=closed, count_self=self.count_self
        )

    def fit(self, real: Points, fake: Points) -> NeighborScorer:
        self.k = self._one.fit(real, fake).number[self._given_k]
        return self

    def score(self, points: Points, own: str | None = None) -> Float64s:
        """Scores of points; own: "real" or "fake" where they are that training set itself."""
        (found,) = self._one.score(points, own).values()
        return found
