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

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from prfast.balls.engines import tree
from prfast.balls.engines.exact import Engine, Exact
from prfast.balls.engines.tree import Tree
from prfast.balls.resources import Points, Resources
from prfast.balls.tasks import Count, Kth, LargestRatio, LogSum, Nearest, Task, inside
from prfast.inputs.arrays import Float64s
from prfast.inputs.columns import load_extra
from prfast.inputs.errors import WrongValue
from prfast.inputs.locks import lock

MOST = 20  # the largest k that makes sense
LIST = 60  # candidates of a query


class Approximate:
    """Answers Kth, Nearest and Count; keeps the graphs of the sets seen last."""

    def __init__(self) -> None:
        self._built: list[tuple[Points, Any]] = []  # by identity

    def run(
        self,
        queries: Points,
        refs: Sequence[Points],
        tasks: Sequence[Task],
        resources: Resources,
    ) -> None:
        for side, one in enumerate(refs):
            counts = [task for task in tasks if isinstance(task, Count) and task.side == side]
            if counts:
                self._count(queries, one, counts, resources.threads)
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
                        self._nearest(queries, one, own, resources.threads)
                        for one, own in zip(refs, task.within, strict=True)
                    )
                    task.fill(slice(None), a, b)

    def _nearest(self, queries: Points, refs: Points, within: bool, threads: int) -> Float64s:
        """D of the candidates in order; the list is all there is."""
        index, d2 = self._candidates(queries, refs, threads)
        if within:
            d2[index == np.arange(len(queries))[:, None]] = np.inf
        return np.hstack([np.sort(d2, axis=1), np.full((len(d2), 1), np.inf)])

    def _count(self, queries: Points, refs: Points, tasks: list[Count], threads: int) -> None:
        index, d2 = self._candidates(queries, refs, threads)
        for task in tasks:
            t = task.query_t[:, None] if task.query_t is not None else task.ref_t[index]
            held = inside(d2, t, task.closed)
            if task.rows is not None:
                task.rows += held.sum(axis=1)
            if task.cols is not None:
                task.cols += np.bincount(index[held], minlength=len(refs))

    def _candidates(self, queries: Points, refs: Points, threads: int) -> tuple[Any, Float64s]:
        """Rows of the candidates of each query and their D: (queries, LIST) each."""
        queries, theirs = np.asarray(queries), np.asarray(refs)
        with lock(Approximate):  # some of numba's threads end the process where two callers meet
            index, _ = self._graph(refs, threads).query(_narrow(queries), k=LIST, epsilon=0.2)
        d2 = np.zeros(index.shape)
        for feature in range(refs.shape[1]):
            difference = _column(queries, feature)[:, None] - _column(theirs, feature)[index]
            d2 += difference * difference
        d2[index < 0] = np.inf
        return index, d2

    def _graph(self, refs: Points, threads: int) -> Any:
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
            _narrow(refs), n_neighbors=LIST // 2, random_state=0, n_jobs=threads
        )
        graph.prepare()
        self._built = [*self._built[-1:], (refs, graph)]
        return graph


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


# The engines there are, a row each: a new one is a file of this folder and a row here.


def _never(queries: Points, refs: Sequence[Points], task: Task, resources: Resources) -> bool:
    return False


class Row(NamedTuple):
    """How an engine is made, which tasks it answers, and which of these "auto" gives to it."""

    engine: Callable[[], Engine]
    answers: tuple[type[Task], ...]
    wins: Callable[[Points, Sequence[Points], Task, Resources], bool] = _never


# The first answers what the others do not: what they cannot, or what they would not win.
ENGINES = {
    "exact": Row(Exact, (Kth, Nearest, Count, LogSum, LargestRatio)),
    "tree": Row(Tree, (Kth, Nearest, Count), tree.wins),
    "approximate": Row(Approximate, (Kth, Nearest, Count)),
}
BACKENDS = ("auto", *ENGINES)

# Those whose answers, to the last bit, the engine over blocks gives for samples in pieces.
IN_PIECES = ("auto", "exact", "tree")
