"""Tasks a few at a time: as many are submitted as keep the cluster busy, and no more."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import Any

from prfast.cluster.verbs import Cluster

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
