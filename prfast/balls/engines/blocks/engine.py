"""The driver: which tasks are submitted for a question, and what becomes of their answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from prfast.balls.engines.blocks import listed, parts
from prfast.balls.engines.blocks import parts as blocks_parts
from prfast.balls.engines.blocks.asking import Asking, Gathering, Window
from prfast.balls.engines.blocks.parts import Found, Part, cluster_of, keep
from prfast.balls.engines.exact import divide
from prfast.balls.resources import Points, Resources, Work, select
from prfast.balls.tasks import Count, Ints, Kth, LargestRatio, LogSum, Nearest, Task, own, smallest
from prfast.inputs.arrays import Float64s

# The k nearest from the k nearest of every block: where filters or lists do not tell.


def plain_nearest(of: Asking, task: Nearest) -> None:
    """Answer the task but for counts that are −1."""
    question = replace(task, shelf=None)
    found = []
    for part in of.queries:
        # One more than the k nearest, to see that the next one is farther.
        near = [
            _shortest(of, part, side, task.k + 1 + task.within[side])
            for side in range(len(of.refs))
        ]
        found.append(of.window.submit(divided, near, question))
    task.open(of.size)
    for part, arrays in of.arrays(found):
        for name, values in zip(OF_NEAREST, arrays, strict=True):
            getattr(task, name)[part.rows] = values


def _shortest(of: Asking, part: Part, side: int, k: int) -> Any:
    """The k nearest of a part's points in a set."""
    found = Gathering(of.window, shortened, k)
    for refs in of.refs[side]:
        pairs = part.size * refs.size
        found.add(of.window.submit(parts.nearest, part, refs, k, of.memory, pairs=pairs))
    return found.whole()


# What tasks return, put together by other tasks.


def pick(found: Sequence[Any], which: int) -> Any:
    """One of the things that a task returned, so that what needs it is not given the others."""
    return found[which]


def added(found: Sequence[Found]) -> Found:
    return Found(
        [sum(some) for some in zip(*(one.arrays for one in found), strict=True)], _work(found)
    )


def largest(found: Sequence[Found]) -> Found:
    columns = zip(*(one.arrays for one in found), strict=True)
    return Found([np.maximum.reduce(some) for some in columns], _work(found))


def shortened(found: Sequence[Found], k: int) -> Found:
    """The k nearest in all lists."""
    return Found([smallest(*(one.arrays[0] for one in found))[:, :k]], _work(found))


def divided(near: Sequence[Found], question: Nearest) -> Found:
    """The answers of a Nearest from lists of the nearest in each set, of one or of two."""
    whole = replace(question)  # others are given the same
    lists = [
        _ended(one.arrays[0], question.k, own)
        for one, own in zip(near, question.within, strict=False)
    ]
    lists = [*lists, np.empty((len(lists[0]), 0))][:2]
    whole.open(len(lists[0]))
    whole.fill(slice(None), *lists)
    return Found([getattr(whole, name) for name in OF_NEAREST], _work(near))


def _ended(d2: Float64s, k: int, own: bool) -> Float64s:
    """Without the point itself; a list that holds all there is ends with ∞."""
    others = d2[:, own:]
    whole = d2.shape[1] <= k + own
    return np.hstack([others, np.full((len(d2), 1), np.inf)]) if whole else others


OF_NEAREST = ("d2_a", "d2_b", "d2_both", "of_a", "of_b", "across_a", "across_b")


def _work(found: Sequence[Found]) -> Work:
    total = Work()
    for one in found:
        total.take(one.work)
    return total


# The k nearest from keys that blocks list: which tasks are submitted.
#
# Of each part of the queries: how far it has to look (`sample`), lists in every part of each set
# and what they leave open, D of that, the answer (`listed`).


NO_KS = np.empty(0, np.int64)


