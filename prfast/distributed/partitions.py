"""The executor protocol, tasks with a bound on their number, and parts of the rows of a set.

A `Part` of a set refers to rows that workers load; `gather_rows` copies rows on workers.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Floats
from prfast.inputs.concurrency import bounded_results


@runtime_checkable
class Cluster(Protocol):
    """Protocol of executors: run module-level functions, each on one thread; keep the results.

    A handle represents the result of a task.  In the arguments of another task, alone or in lists,
    tuples and dictionaries, it is replaced by the result.  A task whose worker died is run again,
    so it must be a pure function of its arguments.

    threads: the number of tasks that run at once; task_memory: bytes for each of them, in the
    smallest worker, None where it is not known.
    """

    threads: int
    task_memory: int | None

    def submit(self, function: Callable[..., Any], *args: Any) -> Any:
        """Submit function(*args) and return its handle."""

    def gather(self, handles: Sequence[Any]) -> list[Any]:
        """Return the results in order, or cancel the tasks and raise the error of one."""

    def wait(self, handle: Any) -> None:
        """Wait for one task without fetching its result; raise its error."""

    def cancel(self, handles: Sequence[Any]) -> None:
        """Drop the tasks and their results, as tasks without references to their handles are."""


AHEAD = 6  # tasks a thread that are submitted at a time, waiting or running


def map_tasks(
    cluster: Cluster, function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]
) -> Generator[Any, None, None]:
    """Yield function(*args) for each of the arguments, in order, with a bounded number of tasks."""
    return bounded_results(
        (cluster.submit(function, *args) for args in arguments),
        AHEAD * cluster.threads,
        lambda handle: cluster.gather([handle])[0],
        lambda handle: cluster.cancel([handle]),
    )


def spans(lengths: NDArray[np.int64], rows: int) -> list[tuple[int, int]]:
    """Return [start, stop) of spans of about `rows` rows.

    Partitions of these lengths are joined up to `rows`; a longer one is cut into equal parts.
    """
    pieces: list[tuple[int, int]] = []
    start = stop = 0
    for length in lengths.tolist():
        if stop + length - start > rows and stop > start:
            pieces.append((start, stop))
            start = stop
        parts = -(-length // rows)
        cuts = [stop + part * length // parts for part in range(parts + 1)] if length else [stop]
        stop += length
        if parts > 1:
            pieces += pairwise(cuts)
            start = stop
    return [*pieces, (start, stop)] if stop > start else pieces


class Part(NamedTuple):
    """The points [start, stop) of a set, some rows of consecutive partitions.

    These are the rows `which`, numbered from the first partition, or consecutive ones from `offset`
    where it is None.
    """

    partitions: tuple[Any, ...]
    offset: int
    which: Any  # NDArray[np.int64] | None; for the driver, a handle of it
    start: int
    stop: int

    @property
    def rows(self) -> slice:
        return slice(self.start, self.stop)

    @property
    def size(self) -> int:
        return self.stop - self.start

    def load(self) -> Floats:
        """Load the rows (in a task)."""
        arrays, selected, start = [], None, 0
        for partition in self.partitions:  # of selected rows, one in memory at a time
            rows = partition if isinstance(partition, np.ndarray) else partition.load()
            if self.which is None:
                first = max(0, self.offset - start)
                arrays.append(rows[first : max(0, self.offset + self.size - start)])
            else:
                if selected is None:
                    selected = np.empty((self.size, rows.shape[1]), rows.dtype)
                inside = np.flatnonzero((start <= self.which) & (self.which < start + len(rows)))
                selected[inside] = rows[self.which[inside] - start]
            start += len(rows)
        if selected is None:  # a single partition stays, as it may be a memory map
            selected = arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
        return np.require(selected, requirements=["C", "A"])


BYTES = 1 << 27  # bytes of rows that a task loads


def group_rows(points: Any) -> int:
    """Return the number of rows that have `BYTES` bytes, at least 1."""
    return max(1, BYTES // int(points.width * points.dtype.itemsize))


def row_parts(points: Any, rows: NDArray[np.int64]) -> list[Part]:
    """Return ascending rows by the group of partitions that contains them."""
    pieces = spans(points.lengths, group_rows(points))
    ends = [np.searchsorted(rows, span) for span in pieces]
    return [points.block(slice(start, stop), rows) for start, stop in ends if start < stop]


def gather_rows(points: Any, rows: NDArray[np.int64]) -> list[Any]:
    """Return ascending rows as handles of consecutive arrays that stay on the workers."""
    return [points.cluster.submit(load_rows, part) for part in row_parts(points, rows)]


def load_rows(part: Part) -> Floats:
    """Return a copy of the rows of a part (a task): its partitions are freed."""
    return np.array(part.load())
