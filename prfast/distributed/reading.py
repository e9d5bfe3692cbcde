"""Validation of partitioned samples, on the workers, into `PartitionedSamples`.

Errors are those of `prfast.inputs.arrays`, with row numbers of the whole set.

Each partition is validated by one task, which returns a `Summary`: sizes, extremes, a checksum, and
the error if there is one.  Rows of a file are not retained.  A chunk of a dask array is converted
and retained with its summary (`Converted`), so that a task that loads it after a recomputation
detects other values.
"""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from prfast.distributed import auto
from prfast.distributed.block_engine import Blocks
from prfast.distributed.dask import START, DaskCluster, current_client
from prfast.distributed.partitions import Cluster, Partitions, bounded_map, check_memory
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
from prfast.inputs.errors import (
    ArgumentError,
    WrongRow,
    WrongType,
    WrongValue,
    kind_of,
    not_numbers,
)
from prfast.inputs.options import Progress
from prfast.inputs.samples import EqualRows, check_alike, record_of
from prfast.inputs.tables import labels_of, match_columns
from prfast.methods.auto.sample import Folds

_PARTITIONS = 8  # upper bound of copies of a partition that a task on two of them holds
_NUMBERS_AT_ONCE = 1 << 20


@dataclass(frozen=True, eq=False)
class PartitionedSamples(Partitions):
    """Partitions with what methods and metrics compute on them."""

    def read_other(
        self, name: str, values: Any, labels: list[Any] | None, at_least: int
    ) -> PartitionedSamples:
        _check_partitioned(name, values)
        check_alike("real", self, name, values)
        if not isinstance(values, PartitionedSamples):
            values = match_columns(name, values, labels)
        other = _read_partitions(name, values, self.cluster, at_least)
        check_widths(name, self.width, other.width)
        return other

    def equal_rows(self, fake: Partitions) -> EqualRows:
        return auto.equal_rows(self, fake)

    @property
    def engine(self) -> Blocks:
        return Blocks(self.part_rows)

    def check_auto(self, fake: Partitions, folds: Folds) -> None:
        auto.windows_in_memory(self, fake, folds)

    def score_auto(
        self, fake: Partitions, folds: Folds, progress: Progress
    ) -> tuple[Float64s, dict[str, float]]:
        return auto.score_partitions(self, fake, folds, progress)


def read_samples(
    name: str, values: Any, client: Any = None, *, at_least: int = 1
) -> PartitionedSamples:
    """Return validated partitioned samples.

    client: a `distributed.Client`, None for the default client, or an executor
    (`prfast.distributed.partitions.Cluster`); validated samples have their own.
    """
    _check_partitioned(name, values)
    if isinstance(values, PartitionedSamples):
        check_shape(name, values.shape, at_least)
        return values
    if client is None:
        client = current_client()
    cluster = client if isinstance(client, Cluster) else DaskCluster(client)
    return _read_partitions(name, values, cluster, at_least)


def read_pair(
    real: Any, fake: Any, client: Any = None, *, at_least: int = 1
) -> tuple[PartitionedSamples, PartitionedSamples]:
    """Return both validated sets, of one width."""
    for name, values in (("real", real), ("fake", fake)):
        _check_partitioned(name, values)  # before any work on the other set
    read = read_samples("real", real, client, at_least=at_least)
    return read, read.read_other("fake", fake, labels_of(real), at_least)


def _check_partitioned(name: str, values: Any) -> None:
    """Raise WrongType for anything but `Shards`, dask arrays and validated sets."""
    if isinstance(values, Shards | PartitionedSamples):
        return
    of_dask = type(values).__module__.partition(".")[0] in ("dask", "dask_expr")
    if of_dask and hasattr(values, "chunks") and hasattr(values, "to_delayed"):
        return
    hint = "numpy.save and prfast.distributed.shards make partitions of an array"
    if of_dask and hasattr(values, "to_dask_array"):
        hint = f"{name}.to_dask_array() makes one"
    raise WrongType(name, f"shards or a dask array expected, got {kind_of(values)}; {hint}")


def _read_partitions(name: str, values: Any, cluster: Cluster, at_least: int) -> PartitionedSamples:
    """Validate a set on the workers."""
    if isinstance(values, PartitionedSamples):
        check_shape(name, values.shape, at_least)
        return values
    itemsize = _itemsize(name, values)
    if len(values.shape) != 2 or not math.isnan(sum(values.shape)):  # dask may not know the lengths
        check_shape(name, values.shape, at_least)
    if isinstance(values, Shards):
        longest = max(one.stop - one.start for one in values.partitions)
        _check_partition(longest, values.shape[1], itemsize, cluster)
        tasks = [(name, partition) for partition in values.partitions]
        summaries = list(bounded_map(cluster, summarize_file, tasks))
        partitions: list[Any] = list(values.partitions)
    else:
        partitions, summaries = _read_chunks(name, values, itemsize, cluster)
    return _combine(name, values, partitions, summaries, cluster, at_least)


def _itemsize(name: str, values: Any) -> int:
    """Return the bytes of a number after conversion; TypeError where the dtype is no number's."""
    if values.dtype is None:
        return 8  # an upper bound for tables, whose dtype is known partition by partition
    try:
        return read_numbers(name, np.empty(0, values.dtype)).itemsize
    except TypeError:
        raise not_numbers(name, values, values.dtype) from None


