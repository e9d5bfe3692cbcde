"""Calls that processes share out, and the bar that hears of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from prfast.inputs.progress import Progress


def in_turn(calls: Sequence[Any], n_jobs: int | None, progress: Progress) -> list[Any]:
    """What calls of `joblib.delayed` give, in their order."""
    from joblib import Parallel

    found = []
    for one in Parallel(n_jobs=n_jobs, return_as="generator")(calls):
        found.append(one)
        progress.advance()
    return found
