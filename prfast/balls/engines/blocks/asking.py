"""Sets in parts, and what all questions about them are given."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np

from prfast.balls.engines.blocks import parts as blocks_parts
from prfast.balls.engines.blocks.parts import Part, base_of, cut, keep, lengths, rank, size
from prfast.balls.engines.lists import (
    QUERIES,
    capacity,
    filter_is_off,
    flops,
    golden_permutation,
    packed_bytes,
)
from prfast.balls.resources import LISTED, Points, Resources
from prfast.balls.tasks import Count
from prfast.cluster.preflight import check_task
from prfast.cluster.sharded import AHEAD, Cluster
from prfast.inputs.errors import WrongValue

# Submits tasks, not too many at a time.


FAN = 8  # answers that are put together at a time


class Window:
    """What is submitted through it is on its way; an error or an interrupt cancels all of that."""

    def __init__(self, cluster: Cluster, resources: Resources) -> None:
        self.cluster, self.resources = cluster, resources
        self._most = AHEAD * cluster.threads
        self._waiting: deque[tuple[Any, int]] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, *error: Any) -> None:
        if kind is not None:
            self.cluster.cancel([handle for handle, _ in self._waiting])

    def submit(self, function: Callable[..., Any], *args: Any, pairs: int = 0) -> Any:
        """The handle of a task, which stands for so many pairs of the bar."""
        while len(self._waiting) >= self._most:
            self._wait()
        handle = self.cluster.submit(function, *args)
        self._waiting.append((handle, pairs))
        return handle

    def gather(self, handles: Sequence[Any]) -> list[Any]:
        """What these tasks, the last ones, returned."""
        while self._waiting:
            self._wait()
        return self.cluster.gather(handles)

    def _wait(self) -> None:
        handle, pairs = self._waiting[0]
        self.cluster.persist([handle])
        self._waiting.popleft()
        self.resources.advance(pairs)


class Gathering:
    """What tasks return, put together by other tasks as it comes, a few at a time."""

    def __init__(self, window: Window, function: Callable[..., Any], *args: Any) -> None:
        self._window, self._function, self._args = window, function, args
        self._found: list[Any] = []

    def add(self, handle: Any) -> None:
        self._found.append(handle)
        if len(self._found) == FAN:
            self._found = [self.whole()]

    def parts(self) -> list[Any]:
        """Handles of all of it, fewer than are put together at a time."""
        return self._found

    def whole(self) -> Any:
        """The handle of all of it."""
        return self._window.submit(self._function, self._found, *self._args)


# How many rows a part has, and what a task with two of them takes.


_FLOPS = 1.5e11  # of a task: a second or a few, so that the scheduler is not what is waited for
_MOST = 4e11  # rather than to cut the pieces there are
_TASKS = 2  # a thread, so that the last ones do not wait for each other long
FEWEST = 1000  # rows: below, a task is spent on what is done once a task


def rows_of_part(longest: int, queries: int, refs: int, dim: int, threads: int) -> int:
    """Rows of a part, of two sets whose pieces have up to `longest` rows."""
    enough = math.isqrt(int(_FLOPS / flops(dim)))
    most = math.isqrt(int(_MOST / flops(dim)))
    rows = longest if enough < longest <= most else enough
    each = math.isqrt(queries * refs // (_TASKS * threads)) if threads > 1 else rows
    return max(FEWEST, min(rows, each))


def task_bytes(rows: int, dim: int, itemsize: int, k: int, n: int) -> int:
    """Bytes that the largest task takes, with parts of so many rows of a set of n; k: the largest.

    Two parts as they are loaded and side by side, packed, with lists of the points of both in each
    other, and what was in the lists; or what all blocks have listed for one part.
    """
    rows, both = min(rows, n), 2 * min(rows, n)
    drawn = size(n)
    share = min(1.0, rank(drawn, k, n) / drawn)
    listed = LISTED * share * (FAN * rows if n > FAN * rows else n)
    room = min(capacity(min(k, rows), rows), k + 1.5 * share * rows + 2 * QUERIES)
    of_pairs = (
        2 * both * dim * itemsize + both * (packed_bytes(dim) + 40) + 2 * LISTED * both * room
    )
    return int(max(of_pairs, 2 * rows * (listed + LISTED * k) + rows * dim * itemsize))


class Asking:
    """Queries and one or two sets of references in parts; the window for tasks about them.

    rows: of a part, about; None is what makes tasks of a useful size that every thread has the
    memory for.  k: the largest that is asked for.
    """

    def __init__(
        self, queries: Points, refs: Sequence[Points], rows: int | None, k: int, window: Window
    ) -> None:
        self.window, self.memory = window, window.resources.memory
        self.size, self.dim = len(queries), queries.shape[1]
        sets = {id(one): one for one in (queries, *refs)}
        most = max(map(len, sets.values()))
        if most >= 2**31:  # numbers of points in lists are of 32 bits
            raise WrongValue("samples", f"at most 2**31 - 1 in a set expected, got {most}")
        self.sizes = [len(one) for one in refs]
        self.itemsize = max(one.dtype.itemsize for one in sets.values())
        if rows is None:
            longest = int(max(lengths(one).max() for one in sets.values()))
            sizes = self.size, max(self.sizes)
            rows = rows_of_part(longest, *sizes, self.dim, window.cluster.threads)
            rows = self._fitting(rows, k)
        parts = {key: cut(one, rows) for key, one in sets.items()}
        self.queries, self.refs = parts[id(queries)], [parts[id(one)] for one in refs]
        self.exponent = max(_exponent(one) for one in sets.values())

    def _fitting(self, rows: int, k: int) -> int:
        """So many rows, or fewer, with which a task fits in a thread's share of the memory."""
        room = self.window.cluster.room
        while True:
            needed = task_bytes(rows, self.dim, self.itemsize, k, max(self.sizes))
            if room is None or needed <= room or rows <= FEWEST:
                break
            rows = max(FEWEST, rows // 2)
        check_task(needed, rows, k, self.window.cluster)
        return rows

    @property
    def filtered(self) -> bool:
        """Do filters say anything of these points?"""
        return not filter_is_off(self.exponent, self.dim)

    def samples(self) -> list[Any]:
        """Of each set of references, held where the tasks run."""
        return [self._sample(parts) for parts in self.refs]

    def _sample(self, parts: Sequence[Part]) -> Any:
        n = parts[-1].stop
        some = np.sort(golden_permutation(n)[: blocks_parts.size(n)])
        found = []
        for part in parts:
            index = some[(part.start <= some) & (some < part.stop)] - part.start
            if index.size:
                found.append(self.window.submit(blocks_parts.rows, part, index))
        return self.window.submit(blocks_parts.together, found)

    def counting(self, side: int, tasks: Sequence[Count]) -> Counting:
        return Counting(self, side, tasks)

    def arrays(self, found: Sequence[Any]) -> list[tuple[Part, list[Any]]]:
        """What was found for each part of the queries; its work is added up."""
        return list(zip(self.queries, self.gathered(found), strict=True))

    def gathered(self, found: Sequence[Any]) -> list[list[Any]]:
        gathered = self.window.gather(found)
        for one in gathered:
            self.window.resources.work.take(one.work)
        return [one.arrays for one in gathered]


class Counting:
    """Counts in one set: their thresholds, held with the parts where the tasks run."""

    def __init__(self, of: Asking, side: int, tasks: Sequence[Count]) -> None:
        self._submit = of.window.cluster.submit
        self.tasks = tasks
        self.asks = [
            blocks_parts.Ask(
                t.query_t is not None, t.closed, t.rows is not None, t.cols is not None
            )
            for t in tasks
        ]
        self.of_queries = [self._held([t.query_t for t in tasks], part) for part in of.queries]
        self.of_refs = [self._held([t.ref_t for t in tasks], part) for part in of.refs[side]]

    def _held(self, ts: Sequence[Any], part: Part) -> Any:
        some = [None if t is None else np.ascontiguousarray(t[part.rows]) for t in ts]
        return self._submit(keep, some)

    def add_rows(self, part: Part, found: Sequence[Any]) -> None:
        of_rows = [task.rows for task in self.tasks if task.rows is not None]
        for into, values in zip(of_rows, found, strict=True):
            into[part.rows] += values

    def add_cols(self, part: Part, found: Sequence[Any]) -> None:
        of_cols = [task.cols for task in self.tasks if task.cols is not None]
        for into, values in zip(of_cols, found, strict=True):
            into[part.rows] += values

    @property
    def wants_cols(self) -> bool:
        return any(ask.cols for ask in self.asks)


def _exponent(points: Points) -> int:
    """Values, and what they are off the mean of any of them, are below 2 to this."""
    base = base_of(points)
    largest = math.ldexp(base.largest, -(base.exponent or 0))
    return math.frexp(largest)[1] + 1 if largest > 0 else 0
