"""Samples in partitions, and the executor protocol that runs tasks on their rows.

`Cluster` is the protocol, `map_tasks` a map with a bounded number of tasks in flight.  A `Part` of
a set refers to rows that workers load; `gather_rows` copies rows on workers.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Floats
from prfast.inputs.concurrency import bounded_results, cached_property
from prfast.samples.partitioned import PartitionedRows


@runtime_checkable
class Cluster(Protocol):
    """Protocol of executors: run module-level functions, each on one thread; keep the results.

    A handle stands for the result of a task.  In the arguments of another task, alone or in lists,
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


@dataclass(frozen=True, eq=False)
class Partitions(PartitionedRows):
    """Validated rows in partitions: finite numbers of one dtype and one width.

    partitions: in the order of the rows, arrays, objects whose `load` returns one, or handles of
    tasks that return either; `lengths` their numbers of rows.  checksum: CRC-32 of the lengths and
    checksums of the partitions.  exponent: rows are loaded as float64 multiples of 2**exponent, or
    unscaled where it is None.  part_rows: rows of the parts of the neighbor search; None chooses a
    useful size.
    """

    partitions: Sequence[Any]
    lengths: NDArray[np.int64]
    width: int
    dtype: np.dtype[Any]
    cluster: Cluster
    largest: float
    smallest: float
    checksum: int
    exponent: int | None = None
    record: Mapping[str, Any] | None = None
    column_names: list[str] | None = None
    part_rows: int | None = None

    @property
    def shape(self) -> tuple[int, int]:
        return int(self.starts[-1]), self.width

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Number of the first row of each partition, then the number of all rows."""
        return np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.int64)

    def parts(self, rows: int) -> list[Part]:
        """Return consecutive rows, about `rows` each, as `spans` cuts them."""
        return [self.block(slice(start, stop)) for start, stop in spans(self.lengths, rows)]

    def block(self, rows: slice, index: NDArray[np.int64] | None = None) -> Part:
        which, first, stop = None, rows.start, rows.stop
        if index is not None:
            which = index[rows]
            first, stop = int(which.min()), int(which.max()) + 1
        begin = int(np.searchsorted(self.starts, first, "right")) - 1
        end = int(np.searchsorted(self.starts, stop, "left"))
        partitions = tuple(self.partitions[i] for i in range(begin, end) if self.lengths[i])
        offset = int(self.starts[begin])
        which = None if which is None else which - offset
        return Part(partitions, first - offset, which, rows.start, rows.stop, self.exponent)

    def take(self, rows: NDArray[np.int64]) -> Floats:
        arrays = self.map(load_rows, ((part,) for part in _row_parts(self, rows)))
        return np.concatenate([np.empty((0, self.width), self.dtype), *arrays])

    def scaled(self, exponent: int) -> Self:
        return replace(self, exponent=exponent, dtype=np.dtype(np.float64))

    def map(
        self, function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]
    ) -> Generator[Any, None, None]:
        return map_tasks(self.cluster, function, arguments)


def spans(lengths: NDArray[np.int64], rows: int) -> list[tuple[int, int]]:
    """Return [start, stop) of groups of about `rows` rows.

    Partitions of these lengths are joined up to `rows`; a longer one is cut into equal parts.
    """
    groups: list[tuple[int, int]] = []
    start = stop = 0
    for length in lengths.tolist():
        if stop + length - start > rows and stop > start:
            groups.append((start, stop))
            start = stop
        parts = -(-length // rows)
        cuts = [stop + part * length // parts for part in range(parts + 1)] if length else [stop]
        stop += length
        if parts > 1:
            groups += pairwise(cuts)
            start = stop
    return [*groups, (start, stop)] if stop > start else groups


class Part(NamedTuple):
    """The points [start, stop) of a set, which are some rows of consecutive partitions.

    They are the rows `which`, numbered from the first partition; or, where that is None, as many
    consecutive ones from row `offset` of it.
    """

    partitions: tuple[Any, ...]
    offset: int
    which: Any  # NDArray[np.int64] | None; for the driver, a handle of it
    start: int
    stop: int
    exponent: int | None

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
        if selected is None:  # a single partition is not copied: it may be a memory map
            selected = arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
        result: Floats = np.require(selected, requirements=["C", "A"])
        if self.exponent is None:
            return result
        return np.ldexp(result.astype(np.float64), -self.exponent)


BYTES = 1 << 27  # bytes of rows that a task loads


def group_rows(points: Partitions) -> int:
    """Return the number of rows that have `BYTES` bytes, at least 1."""
    return max(1, BYTES // (points.width * points.dtype.itemsize))


def gather_rows(points: Partitions, rows: NDArray[np.int64]) -> list[Any]:
    """Return the rows of `take` as handles of consecutive arrays that stay on the workers."""
    return [points.cluster.submit(load_rows, part) for part in _row_parts(points, rows)]


def load_rows(part: Part) -> Floats:
    """Return a copy of the rows of a part (a task): its partitions are freed."""
    return np.array(part.load())


def _row_parts(points: Partitions, rows: NDArray[np.int64]) -> list[Part]:
    """Return ascending rows by the group of partitions that contains them."""
    groups = spans(points.lengths, group_rows(points))
    ends = [np.searchsorted(rows, group) for group in groups]
    return [points.block(slice(start, stop), rows) for start, stop in ends if start < stop]
