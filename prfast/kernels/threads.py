"""The number of threads and processes that a call starts; limits of the threads of libraries.

`n_jobs` is a number of workers; −1 is every core that the process may run on, −2 all but one, and
so on; None is the environment variable OMP_NUM_THREADS where it holds a number (of a list, the
first), else every core.  A call never starts more workers than there are cores or tasks.

GNU OpenMP does not survive fork: a forked child that starts a parallel region may hang.  So a
child of fork runs the kernels on one thread; results are the same for every number of threads.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from prfast.inputs.options import read_jobs

_forked = False


def _mark_forked() -> None:
    global _forked
    _forked = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_mark_forked)


def usable_cores() -> int:
    """Return the number of cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def resolve_threads(n_jobs: int | None, tasks: int | None = None) -> int:
    """Return the number of workers for `n_jobs` (see the module), at most `tasks`.

    It is 1 in a forked child.  tasks: None if the caller bounds the number itself.
    """
    jobs, cores = read_jobs(n_jobs), usable_cores()
    if jobs is None:
        limit = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
        jobs = int(limit) if limit.isdecimal() and int(limit) > 0 else cores
    elif jobs < 0:
        jobs += cores + 1
    most = cores if tasks is None else min(tasks, cores)
    return 1 if _forked else max(1, min(jobs, most))


# ---- thread pools of libraries -------------------------------------------------------------------

# NumPy, SciPy and scikit-learn sum over threads in an order, and so with a rounding, that depends
# on their number, which must not decide a result.  A limit holds for the libraries that are loaded
# when it is set, so all of them are imported first.  A limit of OpenMP holds for the Python thread
# that sets it, that of a BLAS usually for the process: callers share the latter, the first sets it,
# and the last restores it.

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
