"""Threads that share out the work of a metric; their number does not change a result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


def in_threads(call: Callable[[Any], Any], arguments: Sequence[Any], threads: int) -> list[Any]:
    """What it returns for each of the arguments, in their order."""
    if threads == 1 or len(arguments) == 1:
        return [call(one) for one in arguments]
    from concurrent.futures import ThreadPoolExecutor  # loads logging

    pool = ThreadPoolExecutor(threads)
    try:
        return list(pool.map(call, arguments))
    finally:
        pool.shutdown(cancel_futures=True)  # an interrupt does not wait for what has not begun
