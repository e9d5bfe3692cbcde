"""Lists: of each set the references with the smallest keys, kept for a super-block of queries.

One look at a pair offers it to the list of its query and counts it for every task whose radii are
known.  What lists cannot tell (ties, a filter that cannot see, first limits that were too low) is
named by query, and answered from reservoirs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.balls.engines.order import fair, places
from prfast.balls.engines.passes import QUERIES, Frame, calls, new_pass
from prfast.balls.resources import LISTED, Resources
from prfast.balls.rows import Points, select
from prfast.balls.tasks import Count
from prfast.inputs.arrays import Float64s
from prfast.inputs.blocks import blocks
from prfast.inputs.caching import cached_property
from prfast.kernels import balls as kernels

_LISTS = 1 << 24  # bytes of lists: what has been used before is in memory already
_HOPELESS = 0.25  # share of the queries whose lists are given up, from which on none is tried


def capacity(k: int, n: int) -> int:
    """Room of a list, of n references: for k, for what the first limit lets in beside them
    (csrc/engine/lists.h) or, where that is much, for as many again, and for two blocks."""
    share = n / kernels.SAMPLE
    beside = 1.2 * (5 * math.sqrt(k * share) + 4 * share)
    return k + int(min(beside, k + 128)) + 2 * QUERIES


class Side:
    """Queries against one set, whose references are packed in a fair order.

    k: the largest that will be asked for; within: are the queries the set, none its own neighbour?
    most: references that are packed together; block: queries that a thread takes together; loose:
    keys that may be left so (`kernels.Lists`).
    """

    def __init__(
        self,
        queries: Points,
        refs: Points,
        k: int,
        within: bool,
        frame: Frame,
        most: int,
        block: int = QUERIES,
        loose: int = 0,
    ) -> None:
        self.k, self.most, self._block, self._loose = k + within, most, block, loose
        self.size, self.dim = refs.shape
        self._sets, self._within, self._frame = (queries, refs), within, frame
        self._loaded: slice | None = None
        self._lists: kernels.Lists | None = None
        self._hopeless = False

    @cached_property
    def order(self) -> NDArray[np.int64]:
        return fair(self.size)

    @cached_property
    def passed(self) -> kernels.Pass:
        """Made when it is looked through: where lists are there already it is not."""
        queries, refs = self._sets
        own = places(self.order) if self._within else None
        refs = select(refs, self.order)
        within, frame = self._within, self._frame
        return new_pass(queries, refs, self.most, within, frame, own, self.k, self._block)

    def look(
        self,
        rows: slice,
        tasks: Sequence[Count],
        resources: Resources,
        *,
        lists: bool = True,
        reach: Float64s | None = None,
    ) -> kernels.Lists | None:
        """The lists of these queries, or None where there is no hope for them; the tasks, whose
        radii are the references' or the queries', are counted in any case.

        reach: D of each query beyond which nothing need be listed.
        """
        first, count, threads = rows.start, rows.stop - rows.start, resources.threads
        asked = [self._asked(task) for task in tasks]
        kept = self._begin(first, count, resources) if lists and not self._hopeless else None
        if kept is not None and reach is not None:
            kept.limit_to(self.passed.limits(reach[rows]))
        for part in blocks(self.size, self.most):
            size = part.stop - part.start
            if self._loaded != part:
                self.passed.load(part.start, size, threads)
                self._loaded = part
            for at, number in calls(first, count, size, self.dim, threads):
                self.passed.look(asked, at, number, threads, kept)
                resources.advance(number * size)
                offered = count if part.start else at + number - first
                if kept is not None and kept.given_up > _HOPELESS * offered + QUERIES:
                    kept, self._hopeless = None, True
        resources.work.add(self.passed.counters())
        return kept

    def _begin(self, first: int, count: int, resources: Resources) -> kernels.Lists:
        """Lists in the memory of those before, which are over."""
        if self._lists is None or len(self._lists) < count:
            self.end(resources)
            self._lists = resources.lists(count, self.k, capacity(self.k, self.size), self._loose)
        self._lists.begin(first)
        return self._lists

    def end(self, resources: Resources) -> None:
        """The lists are over."""
        resources.give_back(self._lists)
        self._lists = None

    def unload(self) -> None:
        """Give the packed references back, if there are any; the lists can still be asked."""
        if self._loaded is not None:
            self.passed.unload()
            self._loaded = None

    def _asked(self, task: Count) -> tuple[Any, ...]:
        ref_t = None if task.ref_t is None else task.ref_t[self.order]
        return task.query_t, ref_t, task.closed, task.rows, None


class Listed(NamedTuple):
    """A set, and the lists that it has left for some queries."""

    side: Side
    lists: kernels.Lists

    def tell(
        self,
        rows: slice,
        ks: Sequence[NDArray[np.int64]],
        closed: bool,
        resources: Resources,
        other: Listed | None = None,
        *,
        across: bool = False,
    ) -> dict[str, Any]:
        """What these lists, and another set's, say of the queries: `kernels.Pass.answers`."""
        both = () if other is None else (other.side.passed, other.lists, across)
        return answers(self.side.passed, self.lists, rows, ks, closed, resources, *both)


def answers(
    passed: kernels.Pass,
    lists: kernels.Lists,
    rows: slice,
    ks: Sequence[NDArray[np.int64]],
    closed: bool,
    resources: Resources,
    *both: Any,
) -> dict[str, Any]:
    """`kernels.Pass.answers`, a fraction of a second at a time: where the filter sees little, D of
    most of what is in the lists is computed."""
    first, count, threads = rows.start, rows.stop - rows.start, resources.threads
    parts = [
        passed.answers(lists, at, number, ks, closed, threads, *both)
        for at, number in calls(first, count, lists.capacity, passed.dim, threads)
    ]
    resources.work.add(passed.counters())
    told = {
        name: [np.concatenate(some) for some in zip(*(part[name] for part in parts), strict=True)]
        for name in ("d2", "of", "across")
    }
    return {**told, "failed": np.concatenate([part["failed"] for part in parts])}


def super_blocks(
    count: int, ks: Sequence[int], refs: Sequence[Points], most: Sequence[int], memory: int
) -> list[slice]:
    """Queries whose lists, of sets that are asked for so many k, take half of the memory; where all
    references are packed at a time no more than pays."""
    all_packed = all(len(one) <= room for one, room in zip(refs, most, strict=True))
    room = min(memory // 2, _LISTS) if all_packed else memory // 2
    places = sum(capacity(k, len(one)) for k, one in zip(ks, refs, strict=True))
    share = room // (LISTED * places)
    return list(blocks(count, max(4 * QUERIES, share // QUERIES * QUERIES)))
