"""The door itself: settings, arrays that the engines can read, the choice of the engine."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import numpy as np

from prfast.balls.engines.approximate import Approximate
from prfast.balls.engines.exact import Exact, Kept
from prfast.balls.engines.tree import Tree
from prfast.balls.rows import Points, Rows
from prfast.balls.tasks import Count, Union
from prfast.inputs.arrays import Float64s
from prfast.inputs.extra import load_extra
from prfast.inputs.options import read_count
from prfast.threads import resolve_threads

BACKENDS = ("auto", "exact", "tree", "approximate")
MEMORY = 256_000_000


class Search:
    """How to look for neighbours.

    Parameters
    ----------
    backend : "auto", "exact", "tree" or "approximate"
        "auto" (default) takes the faster of exact and tree, whose results are the same; it never
        approximates.  "approximate" answers k-th distances and counts from lists of likely
        neighbours (pynndescent), k <= 20; a count stops at the length of the list, 60.
    n_jobs : int or None
        Threads; None (default) is every usable core.  Results do not depend on it.
    memory : int
        Bytes beside the inputs for packed data and reservoirs; 256 MB by default.  Not less than
        96 queries × (2k + 16) × 24 bytes, whatever is given.
    progress : bool
        Show a bar for each pass (tqdm; extra: progress).
    """

    def __init__(
        self,
        backend: str = "auto",
        n_jobs: int | None = None,
        memory: int = MEMORY,
        progress: bool = False,
    ) -> None:
        if backend not in BACKENDS:
            known = ", ".join(repr(name) for name in BACKENDS)
            raise ValueError(f"backend: one of {known} expected, got {backend!r}")
        self.backend = backend
        self._n_jobs = n_jobs
        threads = resolve_threads(n_jobs)
        self.memory = read_count("memory", memory, at_least=1_000_000)
        self._bars = _bars() if progress else None
        self._exact = Exact(threads, self.memory)
        self._tree = Tree(threads, self._exact)
        self._approximate = Approximate(threads)

    @property
    def work(self) -> dict[str, int]:
        """Distances computed in float64: pairs that the filter left undecided, and pairs of blocks
        for which it was given up; queries done again because a guess had kept too much out."""
        engine = self._exact
        return {
            "refined": engine.refined,
            "unfiltered": engine.unfiltered,
            "redone": engine.redone,
        }

    def kth(self, queries: Points, refs: Points, ks: Sequence[int]) -> Float64s:
        """D of the k-th nearest reference of each query, for each of ks: (queries, ks)."""
        return self._kth(queries, refs, ks, within=False)

    def kth_within(self, points: Points, ks: Sequence[int]) -> Float64s:
        """D of the k-th nearest other point of the set: (points, ks).  A point is never its own
        neighbour: it is left out by its row, not by its distance."""
        return self._kth(points, points, ks, within=True)

    def union(
        self,
        queries: Points,
        a: Points,
        b: Points,
        ks_a: Sequence[int],
        ks_b: Sequence[int],
        ks_both: Sequence[int],
        *,
        closed: bool = True,
        leave_out: str | None = None,
    ) -> Union:
        """D of the k-th nearest in a, in b and in a ∪ b, and how many of either set the last balls
        hold, from one pass over both; leave_out: "real" or "fake" where the queries are the rows of
        a or b and none is its own neighbour."""
        within = (leave_out == "real", leave_out == "fake")
        task = Union(_numbers(ks_a), _numbers(ks_b), _numbers(ks_both), closed, within)
        engine = self._kth_engine(min((a, b), key=len), task.k)
        with self._shown(len(queries) * (len(a) + len(b))):
            if engine is self._exact:
                kept = self._kept(queries, a, task.k, within[0])
                self._exact.union(_rows(queries), _rows(a), _rows(b), task, kept)
            else:
                engine.union(_rows(queries), _rows(a), _rows(b), task)
        return task

    def count(self, queries: Points, refs: Points, tasks: Sequence[Count]) -> None:
        """Do all the tasks in one pass."""
        if tasks:
            for task in tasks:
                if task.query_t is not None:
                    task.query_t = np.ascontiguousarray(task.query_t)
                else:
                    task.ref_t = np.ascontiguousarray(task.ref_t)
            rows = _rows(queries), _rows(refs)
            engines = [self._count_engine(*rows, task) for task in tasks]
            for engine in dict.fromkeys(engines):
                share = [t for t, its in zip(tasks, engines, strict=True) if its is engine]
                with self._shown(len(queries) * len(refs)):
                    engine.count(*rows, share)

    def log_distances(self, queries: Points, refs: Points, t: float) -> Float64s:
        """Σ ½ ln(D / t) over the references with D < t, in their order; −∞ where a D is 0."""
        with self._shown(len(queries) * len(refs)):
            return self._exact.log_distances(_rows(queries), _rows(refs), t)

    def largest_ratio(self, queries: Points, refs: Points, ref_t: Float64s) -> Float64s:
        """max over the references of ref_t / D, 0/0 = 1; those with ref_t < 0 are passed over."""
        t = np.ascontiguousarray(ref_t)
        with self._shown(len(queries) * len(refs)):
            return self._exact.largest_ratio(_rows(queries), _rows(refs), t)

    def _kth(self, queries: Points, refs: Points, ks: Sequence[int], *, within: bool) -> Float64s:
        engine = self._kth_engine(refs, max(ks))
        with self._shown(len(queries) * len(refs)):
            rows = _rows(queries)
            others = rows if refs is queries else _rows(refs)
            return engine.kth(rows, others, _numbers(ks), within=within)

    def _kept(self, queries: Points, refs: Points, k: int, within: bool) -> Kept | None:
        """What there is already of the nearest in `refs`."""
        return None

    def _keep(self, queries: Points, refs: Points, k: int, within: bool) -> Kept | None:
        """The nearest in `refs`, for several unions; None above `memory`."""
        return self._exact.keep(_rows(queries), _rows(refs), k, within=within)

    # The rule of "auto": where `python -m bench tree` sees the tree win.

    def _kth_engine(self, refs: Points, k: int) -> Exact | Tree | Approximate:
        n, dim = refs.shape
        wins = dim <= 8 and n >= 160 * 2.5**dim + 20 * k * 2**dim
        return self._named() or (self._tree if wins else self._exact)

    def _count_engine(
        self, queries: Points, refs: Points, task: Count
    ) -> Exact | Tree | Approximate:
        named = self._named()
        if named is not None:
            return named
        n, dim = refs.shape if task.query_t is not None else queries.shape
        least = {1: 25_000, 2: 25_000, 3: 50_000, 4: 60_000}.get(dim, math.inf)
        wins = n >= least and n >= least + 2000 * self._tree.sample(queries, refs, task)
        return self._tree if wins else self._exact

    def _named(self) -> Exact | Tree | Approximate | None:
        """The engine that was asked for by name."""
        engines: dict[str, Any] = {
            "exact": self._exact,
            "tree": self._tree,
            "approximate": self._approximate,
        }
        return cast(Exact | Tree | Approximate | None, engines.get(self.backend))

    @contextmanager
    def _shown(self, pairs: int) -> Iterator[None]:
        """A bar over the pairs of a pass; an engine that tells no steps fills it at once."""
        for engine in (self._exact, self._tree, self._approximate):
            engine.threads = resolve_threads(self._n_jobs)  # a forked child has one
        if self._bars is None:
            yield
            return
        with self._bars(total=pairs, unit="pair", unit_scale=True, leave=False) as bar:
            self._exact.progress = bar
            try:
                yield
                bar.update(pairs - bar.n)
            finally:
                self._exact.progress = None


def _rows(points: Points) -> Points:
    """The points with contiguous rows: themselves, or a copy where their memory is otherwise."""
    if isinstance(points, Rows):
        base = _rows(points.base)
        return points if base is points.base else Rows(np.asarray(base), points.index)
    step, item = points.strides[0], points.itemsize
    contiguous = points.shape[1] == 1 or points.strides[1] == item
    as_it_is = contiguous and step % item == 0 and points.flags.aligned
    return points if as_it_is else np.array(points, order="C")


def _numbers(ks: Sequence[int]) -> Any:
    return np.array(ks, np.int64)


def _bars() -> Any:
    return load_extra("tqdm.auto", "progress=True", "progress").tqdm
