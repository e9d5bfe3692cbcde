"""Samples in partitions, and the executor protocol that runs tasks on their rows.

`Cluster` is the protocol, `Here` its implementation in this process, `in_turn` a bounded map over
tasks.  `Partitions` is a set of samples; a `Group` is a range of its rows and a `Part` some rows of
a group, which workers load; `taken` gathers rows on the workers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Floats
from prfast.inputs.concurrency import cached_property
from prfast.inputs.errors import WrongValue
from prfast.inputs.samples import SampleSet


class Cluster(Protocol):
    """Protocol of executors: run module-level functions, each on one thread; keep the results.

    A handle stands for the result of a task.  In the arguments of another task, alone or in lists,
    tuples and dictionaries, it is replaced by the result.  A task whose worker died is run again,
    so it must be a pure function of its arguments.
    """

    threads: int
    """Number of tasks that run at once."""
    room: int | None
    """Bytes for each of these tasks, in the smallest worker; None where it is not known."""
    memory: int | None
    """Bytes of all workers together; None where it is not known."""

    def submit(self, function: Callable[..., Any], *args: Any) -> Any:
        """Submit function(*args) and return its handle."""
        ...

    def gather(self, handles: Sequence[Any]) -> list[Any]:
        """Return the results in order, or raise the error of a task.

        An error or an interrupt cancels all tasks that this thread has submitted.
        """
        ...

    def persist(self, handles: Sequence[Any]) -> None:
        """Wait until the tasks are done, without fetching their results."""
        ...

    def cancel(self, handles: Sequence[Any]) -> None:
        """Drop the tasks, their results, and the tasks that depend on them.

        A task without references to its handle is dropped as well, after its dependents.
        """
        ...


class Here:
    """The executor of this process: runs each task at once, in `submit`."""

    threads = 1
    room: int | None = None
    memory: int | None = None

    def submit(self, function: Callable[..., Any], *args: Any) -> Any:
        return function(*args)

    def gather(self, handles: Sequence[Any]) -> list[Any]:
        return list(handles)

    def persist(self, handles: Sequence[Any]) -> None:
        pass

    def cancel(self, handles: Sequence[Any]) -> None:
        pass


AHEAD = 6  # tasks a thread that `in_turn` keeps submitted, waiting or running


def in_turn(
    cluster: Cluster, function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]
) -> Generator[Any, None, None]:
    """Yield function(*args) for each of the arguments, in order, with a bounded number of tasks.

    All remaining tasks are cancelled when the generator ends, also by an error.
    """
    waiting: deque[Any] = deque()
    try:
        for one in arguments:
            waiting.append(cluster.submit(function, *one))
            if len(waiting) >= AHEAD * cluster.threads:
                yield _first(cluster, waiting)
        while waiting:
            yield _first(cluster, waiting)
    finally:
        cluster.cancel(list(waiting))


def _first(cluster: Cluster, waiting: deque[Any]) -> Any:
    found = cluster.gather([waiting[0]])[0]
    waiting.popleft()
    return found


@dataclass(frozen=True, eq=False)
class Partitions(SampleSet):
    """Validated rows in pieces: finite numbers of one dtype and one width.

    pieces: in the order of the rows, arrays, objects whose `load` returns one, or handles of tasks
    that return either; `lengths` their numbers of rows.  exponent: rows are loaded as float64
    multiples of 2**exponent, or unscaled where it is None.  part_rows: rows of the parts of the
    neighbor search; None chooses a useful size.
    """

    pieces: Sequence[Any]
    lengths: NDArray[np.int64]
    width: int
    dtype: np.dtype[Any]
    cluster: Cluster
    largest: float
    smallest: float
    checksum: int
    """CRC-32 of the lengths and checksums of the pieces; it depends on the partition."""
    exponent: int | None = None
    record: Mapping[str, Any] | None = None
    column_names: list[str] | None = None
    part_rows: int | None = None

    @property
    def shape(self) -> tuple[int, int]:
        return int(self.starts[-1]), self.width

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Number of the first row of each piece, then the number of all rows."""
        return np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.int64)

    def groups(self, rows: int) -> list[Group]:
        """Return groups of consecutive rows, about `rows` each, as `spans` cuts them."""
        return [self.span(start, stop) for start, stop in spans(self.lengths, rows)]

    def span(self, start: int, stop: int) -> Group:
        """Return the group of the rows [start, stop), at least one."""
        first = int(np.searchsorted(self.starts, start, "right")) - 1
        last = int(np.searchsorted(self.starts, stop, "left"))
        pieces = tuple(self.pieces[i] for i in range(first, last) if self.lengths[i])
        return Group(pieces, start - int(self.starts[first]), start, stop, self.exponent)

    def block(self, rows: slice, index: NDArray[np.int64] | None = None) -> Part:
        if index is None:
            return Part(self.span(rows.start, rows.stop), None, rows.start, rows.stop)
        index = index[rows]
        first, stop = int(index.min()), int(index.max()) + 1
        return Part(self.span(first, stop), index - first, rows.start, rows.stop)

    def take(self, rows: NDArray[np.int64]) -> Floats:
        found = list(self.map(load_rows, _of_groups(self, rows)))
        return np.concatenate([np.empty((0, self.width), self.dtype), *found])

    def scaled(self, exponent: int) -> Self:
        return replace(self, exponent=exponent, dtype=np.dtype(np.float64))

    def map(
        self, function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]
    ) -> Generator[Any, None, None]:
        return in_turn(self.cluster, function, arguments)


