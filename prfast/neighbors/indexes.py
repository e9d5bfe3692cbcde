"""Engines on an index of another library: SciPy's k-d tree and pynndescent.

The tree, for low dimensions, has the exact engine's results to the bit: it finds candidates and D
decides.  SciPy adds squares in another order, so its distances may differ from D in the last bits.
The search therefore asks for slightly more than is needed (SLACK), computes D of the candidates,
and passes queries for which these might not suffice to the exact engine.

pynndescent (extra: ann) is approximate.  A graph gives each query a list of LIST candidates; D of
these is exact, but a true neighbor may be missing from the list.  So a k-th distance is never too
small, and a count within the list is never too large.  This is useful while k is a small part of
the list; with k of the order of √n the lists would have to be so long that nothing is saved, so
that larger k are refused.

A graph pays beyond some hundred thousand points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s, blocks
from prfast.inputs.concurrency import lock, thread_pool
from prfast.inputs.errors import WrongValue, import_optional
from prfast.neighbors import exact
from prfast.neighbors.tasks import Count, Nearest, Points, Resources, Task, inside
from prfast.samples.partitioned import select

# ---- k-d tree ----------------------------------------------------------------------------------

SLACK = 1e-9  # far above the rounding of a sum of squares in float64
_EXTRA = 4  # neighbors beyond the k-th, to see that the next one is farther
_PAIRS = 1 << 17  # candidates of a call: a fraction of a second
_BALLS = 1 << 12  # balls whose points are counted in a call


def answer_by_tree(
    queries: Points, refs: Sequence[Points], tasks: Sequence[Task], resources: Resources
) -> None:
    """Answer Nearest and Count by a tree, and by the exact engine where it fails."""
    trees: dict[int, Any] = {}  # by identity of the points
    for task in tasks:
        match task:
            case Nearest():
                _nearest_by_tree(trees, queries, refs, task, resources)
            case Count():
                _, others, _ = task.balls(queries, refs)
                _count_by_tree(_tree(trees, others), queries, refs, task, resources.threads)


def _nearest_by_tree(
    trees: dict[int, Any],
    queries: Points,
    refs: Sequence[Points],
    task: Nearest,
    resources: Resources,
) -> None:
    task.open(len(queries))
    threads, unsure = resources.threads, np.zeros(len(queries), bool)
    for rows in blocks(len(queries), _PAIRS // (len(refs) * (task.k + _EXTRA))):
        lists, reaches = [], []
        for points, own in zip(refs, task.within, strict=False):
            tree, first = _tree(trees, points), rows.start if own else None
            d2, reach = _tree_candidates(tree, queries[rows], points, task.k, first, threads)
            lists.append(d2)
            reaches.append(reach)
        task.fill(rows, *lists)
        reach_a, reach_b = reaches[0], reaches[-1]
        if task.across:  # where the candidates may reach too little far, `divide` counts
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
    if left.size:  # their row numbers are lost
        again = Nearest(*task.inclusive_ks(), task.closed)
        exact.answer(select(queries, left), refs, [again], resources)
        for name in ("d2_a", "d2_b", "d2_both"):
            getattr(task, name)[left] = getattr(again, name)
        for counts in (task.of_a, task.of_b, task.across_a, task.across_b):
            if counts.size:
                counts[left] = -1
    exact.divide(exact.answer, queries, refs, task, resources)


def _tree_candidates(
    tree: Any, queries: Points, refs: Points, k: int, own: int | None, threads: int
) -> tuple[Float64s, Float64s]:
    """Return D of the candidates of each query, sorted, and the distance that they reach.

    The D end with ∞ where the candidates are the whole set.  own: the row in refs of the first
    query, where the queries are references themselves.
    """
    most = min(len(refs), k + _EXTRA)
    ks = np.arange(1, most + 1)
    results = _in_threads(threads, lambda x: tree.query(x, k=ks), _as_float64(queries))
    distance, index = (np.concatenate(parts) for parts in zip(*results, strict=True))
    query = np.repeat(np.arange(len(index)), most)
    d2 = _squared(queries, refs, query, index.ravel()).reshape(index.shape)
    if own is not None:
        d2[index == np.arange(own, own + len(index))[:, None]] = np.inf
    if most < len(refs):
        return np.sort(d2, axis=1), distance[:, -1]
    end = np.full((len(d2), 1), np.inf)
    return np.hstack([np.sort(d2, axis=1), end]), end[:, 0]


def _count_by_tree(
    tree: Any, queries: Points, refs: Sequence[Points], task: Count, threads: int
) -> None:
    centers, others, t = task.balls(queries, refs)
    of_center, of_other = task.rows, task.cols
    if task.query_t is None:
        of_center, of_other = of_other, of_center
    balls = np.flatnonzero(t >= 0)
    radii = np.sqrt(t[balls]) * (1 + SLACK)
    sizes = np.empty(len(balls), np.int64)
    for rows in blocks(len(balls), _BALLS):
        lengths = _in_threads(
            threads,
            lambda x, r: tree.query_ball_point(x, r, return_length=True),
            _as_float64(centers[balls[rows]]),
            radii[rows],
        )
        sizes[rows] = np.concatenate(lengths)
    for rows in _batches(sizes, _PAIRS):
        results = _in_threads(
            threads,
            lambda x, r: tree.query_ball_point(x, r, return_sorted=False),
            _as_float64(centers[balls[rows]]),
            radii[rows],
        )
        members = [indices for part in results for indices in part]  # a list of points per ball
        other = np.concatenate([np.asarray(indices, np.int64) for indices in members])
        center = np.repeat(balls[rows], [len(indices) for indices in members])
        d2 = _squared(centers, others, center, other)
        is_inside = inside(d2, t[center], task.closed)
        for counts, index in ((of_center, center), (of_other, other)):
            if counts is not None:
                counts += np.bincount(index[is_inside], minlength=len(counts))


def _in_threads(threads: int, function: Callable[..., Any], *arrays: Any) -> list[Any]:
    """Return the results of `function` on consecutive parts of the arrays, in threads of our own.

    SciPy's own threads (workers=) continue in freed memory when an interrupt leaves its call; ours
    are joined, and each owns what it reads.
    """
    threads = max(1, min(threads, len(arrays[0])))
    if threads == 1:
        return [function(*arrays)]
    parts = zip(*(np.array_split(array, threads) for array in arrays), strict=True)
    with thread_pool(threads) as executor:
        return [future.result() for future in [executor.submit(function, *part) for part in parts]]


def _below(d2: Float64s, reach: Float64s) -> Any:
    """Return whether D is certainly smaller than that of every point which is not a candidate."""
    return np.sqrt(d2) * (1 + SLACK) < reach


def _tree(trees: dict[int, Any], points: Points) -> Any:
    """Return the tree of the points, which is made when it is first needed."""
    from scipy.spatial import cKDTree

    if id(points) not in trees:
        trees[id(points)] = cKDTree(_as_float64(points))
    return trees[id(points)]


def _as_float64(points: Points) -> Float64s:
    return np.ascontiguousarray(points, dtype=np.float64)


def _squared(x: Points, y: Points, i: Any, j: Any) -> Float64s:
    """Return D of the pairs (x_i, y_j), summed feature by feature as the exact engine does."""
    x, y = np.asarray(x), np.asarray(y)
    d2 = np.zeros(len(i))
    for feature in range(x.shape[1]):
        difference = _as_float64(x[:, feature])[i] - _as_float64(y[:, feature])[j]
        d2 += difference * difference
    return d2


def _batches(sizes: Any, most: int) -> Iterator[slice]:
    """Yield slices of consecutive balls that contain about `most` candidates together."""
    ends = np.cumsum(sizes)
    start = 0
    while start < len(sizes):
        before = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + most, side="right")))
        yield slice(start, stop)
        start = stop


# ---- approximate neighbors ---------------------------------------------------------------------

LARGEST_K = 20  # the largest k: lists of LIST candidates say nothing about more
LIST = 60  # candidates of a query


class Approximate:
    """The engine that answers Nearest and Count from graphs; it caches the last two graphs."""

    def __init__(self) -> None:
        self._graphs: list[tuple[Points, Any]] = []  # by identity of the points

    def answer(
        self, queries: Points, refs: Sequence[Points], tasks: Sequence[Task], resources: Resources
    ) -> None:
        for side, points in enumerate(refs):
            counts = [task for task in tasks if isinstance(task, Count) and task.side == side]
            if counts:
                self._count(queries, points, counts, resources.threads)
        for task in tasks:
            match task:
                case Nearest():
                    _check_k(task.k)
                    task.open(len(queries))
                    lists = [
                        self._nearest(queries, points, own, resources.threads)
                        for points, own in zip(refs, task.within, strict=False)
                    ]
                    task.fill(slice(None), *lists)

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
        with lock(Approximate):  # some numba threading layers abort on concurrent callers
            index, _ = self._graph(refs, threads).query(
                np.ascontiguousarray(queries, np.float32), k=LIST, epsilon=0.2
            )
        query = np.repeat(np.arange(len(index)), index.shape[1])
        d2 = _squared(queries, refs, query, index.ravel()).reshape(index.shape)
        d2[index < 0] = np.inf  # candidates that the graph did not find
        return index, d2

    def _graph(self, refs: Points, threads: int) -> Any:
        for points, graph in self._graphs:
            if points is refs:
                return graph
        library = import_optional("pynndescent", "backend='approximate'")
        if len(refs) <= 2 * LIST:
            raise WrongValue(
                "backend",
                f"more than {2 * LIST} samples a set expected for 'approximate', "
                f"got {len(refs)}; use 'exact'",
            )
        # float32 is enough for candidates: D is computed from the points themselves.
        graph = library.NNDescent(
            np.ascontiguousarray(refs, np.float32),
            n_neighbors=LIST // 2,
            random_state=0,
            n_jobs=threads,
        )
        graph.prepare()
        self._graphs = [*self._graphs[-1:], (refs, graph)]
        return graph


def _check_k(k: int) -> None:
    """Raise a ValueError if k is larger than lists of candidates allow."""
    if k > LARGEST_K:
        raise WrongValue(
            "k",
            f"at most {LARGEST_K} expected for backend 'approximate', got {k}: its lists of "
            f"{LIST} candidates say nothing about so many neighbors; use 'exact'",
        )
