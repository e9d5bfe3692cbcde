"""Turns: of the threads of Python that share an object, one at a time changes it, or uses it.

    with alone(evaluator):           other threads that want to be alone with it wait
        ...

A child of fork inherits no turn: whoever had one is not there.
"""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal


class _Turn:
    """Whose turn it is with an object, and how many have or want it."""

    def __init__(self) -> None:
        self.lock, self.callers = threading.RLock(), 0


_lock = threading.Lock()
_turns: dict[int, _Turn] = {}  # by the identity of an object, while anybody has or wants a turn


def _forget() -> None:
    """In a child of fork: every lock is free, and nobody else is there."""
    global _lock, _turns
    _lock, _turns = threading.Lock(), {}


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


@contextmanager
def alone(thing: Any) -> Iterator[None]:
    """Nobody else is alone with the same object until this thread leaves; others wait."""
    key = id(thing)
    with _lock:
        turn = _turns.setdefault(key, _Turn())
        turn.callers += 1  # interrupted before `try` it stays; the lock is free all the same
    try:
        with turn.lock:
            yield
    finally:
        with _lock:
            turn.callers -= 1
            if not turn.callers and _turns.get(key) is turn:
                del _turns[key]


@contextmanager
def filtered(action: Literal["error", "ignore"], message: str = "") -> Iterator[None]:
    """A filter of warnings, of one caller at a time; "" is of all.

    Filters are of the whole process, and whoever leaves puts back those that were there when they
    came: of two threads that overlap, the last would leave the filter of the first for good.
    """
    with alone(warnings), warnings.catch_warnings():
        warnings.filterwarnings(action, message)
        yield
