"""NeighborSearch: settings, checks, the choice of the engine; CachedSearch, with a cache."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from copy import copy
from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.inputs.concurrency import lock, one_blas_thread, read_jobs, resolve_threads
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import (
    MEMORY,
    Progress,
    ProgressOption,
    is_word,
    read_count,
    read_progress,
)
from prfast.neighbors.exact import answer
from prfast.neighbors.indexes import Approximate, answer_by_tree
from prfast.neighbors.tasks import (
    WORK,
    Count,
    Engine,
    Ints,
    LargestRatio,
    ListCache,
    Nearest,
    Points,
    Resources,
    Task,
)
from prfast.samples.partitioned import Rows, sample_set_of

BACKENDS = ("auto", "exact", "tree", "approximate")

_TREE_BYTES = 200  # of a sample in a tree
_MANY_PAIRS = 1e11  # pairs that take the exact engine minutes
_FEW_NUMBERS = 1 << 22  # numbers in all pairs: below, threads take longer to start than to work

# For dimensions, the least number of points that a tree may count faster.
_FEWEST_COUNTED = {1: 25_000, 2: 25_000, 3: 50_000, 4: 60_000}

_USED: ContextVar[set[str] | None] = ContextVar("engines", default=None)


@contextmanager
def record_engines() -> Iterator[set[str]]:
    """Collect the names of the engines that answer searches of this thread in the `with` block."""
    used: set[str] = set()
    token = _USED.set(used)
    try:
        yield used
    finally:
        _USED.reset(token)


class NeighborSearch:
    """Settings of a search for neighbors, and a method for each kind.  Threads may share one.

    Parameters
    ----------
    backend : "auto", "exact", "tree" or "approximate"
        "auto" (default) takes the faster of exact and tree, whose results are the same; it never
        approximates.  "approximate" answers k-th distances and counts from lists of likely
        neighbors (pynndescent), k <= 20; a count stops at the length of the list, 60.
    n_jobs : int or None
        Threads, at most the usable cores; None (default): all.  Results do not depend on it.
    memory : int
        Bytes beside the inputs for packed data, lists, reservoirs and scratch; 256 MB by default.
        Too little makes threads fewer and blocks smaller; then "auto" takes a tree, of 200 bytes a
        sample, only for more than 10¹¹ pairs.  One thread always gets what it
        needs: 8 bytes × (4k + 644) for at most 384 queries, and up to 600·d bytes.
    progress : bool or None
        A bar over the passes: None (default) in a terminal or a notebook, for what takes more than
        two seconds; True always, False never.
    """

    def __init__(
        self,
        backend: str = "auto",
        n_jobs: int | None = None,
        memory: int = MEMORY,
        progress: ProgressOption = None,
    ) -> None:
        if not is_word(backend, *BACKENDS):
            names = ", ".join(repr(name) for name in BACKENDS)
            raise WrongValue("backend", f"one of {names} expected, got {backend!r}")
        self.backend = backend
        self._n_jobs = read_jobs(n_jobs)
        self.memory = read_count("memory", memory, at_least=1_000_000)
        self.progress = read_progress(progress)
        self._engines: dict[str, Engine] = {"exact": answer, "tree": answer_by_tree}
        if backend == "approximate":
            self._engines[backend] = Approximate().answer  # caches graphs
        # Heads of arrays that do not change while this search is in use; None: of one call.
        self.heads: dict[Any, Any] | None = None
        self._work = Counter(dict.fromkeys(WORK, 0))

    @property
    def work(self) -> Counter[str]:
        """Numbers of pairs by the step that decided them, and of fallbacks, over all calls so far.

        head         pairs decided by their coordinates along a few principal axes
        int8         pairs decided by the int8 filter
        float32      pairs bounded by float32 dot products
        differences  pairs left open by head or int8 and bounded by float32 differences
        refined      pairs computed in float64, because no filter decided them; those that dot
                     products or differences left open are counted there as well
        unfiltered   pairs computed in float64, because the filters were abandoned for their block
        abandoned_filter
                     blocks of queries for which heads or the int8 filter left too much
        fallback     queries that lists did not answer
        memory_limited
                     calls with fewer threads, smaller blocks or no tree for want of `memory`
        """
        return Counter(self._work)

    def kth(self, queries: Points, refs: Points, ks: Sequence[int]) -> Float64s:
        """Return D of the k-th nearest reference of each query, for each of ks: (queries, ks)."""
        task = Nearest(np.array(ks, np.int64))
        self.run(queries, [refs], [task])
        return task.d2_a

    def kth_within(self, points: Points, ks: Sequence[int]) -> Float64s:
        """Return D of the k-th nearest other point of the set, for each of ks: (points, ks).

        A point is never its own neighbor: it is excluded by its row, not by its distance.
        """
        task = Nearest(np.array(ks, np.int64), within=(True, False))
        self.run(points, [points], [task])
        return task.d2_a

    def largest_ratio(self, queries: Points, refs: Points, ref_t: Float64s) -> Float64s:
        """Return max over the references of ref_t / D, where 0/0 = 1 and ref_t < 0 is skipped."""
        task = LargestRatio(ref_t, np.zeros(len(queries)))
        self.run(queries, [refs], [task])
        return task.rows

    def run(self, queries: Points, refs: Sequence[Points], tasks: Sequence[Task]) -> None:
        """Answer the tasks; those of the same engine share a call."""
        pairs = len(queries) * sum(map(len, refs))
        # The number of threads depends on the process: it is 1 in a forked child.
        few = pairs * queries.shape[1] < _FEW_NUMBERS
        threads = 1 if few else self.threads
        resources = Resources(threads, self.memory, progress=self.progress)
        if self.heads is not None:
            resources.heads = self.heads
        calls: dict[str, tuple[Engine, list[Task]]] = {}
        if (samples := sample_set_of(queries)) is not None:
            if self.backend == "approximate":
                expected = "'auto', 'exact', 'tree' expected for partitioned samples"
                raise WrongValue("backend", f"{expected}, got 'approximate'")
            calls["blocks"] = samples.engine, list(tasks)
        else:
            # `is` between queries and references tells an engine that they are the same set.
            rows = _contiguous_rows(queries)
            refs = [rows if points is queries else _contiguous_rows(points) for points in refs]
            queries = rows
            for task in tasks:
                name = self.engine_name(queries, refs, task, resources)
                calls.setdefault(name, (self._engines[name], []))[1].append(task)
        if (used := _USED.get()) is not None:
            used.update(calls)
        try:
            # Engines report pairs, or the whole at once.
            # Threads of BLAS that wait for work would take the cores of the passes.
            with (
                nullcontext() if few else one_blas_thread("numpy"),
                self.progress.work(len(calls) * pairs, share=pairs),
            ):
                for engine, share in calls.values():
                    with self.progress.work(pairs, share=pairs):
                        engine(queries, refs, share, resources)
        finally:
            with lock(self._work):
                self._work.update(resources.work)

    @property
    def threads(self) -> int:
        """Threads of a call."""
        return resolve_threads(self._n_jobs)

    def quiet(self) -> NeighborSearch:
        """Return a copy without progress bars, for many small searches."""
        search = copy(self)
        search.progress = Progress(False)
        return search

    def engine_name(
        self, queries: Points, refs: Sequence[Points], task: Task, resources: Resources
    ) -> str:
        """Return the name of the engine that answers a task.

        "auto" takes a tree that is faster and fits in the memory, or saves minutes.
        """
        if not isinstance(task, Nearest | Count):  # the others do not answer these
            return "exact"
        if self.backend != "auto":
            return self.backend
        (n, dim), is_faster = min(refs, key=len).shape, False
        if isinstance(task, Nearest):
            is_faster = dim <= 8 and n >= 160 * 2.5**dim + 20 * task.k * 2**dim
        elif dim in _FEWEST_COUNTED:
            centers, points, t = task.balls(queries, refs)
            n, least = len(points), _FEWEST_COUNTED[dim]
            if n >= least:  # a tree is faster for small balls, here those of a sample in a sample
                balls = np.arange(0, len(centers), max(1, len(centers) // 64))
                sample = np.arange(0, n, max(1, n // 4096))
                rows = np.zeros(len(balls), np.int64)
                count = Count(t[balls], None, True, rows)
                answer(centers[balls], [points[sample]], [count], resources)
                points_a_ball = float(rows.mean()) * n / len(sample)
                is_faster = bool(n >= least + 2000 * points_a_ball)
        if not is_faster:
            return "exact"
        n = sum(map(len, refs))
        if _TREE_BYTES * n <= self.memory or len(queries) * n > _MANY_PAIRS:
            return "tree"
        resources.work["memory_limited"] += 1
        return "exact"


def _contiguous_rows(points: Points) -> Points:
    """Return the points if their rows are contiguous and aligned, else a copy."""
    if isinstance(points, Rows):
        base = _contiguous_rows(points.base)
        return points if base is points.base else Rows(np.asarray(base), points.index)
    step, item = points.strides[0], points.itemsize
    contiguous = points.shape[1] == 1 or points.strides[1] == item
    readable = contiguous and step % item == 0 and points.flags.aligned
    return points if readable else np.array(points, order="C")


_Balls = tuple[int, int, bool, bytes]  # queries, references, closed, thresholds of references


class CachedSearch(NeighborSearch):
    """A `NeighborSearch` that computes once what depends on fixed sets alone.

    Radii inside a set, counts of balls with radii of a fixed set, and lists of a fixed set are
    cached by the identity of the sets.  Attribute `radii`: {(index of a fixed set, k): D of the
    k-th nearest other point, (points,)}.
    """

    def __init__(self, fixed: Sequence[Points], **settings: Any) -> None:
        super().__init__(**settings)
        self.fixed = list(fixed)
        self.radii: dict[tuple[int, int], Float64s] = {}
        self._counts: dict[_Balls, Ints] = {}
        self._list_caches: dict[tuple[int, int], ListCache] = {}

    def run(self, queries: Points, refs: Sequence[Points], tasks: Sequence[Task]) -> None:
        """Compute what is not cached, cache it, and answer the tasks from the cache."""
        places = {id(points): index for index, points in enumerate(self.fixed)}
        query_set, ref_sets = places.get(id(queries)), [places.get(id(points)) for points in refs]
        first_ref_set = ref_sets[0]
        if query_set is None or first_ref_set is None:
            super().run(queries, refs, tasks)
            return
        within: list[Nearest] = []
        balls: dict[_Balls, Count] = {}
        cached: list[tuple[Count, _Balls]] = []
        remaining: list[Task] = []
        for task in tasks:
            match task:
                case Nearest(within=(True, False)) if len(refs) == 1:
                    within.append(task)
                # Balls of references only: radii of queries depend on another set.
                case Count(ref_t=np.ndarray() as t, cols=None) if ref_sets[task.side] is not None:
                    key = (query_set, ref_sets[task.side] or 0, task.closed, t.tobytes())
                    cached.append((task, key))
                    if key not in self._counts and key not in balls:
                        rows = np.zeros(len(queries), np.int64)
                        balls[key] = Count(None, t, task.closed, rows, None, task.side)
                case _:
                    if isinstance(task, Nearest) and len(refs) == 2:
                        task.cache = self._list_caches.setdefault((query_set, first_ref_set), {})
                    remaining.append(task)
        ks = {k for task in within for k in task.ks_a.tolist() if (query_set, k) not in self.radii}
        missing = Nearest(np.array(sorted(ks), np.int64), within=(True, False))
        if ks:
            remaining.append(missing)
        super().run(queries, refs, [*remaining, *balls.values()])
        # The cache is written only after all passes: an interrupt leaves no partial count.
        for column, k in enumerate(sorted(ks)):
            self.radii[query_set, k] = missing.d2_a[:, column].copy()
        self._counts |= {key: task.rows for key, task in balls.items()}
        for task in within:
            task.d2_a = np.stack([self.radii[query_set, k] for k in task.ks_a.tolist()], axis=1)
        for count, key in cached:
            count.rows += self._counts[key]
