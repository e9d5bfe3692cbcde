"""Threads of Python that end with the call that started them, also one that is interrupted.

    with pool(threads) as many:
        found = list(many.map(call, arguments))

`ThreadPoolExecutor` alone does not promise that.  An interrupt inside `Thread.start` leaves a
thread that runs and that the executor has not noted, so that nobody waits for it.  One inside
`shutdown` leaves the threads that were still to be waited for.  After one inside `Thread.join`,
Python 3.11 and 3.12 take the thread for ended while it runs (`Thread._wait_for_tstate_lock`).

So threads are found by their names in `threading.enumerate`, from which each takes itself when it
ends, and where an interrupt falls into the waiting, it is done again.  Another interrupt of that
leaves it.  So does one at the first instruction of `__exit__`, before anything of this file runs:
then the threads are ended when the traceback of the interrupt is let go of.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

T = TypeVar("T")

_PATIENCE = 1.0  # seconds that a thread has to begin; one that begins later finds nothing to do
_LOOK = 0.001  # seconds between two looks at threads that `join` does not tell of
_numbers = itertools.count()


def pool(
    threads: int, begin: Callable[[], object] | None = None
) -> AbstractContextManager[ThreadPoolExecutor]:
    """So many threads, each of which calls `begin` first; what none has begun is not done once the
    block is left, and what one has is waited for."""
    from concurrent.futures import ThreadPoolExecutor  # loads logging

    name, over = new_name(), False

    def begun() -> None:
        if begin is not None and not over:
            begin()

    def stop() -> None:
        nonlocal over
        over = True
        many.shutdown(wait=False, cancel_futures=True)

    many = ThreadPoolExecutor(threads, name, begun)
    return ended(many, name, stop)


def new_name() -> str:
    """What the names of threads that are to be waited for begin with."""
    return f"prfast-{next(_numbers)}-"


@contextmanager
def ended(held: T, name: str, stop: Callable[[], object]) -> Iterator[T]:
    """Once the block is left, `stop` is called, after which the threads have nothing to do, and
    those of this name are waited for.

    held: what the block is given.
    """

    def end() -> None:
        stop()
        wait(name)

    try:
        yield held
    finally:
        try:
            end()
        except BaseException:  # it was interrupted
            end()
            raise


def wait(name: str) -> None:
    """Until the threads of this name have ended, those too of which `start` was interrupted: they
    may yet begin."""
    for one in _named(name):
        if one.is_alive():
            one.join()
    until = time.monotonic() + _PATIENCE
    while left := _named(name):  # `join` was interrupted, or `start`
        if time.monotonic() > until and not any(_began(one) for one in left):
            break
        time.sleep(_LOOK)


def _named(name: str) -> list[threading.Thread]:
    return [one for one in threading.enumerate() if one.name.startswith(name)]


def _began(thread: Any) -> bool:
    """`is_alive` does not tell: Python may take it for ended (above).  One that waits for ever for
    a lock of `start`, which an interrupt of that left held, has a number and has not begun."""
    return bool(thread._started.is_set())
