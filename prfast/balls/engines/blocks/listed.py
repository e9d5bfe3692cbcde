"""The nearest in blocks: keys that blocks list, what they leave open together, and its D.

    near, near_both    of a block: keys of the references that the sample does not rule out
    left_open          of all blocks: how many are certainly nearer than the k-th, and pairs that
                       may be the k-th, or as near
    settle             of a block again: D of these pairs
    answer             the answer

Keys are comparable, as all blocks of a question are seen in one frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from prfast.balls.engines.blocks.parts import Ask, Found, Part, Reached, counts_of
from prfast.balls.engines.exact import fitted, rounds
from prfast.balls.engines.lists import (
    FLOPS_A_CALL,
    QUERIES,
    Frame,
    Side,
    capacity,
    flops,
    new_pass,
    super_blocks,
)
from prfast.balls.resources import Resources, Rows, Work
from prfast.balls.tasks import Count, Ints, Nearest, inside, own
from prfast.inputs.arrays import Float64s, blocks
from prfast.kernels import balls as kernels
from prfast.kernels.choice import isa

_TOGETHER = 4 * QUERIES  # lists that are put together at a time: they stay in the caches


class Near(NamedTuple):
    """Of each query how many references are listed (−1: more than fit), keys, places of the
    references in their set, and the key that none which is not listed is below."""

    fill: Any
    key: Any
    place: Any
    limit: Any


class Look(NamedTuple):
    """What is wanted of a block: lists for so large a k of the set `side`; counts; memory."""

    side: int
    k: int
    asks: Sequence[Ask]
    closed: bool
    memory: int


def near(
    queries: Part,
    refs: Part,
    reached: Reached,
    seen: Frame,
    query_t: Sequence[Any],
    ref_t: Sequence[Any],
    further: Sequence[Float64s],
    look: Look,
) -> tuple[Near, Found]:
    """The lists of the queries, and counts from the same look; further: more radii of queries."""
    x, y = queries.load(), refs.load()
    k, work = min(look.k, refs.size), Work()
    resources = fitted(x.shape[1], Resources(1, look.memory, work))
    one = Side(x, y, k, False, seen, refs.size, resources.block)
    tasks = counts_of(queries, refs, query_t, ref_t, look.asks)
    tasks += [Count(t, None, look.closed, np.zeros(len(x), np.int64)) for t in further]
    found = []
    for rows in super_blocks(len(x), [k], [y], [refs.size], resources.memory):
        lists = one.scan(rows, tasks, resources, reach=reached.d2[look.side])
        found.append(
            _given_up(rows) if lists is None else Near(*lists.taken(rows.stop - rows.start))
        )
    fill, key, ref, limit = map(np.concatenate, zip(*found, strict=True))
    place = (refs.start + one.order).astype(np.int32)[ref]
    counted = Found([task.rows for task in tasks], work)
    return Near(fill, key, place, limit), counted


def _given_up(rows: slice) -> Near:
    none = np.empty(0, np.float32)
    fill = np.full(rows.stop - rows.start, -1, np.int32)
    return Near(fill, none, np.empty(0, np.int32), np.full(len(fill), -np.inf, np.float32))


def near_both(
    first: Part,
    second: Part | None,
    reached: Sequence[Reached],
    k: int,
    share: float,
    seen: Frame,
    memory: int,
) -> tuple[Near, Near | None, Found]:
    """The lists of the points of two parts of a set in each other, or of one within itself: each
    pair is computed once.  share: of the points, that a list is thought to hold."""
    x = first.load()
    if second is None:
        rows = Rows(x, np.arange(len(x)))
        after = len(x)
    else:
        y = second.load()
        after = -(-len(x) // QUERIES) * QUERIES  # a part begins with a block; in between, no matter
        index = np.minimum(np.arange(after), len(x) - 1)
        index = np.concatenate([index, len(x) + np.arange(len(y))])
        rows = Rows(np.concatenate([x, y]), index)
    n, dim = rows.shape
    most = max(len(x), n - after)
    passed = new_pass(rows, rows, n, True, seen)
    passed.load(0, n, 1)
    k = min(k, most)
    room = k + int(1.5 * share * most) + 2 * QUERIES
    lists = kernels.Lists(n, k, min(capacity(k, most), room))
    reach = np.full(n, -1.0)
    reach[: len(x)] = reached[0].d2[0]
    if second is not None:
        reach[after:] = reached[1].d2[0]
    lists.limit_to(passed.limits(reach))
    arms, all_seen = passed.arms(), np.full(n, n)
    passed.lower(lists, all_seen, arms, 1)
    for parts in _parts(len(x), after, n, dim):
        passed.triangle(lists, parts, arms, 1)
    work = Work()
    work.add(passed.counters())
    starts = first.start, (first if second is None else second).start
    return *_ends(lists, len(x), after, starts), Found([], work)


def _parts(first: int, after: int, n: int, dim: int) -> Any:
    """Calls of a fraction of a second."""
    if after == n:
        return rounds(n, max(1, int(n * n * flops(dim) / (2 * FLOPS_A_CALL))), QUERIES)
    step = max(1, int(FLOPS_A_CALL / ((n - after) * flops(dim)) / QUERIES)) * QUERIES
    return (
        np.array([[start, min(start + step, first), after, n]]) for start in range(0, first, step)
    )


def _ends(
    lists: kernels.Lists, first: int, after: int, starts: tuple[int, int]
) -> tuple[Near, Near | None]:
    """Lists of the first part, and of the second, whose numbers begin at `after` in those; starts:
    where the parts begin in the set."""
    fill, key, ref, limit = lists.taken(len(lists))
    here, there = (np.int32(start) for start in starts)
    if after == len(fill):
        return Near(fill, key, ref + here, limit), None
    ends = np.concatenate([[0], np.cumsum(np.maximum(fill, 0))])
    one, other = slice(0, ends[first]), slice(ends[after], ends[-1])
    return (
        Near(fill[:first], key[one], ref[one] - np.int32(after) + there, limit[:first]),
        Near(fill[after:], key[other], ref[other] + here, limit[after:]),
    )


class Open(NamedTuple):
    """What `kernels.left_open` says; place: of the reference in its set."""

    below: Ints
    opened: Ints
    failed: Any
    query: Any
    place: Any
    set: Any
    work: Work


def left_open(
    near: Sequence[Sequence[Near]], reached: Reached, seen: Frame, question: Nearest
) -> Open:
    """What lists of blocks of each set say together."""
    sets = [_Segments(some) for some in near]
    asked, found = (questions(question), question.across), []
    for rows in blocks(len(reached.norms), _TOGETHER):
        a, *b = (one.joined(rows) for one in sets)
        norms = reached.norms[rows]
        other = b[0] if b else None
        told = kernels.left_open(isa(), len(seen.centre), seen.scale, a, other, norms, *asked)
        told["opened"][told["failed"]] = 0
        told["query"] += np.int32(rows.start)
        found.append(told)
    names = ("below", "opened", "failed", "query", "ref", "set")
    arrays: list[Any] = [np.concatenate([told[name] for told in found]) for name in names]
    return Open._make([*arrays, reached.work])


def shortened(near: Sequence[Near], reached: Reached, seen: Frame, k: int) -> Near:
    """Lists of blocks put together, without what is certain to be farther than the k-th."""
    segments, found = _Segments(near), []
    for rows in blocks(len(reached.norms), _TOGETHER):
        lists = segments.joined(rows)
        lists.shorten(isa(), len(seen.centre), seen.scale, reached.norms[rows], k)
        found.append(lists.taken(len(lists)))
    return Near(*map(np.concatenate, zip(*found, strict=True)))


class _Segments:
    """The lists of blocks of a set."""

    def __init__(self, near: Sequence[Near]) -> None:
        self.near = near
        held = [np.maximum(one.fill, 0).astype(np.int64) for one in near]
        self._ends = [np.concatenate([[0], np.cumsum(one)]) for one in held]
        self._room = int(sum(held).max()) + 1 + 2 * QUERIES
        self._lists: kernels.Lists | None = None

    def joined(self, rows: slice) -> kernels.Lists:
        """Those of some queries put together, in the memory of those before, which are over."""
        count = rows.stop - rows.start
        if self._lists is None or len(self._lists) != count:
            self._lists = kernels.Lists(count, 1, self._room)
        self._lists.begin(0)
        for one, ends in zip(self.near, self._ends, strict=True):
            some = slice(ends[rows.start], ends[rows.stop])
            self._lists.put(one.fill[rows], one.key[some], one.place[some], one.limit[rows])
        return self._lists


def settle(queries: Part, refs: Part, side: int, left: Open) -> Float64s:
    """D of the open pairs with references of this block."""
    here = which(left, side, refs.start, refs.stop)
    if not here.size:
        return np.empty(0)
    query, ref = left.query[here].astype(np.int64), left.place[here].astype(np.int64)
    return kernels.pairs(queries.load(), refs.load(), query, ref - refs.start)


def which(left: Open, side: int, start: int, stop: int) -> Ints:
    return np.flatnonzero((left.set == side) & (start <= left.place) & (left.place < stop))


def answer(
    left: Open,
    d2: Sequence[Sequence[Float64s]],
    ends: Sequence[Sequence[tuple[int, int]]],
    question: Nearest,
) -> Found:
    """The answer, and which queries have none; d2: of the open pairs in the blocks, whose
    references are at `ends` in their set."""
    of_pair = np.empty(len(left.query))
    for side, (some, places) in enumerate(zip(d2, ends, strict=True)):
        for values, (start, stop) in zip(some, places, strict=True):
            of_pair[which(left, side, start, stop)] = values
    queries, balls, _ = left.below.shape
    ks, of_balls = _balls(question)
    flat = np.repeat(np.arange(queries * balls * 2), left.opened.ravel())
    ball = flat // 2
    counted = of_balls[ball % balls, flat % 2]
    t = _kth(of_pair[counted], ball[counted], (ks - _certain(left.below, of_balls)).ravel())
    held = inside(of_pair, t[ball], question.closed)
    counts = left.below + np.bincount(flat[held], minlength=2 * queries * balls).reshape(
        left.below.shape
    )
    t = t.reshape(queries, balls)
    for side, same in enumerate(question.within):
        if same:  # D(x, x) = 0 was counted
            counts[:, :, side] -= own(t, question.closed) & (counts[:, :, side] >= 0)
    a, b = len(question.ks_a), len(question.ks_a) + len(question.ks_b)
    arrays = [t[:, :a], t[:, a:b], t[:, b:], counts[:, b:, 0], counts[:, b:, 1]]
    across = (counts[:, a:b, 0], counts[:, :a, 1]) if question.across else (counts[:, :0, 0],) * 2
    return Found([*arrays, *across, left.failed], left.work)


def radii(found: Found) -> list[Float64s]:
    """D of the k-th nearest in the first set, a vector for each k; no ball where lists do not
    tell."""
    d2, failed = found.arrays[0], found.arrays[-1]
    return [np.where(failed, -1.0, column) for column in d2.T]


def _balls(question: Nearest) -> tuple[Ints, Any]:
    """k of each ball where a point is its own neighbour, and which sets the ball is about."""
    ks = questions(question)
    of = [(True, False), (False, True), (True, True)]
    sets = [one for one, some in zip(of, ks, strict=True) for _ in some]
    return np.concatenate(ks), np.array(sets)


def _certain(below: Ints, of_balls: Any) -> Ints:
    found: Ints = np.where(of_balls, below, 0).sum(axis=2)
    return found


def _kth(d2: Float64s, ball: Ints, ranks: Ints) -> Float64s:
    """Of each ball the D of its rank among its pairs, ∞ where it has none."""
    order = np.lexsort((d2, ball))
    first = np.searchsorted(ball[order], np.arange(len(ranks)))
    last = np.searchsorted(ball[order], np.arange(len(ranks)), "right")
    t = np.full(len(ranks), np.inf)
    some = np.flatnonzero(first < last)
    t[some] = d2[order][first[some] + ranks[some] - 1]
    return t


def questions(question: Nearest) -> list[Ints]:
    """ks of the balls where a point is its own neighbour."""
    within = question.within
    return [question.ks_a + within[0], question.ks_b + within[1], question.ks_both + any(within)]
