"""One thread at a time uses an object, or changes the filters of warnings."""

import os
import signal
import threading
import time
import warnings

import numpy as np
import pytest
from at_once import at_once

from prfast.inputs import concurrency
from prfast.inputs.concurrency import lock, warning_filter
from prfast.methods.auto.gaussians import _fitted


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


def test_threads_that_lock_different_objects_do_not_wait():
    met = threading.Barrier(2)

    def call(thing):
        with lock(thing):
            met.wait(60)  # both are inside

    at_once([lambda: call(object()), lambda: call([])])


def test_a_thread_may_lock_an_object_again():
    thing = object()
    with lock(thing), lock(thing):
        pass
    assert not concurrency._locks


def test_an_error_releases_the_lock():
    thing = []
    with pytest.raises(KeyError) as error, lock(thing):
        raise KeyError

    def again():
        with lock(thing):
            return 7

    assert at_once([again]) == [7]
    assert error.tb is not None  # though its frames are there


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


def test_fewer_distinct_rows_than_cells_are_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _fitted(np.repeat(np.eye(3), 20, axis=0), 5, True, 0)


def test_two_threads_leave_no_filter_behind():
    before = list(warnings.filters)
    entered, leave = threading.Event(), threading.Event()

    def first():
        with warning_filter("ignore"):
            entered.set()
            leave.wait(10)

    def second():
        with warning_filter("error", "no such text"):
            first_thread.join(0.1)  # without a lock the first leaves meanwhile

    first_thread, second_thread = (threading.Thread(target=one) for one in (first, second))
    first_thread.start()
    assert entered.wait(10)
    second_thread.start()
    second_thread.join(0.05)
    leave.set()
    first_thread.join(), second_thread.join()
    assert warnings.filters == before
    with pytest.warns(UserWarning, match="heard"):
        warnings.warn("heard", stacklevel=1)


def test_a_filter_matches_its_message():
    with warning_filter("error", "so much"):
        with pytest.raises(UserWarning, match="so much is wrong"):
            warnings.warn("so much is wrong", stacklevel=1)
        with pytest.warns(UserWarning, match="little"):
            warnings.warn("little", stacklevel=1)
