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
from collections.abc import Sequence, Sized
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.balls import MEMORY, Count, Points, Search
from prfast.balls.thresholds import mean_radius, read_ties, squared_radius
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_count

NEIGHBOR_METHODS = ("knn", "ipr", "parzen", "coverage")


@dataclass
class Training:
    """Training samples of both sets and, for each k, what their own distances give."""

    real: Points
    fake: Points
    real_d2: dict[int, Float64s]  # D of the k-th neighbour inside the set
    fake_d2: dict[int, Float64s]


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


def check_k(method: str, k: int, n: int, m: int, *, own: bool) -> None:
    """Is there a k-th neighbour?  own: in its own set a sample has one neighbour less."""
    for name, size in (("real", n), ("fake", m)):
        most = n + m - own if method == "knn" else size - own
        if k > most:
            raise WrongValue(
                "k",
                f"at most {most} expected for {method!r} with {size} {name} training samples, "
                f"got {k}",
            )


def train(
    real: Points, fake: Points, wanted: Sequence[tuple[str, int]], search: Search
) -> Training:
    """Radii inside both sets, for those (method, k) that need them."""
    for method, k in wanted:
        check_k(method, k, len(real), len(fake), own=method in ("ipr", "parzen"))
    ks = sorted({k for method, k in wanted if method in ("ipr", "parzen")})
    radii: list[dict[int, Float64s]] = []
    for points in (real, fake):
        d2 = search.kth_within(points, ks) if ks else np.empty((len(points), 0))
        radii.append({k: np.ascontiguousarray(d2[:, i]) for i, k in enumerate(ks)})
    return Training(real, fake, radii[0], radii[1])


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
    n, m = len(real), len(fake)
    for method, k in wanted if leave_out is not None else ():
        check_k(method, k, n, m, own=True)
    cover = sorted({k for method, k in wanted if method == "coverage"})
    union = sorted({k for method, k in wanted if method == "knn"})
    if cover or union:
        nearest = search.union(
            points, real, fake, cover, cover, union, closed=closed, leave_out=leave_out
        )
    tasks: dict[tuple[str, int], tuple[Count, Count]] = {}
    for method, k in wanted:
        if method == "knn":
            continue
        if method == "coverage":
            column = cover.index(k)
            sides: Any = ((nearest.d2_b[:, column], None), (nearest.d2_a[:, column], None))
        elif method == "ipr":
            sides = ((None, training.real_d2[k]), (None, training.fake_d2[k]))
        else:
            widths = (mean_radius(side[k]) for side in (training.real_d2, training.fake_d2))
            real_t, fake_t = (squared_radius(width, closed) for width in widths)
            sides = ((None, np.full(n, real_t)), (None, np.full(m, fake_t)))
        a, b = (Count(qt, rt, closed, np.zeros(len(points), np.int64)) for qt, rt in sides)
        tasks[method, k] = (a, b)
    search.count(points, real, [pair[0] for pair in tasks.values()])
    search.count(points, fake, [pair[1] for pair in tasks.values()])
    for pair in tasks.values():
        if leave_out is not None:
            own = pair[leave_out == "fake"]
            t = own.ref_t if own.query_t is None else own.query_t
            own.rows[:] -= np.where(t >= 0 if closed else t > 0, 1, 0)
    counts = {key: (a.rows, b.rows) for key, (a, b) in tasks.items()}
    for column, k in enumerate(union):
        counts["knn", k] = (nearest.of_a[:, column], nearest.of_b[:, column])
    return {key: ratio(*counts[key], n, m) for key in wanted}


def ratio(a: NDArray[Any], b: NDArray[Any], n: int, m: int) -> Float64s:
    """(a / n) / (b / m) with c/0 = ∞, 0/0 = 1; equal fractions are equal floats."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = (a * float(m)) / (b * float(n))
    return np.where((a == 0) & (b == 0), 1.0, quotient)


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
        self._given_k = None if k is None or k == "sqrt" else read_count("k", k)
        self.k: int | None = self._given_k
        self.ties, self._closed = ties, read_ties(ties)
        if not isinstance(count_self, bool):
            raise TypeError(f"count_self: True or False expected, got {count_self!r}")
        self.count_self = count_self
        self.backend, self.memory, self.progress = backend, memory, progress
        self._search = Search(backend, n_jobs, memory, progress)

    def fit(self, real: Points, fake: Points) -> NeighborScorer:
        self.k = self._given_k or sqrt_k(real)
        self._training = train(real, fake, [(self.name, self.k)], self._search)
        return self

    def score(self, points: Points, own: str | None = None) -> Float64s:
        """Scores of points; own: "real" or "fake" where they are that training set itself."""
        key = (self.name, self.k or 0)
        leave_out = None if self.count_self else own
        found = scores(
            points, self._training, [key], self._search, closed=self._closed, leave_out=leave_out
        )
        return found[key]