def spans(lengths: NDArray[np.int64], rows: int) -> list[tuple[int, int]]:
    """Return [start, stop) of groups of about `rows` rows.

    Pieces of these lengths are joined up to `rows`; a longer piece is cut into equal parts.
    """
    found: list[tuple[int, int]] = []
    start = stop = 0
    for length in lengths.tolist():
        if stop + length - start > rows and stop > start:
            found.append((start, stop))
            start = stop
        parts = -(-length // rows)
        cuts = [stop + part * length // parts for part in range(parts + 1)] if length else [stop]
        stop += length
        if parts > 1:
            found += pairwise(cuts)
            start = stop
    return [*found, (start, stop)] if stop > start else found


class Group(NamedTuple):
    """The rows [start, stop) of a set; they begin `offset` rows into the first of `pieces`."""

    pieces: tuple[Any, ...]
    offset: int
    start: int
    stop: int
    exponent: int | None

    def load(self, index: NDArray[np.int64] | None = None) -> Floats:
        """Load the rows, or those of `index`, counted from `start`, in that order (in a task)."""
        number = self.stop - self.start
        rows = _rows(self, number) if index is None else _some_rows(self, index + self.offset)
        rows = np.require(rows, requirements=["C", "A"])
        if self.exponent is None:
            return rows
        return np.ldexp(rows.astype(np.float64), -self.exponent)


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


def _loaded(piece: Any) -> Floats:
    found: Floats = piece if isinstance(piece, np.ndarray) else piece.load()
    return found


def _rows(group: Group, number: int) -> Floats:
    """Return all rows; no copy for a single piece."""
    found: list[Floats] = []
    first = group.offset
    for piece in group.pieces:
        rows = _loaded(piece)[first : first + number]
        first, number = 0, number - len(rows)
        found.append(rows)
    return found[0] if len(found) == 1 else np.concatenate(found)


def _some_rows(group: Group, index: NDArray[np.int64]) -> Floats:
    """Return rows counted from the start of the first piece, with one piece in memory at a time."""
    found: Any = None
    start = 0
    for piece in group.pieces:
        rows = _loaded(piece)
        if found is None:
            found = np.empty((len(index), rows.shape[1]), rows.dtype)
        here = np.flatnonzero((start <= index) & (index < start + len(rows)))
        found[here] = rows[index[here] - start]
        start += len(rows)
    some: Floats = found
    return some


BYTES = 1 << 27  # bytes of rows that a task loads


def group_rows(points: Partitions) -> int:
    """Return the number of rows that have `BYTES` bytes, at least 1."""
    return max(1, BYTES // (points.width * points.dtype.itemsize))


def taken(points: Partitions, rows: NDArray[np.int64]) -> list[Any]:
    """Return the rows of `take` as handles of consecutive arrays that stay on the workers."""
    return [points.cluster.submit(load_rows, *one) for one in _of_groups(points, rows)]


def load_rows(group: Group, rows: NDArray[np.int64]) -> Floats:
    """Return a copy of some rows of a group, so that the others are freed (a task)."""
    return np.array(group.load(rows))


def _of_groups(
    points: Partitions, rows: NDArray[np.int64]
) -> list[tuple[Group, NDArray[np.int64]]]:
    """Return the groups that contain any of the rows, with the row numbers within each."""
    found = []
    for group in points.groups(group_rows(points)):
        start, stop = np.searchsorted(rows, [group.start, group.stop])
        if start < stop:
            found.append((group, rows[start:stop] - group.start))
    return found


def check_room(cluster: Cluster, needed: int, tasks: str, remedy: str) -> None:
    """Raise WrongValue where a thread of the cluster has fewer bytes than a task needs.

    tasks, remedy: what needs the memory, and what would need less.
    """
    if cluster.room is not None and needed > cluster.room:
        raise WrongValue(
            "client",
            f"workers with {in_bytes(needed)} a thread expected for {tasks}, got "
            f"{in_bytes(cluster.room)}: more memory, fewer threads, or {remedy}",
        )


def in_bytes(size: int) -> str:
    """Return a size in MB or GB."""
    return f"{size / 1e9:.3g} GB" if size >= 10**9 else f"{size / 1e6:.3g} MB"
