"""The k nearest from lists of keys: functions that the cluster runs on blocks and on their lists.

    limits                 of a sample of each set: D that the k-th nearest is hardly beyond
    list_block, list_pair  in a block: keys of the references that these limits do not rule out
    shorten                from some blocks: the merged lists, cut to what may be among the nearest
    open_pairs             from all blocks: how many references are certainly nearer than the k-th,
                           and the pairs that may be the k-th, or as near
    open_d2                in a block again: D of these pairs
    answer                 the arrays of the Nearest

No block determines how near the k-th of all is; a sample does, with a margin of five standard
deviations.  Lists for which it fails are detected.  Keys of different blocks are comparable, as
all blocks of a task use one frame.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from prfast.distributed.partitions import Part
from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.kernels import distances as kernels
from prfast.neighbors import exact, passes
from prfast.neighbors.passes import OVERHEAD, PRODUCTS_A_CALL, QUERIES, Frame, Pass, settings
from prfast.neighbors.tasks import Ints, Nearest, Resources, by_block, inside
from prfast.samples.partitioned import Rows

_MERGED = 4 * QUERIES  # queries whose lists are merged at a time: few enough for the caches
_SHARE = 25  # points per point of the sample: the cost of the sample against longer lists
_LEAST, _MOST = 192, 4000


class PartialResult(NamedTuple):
    """Arrays with a row per query or per reference, and the work that they took."""

    arrays: list[Any]
    work: Counter[str]


def work_of(results: Sequence[Any]) -> Counter[str]:
    return sum((result.work for result in results), Counter[str]())


def sample_size(n: int) -> int:
    """Return the size of the sample of n points."""
    return min(n, max(_LEAST, min(_MOST, n // _SHARE)))


def safe_rank(k: int, n: int) -> int:
    """Return a rank in the sample of n points that is almost surely beyond the k-th of all."""
    share = k * sample_size(n) / n
    return math.ceil(share + 5 * math.sqrt(share)) + 4


def common_frame(sample: Floats, exponent: int) -> Frame:
    """Return a frame centered on the sample; values below 2**(exponent − 1) have offsets <= 1."""
    return Frame(sample.mean(axis=0, dtype=np.float64), math.ldexp(1.0, -exponent), False)


def limits(
    queries: Part, samples: Sequence[Floats], ranks: Sequence[int], frame: Frame, memory: int
) -> PartialResult:
    """Return for each set the D of these ranks in its sample, ∞ beyond the end of the sample.

    The last array is |û|² in the coordinates of the filter.
    """
    work, x = Counter[str](), queries.load()
    d2 = [np.full(len(x), np.inf) for _ in samples]
    for limit, sample, rank in zip(d2, samples, ranks, strict=True):
        if rank <= len(sample):
            task = Nearest(np.array([rank]))
            exact.answer(x, [sample], [task], Resources(1, memory, work))
            limit[:] = task.d2_a[:, 0]
    packed = (((x - frame.center) * frame.scale).astype(np.float32) for x in by_block(x))
    norms = [np.einsum("ij,ij->i", x, x, dtype=np.float64, casting="unsafe") for x in packed]
    return PartialResult([*d2, np.concatenate(norms)], work)


class BlockLists(NamedTuple):
    """The lists of some queries, one after the other, and the work that they took."""

    fill: Any  # the number of references of each list; −1 where they did not fit
    key: Any
    place: Any  # the row of each listed reference in its set
    limit: Any  # for each query, a key that no reference outside its list is below
    work: Counter[str]


def list_block(
    queries: Part, refs: Part, side: int, k: int, reach: PartialResult, frame: Frame, memory: int
) -> BlockLists:
    """Return the lists of the queries; side: the set of the references; k: the largest of it."""
    x, y, work = queries.load(), refs.load(), Counter[str]()
    resources = passes.within_memory(x.shape[1], Resources(1, memory, work))
    k = min(k, refs.size)
    kernel_pass, parts = Pass(x, y, resources, frame, k=k, packed=refs.size), []
    for rows in passes.super_blocks([kernel_pass], len(x)):
        lists = kernel_pass.list_nearest(rows, reach=reach.arrays[side])
        count = rows.stop - rows.start
        if lists is None:
            none = np.empty(0, np.float32), np.empty(0, np.int32)
            failed = np.full(count, -1, np.int32), np.full(count, -np.inf, np.float32)
            parts.append((failed[0], *none, failed[1]))
        else:
            parts.append(lists.to_arrays(count))
    fill, key, ref, limit = map(np.concatenate, zip(*parts, strict=True))
    place = (refs.start + kernel_pass.order).astype(np.int32)[ref]
    return BlockLists(fill, key, place, limit, work)


def list_pair(
    first: Part,
    second: Part | None,
    reaches: Sequence[PartialResult],
    k: int,
    share: float,
    frame: Frame,
    memory: int,
) -> list[BlockLists]:
    """Return the lists of the points of two parts of a set in each other, or of one within itself.

    Each pair is computed once.  share: the expected share of the points that a list contains.
    """
    x = first.load()
    rows, size, after = Rows(x, np.arange(len(x))), len(x), len(x)
    if second is not None:
        y = second.load()
        # The second part starts at a whole block; the rows in between are padding.
        after = -(-size // QUERIES) * QUERIES
        index = np.append(np.minimum(np.arange(after), size - 1), size + np.arange(len(y)))
        rows = Rows(np.concatenate([x, y]), index)
    n, dim = rows.shape
    most, work = max(size, n - after), Counter[str]()
    k = min(k, most)
    ranks: Any = {"within": True, "nearest": k}
    kernel_pass = Pass(rows, rows, Resources(1, memory, work), frame, packed=n, **ranks)
    kernel_pass.load(0, n, 1)
    expected = k + int(1.5 * share * most) + 2 * QUERIES
    lists = kernels.Lists(n, k, min(passes.capacity(k, most), expected))
    d2 = np.full(n, -1.0)
    d2[:size], d2[after:] = reaches[0].arrays[0], reaches[1].arrays[0][: n - after]
    lists.limit_to(kernel_pass.limits(d2))
    arms, all_points = kernel_pass.int8_bounds(), np.full(n, n)
    kernel_pass.lower_limits(lists, all_points, arms, 1)
    # Rounds are calls of a fraction of a second.
    if second is None:
        count = int(n * n * (dim + OVERHEAD) / (2 * PRODUCTS_A_CALL))
        parts = exact.rounds(n, max(1, count))
    else:
        queries = PRODUCTS_A_CALL / ((n - after) * (dim + OVERHEAD))
        step = max(1, int(queries / QUERIES)) * QUERIES
        parts = (np.array([[s.start, s.stop, after, n]]) for s in blocks(size, step))
    for pairs in parts:
        kernel_pass.symmetric(lists, pairs, arms, 1)
    fill, key, ref, limit = lists.to_arrays(n)
    if second is None:
        return [BlockLists(fill, key, ref + np.int32(first.start), limit, work)]
    ends = np.append(0, np.cumsum(np.maximum(fill, 0)))
    a, b = slice(0, ends[size]), slice(ends[after], ends[-1])
    # Points of the first part list points of the second, and the other way round.
    to_second, to_first = np.int32(second.start - after), np.int32(first.start)
    return [
        BlockLists(fill[:size], key[a], ref[a] + to_second, limit[:size], work),
        BlockLists(fill[after:], key[b], ref[b] + to_first, limit[after:], Counter()),
    ]


def shorten(near: Sequence[BlockLists], reach: PartialResult, frame: Frame, k: int) -> BlockLists:
    """Merge lists of blocks, without references that are certainly farther than the k-th."""
    parts, norms = [], reach.arrays[-1]
    for rows, lists in _joined(near):
        lists.shorten(settings().isa, len(frame.center), frame.scale, norms[rows], k)
        parts.append(lists.to_arrays(len(lists)))
    fill, key, place, limit = map(np.concatenate, zip(*parts, strict=True))
    return BlockLists(fill, key, place, limit, work_of(near))


def _joined(near: Sequence[BlockLists]) -> Iterator[tuple[slice, kernels.Lists]]:
    """Yield the merged lists of a block of queries, in the memory of those before."""
    sizes = [np.maximum(block.fill, 0).astype(np.int64) for block in near]
    ends = [np.append(0, np.cumsum(size)) for size in sizes]
    most = int(sum(sizes).max()) + 1 + 2 * QUERIES
    lists = None
    for rows in blocks(len(near[0].fill), _MERGED):
        count = rows.stop - rows.start
        if lists is None or len(lists) != count:
            lists = kernels.Lists(count, 1, most)
        lists.begin(0)
        for (fill, key, place, limit, _), end in zip(near, ends, strict=True):
            entries = slice(end[rows.start], end[rows.stop])
            lists.merge(fill[rows], key[entries], place[entries], limit[rows])
        yield rows, lists


class OpenPairs(NamedTuple):
    """The result of `kernels.unresolved` for all queries; place: a reference's row in its set."""

    below: Ints
    opened: Ints
    failed: Any
    query: Any
    place: Any
    set: Any
    work: Counter[str]


