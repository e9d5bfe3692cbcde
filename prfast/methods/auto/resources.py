"""Threads, progress and memory of a fit.

A fit runs its phases through an `Executor`, which maps a function over arguments.  Neither the
number of threads nor the order in which they finish changes a result.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from typing import Any, Protocol

import numpy as np

from prfast.inputs.concurrency import bounded_map, thread_pool
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import Progress
from prfast.kernels.threads import one_openmp_thread
from prfast.methods.auto.coordinates import ALL_AXES, AXES, MAX_GRAM, STORED
from prfast.methods.auto.regressions import held_out_sets
from prfast.methods.auto.sample import MANY_COLUMNS, block_rows

# The time of each phase of a fit, measured for 4000 samples of 16 features and 12 000 of 64; the
# phases before the trial of trees sum to 100.  The progress bar advances by these shares.  Those
# after the trial are needed only where it succeeds; otherwise `skip_phases` advances the bar.
PHASES = {
    "coordinates": 5,
    "bases": 55,
    "columns": 20,
    "stack": 20,
    "trial": 35,
    "trees": 20,
    "trees' column": 1,
    "second stack": 20,
}
UNFITTED = 25  # scores of rows that are not fitted to, as many as the fitted ones


class Executor(Protocol):
    """A map: the results of a function for each argument, in order.

    share: the share of the fit that the calls take, as in PHASES.
    """

    def __call__(
        self, function: Callable[[Any], Any], arguments: Sequence[Any], share: float
    ) -> list[Any]: ...


def serial_executor(
    function: Callable[[Any], Any], arguments: Sequence[Any], share: float = 0
) -> list[Any]:
    """Call the function in the calling thread, without a progress bar."""
    return [function(argument) for argument in arguments]


@contextmanager
def thread_executor(threads: int, progress: Progress) -> Iterator[Executor]:
    """Yield an executor with so many threads, which advances the bar by each result.

    A single thread is the caller's own, for which OpenMP is limited already; like a new thread it
    answers floating-point errors in NumPy's default way.
    """
    with (
        np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"),
        thread_pool(threads, one_openmp_thread) if threads > 1 else nullcontext() as pool,
    ):

        def execute(
            function: Callable[[Any], Any], arguments: Sequence[Any], share: float
        ) -> list[Any]:
            results = (
                (function(argument) for argument in arguments)
                if pool is None
                else bounded_map(pool, function, arguments)
            )
            return list(with_progress(progress, results, len(arguments), share))

        yield execute


def with_progress(
    progress: Progress, results: Generator[Any, None, None], steps: int, share: float
) -> Iterator[Any]:
    """Yield the results of so many steps, and advance the bar."""
    with progress.work(steps, share=share), closing(results) as closed:
        for result in closed:
            yield result
            progress.advance()


def skip_phases(execute: Executor, *phases: str) -> None:
    """Advance the bar past phases that this fit does not need."""
    execute(_no_result, (), sum(PHASES[phase] for phase in phases))


def _no_result(_: Any) -> None:
    pass


def fit_work(unfitted: int, fitted: int) -> float:
    """Return the work of a fit and of the scores of the other rows, in units of PHASES."""
    return sum(PHASES.values()) + UNFITTED * unfitted / fitted


_COLUMNS = 40  # of all bases
_MIN_ROWS = 1000  # samples of a fit


def max_rows(memory: int, width: int, folds: int) -> int:
    """Return the number of samples of both sets together that a fit by one thread has memory for;
    ValueError where it is below _MIN_ROWS.

    It is for one thread, so that no result depends on the number of threads.
    """
    fixed = _sums_bytes(width, folds) + _block_bytes(width)
    rows = (memory - fixed) // _row_bytes(width, stored=False)
    if _is_stored(rows, width):  # few enough to store their coordinates, which needs more
        rows = min((memory - fixed) // _row_bytes(width, stored=True), rows)
    if rows < _MIN_ROWS:
        least = fixed + _MIN_ROWS * _row_bytes(width, stored=_is_stored(_MIN_ROWS, width))
        raise WrongValue(
            "memory", f"at least {least} bytes expected for {width} features, got {memory}"
        )
    return rows


def max_threads(memory: int, width: int, folds: int, rows: int) -> int:
    """Return the number of threads, at least one, with memory for a block beside `rows` samples."""
    used = rows * _row_bytes(width, stored=_is_stored(rows, width))
    left = memory - _sums_bytes(width, folds) - used
    return max(1, left // (_block_bytes(width) + rows * _tree_bytes(width)))


def _is_stored(rows: int, width: int) -> bool:
    """Return whether the coordinates of all fitted rows are stored."""
    return width <= ALL_AXES and rows * width <= STORED


def _sums_bytes(width: int, folds: int) -> int:
    """Return the bytes of the largest sums of ridge regression."""
    screened = 8 * folds * (6 * min(width, 100)) ** 2 if width > MANY_COLUMNS else 0
    if width > ALL_AXES:
        square = 4 * width**2 if width <= MAX_GRAM else 0
        return max(square * (held_out_sets(width, folds) + 3), screened)
    return max(8 * folds * (8 * min(width, 128)) ** 2 // 4, screened)


def _block_bytes(width: int) -> int:
    """Return the bytes of a block and its coordinates."""
    return block_rows(width) * 8 * (4 * width + 8 * min(width, ALL_AXES) + 1000)


def _row_bytes(width: int, *, stored: bool) -> int:
    """Return the bytes of a fitted sample; stored: whether its coordinates are."""
    return 8 * (AXES + 3 + 7 * _COLUMNS + (7 * width if stored else 0)) + _tree_bytes(width)


def _tree_bytes(width: int) -> int:
    """Return the bytes of a sample while trees are fitted: columns and their bins."""
    return 9 * min(width, MANY_COLUMNS)
