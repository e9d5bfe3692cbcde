"""What does not fit is refused before any work: a worker whose memory is full thrashes for long
before it dies.

A task with two pieces holds each as it was read, as contiguous numbers, and packed, with lists of
neighbours beside: eight pieces together are more than that.  Chunks of dask arrays are kept by the
workers as well, for as long as the set is in use.
"""

from __future__ import annotations

import math
import zlib
from typing import Any, NamedTuple

import numpy as np

from prfast.cluster.sharded import Cluster
from prfast.cluster.sources import FileRows
from prfast.inputs.arrays import Floats, blocks, read_samples
from prfast.inputs.errors import ArgumentError, WrongValue
from prfast.inputs.tables import read_table

_PIECES = 8  # in memory at once, of a task


def check_piece(name: str, rows: int, width: int, itemsize: int, cluster: Cluster) -> None:
    """Can every thread work on pieces of so many samples?"""
    needed = _piece_task(rows, width, itemsize)
    if cluster.room is not None and needed > cluster.room:
        fits = max(1, cluster.room // _piece_task(1, width, itemsize))
        raise WrongValue(
            name,
            f"pieces of {rows} samples × {width} features take {_words(needed)} of a task, and "
            f"workers have {_words(cluster.room)} a thread: at most {fits} samples a piece expected"
            " (rows= of prfast.shards, rechunk of a dask array), or more memory or fewer threads",
        )


def check_kept(
    name: str, kept: int, rows: int, width: int, itemsize: int, cluster: Cluster
) -> None:
    """Is there room for so many bytes of chunks, and for tasks on pieces of so many samples?"""
    needed = kept + cluster.threads * _piece_task(rows, width, itemsize)
    if cluster.memory is not None and needed > cluster.memory:
        raise WrongValue(
            name,
            f"{_words(kept)} of chunks that workers keep, and {_words(needed - kept)} of tasks, do "
            f"not fit in the {_words(cluster.memory)} that they have: write them to files "
            "(dask.array.to_npy_stack, to_zarr) for prfast.shards, or start more workers",
        )


def check_task(needed: int, rows: int, k: int, cluster: Cluster) -> None:
    """Has every thread so many bytes, for a task on so many samples of two sets?"""
    if cluster.room is not None and needed > cluster.room:
        raise WrongValue(
            "client",
            f"workers with {_words(needed)} a thread expected for tasks on {rows} × {rows} samples "
            f"with k = {k}, got {_words(cluster.room)}: more memory, fewer threads or a smaller k",
        )


def check_auto(needed: int, what: str, width: int, fitted: int, cluster: Cluster) -> None:
    """Has every thread so many bytes, for a task of the automatic estimator?"""
    if cluster.room is not None and needed > cluster.room:
        raise WrongValue(
            "client",
            f"workers with {_words(needed)} a thread expected for {what} of 'auto', {width} "
            f"features and {fitted} samples to fit to, got {_words(cluster.room)}: more memory, "
            "fewer threads, or fewer of these samples (fitted=)",
        )


def _piece_task(rows: int, width: int, itemsize: int) -> int:
    """Of a task that looks at two pieces of so many samples."""
    return _PIECES * rows * width * itemsize


def _words(size: int) -> str:
    return f"{size / 1e9:.3g} GB" if size >= 10**9 else f"{size / 1e6:.3g} MB"


# One look at each piece, where it is: what is wrong with it comes back as a value.
#
# A file is looked at and left where it is; a chunk of a dask array is made numbers and kept, with
# its checksum, by the task that looks: should it have to be made again and come out otherwise,
# whoever loads it finds out.


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
