"""Shapes that the blocks and slices of the engine see, and limits of lists that fail."""

from functools import cache

import numpy as np
import oracles
import pytest
from paths import radii

from prfast.kernels.distances import SAMPLE
from prfast.neighbors import Count, NeighborSearch
from prfast.neighbors.passes import golden_permutation

SHAPES = [(200, 1, 300, "f4"), (1, 200, 300, "f8"), (193, 97, 129, "f4"), (9, 9, 1, "f8")]


@pytest.mark.parametrize(("n", "m", "d", "dtype"), SHAPES)
def test_shapes_around_the_blocks(path, n, m, d, dtype):
    rng = np.random.default_rng([n, m, d])
    refs, queries = rng.normal(size=(n, d)).astype(dtype), rng.normal(size=(m, d))
    d2 = oracles.squared_distances(queries, refs)
    search = NeighborSearch("exact")
    ks = [1, (n + 1) // 2, n]
    assert np.array_equal(search.kth(queries, refs, ks), np.sort(d2, 1)[:, [k - 1 for k in ks]])


@cache
def long_rows(d):
    rng = np.random.default_rng(d)
    refs = rng.normal(size=(350, d)).astype(np.float32)
    queries = rng.normal(size=(101, d)).astype(np.float32)
    return refs, queries, oracles.squared_distances(queries, refs)


@pytest.mark.parametrize("d", [512, 513, 1100])
def test_rows_longer_than_a_slice(some_path, d):
    refs, queries, d2 = long_rows(d)
    search = NeighborSearch("exact")
    assert np.array_equal(search.kth(queries, refs, [3, 30]), np.sort(d2, 1)[:, [2, 29]])
    task = Count(oracles.kth(d2, 5), None, True, np.zeros(101, np.int64), np.zeros(350, np.int64))
    search.count(queries, refs, [task])
    assert (task.rows == 5).all()
    assert task.cols.sum() == 505


def test_many_references_have_first_limits(path):
    """Enough references for a sample, and sorted, so that its order is all that is fair."""
    rng = np.random.default_rng(1)
    refs = np.sort(rng.normal(size=(9000, 2)), axis=0).astype(np.float32)
    queries = refs[::90].copy()
    d2 = np.sort(oracles.squared_distances(queries, refs), 1)
    for ks in ([1], [7, 40], [3000]):
        found = NeighborSearch("exact").kth(queries, refs, ks)
        assert np.array_equal(found, d2[:, [k - 1 for k in ks]])


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
def test_limits_that_are_too_low_are_taken_back(path, near, k):
    refs, search = misleading_set(near), NeighborSearch("exact", n_jobs=2)
    queries = np.random.default_rng(3).normal(size=(50, 3))
    d2 = np.sort(oracles.squared_distances(queries, refs), 1)
    assert np.array_equal(search.kth(queries, refs, [k])[:, 0], d2[:, k - 1])
    assert search.work["fallback"] == (0 if path == "off" else 50)


def test_limits_that_are_too_low_within_a_set_are_taken_back(some_path):
    points = misleading_set(slice(0, SAMPLE), 3000)
    rows = np.flatnonzero(points[:, 0] < 50)
    found, work = radii(points, [600], once=True, threads=1)
    d2 = np.sort(oracles.squared_distances(points, points), 1)
    assert np.array_equal(found[:, 0], d2[:, 600])
    assert some_path == "off" or len(rows) <= work.fallback < 2 * len(rows)  # not the whole set


def test_long_rows_of_many_points_are_sliced_within_a_set(some_path):
    points = np.random.default_rng(6).normal(size=(1200, 1030)).astype(np.float32)
    found = NeighborSearch("exact", n_jobs=2).kth_within(points, [1, 9])
    rows = [0, 95, 96, 1055, 1199]
    d2 = np.sort(oracles.squared_distances(points[rows], points), 1)
    assert np.array_equal(found[rows], d2[:, [1, 9]])


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
