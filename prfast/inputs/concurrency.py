"""Numbers of threads, limits of the threads of libraries, thread pools, locks, cached attributes.

`n_jobs` is a number of workers; −1 is every core that the process may run on, −2 all but one, and
so on; None is the environment variable OMP_NUM_THREADS where it holds a number (of a list, the
first), else every core.  GNU OpenMP does not survive fork, so a child of fork has one thread.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from importlib import import_module
from operator import methodcaller
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from prfast.inputs.errors import WrongType, WrongValue, kind_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

T = TypeVar("T")

_forked = False
_guard = threading.Lock()  # of all that follows; held during a fork
# Locks and numbers of their users, by identity of the object, while a thread holds or awaits it.
_locks: dict[int, SimpleNamespace] = {}
_callers: set[object] = set()  # of `one_blas_thread`
_limiter: Any = None  # limits to restore, set by the first of them


def _start_child() -> None:
    """Forget the threads of the parent: they do not exist in a forked child."""
    global _forked
    _forked = True
    _locks.clear()
    _callers.clear()
    _restore()
    _guard.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_guard.acquire, after_in_parent=_guard.release, after_in_child=_start_child
    )


def read_jobs(n_jobs: Any) -> int | None:
    """Return a number of workers as joblib counts them, or None, for the caller to resolve."""
    if n_jobs is None:
        return None
    if isinstance(n_jobs, bool | np.bool_) or not isinstance(n_jobs, int | np.integer):
        raise WrongType("n_jobs", f"an integer expected, got {kind_of(n_jobs)}")
    if n_jobs == 0:
        raise WrongValue("n_jobs", "1 or more, or -1 for every core, expected, got 0")
    return int(n_jobs)


def usable_cores() -> int:
    """Return the number of cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def resolve_threads(n_jobs: int | None, tasks: int | None = None) -> int:
    """Return the number of workers for `n_jobs` (rules: the module), at most `tasks` and the
    cores."""
    jobs, cores = read_jobs(n_jobs), usable_cores()
    if jobs is None:
        limit = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
        jobs = int(limit) if limit.isdecimal() and int(limit) > 0 else cores
    elif jobs < 0:
        jobs += cores + 1
    most = cores if tasks is None else min(tasks, cores)
    return 1 if _forked else max(1, min(jobs, most))


# ---- thread pools --------------------------------------------------------------------------------


@contextmanager
def thread_pool(
    threads: int, initializer: Callable[[], object] | None = None
) -> Iterator[Executor]:
    """Run calls in threads; the end of the block cancels those that no thread has begun."""
    from concurrent.futures import ThreadPoolExecutor  # here, as it imports logging

    executor = ThreadPoolExecutor(threads, initializer=initializer)
    try:
        yield executor
    except RuntimeError as error:
        if str(error) != "can't start new thread":
            raise
        text = f"n_jobs: fewer than {threads} threads needed, the system refuses more"
        raise MemoryError(text) from None
    finally:
        try:
            executor.shutdown(cancel_futures=True)
        except BaseException:  # an interrupt during the shutdown must not leave threads behind
            executor.shutdown(cancel_futures=True)
            raise


def bounded_results(
    tasks: Iterable[Any],
    most: int | None = None,
    result: Callable[[Any], T] = methodcaller("result"),
    cancel: Callable[[Any], object] = methodcaller("cancel"),
) -> Generator[T, None, None]:
    """Yield the results of tasks in order, and cancel those that are left at the end.

    tasks: an iterator that submits a task when it is advanced; at most `most` of them wait.
    """
    waiting: deque[Any] = deque()
    try:
        for task in tasks:
            waiting.append(task)
            if most is not None and len(waiting) >= most:
                value = result(waiting[0])  # an interrupt in it cancels this task as well
                waiting.popleft()
                yield value
        while waiting:
            value = result(waiting[0])
            waiting.popleft()
            yield value
    finally:
        for task in waiting:
            cancel(task)


# ---- objects shared by threads -----------------------------------------------------------------


if TYPE_CHECKING or sys.version_info >= (3, 12):
    cached_property = functools.cached_property
else:  # to delete with the support of Python 3.11

    class cached_property(functools.cached_property):
        """functools.cached_property without the lock of Python 3.11.  All instances share that lock
        (bpo-43468): threads would wait for each other, and a forked child for a lost thread."""

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            value = instance.__dict__[self.attrname] = self.func(instance)
            return value


