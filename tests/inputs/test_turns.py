"""One thread at a time: with an object, and with a filter of warnings, which comes off again."""

import os
import threading
import time
import warnings

import numpy as np
import pytest
from at_once import at_once

from prfast.inputs import turns
from prfast.inputs.turns import alone, filtered
from prfast.scorers.auto.gaussians import _fitted


def test_of_two_threads_one_at_a_time_is_alone_with_an_object():
    thing, inside, most = object(), [], []

    def call():
        for _ in range(20):
            with alone(thing):
                inside.append(1)
                most.append(len(inside))
                time.sleep(0.0005)  # others run
                inside.pop()

    at_once([call] * 3)
    assert max(most) == 1
    assert len(most) == 60
    assert turns._turns == {}


def test_with_different_objects_nobody_waits():
    met = threading.Barrier(2)

    def call(thing):
        with alone(thing):
            met.wait(60)  # both are inside

    at_once([lambda: call(object()), lambda: call([])])


def test_a_thread_that_is_alone_with_an_object_may_be_so_again():
    thing = object()
    with alone(thing), alone(thing):
        pass
    assert turns._turns == {}


def test_an_error_ends_a_turn():
    thing = object()
    with pytest.raises(KeyError), alone(thing):
        raise KeyError
    assert turns._turns == {}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_child_of_fork_has_its_turn_whoever_had_it_before():
    thing, inside, leave = object(), threading.Event(), threading.Event()

    def hold():
        with alone(thing):
            inside.set()
            leave.wait(60)

    holder = threading.Thread(target=hold)
    holder.start()
    assert inside.wait(60)
    child = os.fork()
    if child == 0:
        with alone(thing):
            os._exit(7)
    leave.set()
    holder.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_fewer_distinct_rows_than_cells_are_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _fitted(np.repeat(np.eye(3), 20, axis=0), 5, True, 0)


def test_the_last_of_two_threads_leaves_no_filter_behind():
    before = list(warnings.filters)
    entered, leave = threading.Event(), threading.Event()

    def first():
        with filtered("ignore"):
            entered.set()
            leave.wait(10)

    def second():
        with filtered("error", "no such text"):
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


def test_a_filter_is_of_its_message():
    with filtered("error", "so much"):
        with pytest.raises(UserWarning, match="so much is wrong"):
            warnings.warn("so much is wrong", stacklevel=1)
        with pytest.warns(UserWarning, match="little"):
            warnings.warn("little", stacklevel=1)
