"""The k nearest in sets in parts: from keys that blocks list, or from D of k of every block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from prfast.balls.engines.blocks import listed, looks, merges, sample
from prfast.balls.engines.blocks.asking import Asking
from prfast.balls.engines.blocks.parts import Part
from prfast.balls.engines.blocks.window import Gathering
from prfast.balls.tasks import Count, Ints, Nearest

NO_KS = np.empty(0, np.int64)


def listed_nearest(
    of: Asking, task: Nearest, counts: Sequence[Sequence[Count]], *, once: bool = False
) -> Ints:
    """Answer the task but for counts that are −1, and the counts, of each set, in the same look;
    the queries that it is not answered for.

    once: are the queries the references, each pair looked at once?  Then none is its own neighbour.
    """
    window = of.window
    ks = listed.questions(task)
    sides = range(len(of.refs))
    samples = of.samples()
    seen = window.submit(sample.frame, samples[0], of.exponent)
    own = [np.concatenate([ks[side], ks[2]]) for side in sides]
    most = [int(min(some.max(), n)) for some, n in zip(own, of.sizes, strict=True)]
    drawn = [sample.size(n) for n in of.sizes]
    ranks = [sample.rank(s, k, n) for s, k, n in zip(drawn, most, of.sizes, strict=True)]
    reached = [
        window.submit(sample.reach, part, samples, ranks, seen, of.memory) for part in of.queries
    ]
    counting = [of.counting(side, counts[side]) for side in sides]
    work = Gathering(window, merges.added)
    counted: list[list[Any]] = [[] for _ in of.queries]
    found = []
    both = _both(of, most[0], min(1.0, ranks[0] / drawn[0]), seen, reached, work) if once else None
    for i, part in enumerate(of.queries):
        near = [both[i]] if both else []
        for side in sides if both is None else ():
            lists, sums = [], Gathering(window, merges.added)
            for j, refs in enumerate(of.refs[side]):
                pair = window.submit(
                    listed.near,
                    part,
                    refs,
                    reached[i],
                    side,
                    most[side],
                    seen,
                    counting[side].of_queries[i],
                    counting[side].of_refs[j],
                    counting[side].asks,
                    of.memory,
                    pairs=part.size * refs.size,
                )
                lists.append(window.submit(merges.pick, pair, 0))
                sums.add(window.submit(merges.pick, pair, 1))
            near.append(lists)
            counted[i].append(sums.whole())
        firsts = [[refs.start for refs in of.refs[side]] for side in sides]
        left = window.submit(listed.left_open, near, firsts, reached[i], seen, ks, task.across)
        d2 = [
            [window.submit(listed.settle, part, refs, side, left) for refs in of.refs[side]]
            for side in sides
        ]
        ends = [[(refs.start, refs.stop) for refs in of.refs[side]] for side in sides]
        question = replace(task, shelf=None)
        found.append(window.submit(listed.answer, left, d2, ends, question))
    if once:
        of.gathered([work.whole()])
    for side in sides if not once else ():
        rows = of.arrays([some[side] for some in counted])
        for part, sums_of_part in rows:
            counting[side].add_rows(part, sums_of_part)
    return _take(of, task, found)


def _take(of: Asking, task: Nearest, found: Sequence[Any]) -> Ints:
    task.open(of.size)
    failed = np.zeros(of.size, bool)
    for part, arrays in of.arrays(found):
        for name, values in zip(merges.OF_NEAREST, arrays, strict=False):
            getattr(task, name)[part.rows] = values
        failed[part.rows] = arrays[-1]
    return np.flatnonzero(failed)


def _both(
    of: Asking, k: int, share: float, seen: Any, reached: Sequence[Any], work: Gathering
) -> list[list[Any]]:
    """Lists of each part in all, in the order of the parts; pairs of parts are looked at once."""
    window, parts = of.window, of.queries
    lists: list[list[Any]] = [[None] * len(parts) for _ in parts]
    for i, part in enumerate(parts):
        for j in range(i, len(parts)):
            other = parts[j] if j > i else None
            pair = window.submit(
                listed.near_both,
                part,
                other,
                [reached[i], reached[j]],
                k,
                share,
                seen,
                of.memory,
                pairs=part.size * parts[j].size * (1 if j == i else 2),
            )
            lists[i][j] = window.submit(merges.pick, pair, 0)
            if j > i:
                lists[j][i] = window.submit(merges.pick, pair, 1)
            work.add(window.submit(merges.pick, pair, 2))
    return lists


def plain_nearest(of: Asking, task: Nearest) -> None:
    """Answer the task but for counts that are −1, from k of every block."""
    question = replace(task, shelf=None)
    found = []
    for part in of.queries:
        # One more than the k nearest, to see that the next one is farther.
        ks = [task.k + 1 + own for own in task.within]
        near = [
            _shortest(of, part, side, k) for side, k in zip(range(len(of.refs)), ks, strict=False)
        ]
        found.append(of.window.submit(merges.divided, near, question))
    task.open(of.size)
    for part, arrays in of.arrays(found):
        for name, values in zip(merges.OF_NEAREST, arrays, strict=True):
            getattr(task, name)[part.rows] = values


def _shortest(of: Asking, part: Part, side: int, k: int) -> Any:
    """The k nearest of a part's points in a set."""
    found = Gathering(of.window, merges.shortened, k)
    for refs in of.refs[side]:
        pairs = part.size * refs.size
        found.add(of.window.submit(looks.nearest, part, refs, k, of.memory, pairs=pairs))
    return found.whole()
