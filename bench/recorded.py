"""A record of the tasks of a call: their dependencies, the rows they read, the bytes they return.

The tasks run in this process, one after the other; `bench.replayed` simulates their run on a
cluster of any size.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from prfast.distributed.partitions import Part


@dataclass(frozen=True)
class Task:
    """A task in the order of submission.

    after: the numbers of tasks whose results are arguments; seconds of a thread; returned: bytes of
    the result; rows: the parts of sets that it reads, (set, start, stop), with their bytes.
    gathers: the number of fetches of the caller before it was submitted.
    """

    name: str
    after: tuple[int, ...]
    seconds: float
    returned: int
    rows: dict[tuple[int, int, int], int]
    gathers: int
    rest: tuple[int, ...] = ()
    """Tasks of the last of these fetches."""


@dataclass(frozen=True)
class Handle:
    number: int
    value: Any


@dataclass
class Recorded:
    """An executor of one thread in this process that records its tasks."""

    row_bytes: int = 1
    """Bytes of a row of the sets."""
    threads: int = 1
    task_memory: int | None = None
    tasks: list[Task] = field(default_factory=list)
    gathered: int = 0
    _fetched: list[int] = field(default_factory=list)

    def submit(self, function: Callable[..., Any], *args: Any) -> Handle:
        after: list[int] = []
        rows: dict[tuple[int, int, int], int] = {}
        values = [_resolve(arg, after, rows, self.row_bytes) for arg in args]
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

    def wait(self, handle: Handle) -> None:
        pass

    def cancel(self, handles: Sequence[Handle]) -> None:
        pass


def _resolve(
    arg: Any, after: list[int], rows: dict[tuple[int, int, int], int], row_bytes: int
) -> Any:
    """Return the argument with results for handles; add its dependencies and its rows."""
    if isinstance(arg, Handle):
        after.append(arg.number)
        return arg.value
    if isinstance(arg, Part):
        rows[id(arg.partitions[0]), arg.start, arg.stop] = arg.size * row_bytes
        return arg._replace(which=_resolve(arg.which, after, rows, row_bytes))
    if isinstance(arg, tuple | list):
        result: Iterator[Any] = (_resolve(one, after, rows, row_bytes) for one in arg)
        return type(arg)(*result) if hasattr(arg, "_fields") else type(arg)(result)
    return arg