class Listing:
    """The tasks of one question.

    once: are the queries the references, each pair looked at once?  Then none is its own neighbour.
    """

    def __init__(
        self, of: Asking, task: Nearest, counts: Sequence[Sequence[Count]], *, once: bool
    ) -> None:
        self.of, self.task, self.once = of, task, once
        self.question = replace(task, shelf=None)
        self.sides = range(len(of.refs))
        self.counting = [of.counting(side, counts[side]) for side in self.sides]
        self._reach()

    def _reach(self) -> None:
        """Limits of lists, from a sample of each set."""
        of, submit = self.of, self.of.window.submit
        ks = listed.questions(self.task)
        wanted = [np.concatenate([ks[side], ks[2]]) for side in self.sides]
        self.most = [
            int(min(some.max(initial=1), n)) for some, n in zip(wanted, of.sizes, strict=True)
        ]
        sizes = [blocks_parts.size(n) for n in of.sizes]
        ranks = [
            (blocks_parts.rank(size, k, n), blocks_parts.middle(size, k, n))
            for size, k, n in zip(sizes, self.most, of.sizes, strict=True)
        ]
        self.share = min(1.0, ranks[0][0] / sizes[0])
        samples = of.samples()
        self.seen = submit(blocks_parts.frame, samples[0], of.exponent)
        self.reached = [
            submit(blocks_parts.reach, part, samples, ranks, self.seen, of.memory)
            for part in of.queries
        ]

    def run(self) -> Ints:
        """Answer but for counts that are −1; the queries that lists do not tell."""
        of = self.of
        work = Gathering(of.window, added)
        both = self._both(work) if self.once else None
        far = None if self.once else self._far()
        order = self.sides if far is None else (far, 1 - far)
        sums: list[list[Any]] = [[] for _ in self.sides]
        found = []
        for i in range(len(of.queries)):
            near: list[Any] = [None for _ in self.sides]
            further: Any = []
            if both is not None:
                near[0] = both[i]
            for side in order if both is None else ():
                near[side], counted = self._lists(i, side, further)
                sums[side].append(counted)
                if side == far:
                    further = self._radii(i, side, near[side])
            found.append(self._answer(i, near, self.sides, self.question))
        if both is not None:
            of.gathered([work.whole()])
        failed = self._take(found)
        for side in self.sides if both is None else ():
            self._add(side, far, sums[side])
        return failed

    def _far(self) -> int | None:
        """The set that most queries have so far away that the lists of the other one would not
        reach to it: then it comes first, and its balls are counted in the other."""
        task = self.task
        if not task.across or not (task.ks_a.size or task.ks_b.size):
            return None
        (far,) = self.of.window.gather([self.of.window.submit(blocks_parts.far, self.reached)])
        found: int | None = far
        return found

    def _lists(self, i: int, side: int, further: Any) -> tuple[list[Any], Any]:
        """Of a part of the queries in every part of a set; and what is counted in the same look."""
        of, submit, counting = self.of, self.of.window.submit, self.counting[side]
        part, lists = of.queries[i], self._gathering(i, self.most[side])
        sums = Gathering(of.window, added)
        for refs, ref_t in zip(of.refs[side], counting.of_refs, strict=True):
            look = listed.Look(side, self.most[side], counting.asks, self.task.closed, of.memory)
            held = counting.of_queries[i], ref_t, further
            pairs = part.size * refs.size
            found = submit(
                listed.near, part, refs, self.reached[i], self.seen, *held, look, pairs=pairs
            )
            lists.add(submit(pick, found, 0))
            sums.add(submit(pick, found, 1))
        return lists.parts(), sums.whole()

    def _gathering(self, i: int, k: int) -> Gathering:
        """Lists of a part of the queries in the parts of a set."""
        return Gathering(self.of.window, listed.shortened, self.reached[i], self.seen, k)

    def _both(self, work: Gathering) -> list[list[Any]]:
        """Lists of each part in all; pairs of parts are looked at once."""
        of, parts, submit = self.of, self.of.queries, self.of.window.submit
        lists = [self._gathering(i, self.most[0]) for i in range(len(parts))]
        for i, part in enumerate(parts):
            for j in range(i, len(parts)):
                other = parts[j] if j > i else None
                reached = [self.reached[i], self.reached[j]]
                sizes = self.most[0], self.share
                pairs = part.size * parts[j].size * (1 if j == i else 2)
                found = submit(
                    listed.near_both,
                    part,
                    other,
                    reached,
                    *sizes,
                    self.seen,
                    of.memory,
                    pairs=pairs,
                )
                lists[i].add(submit(pick, found, 0))
                if j > i:
                    lists[j].add(submit(pick, found, 1))
                work.add(submit(pick, found, 2))
        return [one.parts() for one in lists]

    def _radii(self, i: int, side: int, near: Any) -> Any:
        """D of the k-th nearest of the set that comes first."""
        task = self.task
        ks, within = (task.ks_a, task.ks_b)[side], (task.within[side], False)
        question = Nearest(ks, NO_KS, NO_KS, task.closed, within)
        found = self._answer(i, [near], [side], question)
        return self.of.window.submit(listed.radii, found)

    def _answer(self, i: int, near: Any, sides: Sequence[int], question: Nearest) -> Any:
        of, submit = self.of, self.of.window.submit
        part, refs = of.queries[i], [of.refs[side] for side in sides]
        ends = [[(one.start, one.stop) for one in some] for some in refs]
        left = submit(listed.left_open, near, self.reached[i], self.seen, question)
        d2 = [
            [submit(listed.settle, part, one, set_, left) for one in some]
            for set_, some in enumerate(refs)
        ]
        return submit(listed.answer, left, d2, ends, question)

    def _take(self, found: Sequence[Any]) -> Ints:
        of, task = self.of, self.task
        task.open(of.size)
        failed = np.zeros(of.size, bool)
        for part, arrays in of.arrays(found):
            for name, values in zip(OF_NEAREST, arrays, strict=False):
                getattr(task, name)[part.rows] = values
            failed[part.rows] = arrays[-1]
        return np.flatnonzero(failed)

    def _add(self, side: int, far: int | None, sums: Sequence[Any]) -> None:
        """Counts of the same look; of the set that comes second, those of the other's balls."""
        counting, task = self.counting[side], self.task
        across = (task.across_a, task.across_b)[side]
        for part, rows in self.of.arrays(sums):
            asked = len(counting.asks)
            counting.add_rows(part, rows[:asked])
            if far is None or side == far:
                continue
            radii = (task.d2_a, task.d2_b)[far][part.rows]
            held = np.stack(rows[asked:], axis=1)
            across[part.rows] = held - (own(radii, task.closed) if task.within[side] else 0)


