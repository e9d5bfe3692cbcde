"""Submits tasks, not too many at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Self

from prfast.balls.resources import Resources
from prfast.cluster.flow import AHEAD
from prfast.cluster.verbs import Cluster

FAN = 8  # answers that are put together at a time


class Window:
    """What is submitted through it is on its way; an error or an interrupt cancels all of that."""

    def __init__(self, cluster: Cluster, resources: Resources) -> None:
        self.cluster, self.resources = cluster, resources
        self._most = AHEAD * cluster.threads
        self._waiting: deque[tuple[Any, int]] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, *error: Any) -> None:
        if kind is not None:
            self.cluster.cancel([handle for handle, _ in self._waiting])

    def submit(self, function: Callable[..., Any], *args: Any, pairs: int = 0) -> Any:
        """The handle of a task, which stands for so many pairs of the bar."""
        while len(self._waiting) >= self._most:
            self._wait()
        handle = self.cluster.submit(function, *args)
        self._waiting.append((handle, pairs))
        return handle

    def gather(self, handles: Sequence[Any]) -> list[Any]:
        """What these tasks, the last ones, returned."""
        while self._waiting:
            self._wait()
        return self.cluster.gather(handles)

    def _wait(self) -> None:
        handle, pairs = self._waiting[0]
        self.cluster.persist([handle])
        self._waiting.popleft()
        self.resources.advance(pairs)


class Gathering:
    """What tasks return, put together by other tasks as it comes, a few at a time."""

    def __init__(self, window: Window, function: Callable[..., Any], *args: Any) -> None:
        self._window, self._function, self._args = window, function, args
        self._found: list[Any] = []

    def add(self, handle: Any) -> None:
        self._found.append(handle)
        if len(self._found) == FAN:
            self._found = [self.whole()]

    def parts(self) -> list[Any]:
        """Handles of all of it, fewer than are put together at a time."""
        return self._found

    def whole(self) -> Any:
        """The handle of all of it."""
        return self._window.submit(self._function, self._found, *self._args)
