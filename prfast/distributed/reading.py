"""Validation of samples in pieces, on the workers, into `PartitionedSamples`.

Errors are those of `prfast.inputs.arrays`, with row numbers of the whole set.

Sets that do not fit in the workers' memory are refused first, as a worker with full memory swaps
for long before it dies.  A task on two pieces holds each of them as read, as a contiguous array and
packed, and lists of neighbors; eight pieces are an upper bound.  Chunks of dask arrays also stay
in the workers' memory while the set is in use.

Each piece is then validated by one task, which returns a `Look`: sizes, extremes, a checksum, and
the error if there is one.  Rows of a file are not retained.  A chunk of a dask array is converted
and retained with its checksum (`Held`), so that a task that loads it after a recomputation detects
other values.
"""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from prfast.distributed.auto import equal_in_pieces, score_pieces, windows_in_memory
from prfast.distributed.block_engine import Blocks
from prfast.distributed.dask import START, DaskCluster, current_client, is_client
from prfast.distributed.partitions import Cluster, Partitions, in_bytes, in_turn
from prfast.distributed.shards import FileRows, Shards
from prfast.inputs.arrays import (
    Float64s,
    Floats,
    blocks,
    check_shape,
    check_widths,
    read_numbers,
)
from prfast.inputs.arrays import read_samples as read_array
from prfast.inputs.copies import EqualRows
from prfast.inputs.errors import (
    ArgumentError,
    WrongRow,
    WrongType,
    WrongValue,
    kind_of,
    not_numbers,
)
from prfast.inputs.options import Progress
from prfast.inputs.samples import check_alike, record_of
from prfast.inputs.tables import labels_of, match_columns, read_table
from prfast.methods.auto.sample import Folds

_MEMBERS = ("threads", "room", "memory", "submit", "gather", "persist", "cancel")  # of a `Cluster`


@dataclass(frozen=True, eq=False)
class PartitionedSamples(Partitions):
    """Partitions with what methods and metrics compute on them."""

    def read_other(
        self, name: str, values: Any, labels: list[Any] | None, at_least: int
    ) -> PartitionedSamples:
        _check_in_pieces(name, values)
        check_alike("real", self, name, values)
        kept = 0
        if self.pieces and isinstance(self.pieces[0], Chunk):
            kept = len(self) * self.width * self.dtype.itemsize
        if not isinstance(values, PartitionedSamples):
            values = match_columns(name, values, labels)
        other = _read_pieces(name, values, self.cluster, at_least, kept)
        check_widths(name, self.width, other.width)
        return other

    def equal_rows(self, fake: Partitions) -> EqualRows:
        return equal_in_pieces(self, fake)

    @property
    def engine(self) -> Blocks:
        return Blocks(self.part_rows)

    def check_auto(self, fake: Partitions, folds: Folds) -> None:
        windows_in_memory(self, fake, folds)

    def score_auto(
        self, fake: Partitions, folds: Folds, progress: Progress
    ) -> tuple[Float64s, dict[str, float]]:
        return score_pieces(self, fake, folds, progress)


def read_samples(
    name: str, values: Any, client: Any = None, *, at_least: int = 1
) -> PartitionedSamples:
    """Return validated samples in pieces.

    client: see `read_cluster`; of samples that are validated already, their own cluster is taken.
    """
    _check_in_pieces(name, values)
    if isinstance(values, PartitionedSamples):
        check_shape(name, values.shape, at_least)
        return values
    return _read_pieces(name, values, read_cluster(client), at_least)


def read_pair(
    real: Any, fake: Any, client: Any = None, *, at_least: int = 1
) -> tuple[PartitionedSamples, PartitionedSamples]:
    """Return both validated sets, of one width."""
    _check_in_pieces("real", real)
    _check_in_pieces("fake", fake)
    read = read_samples("real", real, client, at_least=at_least)
    return read, read.read_other("fake", fake, labels_of(real), at_least)


def _check_in_pieces(name: str, values: Any) -> None:
    """Raise WrongType for anything but samples in pieces: `Shards`, dask arrays, validated sets."""
    if isinstance(values, Shards | PartitionedSamples):
        return
    of_dask = type(values).__module__.partition(".")[0] in ("dask", "dask_expr")
    if of_dask and hasattr(values, "chunks") and hasattr(values, "to_delayed"):
        return
    hint = "numpy.save and prfast.distributed.shards make pieces of an array"
    if of_dask and hasattr(values, "to_dask_array"):
        hint = f"{name}.to_dask_array() makes one"
    raise WrongType(
        name,
        f"shards or a dask array expected, got {kind_of(values)}; {hint}",
    )


def read_cluster(client: Any) -> Cluster:
    """Return the executor of a `client` argument.

    client: a `distributed.Client`, None for the default client, or an object that implements
    `prfast.distributed.partitions.Cluster`.
    """
    if client is None:
        return DaskCluster(current_client())
    missing = [name for name in _MEMBERS if not hasattr(client, name)]
    if is_client(client) or len(missing) == len(_MEMBERS):
        return DaskCluster(client)
    if missing:
        raise WrongType(
            "client",
            "a distributed.Client, or an object with the members of "
            "prfast.distributed.partitions.Cluster, "
            f"expected, got {kind_of(client)} without {', '.join(missing)}",
        )
    found: Cluster = client
    return found


