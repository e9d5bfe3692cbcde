"""Thread pools that end with their block, locks, warning filters and cached attributes.

with thread_pool(threads) as executor:
    results = list(bounded_map(executor, function, arguments))

with lock(evaluator):
    ...
"""

from __future__ import annotations

import functools
import os
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, TypeVar

T = TypeVar("T")


@contextmanager
def thread_pool(
    threads: int, initializer: Callable[[], object] | None = None
) -> Iterator[Executor]:
    """Run calls in threads; the end of the block cancels those that no thread has begun."""
    executor = ThreadPoolExecutor(threads, initializer=initializer)
    try:
        yield executor
    finally:
        try:
            executor.shutdown(cancel_futures=True)
        except BaseException:  # an interrupt during the shutdown must not leave threads behind
            executor.shutdown(cancel_futures=True)
            raise


def bounded_map(
    executor: Executor,
    function: Callable[[Any], T],
    arguments: Iterable[Any],
    most: int | None = None,
) -> Generator[T, None, None]:
    """Yield the results of the calls in order; at most `most` are submitted and not yet yielded."""
    waiting: deque[Future[T]] = deque()
    try:
        for one in arguments:
            waiting.append(executor.submit(function, one))
            if most is not None and len(waiting) >= most:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


# ---- objects shared by threads -----------------------------------------------------------------


if TYPE_CHECKING:
    cached_property = functools.cached_property
else:

    class cached_property(functools.cached_property):
        """functools.cached_property without the lock that it has up to Python 3.11.

        That lock is shared by all instances (bpo-43468): folds that threads prepare at the same
        time would wait for each other, and a forked child may inherit it locked by a thread that
        does not exist there.  Threads may compute the attribute of one instance more than once.
        """

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            value = instance.__dict__[self.attrname] = self.func(instance)
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
    """Keep other threads that lock the same object waiting until the block ends.

    The lock is found by the object's identity: an attribute would be pickled and copied with it,
    and objects of users may have no attributes, no hash and no weak references.
    """
    key = id(thing)
    with _guard:
        shared = _locks.setdefault(key, _Lock())
        shared.users += 1
    try:
        with shared.lock:
            yield
    finally:
        with _guard:
            shared.users -= 1
            if not shared.users and _locks.get(key) is shared:  # a forked child has new ones
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
