"""No warnings, of one caller at a time.

Filters of warnings are of the whole process, and whoever leaves puts back those that were there
when they came: of two threads that overlap, the last would leave every warning silenced for good.
"""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()


def _forget() -> None:
    """In a child of fork: its lock is free."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


@contextmanager
def quiet() -> Iterator[None]:
    """Ignore warnings until this caller leaves; others wait."""
    with _lock, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
