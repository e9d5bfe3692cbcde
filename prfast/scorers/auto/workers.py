"""Threads that share out the work; neither their number nor their order changes a result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from prfast.inputs.extra import load_extra
from prfast.kernels.blas import one_openmp_thread

# Results of a function for each of some arguments, in their order.
Run = Callable[[Callable[[Any], Any], Sequence[Any]], list[Any]]


@contextmanager
def workers(threads: int, progress: bool) -> Iterator[Run]:
    """So many threads, and, if wanted, a bar over the calls that they get."""
    bar = None
    if progress:
        bars = load_extra("tqdm.auto", "progress=True", "progress")
        bar = bars.tqdm(unit="step", leave=False)
    pool = ThreadPoolExecutor(threads, initializer=one_openmp_thread)

    def run(call: Callable[[Any], Any], arguments: Sequence[Any]) -> list[Any]:
        if bar is not None:
            bar.total = (bar.total or 0) + len(arguments)
        found = []
        for one in pool.map(call, arguments):
            found.append(one)
            if bar is not None:
                bar.update()
        return found

    try:
        yield run
    finally:
        pool.shutdown(cancel_futures=True)
        if bar is not None:
            bar.close()
