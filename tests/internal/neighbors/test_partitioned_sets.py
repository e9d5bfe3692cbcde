"""Neighbors in partitioned sets, on an executor in this process: the bits of the double loop,
whatever the partitions and the parts; and the tasks that are submitted."""

from functools import cache

import numpy as np
import pytest
from helpers import Listening
from hostile_sets import KINDS, two_sets
from hypothesis import given
from hypothesis import strategies as st
from paths import examples
from refusals import refused
from shards import InProcess, sharded
from truth import Truth, check_counted, check_counts, check_kth, check_union, check_within, tasks_of

from prfast.distributed.block_engine import answer_by_blocks, keep
from prfast.distributed.partitions import load_rows
from prfast.neighbors import Count, NeighborSearch, Rows
from prfast.neighbors.tasks import LargestRatio, Nearest, Resources


def even(length):
    """Return where partitions of one length begin, of any set."""
    return lambda n: range(length, n, length)


class InPieces(NeighborSearch):
    """A search of partitioned sets, in parts of about so many rows."""

    def __init__(self, cuts, rows, **settings):
        super().__init__(**settings)
        self.cuts, self.part_rows = cuts, rows

    def run(self, queries, refs, tasks):
        cut = {id(points): self.pieces(points) for points in (queries, *refs)}
        super().run(cut[id(queries)], [cut[id(points)] for points in refs], tasks)

    def pieces(self, points):
        points = np.asarray(points)
        return sharded(points, self.cuts(len(points)), part_rows=self.part_rows)


class HalfInPieces(InPieces):
    """The same, of sets that are some rows of larger ones, in order or not."""

    def __init__(self, *args, order="sorted", **settings):
        super().__init__(*args, **settings)
        self.order = order

    def pieces(self, points):
        points = np.asarray(points)
        n = len(points)
        rng = np.random.default_rng(n)
        index = rng.permutation(2 * n)[:n]
        index = np.sort(index) if self.order == "sorted" else index
        base = np.zeros((2 * n, points.shape[1]), points.dtype)
        base[index] = points
        return Rows(super().pieces(base), index)


@cache
def truth(kind, n=260, m=150, d=5):
    return Truth(*two_sets(kind, n, m, d))


def check_sums(truth, search):
    whole = NeighborSearch("exact")
    counts, expected = tasks_of(truth.between, True, np.random.default_rng(0))
    search.run(truth.y, [truth.x], counts)
    check_counted(counts, expected)
    ref_t = truth.between.min(axis=0)
    ref_t[::7] = -1.0
    result = search.largest_ratio(truth.y, truth.x, ref_t)
    assert np.array_equal(result, whole.largest_ratio(truth.y, truth.x, ref_t))


def check_all(truth, search, ks, closed=True):
    rng = np.random.default_rng(0)
    check_kth(truth, search, ks)
    check_within(truth, search, ks)
    check_counts(truth, search, closed, rng)
    check_sums(truth, search)
    for leave_out in ("real", "fake", None):
        check_union(truth, search, ks, closed, leave_out, rng)


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_sets_in_partitions(kind):
    check_all(truth(kind), InPieces(even(7), 100, n_jobs=1), [1, 5, 40])


# Lengths of partitions, and rows of parts: partitions in groups, partitions that are cut, more
# parts than are combined at a time.
@pytest.mark.parametrize(("length", "rows"), [(1, 60), (100, 60), (96, 96), (1000, 97), (30, 15)])
def test_partitions_and_parts_of_many_sizes(length, rows):
    search = InPieces(even(length), rows, n_jobs=1)
    check_all(truth("few values"), search, [1, 20, 150], closed=length != 1)


@pytest.mark.parametrize("order", ["sorted", "shuffled"])
@pytest.mark.parametrize("kind", ["normal", "sorted", "each twice"])
def test_some_rows_of_partitioned_sets(kind, order):
    search = HalfInPieces(even(45), 70, order=order)
    check_all(truth(kind), search, [1, 5, 40], closed=kind == "normal")


@st.composite
def any_cuts(draw):
    """Draw partitions of any sizes, some without rows."""
    cuts = draw(st.lists(st.floats(0, 1), max_size=9))
    return lambda n: sorted(int(c * n) for c in cuts)


@given(any_cuts(), st.integers(20, 150), st.sampled_from(["normal", "few values", "each twice"]))
@examples(6)
def test_any_partitions(cuts, rows, kind):
    check_all(truth(kind, 120, 70), InPieces(cuts, rows, n_jobs=1), [1, 9])


def test_searches_that_need_arrays():
    x = np.random.default_rng(0).normal(size=(20, 3))
    pieces = sharded(x)
    search = NeighborSearch()
    with refused(TypeError, "samples: either arrays or partitioned samples expected, got both"):
        search.kth(x, pieces, [1])
    search.backend = "approximate"  # an extra that need not be there
    message = "backend: 'auto', 'exact', 'tree' expected for partitioned samples, got 'approximate'"
    with refused(ValueError, message):
        search.kth(pieces, pieces, [1])


# ---- tasks ---------------------------------------------------------------------------------------

CUTS = range(50, 300, 50)
X, Y = np.random.default_rng(0).normal(size=(2, 300, 6)).astype(np.float32)


class Watched(InProcess):
    """Counts tasks in flight, and records those that are cancelled."""

    def __init__(self):
        self.waiting = self.most = 0
        self.cancelled = None

    def submit(self, function, *args):
        self.waiting += function not in (keep, load_rows)
        self.most = max(self.most, self.waiting)
        return super().submit(function, *args)

    def wait(self, handle):
        self.waiting -= 1

    def cancel(self, handles):
        self.cancelled = list(handles)


def some(*ks):
    return np.array(ks, np.int64)


@pytest.mark.parametrize(
    ("task", "sets"),
    [
        (Nearest(some(3)), 1),
        (Nearest(some(3), within=(True, False)), 1),
        (Nearest(some(2), some(3)), 2),
        (Count(np.ones(300), None, rows=np.zeros(300, np.int64)), 1),
        (LargestRatio(np.ones(300), np.zeros(300)), 1),
    ],
    ids=lambda task: type(task).__name__,
)
def test_few_tasks_are_in_flight_and_the_bar_advances_by_all_pairs(task, sets):
    cluster, bar = Watched(), Listening()
    x, y = (sharded(points, CUTS, cluster, part_rows=70) for points in (X, Y))
    answer_by_blocks(x, [x, y][:sets], [task], Resources(1, progress=bar))
    assert sum(bar.steps) == 300 * 300 * sets
    assert cluster.most <= 6
    assert cluster.waiting == 0
    assert cluster.cancelled is None


class Lost:
    """A partition that cannot be loaded."""

    def load(self):
        raise OSError("real-5.npy: no such file")


def test_an_error_cancels_tasks_in_flight():
    cluster = Watched()
    x = sharded(X, CUTS, cluster, part_rows=50)
    x.partitions[5] = Lost()
    with refused(OSError, "real-5.npy: no such file"):
        answer_by_blocks(x, [x], [LargestRatio(np.ones(300), np.zeros(300))], Resources(1))
    assert len(cluster.cancelled) == cluster.waiting - 1 == 5


def test_queries_for_which_lists_fail_are_answered():
    for rows, fallback in ((X, 0), (np.zeros((300, 4)), 300)):
        search = InPieces(even(50), 70)
        assert np.isfinite(search.kth_within(rows, [5])).all()
        assert search.work["fallback"] == fallback
        assert search.work["float32"] > 0