def _read_pieces(
    name: str, values: Any, cluster: Cluster, at_least: int, kept: int = 0
) -> PartitionedSamples:
    """Validate a set in pieces; kept: bytes of chunks that the workers hold already."""
    if isinstance(values, PartitionedSamples):
        check_shape(name, values.shape, at_least)
        return values
    itemsize = _itemsize(name, values)
    if len(values.shape) != 2 or not math.isnan(sum(values.shape)):  # dask may not know the lengths
        check_shape(name, values.shape, at_least)
    if isinstance(values, Shards):
        longest = max(piece.stop - piece.start for piece in values.pieces)
        check_piece(name, longest, values.shape[1], itemsize, cluster)
        looks = list(in_turn(cluster, look_at, [(name, piece) for piece in values.pieces]))
        pieces: list[Any] = list(values.pieces)
    else:
        pieces, looks = _held(name, values, itemsize, kept, cluster)
    return _put_together(name, values, pieces, looks, cluster, at_least)


def _itemsize(name: str, values: Any) -> int:
    """Return the bytes of a number after conversion; TypeError where the dtype is no number's."""
    if values.dtype is None:
        return 8  # an upper bound for tables, whose dtype is known piece by piece
    try:
        return read_numbers(name, np.empty(0, values.dtype)).itemsize
    except TypeError:
        raise not_numbers(name, values, values.dtype) from None


def _check_chunks(name: str, array: Any, itemsize: int, kept: int, cluster: Cluster) -> None:
    """Check that the chunks fit beside `kept` bytes; chunks of unknown length are not checked."""
    lengths = array.chunks[0]
    if not math.isnan(sum(array.shape)) and lengths:
        numbers = max(lengths), array.shape[1], itemsize
        check_piece(name, *numbers, cluster)
        check_kept(name, kept + math.prod(array.shape) * itemsize, *numbers, cluster)


def _held(
    name: str, array: Any, itemsize: int, kept: int, cluster: Cluster
) -> tuple[list[Any], list[Look]]:
    """Convert the chunks of a dask array on the workers; return the pieces and their summaries."""
    if not isinstance(cluster, DaskCluster):
        raise WrongType("client", f"a distributed.Client expected for dask arrays; {START}")
    if array.numblocks[1] > 1:
        array = array.rechunk({1: -1})
    _check_chunks(name, array, itemsize, kept, cluster)
    raw = cluster.chunks(array)
    held = [cluster.submit(hold, name, one) for one in raw]
    del raw
    looks = list(in_turn(cluster, told, [(one,) for one in held]))
    cluster.keep(held)
    return [Chunk(one, look.checksum) for one, look in zip(held, looks, strict=True)], looks


def _put_together(
    name: str,
    values: Any,
    pieces: list[Any],
    looks: list[Look],
    cluster: Cluster,
    at_least: int,
) -> PartitionedSamples:
    """Return the set of all pieces, or raise the error that one array of all rows raises."""
    lengths = np.array([look.length for look in looks], np.int64)
    wrong = [(look.rank, i) for i, look in enumerate(looks) if look.wrong is not None]
    if wrong:
        (kind, _), i = min(wrong)
        error: Any = looks[i].wrong
        if isinstance(error, WrongRow):
            error = error.below(int(lengths[:i].sum()))
        if kind == 1 and len({look.width for look in looks if look.wrong is None}) == 1:
            width = next(look.width for look in looks if look.wrong is None)
            check_shape(name, (int(lengths.sum()), width), at_least)
        raise error
    widths, dtypes = ({getattr(look, key) for look in looks} for key in ("width", "dtype"))
    for what, found in (("width", widths), ("dtype", dtypes)):
        if len(found) > 1:
            several = " and ".join(map(str, sorted(found)))
            raise WrongValue(name, f"pieces of one {what} expected, got {several}")
    (width,), (dtype,) = widths, map(np.dtype, dtypes)
    check_shape(name, (int(lengths.sum()), width), at_least)
    parts = [(look.length, look.checksum) for look in looks]
    return PartitionedSamples(
        pieces,
        lengths,
        width,
        dtype,
        cluster,
        max(look.largest for look in looks),
        min(look.smallest for look in looks),
        zlib.crc32(repr(parts).encode()),
        record=record_of(values),
        column_names=labels_of(values),
    )


# ---- memory, and validation of a piece on its worker


_PIECES = 8  # upper bound of pieces that a task holds at once


def check_piece(name: str, rows: int, width: int, itemsize: int, cluster: Cluster) -> None:
    """Check that a task on pieces of this size fits in the memory of every thread."""
    needed = _piece_task(rows, width, itemsize)
    if cluster.room is not None and needed > cluster.room:
        fits = max(1, cluster.room // _piece_task(1, width, itemsize))
        raise WrongValue(
            name,
            f"pieces of {rows} samples × {width} features take {in_bytes(needed)} of a task, and "
            f"workers have {in_bytes(cluster.room)} a thread: at most {fits} samples a piece "
            "expected (rows= of shards, rechunk of a dask array), or more memory or fewer threads",
        )


def check_kept(
    name: str, kept: int, rows: int, width: int, itemsize: int, cluster: Cluster
) -> None:
    """Check that `kept` bytes of chunks and a task a thread fit in the memory of all workers."""
    needed = kept + cluster.threads * _piece_task(rows, width, itemsize)
    if cluster.memory is not None and needed > cluster.memory:
        raise WrongValue(
            name,
            f"{in_bytes(kept)} of chunks that workers keep, and {in_bytes(needed - kept)} of "
            f"tasks, do not fit in the {in_bytes(cluster.memory)} that they have: write them to "
            "files (dask.array.to_npy_stack, to_zarr) for prfast.distributed.shards, or start more "
            "workers",
        )


def _piece_task(rows: int, width: int, itemsize: int) -> int:
    """Return the bytes of a task on two pieces of this size."""
    return _PIECES * rows * width * itemsize


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
        rows = np.ascontiguousarray(read_array(name, raw, at_least=0))
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
