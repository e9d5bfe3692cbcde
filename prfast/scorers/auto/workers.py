"""Threads that share out the work; neither their number nor their order changes a result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from prfast.inputs.extra import load_extra
from prfast.kernels.blas import one_openmp_thread

# Results of a function for each of some arguments, in their order.
Run = Callable[[Callable[[Any], Any], Sequence[Any]], list[Any]]


class Bar:
    """Steps that are done, of all that are known of; shown or not."""

    def __init__(self, bar: Any) -> None:
        self._bar = bar

    def over(self, found: Iterable[Any], steps: int) -> Iterator[Any]:
        """What so many steps find, one after the other."""
        if self._bar is not None:
            self._bar.total = (self._bar.total or 0) + steps
        for one in found:
            yield one
            if self._bar is not None:
                self._bar.update()


@contextmanager
def steps(progress: bool) -> Iterator[Bar]:
    """A bar, if it is wanted."""
    bar = None
    if progress:
        bars = load_extra("tqdm.auto", "progress=True", "progress")
        bar = bars.tqdm(unit="step", leave=False)
    try:
        yield Bar(bar)
    finally:
        if bar is not None:
            bar.close()


@contextmanager
def workers(threads: int, progress: bool) -> Iterator[Run]:
    """So many threads, and, if wanted, a bar over the calls that they get."""
    with steps(progress) as bar:
        pool = ThreadPoolExecutor(threads, initializer=one_openmp_thread)

        def run(call: Callable[[Any], Any], arguments: Sequence[Any]) -> list[Any]:
            return list(bar.over(pool.map(call, arguments), len(arguments)))

        try:
            yield run
        finally:
            pool.shutdown(cancel_futures=True)


def alone(call: Callable[[Any], Any], arguments: Sequence[Any]) -> list[Any]:
    """A `Run` of the thread that calls it."""
    return [call(one) for one in arguments]
