"""The k nearest from lists of keys: functions that the cluster runs on blocks and on their lists.

    list_block, list_pair  in a block: keys of the references that the sample does not rule out
    shorten                from some blocks: the merged lists, cut to what may be among the nearest
    open_pairs             from all blocks: how many references are certainly nearer than the k-th,
                           and the pairs that may be the k-th, or as near
    open_d2                in a block again: D of these pairs
    answer                 the arrays of the Nearest

Keys of different blocks are comparable, as all blocks of a task use one frame.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from prfast.distributed.blocks import Limits, PartialResult
from prfast.distributed.partitions import Part
from prfast.inputs.arrays import Float64s, blocks
from prfast.kernels import distances as kernels
from prfast.neighbors.nearest import rounds
from prfast.neighbors.passes import (
    FLOPS_A_CALL,
    QUERIES,
    Frame,
    Side,
    capacity,
    flops,
    isa,
    new_pass,
    super_blocks,
    within_memory,
)
from prfast.neighbors.tasks import Ints, Nearest, Resources, inside, own
from prfast.samples.partitioned import Rows

_MERGED = 4 * QUERIES  # queries whose lists are merged at a time, so that these stay in the caches


class BlockLists(NamedTuple):
    """The lists of some queries, one after the other."""

    fill: Any
    """The number of references of each list; −1 where they did not fit."""
    key: Any
    """The keys of all lists."""
    place: Any
    """The row of each listed reference in its set."""
    limit: Any
    """For each query, a key that no reference outside its list is below."""


def list_block(
    queries: Part,
    refs: Part,
    side: int,
    k: int,
    limits: Limits,
    frame: Frame,
    memory: int,
) -> tuple[BlockLists, PartialResult]:
    """Return the lists of the queries, and the work that they took.

    side: the set of the references; k: the largest of that set.
    """
    x, y = queries.load(), refs.load()
    k, work = min(k, refs.size), Counter[str]()
    resources = within_memory(x.shape[1], Resources(1, memory, work))
    scan = Side(x, y, k, False, frame, refs.size, resources)
    parts = []
    for rows in super_blocks(len(x), [k], [y], [refs.size], resources.memory):
        lists = scan.scan(rows, [], resources, reach=limits.d2[side])
        parts.append(
            _failed_lists(rows)
            if lists is None
            else BlockLists(*lists.to_arrays(rows.stop - rows.start))
        )
    fill, key, ref, limit = map(np.concatenate, zip(*parts, strict=True))
    place = (refs.start + scan.order).astype(np.int32)[ref]
    return BlockLists(fill, key, place, limit), PartialResult([], work)


def _failed_lists(rows: slice) -> BlockLists:
    none = np.empty(0, np.float32)
    fill = np.full(rows.stop - rows.start, -1, np.int32)
    return BlockLists(fill, none, np.empty(0, np.int32), np.full(len(fill), -np.inf, np.float32))


def list_pair(
    first: Part,
    second: Part | None,
    limits: Sequence[Limits],
    k: int,
    share: float,
    frame: Frame,
    memory: int,
) -> tuple[BlockLists, BlockLists | None, PartialResult]:
    """Return the lists of the points of two parts of a set in each other, or of one within itself.

    Each pair is computed once.  share: the expected share of the points that a list contains.
    """
    x = first.load()
    if second is None:
        rows = Rows(x, np.arange(len(x)))
        after = len(x)
    else:
        y = second.load()
        # The second part starts at a whole block; the rows in between are padding.
        after = -(-len(x) // QUERIES) * QUERIES
        index = np.minimum(np.arange(after), len(x) - 1)
        index = np.concatenate([index, len(x) + np.arange(len(y))])
        rows = Rows(np.concatenate([x, y]), index)
    n, dim = rows.shape
    most = max(len(x), n - after)
    work = Counter[str]()
    kernel_pass = new_pass(rows, rows, n, Resources(1, memory, work), frame, within=True)
    kernel_pass.load(0, n, 1)
    k = min(k, most)
    expected = k + int(1.5 * share * most) + 2 * QUERIES
    lists = kernels.Lists(n, k, min(capacity(k, most), expected))
    reach = np.full(n, -1.0)
    reach[: len(x)] = limits[0].d2[0]
    if second is not None:
        reach[after:] = limits[1].d2[0]
    lists.limit_to(kernel_pass.limits(reach))
    arms, all_points = kernel_pass.int8_bounds(), np.full(n, n)
    kernel_pass.lower_limits(lists, all_points, arms, 1)
    for parts in _rounds(len(x), after, n, dim):
        kernel_pass.symmetric(lists, parts, arms, 1)
    starts = first.start, (first if second is None else second).start
    return *_split(lists, len(x), after, starts), PartialResult([], work)


def _rounds(first: int, after: int, n: int, dim: int) -> Any:
    """Return rounds of pairs of parts, each a call of a fraction of a second."""
    if after == n:
        return rounds(n, max(1, int(n * n * flops(dim) / (2 * FLOPS_A_CALL))), QUERIES)
    step = max(1, int(FLOPS_A_CALL / ((n - after) * flops(dim)) / QUERIES)) * QUERIES
    return (
        np.array([[start, min(start + step, first), after, n]]) for start in range(0, first, step)
    )


def _split(
    lists: kernels.Lists, first: int, after: int, starts: tuple[int, int]
) -> tuple[BlockLists, BlockLists | None]:
    """Return the lists of the first part, and of the second, which starts at row `after`.

    starts: the first rows of both parts in the set.
    """
    fill, key, ref, limit = lists.to_arrays(len(lists))
    first_start, second_start = (np.int32(start) for start in starts)
    if after == len(fill):
        return BlockLists(fill, key, ref + first_start, limit), None
    ends = np.concatenate([[0], np.cumsum(np.maximum(fill, 0))])
    a, b = slice(0, ends[first]), slice(ends[after], ends[-1])
    # Points of the first part list points of the second, and the other way round.
    return (
        BlockLists(fill[:first], key[a], ref[a] - np.int32(after) + second_start, limit[:first]),
        BlockLists(fill[after:], key[b], ref[b] + first_start, limit[after:]),
    )


class OpenPairs(NamedTuple):
    """The result of `kernels.unresolved` for all queries; place: a reference's row in its set."""

    below: Ints
    opened: Ints
    failed: Any
    query: Any
    place: Any
    set: Any
    work: Any


