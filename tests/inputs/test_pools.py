"""Threads end with the call that started them, also one that is interrupted."""

import contextlib
import gc
import itertools
import os
import signal
import threading
import time
import warnings
import weakref

import pytest
from interrupts import interrupted_at_each_step

from prfast.inputs import pools
from prfast.inputs.pools import pool, running


def wait_for_none():
    """Threads that nobody has counted end on their own, soon."""
    until = time.monotonic() + 5
    while running() and time.monotonic() < until:
        time.sleep(0.001)
    assert running() == 0


def slow(done):
    time.sleep(0.1)
    done.append(1)


def test_results_are_those_of_the_calls_in_their_order():
    begun = []
    with pool(3, lambda: begun.append(1)) as many:
        assert list(many.map(abs, range(-50, 0))) == [*range(50, 0, -1)]
        assert many.submit(divmod, 7, 2).result() == (3, 1)
    assert 1 <= len(begun) <= 3  # one that begins when all is done does nothing
    assert running() == 0


def test_an_error_of_a_call_is_raised_and_the_rest_is_not_done():
    done = []

    def call(i):
        slow(done)
        return 1 // i

    with pytest.raises(ZeroDivisionError), pool(1) as many:
        list(many.map(call, range(50)))
    assert running() == 0
    assert len(done) < 5


def test_an_error_of_the_beginning_is_that_of_every_call():
    with pool(2, lambda: 1 // 0) as many:
        for task in [many.submit(abs, i) for i in range(3)]:
            with pytest.raises(ZeroDivisionError):
                task.result()


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("ahead", [0, 1, 4])
def test_no_more_results_wait_than_are_asked_for(threads, ahead):
    begun = []
    with pool(threads) as many:
        found = many.map(begun.append, range(100), ahead=ahead)
        for taken in range(1, 20):
            assert next(found) is None
            time.sleep(0.002)
            assert taken <= len(begun) < taken + (1 + ahead) * threads
    assert running() == 0


def test_what_nobody_will_do_is_refused():
    ended = pytest.raises(RuntimeError, match="the threads have ended")
    with pool(1) as many:
        begun = many.submit(slow, [])
        waiting = many.submit(abs, -1)
        rest = many.map(abs, range(3), ahead=0)
        time.sleep(0.02)
    assert begun.result() is None
    with ended:
        waiting.result()
    with ended:
        many.submit(abs, 1)
    with ended:
        list(rest)


def test_a_thread_that_begins_when_nobody_waits_for_it_does_nothing(monkeypatch):
    late, begun = [], []

    def interrupted(call, arguments):
        late.append(call)
        raise KeyboardInterrupt

    monkeypatch.setattr(pools, "start_new_thread", interrupted)
    with pytest.raises(KeyboardInterrupt), pool(2, lambda: begun.append(1)):
        pass
    late[0]()
    assert not begun
    assert running() == 0


@pytest.mark.parametrize("fails", [False, True])
def test_what_a_call_had_is_let_go_of(fails):
    """Without the garbage collector: it may be all that there is memory for."""

    class Large:
        pass

    def call(large):
        one = weakref.ref(large)
        if fails:
            raise MemoryError(one)
        return one

    gc.disable()
    try:
        with pool(1) as many:
            task = many.submit(call, Large())
            try:
                one = task.result()
            except MemoryError as error:
                one = error.args[0]
            del task
            assert one() is None
    finally:
        gc.enable()


def calls():
    with pool(3) as many:
        with pytest.raises(ZeroDivisionError):
            many.submit(divmod, 1, 0).result()
        return list(many.map(abs, range(-20, 0)))


@pytest.mark.parametrize("there", [0, 1])
def test_where_the_system_refuses_threads_the_others_or_the_caller_do_the_work(monkeypatch, there):
    start, left = pools.start_new_thread, itertools.count()

    def refused(*arguments):
        if next(left) >= there:
            raise RuntimeError("can't start new thread")
        return start(*arguments)

    monkeypatch.setattr(pools, "start_new_thread", refused)
    said = f"n_jobs: 3 threads wanted, the system starts {there} at most; 1 used"
    with pytest.warns(RuntimeWarning, match=said) as met:
        found = calls()
    assert found == [*range(20, 0, -1)]
    assert met[0].filename == __file__
    assert running() == 0


@pytest.mark.parametrize("files", [(pools,), (pools, contextlib)])
def test_an_interrupt_at_any_step_leaves_no_thread(files):

    def call():
        with pool(2) as many:
            assert list(many.map(abs, [-1, -2, -3])) == [1, 2, 3]

    steps = late = 0
    for _ in interrupted_at_each_step(call, *files):
        late += running() > 0
        wait_for_none()
        steps += 1
    assert steps > 50
    assert late <= 4  # between a start and its count, and within contextlib


def test_threads_are_waited_for_though_the_waiting_is_interrupted(monkeypatch):
    done, sleep = [], time.sleep

    def interrupted(seconds):
        monkeypatch.setattr(pools.time, "sleep", sleep)
        raise KeyboardInterrupt

    def one_call():
        with pool(2) as many:
            both = threading.Barrier(3)
            for _ in range(2):
                many.submit(lambda: (both.wait(), sleep(0.1), done.append(1)))
            both.wait()
            monkeypatch.setattr(pools.time, "sleep", interrupted)

    with pytest.raises(KeyboardInterrupt):
        one_call()
    assert running() == 0
    assert done == [1, 1]


def test_a_signal_ends_the_waiting_for_a_result_and_not_the_call_that_runs():
    if not hasattr(signal, "pthread_kill"):
        pytest.skip("the system has no signals for threads")
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("the main thread alone is interrupted")
    done, was = [], signal.signal(signal.SIGUSR1, signal.default_int_handler)

    def send():
        time.sleep(0.1)  # by now it waits
        signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)
        slow(done)

    def two_calls():
        with pool(1) as many:
            many.submit(send)
            many.submit(slow, done).result()

    try:
        with pytest.raises(KeyboardInterrupt):
            two_calls()
    finally:
        signal.signal(signal.SIGUSR1, was)
    assert running() == 0
    assert done == [1]  # what has not begun is not done


def test_nothing_is_said_where_all_are_started():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pool(2) as many:
            assert many.threads == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_child_of_fork_waits_for_none():
    with pool(2) as many:
        many.submit(abs, -1).result()
        child = os.fork()
        if child == 0:
            try:
                many.end()
            finally:
                os._exit(running())
    until = time.monotonic() + 10
    ended = (0, 0)
    while not ended[0] and time.monotonic() < until:
        ended = os.waitpid(child, os.WNOHANG)
        time.sleep(0.01)
    assert ended == (child, 0)
