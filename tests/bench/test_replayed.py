"""The model of clusters that are not there, where its answer can be told without it."""

import pytest

from bench.recorded import Recorded, Task
from bench.replayed import Machines, replay

FREE = {"submit": 0.0, "bytes_a_second": 1e30}


def alone(seconds=1.0, rows=(), returned=0, after=(), rest=()):
    return Task("f", tuple(after), seconds, returned, dict(rows), 0, tuple(rest))


def double(x):
    return 2 * x


def add(some):
    return sum(some)


def test_one_thread_takes_the_sum_and_as_many_as_tasks_the_longest():
    tasks = [alone(seconds) for seconds in (1.0, 2.0, 4.0)]
    assert replay(tasks, Machines(1, **FREE)).seconds == 7
    assert replay(tasks, Machines(3, **FREE)).seconds == 4
    assert replay(tasks, Machines(1, threads=3, **FREE)).seconds == 4


def test_a_task_waits_for_those_that_it_is_given():
    tasks = [alone(1.0), alone(2.0), alone(1.0, after=[0, 1])]
    assert replay(tasks, Machines(9, **FREE)).seconds == 3


def test_the_caller_submits_no_more_before_it_has_what_it_waits_for():
    tasks = [alone(1.0), alone(5.0), alone(1.0, rest=[0])]
    assert replay(tasks, Machines(9, **FREE)).seconds == 5
    assert replay([alone(1.0), alone(1.0, rest=[0])], Machines(9, **FREE)).seconds == 2


def test_a_caller_is_not_faster_than_it_submits():
    found = replay([alone(0.0)] * 100, Machines(50, submit=0.01))
    assert found.seconds == pytest.approx(1.0)


def test_the_window_holds_tasks_back():
    tasks = [alone(1.0)] * 4
    assert replay(tasks, Machines(4, window=1, **FREE)).seconds == 1
    first = [alone(1.0, after=[]), *[alone(1.0, after=[0])] * 3]
    assert replay(first, Machines(1, threads=4, window=6, **FREE)).seconds == 2


def test_rows_are_fetched_once_by_each_machine_over_its_link():
    tasks = [alone(1.0, rows={(0, 0, 9): 100}.items())] * 2
    slow = {"submit": 0.0, "bytes_a_second": 50.0}
    assert replay(tasks, Machines(1, **slow)) == (4, 0.5, 100)
    assert replay(tasks, Machines(2, **slow)).bytes == 200


def test_a_task_goes_to_the_machine_that_has_what_it_needs():
    tasks = [alone(1.0, returned=1000), alone(1.0), alone(1.0, after=[0], rest=[0, 1])]
    assert replay(tasks, Machines(2, submit=0.0, bytes_a_second=1.0)).bytes == 0


def test_a_recorded_cluster_says_what_waits_for_what_and_what_was_returned():
    cluster = Recorded()
    found = [cluster.submit(double, i) for i in range(3)]
    whole = cluster.submit(add, found)
    assert cluster.gather([whole]) == [6]
    cluster.submit(double, whole)
    assert [task.name for task in cluster.tasks] == ["double"] * 3 + ["add", "double"]
    assert [task.after for task in cluster.tasks] == [(), (), (), (0, 1, 2), (3,)]
    assert [task.rest for task in cluster.tasks[-2:]] == [(), (3,)]
