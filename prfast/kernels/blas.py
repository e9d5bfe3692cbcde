"""Linear algebra on one thread, while anybody asks for it.

Sums over threads round by their number, which must not decide a result.  Two things are easily
missed:

- A library that is loaded later has all its threads.  SciPy and NumPy may each bring a BLAS,
  scikit-learn an OpenMP, loaded by whoever needs them first: so they are loaded before the limits
  are set.
- The number of a BLAS is of the whole process.  Of callers in several Python threads the first sets
  it to one and the last puts it back, or one that ends would give its threads to the others, and
  the last to start would keep one for ever.  That of OpenMP is of each Python thread: workers
  set their own.

OpenBLAS 0.3.31 does not take its number from every thread: called from another than the main one,
sums may still be of several threads, and their last digits be others.

An interrupt anywhere leaves the numbers as they were: they are noted before the first is set,
callers by a mark of their own, and what puts them back is done again where it was interrupted.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_Numbers = list[tuple[Any, int]]  # libraries, and how many threads each has

_lock = threading.Lock()
_callers: set[object] = set()
_before: _Numbers = []  # of the BLAS, when the first caller that met it came


def _forget() -> None:
    """In a child of fork: its lock is free, and nobody else is there."""
    global _lock
    _lock = threading.Lock()
    _callers.clear()
    _before.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Every BLAS runs on one thread until the last caller has left; OpenMP does for this one."""
    caller, openmp = object(), _numbers("openmp")
    try:
        _come(caller)
        _set_one(openmp)
        yield
    finally:
        try:
            _go(caller, openmp)
        except BaseException:  # it was interrupted
            _go(caller, openmp)
            raise


def _numbers(kind: str) -> _Numbers:
    import scipy.linalg  # noqa: F401
    import sklearn.cluster  # noqa: F401
    from threadpoolctl import ThreadpoolController  # a requirement of scikit-learn

    found = ThreadpoolController().select(user_api=kind).lib_controllers
    return [(library, library.num_threads) for library in found]


def _set_one(numbers: _Numbers) -> None:
    for library, _ in numbers:
        library.set_num_threads(1)


def _set_back(numbers: _Numbers) -> None:
    for library, number in numbers:
        library.set_num_threads(number)


def _come(caller: object) -> None:
    numbers = _numbers("blas")
    with _lock:
        known = {library.filepath for library, _ in _before}
        _before.extend(one for one in numbers if one[0].filepath not in known)
        _callers.add(caller)
        _set_one(numbers)


def _go(caller: object, openmp: _Numbers) -> None:
    _set_back(openmp)
    with _lock:
        _callers.discard(caller)
        if not _callers:
            _set_back(_before)
            _before.clear()


def one_openmp_thread() -> None:
    """OpenMP runs on one thread for whatever this Python thread calls from now on."""
    import sklearn.cluster  # noqa: F401
    from threadpoolctl import threadpool_limits

    threadpool_limits(1, user_api="openmp")
