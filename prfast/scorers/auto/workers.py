"""Threads that share out the work; neither their number nor their order changes a result."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, Protocol

from prfast.inputs.pools import pool
from prfast.inputs.progress import Progress
from prfast.kernels.blas import one_openmp_thread

# The time of each phase of a fit, measured for 4000 samples of 16 features and 12 000 of 64; the
# phases before the trial of trees make 100.  The progress bar moves by these shares.  Those after
# the trial are needed only where it succeeds; otherwise `skip` moves the bar past them.
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
REST = 25  # and the rows that nothing is fitted to, beside as many that are


class Run(Protocol):
    """Results of a function for each of some arguments, in their order; share: what they take,
    beside SHARES."""

    def __call__(
        self, call: Callable[[Any], Any], arguments: Sequence[Any], share: float
    ) -> list[Any]: ...


def expected(rest: int, fitted: int) -> float:
    """What a fit and the scores of the rest take."""
    return sum(SHARES.values()) + REST * rest / fitted


def skip(run: Run, *phases: str) -> None:
    """Move the bar past phases that this fit does not need."""
    run(_nothing, (), sum(SHARES[phase] for phase in phases))


def _nothing(_: Any) -> None:
    pass


def over(
    progress: Progress, found: Generator[Any, None, None], steps: int, share: float
) -> Iterator[Any]:
    """What so many steps find, one after the other."""
    with progress.work(steps, share=share), closing(found) as some:
        for one in some:
            yield one
            progress.advance()


@contextmanager
def workers(threads: int, progress: Progress) -> Iterator[Run]:
    """So many threads, which tell the bar of the calls that they have answered."""
    with pool(threads, one_openmp_thread) as many:

        def run(call: Callable[[Any], Any], arguments: Sequence[Any], share: float) -> list[Any]:
            return list(over(progress, many.map(call, arguments), len(arguments), share))

        yield run


def alone(call: Callable[[Any], Any], arguments: Sequence[Any], share: float) -> list[Any]:
    """A `Run` of the thread that calls it."""
    return [call(one) for one in arguments]
