"""Threads that end with the call that started them, also one that is interrupted.

    with pool(threads) as many:
        found = list(many.map(call, arguments))

They are threads of `_thread`, whose start is one step of C: no signal's handler runs in its midst.
`threading.Thread` starts and joins in Python, and so does `ThreadPoolExecutor`.  An interrupt there
leaves a thread that nobody waits for, a lock that is never given back, or an interpreter that does
not end.

An interrupt of the waiting at the end of the block makes it begin again; another one of that leaves
it.  One that falls into `contextlib`, as the block is entered or left, is met by nothing of this
file: then the threads are ended when its traceback is let go of.

Where the system refuses threads, those that it has started do all of the work, and where it has
started none the caller does.

`threading.enumerate` has none of them.  Up to Python 3.12 it keeps an entry "Dummy" of one that
asked for its own name, as `logging` does, until another thread has its number.
"""

from __future__ import annotations

import os
import time
import warnings
from _thread import _count, allocate_lock, start_new_thread
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

T = TypeVar("T")

_LOOK = 0.0005  # seconds between two looks at whether threads have ended
_LOOKS = 1000  # without any thread: one that had no memory to begin is not waited for
_running: list[None] = []  # one a thread
_forks = 0


def _forget() -> None:
    """In a child of fork, which has no thread of a pool."""
    global _forks
    _forks += 1
    _running.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


class Task(Generic[T]):
    """A call that is to come, and what it returned."""

    def __init__(self, call: Callable[..., T], arguments: tuple[Any, ...]) -> None:
        self._call: Callable[..., T] | None = call
        self._arguments, self._done = arguments, allocate_lock()
        self._found: list[T] = []
        self._error: BaseException | None = None
        self._done.acquire()

    def run(self) -> None:
        """Do it, and let go of all but what it returned, or raised."""
        try:
            if self._call is not None:
                self._found.append(self._call(*self._arguments))
        except BaseException as error:
            self._error = error
        self._call, self._arguments, done = None, (), self._done
        del self  # the traceback of the error has this frame
        done.release()

    def refuse(self, error: BaseException) -> None:
        """It will not be done, for that reason."""
        self._call, self._arguments, self._error = None, (), error
        self._done.release()

    def result(self) -> T:
        """What the call returned, or raised, once it has."""
        with self._done:
            pass
        if self._error is not None:
            try:
                raise self._error
            finally:
                del self
        return self._found[0]


class Pool:
    """So many threads, or as many of them as the system has started; see `pool`."""

    def __init__(self, begin: Callable[[], object] | None = None) -> None:
        self._begin, self._tasks = begin, SimpleQueue[Task[Any] | None]()
        self.threads, self._over, self._process = 0, False, _forks
        self._begun: list[None] = []
        self._ended: list[None] = []

    def start(self, threads: int) -> None:
        """So many, until one is refused."""
        try:
            while self.threads < threads:
                start_new_thread(self._work, ())
                self.threads += 1
        except (RuntimeError, MemoryError):
            pass

    def submit(self, call: Callable[..., T], *arguments: Any) -> Task[T]:
        """The call is made by one of the threads, in the order of these, or, where there is none,
        at once; RuntimeError once the block is left."""
        if self._over:
            raise _ended()
        if self.threads == 0:
            found = call(*arguments)
            task = Task(lambda: found, ())
            task.run()
            return task
        task = Task(call, arguments)
        self._tasks.put(task)
        return task

    def map(
        self, call: Callable[[Any], T], arguments: Iterable[Any], *, ahead: int | None = None
    ) -> Generator[T, None, None]:
        """What each call returns, in order.

        ahead: how many results a thread may wait for who takes them; None: all.
        """
        waiting: deque[Task[T]] = deque()
        for one in arguments:
            waiting.append(self.submit(call, one))
            if ahead is not None and len(waiting) >= (1 + ahead) * max(self.threads, 1):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def end(self) -> None:
        """What no thread has begun is refused, and what one has is waited for."""
        self._over = True
        if self._process != _forks:  # a child of fork has none of the threads
            return
        for _ in range(self.threads + 1):  # one may have started that was not counted
            self._tasks.put(None)
        alone = 0  # looks in a row at which the process had no other thread
        while len(self._ended) < max(self.threads, len(self._begun)) and alone < _LOOKS:
            time.sleep(_LOOK)
            alone = 0 if _count() else alone + 1
        try:
            while True:
                task = self._tasks.get_nowait()
                if task is not None:
                    task.refuse(_ended())
        except Empty:
            self._tasks.put(None)  # for one that begins yet

    def _work(self) -> None:
        try:
            _running.append(None)
            self._begun.append(None)
            error: BaseException | None = None
            try:
                if self._begin is not None and not self._over:
                    self._begin()
            except BaseException as raised:
                error = raised
            while (task := self._tasks.get()) is not None:
                if self._over or error is not None:
                    task.refuse(error or _ended())
                else:
                    task.run()
                task = None  # what it returned is another's
        finally:
            self._ended.append(None)
            _running.pop()


def _ended() -> RuntimeError:
    return RuntimeError("the threads have ended")


@contextmanager
def pool(threads: int, begin: Callable[[], object] | None = None) -> Iterator[Pool]:
    """So many threads, each of which calls `begin` first, for the block."""
    with tried(threads, begin) as many:
        if many.threads < threads:
            warn_of_refused(threads, many.threads, max(many.threads, 1), 4)
        yield many


@contextmanager
def tried(threads: int, begin: Callable[[], object] | None = None) -> Iterator[Pool]:
    """As `pool`, without a warning where the system refuses threads."""
    many = Pool(begin)
    try:
        many.start(threads)
        yield many
    finally:
        try:
            many.end()
        except BaseException:  # it was interrupted
            many.end()
            raise


def warn_of_refused(wanted: int, started: int, used: int, level: int = 3) -> None:
    """The system refuses threads, and so many are used; level: of the frame that is told of."""
    warnings.warn(
        f"n_jobs: {wanted} threads wanted, the system starts {started} at most; {used} used",
        RuntimeWarning,
        stacklevel=level,
    )


def running() -> int:
    """Threads of all pools that have begun and not ended; what tests ask."""
    return len(_running)
