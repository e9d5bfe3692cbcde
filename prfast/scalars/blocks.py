"""Blocks of rows, and sums over pairs of blocks.

The width alone decides the size of blocks, and their results are combined in order.  So sums are
the same to the last bit for any number of threads, and for samples in partitions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s, blocks
from prfast.inputs.concurrency import bounded_results, one_blas_thread, thread_pool
from prfast.neighbors import NeighborSearch, Points, Rows
from prfast.samples.partitioned import sample_set_of

_FEW_PRODUCTS = 1 << 24  # half a millisecond


def parts_of(points: Points, rows: int) -> list[Any]:
    """Return blocks of so many rows: slices of arrays, or references that tasks load."""
    samples, slices = sample_set_of(points), blocks(len(points), rows)
    if samples is None:
        return [points[rows] for rows in slices]
    index = points.index if isinstance(points, Rows) else None
    return [samples.block(rows, index) for rows in slices]


def loaded(part: Any) -> Any:
    """Return the rows of a block of `parts_of`."""
    return np.asarray(part.load() if hasattr(part, "load") else part)


def rows_of(part: Any) -> Float64s:
    """Return the rows of a block in float64."""
    return np.asarray(loaded(part).astype(np.float64))


def map_blocks(
    points: Points,
    call: Callable[..., Any],
    arguments: Sequence[tuple[Any, ...]],
    search: NeighborSearch,
    numbers: int,
    products: float = math.inf,
) -> Generator[Any, None, None]:
    """Yield the results of a function for each of the arguments, in their order, and advance the
    progress bar.  It runs on threads, or where the rows of a `PartitionedRows` are.

    call: a function of a module that can be pickled.  numbers: float64 numbers that a call
    allocates.  products: multiplications of all calls; few of them are done without threads.
    """
    threads = max(1, min(search.threads, search.memory // (8 * numbers)))
    results: Generator[Any, None, None]
    if (samples := sample_set_of(points)) is not None:
        results = samples.map(_with_one_blas_thread, ((call, *a) for a in arguments))
    elif threads == 1 or len(arguments) == 1 or products < _FEW_PRODUCTS:
        results = (call(*a) for a in arguments)
    else:
        results = _in_threads(call, arguments, min(threads, len(arguments)))
    with closing(results) as iterator:  # stops the tasks if the progress bar is interrupted
        for result in iterator:
            yield result
            search.progress.advance()


def block_sums(
    x: Points,
    y: Points | None,
    call: Callable[..., Any],
    arguments: tuple[Any, ...],
    sizes: tuple[int, int],
    search: NeighborSearch,
    numbers: int,
) -> tuple[Float64s, Float64s, list[float]]:
    """Return the sums of a function of pairs over y for each x, those over x for each y, and a
    number for each pair of blocks.

    y: None for pairs within x, each computed once; the number of two different blocks is doubled.
    call: a function of a block of x, a block of y, whether these are one block, and the arguments,
    as for `map_blocks`.  It returns the sums of the rows of either block, and the number.  sizes:
    the numbers of rows of blocks of x and of y.
    """
    within, second = y is None, x if y is None else y
    rows, columns = (list(blocks(len(z), s)) for z, s in zip((x, second), sizes, strict=True))
    parts, others = parts_of(x, sizes[0]), parts_of(second, sizes[1])
    sums_x = np.zeros(len(x))
    sums_y = sums_x if within else np.zeros(len(second))
    pairs = [(i, j) for i in range(len(rows)) for j in range(i if within else 0, len(columns))]
    tasks = [(parts[i], others[j], within and i == j, *arguments) for i, j in pairs]
    totals = []
    results = map_blocks(x, call, tasks, search, numbers)
    with search.progress.work(len(tasks), share=len(x) * len(second)), closing(results):
        for (i, j), (sums_i, sums_j, number) in zip(pairs, results, strict=True):
            sums_x[rows[i]] += sums_i
            totals.append(2 * number if within and i != j else number)
            if not within or i != j:
                sums_y[columns[j]] += sums_j
    return sums_x, sums_y, totals


def _in_threads(
    call: Callable[..., Any], arguments: Sequence[tuple[Any, ...]], threads: int
) -> Generator[Any, None, None]:
    with thread_pool(threads) as executor:
        yield from bounded_results((executor.submit(call, *a) for a in arguments), 2 * threads)


def _with_one_blas_thread(call: Callable[..., Any], *arguments: Any) -> Any:
    with one_blas_thread("scipy.linalg"):
        return call(*arguments)
