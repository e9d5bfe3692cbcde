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

An interrupt leaves the numbers as they were: they are noted before the first is set, callers by a
mark of their own, and what puts them back is done again where it was interrupted.  After one that
falls into `contextlib`, as the block is entered or left, they are put back when its traceback is
let go of.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_Limits = list[tuple[Any, int]]  # libraries, and how many threads each has

_lock = threading.Lock()
_callers: set[object] = set()
_before: _Limits = []  # of the BLAS, when the first caller that met it came


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
    caller, openmp = object(), _Limits()
    try:
        _enter(caller, openmp)
        yield
    finally:
        try:
            _leave(caller, openmp)
        except BaseException:  # it was interrupted
            _leave(caller, openmp)
            raise


def _enter(caller: object, openmp: _Limits) -> None:
    """openmp: filled with the limits that this thread has."""
    import scipy.linalg  # noqa: F401
    import sklearn.cluster  # noqa: F401
    from threadpoolctl import ThreadpoolController  # a requirement of scikit-learn

    with _lock:
        libraries = ThreadpoolController()
        blas = _limits_of(libraries, "blas")
        known = {library.filepath for library, _ in _before}
        _before.extend(one for one in blas if one[0].filepath not in known)
        openmp.extend(_limits_of(libraries, "openmp"))
        _callers.add(caller)
        for library, _ in (*blas, *openmp):
            library.set_num_threads(1)


def _leave(caller: object, openmp: _Limits) -> None:
    _set_back(openmp)
    with _lock:
        _callers.discard(caller)
        if not _callers:
            _set_back(_before)
            _before.clear()


def _limits_of(libraries: Any, kind: str) -> _Limits:
    found = libraries.select(user_api=kind).lib_controllers
    return [(library, library.num_threads) for library in found]


def _set_back(limits: _Limits) -> None:
    for library, number in limits:
        library.set_num_threads(number)


def one_openmp_thread() -> None:
    """OpenMP runs on one thread for whatever this Python thread calls from now on."""
    import sklearn.cluster  # noqa: F401
    from threadpoolctl import threadpool_limits

    threadpool_limits(1, user_api="openmp")