def _check_partition(rows: int, width: int, itemsize: int, cluster: Cluster) -> None:
    """Check that a task on partitions of this size fits in the memory of every thread."""
    of_row = _PARTITIONS * width * itemsize
    fitting = max(1, (cluster.task_memory or 0) // of_row)
    tasks = f"partitions of {rows} samples × {width} features"
    remedy = f"at most {fitting} samples a partition (rows= of shards, rechunk of a dask array)"
    check_memory(cluster, rows * of_row, tasks, remedy)


def _read_chunks(
    name: str, array: Any, itemsize: int, cluster: Cluster
) -> tuple[list[Any], list[Summary]]:
    """Convert the chunks of a dask array on the workers; return partitions and summaries."""
    if not isinstance(cluster, DaskCluster):
        raise WrongType("client", f"a distributed.Client expected for dask arrays; {START}")
    if array.numblocks[1] > 1:
        array = array.rechunk({1: -1})
    if array.chunks[0] and not math.isnan(sum(array.shape)):
        _check_partition(max(array.chunks[0]), array.shape[1], itemsize, cluster)
    converted = [cluster.submit(convert_chunk, name, chunk) for chunk in cluster.chunks(array)]
    summaries = list(bounded_map(cluster, summary_of, [(one,) for one in converted]))
    chunks = zip(converted, summaries, strict=True)
    return [Chunk(one, summary.checksum) for one, summary in chunks], summaries


def _combine(
    name: str,
    values: Any,
    partitions: list[Any],
    summaries: list[Summary],
    cluster: Cluster,
    at_least: int,
) -> PartitionedSamples:
    """Return the set of all partitions, or raise the error of the first invalid one."""
    lengths = np.array([summary.length for summary in summaries], np.int64)
    for i, summary in enumerate(summaries):
        if isinstance(summary.error, WrongRow):
            raise summary.error.below(int(lengths[:i].sum()))
        if summary.error is not None:
            raise summary.error
    widths, dtypes = ({getattr(one, key) for one in summaries} for key in ("width", "dtype"))
    for what, several in (("width", widths), ("dtype", dtypes)):
        if len(several) > 1:
            text = " and ".join(map(str, sorted(several)))
            raise WrongValue(name, f"partitions of one {what} expected, got {text}")
    (width,), (dtype,) = widths, map(np.dtype, dtypes)
    check_shape(name, (int(lengths.sum()), width), at_least)
    checksums = [(summary.length, summary.checksum) for summary in summaries]
    return PartitionedSamples(
        partitions,
        lengths,
        width,
        dtype,
        cluster,
        max(summary.largest for summary in summaries),
        min(summary.smallest for summary in summaries),
        zlib.crc32(repr(checksums).encode()),
        record=record_of(values),
        column_names=labels_of(values),
    )


# ---- validation of a partition on its worker


class Summary(NamedTuple):
    """Sizes, extremes and checksum of a partition, and the error if it is invalid."""

    length: int
    width: int = 0
    dtype: str = ""
    largest: float = 0.0
    """Largest absolute value; 0 for no rows."""
    smallest: float = math.inf
    """Smallest nonzero absolute value; ∞ where there is none."""
    checksum: int = 0
    error: ArgumentError | None = None
    """Its row numbers are those within the partition."""


class Converted(NamedTuple):
    """Converted rows of a chunk and their summary: the result of a task, kept on its worker."""

    rows: Any
    summary: Summary


class Chunk(NamedTuple):
    """A partition of a dask array: the handle of a `Converted`, which replaces it in tasks."""

    converted: Any
    checksum: int

    def load(self) -> Floats:
        """Return the rows.

        Raises
        ------
        ValueError
            The chunk was computed again, after a worker died, with other values.
        """
        if self.converted.summary.checksum != self.checksum:
            raise WrongValue(
                "a chunk",
                "was computed again and came out otherwise; write the samples to files, or draw "
                "them from a seed",
            )
        rows: Floats = self.converted.rows
        return rows


def summarize_file(name: str, source: FileRows) -> Summary:
    """Return the summary of rows of a file (a task)."""
    summary = convert_chunk(name, source.raw()).summary
    source.check()  # the file did not change while it was read
    return summary


def convert_chunk(name: str, raw: Any) -> Converted:
    """Convert and validate the rows of a chunk (a task); invalid rows are not retained."""
    try:
        rows = np.ascontiguousarray(read_array(name, raw, at_least=0))
    except ArgumentError as error:
        return Converted(None, Summary(len(raw) if np.ndim(raw) else 0, error=error))
    largest, smallest = 0.0, math.inf
    for some in blocks(len(rows), _NUMBERS_AT_ONCE // rows.shape[1]):
        size = np.abs(rows[some])
        largest = max(largest, float(size.max()))
        smallest = min(smallest, float(size[size > 0].min(initial=np.inf)))
    checksum = zlib.crc32(rows.data.cast("B")) if rows.size else 0
    sizes = len(rows), rows.shape[1], rows.dtype.name
    return Converted(rows, Summary(*sizes, largest, smallest, checksum))


def summary_of(converted: Converted) -> Summary:
    """Return the summary of a chunk without its rows (a task)."""
    return converted.summary
