"""Threads, whose number and order change no result, and the progress bar of a fit."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from typing import Any, Protocol

import numpy as np

from prfast.inputs.concurrency import bounded_map, thread_pool
from prfast.inputs.options import Progress
from prfast.kernels.threads import one_openmp_thread

# The time of each phase of a fit, measured for 4000 samples of 16 features and 12 000 of 64; the
# phases before the trial of trees sum to 100.  The progress bar advances by these shares.  Those
# after the trial are needed only where it succeeds; otherwise `skip` advances the bar past them.
SHARES = {
    "coordinates": 5,
    "bases": 55,
    "columns": 20,
    "stack": 20,
    "trial": 35,
    "trees": 20,
    "odds": 1,
    "second stack": 20,
}
REST = 25  # scores of rows that are not fitted to, as many as the fitted ones


class Run(Protocol):
    """A map: results of a function for each argument, in order; share: their time, as in SHARES."""

    def __call__(
        self, call: Callable[[Any], Any], arguments: Sequence[Any], share: float
    ) -> list[Any]: ...


def expected(rest: int, fitted: int) -> float:
    """Return the work of a fit and of the scores of the rest."""
    return sum(SHARES.values()) + REST * rest / fitted


def skip(run: Run, *phases: str) -> None:
    """Advance the bar past phases that this fit does not need."""
    run(_nothing, (), sum(SHARES[phase] for phase in phases))


def _nothing(_: Any) -> None:
    pass


def over(
    progress: Progress, found: Generator[Any, None, None], steps: int, share: float
) -> Iterator[Any]:
    """Yield the results of so many steps, and advance the bar."""
    with progress.work(steps, share=share), closing(found) as some:
        for one in some:
            yield one
            progress.advance()


@contextmanager
def workers(threads: int, progress: Progress) -> Iterator[Run]:
    """Yield a `Run` that distributes calls to so many threads and advances the bar by each result.

    A single thread is the caller's own, for which OpenMP is limited already; like a new thread it
    answers floating-point errors in NumPy's default way.
    """
    with (
        np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"),
        thread_pool(threads, one_openmp_thread) if threads > 1 else nullcontext() as executor,
    ):

        def run(call: Callable[[Any], Any], arguments: Sequence[Any], share: float) -> list[Any]:
            results = (
                (call(one) for one in arguments)
                if executor is None
                else bounded_map(executor, call, arguments)
            )
            return list(over(progress, results, len(arguments), share))

        yield run


def alone(call: Callable[[Any], Any], arguments: Sequence[Any], share: float) -> list[Any]:
    """Run all calls in the calling thread, without a progress bar; a `Run`."""
    return [call(one) for one in arguments]
