"""The k nearest from keys that blocks list: which tasks are submitted.

Of each part of the queries: how far it has to look (`sample`), lists in every part of each set and
what they leave open, D of that, the answer (`listed`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from prfast.balls.engines.blocks import listed, merges, sample
from prfast.balls.engines.blocks.asking import Asking
from prfast.balls.engines.blocks.window import Gathering
from prfast.balls.tasks import Count, Ints, Nearest
from prfast.balls.thresholds import own

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
        sizes = [sample.size(n) for n in of.sizes]
        ranks = [
            (sample.rank(size, k, n), sample.middle(size, k, n))
            for size, k, n in zip(sizes, self.most, of.sizes, strict=True)
        ]
        self.share = min(1.0, ranks[0][0] / sizes[0])
        samples = of.samples()
        self.seen = submit(sample.frame, samples[0], of.exponent)
        self.reached = [
            submit(sample.reach, part, samples, ranks, self.seen, of.memory) for part in of.queries
        ]

    def run(self) -> Ints:
        """Answer but for counts that are −1; the queries that lists do not tell."""
        of = self.of
        work = Gathering(of.window, merges.added)
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
        (far,) = self.of.window.gather([self.of.window.submit(sample.far, self.reached)])
        found: int | None = far
        return found

    def _lists(self, i: int, side: int, further: Any) -> tuple[list[Any], Any]:
        """Of a part of the queries in every part of a set; and what is counted in the same look."""
        of, submit, counting = self.of, self.of.window.submit, self.counting[side]
        part, lists = of.queries[i], self._gathering(i, self.most[side])
        sums = Gathering(of.window, merges.added)
        for refs, ref_t in zip(of.refs[side], counting.of_refs, strict=True):
            look = listed.Look(side, self.most[side], counting.asks, self.task.closed, of.memory)
            held = counting.of_queries[i], ref_t, further
            pairs = part.size * refs.size
            found = submit(
                listed.near, part, refs, self.reached[i], self.seen, *held, look, pairs=pairs
            )
            lists.add(submit(merges.pick, found, 0))
            sums.add(submit(merges.pick, found, 1))
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
                lists[i].add(submit(merges.pick, found, 0))
                if j > i:
                    lists[j].add(submit(merges.pick, found, 1))
                work.add(submit(merges.pick, found, 2))
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
            for name, values in zip(merges.OF_NEAREST, arrays, strict=False):
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
