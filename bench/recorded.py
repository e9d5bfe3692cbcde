"""What a cluster was asked to do, written down: tasks, what they wait for, read and return.

They are run right here, one after the other, by the library's own driver; `bench.replayed` runs
what was written down on clusters that are not there.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from prfast.distributed.partitions import Group


@dataclass(frozen=True)
class Task:
    """A task in the order of submission.

    after: the numbers of tasks whose values it is given; seconds of a thread; bytes that it
    returns; rows: the parts of sets that it reads, (set, start, stop), with their bytes.  gathers:
    how often the caller had fetched results when it was submitted.
    """

    name: str
    after: tuple[int, ...]
    seconds: float
    returned: int
    rows: dict[tuple[int, int, int], int]
    gathers: int
    rest: tuple[int, ...] = ()
    """Tasks that the caller had waited for by then."""


@dataclass(frozen=True)
class Handle:
    number: int
    value: Any


@dataclass
class Recorded:
    """A cluster of one thread, here, that writes down what it does."""

    row_bytes: int = 1
    """Of a row of the sets."""
    threads: int = 1
    task_memory: int | None = None
    tasks: list[Task] = field(default_factory=list)
    gathered: int = 0
    _fetched: list[int] = field(default_factory=list)

    def submit(self, function: Callable[..., Any], *args: Any) -> Handle:
        after: list[int] = []
        rows: dict[tuple[int, int, int], int] = {}
        values = [_given(arg, after, rows, self.row_bytes) for arg in args]
        start = time.thread_time()
        value = function(*values)
        seconds = time.thread_time() - start
        returned = len(pickle.dumps(value, protocol=5))
        self.tasks.append(
            Task(
                function.__name__,
                tuple(dict.fromkeys(after)),
                seconds,
                returned,
                rows,
                self.gathered,
                tuple(self._fetched),
            )
        )
        return Handle(len(self.tasks) - 1, value)

    def gather(self, handles: Sequence[Handle]) -> list[Any]:
        self.gathered += 1
        self._fetched = [handle.number for handle in handles]
        return [handle.value for handle in handles]

    def persist(self, handles: Sequence[Handle]) -> None:
        pass

    def cancel(self, handles: Sequence[Handle]) -> None:
        pass


def _given(
    arg: Any, after: list[int], rows: dict[tuple[int, int, int], int], row_bytes: int
) -> Any:
    """The argument with values for handles; what it waits for and which rows it reads."""
    if isinstance(arg, Handle):
        after.append(arg.number)
        return arg.value
    if isinstance(arg, Group):
        rows[id(arg.partitions[0]), arg.start, arg.stop] = (arg.stop - arg.start) * row_bytes
        return arg
    if isinstance(arg, tuple | list):
        found: Iterator[Any] = (_given(one, after, rows, row_bytes) for one in arg)
        return type(arg)(*found) if hasattr(arg, "_fields") else type(arg)(found)
    return arg
