"""Tasks a few at a time, and rows that are taken where they are."""

import numpy as np
import pytest
from shards import Pickling, sharded

from prfast.distributed import partitions as module
from prfast.distributed.partitions import AHEAD, in_turn, taken

ROWS = np.arange(60, dtype=np.float32).reshape(20, 3)


@pytest.mark.parametrize("cuts", [(), (7,), (1, 2, 2, 19), range(1, 20)])
@pytest.mark.parametrize("size", [1, 5, 1000])
def test_rows_are_taken_from_whichever_pieces_they_are_in(cuts, size, monkeypatch):
    monkeypatch.setattr(module, "BYTES", 12 * size)
    points = sharded(ROWS, cuts, Pickling())
    for rows in ([0], [19], [], [2, 3, 6, 7, 18], range(20)):
        wanted = np.array(rows, np.int64)
        found = points.take(wanted)
        assert found.dtype == np.float32
        assert np.array_equal(found, ROWS[wanted])
        kept = points.cluster.gather(taken(points, wanted))
        assert np.array_equal(np.concatenate([ROWS[:0], *kept]), ROWS[wanted])


def test_rows_in_units_of_an_exponent_are_read_in_it():
    points = sharded(ROWS, (4,)).scaled(3)
    assert np.array_equal(points.take(np.array([3, 5])), ROWS[[3, 5]].astype(np.float64) / 8)


def test_groups_without_a_row_that_is_wanted_are_left_alone(monkeypatch):
    monkeypatch.setattr(module, "BYTES", 12 * 5)
    cluster = Pickling()
    sharded(ROWS, (5, 10, 15), cluster).take(np.array([6, 7, 12]))
    assert cluster.tasks == 2


def _square(x):
    if x == 13:
        raise ArithmeticError("thirteen")
    return x * x


def test_tasks_are_submitted_a_few_ahead_and_answered_in_order():
    cluster = Pickling(threads=2)
    found = []
    for one in in_turn(cluster, _square, ((x + 20,) for x in range(30))):
        found.append(one)
        assert cluster.tasks <= len(found) + 2 * AHEAD
        assert len(cluster.running) < 2 * AHEAD
    assert found == [(x + 20) ** 2 for x in range(30)]
    assert not cluster.running


@pytest.mark.parametrize("late", [0, 5])
def test_an_error_leaves_no_task_behind(late):
    cluster = Pickling()
    with pytest.raises(ArithmeticError, match="thirteen"):
        list(in_turn(cluster, _square, ((x,) for x in range(13 - late, 40))))
    assert len(cluster.running) <= 1  # the one that failed


def test_who_stops_asking_leaves_no_task_behind():
    cluster = Pickling()
    turns = in_turn(cluster, _square, ((x,) for x in range(10)))
    assert next(turns) == 0
    turns.close()
    assert not cluster.running
