"""Rows are looked at a block at a time, so that what is made of them stays small."""

from __future__ import annotations

from collections.abc import Iterator


def blocks(count: int, size: int) -> Iterator[slice]:
    """Consecutive slices of `count` rows, of `size` each but the last; of one row at least."""
    size = max(1, size)
    return (slice(start, min(start + size, count)) for start in range(0, count, size))
