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
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_lock = threading.Lock()
_callers = 0
_limits: Any = None


def _forget() -> None:
    """In a child of fork: its lock is free, and nobody else is there."""
    global _lock, _callers
    _lock, _callers = threading.Lock(), 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Every BLAS runs on one thread until the last caller has left; OpenMP does for this one."""
    global _callers, _limits
    import scipy.linalg  # noqa: F401
    import sklearn.cluster  # noqa: F401
    from threadpoolctl import threadpool_limits  # a requirement of scikit-learn

    with _lock:
        if _callers == 0:
            _limits = threadpool_limits(1, user_api="blas")
        _callers += 1
    try:
        with threadpool_limits(1, user_api="openmp"):
            yield
    finally:
        with _lock:
            _callers -= 1
            if _callers == 0:
                _limits.restore_original_limits()


def one_openmp_thread() -> None:
    """OpenMP runs on one thread for whatever this Python thread calls from now on."""
    import sklearn.cluster  # noqa: F401
    from threadpoolctl import threadpool_limits

    threadpool_limits(1, user_api="openmp")
