"""Approximate neighbors: never too small, mostly right."""

import numpy as np
import pytest

from prfast.neighbors import Count, NeighborSearch


@pytest.fixture(scope="module")
def approximate():
    pytest.importorskip("pynndescent", reason="the extra 'ann' is not installed")
    rng = np.random.default_rng(0)
    return rng.normal(size=(3000, 8)).astype(np.float32), rng.normal(size=(2000, 8))


@pytest.mark.filterwarnings("default")  # of numba, which pynndescent is built on
def test_approximate_distances_are_never_too_small_and_mostly_right(approximate):
    x, y = approximate
    search = NeighborSearch("approximate")
    for result, exact in (
        (search.kth(y, x, [5]), NeighborSearch("exact").kth(y, x, [5])),
        (search.kth_within(x, [5]), NeighborSearch("exact").kth_within(x, [5])),
    ):
        assert (result >= exact).all()
        assert (result == exact).mean() > 0.95
    t = NeighborSearch("exact").kth(y, x, [5])[:, 0]
    task = Count(t, None, True, np.zeros(2000, np.int64), np.zeros(3000, np.int64))
    search.run(y, [x], [task])
    assert task.rows.max() <= 5
    assert task.rows.mean() > 4.9
    assert task.cols.sum() == task.rows.sum()
