"""Cached properties: no instance waits for another, nor a child of fork for a missing thread."""

import os
import threading
from pathlib import Path

import pytest

import prfast
from prfast.inputs.concurrency import cached_property


class Slow:
    """Its value takes until `release` is set; it counts how often the value was computed."""

    def __init__(self, release=None):
        self.release, self.begun, self.times = release, threading.Event(), 0

    @cached_property
    def value(self):
        """Its value."""
        self.times += 1
        self.begun.set()
        if self.release is not None:
            self.release.wait(30)
        return 7


def in_time():
    """Return whether a thread gets the value of another instance."""
    values = []
    thread = threading.Thread(target=lambda: values.append(Slow().value), daemon=True)
    thread.start()
    thread.join(20)
    return values == [7]


@pytest.fixture
def busy():
    """An instance whose value another thread computes."""
    release = threading.Event()
    one = Slow(release)
    thread = threading.Thread(target=lambda: one.value)
    thread.start()
    one.begun.wait(30)
    yield one
    release.set()
    thread.join()


def test_the_value_is_computed_once_and_described():
    one = Slow()
    assert [one.value, one.value, one.times] == [7, 7, 1]
    assert Slow.value.__doc__ == "Its value."


def test_another_instance_does_not_wait(busy):
    assert in_time()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_child_of_fork_does_not_wait_for_a_thread_that_it_does_not_have(busy):
    child = os.fork()
    if child == 0:
        os._exit(0 if in_time() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_functools_cached_property_is_not_used():
    files = Path(prfast.__file__).parent.rglob("*.py")
    assert [
        path.name for path in files if "functools import cached" in path.read_text("utf-8")
    ] == []
