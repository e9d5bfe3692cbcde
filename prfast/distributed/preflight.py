"""Checks before any work: memory that tasks need, and validation of pieces on the workers.

Sets that do not fit in the workers' memory are refused first, as a worker with full memory swaps
for long before it dies.  A task on two pieces holds each of them as read, as a contiguous array and
packed, and lists of neighbours; eight pieces are an upper bound.  Chunks of dask arrays also stay
in the workers' memory while the set is in use.

Each piece is then validated by one task, which returns a `Look`: sizes, extremes, a checksum, and
the error if there is one.  Rows of a file are not retained.  A chunk of a dask array is converted
and retained with its checksum (`Held`), so that a task that loads it after a recomputation detects
other values.
"""

from __future__ import annotations

import math
import zlib
from typing import Any, NamedTuple

import numpy as np

from prfast.distributed.sharded import Cluster
from prfast.distributed.sources import FileRows
from prfast.inputs.arrays import Floats, blocks, read_samples
from prfast.inputs.errors import ArgumentError, WrongValue
from prfast.inputs.tables import read_table

_PIECES = 8  # upper bound of pieces that a task holds at once


def check_piece(name: str, rows: int, width: int, itemsize: int, cluster: Cluster) -> None:
    """Check that a task on pieces of this size fits in the memory of every thread."""
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
    """Check that `kept` bytes of chunks and a task a thread fit in the memory of all workers."""
    needed = kept + cluster.threads * _piece_task(rows, width, itemsize)
    if cluster.memory is not None and needed > cluster.memory:
        raise WrongValue(
            name,
            f"{_words(kept)} of chunks that workers keep, and {_words(needed - kept)} of tasks, do "
            f"not fit in the {_words(cluster.memory)} that they have: write them to files "
            "(dask.array.to_npy_stack, to_zarr) for prfast.shards, or start more workers",
        )


def check_task(needed: int, rows: int, k: int, cluster: Cluster) -> None:
    """Check that every thread has the bytes for a task on `rows` samples of each set."""
    if cluster.room is not None and needed > cluster.room:
        raise WrongValue(
            "client",
            f"workers with {_words(needed)} a thread expected for tasks on {rows} × {rows} samples "
            f"with k = {k}, got {_words(cluster.room)}: more memory, fewer threads or a smaller k",
        )


def check_auto(needed: int, what: str, width: int, fitted: int, cluster: Cluster) -> None:
    """Check that every thread has the bytes for a task of the estimator "auto"."""
    if cluster.room is not None and needed > cluster.room:
        raise WrongValue(
            "client",
            f"workers with {_words(needed)} a thread expected for {what} of 'auto', {width} "
            f"features and {fitted} samples to fit to, got {_words(cluster.room)}: more memory, "
            "fewer threads, or fewer of these samples (fitted=)",
        )


def _piece_task(rows: int, width: int, itemsize: int) -> int:
    """Return the bytes of a task on two pieces of this size."""
    return _PIECES * rows * width * itemsize


def _words(size: int) -> str:
    return f"{size / 1e9:.3g} GB" if size >= 10**9 else f"{size / 1e6:.3g} MB"


_NUMBERS_AT_ONCE = 1 << 20


class Look(NamedTuple):
    """Summary of a piece: its sizes, extremes, checksum, and the error if it is invalid."""

    length: int
    width: int
    dtype: str
    largest: float
    """Largest absolute value; 0 for no rows."""
    smallest: float
    """Smallest nonzero absolute value; ∞ where there is none."""
    checksum: int
    wrong: ArgumentError | None = None
    """The error, with row numbers within the piece."""
    rank: tuple[int, int] = (1, 0)
    """Order of errors; of several invalid pieces the lowest rank is reported, which is the error
    that one array of all rows raises: columns of a table are converted before values are
    checked."""


class Held(NamedTuple):
    """Converted rows of a chunk and their summary: the result of a task, kept on its worker."""

    rows: Any
    look: Look


class Chunk(NamedTuple):
    """A piece of a dask array: the handle of a `Held`, which tasks receive in its place."""

    held: Any
    checksum: int

    def load(self) -> Floats:
        """Return the rows.

        Raises
        ------
        ValueError
            The chunk was computed again, after a worker died, with other values.
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
    """Return the summary of rows of a file (a task)."""
    found = hold(name, source.raw()).look
    source.check()  # the file did not change while it was read
    return found


def hold(name: str, raw: Any) -> Held:
    """Convert and validate the rows of a chunk (a task); invalid rows are not retained."""
    try:
        rows = np.ascontiguousarray(read_samples(name, raw, at_least=0))
    except ArgumentError as error:
        return Held(None, Look(_rows(raw), 0, "", 0.0, math.inf, 0, error, _rank(name, raw, error)))
    return Held(rows, _looked(rows))


def told(held: Held) -> Look:
    """Return the summary of a chunk without its rows (a task)."""
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
    """Return the rank of an error: columns of a table first, in their order."""
    if error.argument == name:
        return 1, 0
    table = read_table(name, raw)
    labels = [] if table is None else [f"{name}[{label!r}]" for label, _ in table.columns]
    return 0, labels.index(error.argument)
