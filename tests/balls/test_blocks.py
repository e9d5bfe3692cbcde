"""Shapes that the blocks and slices of the engine see, and guesses that fail."""

import numpy as np
import oracles
import pytest
from paths import radii

from prfast.balls import Count, Search


@pytest.mark.parametrize(("n", "m", "d"), [(200, 1, 300), (1, 200, 300), (193, 97, 129), (9, 9, 1)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_shapes_around_the_blocks(path, n, m, d, dtype):
    rng = np.random.default_rng([n, m, d])
    refs, queries = rng.normal(size=(n, d)).astype(dtype), rng.normal(size=(m, d))
    d2 = oracles.squared_distances(queries, refs)
    search = Search("exact")
    ks = [1, (n + 1) // 2, n]
    assert np.array_equal(search.kth(queries, refs, ks), np.sort(d2, 1)[:, [k - 1 for k in ks]])


@pytest.mark.parametrize("d", [511, 512, 513, 1100, 2048])
def test_rows_longer_than_a_slice(path, d):
    rng = np.random.default_rng(d)
    refs = rng.normal(size=(350, d)).astype(np.float32)
    queries = rng.normal(size=(101, d)).astype(np.float32)
    d2 = oracles.squared_distances(queries, refs)
    search = Search("exact")
    assert np.array_equal(search.kth(queries, refs, [3, 30]), np.sort(d2, 1)[:, [2, 29]])
    task = Count(oracles.kth(d2, 5), None, True, np.zeros(101, np.int64), np.zeros(350, np.int64))
    search.count(queries, refs, [task])
    assert (task.rows == 5).all()
    assert task.cols.sum() == 505


def test_many_references_use_a_guessed_threshold(path):
    """Enough references for the sample; sorted, so that the sample is all that is fair."""
    rng = np.random.default_rng(1)
    refs = np.sort(rng.normal(size=(9000, 2)), axis=0).astype(np.float32)
    queries = refs[::90].copy()
    d2 = np.sort(oracles.squared_distances(queries, refs), 1)
    for ks in ([1], [7, 40], [3000]):
        found = Search("exact").kth(queries, refs, ks)
        assert np.array_equal(found, d2[:, [k - 1 for k in ks]])


def misleading_sets(seed):
    """For panels of each size: points of which the sample of a guess sees a cluster, and few of
    all, so that a threshold guessed from it keeps too much out."""
    rng = np.random.default_rng(seed)
    for panel in (8, 16, 32):
        points = rng.normal(size=(9000, 3)) + 100
        panels, sampled = 9000 // panel, 256 // panel
        for p in range(sampled):
            first = panels * p // sampled * panel
            points[first : first + panel] -= 100
        yield points


def test_a_guess_that_fails_is_taken_back(path):
    redone = 0
    for refs in misleading_sets(2):
        queries, search = np.random.default_rng(3).normal(size=(50, 3)), Search("exact")
        d2 = np.sort(oracles.squared_distances(queries, refs), 1)
        assert np.array_equal(search.kth(queries, refs, [600])[:, 0], d2[:, 599])
        redone += search.work["redone"]
    assert redone > 0 or path == "unfiltered"


def test_a_guess_that_fails_within_a_set_is_taken_back(path):
    redone = 0
    for points in misleading_sets(12):
        rows = np.flatnonzero(points[:, 0] < 50)[::7]
        found, work = radii(points, [600], once=True, threads=2)
        d2 = np.sort(oracles.squared_distances(points[rows], points), 1)
        assert np.array_equal(found[rows, 0], d2[:, 600])
        redone += work.redone
    assert 0 < redone < 9000 or path == "unfiltered"  # blocks, not all of the set


def test_counts_of_a_union_after_guesses_that_fail(path):
    for refs in misleading_sets(4):
        queries = np.random.default_rng(5).normal(size=(40, 3))
        d2 = oracles.squared_distances(queries, refs)
        t = np.sort(d2, 1)[:, 599]
        for closed in (True, False):
            found = Search("exact").union(queries, refs, refs[:10], [], [], [600], closed=closed)
            both = np.sort(np.hstack([d2, d2[:, :10]]), 1)[:, 599]
            assert np.array_equal(found.d2_both[:, 0], both)
            assert (both <= t).all()
            of_refs = oracles.in_ball(d2, both[:, None], closed).sum(1)
            assert np.array_equal(found.of_a[:, 0], of_refs)


def test_long_rows_of_many_points_are_guessed_and_sliced_within_a_set(path):
    points = np.random.default_rng(6).normal(size=(4200, 1030)).astype(np.float32)
    found = Search("exact", n_jobs=2).kth_within(points, [1, 9])
    rows = [0, 95, 96, 2047, 4199]
    d2 = np.sort(oracles.squared_distances(points[rows], points), 1)
    assert np.array_equal(found[rows], d2[:, [1, 9]])


def test_a_symmetric_pass_equals_two_ways_of_computing_each_pair(path):
    """Enough points for guesses and for several rounds, with ties; k of several sizes at once."""
    rng = np.random.default_rng(13)
    points = rng.integers(0, 40, (4500, 3)).astype(np.float32)
    points[::3] += rng.normal(size=(1500, 3)).astype(np.float32)
    ks = [1, 5, 60]
    twice, _ = radii(points, ks, once=False, threads=2, memory=10**8)
    for threads in (1, 2, 3, 7):
        once, _ = radii(points, ks, once=True, threads=threads, memory=10**8)
        assert np.array_equal(once, twice)


def test_memory_maps_are_read_where_they_lie(tmp_path):
    rng = np.random.default_rng(3)
    points = rng.normal(size=(500, 9)).astype(np.float32)
    np.save(tmp_path / "points.npy", points)
    mapped = np.load(tmp_path / "points.npy", mmap_mode="r")
    expected = Search("exact").kth_within(points, [4])
    assert np.array_equal(Search("exact").kth_within(mapped, [4]), expected)
