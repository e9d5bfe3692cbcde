"""Threads end with their block, also after an error or an interrupt; locks; cached properties."""

import os
import signal
import threading
import time

import pytest
from helpers import at_once

from prfast.inputs import concurrency
from prfast.inputs.concurrency import bounded_results, cached_property, lock, thread_pool


@pytest.fixture(autouse=True)
def no_thread_is_left():
    before = threading.active_count()
    yield
    assert threading.active_count() == before


def slow(done):
    time.sleep(0.1)
    done.append(1)


@pytest.mark.parametrize(("threads", "most"), [(1, 1), (3, 2)])
def test_calls_are_begun_no_earlier_than_their_number_allows(threads, most):
    begun = []
    with thread_pool(threads) as executor:
        results = bounded_results((executor.submit(begun.append, i) for i in range(100)), most)
        for consumed in range(1, 20):
            assert next(results) is None
            time.sleep(0.002)
            assert consumed <= len(begun) < consumed + most


def test_a_map_that_is_closed_cancels_what_has_not_begun():
    done = []
    with thread_pool(1) as executor:
        results = bounded_results(executor.submit(slow, done) for _ in range(50))
        next(results)
        results.close()
        assert executor.submit(len, done).result() < 5


def test_threads_that_lock_one_object_wait_for_each_other():
    thing, inside, most = object(), [], []

    def call():
        for _ in range(20):
            with lock(thing):
                inside.append(1)
                most.append(len(inside))
                time.sleep(0.0005)  # others run
                inside.pop()

    at_once([call] * 3)
    assert max(most) == 1
    assert len(most) == 60
    assert not concurrency._locks


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_child_of_fork_may_lock_what_another_thread_had_locked():
    thing, inside, leave = object(), threading.Event(), threading.Event()

    def hold():
        with lock(thing):
            inside.set()
            leave.wait(60)

    holder = threading.Thread(target=hold)
    holder.start()
    assert inside.wait(60)
    child = os.fork()
    if child == 0:
        signal.alarm(20)  # instead of waiting for ever
        with lock(thing):
            os._exit(7)
    leave.set()
    holder.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


class Counted:
    """It counts how often its value was computed."""

    times = 0

    @cached_property
    def value(self):
        """Its value."""
        self.times += 1
        return 7


def test_the_value_is_computed_once_and_described():
    counted = Counted()
    assert [counted.value, counted.value, counted.times] == [7, 7, 1]
    assert Counted.value.__doc__ == "Its value."
