"""The k nearest of each query in one set or in two: from lists, and from reservoirs where lists do
not tell.

Of two sets, the one that is farther from most queries may come first: then its radii are counted
in the other while that is looked at, where lists would not reach so far.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from prfast.balls.engines.lists import (
    QUERIES,
    Frame,
    Listed,
    Side,
    calls,
    capacity,
    frame_of,
    new_pass,
    rooms,
    super_blocks,
)
from prfast.balls.resources import LISTED, Points, Resources, select
from prfast.balls.tasks import Count, Ints, Kept, Kth, Nearest, own
from prfast.inputs.arrays import blocks
from prfast.kernels import balls as kernels

# Reservoirs: of each set, the nearest that are kept for a super-block of queries.


_BYTES = 24  # of a reference in a reservoir


def reservoir_capacity(k: int) -> int:
    """Room of a reservoir: cutting it costs O(room) and frees half."""
    return 2 * k + 16


def reservoirs(
    queries: Points,
    sets: Sequence[Points],
    k: int,
    within: Sequence[bool],
    resources: Resources,
) -> Iterator[tuple[slice, list[Kept]]]:
    """Queries of super-blocks, with what each set has kept for them; as many at a time as can be
    answered in a fraction of a second."""
    capacities = [reservoir_capacity(min(k, len(refs))) for refs in sets]
    share = resources.memory // 2 // (_BYTES * sum(capacities))
    block = max(QUERIES, share // QUERIES * QUERIES)
    most = rooms(sets, 16, resources.memory)
    sides = [
        new_pass(queries, refs, size, same, block=resources.block)
        for refs, size, same in zip(sets, most, within, strict=True)
    ]
    for rows in blocks(len(queries), block):
        first, count = rows.start, rows.stop - rows.start
        kept = []
        for refs, side, loaded, places in zip(sets, sides, most, capacities, strict=True):
            state = kernels.Nearest(first, count, min(k, len(refs)), places)
            for part in blocks(len(refs), loaded):
                size = part.stop - part.start
                if first == 0 or loaded < len(refs):
                    side.load(part.start, size, resources.threads)
                for at, number in calls(first, count, size, refs.shape[1], resources.threads):
                    side.nearest(state, at, number, resources.threads)
                    resources.advance(number * size)
            kept.append(Kept(side, state))
        for at, number in calls(first, count, sum(capacities), queries.shape[1], resources.threads):
            yield slice(at, at + number), kept


_NONE = np.empty(0, np.int64)
_FAR = 0.03  # share of queries whose counts across lists do not tell: from there they are counted


def listed_kth(queries: Points, refs: Points, task: Kth, resources: Resources) -> None:
    """Answer the task."""
    frame = _frame(queries, [refs])
    task.d2 = np.empty((len(queries), len(task.ks)))
    failed = np.ones(len(queries), bool)
    if not frame.exact:
        most = rooms([refs], 16, resources.memory)
        loose = kernels.ALL_BUT_KTH_LOOSE if len(task.ks) == 1 else kernels.FAR_LOOSE
        side = Side(queries, refs, task.k, task.within, frame, most[0], resources.block, loose)
        for rows in super_blocks(len(queries), [side.k], [refs], most, resources.memory):
            lists = side.look(rows, [], resources)
            if lists is not None:
                asked = task.ks, _NONE, _NONE
                told = Listed(side, lists).tell(rows, asked, True, resources)
                task.d2[rows], failed[rows] = told["d2"][0], told["failed"]
        side.end(resources)
        side.unload()
        resources.work.redone += int(failed.sum())
    kth_from_reservoirs(queries, refs, task, failed, resources)


def kth_from_reservoirs(
    queries: Points, refs: Points, task: Kth, failed: Any, resources: Resources
) -> None:
    """Answer for the queries that lists do not tell, as if it were not known which references they
    are: there a point is its own neighbour, the nearest there can be."""
    left = np.flatnonzero(failed)
    if not left.size:
        return
    ks, some = task.anywhere().ks, select(queries, left)
    for rows, (kept,) in reservoirs(some, [refs], int(ks.max()), [False], resources):
        task.d2[left[rows]] = kept.kth(rows, ks, resources.threads)
        resources.work.add(kept.side.counters())


class _Shelved(NamedTuple):
    """Lists of all queries in a set that stays, and the frame that they were seen in.  Whoever asks
    them has a pass of its own, and changes nothing of them: calls may ask at the same time."""

    frame: Frame
    lists: kernels.Lists


def listed_union(
    queries: Points,
    refs: Sequence[Points],
    task: Nearest,
    counts: Sequence[Sequence[Count]],
    resources: Resources,
) -> bool:
    """Answer the task but for counts that are −1, and the counts in either set in the same look.

    False where the filter is off: nothing was counted.
    """
    shelved = _shelved(queries, refs, task, resources)
    frame = _frame(queries, refs) if shelved is None else shelved.frame
    task.open(len(queries))
    failed = np.ones(len(queries), bool)
    if not frame.exact:
        most = rooms(refs, 16, resources.memory)
        sides = [
            Side(
                queries,
                one,
                min(task.k, len(one)),
                within,
                frame,
                room,
                resources.block,
                kernels.FAR_LOOSE,
            )
            for one, within, room in zip(refs, task.within, most, strict=True)
        ]
        union = _Union(queries, task, sides, counts, shelved, resources)
        ks = [side.k for side in sides]
        parts = super_blocks(len(queries), ks, refs, most, resources.memory)
        for rows in _with_trial(task, parts):
            failed[rows] = union.look(rows)
        for side in sides:
            side.end(resources)
            side.unload()
    left = np.flatnonzero(failed)
    if left.size:
        resources.work.redone += 0 if frame.exact else left.size
        _from_reservoirs(queries, refs, task, left, resources)
    return not frame.exact


class _Union:
    """One look at both sets, for one super-block of queries after the other."""

    def __init__(
        self,
        queries: Points,
        task: Nearest,
        sides: Sequence[Side],
        counts: Sequence[Sequence[Count]],
        shelved: _Shelved | None,
        resources: Resources,
    ) -> None:
        self.task, self.sides, self.counts = task, sides, counts
        self.shelved, self.resources = shelved, resources
        self.queries = len(queries)
        self.far: int | None = None  # the set that comes first

    def look(self, rows: slice) -> Any:
        """Answer for these queries; which of them lists do not tell."""
        task, far = self.task, self.far
        kept: list[Listed | None] = [None, None]
        tasks = [list(some) for some in self.counts]
        counted = None
        for s in (0, 1) if far is None else (far, 1 - far):
            if s == 0 and self.shelved is not None:
                kept[0] = listed = Listed(self.sides[0], self.shelved.lists)
                if tasks[0]:
                    self.sides[0].look(rows, tasks[0], self.resources, lists=False)
                if far == 0:
                    counted = self._balls_of(0, listed, rows)
                    tasks[1] += counted
                continue
            lists = self.sides[s].look(rows, tasks[s], self.resources)
            if lists is None:
                continue
            kept[s] = listed = Listed(self.sides[s], lists)
            if s == far:
                counted = self._balls_of(far, listed, rows)
                tasks[1 - s] += counted
        a, b = kept
        if a is None or b is None:
            return np.ones(rows.stop - rows.start, bool)
        told = a.tell(
            rows,
            (task.ks_a, task.ks_b, task.ks_both),
            task.closed,
            self.resources,
            b,
            across=task.across,
        )
        task.d2_a[rows], task.d2_b[rows], task.d2_both[rows] = told["d2"]
        task.of_a[rows], task.of_b[rows] = told["of"]
        if task.across:
            task.across_a[rows], task.across_b[rows] = told["across"]
            if counted:
                self._take(rows, counted)
            elif far is None:
                self._judge(rows)
        return told["failed"]

    def _balls_of(self, far: int, listed: Listed, rows: slice) -> list[Count]:
        """Counts of the other set in the balls to the k-th of the far one."""
        ks = (self.task.ks_a, self.task.ks_b)[far]
        told = listed.tell(rows, (ks, _NONE, _NONE), True, self.resources)
        found = []
        for column in np.where(told["failed"][:, None], -1.0, told["d2"][0]).T:
            t = np.full(self.queries, -1.0)
            t[rows] = column
            found.append(Count(t, None, self.task.closed, np.zeros(self.queries, np.int64)))
        return found

    def _take(self, rows: slice, counted: Sequence[Count]) -> None:
        near = 1 - self.far if self.far is not None else 0
        into = (self.task.across_a, self.task.across_b)[near]
        for column, one in enumerate(counted):
            t, found = one.query_t[rows], one.rows[rows]
            if self.task.within[near]:  # D(x, x) = 0 was counted
                found = found - own(t, self.task.closed)
            into[rows, column] = np.where(t >= 0, found, -1)

    def _judge(self, rows: slice) -> None:
        """Which set is to come first from now on?"""
        unknown = [
            float((across[rows] < 0).mean()) if across.size else 0.0
            for across in (self.task.across_a, self.task.across_b)
        ]
        near = int(np.argmax(unknown))
        if unknown[near] > _FAR and not (near == 0 and self.shelved is not None):
            self.far = 1 - near


def _frame(queries: Points, refs: Sequence[Points]) -> Frame:
    others = [one for one in (queries, *refs[1:]) if one is not refs[0]]
    return frame_of(refs[0], *others)


def _with_trial(task: Nearest, rows: list[slice]) -> list[slice]:
    """A few queries first, to see which set is to come first."""
    trial = 2 * QUERIES
    if not task.across or not (task.ks_a.size or task.ks_b.size) or rows[0].stop < 4 * trial:
        return rows
    return [slice(0, trial), slice(trial, rows[0].stop), *rows[1:]]


def _shelved(
    queries: Points, refs: Sequence[Points], task: Nearest, resources: Resources
) -> _Shelved | None:
    """Lists that there are already of the first set; made where they are to be kept."""
    if task.shelf is None:
        return None
    k, within = min(task.k, len(refs[0])), task.within[0]
    if (k, within) not in task.shelf:  # calls that ask at the same time each make them
        task.shelf[k, within] = _made(queries, refs[0], k, within, resources)
    shelved: _Shelved | None = task.shelf[k, within]
    return shelved if shelved is not None and shelved.frame.holds(refs[1]) else None


def _made(
    queries: Points, refs: Points, k: int, within: bool, resources: Resources
) -> _Shelved | None:
    """None where the filter is off, where it would be too much, and where there is no hope."""
    others = [] if queries is refs else [queries]
    frame = frame_of(refs, *others, spare=3)
    room = len(queries) * LISTED * capacity(k + within, len(refs))
    if frame.exact or room > resources.whole // 2:
        return None
    most = rooms([refs], 16, resources.memory)
    side = Side(queries, refs, k, within, frame, most[0], resources.block, kernels.FAR_LOOSE)
    every = slice(0, len(queries))
    lists = side.look(every, [], resources)
    side.unload()
    if lists is None:
        return None
    # Own points are dropped by the first that asks: now, while nobody else can ask.
    Listed(side, lists).tell(every, (_NONE,) * 3, True, resources)
    return _Shelved(frame, lists)


def _from_reservoirs(
    queries: Points, refs: Sequence[Points], task: Nearest, left: Ints, resources: Resources
) -> None:
    """Answer for the queries that are left, as if it were not known which references they are:
    there a point is its own neighbour, the nearest there can be."""
    ks_a, ks_b = task.ks_a + task.within[0], task.ks_b + task.within[1]
    ks_both = task.ks_both + any(task.within)
    most = int(max(ks.max(initial=1) for ks in (ks_a, ks_b, ks_both)))
    threads = resources.threads
    for rows, (a, b) in reservoirs(select(queries, left), refs, most, [False, False], resources):
        some = left[rows]
        if len(ks_a):
            task.d2_a[some] = a.kth(rows, ks_a, threads)
        if len(ks_b):
            task.d2_b[some] = b.kth(rows, ks_b, threads)
        if len(ks_both):
            task.d2_both[some] = t = a.kth(rows, ks_both, threads, b)
            for one, found, same in zip((a, b), (task.of_a, task.of_b), task.within, strict=True):
                held = one.inside(rows, t, task.closed, threads)
                found[some] = np.where(held < 0, -1, held - (own(t, task.closed) if same else 0))
        for side in (a.side, b.side):
            resources.work.add(side.counters())
    if task.across:
        task.across_a[left] = task.across_b[left] = -1
