"""A k-d tree finds candidates, D decides: for low dimensions, with the same results to the bit.

SciPy's tree adds squares in another order, so its distances may differ from D in the last bits.
It is asked for a little more than is needed (SLACK), D is computed for what it gives, and a query
for which that might not be enough goes to the exact engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.balls.engines.divide import divide
from prfast.balls.engines.exact import Exact
from prfast.balls.rows import Points, select
from prfast.balls.tasks import Count, Union
from prfast.inputs.arrays import Float64s
from prfast.inputs.blocks import blocks

SLACK = 1e-9  # far above the rounding of a sum of squares in float64
_EXTRA = 4  # neighbours beyond the k-th, to see that the next one is farther
_PAIRS = 1 << 17  # candidates that are looked at together: a fraction of a second
_BALLS = 1 << 12  # balls that are measured together


class Tree:
    """The engine with its settings; `exact` answers what a tree cannot."""

    def __init__(self, threads: int, exact: Exact) -> None:
        self.threads, self.exact = threads, exact

    def kth(
        self, queries: Points, refs: Points, ks: NDArray[np.int64], *, within: bool = False
    ) -> Float64s:
        """D of the k-th nearest reference for each of ks: (queries, ks)."""
        found = np.empty((len(queries), len(ks)))
        unsure = np.zeros(len(queries), bool)
        k, tree = int(ks.max()), _tree(refs)
        for rows in blocks(len(queries), _PAIRS // (k + _EXTRA)):
            d2, reach = self._nearest(tree, queries[rows], refs, k, rows.start if within else None)
            found[rows] = d2[:, ks - 1]
            unsure[rows] = ~_below(d2[:, k - 1], reach)
        if unsure.any():
            rows_left = np.flatnonzero(unsure)
            # Away from its row a point is its own neighbour, the nearest there can be: D(x, x) = 0.
            d2 = self.exact.kth(queries[rows_left], refs, ks + within)
            found[rows_left] = d2
        return found

    def union(self, queries: Points, a: Points, b: Points, task: Union) -> None:
        """Fill the task."""
        asked = (task.ks_a, task.ks_b, task.ks_both)
        found = [np.empty((len(queries), len(ks))) for ks in asked]
        unsure = np.zeros(len(queries), bool)
        trees = _tree(a), _tree(b)
        for rows in blocks(len(queries), _PAIRS // (2 * task.k + 2 * _EXTRA)):
            sides = []
            for tree, refs, same in zip(trees, (a, b), task.within, strict=True):
                own = rows.start if same else None
                sides.append(self._nearest(tree, queries[rows], refs, task.k, own))
            both = np.sort(np.hstack([d2 for d2, _ in sides]), axis=1)
            reach = np.minimum(sides[0][1], sides[1][1])
            lists = (sides[0][0], sides[1][0], both)
            reaches = (sides[0][1], sides[1][1], reach)
            for values, ks, d2, limit in zip(found, asked, lists, reaches, strict=True):
                if len(ks):
                    values[rows] = d2[:, ks - 1]
                    unsure[rows] |= ~_below(d2[:, int(max(ks)) - 1], limit)
        if unsure.any() and any(task.within):  # rows are known by their place among the queries
            self.exact.union(queries, a, b, task)
            return
        left = np.flatnonzero(unsure)
        if left.size:
            rest = replace(task)
            self.exact.union(select(queries, left), a, b, rest)
            for values, d2 in zip(found, (rest.d2_a, rest.d2_b, rest.d2_both), strict=True):
                values[left] = d2
        task.d2_a, task.d2_b, task.d2_both = found
        task.of_a, task.of_b = divide(self, queries, a, b, task)

    def _nearest(
        self, tree: Any, queries: Points, refs: Points, k: int, own: int | None
    ) -> tuple[Float64s, Float64s]:
        """D of the candidates of each query in order, and how far the candidates reach.

        own: the row in refs of the first query, where the queries are references themselves.
        """
        most = min(len(refs), k + _EXTRA)
        ks = np.arange(1, most + 1)
        found = self._share(lambda x: tree.query(x, k=ks), _wide(queries))
        distance, index = (np.concatenate(parts) for parts in zip(*found, strict=True))
        query = np.repeat(np.arange(len(index)), most)
        d2 = _squared(queries, refs, query, index.ravel()).reshape(index.shape)
        if own is not None:
            d2[index == np.arange(own, own + len(index))[:, None]] = np.inf
        reach = distance[:, -1] if most < len(refs) else np.full(len(index), np.inf)
        return np.sort(d2, axis=1), reach

    def count(self, queries: Points, refs: Points, tasks: Sequence[Count]) -> None:
        """Fill the rows and columns of the tasks."""
        trees: dict[bool, Any] = {}
        for task in tasks:
            of_query = task.query_t is not None
            centres, others = (queries, refs) if of_query else (refs, queries)
            t = task.query_t if of_query else task.ref_t
            counts = (task.rows, task.cols) if of_query else (task.cols, task.rows)
            if of_query not in trees:
                trees[of_query] = _tree(others)
            self._count(trees[of_query], centres, others, t, task.closed, *counts)

    def sample(self, queries: Points, refs: Points, task: Count) -> float:
        """Points that a ball of the task holds, on average over a few of them."""
        of_query = task.query_t is not None
        centres, others = (queries, refs) if of_query else (refs, queries)
        t = task.query_t if of_query else task.ref_t
        some = np.arange(0, len(centres), max(1, len(centres) // 64))
        share = np.arange(0, len(others), max(1, len(others) // 4096))
        probe = Count(t[some], None, True, np.zeros(len(some), np.int64))
        self.exact.count(centres[some], others[share], [probe])
        return float(probe.rows.mean()) * len(others) / len(share)

    def _count(
        self,
        tree: Any,
        centres: Points,
        others: Points,
        t: Float64s,
        closed: bool,
        of_centre: Any,
        of_other: Any,
    ) -> None:
        balls = np.flatnonzero(t >= 0)
        radii = np.sqrt(t[balls]) * (1 + SLACK)
        sizes = np.empty(len(balls), np.int64)
        for rows in blocks(len(balls), _BALLS):
            found = self._share(
                lambda x, r: tree.query_ball_point(x, r, return_length=True),
                _wide(centres[balls[rows]]),
                radii[rows],
            )
            sizes[rows] = np.concatenate(found)
        for rows in _filled(sizes, _PAIRS):
            found = self._share(
                lambda x, r: tree.query_ball_point(x, r, return_sorted=False),
                _wide(centres[balls[rows]]),
                radii[rows],
            )
            lists = [one for part in found for one in part]
            other = np.concatenate([np.asarray(one, np.int64) for one in lists])
            centre = np.repeat(balls[rows], [len(one) for one in lists])
            d2 = _squared(centres, others, centre, other)
            inside = d2 <= t[centre] if closed else d2 < t[centre]
            for counts, which in ((of_centre, centre), (of_other, other)):
                if counts is not None:
                    counts += np.bincount(which[inside], minlength=len(counts))

    def _share(self, call: Callable[..., Any], *arrays: Any) -> list[Any]:
        """`call` on consecutive parts of the arrays, in threads of our own.

        SciPy's own threads (workers=) go on in freed memory when an interrupt leaves its call.
        These are waited for, and each owns what it reads.
        """
        threads = max(1, min(self.threads, len(arrays[0])))
        if threads == 1:
            return [call(*arrays)]
        from concurrent.futures import ThreadPoolExecutor  # loads logging

        parts = zip(*(np.array_split(array, threads) for array in arrays), strict=True)
        with ThreadPoolExecutor(threads) as pool:
            return [future.result() for future in [pool.submit(call, *part) for part in parts]]


def _below(d2: Float64s, reach: Float64s) -> Any:
    """Is the k-th distance surely smaller than that of whatever is not among the candidates?"""
    return np.sqrt(d2) * (1 + SLACK) < reach


def _tree(points: Points) -> Any:
    from scipy.spatial import cKDTree

    return cKDTree(_wide(points))


def _wide(points: Points) -> Float64s:
    return np.ascontiguousarray(points, dtype=np.float64)


def _squared(x: Points, y: Points, i: Any, j: Any) -> Float64s:
    """D of the pairs (x_i, y_j), feature by feature."""
    x, y = np.asarray(x), np.asarray(y)
    d2 = np.zeros(len(i))
    for feature in range(x.shape[1]):
        difference = _wide(x[:, feature])[i] - _wide(y[:, feature])[j]
        d2 += difference * difference
    return d2


def _filled(sizes: Any, room: int) -> Iterator[slice]:
    """Slices of consecutive balls that hold about `room` candidates together."""
    ends = np.cumsum(sizes)
    start = 0
    while start < len(sizes):
        before = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + room, side="right")))
        yield slice(start, stop)
        start = stop