class Blocks:
    """Answers every task about samples in pieces.

    Parameters
    ----------
    rows : int or None
        Points of a part; None (default) is what makes tasks of a useful size.  Answers do not
        depend on it.
    """

    def __init__(self, rows: int | None = None) -> None:
        self.rows = rows

    def run(
        self,
        queries: Points,
        refs: Sequence[Points],
        tasks: Sequence[Task],
        resources: Resources,
    ) -> None:
        """Counts share tasks, those of a Nearest where there is one; every other question has
        tasks of its own."""
        counts = [[t for t in tasks if isinstance(t, Count) and t.side == s] for s in (0, 1)]
        with Window(cluster_of(queries), resources) as window:
            k = max((t.k for t in tasks if isinstance(t, Kth | Nearest)), default=1)
            of = Asking(queries, refs, self.rows, k, window)
            listed = of.filtered  # keys that blocks list say nothing without filters
            for task in tasks:
                match task:
                    case Kth(ks, within):
                        # Of one set: of two, the second is not asked for.
                        one = Nearest(ks if listed else task.anywhere().ks, NO_KS, NO_KS)
                        once = within and listed
                        if not once:
                            one.ks_a = task.anywhere().ks
                        self._nearest(queries, refs[:1], one, [[]], of, listed, once)
                        task.d2 = one.d2_a
                    case Nearest():
                        joint = [[t for t in some if t.cols is None] for some in counts]
                        if listed:
                            counts = [[t for t in some if t.cols is not None] for some in counts]
                        self._nearest(queries, refs, task, joint, of, listed)
                        divide(self, queries, refs, task, resources)
                    case LogSum():
                        _log_sum(of, task)
                    case LargestRatio():
                        _ratio(of, task)
            for side, some in enumerate(counts):
                if some:
                    _count(of, side, some)

    def _nearest(
        self,
        queries: Points,
        refs: Sequence[Points],
        task: Nearest,
        counts: Sequence[Sequence[Count]],
        of: Asking,
        listed: bool,
        once: bool = False,
    ) -> None:
        """From lists; and again, from k of every block, where they do not tell."""
        if not listed:
            plain_nearest(of, task)
            return
        left = Listing(of, task, counts, once=once).run()
        if not left.size:
            return
        of.window.resources.work.redone += left.size
        within = (True, False) if once else task.within
        rest = replace(task, shelf=None, within=within)
        again = Asking(select(queries, left), refs, self.rows, rest.k, of.window)
        plain_nearest(again, rest)
        _put(task, rest, left)


def _put(task: Nearest, rest: Nearest, left: Ints) -> None:
    for name in OF_NEAREST:
        if getattr(task, name).size:
            getattr(task, name)[left] = getattr(rest, name)


def _log_sum(of: Asking, task: LogSum) -> None:
    """A chain of the parts of the references, for each part of the queries."""
    found: list[Any] = [parts.Found([task.total[part.rows]], Work()) for part in of.queries]
    for refs in of.refs[0]:
        for i, part in enumerate(of.queries):
            pairs = part.size * refs.size
            found[i] = of.window.submit(
                parts.log_sum, part, refs, found[i], task.t, of.memory, pairs=pairs
            )
    for part, (total,) in of.arrays(found):
        task.total[part.rows] = total


def _ratio(of: Asking, task: LargestRatio) -> None:
    t = [of.window.cluster.submit(keep, task.ref_t[refs.rows]) for refs in of.refs[0]]
    found = []
    for part in of.queries:
        best = Gathering(of.window, largest)
        for refs, held in zip(of.refs[0], t, strict=True):
            pairs = part.size * refs.size
            best.add(of.window.submit(parts.ratio, part, refs, held, of.memory, pairs=pairs))
        found.append(best.whole())
    for part, (best_of_part,) in of.arrays(found):
        task.best[part.rows] = np.maximum(task.best[part.rows], best_of_part)


def _count(of: Asking, side: int, tasks: Sequence[Count]) -> None:
    counting, refs, submit = of.counting(side, tasks), of.refs[side], of.window.submit
    cols = [Gathering(of.window, added) for _ in refs]
    rows = []
    for part, query_t in zip(of.queries, counting.of_queries, strict=True):
        of_part = Gathering(of.window, added)
        for one, ref_t, of_ref in zip(refs, counting.of_refs, cols, strict=True):
            pairs = part.size * one.size
            found = submit(
                parts.count, part, one, query_t, ref_t, counting.asks, of.memory, pairs=pairs
            )
            of_part.add(submit(pick, found, 0))
            if counting.wants_cols:
                of_ref.add(submit(pick, found, 1))
        rows.append(of_part.whole())
    sums = [one.whole() for one in cols] if counting.wants_cols else []
    for part, found in of.arrays(rows):
        counting.add_rows(part, found)
    for part, found in zip(refs, of.gathered(sums), strict=False):
        counting.add_cols(part, found)
