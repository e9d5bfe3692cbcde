"""Threads end with the block that started them, also when a call fails or is interrupted."""

import gc
import itertools
import os
import signal
import threading
import time
import warnings
import weakref
from concurrent.futures import BrokenExecutor, CancelledError

import pytest

from prfast.inputs.executor import bounded_map, thread_pool


@pytest.fixture(autouse=True)
def no_thread_is_left():
    before = threading.active_count()
    yield
    assert threading.active_count() == before


def slow(done):
    time.sleep(0.1)
    done.append(1)


def test_results_come_in_the_order_of_the_arguments():
    initialized = []
    with thread_pool(3, lambda: initialized.append(threading.get_ident())) as executor:
        assert list(bounded_map(executor, abs, range(-50, 0))) == [*range(50, 0, -1)]
        assert executor.submit(divmod, 7, 2).result() == (3, 1)
    assert len({*initialized} - {threading.get_ident()}) == len(initialized) == 3


def test_an_error_of_a_call_is_raised_and_the_rest_is_not_done():
    done = []

    def call(i):
        slow(done)
        return 1 // i

    with pytest.raises(ZeroDivisionError), thread_pool(1) as executor:
        list(bounded_map(executor, call, range(50)))
    assert len(done) < 5


@pytest.mark.filterwarnings("error")
def test_an_initializer_that_fails_is_an_error():
    with pytest.raises(BrokenExecutor), thread_pool(2, lambda: 1 // 0) as executor:
        executor.submit(abs, 1).result()


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("most", [1, 2, 12])
def test_calls_are_begun_no_earlier_than_their_number_allows(threads, most):
    begun = []
    with thread_pool(threads) as executor:
        results = bounded_map(executor, begun.append, range(100), most)
        for taken in range(1, 20):
            assert next(results) is None
            time.sleep(0.002)
            assert taken <= len(begun) < taken + most


def test_a_map_that_is_closed_cancels_what_has_not_begun():
    done = []
    with thread_pool(1) as executor:
        results = bounded_map(executor, lambda _: slow(done), range(50))
        next(results)
        results.close()
    assert len(done) < 5


def test_the_end_of_the_block_waits_for_calls_that_run_and_cancels_the_others():
    with thread_pool(1) as executor:
        running = executor.submit(slow, [])
        waiting = executor.submit(abs, -1)
        time.sleep(0.02)
    assert running.result() is None
    with pytest.raises(CancelledError):
        waiting.result()


@pytest.mark.parametrize("fails", [False, True])
def test_arguments_of_a_call_are_freed_without_the_garbage_collector(fails):
    class Large:
        pass

    def call(large):
        one = weakref.ref(large)
        if fails:
            raise MemoryError(one)
        return one

    gc.disable()
    try:
        with thread_pool(1) as executor:
            future = executor.submit(call, Large())
            try:
                one = future.result()
            except MemoryError as error:
                one = error.args[0]
            del future
            assert one() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("allowed", [0, 1])
def test_where_the_system_refuses_threads_the_others_or_the_caller_do_the_work(
    monkeypatch, allowed
):
    start, number = threading.Thread.start, itertools.count()

    def refused(thread):
        if next(number) >= allowed:
            raise RuntimeError("can't start new thread")
        start(thread)

    def calls():
        with thread_pool(3) as executor:
            with pytest.raises(ZeroDivisionError):
                executor.submit(divmod, 1, 0).result()
            return list(bounded_map(executor, abs, range(-20, 0), 6))

    monkeypatch.setattr(threading.Thread, "start", refused)
    message = f"n_jobs: 3 threads wanted, the system starts {allowed} at most; 1 used"
    with pytest.warns(RuntimeWarning, match=message) as met:
        results = calls()
    assert results == [*range(20, 0, -1)]
    assert met[0].filename == __file__


def test_nothing_is_said_where_all_are_started():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with thread_pool(2) as executor:
            assert executor.submit(abs, -1).result() == 1


def test_a_signal_ends_the_waiting_for_a_result_and_not_the_call_that_runs():
    if not hasattr(signal, "pthread_kill"):
        pytest.skip("the system has no signals for threads")
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("only the main thread is interrupted")
    done, was = [], signal.signal(signal.SIGUSR1, signal.default_int_handler)

    def send():
        time.sleep(0.1)  # by now the main thread waits
        signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)
        slow(done)

    def two_calls():
        with thread_pool(1) as executor:
            executor.submit(send)
            executor.submit(slow, done).result()

    try:
        with pytest.raises(KeyboardInterrupt):
            two_calls()
    finally:
        signal.signal(signal.SIGUSR1, was)
    assert done == [1]  # the call that has not begun is cancelled


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_child_of_fork_that_leaves_the_block_waits_for_no_thread():
    child = None
    with thread_pool(2) as executor:
        executor.submit(abs, -1).result()
        child = os.fork()
        if child == 0:
            signal.alarm(20)  # instead of waiting for ever
    if child == 0:
        os._exit(threading.active_count() - 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