def open_pairs(
    near: Sequence[Sequence[BlockLists]], limits: Limits, frame: Frame, task: Nearest
) -> OpenPairs:
    """Return the pairs that the lists of all blocks leave open; near: the lists of each set."""
    sets = [_Segments(of_set) for of_set in near]
    ks, results = task.inclusive_ks(), []
    for rows in blocks(len(limits.norms), _MERGED):
        a, *b = (segments.joined(rows) for segments in sets)
        norms, other = limits.norms[rows], b[0] if b else None
        result = kernels.unresolved(
            isa(), len(frame.center), frame.scale, a, other, norms, ks, task.across
        )
        result["opened"][result["failed"]] = 0
        result["query"] += np.int32(rows.start)
        results.append(result)
    names = ("below", "opened", "failed", "query", "ref", "set")
    arrays: list[Any] = [np.concatenate([result[name] for result in results]) for name in names]
    return OpenPairs._make([*arrays, limits.work])


def shorten(near: Sequence[BlockLists], limits: Limits, frame: Frame, k: int) -> BlockLists:
    """Merge lists of blocks, without references that are certainly farther than the k-th."""
    segments, parts = _Segments(near), []
    for rows in blocks(len(limits.norms), _MERGED):
        lists = segments.joined(rows)
        lists.shorten(isa(), len(frame.center), frame.scale, limits.norms[rows], k)
        parts.append(lists.to_arrays(len(lists)))
    return BlockLists(*map(np.concatenate, zip(*parts, strict=True)))


