"""How many threads the kernels use.

GNU OpenMP does not survive fork: a forked child that starts a parallel region may hang.  So a
child of fork runs the kernels on one thread; results are the same for every number of threads.
"""

from __future__ import annotations

import os

from prfast.samples import read_count

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


def resolve_threads(n_jobs: int | None) -> int:
    """`n_jobs` as a number of threads: None is every usable core, a forked child has one."""
    threads = usable_cores() if n_jobs is None else read_count("n_jobs", n_jobs)
    return 1 if _forked else threads
