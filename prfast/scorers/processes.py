"""Calls that processes share out, and the bar that hears of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from prfast.inputs.progress import Progress
from prfast.kernels.threads import resolve_threads


def in_turn(calls: Sequence[Any], n_jobs: int | None, progress: Progress) -> list[Any]:
    """Return the results of calls of `joblib.delayed`, in their order; n_jobs: None is one."""
    from joblib import Parallel

    processes = resolve_threads(1 if n_jobs is None else n_jobs, len(calls))
    found = []
    for one in Parallel(n_jobs=processes, return_as="generator")(calls):
        found.append(one)
        progress.advance()
    return found
