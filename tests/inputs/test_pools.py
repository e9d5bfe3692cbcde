"""Threads end with the call that started them, wherever an interrupt falls."""

import threading
import time

import pytest

from prfast.inputs.pools import pool, wait


class Interrupts:
    """One in a method of a thread: before it or after it, the n-th time it is called."""

    def __init__(self, monkeypatch, name, at, after):
        self.left, self.met, method = at, False, getattr(threading.Thread, name)

        def called(thread, *arguments):
            self.left -= 1
            now = self.left == 0
            if now and not after:
                self.met = True
                raise KeyboardInterrupt
            method(thread, *arguments)
            if now:
                self.met = True
                raise KeyboardInterrupt

        monkeypatch.setattr(threading.Thread, name, called)


def slow(done):
    time.sleep(0.1)
    done.append(1)


def test_results_are_those_of_the_calls():
    begun = []
    with pool(3, lambda: begun.append(1)) as many:
        assert list(many.map(abs, range(-5, 0))) == [5, 4, 3, 2, 1]
    assert 1 <= len(begun) <= 3


def test_a_thread_that_the_executor_has_not_noted_is_waited_for(monkeypatch):
    """An interrupt inside `start`: the thread runs, and has taken a call."""
    before, done = threading.active_count(), []
    interrupts = Interrupts(monkeypatch, "start", at=2, after=True)
    with pytest.raises(KeyboardInterrupt), pool(2) as many:
        list(many.map(slow, [done] * 50))
    assert interrupts.met
    assert threading.active_count() == before
    assert len(done) < 5  # what has not begun is not done


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("at", [1, 2, 3])
def test_threads_are_waited_for_though_the_waiting_is_interrupted(monkeypatch, at, after):
    before = threading.active_count()
    interrupts = Interrupts(monkeypatch, "join", at, after)
    with pytest.raises(KeyboardInterrupt), pool(2) as many:
        list(many.map(slow, [[], []]))
    assert interrupts.met
    assert threading.active_count() == before


def test_an_error_of_a_call_is_raised_and_the_rest_is_not_done():
    before, done = threading.active_count(), []

    def call(i):
        slow(done)
        return 1 // i

    with pytest.raises(ZeroDivisionError), pool(1) as many:
        list(many.map(call, range(50)))
    assert threading.active_count() == before
    assert len(done) < 5


def test_a_thread_that_begins_late_is_waited_for():
    """`start` has been left, the thread has not come up yet."""
    done = []
    late = threading.Thread(target=slow, args=(done,))
    threading.Timer(0.05, late.start).start()
    wait([late])
    assert done == [1]


def test_a_thread_that_never_begins_is_not_waited_for_long():
    start = time.monotonic()
    wait([threading.Thread(target=int)])
    assert 0.9 < time.monotonic() - start < 5
