"""Approximate neighbours from pynndescent (extra: ann), for few neighbours among very many points.

A graph gives each query a list of LIST candidates; D of these is exact, but a true neighbour may
be missing from the list.  So a k-th distance is never too small, and a count, taken within the
list, is never too large.  That is of use while k is a small part of the list; with k of the order
of √n the lists would have to be as long as the work that they save, and it is refused.

`python -m bench approximate` measures time and recall against the exact engine.  At d = 16 and 64,
k = 5, two cores, recall was 0.9998 and 0.995 at n = 10 000, 0.9999 and 0.93 at n = 50 000, and the
exact engine was 25 and 7 times faster there: this pays beyond some hundred thousand points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.balls.rows import Points
from prfast.balls.tasks import Count, Union
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongValue
from prfast.inputs.extra import load_extra

MOST = 20  # the largest k that makes sense
LIST = 60  # candidates of a query


class Approximate:
    """The engine with its settings."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._built: list[tuple[Points, Any]] = []  # of the sets seen last, by identity

    def kth(
        self, queries: Points, refs: Points, ks: NDArray[np.int64], *, within: bool = False
    ) -> Float64s:
        """D of the k-th nearest reference that was found, for each of ks: (queries, ks)."""
        check_k(int(ks.max()))
        index, d2 = self._candidates(queries, refs)
        if within:
            d2[index == np.arange(len(queries))[:, None]] = np.inf
        return np.sort(d2, axis=1)[:, ks - 1]

    def union(self, queries: Points, a: Points, b: Points, task: Union) -> None:
        """Fill the task from what was found."""
        check_k(task.k)
        found = []
        for refs, same in ((a, task.within[0]), (b, task.within[1])):
            index, d2 = self._candidates(queries, refs)
            if same:
                d2[index == np.arange(len(queries))[:, None]] = np.inf
            found.append(np.sort(d2, axis=1))
        both = np.sort(np.hstack(found), axis=1)
        task.d2_a, task.d2_b = found[0][:, task.ks_a - 1], found[1][:, task.ks_b - 1]
        task.d2_both = both[:, task.ks_both - 1]
        task.of_a, task.of_b = (_inside(d2, task.d2_both, task.closed) for d2 in found)

    def count(self, queries: Points, refs: Points, tasks: Sequence[Count]) -> None:
        """Fill the rows and columns of the tasks from the candidates of the queries."""
        index, d2 = self._candidates(queries, refs)
        for task in tasks:
            t = task.query_t[:, None] if task.query_t is not None else task.ref_t[index]
            inside = d2 <= t if task.closed else d2 < t
            if task.rows is not None:
                task.rows += inside.sum(axis=1)
            if task.cols is not None:
                task.cols += np.bincount(index[inside], minlength=len(refs))

    def _candidates(self, queries: Points, refs: Points) -> tuple[Any, Float64s]:
        """Rows of the candidates of each query and their D: (queries, LIST) each."""
        queries, theirs = np.asarray(queries), np.asarray(refs)
        index, _ = self._graph(refs).query(_narrow(queries), k=LIST, epsilon=0.2)
        d2 = np.zeros(index.shape)
        for feature in range(refs.shape[1]):
            difference = _column(queries, feature)[:, None] - _column(theirs, feature)[index]
            d2 += difference * difference
        d2[index < 0] = np.inf
        return index, d2

    def _graph(self, refs: Points) -> Any:
        for points, graph in self._built:
            if points is refs:
                return graph
        library = load_extra("pynndescent", "backend='approximate'", "ann")
        if len(refs) <= 2 * LIST:
            raise WrongValue(
                "backend",
                f"more than {2 * LIST} samples a set expected for 'approximate', "
                f"got {len(refs)}; use 'exact'",
            )
        graph = library.NNDescent(
            _narrow(refs), n_neighbors=LIST // 2, random_state=0, n_jobs=self.threads
        )
        graph.prepare()
        self._built = [*self._built[-1:], (refs, graph)]
        return graph


def _inside(d2: Float64s, t: Float64s, closed: bool) -> Any:
    """How many of the D of a row are within each of the thresholds of the row."""
    counts = np.empty(t.shape, np.int64)
    for column, one in enumerate(t.T):
        counts[:, column] = (d2 <= one[:, None] if closed else d2 < one[:, None]).sum(axis=1)
    return counts


def check_k(k: int) -> None:
    """ValueError where lists of candidates make no sense."""
    if k > MOST:
        raise WrongValue(
            "k",
            f"at most {MOST} expected for backend 'approximate', got {k}: its lists of "
            f"{LIST} candidates say nothing about so many neighbours; use 'exact'",
        )


def _column(points: Any, feature: int) -> Float64s:
    return np.asarray(points[:, feature], np.float64)


def _narrow(points: Points) -> Any:
    """float32, all that the graph needs: D is computed from the points themselves."""
    return np.ascontiguousarray(points, dtype=np.float32)
