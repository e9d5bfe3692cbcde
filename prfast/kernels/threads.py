"""The number of threads and processes that a call starts.

`n_jobs` is a number of workers; −1 is every core that the process may run on, −2 all but one, and
so on; None is the environment variable OMP_NUM_THREADS where it holds a number (of a list, the
first), else every core.  A call never starts more workers than there are cores or tasks.

GNU OpenMP does not survive fork: a forked child that starts a parallel region may hang.  So a
child of fork runs the kernels on one thread; results are the same for every number of threads.
"""

from __future__ import annotations

import os
import threading

from prfast.inputs.concurrency import startable_threads, warn_of_refused_threads
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


class _Teams(threading.local):
    """Size of the last OpenMP team of each calling thread, whose threads GNU OpenMP keeps.

    A smaller team ends the surplus threads; a call with one thread has no team and ends none.
    """

    size = 1


_teams = _Teams()


def startable(threads: int) -> int:
    """Return how many of `threads` threads an OpenMP team can have.

    GNU OpenMP ends the process if the system refuses a thread.  So as many ordinary threads as it
    would start are started first, and ended again.
    """
    if threads == 1:
        return 1
    there = kept = _teams.size
    if threads <= kept:
        _teams.size = threads  # surplus threads end
        return threads
    there += startable_threads(threads - there)
    found = threads
    if there < threads:
        found = max(kept, (there - 1) // 2)  # half: leave threads to other uses
        warn_of_refused_threads(threads, there, found)
    _teams.size = found
    return found
