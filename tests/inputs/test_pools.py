"""Threads end with the call that started them, also one that is interrupted."""

import signal
import threading
import time

import pytest

from prfast.inputs.pools import new_name, pool, wait


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
            found = method(thread, *arguments)
            if now:
                self.met = True
                raise KeyboardInterrupt
            return found

        monkeypatch.setattr(threading.Thread, name, called)


@pytest.fixture
def interrupting():
    """A function that sends the main thread an interrupt, wherever it is."""
    if not hasattr(signal, "pthread_kill"):
        pytest.skip("the system has no signals for threads")
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("the main thread alone is interrupted")
    was = signal.signal(signal.SIGUSR1, signal.default_int_handler)
    yield lambda: signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)
    signal.signal(signal.SIGUSR1, was)


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
@pytest.mark.parametrize(("name", "at"), [("join", 1), ("is_alive", 1), ("is_alive", 2)])
def test_threads_are_waited_for_though_the_waiting_is_interrupted(monkeypatch, name, at, after):
    before, both = threading.active_count(), threading.Barrier(3)

    def call():
        both.wait()
        time.sleep(0.1)

    def two_calls():
        with pool(2) as many:
            for _ in range(2):
                many.submit(call)
            both.wait()

    interrupts = Interrupts(monkeypatch, name, at, after)
    with pytest.raises(KeyboardInterrupt):
        two_calls()
    assert interrupts.met
    assert threading.active_count() == before


def test_a_thread_is_waited_for_though_a_signal_ends_its_join(interrupting):
    """Python 3.11 and 3.12 take it for ended when `join` is left by an error of a signal's
    handler."""
    begun, over, done, sent = threading.Event(), threading.Event(), [], []

    def call():
        begun.set()
        over.wait()
        done.append(1)

    def send():
        time.sleep(0.2)  # by now somebody waits
        sent.append(interrupting())
        time.sleep(0.3)
        over.set()

    def one_call():
        with pool(1) as many:
            many.submit(call)
            begun.wait()
            sender.start()

    sender = threading.Thread(target=send)
    with pytest.raises(KeyboardInterrupt):
        one_call()
    assert len(done) == 1
    sender.join()
    assert len(sent) == 1


def test_an_error_of_a_call_is_raised_and_the_rest_is_not_done():
    before, done = threading.active_count(), []

    def call(i):
        slow(done)
        return 1 // i

    with pytest.raises(ZeroDivisionError), pool(1) as many:
        list(many.map(call, range(50)))
    assert threading.active_count() == before
    assert len(done) < 5


@pytest.fixture
def late(monkeypatch):
    """A thread whose `start` was interrupted: Python knows it, it has not come up yet."""
    done = []
    thread = threading.Thread(target=slow, args=(done,), name=new_name())
    thread.done = done
    monkeypatch.setitem(threading._limbo, thread, thread)
    return thread


def test_a_thread_that_begins_late_is_waited_for(late):
    threading.Timer(0.05, late.start).start()
    wait(late.name)
    assert late.done == [1]
    assert late not in threading.enumerate()


def test_a_thread_that_never_begins_is_not_waited_for_long(late):
    start = time.monotonic()
    wait(late.name)
    assert 0.9 < time.monotonic() - start < 5


def test_a_thread_that_begins_when_nobody_waits_for_it_finds_nothing_to_do(monkeypatch):
    left, done = [], []

    def interrupted(thread):
        left.append(thread)
        threading._limbo[thread] = thread
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("prfast.inputs.pools._PATIENCE", 0.01)
        patched.setattr(threading.Thread, "start", interrupted)
        with pytest.raises(KeyboardInterrupt), pool(2, lambda: done.append(0)) as many:
            many.submit(done.append, 1)
    left[0].start()
    left[0].join()
    assert not done


def test_a_thread_that_never_gets_through_its_start_is_not_waited_for(monkeypatch):
    """An interrupt of `start` may leave a lock held that the new thread wants, for ever."""
    monkeypatch.setattr("prfast.inputs.pools._PATIENCE", 0.01)
    name, let = new_name(), threading.Event()

    class Stuck(threading.Event):
        def set(self):
            let.wait()
            super().set()

    thread = threading.Thread(target=bool, name=name)
    monkeypatch.setattr(thread, "_started", Stuck())
    beside = threading.Thread(target=thread.start)
    beside.start()
    try:
        wait(name)
    finally:
        let.set()
        beside.join()
        thread.join()
