"""Settings, which engine answers, limits of lists that fail, pairs computed once."""

import numpy as np
import oracles
import pytest
from paths import radii
from refusals import refusals, refused

from prfast import metrics
from prfast.kernels.distances import PANEL, SAMPLE, Lists
from prfast.neighbors import NeighborSearch
from prfast.neighbors.exact import rounds
from prfast.neighbors.passes import Pass, golden_permutation
from prfast.neighbors.tasks import Nearest, Resources

test_settings_are_checked = refusals("""
NeighborSearch(backend="fast")
    ValueError: backend: one of 'auto', 'exact', 'tree', 'approx
NeighborSearch(memory=10)
    ValueError: memory: an integer of at least 1000000 expected, got 10
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


def test_blocks_of_a_set_give_its_first_limits():
    n = 2000
    points = np.random.default_rng(0).normal(size=(n, 3))
    kernel_pass = Pass(points, points, Resources(1), within=True)
    kernel_pass.load(0, n, 1)
    lists, bounds = Lists(n, 6, 2 * n), kernel_pass.int8_bounds()
    kernel_pass.lower_limits(lists, np.zeros(n, np.int64), bounds, 1)
    kernel_pass.symmetric(lists, np.array([[0, n, 0, n]]), bounds, 1)
    sizes, *_ = lists.to_arrays(n)
    assert sizes.max() < n / 2, "without limits each list has all other points"


@pytest.mark.parametrize("n", [97, 5000, 10_000])
def test_threads_have_parts_of_about_one_size(n):
    first, end, *_ = next(rounds(n, 8)).T
    assert np.array_equal(first, np.append(0, end[:-1]))
    assert end[-1] == n
    assert np.ptp(end - first) < 2 * PANEL


def test_many_points_in_few_dimensions_are_counted_by_a_tree_as_exactly():
    real, fake = np.random.default_rng(0).random((2, 26_000, 1), np.float32)
    by_tree, by_pairs = (
        metrics(real, fake, 1, "precision", backend=name) for name in ("auto", "exact")
    )
    assert by_tree == by_pairs
