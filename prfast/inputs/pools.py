"""Threads of Python that end with the call that started them, wherever an interrupt falls.

    with pool(threads) as many:
        found = list(many.map(call, arguments))

`ThreadPoolExecutor` alone does not promise that: an interrupt inside `Thread.start` leaves a thread
that runs and that the executor has not noted, so that nobody waits for it.  And one inside
`shutdown` leaves the threads that were still to be waited for.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

_PATIENCE = 1.0  # seconds that a thread has to begin; what takes longer was never begun
_pools = itertools.count()


@contextmanager
def pool(threads: int, begin: Callable[[], object] | None = None) -> Iterator[ThreadPoolExecutor]:
    """So many threads, each of which calls `begin` first; what none has begun is not done once the
    block is left, and what one has is waited for."""
    from concurrent.futures import ThreadPoolExecutor  # loads logging

    name = f"prfast-{next(_pools)}-"
    many = ThreadPoolExecutor(threads, name, begin)

    def end() -> None:
        many.shutdown(cancel_futures=True)
        wait(one for one in threading.enumerate() if one.name.startswith(name))

    try:
        yield many
    finally:
        try:
            end()
        finally:  # again, after an interrupt of the first
            end()


def wait(threads: Iterable[threading.Thread]) -> None:
    """Until they have ended, those too of which `start` was interrupted: they may yet begin."""
    for one in threads:
        until = time.monotonic() + _PATIENCE
        while not _joined(one) and time.monotonic() < until:
            time.sleep(0.001)


def _joined(thread: threading.Thread) -> bool:
    try:
        thread.join()
    except RuntimeError:  # it has not begun
        return False
    return True
