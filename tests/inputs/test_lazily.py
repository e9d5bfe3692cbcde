"""Values that are made once: no object waits for another, nor a child of fork for a thread."""

import os
import threading
from pathlib import Path

import pytest

import prfast
from prfast.inputs.lazily import made_once


class Slow:
    """Its value takes as long as it is told to; it counts how often it was made."""

    def __init__(self, waits=None):
        self.waits, self.begun, self.times = waits, threading.Event(), 0

    @made_once
    def value(self):
        """What it is worth."""
        self.times += 1
        self.begun.set()
        if self.waits is not None:
            self.waits.wait(30)
        return 7


@pytest.fixture
def busy():
    """One whose value another thread is making."""
    go_on = threading.Event()
    one = Slow(go_on)
    thread = threading.Thread(target=lambda: one.value)
    thread.start()
    one.begun.wait(30)
    yield one
    go_on.set()
    thread.join()


def test_it_is_made_once_and_described():
    one = Slow()
    assert [one.value, one.value, one.times] == [7, 7, 1]
    assert Slow.value.__doc__ == "What it is worth."


def test_another_object_does_not_wait(busy):
    found = []
    thread = threading.Thread(target=lambda: found.append(Slow().value), daemon=True)
    thread.start()
    thread.join(20)
    assert found == [7]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_child_of_fork_does_not_wait_for_a_thread_that_is_not_there(busy):
    child = os.fork()
    if child == 0:
        found = []
        thread = threading.Thread(target=lambda: found.append(Slow().value), daemon=True)
        thread.start()
        thread.join(20)
        os._exit(0 if found == [7] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_nothing_uses_that_of_functools():
    files = Path(prfast.__file__).parent.rglob("*.py")
    assert [
        path.name for path in files if "functools import cached" in path.read_text("utf-8")
    ] == []
