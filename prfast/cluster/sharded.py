"""A set of samples in pieces, none of which the caller ever holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from prfast.cluster.verbs import Cluster
from prfast.inputs.arrays import Floats
from prfast.inputs.caching import cached_property


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
