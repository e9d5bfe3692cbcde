"""Passes of the kernels, called as the engines call them: what they refuse, what they count."""

import numpy as np
import oracles
import pytest

from prfast.kernels import distances

NONE = np.empty(0, np.int64)
N = 500


@pytest.mark.parametrize("first", [0, 7, 96, 300])
def test_a_query_is_left_out_by_its_place(first):
    """References in another order: own says where a query is among them."""
    points = np.random.default_rng(1).integers(0, 5, (N, 2)).astype(float)
    order = np.random.default_rng(2).permutation(N)
    own = np.argsort(order)
    one = distances.Pass(points, points[order], np.zeros(2), 0.125, N, "base", True, False, own)
    one.load(0, N, 1)
    lists = distances.Lists(N - first, 4, N + 2 * distances.BLOCK)
    lists.begin(first)
    one.scan([], first, N - first, 1, lists)
    told = one.answers(lists, first, N - first, (np.array([1, 3]), NONE, NONE), True, 1)
    expected = np.column_stack([oracles.kth_within(points, k) for k in (1, 3)])
    assert np.array_equal(told["d2"][0], expected[first:])
    assert not told["failed"].any()


@pytest.mark.parametrize("levels", ["dot products", "int8"])
@pytest.mark.parametrize("wanted", [[], [0], [1], [0, 1]])
def test_counts_by_row_and_by_column_are_each_as_wanted(wanted, levels):
    """No task, some tasks with columns, on several threads: who wants nothing gets nothing."""
    points = np.arange(300.0)[:, None]
    one = distances.Pass(points, points, np.zeros(1), 2.0**-9, 300, "base", False, False)
    if levels == "int8":
        one.use_int8(True)
    one.load(0, 300, 2)
    rows = np.zeros((2, 300), np.int64)
    cols = [np.zeros(300, np.int64) if t in wanted else None for t in range(2)]
    t = np.full(300, 4.0)
    tasks = [(t, None, True, rows[0], cols[0]), (None, t, False, rows[1], cols[1])]
    one.scan([], 0, 300, 3)
    one.scan(tasks, 0, 300, 3)
    d2 = (points - points.T) ** 2
    for inside, row, col in zip((d2 <= 4, d2 < 4), rows, cols, strict=True):
        assert np.array_equal(row, inside.sum(1))
        assert col is None or np.array_equal(col, inside.sum(0))
