"""Threads that end with the call that started them, also one that is interrupted.

    with pool(threads) as many:
        found = list(many.map(call, arguments))

They are threads of `_thread`, whose start is one step of C: no signal's handler runs in its midst.
`threading.Thread` starts and joins in Python, and so does `ThreadPoolExecutor`: an interrupt there
leaves a thread that nobody waits for, a lock that is never given back or an interpreter that does
not end.  An interrupt of the waiting at the end of the block makes it begin again; another one of
that leaves it, and so does one at the first instruction of `__exit__`, before anything of this file
runs: then the threads are ended when the traceback of the interrupt is let go of.

Where the system refuses threads, those that it has started do all of the work, and where it has
started none the caller does.
"""

from __future__ import annotations

import time
import warnings
from _thread import allocate_lock, start_new_thread
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

T = TypeVar("T")

_AHEAD = 1  # results a thread that wait for whoever takes them, beside those that are worked on
_LOOK = 0.0005  # seconds between two looks at whether threads have ended
_running: list[None] = []  # one a thread


class Task(Generic[T]):
    """A call that is to come, and what it returned."""

    def __init__(self, call: Callable[..., T], arguments: tuple[Any, ...]) -> None:
        self._call, self._arguments, self._done = call, arguments, allocate_lock()
        self._done.acquire()
        self._found: list[T] = []
        self._error: BaseException | None = None
        self.alone = False  # nobody else will do it

    def run(self, error: BaseException | None = None) -> None:
        """Do it; or not, where that error says why."""
        try:
            if error is not None:
                raise error
            self._found.append(self._call(*self._arguments))
        except BaseException as raised:
            self._error = raised
        finally:
            self._done.release()

    def result(self) -> T:
        """What the call returned, or raised, once it has."""
        if self.alone:
            return self._call(*self._arguments)
        with self._done:
            pass
        if self._error is not None:
            raise self._error
        return self._found[0]


class Pool:
    """So many threads, or as many of them as the system has started; see `pool`."""

    def __init__(self, begin: Callable[[], object] | None = None) -> None:
        self._begin, self._tasks = begin, SimpleQueue[Task[Any] | None]()
        self.threads, self._over = 0, False
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
        """The call is made by one of the threads, in the order of these."""
        task = Task(call, arguments)
        if self.threads == 0:
            task.alone = True
        else:
            self._tasks.put(task)
        return task

    def map(self, call: Callable[[Any], T], arguments: Iterable[Any]) -> Generator[T, None, None]:
        """What each call returns, in order; no more than two a thread are begun that nobody has
        taken the results of."""
        waiting: deque[Task[T]] = deque()
        for one in arguments:
            waiting.append(self.submit(call, one))
            if len(waiting) >= (1 + _AHEAD) * max(self.threads, 1):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def end(self) -> None:
        """What no thread has begun is not done, and what one has is waited for."""
        self._over = True
        for _ in range(self.threads + 1):  # one may have started that was not counted
            self._tasks.put(None)
        while len(self._ended) < max(self.threads, len(self._begun)):
            time.sleep(_LOOK)

    def _work(self) -> None:
        _running.append(None)
        self._begun.append(None)
        error: BaseException | None = None
        try:
            if self._begin is not None and not self._over:
                self._begin()
        except BaseException as raised:
            error = raised
        try:
            while (task := self._tasks.get()) is not None:
                if not self._over:
                    task.run(error)
        finally:
            _running.pop()
            self._ended.append(None)


@contextmanager
def pool(threads: int, begin: Callable[[], object] | None = None) -> Iterator[Pool]:
    """So many threads, each of which calls `begin` first; what none has begun is not done once the
    block is left, and what one has is waited for."""
    with tried(threads, begin) as many:
        if many.threads < threads:
            warn_of_refused(threads, many.threads, max(many.threads, 1), 4)
        yield many


@contextmanager
def tried(threads: int, begin: Callable[[], object] | None = None) -> Iterator[Pool]:
    """The same, without a word of threads that the system refuses."""
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
    """Threads of all pools that have begun and not ended."""
    return len(_running)