class _Segments:
    """The lists of blocks of a set, to be merged for some queries at a time."""

    def __init__(self, near: Sequence[BlockLists]) -> None:
        self.near = near
        sizes = [np.maximum(block.fill, 0).astype(np.int64) for block in near]
        self._ends = [np.concatenate([[0], np.cumsum(size)]) for size in sizes]
        self._capacity = int(sum(sizes).max()) + 1 + 2 * QUERIES
        self._lists: kernels.Lists | None = None

    def joined(self, rows: slice) -> kernels.Lists:
        """Return the merged lists of these queries; they overwrite those of the call before."""
        count = rows.stop - rows.start
        if self._lists is None or len(self._lists) != count:
            self._lists = kernels.Lists(count, 1, self._capacity)
        self._lists.begin(0)
        for block, ends in zip(self.near, self._ends, strict=True):
            entries = slice(ends[rows.start], ends[rows.stop])
            self._lists.merge(
                block.fill[rows], block.key[entries], block.place[entries], block.limit[rows]
            )
        return self._lists


def open_d2(queries: Part, refs: Part, side: int, left: OpenPairs) -> Float64s:
    """Return D of the open pairs with references of this block."""
    pairs = pairs_in(left, side, refs.start, refs.stop)
    if not pairs.size:
        return np.empty(0)
    query, ref = left.query[pairs].astype(np.int64), left.place[pairs].astype(np.int64)
    d2: Float64s = kernels.pairs(queries.load(), refs.load(), query, ref - refs.start)
    return d2


def pairs_in(left: OpenPairs, side: int, start: int, stop: int) -> Ints:
    """Return the indices of the open pairs with references start to stop of a set."""
    return np.flatnonzero((left.set == side) & (start <= left.place) & (left.place < stop))


def answer(
    left: OpenPairs,
    d2: Sequence[Sequence[Float64s]],
    ends: Sequence[Sequence[tuple[int, int]]],
    task: Nearest,
) -> PartialResult:
    """Return the arrays of a Nearest, and last which queries have failed.

    d2: D of the open pairs of each set and block; ends: the references of each set and block.
    """
    of_pair = np.empty(len(left.query))
    for side, (of_set, ends_of_set) in enumerate(zip(d2, ends, strict=True)):
        for values, (start, stop) in zip(of_set, ends_of_set, strict=True):
            of_pair[pairs_in(left, side, start, stop)] = values
    queries, balls, _ = left.below.shape
    ks, of_balls = _balls(task)
    flat = np.repeat(np.arange(queries * balls * 2), left.opened.ravel())
    ball = flat // 2
    defining = of_balls[ball % balls, flat % 2]  # pairs that may be the k-th of their ball
    certain = np.where(of_balls, left.below, 0).sum(axis=2)
    t = _kth(of_pair[defining], ball[defining], (ks - certain).ravel())
    is_inside = inside(of_pair, t[ball], task.closed)
    counts = left.below + np.bincount(flat[is_inside], minlength=2 * queries * balls).reshape(
        left.below.shape
    )
    t = t.reshape(queries, balls)
    for side, same in enumerate(task.within):
        if same:  # D(x, x) = 0 was counted
            counts[:, :, side] -= own(t, task.closed) & (counts[:, :, side] >= 0)
    a, b = len(task.ks_a), len(task.ks_a) + len(task.ks_b)
    arrays = [t[:, :a], t[:, a:b], t[:, b:], counts[:, b:, 0], counts[:, b:, 1]]
    across = (counts[:, a:b, 0], counts[:, :a, 1]) if task.across else (counts[:, :0, 0],) * 2
    return PartialResult([*arrays, *across, left.failed], left.work)


def _balls(task: Nearest) -> tuple[Ints, Any]:
    """Return the inclusive k of each ball, and whether its radius is defined by a, by b."""
    ks = task.inclusive_ks()
    kinds = [(True, False), (False, True), (True, True)]
    sets = [kind for kind, of_kind in zip(kinds, ks, strict=True) for _ in of_kind]
    return np.concatenate(ks), np.array(sets)


def _kth(d2: Float64s, ball: Ints, ranks: Ints) -> Float64s:
    """Return for each ball the D of its rank among its pairs, ∞ where it has none."""
    order = np.lexsort((d2, ball))
    first = np.searchsorted(ball[order], np.arange(len(ranks)))
    last = np.searchsorted(ball[order], np.arange(len(ranks)), "right")
    t = np.full(len(ranks), np.inf)
    nonempty = np.flatnonzero(first < last)
    t[nonempty] = d2[order][first[nonempty] + ranks[nonempty] - 1]
    return t
