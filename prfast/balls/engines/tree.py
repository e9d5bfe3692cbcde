"""A k-d tree finds candidates, D decides: for low dimensions, with the same results to the bit.

SciPy's tree adds squares in another order, so its distances may differ from D in the last bits.
It is asked for a little more than is needed (SLACK), D is computed for what it gives, and a query
for which that might not be enough goes to the exact engine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from prfast.balls.engines.exact import Exact, divide
from prfast.balls.resources import Points, Resources, select
from prfast.balls.tasks import Count, Kth, Nearest, Task, inside
from prfast.inputs.arrays import Float64s, blocks
from prfast.inputs.executor import thread_pool

SLACK = 1e-9  # far above the rounding of a sum of squares in float64
_EXTRA = 4  # neighbours beyond the k-th, to see that the next one is farther
_PAIRS = 1 << 17  # candidates that are looked at together: a fraction of a second
_BALLS = 1 << 12  # balls that are measured together
_BYTES = 200  # of a sample in a tree
_DEAR = 1e11  # pairs that take the exact engine minutes


def wins(queries: Points, refs: Sequence[Points], task: Task, resources: Resources) -> bool:
    """Is the tree faster than the exact engine, and is there memory for it?  Without memory it is
    taken only where the exact engine would need minutes."""
    if not _is_faster(queries, refs, task, resources):
        return False
    n, pairs = sum(map(len, refs)), len(queries) * sum(map(len, refs))
    if _BYTES * n <= resources.memory or pairs > _DEAR:
        return True
    resources.work.cramped += 1
    return False


def _is_faster(queries: Points, refs: Sequence[Points], task: Task, resources: Resources) -> bool:
    """Where `python -m bench tree` sees the tree win."""
    match task:
        case Kth() | Nearest():
            n, dim = min(refs, key=len).shape
            return bool(dim <= 8 and n >= 160 * 2.5**dim + 20 * task.k * 2**dim)
        case Count():
            n, dim = _ends(queries, refs[task.side], task)[1].shape
            least = {1: 25_000, 2: 25_000, 3: 50_000, 4: 60_000}.get(dim, math.inf)
            if n < least:
                return False
            return bool(
                n >= least + 2000 * _points_a_ball(queries, refs[task.side], task, resources)
            )
        case _:
            return False


class Tree:
    """Answers Kth, Nearest and Count; the exact engine those queries that a tree cannot."""

    def __init__(self) -> None:
        self.exact = Exact()

    def run(
        self,
        queries: Points,
        refs: Sequence[Points],
        tasks: Sequence[Task],
        resources: Resources,
    ) -> None:
        trees: dict[tuple[bool, int], Any] = {}  # for counts: of references, of the queries
        for task in tasks:
            match task:
                case Kth():
                    self._kth(queries, refs, task, resources)
                case Nearest():
                    self._nearest(queries, refs, task, resources)
                case Count():
                    one = refs[task.side]
                    _, others, *_ = _ends(queries, one, task)
                    of_query = task.query_t is not None
                    key = of_query, task.side if of_query else 0
                    if key not in trees:
                        trees[key] = _tree(others)
                    _count(trees[key], queries, one, task, resources.threads)

    def _kth(
        self, queries: Points, refs: Sequence[Points], task: Kth, resources: Resources
    ) -> None:
        task.d2 = np.empty((len(queries), len(task.ks)))
        unsure = np.zeros(len(queries), bool)
        tree = _tree(refs[0])
        for rows in blocks(len(queries), _PAIRS // (task.k + _EXTRA)):
            own = rows.start if task.within else None
            d2, reach = _candidates(tree, queries[rows], refs[0], task.k, own, resources.threads)
            task.d2[rows] = d2[:, task.ks - 1]
            unsure[rows] = ~_below(d2[:, task.k - 1], reach)
        left = np.flatnonzero(unsure)
        if left.size:
            rest = task.anywhere()
            self.exact.run(queries[left], refs, [rest], resources)
            task.d2[left] = rest.d2

    def _nearest(
        self, queries: Points, refs: Sequence[Points], task: Nearest, resources: Resources
    ) -> None:
        task.open(len(queries))
        unsure = np.zeros(len(queries), bool)
        trees = [_tree(one) for one in refs]
        for rows in blocks(len(queries), _PAIRS // (2 * task.k + 2 * _EXTRA)):
            sides = [
                _candidates(
                    tree, queries[rows], one, task.k, rows.start if own else None, resources.threads
                )
                for tree, one, own in zip(trees, refs, task.within, strict=True)
            ]
            (a, reach_a), (b, reach_b) = sides
            task.fill(rows, a, b)
            if task.across:  # what the candidates do not reach surely is counted
                for counts, radii, reach in (
                    (task.across_a, task.d2_b, reach_a),
                    (task.across_b, task.d2_a, reach_b),
                ):
                    sure = _below(radii[rows], reach[:, None])
                    counts[rows] = np.where(sure, counts[rows], -1)
            for d2, reach in (
                (task.d2_a[rows], reach_a),
                (task.d2_b[rows], reach_b),
                (task.d2_both[rows], np.minimum(reach_a, reach_b)),
            ):
                if d2.size:
                    unsure[rows] |= ~_below(d2.max(axis=1), reach)
        left = np.flatnonzero(unsure)
        if left.size and any(task.within):  # rows are known by their place among the queries
            self.exact.run(queries, refs, [task], resources)
        elif left.size:
            rest = replace(task, shelf=None)
            self.exact.run(select(queries, left), refs, [rest], resources)
            for name in ("d2_a", "d2_b", "d2_both", "of_a", "of_b", "across_a", "across_b"):
                if getattr(task, name).size:
                    getattr(task, name)[left] = getattr(rest, name)
        divide(self.exact, queries, refs, task, resources)


def _candidates(
    tree: Any, queries: Points, refs: Points, k: int, own: int | None, threads: int
) -> tuple[Float64s, Float64s]:
    """D of the candidates of each query in order, ∞ after all of the set, and how far they reach.

    own: the row in refs of the first query, where the queries are references themselves.
    """
    most = min(len(refs), k + _EXTRA)
    ks = np.arange(1, most + 1)
    found = _share(threads, lambda x: tree.query(x, k=ks), _wide(queries))
    distance, index = (np.concatenate(parts) for parts in zip(*found, strict=True))
    query = np.repeat(np.arange(len(index)), most)
    d2 = _squared(queries, refs, query, index.ravel()).reshape(index.shape)
    if own is not None:
        d2[index == np.arange(own, own + len(index))[:, None]] = np.inf
    if most < len(refs):
        return np.sort(d2, axis=1), distance[:, -1]
    end = np.full((len(d2), 1), np.inf)
    return np.hstack([np.sort(d2, axis=1), end]), end[:, 0]


def _ends(queries: Points, refs: Points, task: Count) -> tuple[Points, Points, Float64s, Any, Any]:
    """Centres of the balls and the points that are counted, thresholds, and counts of either."""
    if task.query_t is not None:
        return queries, refs, task.query_t, task.rows, task.cols
    return refs, queries, task.ref_t, task.cols, task.rows


def _points_a_ball(queries: Points, refs: Points, task: Count, resources: Resources) -> float:
    """Points that a ball of the task holds, on average over a few of them."""
    centres, others, t, *_ = _ends(queries, refs, task)
    some = np.arange(0, len(centres), max(1, len(centres) // 64))
    share = np.arange(0, len(others), max(1, len(others) // 4096))
    rows = np.zeros(len(some), np.int64)
    Exact().run(centres[some], [others[share]], [Count(t[some], None, True, rows)], resources)
    return float(rows.mean()) * len(others) / len(share)


def _count(tree: Any, queries: Points, refs: Points, task: Count, threads: int) -> None:
    centres, others, t, of_centre, of_other = _ends(queries, refs, task)
    balls = np.flatnonzero(t >= 0)
    radii = np.sqrt(t[balls]) * (1 + SLACK)
    sizes = np.empty(len(balls), np.int64)
    for rows in blocks(len(balls), _BALLS):
        found = _share(
            threads,
            lambda x, r: tree.query_ball_point(x, r, return_length=True),
            _wide(centres[balls[rows]]),
            radii[rows],
        )
        sizes[rows] = np.concatenate(found)
    for rows in _filled(sizes, _PAIRS):
        found = _share(
            threads,
            lambda x, r: tree.query_ball_point(x, r, return_sorted=False),
            _wide(centres[balls[rows]]),
            radii[rows],
        )
        lists = [one for part in found for one in part]
        other = np.concatenate([np.asarray(one, np.int64) for one in lists])
        centre = np.repeat(balls[rows], [len(one) for one in lists])
        d2 = _squared(centres, others, centre, other)
        held = inside(d2, t[centre], task.closed)
        for counts, which in ((of_centre, centre), (of_other, other)):
            if counts is not None:
                counts += np.bincount(which[held], minlength=len(counts))


def _share(threads: int, call: Callable[..., Any], *arrays: Any) -> list[Any]:
    """`call` on consecutive parts of the arrays, in threads of our own.

    SciPy's own threads (workers=) go on in freed memory when an interrupt leaves its call.
    These are waited for, and each owns what it reads.
    """
    threads = max(1, min(threads, len(arrays[0])))
    if threads == 1:
        return [call(*arrays)]
    parts = zip(*(np.array_split(array, threads) for array in arrays), strict=True)
    with thread_pool(threads) as executor:
        return [future.result() for future in [executor.submit(call, *part) for part in parts]]


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
