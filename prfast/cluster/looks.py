"""One look at each piece, where it is: what is wrong with it comes back as a value.

A file is looked at and left where it is; a chunk of a dask array is made numbers and kept, with its
checksum, by the task that looks: should it have to be made again and come out otherwise, whoever
loads it finds out.
"""

from __future__ import annotations

import math
import zlib
from typing import Any, NamedTuple

import numpy as np

from prfast.cluster.sources import FileRows
from prfast.inputs.arrays import Floats
from prfast.inputs.blocks import blocks
from prfast.inputs.errors import ArgumentError, WrongValue
from prfast.inputs.samples import read_samples
from prfast.inputs.tables import read_table

_NUMBERS_AT_ONCE = 1 << 20


class Look(NamedTuple):
    """What is known of the rows of a piece."""

    length: int
    width: int
    dtype: str
    largest: float
    """Absolute value; 0 of no rows."""
    smallest: float
    """Absolute value that is not 0; ∞ where there is none."""
    checksum: int
    wrong: ArgumentError | None = None
    """What is wrong, with row numbers within the piece."""
    rank: tuple[int, int] = (1, 0)
    """Where several pieces are wrong, the lowest is told: a table is read column by column before
    numbers are looked at."""


class Held(NamedTuple):
    """Rows that a task keeps, and what is known of them."""

    rows: Any
    look: Look


class Chunk(NamedTuple):
    """What a task is given of rows that another keeps: a handle, which it gets as `Held`."""

    held: Any
    checksum: int

    def load(self) -> Floats:
        """The rows.

        Raises
        ------
        ValueError
            They were made again, after a worker died, and are not what they were.
        """
        if self.held.look.checksum != self.checksum:
            raise WrongValue(
                "a chunk",
                "was computed again and came out otherwise; write the samples to files, or draw "
                "them from a seed",
            )
        rows: Floats = self.held.rows
        return rows


def look_at(name: str, source: FileRows) -> Look:
    """A task."""
    found = hold(name, source.raw()).look
    source.check()  # still what its checksum is of
    return found


def hold(name: str, raw: Any) -> Held:
    """A task: rows, as numbers, where there is nothing wrong with them."""
    try:
        rows = np.ascontiguousarray(read_samples(name, raw, at_least=0))
    except ArgumentError as error:
        return Held(None, Look(_rows(raw), 0, "", 0.0, math.inf, 0, error, _rank(name, raw, error)))
    return Held(rows, _looked(rows))


def told(held: Held) -> Look:
    """A task: what the caller is sent."""
    return held.look


def _looked(rows: Floats) -> Look:
    largest, smallest = 0.0, math.inf
    for some in blocks(len(rows), _NUMBERS_AT_ONCE // rows.shape[1]):
        size = np.abs(rows[some])
        largest = max(largest, float(size.max()))
        smallest = min(smallest, float(size[size > 0].min(initial=np.inf)))
    checksum = zlib.crc32(rows.data.cast("B")) if rows.size else 0
    return Look(len(rows), rows.shape[1], rows.dtype.name, largest, smallest, checksum)


def _rows(raw: Any) -> int:
    return len(raw) if np.ndim(raw) else 0


def _rank(name: str, raw: Any, error: ArgumentError) -> tuple[int, int]:
    """Columns of a table first, in their order."""
    if error.argument == name:
        return 1, 0
    table = read_table(name, raw)
    labels = [] if table is None else [f"{name}[{label!r}]" for label, _ in table.columns]
    return 0, labels.index(error.argument)
