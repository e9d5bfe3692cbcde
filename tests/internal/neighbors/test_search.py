"""Settings, which engine answers, limits of lists that fail, pairs computed once."""

import numpy as np
import oracles
import pytest
from paths import radii, union
from refusals import refusals, refused

from prfast.kernels.distances import SAMPLE
from prfast.neighbors import Count, NeighborSearch
from prfast.neighbors.exact import symmetric_pays
from prfast.neighbors.passes import golden_permutation
from prfast.neighbors.tasks import Nearest, Resources

test_settings_are_checked = refusals("""
NeighborSearch(backend="fast")
    ValueError: backend: one of 'auto', 'exact', 'tree', 'approx
NeighborSearch(memory=10)
    ValueError: memory: an integer of at least 1000000 expected, got 10
NeighborSearch(memory=1e9)
    TypeError: memory: an integer expected, got a float
""")


def test_an_instruction_set_can_be_named_and_must_exist(monkeypatch):
    monkeypatch.setenv("PRFAST_ISA", "mmx")
    with pytest.raises(ValueError, match=r"PRFAST_ISA: one of base.* expected .* got 'mmx'"):
        NeighborSearch().kth(np.ones((2, 2)), np.ones((2, 2)), [1])


@pytest.mark.parametrize("name", ["on", "", "INT8", "int8,float32"])
def test_a_filter_can_be_named_and_must_exist(monkeypatch, name):
    monkeypatch.setenv("PRFAST_FILTER", name)
    message = f"PRFAST_FILTER: one of auto, head, int8, float32, off expected, got {name!r}"
    with refused(ValueError, message):
        NeighborSearch().kth(np.ones((2, 2)), np.ones((2, 2)), [1])


@pytest.mark.parametrize("dim", [1, 2, 4])
def test_auto_takes_the_tree_for_many_points_of_low_dimension(dim):
    rng = np.random.default_rng(dim)
    x = rng.normal(size=(30_000, dim)).astype(np.float32)
    assert NeighborSearch().engine_name(x, [x], Nearest(np.array([3])), Resources(1)) == "tree"


def test_auto_counts_small_balls_of_many_points_with_the_tree():
    x = np.random.default_rng(0).normal(size=(70_000, 2)).astype(np.float32)
    search = NeighborSearch()
    small, large = (Count(np.full(50, t), None, True, np.zeros(50, np.int64)) for t in (1e-6, 1.0))
    queries = x[:50]
    assert search.engine_name(queries, [x], small, Resources(1)) == "tree"
    assert search.engine_name(queries, [x], large, Resources(1)) == "exact"


@pytest.mark.parametrize("leave_out", [None, "real"])
def test_counts_across_reach_beyond_the_candidates_of_a_tree(leave_out):
    """The k-th of the far set is far beyond the k + 4 candidates in the near one."""
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(400, 2)), rng.normal(size=(400, 2)) + 2
    result = [
        union(NeighborSearch(backend), a, a, b, [3], [3], [3], leave_out=leave_out, across=True)
        for backend in ("exact", "tree")
    ]
    for name in ("across_a", "across_b", "of_a", "of_b"):
        exact, tree = (getattr(found, name) for found in result)
        assert np.array_equal(exact, tree), name
    assert result[0].across_a.max() > 50


# ---- limits of lists -----------------------------------------------------------------------------


def test_many_references_have_first_limits(some_path):
    """Enough references for a sample, and sorted, so that its order is all that is fair."""
    refs = np.sort(np.random.default_rng(1).normal(size=(9000, 2)), axis=0).astype(np.float32)
    queries = refs[::90].copy()
    d2 = np.sort(oracles.squared_distances(queries, refs), 1)
    for ks in ([1], [7, 40], [3000]):
        result = NeighborSearch("exact").kth(queries, refs, ks)
        assert np.array_equal(result, d2[:, [k - 1 for k in ks]])


def misleading_set(near, n=9000):
    """Points far away but for the places `near` of the order in which they are looked at: from
    those it seems that many are near."""
    points = np.random.default_rng(n).normal(size=(n, 3)) + 100
    points[golden_permutation(n)[near]] -= 100
    return points


# Of the sample alone, and of those that come after it: limits that are too low at first, and limits
# that are lowered too far.
MISLEADING = [(slice(0, SAMPLE), 600), (slice(SAMPLE, 1216), 3000)]


@pytest.mark.parametrize(("near", "k"), MISLEADING, ids=["at first", "lowered"])
def test_limits_that_are_too_low_are_taken_back(some_path, near, k):
    refs, search = misleading_set(near), NeighborSearch("exact", n_jobs=2)
    queries = np.random.default_rng(3).normal(size=(50, 3))
    d2 = np.sort(oracles.squared_distances(queries, refs), 1)
    assert np.array_equal(search.kth(queries, refs, [k])[:, 0], d2[:, k - 1])
    assert search.work["fallback"] == (0 if some_path == "off" else 50)


def test_limits_that_are_too_low_within_a_set_are_taken_back(some_path):
    points = misleading_set(slice(0, SAMPLE), 3000)
    rows = np.flatnonzero(points[:, 0] < 50)
    result, work = radii(points, [600], once=True, threads=1)
    d2 = np.sort(oracles.squared_distances(points, points), 1)
    assert np.array_equal(result[:, 0], d2[:, 600])
    assert some_path == "off" or len(rows) <= work["fallback"] < 2 * len(rows)  # not the whole set


def test_a_symmetric_pass_equals_two_ways_of_computing_each_pair(some_path):
    """Enough points for limits and for several rounds, with ties; k of several sizes at once."""
    rng = np.random.default_rng(13)
    points = rng.integers(0, 40, (3000, 3)).astype(np.float32)
    points[::3] += rng.normal(size=(1000, 3)).astype(np.float32)
    ks = [1, 5, 60]
    twice, _ = radii(points, ks, once=False, threads=2, memory=10**8)
    for threads in (1, 3, 7):
        once, _ = radii(points, ks, once=True, threads=threads, memory=10**8)
        assert np.array_equal(once, twice)


@pytest.mark.parametrize(("setting", "pays"), [("int8", False), ("float32", True)])
def test_a_symmetric_pass_does_not_pay_where_int8_decides_nearly_all_pairs(
    monkeypatch, setting, pays
):
    monkeypatch.setenv("PRFAST_FILTER", setting)
    rng = np.random.default_rng(0)
    even = rng.normal(size=(SAMPLE * 8, 300)).astype(np.float32)
    varied = even * rng.exponential(size=(len(even), 1)).astype(np.float32)
    memory = 1 << 28
    assert symmetric_pays(varied, 5, memory) == pays
    for points, k in ((even, 5), (varied, 50), (varied[:, :200], 5)):
        assert symmetric_pays(points, k, memory)
    assert not symmetric_pays(even, 5, 1 << 20)
    assert not symmetric_pays(even[1:], 5, memory)
