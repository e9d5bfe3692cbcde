"""Tools for objects shared by threads: locks, warning filters, cached attributes.

    with lock(evaluator):
        ...

The lock of an object is found by the object's identity, so that objects of users can be locked as
well: they may have no attributes, no hash and no weak references.
"""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, Literal, TypeVar, overload

T = TypeVar("T")


class cached_property(Generic[T]):
    """functools.cached_property without the lock that it has up to Python 3.11.

    That lock is shared by all instances (bpo-43468): folds that threads prepare at the same time
    would wait for each other, and a forked child may inherit it locked by a thread that does not
    exist there.  Threads that read the attribute of one instance at the same time may each
    compute it.
    """

    def __init__(self, function: Callable[[Any], T]) -> None:
        self._function, self.__doc__ = function, function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> cached_property[T]: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> T: ...
    def __get__(self, instance: object | None, owner: type | None = None) -> T | cached_property[T]:
        if instance is None:
            return self
        value = self._function(instance)
        instance.__dict__[self._name] = value  # found before this descriptor from now on
        return value


class _Lock:
    def __init__(self) -> None:
        self.lock, self.users = threading.RLock(), 0


_guard: threading.Lock
_locks: dict[int, _Lock]  # by identity of the object, while a thread holds or awaits its lock


def _reset() -> None:
    global _guard, _locks
    _guard, _locks = threading.Lock(), {}


_reset()
if hasattr(os, "register_at_fork"):  # the threads that hold locks do not exist in the child
    os.register_at_fork(after_in_child=_reset)


@contextmanager
def lock(thing: Any) -> Iterator[None]:
    """Keep other threads that lock the same object waiting until the block ends."""
    key = id(thing)
    with _guard:
        its = _locks.setdefault(key, _Lock())
        its.users += 1
    try:
        with its.lock:
            yield
    finally:
        with _guard:
            its.users -= 1
            if not its.users and _locks.get(key) is its:  # a forked child has new ones
                del _locks[key]


@contextmanager
def warning_filter(action: Literal["error", "ignore"], message: str = "") -> Iterator[None]:
    """Add a filter of warnings for the block, in one thread at a time; "" matches all messages.

    Filters belong to the process: of two blocks that overlap, the last to end would restore the
    filter of the first.
    """
    with lock(warnings), warnings.catch_warnings():
        warnings.filterwarnings(action, message)
        yield
