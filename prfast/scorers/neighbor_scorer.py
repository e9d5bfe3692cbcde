"""Neighbour methods as scorers: one method and k, or several from the same passes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager

from prfast.balls import Points, Search
from prfast.inputs.arrays import Float64s
from prfast.inputs.options import MEMORY, is_word, read_count, read_flag, read_ties
from prfast.inputs.progress import Shown, read_progress
from prfast.scorers.neighbors import read_k
from prfast.scorers.passes import expected_pairs, scores, train


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
