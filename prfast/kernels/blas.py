"""Limits of the thread pools that NumPy, SciPy and scikit-learn compute with.

Sums over threads round by the number of threads, which must not decide a result.

A limit holds for the libraries that are loaded when it is set.  SciPy and NumPy may each bring a
BLAS, scikit-learn an OpenMP, so all of them are imported first.

A limit of OpenMP holds for the Python thread that sets it, that of a BLAS usually for the process.
So callers share the limit of BLAS: the first sets it, and the last one restores it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_lock = threading.Lock()
_callers: set[object] = set()
_limiter: Any = None  # limits to restore, set by the first caller


def _start_child() -> None:
    """Restore the limit in a forked child, where no other caller runs on."""
    _callers.clear()
    _restore()
    _lock.release()


if hasattr(os, "register_at_fork"):  # no fork during a change of limits
    os.register_at_fork(
        before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_start_child
    )


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit BLAS to one thread until the last caller leaves, and OpenMP for the calling thread."""
    libraries, caller = _libraries(), object()
    with libraries.select(user_api="openmp").limit(limits=1):
        try:
            _enter(caller, libraries.select(user_api="blas"))
            yield
        finally:
            _leave(caller)


def one_openmp_thread() -> None:
    """Limit OpenMP to one thread for the calling thread, for good."""
    _libraries().select(user_api="openmp").limit(limits=1)


def _libraries() -> Any:
    import scipy.linalg  # noqa: F401
    import sklearn.cluster  # noqa: F401
    from threadpoolctl import ThreadpoolController  # a requirement of scikit-learn

    return ThreadpoolController()


def _enter(caller: object, blas: Any) -> None:
    global _limiter
    with _lock:
        if not _callers:
            _restore()  # after an interrupt of the last caller's `_leave`
            _clear_control()
            _limiter = blas.limit(limits=None)  # the limits to restore, before any changes
            blas.limit(limits=1)
        _callers.add(caller)


def _leave(caller: object) -> None:
    with _lock:
        _callers.discard(caller)
        if not _callers:
            _restore()


def _restore() -> None:
    global _limiter
    if _limiter is not None:
        _clear_control()
        _limiter.restore_original_limits()
        _clear_control()
        _limiter = None


def _clear_control() -> None:
    """Let any thread limit OpenBLAS.

    Since threadpoolctl 3.8 the first thread that limits it keeps control, and limits that other
    threads set are ignored.
    """
    from threadpoolctl import OpenBLASController

    if hasattr(OpenBLASController, "clear_controlling_thread"):
        OpenBLASController.clear_controlling_thread(force=True)
