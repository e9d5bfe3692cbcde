"""The engine on pynndescent (extra: ann), approximate; and ENGINES, the table of all engines.

A graph gives each query a list of LIST candidates; D of these is exact, but a true neighbor may
be missing from the list.  So a k-th distance is never too small, and a count, taken within the
list, is never too large.  This is useful while k is a small part of the list; with k of the order
of √n the lists would have to be so long that nothing is saved, so that larger k are refused.

`python -m bench approximate` measures time and recall against the exact engine.  At d = 16 and 64,
k = 5, two cores, recall was 0.9998 and 0.995 at n = 10 000, 0.9999 and 0.93 at n = 50 000, and the
exact engine was 25 and 7 times faster there: a graph pays beyond some hundred thousand points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.inputs.concurrency import lock
from prfast.inputs.errors import WrongValue, import_optional
from prfast.neighbors.engines import tree
from prfast.neighbors.engines.exact import Engine, Exact
from prfast.neighbors.engines.tree import Tree
from prfast.neighbors.resources import Points, Resources
from prfast.neighbors.tasks import Count, Kth, LargestRatio, LogSum, Nearest, Task, inside

MOST = 20  # the largest k: lists of LIST candidates say nothing about more
LIST = 60  # candidates of a query


class Approximate:
    """The engine that answers Kth, Nearest and Count from graphs; it caches the last two graphs."""

    def __init__(self) -> None:
        self._graphs: list[tuple[Points, Any]] = []  # by identity of the points

    def run(
        self,
        queries: Points,
        refs: Sequence[Points],
        tasks: Sequence[Task],
        resources: Resources,
    ) -> None:
        for side, points in enumerate(refs):
            counts = [task for task in tasks if isinstance(task, Count) and task.side == side]
            if counts:
                self._count(queries, points, counts, resources.threads)
        for task in tasks:
            match task:
                case Kth():
                    check_k(task.k)
                    d2 = self._nearest(queries, refs[0], task.within, resources.threads)
                    task.d2 = d2[:, task.ks - 1]
                case Nearest():
                    check_k(task.k)
                    task.open(len(queries))
                    a, b = (
                        self._nearest(queries, points, own, resources.threads)
                        for points, own in zip(refs, task.within, strict=True)
                    )
                    task.fill(slice(None), a, b)

    def _nearest(self, queries: Points, refs: Points, within: bool, threads: int) -> Float64s:
        """Return the sorted D of the candidates and ∞, as if they were the whole set."""
        index, d2 = self._candidates(queries, refs, threads)
        if within:
            d2[index == np.arange(len(queries))[:, None]] = np.inf
        return np.hstack([np.sort(d2, axis=1), np.full((len(d2), 1), np.inf)])

    def _count(self, queries: Points, refs: Points, tasks: list[Count], threads: int) -> None:
        index, d2 = self._candidates(queries, refs, threads)
        for task in tasks:
            t = task.query_t[:, None] if task.query_t is not None else task.ref_t[index]
            is_inside = inside(d2, t, task.closed)
            if task.rows is not None:
                task.rows += is_inside.sum(axis=1)
            if task.cols is not None:
                task.cols += np.bincount(index[is_inside], minlength=len(refs))

    def _candidates(self, queries: Points, refs: Points, threads: int) -> tuple[Any, Float64s]:
        """Return the rows of the candidates of each query and their D: (queries, LIST) each."""
        queries, ref_array = np.asarray(queries), np.asarray(refs)
        with lock(Approximate):  # some numba threading layers abort on concurrent callers
            index, _ = self._graph(refs, threads).query(_as_float32(queries), k=LIST, epsilon=0.2)
        d2 = np.zeros(index.shape)
        for feature in range(refs.shape[1]):
            difference = _column(queries, feature)[:, None] - _column(ref_array, feature)[index]
            d2 += difference * difference
        d2[index < 0] = np.inf  # candidates that the graph did not find
        return index, d2

    def _graph(self, refs: Points, threads: int) -> Any:
        for points, graph in self._graphs:
            if points is refs:
                return graph
        library = import_optional("pynndescent", "backend='approximate'", "ann")
        if len(refs) <= 2 * LIST:
            raise WrongValue(
                "backend",
                f"more than {2 * LIST} samples a set expected for 'approximate', "
                f"got {len(refs)}; use 'exact'",
            )
        graph = library.NNDescent(
            _as_float32(refs), n_neighbors=LIST // 2, random_state=0, n_jobs=threads
        )
        graph.prepare()
        self._graphs = [*self._graphs[-1:], (refs, graph)]
        return graph


def check_k(k: int) -> None:
    """Raise a ValueError if k is larger than lists of candidates allow."""
    if k > MOST:
        raise WrongValue(
            "k",
            f"at most {MOST} expected for backend 'approximate', got {k}: its lists of "
            f"{LIST} candidates say nothing about so many neighbors; use 'exact'",
        )


def _column(points: Any, feature: int) -> Float64s:
    return np.asarray(points[:, feature], np.float64)


def _as_float32(points: Points) -> Any:
    """Return the points in float32, which is enough for the graph: D uses the points themselves."""
    return np.ascontiguousarray(points, dtype=np.float32)


def _never(queries: Points, refs: Sequence[Points], task: Task, resources: Resources) -> bool:
    return False


class Row(NamedTuple):
    """An engine's constructor, the tasks that it answers, and which of them "auto" passes to it."""

    engine: Callable[[], Engine]
    answers: tuple[type[Task], ...]
    wins: Callable[[Points, Sequence[Points], Task, Resources], bool] = _never


# The first row gets every task that no other row answers and wins.
ENGINES = {
    "exact": Row(Exact, (Kth, Nearest, Count, LogSum, LargestRatio)),
    "tree": Row(Tree, (Kth, Nearest, Count), tree.wins),
    "approximate": Row(Approximate, (Kth, Nearest, Count)),
}
BACKENDS = ("auto", *ENGINES)
