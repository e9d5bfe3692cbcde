"""How many threads the kernels use.

`n_jobs` is a number of threads, of which no more than 1024 are started; −1 is every core that the
process may run on, −2 all but one, and so on; None is the environment variable OMP_NUM_THREADS
where it holds a number (of a list, the first), else every core.  A kernel never starts more threads
than it has pieces of work.

GNU OpenMP does not survive fork: a forked child that starts a parallel region may hang.  So a
child of fork runs the kernels on one thread; results are the same for every number of threads.
"""

from __future__ import annotations

import os
import threading

from prfast.inputs.options import read_jobs
from prfast.inputs.pools import tried, warn_of_refused

MOST = 1024

_forked = False


def _mark_forked() -> None:
    global _forked
    _forked = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_mark_forked)


def usable_cores() -> int:
    """Cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def default_threads() -> int:
    """OMP_NUM_THREADS, or every usable core where that is not a number."""
    asked = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return int(asked) if asked.isdecimal() and int(asked) > 0 else usable_cores()


def resolve_threads(n_jobs: int | None) -> int:
    """`n_jobs` as a number of threads, see above; a forked child has one."""
    jobs = read_jobs(n_jobs)
    threads = default_threads() if jobs is None else jobs
    if threads < 0:
        threads = max(1, usable_cores() + 1 + threads)
    return 1 if _forked else min(threads, MOST)


class _Teams(threading.local):
    """Threads that GNU OpenMP keeps for a thread that has asked for them: those of its last team.
    A smaller team ends the others; a team of one is none, and ends nobody."""

    size = 1


_teams = _Teams()


def startable(threads: int) -> int:
    """How many threads there are if so many are wanted: GNU OpenMP ends the process where the
    system refuses one, so as many ordinary threads as it would start are started first, and end
    again."""
    if threads == 1:
        return 1
    there = kept = _teams.size
    if threads <= kept:
        _teams.size = threads  # what a smaller team leaves ends
        return threads
    with tried(threads - there) as others:
        there += others.threads
    found = threads
    if there < threads:
        found = max(kept, (there - 1) // 2)  # half: what they take may be wanted otherwise
        warn_of_refused(threads, there, found)
    _teams.size = found
    return found
