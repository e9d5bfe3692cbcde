"""What a cluster can do, in four verbs; and the one that is right here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol


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