@contextmanager
def lock(thing: Any) -> Iterator[None]:
    """Keep other threads that lock the same object waiting until the block ends.

    The lock is found by the object's identity.  An attribute would be pickled and copied with it;
    objects of users may have no attributes, no hash and no weak references.
    """
    key = id(thing)
    with _guard:
        shared = _locks.setdefault(key, SimpleNamespace(lock=threading.RLock(), users=0))
        shared.users += 1
    try:
        with shared.lock:
            yield
    finally:
        with _guard:
            shared.users -= 1
            if not shared.users and _locks.get(key) is shared:  # a forked child has new ones
                del _locks[key]


# ---- thread pools of libraries -------------------------------------------------------------------

# NumPy, SciPy and scikit-learn sum over threads in an order, and so with a rounding, that depends
# on their number, which must not decide a result.  A limit holds for the libraries that are loaded
# when it is set, so those that a block uses are imported first.  A limit of OpenMP holds for the
# Python thread that sets it, that of a BLAS usually for the process: callers share the latter, the
# first sets it, and the last restores it.


@contextmanager
def one_blas_thread(library: str = "sklearn.cluster") -> Iterator[None]:
    """Limit BLAS to one thread until the last caller leaves, and OpenMP for the calling thread.

    library: that the block uses, imported first: "numpy", "scipy.linalg" or "sklearn.cluster".
    """
    global _limiter
    libraries, caller = _libraries(library), object()
    with libraries.select(user_api="openmp").limit(limits=1):
        try:
            with _guard:
                if not _callers:
                    _restore()  # after an interrupt of the last caller's end
                    _clear_control()
                    blas = libraries.select(user_api="blas")
                    _limiter = blas.limit(limits=None)  # the limits to restore, before any changes
                    blas.limit(limits=1)
                _callers.add(caller)
            yield
        finally:
            with _guard:
                _callers.discard(caller)
                if not _callers:
                    _restore()


def one_openmp_thread() -> None:
    """Limit OpenMP to one thread for the calling thread, for good."""
    _libraries("numpy").select(user_api="openmp").limit(limits=1)


def _libraries(library: str) -> Any:
    import_module(library)
    return _controller("scipy.linalg" in sys.modules, "sklearn.cluster" in sys.modules)


@functools.lru_cache(maxsize=4)
def _controller(*loaded: bool) -> Any:
    """Return the libraries of a process that has loaded these modules; a search takes 2 ms."""
    from threadpoolctl import ThreadpoolController  # a requirement of scikit-learn

    return ThreadpoolController()


def _restore() -> None:
    global _limiter
    if _limiter is not None:
        _clear_control()
        _limiter.restore_original_limits()
        _clear_control()
        _limiter = None


def _clear_control() -> None:
    """Let any thread limit OpenBLAS; since threadpoolctl 3.8 only the first one controls it."""
    from threadpoolctl import OpenBLASController

    if hasattr(OpenBLASController, "clear_controlling_thread"):
        OpenBLASController.clear_controlling_thread(force=True)


# ---- functions in threads, with a bar ------------------------------------------------------------

Execute = Callable[..., list[Any]]  # (function, arguments, share of the bar): results in order


@contextmanager
def execution(threads: int, progress: Any) -> Iterator[Execute]:
    """Yield a map of arguments in so many threads; each result advances the bar, a `Progress`."""

    def execute(function: Any, arguments: Sequence[Any], share: float = 0) -> list[Any]:
        if pool is None:
            results = (function(argument) for argument in arguments)
        else:
            results = bounded_results(pool.submit(function, argument) for argument in arguments)
        return list(with_progress(progress, results, len(arguments), share))

    # One thread is the caller's; NumPy's default for floating-point errors is that of a new one.
    with (
        one_blas_thread("numpy"),
        np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"),
        thread_pool(threads, one_openmp_thread) if threads > 1 else nullcontext() as pool,
    ):
        yield execute


def with_progress(
    progress: Any, results: Generator[Any, None, None], steps: int, share: float
) -> Iterator[Any]:
    """Yield the results of so many steps, and advance the bar."""
    with progress.work(steps, share=share), closing(results) as closed:
        for result in closed:
            yield result
            progress.advance()
