"""A set of samples in pieces, none of which the caller ever holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from prfast.cluster.verbs import Cluster
from prfast.inputs.arrays import Floats


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
    exponent: int | None = None

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
        found: list[Group] = []
        held: list[int] = []
        for i, length in enumerate(self.lengths.tolist()):
            if held and self.starts[i] + length - self.starts[held[0]] > rows:
                found.append(self._group(held, int(self.starts[held[0]]), int(self.starts[i])))
                held = []
            parts = -(-length // rows)
            if parts > 1:
                cuts = (self.starts[i] + np.arange(parts + 1) * length // parts).tolist()
                found += [self._group([i], a, b) for a, b in pairwise(cuts)]
            elif length:
                held.append(i)
        if held:
            found.append(self._group(held, int(self.starts[held[0]]), len(self)))
        return found

    def _group(self, held: Sequence[int], start: int, stop: int) -> Group:
        pieces = tuple(self.pieces[i] for i in held)
        return Group(pieces, start - int(self.starts[held[0]]), start, stop, self.exponent)


class Group(NamedTuple):
    """The rows [start, stop) of a set, `offset` rows into the first of some of its pieces."""

    pieces: tuple[Any, ...]
    offset: int
    start: int
    stop: int
    exponent: int | None

    def load(self, index: NDArray[np.int64] | None = None) -> Floats:
        """The rows, or some of them, numbered from `start` on, in that order; where a task runs."""
        first, last = self.offset, self.offset + self.stop - self.start
        rows = _taken([_loaded(piece) for piece in self.pieces], first, last, index)
        if self.exponent is None:
            return rows
        return np.ldexp(rows.astype(np.float64), -self.exponent)


def _loaded(piece: Any) -> Floats:
    found: Floats = piece if isinstance(piece, np.ndarray) else piece.load()
    return found


def _taken(
    pieces: Sequence[Floats], first: int, last: int, index: NDArray[np.int64] | None
) -> Floats:
    if len(pieces) == 1:
        rows = pieces[0][first:last]
        return rows if index is None else rows[index]
    rows = np.concatenate(pieces)[first:last]
    return rows if index is None else rows[index]