def open_pairs(
    near: Sequence[Sequence[BlockLists]], reach: PartialResult, frame: Frame, task: Nearest
) -> OpenPairs:
    """Return the pairs that the lists of all blocks leave open; near: the lists of each set."""
    ks, results, norms = task.inclusive_ks(), [], reach.arrays[-1]
    for (rows, a), *second in zip(*map(_joined, near), strict=True):
        b = second[0][1] if second else None
        shape = settings().isa, len(frame.center), frame.scale
        result = kernels.unresolved(*shape, a, b, norms[rows], ks, task.across)
        result["opened"][result["failed"]] = 0
        result["query"] += np.int32(rows.start)
        results.append(result)
    names = ("below", "opened", "failed", "query", "ref", "set")
    arrays: list[Any] = [np.concatenate([result[name] for result in results]) for name in names]
    work = work_of([reach, *(lists for group in near for lists in group)])
    return OpenPairs._make([*arrays, work])


def open_d2(queries: Part, refs: Part, side: int, left: OpenPairs) -> tuple[Ints, Float64s]:
    """Return the open pairs with references of this block, and their D."""
    is_here = (left.set == side) & (refs.start <= left.place) & (left.place < refs.stop)
    pairs = np.flatnonzero(is_here)
    if not pairs.size:
        return pairs, np.empty(0)
    query, ref = left.query[pairs].astype(np.int64), left.place[pairs].astype(np.int64)
    return pairs, kernels.pairs(queries.load(), refs.load(), query, ref - refs.start)


