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
from shards import sharded
from truth import Truth, check_counted, check_counts, check_kth, check_union, check_within, tasks_of

from prfast.distributed.block_engine import answer_by_blocks
from prfast.neighbors import NeighborSearch
from prfast.neighbors.tasks import Nearest, Resources


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


@st.composite
def any_cuts(draw):
    """Draw partitions of any sizes, some without rows."""
    cuts = draw(st.lists(st.floats(0, 1), max_size=9))
    return lambda n: sorted(int(c * n) for c in cuts)


@given(any_cuts(), st.integers(20, 150), st.sampled_from(["normal", "few values", "each twice"]))
@examples(6)
def test_any_partitions(cuts, rows, kind):
    check_all(truth(kind, 120, 70), InPieces(cuts, rows, n_jobs=1), [1, 9])


def test_queries_for_which_lists_fail_are_answered():
    points = np.random.default_rng(0).normal(size=(300, 6)).astype(np.float32)
    for rows, fallback in ((points, 0), (np.zeros((300, 4)), 300)):
        search = InPieces(even(50), 70)
        assert np.isfinite(search.kth_within(rows, [5])).all()
        assert search.work["fallback"] == fallback
        assert search.work["float32"] > 0


def test_the_bar_advances_by_all_pairs():
    bar = Listening()
    x = sharded(truth("normal").x, range(50, 260, 50), part_rows=70)
    task = Nearest(np.array([2]), np.array([3]))
    answer_by_blocks(x, [x, x], [task], Resources(1, progress=bar))
    assert sum(bar.steps) == 2 * 260 * 260
