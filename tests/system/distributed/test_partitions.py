"""Rows of partitioned sets, and the bounded map over tasks."""

import numpy as np
import pytest
from shards import Pickling, sharded

from prfast.distributed import partitions
from prfast.distributed.partitions import AHEAD, gather_rows, map_tasks

ROWS = np.arange(60, dtype=np.float32).reshape(20, 3)


@pytest.mark.parametrize("cuts", [(), (7,), (1, 2, 2, 19), range(1, 20)])
@pytest.mark.parametrize("size", [1, 5, 1000])
def test_an_index_returns_rows_of_any_partitions(cuts, size, monkeypatch):
    monkeypatch.setattr(partitions, "BYTES", 12 * size)
    points = sharded(ROWS, cuts, Pickling())
    for index in ([0], [19], [], [2, 3, 6, 7, 18], range(20)):
        rows = np.array(index, np.int64)
        rows_taken = points[rows]
        assert rows_taken.dtype == np.float32
        assert np.array_equal(rows_taken, ROWS[rows])
        on_workers = points.cluster.gather(gather_rows(points, rows))
        assert np.array_equal(np.concatenate([ROWS[:0], *on_workers]), ROWS[rows])


def _square(x):
    if x == 13:
        raise ArithmeticError("thirteen")
    return x * x


def test_map_tasks_yields_in_order_with_few_tasks_ahead():
    cluster = Pickling(threads=2)
    results = []
    for result in map_tasks(cluster, _square, ((x + 20,) for x in range(30))):
        results.append(result)
        assert cluster.tasks <= len(results) + 2 * AHEAD
        assert len(cluster.running) < 2 * AHEAD
    assert results == [(x + 20) ** 2 for x in range(30)]
    assert not cluster.running


@pytest.mark.parametrize("late", [0, 5])
def test_map_tasks_cancels_its_tasks_after_an_error(late):
    cluster = Pickling()
    with pytest.raises(ArithmeticError, match="thirteen") as error:
        list(map_tasks(cluster, _square, ((x,) for x in range(13 - late, 40))))
    assert not cluster.running  # although the traceback refers to the handles
    del error


def test_map_tasks_cancels_its_tasks_when_it_is_closed():
    cluster = Pickling()
    squares = map_tasks(cluster, _square, ((x,) for x in range(10)))
    assert next(squares) == 0
    squares.close()
    assert not cluster.running
