"""Samples in partitions, and the executor protocol that runs tasks on their rows.

`Cluster` is the protocol, `InProcess` its implementation in this process, `bounded_map` a map with
a bounded number of tasks in flight.  `Partitions` is a set of samples; a `Group` is a range of its
rows and a `Part` some rows of a group, which workers load; `gather_rows` copies rows on workers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Floats
from prfast.inputs.concurrency import cached_property
from prfast.inputs.errors import WrongValue
from prfast.inputs.samples import SampleSet


@runtime_checkable
class Cluster(Protocol):
    """Protocol of executors: run module-level functions, each on one thread; keep the results.

    A handle stands for the result of a task.  In the arguments of another task, alone or in lists,
    tuples and dictionaries, it is replaced by the result.  A task whose worker died is run again,
    so it must be a pure function of its arguments.
    """

    threads: int
    """Number of tasks that run at once."""
    task_memory: int | None
    """Bytes for each of these tasks, in the smallest worker; None where it is not known."""

    def submit(self, function: Callable[..., Any], *args: Any) -> Any:
        """Submit function(*args) and return its handle."""
        ...

    def gather(self, handles: Sequence[Any]) -> list[Any]:
        """Return the results in order, or cancel the tasks and raise the error of one."""
        ...

    def persist(self, handles: Sequence[Any]) -> None:
        """Wait as `gather` does, without fetching the results."""
        ...

    def cancel(self, handles: Sequence[Any]) -> None:
        """Drop the tasks and their results.

        A task without references to its handle is dropped as well, after its dependents.
        """
        ...


class InProcess:
    """The executor of this process: runs each task at once, in `submit`."""

    threads = 1
    task_memory: int | None = None

    def submit(self, function: Callable[..., Any], *args: Any) -> Any:
        return function(*args)

    def gather(self, handles: Sequence[Any]) -> list[Any]:
        return list(handles)

    def persist(self, handles: Sequence[Any]) -> None:
        pass

    def cancel(self, handles: Sequence[Any]) -> None:
        pass


AHEAD = 6  # tasks a thread that are submitted at a time, waiting or running


def bounded_map(
    cluster: Cluster, function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]
) -> Generator[Any, None, None]:
    """Yield function(*args) for each of the arguments, in order, with a bounded number of tasks.

    All remaining tasks are cancelled when the generator ends, also by an error.
    """
    waiting: deque[Any] = deque()
    try:
        for args in arguments:
            waiting.append(cluster.submit(function, *args))
            if len(waiting) >= AHEAD * cluster.threads:
                (result,) = cluster.gather([waiting[0]])
                waiting.popleft()  # only now, so that an interrupt of `gather` cancels it as well
                yield result
        while waiting:
            (result,) = cluster.gather([waiting[0]])
            waiting.popleft()
            yield result
    finally:
        cluster.cancel(list(waiting))


@dataclass(frozen=True, eq=False)
class Partitions(SampleSet):
    """Validated rows in partitions: finite numbers of one dtype and one width.

    partitions: in the order of the rows, arrays, objects whose `load` returns one, or handles of
    tasks that return either; `lengths` their numbers of rows.  exponent: rows are loaded as float64
    multiples of 2**exponent, or unscaled where it is None.  part_rows: rows of the parts of the
    neighbor search; None chooses a useful size.
    """

    partitions: Sequence[Any]
    lengths: NDArray[np.int64]
    width: int
    dtype: np.dtype[Any]
    cluster: Cluster
    largest: float
    smallest: float
    checksum: int
    """CRC-32 of the lengths and checksums of the partitions."""
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

    def groups(self, rows: int) -> list[Group]:
        """Return groups of consecutive rows, about `rows` each, as `spans` cuts them."""
        return [self.span(start, stop) for start, stop in spans(self.lengths, rows)]

    def span(self, start: int, stop: int) -> Group:
        """Return the group of the rows [start, stop), at least one."""
        first = int(np.searchsorted(self.starts, start, "right")) - 1
        last = int(np.searchsorted(self.starts, stop, "left"))
        partitions = tuple(self.partitions[i] for i in range(first, last) if self.lengths[i])
        return Group(partitions, start - int(self.starts[first]), start, stop, self.exponent)

    def block(self, rows: slice, index: NDArray[np.int64] | None = None) -> Part:
        if index is None:
            return Part(self.span(rows.start, rows.stop), None, rows.start, rows.stop)
        index = index[rows]
        first, stop = int(index.min()), int(index.max()) + 1
        return Part(self.span(first, stop), index - first, rows.start, rows.stop)

    def take(self, rows: NDArray[np.int64]) -> Floats:
        arrays = self.map(load_rows, _rows_by_group(self, rows))
        return np.concatenate([np.empty((0, self.width), self.dtype), *arrays])

    def scaled(self, exponent: int) -> Self:
        return replace(self, exponent=exponent, dtype=np.dtype(np.float64))

    def map(
        self, function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]
    ) -> Generator[Any, None, None]:
        return bounded_map(self.cluster, function, arguments)


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


class Group(NamedTuple):
    """The rows [start, stop) of a set; they begin `offset` rows into the first of `partitions`."""

    partitions: tuple[Any, ...]
    offset: int
    start: int
    stop: int
    exponent: int | None

    def load(self, index: NDArray[np.int64] | None = None) -> Floats:
        """Load the rows, or those of `index`, counted from `start`, in that order (in a task)."""
        rows = self._all_rows() if index is None else self._some_rows(index + self.offset)
        rows = np.require(rows, requirements=["C", "A"])
        if self.exponent is None:
            return rows
        return np.ldexp(rows.astype(np.float64), -self.exponent)

    def _all_rows(self) -> Floats:
        arrays: list[Floats] = []
        first, number = self.offset, self.stop - self.start
        for partition in self.partitions:
            rows = _load(partition)[first : first + number]
            first, number = 0, number - len(rows)
            arrays.append(rows)
        # A single one is not copied: it may be a memory map.
        return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)

    def _some_rows(self, index: NDArray[np.int64]) -> Floats:
        """Return rows by their number from the start of the first partition."""
        result: Any = None
        start = 0
        for partition in self.partitions:  # one in memory at a time
            rows = _load(partition)
            if result is None:
                result = np.empty((len(index), rows.shape[1]), rows.dtype)
            inside = np.flatnonzero((start <= index) & (index < start + len(rows)))
            result[inside] = rows[index[inside] - start]
            start += len(rows)
        some: Floats = result
        return some


def _load(partition: Any) -> Floats:
    rows: Floats = partition if isinstance(partition, np.ndarray) else partition.load()
    return rows


class Part(NamedTuple):
    """The points [start, stop) of a set: all rows of a group, or the rows `which` of it."""

    group: Group
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
        return self.group.load(self.which)


BYTES = 1 << 27  # bytes of rows that a task loads


def group_rows(points: Partitions) -> int:
    """Return the number of rows that have `BYTES` bytes, at least 1."""
    return max(1, BYTES // (points.width * points.dtype.itemsize))


def gather_rows(points: Partitions, rows: NDArray[np.int64]) -> list[Any]:
    """Return the rows of `take` as handles of consecutive arrays that stay on the workers."""
    return [points.cluster.submit(load_rows, *one) for one in _rows_by_group(points, rows)]


def load_rows(group: Group, rows: NDArray[np.int64]) -> Floats:
    """Return a copy of some rows of a group, so that the others are freed (a task)."""
    return np.array(group.load(rows))


def _rows_by_group(
    points: Partitions, rows: NDArray[np.int64]
) -> list[tuple[Group, NDArray[np.int64]]]:
    """Return the groups that contain any of the rows, with the row numbers within each."""
    groups = []
    for group in points.groups(group_rows(points)):
        start, stop = np.searchsorted(rows, [group.start, group.stop])
        if start < stop:
            groups.append((group, rows[start:stop] - group.start))
    return groups


def check_memory(cluster: Cluster, needed: int, tasks: str, remedy: str) -> None:
    """Raise WrongValue where a thread of the cluster has fewer bytes than a task needs.

    A worker with full memory swaps for long before it dies.  tasks, remedy: what needs the memory,
    and what would need less.
    """
    if cluster.task_memory is not None and needed > cluster.task_memory:
        needed_size, size = (
            f"{n / 1e9:.3g} GB" if n >= 10**9 else f"{n / 1e6:.3g} MB"
            for n in (needed, cluster.task_memory)
        )
        raise WrongValue(
            "client",
            f"workers with {needed_size} a thread expected for {tasks}, got {size}: "
            f"more memory, fewer threads, or {remedy}",
        )
