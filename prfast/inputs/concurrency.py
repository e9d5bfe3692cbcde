"""Thread pools that end with their block, locks, warning filters and cached attributes.

    with thread_pool(threads) as executor:
        results = list(bounded_map(executor, function, arguments))

    with lock(evaluator):
        ...

Where the system starts fewer threads than requested, a pool warns and uses those that it starts.
"""

from __future__ import annotations

import functools
import os
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, TypeVar

T = TypeVar("T")


class _Caller(Executor):
    """Executor that runs each call in the submitting thread, if the system starts no thread."""

    def submit(self, function: Callable[..., T], /, *args: Any, **options: Any) -> Future[T]:
        future: Future[T] = Future()
        future.set_result(function(*args, **options))
        return future


@contextmanager
def thread_pool(
    threads: int, initializer: Callable[[], object] | None = None
) -> Iterator[Executor]:
    """Start `threads` threads, or with a warning as many as the system allows.

    The end of the block cancels the calls that no thread has begun and waits for the others.
    """
    executor = ThreadPoolExecutor(threads, initializer=initializer)
    try:
        started = _start(executor, threads)
        if started < threads:
            warn_of_refused_threads(threads, started, max(started, 1), 4)
            executor._max_workers = started  # or each call would ask for another thread
        yield executor if started else _Caller()
    finally:
        try:
            executor.shutdown(cancel_futures=True)
        except BaseException:  # an interrupt meets the end: its threads must end all the same
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


def startable_threads(threads: int) -> int:
    """Return how many of `threads` threads the system starts at the same time."""
    with ThreadPoolExecutor(threads) as executor:
        return _start(executor, threads)


def _start(executor: ThreadPoolExecutor, threads: int) -> int:
    """Start the threads of an executor now; return their number, fewer where one is refused."""
    # A lock, as its release is one call of C: an interrupt within Event.set, which is Python code,
    # would leave threads waiting for ever.
    gate = threading.Lock()

    def wait() -> None:
        with gate:
            pass

    with gate:
        for started in range(threads):
            try:
                executor.submit(wait)  # starts a thread, as all others are waiting
            except BrokenExecutor:  # the initializer has failed
                raise
            except RuntimeError as error:
                if "start new thread" not in str(error):  # an interrupt of Python's own locks
                    raise
                return started
    return threads


def warn_of_refused_threads(expected: int, started: int, used: int, level: int = 3) -> None:
    """Warn that the system starts fewer threads than expected; level: as `stacklevel`."""
    warnings.warn(
        f"n_jobs: {expected} threads wanted, the system starts {started} at most; {used} used",
        RuntimeWarning,
        stacklevel=level,
    )


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
