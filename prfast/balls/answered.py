"""Which engines answered, for whoever writes down how a result was made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_SEEN: ContextVar[set[str] | None] = ContextVar("engines", default=None)


@contextmanager
def engines_seen() -> Iterator[set[str]]:
    """A set that the names of engines are put into, of all questions that this thread asks."""
    seen: set[str] = set()
    token = _SEEN.set(seen)
    try:
        yield seen
    finally:
        _SEEN.reset(token)


def answers(engine: str) -> None:
    """An engine answers a question."""
    seen = _SEEN.get()
    if seen is not None:
        seen.add(engine)
