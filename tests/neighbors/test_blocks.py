"""Limits of lists that fail, and pairs within a set that are computed once."""

import numpy as np
import oracles
import pytest
from paths import radii

from prfast.kernels.distances import SAMPLE
from prfast.neighbors import NeighborSearch
from prfast.neighbors.passes import golden_permutation


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
    assert some_path == "off" or len(rows) <= work.fallback < 2 * len(rows)  # not the whole set


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
