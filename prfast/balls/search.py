"""The door itself: settings, arrays that the engines can read, the choice of the engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from copy import copy
from dataclasses import asdict
from typing import Any

import numpy as np

from prfast.balls.engines.approximate import BACKENDS, ENGINES, IN_PIECES
from prfast.balls.engines.blocks.engine import Blocks
from prfast.balls.engines.blocks.parts import in_pieces
from prfast.balls.resources import Points, Resources, Rows, Spare, Work
from prfast.balls.tasks import Count, Ints, Kth, LargestRatio, LogSum, Nearest, Shelf, Task
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.locks import lock
from prfast.inputs.options import MEMORY, Progress, Shown, is_word, read_count, read_progress
from prfast.kernels.threads import resolve_threads

# Which engines answered, for whoever writes down how a result was made.


_SEEN: ContextVar[set[str] | None] = ContextVar("engines", default=None)


@contextmanager
def engines_seen() -> Iterator[set[str]]:
    """A set that the names of engines are put into, of all questions that this thread asks."""
    seen: set[str] = set()
    token = _SEEN.set(seen)
    try:
        yield seen
    finally:
        _SEEN.reset(token)


def answers(engine: str) -> None:
    """An engine answers a question."""
    seen = _SEEN.get()
    if seen is not None:
        seen.add(engine)


class Search:
    """How to look for neighbours.  Threads may share one.

    Parameters
    ----------
    backend : "auto", "exact", "tree" or "approximate"
        "auto" (default) takes the faster of exact and tree, whose results are the same; it never
        approximates.  "approximate" answers k-th distances and counts from lists of likely
        neighbours (pynndescent), k <= 20; a count stops at the length of the list, 60.
    n_jobs : int or None
        Threads, at most the usable cores, which None (default) takes.  Results do not depend on it.
    memory : int
        Bytes beside the inputs for packed data, lists, reservoirs and scratch; 256 MB by default.
        Where it is too little, threads are fewer, blocks smaller, and "auto" takes no tree, which
        has 200 bytes a sample, but for more than 10¹¹ pairs; `work` tells.  Whatever is given, not
        less than one thread needs: 8 bytes × (4k + 644) for each of 384 queries at most, and about
        400·d bytes, 600·d with two sets.
    progress : bool or None
        A bar over the passes: None (default) where somebody watches, a terminal or a notebook, and
        for what takes more than two seconds; True always, False never.
    """

    def __init__(
        self,
        backend: str = "auto",
        n_jobs: int | None = None,
        memory: int = MEMORY,
        progress: Shown = None,
    ) -> None:
        if not is_word(backend, *BACKENDS):
            known = ", ".join(repr(name) for name in BACKENDS)
            raise WrongValue("backend", f"one of {known} expected, got {backend!r}")
        self.backend = backend
        self._n_jobs = n_jobs
        resolve_threads(n_jobs)
        self.memory = read_count("memory", memory, at_least=1_000_000)
        self.progress = read_progress(progress)
        self._blocks = Blocks()
        self._engines = {name: row.engine() for name, row in ENGINES.items()}
        self._work = Work()
        self._spare = Spare()

    @property
    def work(self) -> dict[str, int]:
        """Pairs by what decided them, and queries that were done again, of all calls so far.

        int8         decided by the int8 filter
        float32      looked at by float32 dot products
        differences  left open by int8, looked at by float32 differences
        refined      computed in float64, because nothing before could tell; those that dot
                     products or differences left open are counted there as well
        unfiltered   computed in float64, because the filters were given up for their block
        dear         blocks of queries for which the int8 filter left too much, and was given up
        redone       queries whose lists did not tell
        cramped      calls that had fewer threads, smaller blocks or no tree, with the same
                     results, because `memory` was too little for more
        """
        with lock(self._work):
            return asdict(self._work)

    def work_since(self, before: dict[str, int]) -> dict[str, int]:
        """What was added to `work`; with what other threads asked meanwhile of the same search."""
        return {name: number - before[name] for name, number in self.work.items()}

    def kth(self, queries: Points, refs: Points, ks: Sequence[int]) -> Float64s:
        """D of the k-th nearest reference of each query, for each of ks: (queries, ks)."""
        task = Kth(_some(ks))
        self.run(queries, [refs], [task])
        return task.d2

    def kth_within(self, points: Points, ks: Sequence[int]) -> Float64s:
        """D of the k-th nearest other point of the set: (points, ks).  A point is never its own
        neighbour: it is left out by its row, not by its distance."""
        task = Kth(_some(ks), within=True)
        self.run(points, [points], [task])
        return task.d2

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
        across: bool = False,
        counts: Sequence[Count] = (),
    ) -> Nearest:
        """D of the k-th nearest in a, in b and in a ∪ b, and how many of either set the last balls
        hold; with `across`, how many of either set are as near as the k-th of the other; and
        counts besides, all from one pass over both.

        leave_out: "real" or "fake" where the queries are the rows of a or b and none is its own
        neighbour; counts do not know that."""
        within = (leave_out == "real", leave_out == "fake")
        task = Nearest(_numbers(ks_a), _numbers(ks_b), _numbers(ks_both), closed, within, across)
        self.run(queries, [a, b], [task, *counts])
        return task

    def count(self, queries: Points, refs: Points, tasks: Sequence[Count]) -> None:
        """Do all the tasks in one pass."""
        self.run(queries, [refs], tasks)

    def log_distances(self, queries: Points, refs: Points, t: float) -> Float64s:
        """Σ ½ ln(D / t) over the references with D < t, in their order; −∞ where a D is 0."""
        task = LogSum(t, np.zeros(len(queries)))
        self.run(queries, [refs], [task])
        return task.total

    def largest_ratio(self, queries: Points, refs: Points, ref_t: Float64s) -> Float64s:
        """max over the references of ref_t / D, 0/0 = 1; those with ref_t < 0 are passed over."""
        task = LargestRatio(ref_t, np.zeros(len(queries)))
        self.run(queries, [refs], [task])
        return task.best

    def run(self, queries: Points, refs: Sequence[Points], tasks: Sequence[Task]) -> None:
        """Answer the tasks, those that go to the same engine together."""
        sides = {task.side for task in tasks if isinstance(task, Count)}
        if not all(0 <= side < len(refs) for side in sides):
            raise WrongValue("tasks", f"counts of {len(refs)} sets expected, got sides {sides}")
        if any(map(in_pieces, (queries, *refs))):
            self._check_pieces(queries, *refs)
            answers("blocks")
            with self._shown(queries, refs), self._counted() as resources:
                self._blocks.run(queries, refs, tasks, resources)
            return
        rows = _rows(queries)
        sets = [rows if one is queries else _rows(one) for one in refs]
        chosen = [self.choice(rows, sets, task) for task in tasks]
        names = list(dict.fromkeys(chosen))
        with self._shown(rows, sets, len(names)):
            for name in names:
                answers(name)
                share = [task for task, its in zip(tasks, chosen, strict=True) if its == name]
                with self._shown(rows, sets), self._counted() as resources:
                    self._engines[name].run(rows, sets, share, resources)

    @property
    def threads(self) -> int:
        """How many a call has."""
        return resolve_threads(self._n_jobs)

    def quiet(self) -> Search:
        """The same without bars: for many small questions."""
        found = copy(self)
        found.progress = Progress(False)
        return found

    @property
    def spare(self) -> int:
        """Bytes that passes have left for those to come: at most half of `memory`."""
        return self._spare.nbytes

    def release(self) -> None:
        """Give them back."""
        self._spare.clear()

    def _check_pieces(self, *sets: Points) -> None:
        if self.backend not in IN_PIECES:
            known = ", ".join(map(repr, IN_PIECES))
            raise WrongValue(
                "backend", f"{known} expected for samples in pieces, got {self.backend!r}"
            )
        if not all(map(in_pieces, sets)):
            raise WrongType("samples", "all sets in pieces expected, or none, got both")

    def choice(self, queries: Points, refs: Sequence[Points], task: Task) -> str:
        """The engine for a task: the one asked for by name; of "auto", the last of the table that
        wins.  Exact where neither answers it."""
        with self._counted() as resources:
            for name, row in reversed(ENGINES.items()):
                if isinstance(task, row.answers) and (
                    row.wins(queries, refs, task, resources)
                    if self.backend == "auto"
                    else name == self.backend
                ):
                    return name
        return "exact"

    def _resources(self) -> Resources:
        threads = resolve_threads(self._n_jobs)  # a forked child has one
        return Resources(threads, self.memory, Work(), self.progress, spare=self._spare)

    @contextmanager
    def _counted(self) -> Iterator[Resources]:
        """What a call may use; the work that it does is added to that of all calls."""
        resources = self._resources()
        try:
            yield resources
        finally:
            with lock(self._work):
                self._work.take(resources.work)

    def _shown(
        self, queries: Points, refs: Sequence[Points], times: int = 1
    ) -> AbstractContextManager[None]:
        """Work of so many passes over the pairs; an engine that tells no steps does it at once."""
        pairs = len(queries) * sum(map(len, refs))
        return self.progress.work(times * pairs, share=pairs)


def _rows(points: Points) -> Points:
    """The points with contiguous rows: themselves, or a copy where their memory is otherwise."""
    if isinstance(points, Rows):
        base = _rows(points.base)
        return points if base is points.base else Rows(np.asarray(base), points.index)
    step, item = points.strides[0], points.itemsize
    contiguous = points.shape[1] == 1 or points.strides[1] == item
    as_it_is = contiguous and step % item == 0 and points.flags.aligned
    return points if as_it_is else np.array(points, order="C")


def _some(ks: Sequence[int]) -> Ints:
    if not len(ks):
        raise WrongValue("ks", "at least one expected, got none")
    return _numbers(ks)


def _numbers(ks: Sequence[int]) -> Ints:
    return np.array(ks, np.int64)


# A search that keeps what it found of sets that stay: the same answers, sooner.
#
# What depends on the fixed sets alone is computed once: radii inside a set, counts of balls whose
# radii belong to a fixed set, and what an engine needs of a fixed set for the nearest in it and in
# another.  Sets are known by identity.


_Balls = tuple[int, int, bool, bytes]  # queries, references, closed, thresholds of references


class Remembering(Search):
    """A `Search` (the same arguments) for which some sets are fixed.

    radii: {(number of a fixed set, k): D of the k-th other point}, (points,) each.
    """

    def __init__(self, fixed: Sequence[Points], **settings: Any) -> None:
        super().__init__(**settings)
        self.fixed = list(fixed)
        self.radii: dict[tuple[int, int], Float64s] = {}
        self._counts: dict[_Balls, Ints] = {}
        self._shelves: dict[tuple[int, int], Shelf] = {}

    def run(self, queries: Points, refs: Sequence[Points], tasks: Sequence[Task]) -> None:
        """Ask for what is not known, keep it, and answer from what is kept."""
        one, others = self._number(queries), [self._number(points) for points in refs]
        other = others[0]
        if one is None or other is None:
            super().run(queries, refs, tasks)
            return
        inside = [task for task in tasks if isinstance(task, Kth) and task.within]
        ks = {k for task in inside for k in task.ks.tolist() if (one, k) not in self.radii}
        missing = Kth(np.array(sorted(ks), np.int64), within=True)
        balls: dict[_Balls, Count] = {}
        known: list[tuple[Count, _Balls]] = []
        asked: list[Task] = [missing] if ks else []
        for task in tasks:
            match task:
                case Kth(within=True):
                    pass
                # Balls of references; those of queries have radii that depend on another set.
                case Count(ref_t=np.ndarray() as t, cols=None) if others[task.side] is not None:
                    key = (one, others[task.side] or 0, task.closed, t.tobytes())
                    known.append((task, key))
                    if key not in self._counts and key not in balls:
                        rows = np.zeros(len(queries), np.int64)
                        balls[key] = Count(None, t, task.closed, rows, None, task.side)
                case Nearest():
                    task.shelf = self._shelves.setdefault((one, other), {})
                    asked.append(task)
                case _:
                    asked.append(task)
        super().run(queries, refs, [*asked, *balls.values()])
        # Only now: an interrupt leaves nothing half counted.
        for column, k in enumerate(sorted(ks)):
            self.radii[one, k] = missing.d2[:, column].copy()
        self._counts |= {key: task.rows for key, task in balls.items()}
        for task in inside:
            task.d2 = np.stack([self.radii[one, k] for k in task.ks.tolist()], axis=1)
        for task, key in known:
            task.rows += self._counts[key]

    def _number(self, points: Points) -> int | None:
        """Which of the fixed sets this is."""
        for number, one in enumerate(self.fixed):
            if one is points:
                return number
        return None
