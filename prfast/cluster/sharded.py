"""A set of samples in pieces, none of which the caller ever holds."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Floats
from prfast.inputs.locks import cached_property

# What a cluster can do, in four verbs; and the one that is right here.


class Cluster(Protocol):
    """Runs functions of modules, each on one thread, and keeps what they return.

    A handle stands for what a task will return.  Among the arguments of another task, alone or in
    lists, tuples and dictionaries, it is replaced by that.  A task whose worker died is run again:
    it is a pure function of its arguments.
    """

    threads: int
    """Tasks that run at once."""
    room: int | None
    """Bytes that a task may take beside others, in the smallest worker; None: nobody knows."""
    memory: int | None
    """Bytes of all workers."""

    def submit(self, function: Callable[..., Any], *args: Any) -> Any:
        """The handle of function(*args)."""
        ...

    def gather(self, handles: Sequence[Any]) -> list[Any]:
        """What the tasks returned, in order; raises what one of them raised.  An interrupt, or an
        error, leaves none that this thread has submitted here."""
        ...

    def persist(self, handles: Sequence[Any]) -> None:
        """Wait until the tasks are done, without fetching what they returned."""
        ...

    def cancel(self, handles: Sequence[Any]) -> None:
        """Forget the tasks, what they returned, and every task that was given it.  Whose handle
        nobody has is forgotten as well, once those that were given it are done."""
        ...


class Here:
    """In this process, one after the other, each when it is submitted."""

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


# Tasks a few at a time: as many are submitted as keep the cluster busy, and no more.


AHEAD = 6  # tasks a thread that wait or run


def in_turn(
    cluster: Cluster, function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]
) -> Generator[Any, None, None]:
    """function(*one) for each of the arguments, in their order; nothing is left running when it
    ends, however it does."""
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


class Source(Protocol):
    """Loads the rows of a piece where it is called; small when pickled."""

    def load(self) -> Floats: ...


@dataclass(frozen=True, eq=False)
class Sharded:
    """Rows that have been looked at: finite numbers of one dtype and one width.

    pieces: what tasks are given, in the order of the rows, `lengths` of them.  exponent: points are
    read in float64 as multiples of 2**exponent, or, if it is None, as they are.
    """

    pieces: Sequence[Any]
    lengths: NDArray[np.int64]
    width: int
    dtype: np.dtype[Any]
    cluster: Cluster
    largest: float
    """Absolute value."""
    smallest: float
    """Absolute value that is not 0; ∞ where all are."""
    checksum: int
    """Of the lengths and checksums of the pieces in order: the same rows in other pieces have
    another one."""
    exponent: int | None = None
    record: Mapping[str, Any] | None = None
    """How the features were made, where that is known."""

    ndim = 2

    @property
    def shape(self) -> tuple[int, int]:
        return len(self), self.width

    def __len__(self) -> int:
        return int(self.starts[-1])

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The first row of each piece, and behind the last one the number of rows."""
        return np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.int64)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Floats:
        raise TypeError("samples in pieces are never gathered into one array")

    def groups(self, rows: int) -> list[Group]:
        """Neighbouring pieces together, as many as have about so many rows; a larger piece is in
        several groups."""
        return [self.span(start, stop) for start, stop in spans(self.lengths, rows)]

    def span(self, start: int, stop: int) -> Group:
        """The rows [start, stop), at least one."""
        first = int(np.searchsorted(self.starts, start, "right")) - 1
        last = int(np.searchsorted(self.starts, stop, "left"))
        pieces = tuple(self.pieces[i] for i in range(first, last) if self.lengths[i])
        return Group(pieces, start - int(self.starts[first]), start, stop, self.exponent)


def spans(lengths: NDArray[np.int64], rows: int) -> list[tuple[int, int]]:
    """[start, stop) of neighbouring pieces of such lengths that have about so many rows together; a
    longer piece is cut into equal parts."""
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
    """The rows [start, stop) of a set, `offset` rows into the first of some of its pieces."""

    pieces: tuple[Any, ...]
    offset: int
    start: int
    stop: int
    exponent: int | None

    def load(self, index: NDArray[np.int64] | None = None) -> Floats:
        """The rows, or some of them, numbered from `start` on, in that order; where a task runs."""
        number = self.stop - self.start
        rows = _rows(self, number) if index is None else _some_rows(self, index + self.offset)
        rows = np.require(rows, requirements=["C", "A"])
        if self.exponent is None:
            return rows
        return np.ldexp(rows.astype(np.float64), -self.exponent)


def _loaded(piece: Any) -> Floats:
    found: Floats = piece if isinstance(piece, np.ndarray) else piece.load()
    return found


def _rows(group: Group, number: int) -> Floats:
    """All rows; of one piece without a copy."""
    found: list[Floats] = []
    first = group.offset
    for piece in group.pieces:
        rows = _loaded(piece)[first : first + number]
        first, number = 0, number - len(rows)
        found.append(rows)
    return found[0] if len(found) == 1 else np.concatenate(found)


def _some_rows(group: Group, index: NDArray[np.int64]) -> Floats:
    """Some rows, numbered from the first of the first piece on, one piece in memory at a time."""
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


# Some rows of a set in pieces, taken where the pieces are.


BYTES = 1 << 27  # of the rows that a task looks at


def group_rows(points: Sharded) -> int:
    """Rows of as many bytes as a task looks at."""
    return max(1, BYTES // (points.width * points.dtype.itemsize))


def take(points: Sharded, rows: NDArray[np.int64]) -> Floats:
    """A few rows, by ascending number, right here."""
    found = list(in_turn(points.cluster, load_rows, _of_groups(points, rows)))
    return np.concatenate([np.empty((0, points.width), points.dtype), *found])


def taken(points: Sharded, rows: NDArray[np.int64]) -> list[Any]:
    """The same rows as handles of arrays, one after the other, that stay where they are."""
    return [points.cluster.submit(load_rows, *one) for one in _of_groups(points, rows)]


def load_rows(group: Group, rows: NDArray[np.int64]) -> Floats:
    """A task: some rows of a group, which alone are kept."""
    return np.array(group.load(rows))


def _of_groups(points: Sharded, rows: NDArray[np.int64]) -> list[tuple[Group, NDArray[np.int64]]]:
    """The groups that have any of the rows, with their numbers there."""
    found = []
    for group in points.groups(group_rows(points)):
        start, stop = np.searchsorted(rows, [group.start, group.stop])
        if start < stop:
            found.append((group, rows[start:stop] - group.start))
    return found
