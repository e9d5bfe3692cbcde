"""Validation of partitioned samples, on the workers, into `PartitionedSamples`.

Errors are those of `prfast.inputs.arrays`, with row numbers of the whole set.  Each partition is
validated by one task.  Every task reads rows of a file again; chunks of a dask array stay on the
workers.
"""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from prfast.distributed import auto
from prfast.distributed.block_engine import answer_by_blocks
from prfast.distributed.dask import START, DaskCluster, current_client
from prfast.distributed.partitions import Cluster, Partitions, map_tasks
from prfast.distributed.shards import Shards
from prfast.inputs.arrays import Float64s, Floats, read_numbers
from prfast.inputs.errors import ArgumentError, WrongRow, WrongType, WrongValue, kind_of
from prfast.inputs.options import Progress
from prfast.inputs.tables import labels_of, match_columns
from prfast.methods.auto.folds import Folds
from prfast.neighbors.tasks import Engine, by_block
from prfast.samples.features import check_alike, record_of
from prfast.samples.repetition import Keys
from prfast.samples.samples import check_shape, check_widths
from prfast.samples.samples import read_samples as read_array

_COPIES = 8  # upper bound of copies of a partition that a task on two of them holds


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
        samples = read_samples(name, values, self.cluster, at_least=at_least)
        check_widths(name, self.width, samples.width)
        return samples

    def keys(self) -> Keys:
        return auto.keys_of(self)

    @property
    def engine(self) -> Engine:
        return answer_by_blocks

    def score_auto(
        self, fake: Partitions, folds: Folds, bases: dict[str, Any], progress: Progress
    ) -> tuple[Float64s, dict[str, float], Any]:
        return auto.score_partitions(self, fake, folds, bases, progress)


def read_samples(
    name: str, values: Any, client: Any = None, *, at_least: int = 1
) -> PartitionedSamples:
    """Return validated partitioned samples.

    client: a `distributed.Client`, None for the default client, or an executor
    (`prfast.distributed.partitions.Cluster`); validated samples have their own.
    """
    _check_partitioned(name, values)
    samples = values
    if not isinstance(samples, PartitionedSamples):
        client = current_client() if client is None else client
        cluster = client if isinstance(client, Cluster) else DaskCluster(client)
        samples = _read_partitions(name, values, cluster)
    check_shape(name, samples.shape, at_least)
    return samples


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
    is_of_dask = type(values).__module__.partition(".")[0] in ("dask", "dask_expr")
    if is_of_dask and hasattr(values, "chunks") and hasattr(values, "to_delayed"):
        return
    hint = "numpy.save and prfast.distributed.shards make partitions of an array"
    if is_of_dask and hasattr(values, "to_dask_array"):
        hint = f"{name}.to_dask_array() makes one"
    raise WrongType(name, f"shards or a dask array expected, got {kind_of(values)}; {hint}")


def _read_partitions(name: str, values: Any, cluster: Cluster) -> PartitionedSamples:
    """Validate a set on the workers; raise the error of the first partition that is invalid."""
    partitions = _partitions(name, values, cluster)
    tasks = [(name, partition) for partition in partitions]
    summaries = list(map_tasks(cluster, summarize, tasks))
    lengths = np.array([summary.length for summary in summaries], np.int64)
    for i, summary in enumerate(summaries):
        if isinstance(summary.error, WrongRow):
            raise summary.error.below(int(lengths[:i].sum()))
        if summary.error is not None:
            raise summary.error
    for what in ("width", "dtype"):
        if len(values_of := {getattr(summary, what) for summary in summaries}) > 1:
            text = " and ".join(map(str, sorted(values_of)))
            raise WrongValue(name, f"partitions of one {what} expected, got {text}")
    checksums = [(summary.length, summary.checksum) for summary in summaries]
    return PartitionedSamples(
        partitions,
        lengths,
        summaries[0].width,
        np.dtype(summaries[0].dtype),
        cluster,
        max(summary.largest for summary in summaries),
        min(summary.smallest for summary in summaries),
        zlib.crc32(repr(checksums).encode()),
        record=record_of(values),
        column_names=labels_of(values),
    )


def _partitions(name: str, values: Any, cluster: Cluster) -> list[Any]:
    """Return the partitions of `Shards` or of a dask array, not larger than the memory allows."""
    if isinstance(values, Shards):
        longest = max(partition.stop - partition.start for partition in values.partitions)
        _check_memory(cluster, longest, values)
        return list(values.partitions)
    if not isinstance(cluster, DaskCluster):
        raise WrongType("client", f"a distributed.Client expected for dask arrays; {START}")
    if values.ndim != 2 or not math.isnan(sum(values.shape)):  # dask may not know the lengths
        check_shape(name, values.shape, 0)
    if values.numblocks[1] > 1:
        values = values.rechunk({1: -1})
    if values.chunks[0] and not math.isnan(sum(values.shape)):
        _check_memory(cluster, max(values.chunks[0]), values)
    return [Chunk(name, rows) for rows in cluster.chunks(values)]


def _check_memory(cluster: Cluster, rows: int, values: Any) -> None:
    """Raise WrongValue where a thread has too little memory for a task on two such partitions.

    A worker with full memory swaps for long before it dies.
    """
    itemsize = 8 if values.dtype is None else max(4, values.dtype.itemsize)
    needed = _COPIES * rows * values.shape[1] * itemsize
    if cluster.task_memory is not None and needed > cluster.task_memory:
        raise WrongValue(
            "client",
            f"workers with {needed / 1e9:.3g} GB a thread expected for partitions of {rows} "
            f"samples × {values.shape[1]} features, got {cluster.task_memory / 1e9:.3g} GB: more "
            "memory, fewer threads, or smaller partitions (rows= of shards, rechunk of a dask "
            "array)",
        )


# ---- validation of a partition on its worker


class Summary(NamedTuple):
    """Sizes, extremes and checksum of a partition, and the error if it is invalid.

    largest, smallest: absolute values, 0 and ∞ for no rows; 0 is not the smallest.  Row numbers of
    the error are those within the partition.
    """

    length: int
    width: int = 0
    dtype: str = ""
    largest: float = 0.0
    smallest: float = math.inf
    checksum: int = 0
    error: ArgumentError | None = None


class Chunk(NamedTuple):
    """A partition of a dask array; tasks have the chunk in place of its handle `rows`."""

    name: str
    rows: Any

    def raw(self) -> Any:
        return self.rows

    def load(self) -> Floats:
        return read_numbers(self.name, self.rows)


def summarize(name: str, partition: Any) -> Summary:
    """Validate the rows of a partition and return their summary (a task)."""
    raw = partition.raw()
    try:
        rows = np.ascontiguousarray(read_array(name, raw, at_least=0))
    except ArgumentError as error:
        return Summary(len(raw) if np.ndim(raw) else 0, error=error)
    largest, smallest = 0.0, math.inf
    for block in by_block(rows):
        size = np.abs(block)
        largest = max(largest, float(size.max()))
        smallest = min(smallest, float(size[size > 0].min(initial=np.inf)))
    checksum = zlib.crc32(rows.data.cast("B")) if rows.size else 0
    sizes = len(rows), rows.shape[1], rows.dtype.name
    return Summary(*sizes, largest, smallest, checksum)
