"""Engines on an index of another library: SciPy's k-d tree and pynndescent.

The tree, for low dimensions, has the exact engine's results to the bit.  SciPy adds squares in
another order.  So the tree finds slightly more candidates than are needed (SLACK); D decides.
pynndescent (extra: ann) is approximate, and pays beyond some hundred thousand points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s, blocks
from prfast.inputs.concurrency import lock, thread_pool
from prfast.inputs.errors import WrongValue, import_optional
from prfast.neighbors import exact
from prfast.neighbors.tasks import Count, Nearest, Points, Resources, Task, inside
from prfast.samples.partitioned import Rows

# ---- k-d tree ----------------------------------------------------------------------------------

SLACK = 1e-9  # far above the rounding of a sum of squares in float64
_EXTRA = 4  # neighbors beyond the k-th, to check that the next one is farther
_PAIRS = 1 << 17  # candidates of a call: a fraction of a second
_BALLS = 1 << 12  # balls whose points are counted in a call


def answer_by_tree(
    queries: Points, refs: Sequence[Points], tasks: Sequence[Task], resources: Resources
) -> None:
    """Answer Nearest and Count by a tree, and by the exact engine where it fails."""
    from scipy.spatial import cKDTree

    trees: dict[int, Any] = {}  # by identity of the points

    def tree_of(points: Points) -> Any:
        if id(points) not in trees:
            trees[id(points)] = cKDTree(np.ascontiguousarray(points, np.float64))
        return trees[id(points)]

    for task in tasks:
        match task:
            case Nearest():
                _nearest_by_tree(list(map(tree_of, refs)), queries, refs, task, resources)
            case Count():
                tree = tree_of(task.balls(queries, refs)[1])
                _count_by_tree(tree, queries, refs, task, resources.threads)


def _nearest_by_tree(
    trees: Sequence[Any],
    queries: Points,
    refs: Sequence[Points],
    task: Nearest,
    resources: Resources,
) -> None:
    task.open(len(queries))
    unsure = np.zeros(len(queries), bool)
    for rows in blocks(len(queries), _PAIRS // (len(refs) * (task.k + _EXTRA))):
        lists, reaches = [], []
        for tree, points, within in zip(trees, refs, task.within, strict=False):
            first = rows.start if within else None
            candidates = queries[rows], points, task.k, first, resources.threads
            d2, reach = _tree_candidates(tree, *candidates)
            lists.append(d2)
            reaches.append(reach)
        task.fill(rows, *lists)
        reach_a, reach_b = reaches[0], reaches[-1]
        if task.across:  # where the candidates may reach too little far, `divide` counts
            sides = (task.across_a, task.d2_b, reach_a), (task.across_b, task.d2_a, reach_b)
            for counts, d2, reach in sides:
                counts[rows] = np.where(_below(d2[rows], reach[:, None]), counts[rows], -1)
        ends = reach_a, reach_b, np.minimum(reach_a, reach_b)
        for d2, reach in zip((task.d2_a, task.d2_b, task.d2_both), ends, strict=True):
            if d2.size:
                unsure[rows] |= ~_below(d2[rows].max(axis=1), reach)
    left = np.flatnonzero(unsure)
    if left.size:  # their row numbers are lost
        again = Nearest(*task.inclusive_ks(), task.closed)
        exact.answer(Rows(queries, left), refs, [again], resources)
        for name in ("d2_a", "d2_b", "d2_both"):
            getattr(task, name)[left] = getattr(again, name)
        for counts in (task.of_a, task.of_b, task.across_a, task.across_b):
            if counts.size:
                counts[left] = -1
    exact.divide(exact.answer, queries, refs, task, resources)


def _tree_candidates(
    tree: Any, queries: Points, refs: Points, k: int, first: int | None, threads: int
) -> tuple[Float64s, Float64s]:
    """Return D of the candidates of each query, sorted, and the distance that they reach.

    D end with ∞ where the candidates are the whole set.  first: the row of the first query in refs.
    """
    most = min(len(refs), k + _EXTRA)
    ks = np.arange(1, most + 1)
    results = _in_threads(threads, lambda x: tree.query(x, k=ks), queries)
    distance, index = (np.concatenate(parts) for parts in zip(*results, strict=True))
    query = np.repeat(np.arange(len(index)), most)
    d2 = _squared(queries, refs, query, index.ravel()).reshape(index.shape)
    if first is not None:
        d2[index == np.arange(first, first + len(index))[:, None]] = np.inf
    if most < len(refs):
        return np.sort(d2, axis=1), distance[:, -1]
    end = np.full((len(d2), 1), np.inf)
    return np.hstack([np.sort(d2, axis=1), end]), end[:, 0]


def _count_by_tree(
    tree: Any, queries: Points, refs: Sequence[Points], task: Count, threads: int
) -> None:
    centers, points, t = task.balls(queries, refs)
    center_counts, point_counts = task.rows, task.cols
    if task.query_t is None:
        center_counts, point_counts = task.cols, task.rows
    balls = np.flatnonzero(t >= 0)
    radii = np.sqrt(t[balls]) * (1 + SLACK)

    def members(rows: slice, **options: bool) -> list[Any]:
        def search(x: Any, r: Any) -> Any:
            return tree.query_ball_point(x, r, **options)

        results = _in_threads(threads, search, centers[balls[rows]], radii[rows])
        return [indices for part in results for indices in part]

    sizes = [members(rows, return_length=True) for rows in blocks(len(balls), _BALLS)]
    totals = np.cumsum(np.concatenate([np.empty(0, np.int64), *sizes]))
    ends = [*np.flatnonzero(np.diff(totals // _PAIRS)) + 1, len(balls)]  # of balls of a batch
    for start, stop in pairwise([0, *ends]) if balls.size else ():
        rows = slice(start, stop)
        lists = [np.asarray(indices, np.int64) for indices in members(rows, return_sorted=False)]
        center, point = np.repeat(balls[rows], list(map(len, lists))), np.concatenate(lists)
        d2 = _squared(centers, points, center, point)
        is_inside = inside(d2, t[center], task.closed)
        for counts, index in ((center_counts, center), (point_counts, point)):
            if counts is not None:
                counts += np.bincount(index[is_inside], minlength=len(counts))


def _in_threads(
    threads: int, function: Callable[..., Any], points: Points, *arrays: Any
) -> list[Any]:
    """Return the results of `function` on consecutive parts of the arrays, in threads of our own.

    SciPy's own threads (workers=) continue in freed memory when an interrupt leaves its call.
    """
    arrays = (np.ascontiguousarray(points, np.float64), *arrays)
    threads = max(1, min(threads, len(points)))
    if threads == 1:
        return [function(*arrays)]
    parts = zip(*(np.array_split(array, threads) for array in arrays), strict=True)
    with thread_pool(threads) as executor:
        return [future.result() for future in [executor.submit(function, *part) for part in parts]]


def _below(d2: Float64s, reach: Float64s) -> Any:
    """Return whether D is certainly smaller than that of every point which is not a candidate."""
    return np.sqrt(d2) * (1 + SLACK) < reach


def _squared(x: Points, y: Points, i: Any, j: Any) -> Float64s:
    """Return D of the pairs (x_i, y_j), summed feature by feature as the exact engine does."""
    x, y = np.asarray(x), np.asarray(y)
    d2 = np.zeros(len(i))
    for feature in range(x.shape[1]):
        a, b = (np.ascontiguousarray(points[:, feature], np.float64) for points in (x, y))
        difference = a[i] - b[j]
        d2 += difference * difference
    return d2


# ---- approximate neighbors ---------------------------------------------------------------------

# A graph gives each query a list of LIST candidates.  D of these is exact, but a true neighbor may
# be missing: a k-th distance is never too small, a count within the list never too large.
LARGEST_K = 20  # the largest k: lists of LIST candidates are not enough for more
LIST = 60  # candidates of a query


class Approximate:
    """The engine that answers Nearest and Count from graphs; it caches the last two graphs."""

    def __init__(self) -> None:
        self._graphs: list[tuple[Points, Any]] = []

    def answer(
        self, queries: Points, refs: Sequence[Points], tasks: Sequence[Task], resources: Resources
    ) -> None:
        largest = max((task.k for task in tasks if isinstance(task, Nearest)), default=1)
        if largest > LARGEST_K:
            text = (
                f"at most {LARGEST_K} expected for backend 'approximate', got {largest}: its lists "
            )
            text += f"of {LIST} candidates say nothing about so many neighbors; use 'exact'"
            raise WrongValue("k", text)
        near = [self._candidates(queries, points, resources.threads) for points in refs]
        for task in tasks:
            match task:
                case Count():
                    index, d2 = near[task.side]
                    t = task.query_t[:, None] if task.ref_t is None else task.ref_t[index]
                    is_inside = inside(d2, t, task.closed)
                    if task.rows is not None:
                        task.rows += is_inside.sum(axis=1)
                    if task.cols is not None:
                        task.cols += np.bincount(index[is_inside], minlength=len(task.cols))
                case Nearest():
                    task.open(len(queries))
                    rows, end = np.arange(len(queries))[:, None], np.full((len(queries), 1), np.inf)
                    lists = []
                    for (index, d2), within in zip(near, task.within, strict=False):
                        d2 = np.where(index == rows, np.inf, d2) if within else d2
                        # The ∞ at the end is that of a whole set (`Nearest.fill`).
                        lists.append(np.hstack([np.sort(d2, axis=1), end]))
                    task.fill(slice(None), *lists)

    def _candidates(self, queries: Points, refs: Points, threads: int) -> tuple[Any, Float64s]:
        """Return the rows of the candidates of each query and their D: (queries, LIST) each."""
        x = np.ascontiguousarray(queries, np.float32)
        with lock(Approximate):  # some numba threading layers abort on concurrent callers
            index, _ = self._graph(refs, threads).query(x, k=LIST, epsilon=0.2)
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
            expected = f"more than {2 * LIST} samples a set expected for 'approximate'"
            raise WrongValue("backend", f"{expected}, got {len(refs)}; use 'exact'")
        # float32 is enough for candidates: D is computed from the points themselves.
        rows = np.ascontiguousarray(refs, np.float32)
        graph = library.NNDescent(rows, n_neighbors=LIST // 2, random_state=0, n_jobs=threads)
        graph.prepare()
        self._graphs = [*self._graphs[-1:], (refs, graph)]
        return graph