def answer(left: OpenPairs, d2: Sequence[tuple[Ints, Float64s]], task: Nearest) -> PartialResult:
    """Return the arrays of a Nearest, and last which queries have failed; d2: of all blocks."""
    pair_d2 = np.empty(len(left.query))
    for pairs, values in d2:
        pair_d2[pairs] = values
    queries, balls, _ = left.below.shape
    ks = task.inclusive_ks()
    a, b = len(ks[0]), len(ks[0]) + len(ks[1])
    defines = np.ones((balls, 2), bool)  # whether the radius is defined by a, by b
    defines[:a, 1] = defines[a:b, 0] = False
    flat = np.repeat(np.arange(queries * balls * 2), left.opened.ravel())
    ball = flat // 2
    defining = defines[ball % balls, flat % 2]  # pairs that may be the k-th of their ball
    certain = np.where(defines, left.below, 0).sum(axis=2)
    ranks = (np.concatenate(ks) - certain).ravel()
    t = _kth(pair_d2[defining], ball[defining], ranks)
    is_inside = inside(pair_d2, t[ball], task.closed)
    shape = left.below.shape
    counts = left.below + np.bincount(flat[is_inside], minlength=2 * len(t)).reshape(shape)
    t = t.reshape(queries, balls)
    for side, same in enumerate(task.within):
        if same:  # D(x, x) = 0 was counted
            counts[:, :, side] -= inside(0.0, t, task.closed) & (counts[:, :, side] >= 0)
    arrays = [t[:, :a], t[:, a:b], t[:, b:], counts[:, b:, 0], counts[:, b:, 1]]
    across = (counts[:, a:b, 0], counts[:, :a, 1]) if task.across else (counts[:, :0, 0],) * 2
    return PartialResult([*arrays, *across, left.failed], left.work)


def _kth(d2: Float64s, ball: Ints, ranks: Ints) -> Float64s:
    """Return for each ball the D of its rank among its pairs, ∞ where it has none."""
    order, numbers = np.lexsort((d2, ball)), np.arange(len(ranks))
    first, last = np.searchsorted(ball[order], [numbers, numbers + 1])
    t = np.full(len(ranks), np.inf)
    nonempty = np.flatnonzero(first < last)
    t[nonempty] = d2[order][first[nonempty] + ranks[nonempty] - 1]
    return t
