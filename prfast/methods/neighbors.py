"""Methods that count neighbors (2024, §3): ratios of two counts, all from the same passes.

X are the real and Y the generated training samples.  B_k^S(z) is the ball around z that reaches its
k-th nearest neighbor in S; comparisons are d <= r (`ties="closed"`):

    knn        # X in B_k^{X∪Y}(z)            /  # Y in B_k^{X∪Y}(z)
    ipr        # {x : z in B_k^X(x)}          /  # {y : z in B_k^Y(y)}
    parzen     # {x : d(x, z) <= ρ_X}         /  # {y : d(y, z) <= ρ_Y},   ρ_S = mean radius of S
    coverage   # X in B_k^Y(z)                /  # Y in B_k^X(z)

Each count is divided by the size of its set; c/0 is ∞ and 0/0 is 1.  The sizes are a constant
factor of all ratios: they decide only the rank of a point without neighbors.

Self: inside a set a point is never its own neighbor; the radii of ipr and parzen exclude it by its
row.  For scored points there is a choice.  Without a split they are training samples, and the
published curves count each as its own first neighbor; `count_self=False` excludes it.

`NeighborScorer` makes two passes for all methods and k together.  `fit` compares training samples
with themselves, for radii.  `score` compares scored points with both sets, for the k-th neighbors
and the counts of balls at once.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence, Sized
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import is_word, read_count, read_flag, read_ties
from prfast.methods.base import ExecutionContext, FittedMethod, Key, Scores
from prfast.neighbors import BACKENDS, Count, NeighborSearch, Points, in_range
from prfast.neighbors.tasks import Nearest, inside, squared_mean_radius
from prfast.samples.pair import Pair
from prfast.samples.partitioned import Rows
from prfast.samples.samples import read_samples

# Sets in which a method searches the k-th neighbor, and the pair (real, generated) that results.
INSIDE = "inside"  # a training sample's, in its own set: D of each sample
EACH = "each"  # a scored point's, in each set: how many of the other set are as near
BOTH = "both"  # a scored point's, in the union: how many of each set are as near

WHERE = {"knn": BOTH, "ipr": INSIDE, "parzen": INSIDE, "coverage": EACH}

OfSets = tuple[NDArray[Any], NDArray[Any]]


def read_k(k: Any, real: Sized) -> int:
    """Return k as an integer; "sqrt" is ⌊√n⌋ of the real training samples."""
    if isinstance(k, str):
        if k != "sqrt":
            raise WrongValue("k", f"an integer or 'sqrt' expected, got {k!r}")
        return max(1, math.isqrt(len(real)))  # 2024, §3.3
    return read_count("k", k)


def check_k(method: str, k: int, n: float, m: float, *, leave_out: bool = False) -> None:
    """Raise a ValueError if there is no k-th neighbor among n real and m generated samples.

    A sample has one neighbor less in its own set: inside the training sets, and where a scored
    point is left out of them.
    """
    where = WHERE[method]
    excluded = leave_out or where == INSIDE
    for name, size in (("real", n), ("fake", m)):
        most = (n + m if where == BOTH else size) - excluded
        if k > most:
            of = f"{method!r} with {size} {name} training samples"
            raise WrongValue("k", f"at most {most} expected for {of}, got {k}")


def expected_pairs(methods: Sequence[str], training: tuple[int, int], scored: int) -> int:
    """Return the pairs of all passes, for a progress bar; training: (n, m); scored: the number of
    scored points."""
    n, m = training
    inside = any(WHERE[method] == INSIDE for method in methods)
    return (n * n + m * m) * inside + scored * (n + m)


@dataclass
class NeighborScorer:
    """A scorer for several (method, k), from the same passes.

    Its scores are {(method, k): scores} with integers k; once fitted, `number` maps each k as it
    was passed, "sqrt" among them, to its integer.
    """

    methods_and_ks: Sequence[tuple[str, int | str]]
    search: NeighborSearch
    _: KW_ONLY
    closed: bool = True
    count_self: bool = True

    def fit(self, real: Points, fake: Points) -> NeighborScorer:
        """Search radii inside both training sets, for the methods that need them."""
        self.number = {k: read_k(k, real) for _, k in self.methods_and_ks}
        pairs = ((method, self.number[k]) for method, k in self.methods_and_ks)
        self._keys = list(dict.fromkeys(pairs))
        for method, k in self._keys:
            check_k(method, k, len(real), len(fake))
        self._real, self._fake = real, fake
        self._ks = {
            where: sorted({k for method, k in self._keys if WHERE[method] == where})
            for where in (INSIDE, EACH, BOTH)
        }
        # Squared radii of k-NN balls for ipr, of balls with the mean k-NN radius for parzen.
        self._balls: dict[tuple[str, int], OfSets] = {}
        if ks := self._ks[INSIDE]:
            x, y = (self.search.kth_within(points, ks) for points in (real, fake))
            for method, k in self._keys:
                if WHERE[method] == INSIDE:
                    a, b = (d2[:, ks.index(k)].copy() for d2 in (x, y))
                    if method == "parzen":
                        for d2 in (a, b):
                            d2[:] = squared_mean_radius(d2, self.closed)
                    self._balls[method, k] = a, b
        return self

    def score(self, points: Points, own: str | None = None) -> dict[tuple[str, int], Float64s]:
        """Return the scores; own: "real" or "fake" if the points are that training set itself.

        A score is (a / n) / (b / m) with c/0 = ∞ and 0/0 = 1; equal fractions are equal floats.
        """
        within = not self.count_self and own == "real", not self.count_self and own == "fake"
        n, m, closed = len(self._real), len(self._fake), self.closed
        for method, k in self._keys if any(within) else ():
            check_k(method, k, n, m, leave_out=True)
        in_each, in_union = (np.array(self._ks[where], np.int64) for where in (EACH, BOTH))
        near = Nearest(in_each, in_each, in_union, closed, within, across=True)
        tasks: list[Any] = [near] if in_each.size or in_union.size else []
        counts: dict[tuple[str, int], list[Count]] = {}
        for key, balls in self._balls.items():
            counts[key] = [
                Count(None, d2, closed, np.zeros(len(points), np.int64), side=side)
                for side, d2 in enumerate(balls)
            ]
            tasks += counts[key]
        self.search.run(points, [self._real, self._fake], tasks)
        scores = {}
        for method, k in self._keys:
            where = WHERE[method]
            i = self._ks[where].index(k)
            if where == EACH:
                a, b = near.across_a[:, i], near.across_b[:, i]
            elif where == BOTH:
                a, b = near.of_a[:, i], near.of_b[:, i]
            else:
                a, b = (task.rows for task in counts[method, k])
                for task, is_within in zip(counts[method, k], within, strict=True):
                    if is_within:  # D(x, x) = 0 was counted
                        task.rows -= inside(0.0, task.ref_t, closed)
            with np.errstate(divide="ignore", invalid="ignore"):
                quotient = (a * float(m)) / (b * float(n))
            scores[method, k] = np.where((a == 0) & (b == 0), 1.0, quotient)
        return scores


class NeighborMethod(FittedMethod):
    """Base class of the methods that count neighbors; formulas: ``prfast.methods.neighbors``.

    Parameters
    ----------
    k : int or "sqrt"
        Number of neighbors; "sqrt" (default) is ⌊√n⌋ of the real training samples.
    ties : "closed" or "open"
        Which points are in a ball of radius r: those with d <= r, "closed" (default), or d < r.
    count_self : bool
        Whether, without a split, a scored training sample is its own neighbor, True by default as
        in the published curves.
    backend : "auto", "exact", "tree" or "approximate"
        Engine of the neighbor search, "auto" by default; as for `prfast.pr_curve`.

    Raises
    ------
    TypeError, ValueError
        Another value of an option.

    References
    ----------
    2024: Sykes, Simon, Rabin, Unifying and extending Precision Recall metrics for assessing
    generative models, §3.
    """

    split = 0.5
    takes_partitions = True
    _scorer: NeighborScorer

    def __init__(
        self,
        *,
        k: int | str = "sqrt",
        ties: str = "closed",
        count_self: bool = True,
        backend: str = "auto",
    ) -> None:
        self.k = "sqrt" if is_word(k, "sqrt") else read_count("k", k)
        read_ties(ties)
        self.ties, self.count_self = ties, read_flag("count_self", count_self)
        if not is_word(backend, *BACKENDS):
            names = ", ".join(map(repr, BACKENDS))
            raise WrongValue("backend", f"one of {names} expected, got {backend!r}")
        self.backend = backend

    def scores(self, pair: Pair, split: float | str | None, context: ExecutionContext) -> Scores:
        (result,) = shared_scores([self], pair, split, context).values()
        return result

    def fit_pair(self, pair: Pair, context: ExecutionContext) -> Self:
        """Return a copy that is fitted to all samples, whose k is a number."""
        fitted = copy.copy(self)
        search = NeighborSearch(self.backend, context.n_jobs, context.memory, context.progress)
        options = {"closed": self.ties == "closed", "count_self": self.count_self}
        fitted._scorer = NeighborScorer([self.key], search, **options).fit(*pair.points)
        fitted.k = fitted._scorer.number[self.k]
        return fitted

    def score(self, points: Floats, own: str | None = None) -> Float64s:
        """Return the scores of points, (points,), by a fitted copy; own: "real" or "fake" if they
        are that training set itself, None by default."""
        (values,) = self._scorer.score(read_samples("points", points), own).values()
        return values


_NO_NEIGHBOR = (
    "differences in many dimensions: all neighbors of every point may be of one set, "
    "whichever it is of itself; then the scores tie, and a tie reads as equality"
)


class KNN(NeighborMethod):
    """Shares of both sets among the k nearest neighbors; options as `NeighborMethod`.

    Example: ``prfast.pr_curve(*prfast.reference.TOYS["a"].sample(500), prfast.methods.KNN(k=5))``.
    See also `prfast.reference.knn_limit`."""

    name = "knn"
    summary = "classes of the k nearest of both sets (2024)"
    blind = _NO_NEIGHBOR


class IPR(NeighborMethod):
    """Shares of k-NN balls of both sets that contain a point; options as `NeighborMethod`.

    Example: ``prfast.pr_curve(*prfast.reference.TOYS["a"].sample(500), prfast.methods.IPR(k=5))``.
    See also `prfast.metrics`."""

    name = "ipr"
    summary = "balls of the training samples that contain a point (2019 b, 2024)"
    blind = (
        "what lies inside wide balls: those around outliers, and in many dimensions those of the "
        "wider set, which hold the other"
    )


class Parzen(NeighborMethod):
    """Shares of both sets within the mean k-NN radius; options as `NeighborMethod`.

    Example: ``prfast.pr_curve(*prfast.reference.TOYS["a"].sample(500), prfast.methods.Parzen())``.
    See also `KNN`."""

    name = "parzen"
    summary = "training samples within the mean k-NN radius (2024)"
    blind = (
        "what is finer than the one radius, and points that no radius reaches: they tie, whichever "
        "set they are of"
    )


class Coverage(NeighborMethod):
    """Shares of each set within the k-NN ball of the other; options as `NeighborMethod`.

    Example: ``prfast.pr_curve(*prfast.reference.TOYS["a"].sample(90), prfast.methods.Coverage())``.
    See also `prfast.metrics`."""

    name = "coverage"
    summary = "each set within the k-NN ball of the other (2020, 2024)"
    blind = _NO_NEIGHBOR


NEIGHBORS: Mapping[str, type[NeighborMethod]] = {
    method.name: method for method in (KNN, IPR, Parzen, Coverage)
}
NEIGHBOR_METHODS = tuple(NEIGHBORS)


def shared_scores(
    methods: Sequence[NeighborMethod],
    pair: Pair,
    split: float | str | None,
    context: ExecutionContext,
    search: NeighborSearch | None = None,
    halves: tuple[Points, Points] | None = None,
) -> dict[Key, Scores]:
    """Return the scores of methods with equal ties, count_self and backend, from the same passes.

    search: one that caches results within the real samples; by default a new one.  halves: the
    training and the evaluation half of the real samples, if they are prepared already.
    """
    first = methods[0]
    if search is None:
        search = NeighborSearch(first.backend, context.n_jobs, context.memory, context.progress)
        search.heads = {}
    options = {"closed": first.ties == "closed", "count_self": first.count_self}
    scorer = NeighborScorer([method.key for method in methods], search, **options)
    n, m = pair.sizes
    part = None if split is None else pair.split_rows(split, context.seed)
    train = (n, m) if part is None else (len(part.real_train), len(part.fake_train))
    scored = n + m - (0 if part is None else sum(train))
    pairs = expected_pairs([method.name for method in methods], train, scored)
    with search.progress.work(pairs, "curves", share=pairs):
        real, fake = pair.points
        x, y = in_range(real, fake)
        if part is None:
            scorer.fit(x, y)
            by_set = scorer.score(x, "real"), scorer.score(y, "fake")
        else:
            if halves is None or x is not real:
                halves = Rows(x, part.real_train), Rows(x, part.real_test)
            scorer.fit(halves[0], Rows(y, part.fake_train))
            by_set = scorer.score(halves[1]), scorer.score(Rows(y, part.fake_test))
    rows = (slice(None), slice(None)) if part is None else (part.real_test, part.fake_test)
    results = {}
    for method in methods:
        number = scorer.number[method.k]
        s_real, s_fake = (scores[method.name, number] for scores in by_set)
        sizes = s_real.size, s_fake.size
        provenance = method.record(pair, split, sizes, context.seed, k=number)
        results[method.key] = Scores(
            s_real,
            s_fake,
            real_rows=pair.real.rows[rows[0]],
            fake_rows=pair.fake.rows[rows[1]],
            provenance=provenance,
            pair=None if pair.is_plain else pair.take(*rows).without_points(),
        )
    return results
