"""PartitionedSamples: validated rows in partitions, and their validation on the workers.

There is one task for each partition; errors have row numbers of the whole set.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from prfast.distributed import auto
from prfast.distributed.block_engine import answer_by_blocks
from prfast.distributed.partitions import (
    Cluster,
    Part,
    group_rows,
    load_rows,
    map_tasks,
    row_parts,
    spans,
)
from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.concurrency import cached_property
from prfast.inputs.errors import ArgumentError, WrongRow, WrongType, WrongValue, kind_of
from prfast.inputs.tables import labels_of, match_columns
from prfast.neighbors.tasks import LIMITS, Engine, largest_value
from prfast.samples.features import check_alike, record_of
from prfast.samples.partitioned import PartitionedRows, PartitionedSource
from prfast.samples.repetition import Keys, row_keys
from prfast.samples.samples import check_shape, read_samples

_COPIES = 8  # upper bound of copies of a partition that a task on two of them holds


@dataclass(frozen=True, eq=False)
class PartitionedSamples(PartitionedRows):
    """Validated rows in partitions: finite numbers of one dtype and one width.

    partitions: in the order of the rows, arrays, objects whose `load` returns one, or handles of
    tasks that return either.
    """

    partitions: Sequence[Any]
    lengths: NDArray[np.int64]  # numbers of rows of the partitions
    width: int
    dtype: np.dtype[Any]
    cluster: Cluster
    largest: float
    checksum: int  # CRC-32 of the lengths and checksums of the partitions
    record: Mapping[str, Any] | None = None
    column_names: list[str] | None = None
    part_rows: int | None = None  # of the parts of the neighbor search; None: a useful number

    @property
    def shape(self) -> tuple[int, int]:
        return int(self.starts[-1]), self.width

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Number of the first row of each partition, then the number of all rows."""
        return np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.int64)

    def parts(self, rows: int) -> list[Part]:
        """Return consecutive rows, about `rows` each, as `spans` cuts them."""
        return [self.block(slice(start, stop)) for start, stop in spans(self.lengths, rows)]

    def block(self, rows: slice, index: NDArray[np.int64] | None = None) -> Part:
        which, first, stop = None, rows.start, rows.stop
        if index is not None:
            which = index[rows]
            first, stop = int(which.min()), int(which.max()) + 1
        begin = int(np.searchsorted(self.starts, first, "right")) - 1
        end = int(np.searchsorted(self.starts, stop, "left"))
        partitions = tuple(self.partitions[i] for i in range(begin, end) if self.lengths[i])
        offset = int(self.starts[begin])
        which = None if which is None else which - offset
        return Part(partitions, first - offset, which, rows.start, rows.stop)

    def __getitem__(self, rows: NDArray[np.int64]) -> Floats:
        arrays = self.map(load_rows, ((part,) for part in row_parts(self, rows)))
        return np.concatenate([np.empty((0, self.width), self.dtype), *arrays])

    def map(
        self, function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]
    ) -> Generator[Any, None, None]:
        return map_tasks(self.cluster, function, arguments)

    def read_other(
        self, name: str, values: Any, labels: list[Any] | None, at_least: int
    ) -> PartitionedSamples:
        samples = values
        if not isinstance(values, PartitionedSamples):
            if not isinstance(values, PartitionedSource):
                text = f"partitioned samples expected, as the real ones are, got {kind_of(values)}"
                raise WrongType(name, f"{text}; prfast.distributed.shards and Chunks make them")
            check_alike("real", self, name, values)
            samples = match_columns(name, values, labels).read(name, self.cluster)
        check_shape(name, samples.shape, at_least, self.width)
        return samples

    def keys(self) -> Keys:
        parts = ((part,) for part in self.parts(group_rows(self)))
        return np.concatenate(list(self.map(keys_of_part, parts)))

    @property
    def engine(self) -> Engine:
        return answer_by_blocks

    def __reduce__(self) -> NoReturn:
        raise WrongType("pickle", "arrays expected, got partitioned samples")

    def score_auto(
        self, fake: Any, folds: Any, bases: dict[str, Any], progress: Any
    ) -> tuple[Float64s, dict[str, float], Any]:
        return auto.score_partitions(self, fake, folds, bases, progress)


def validated(
    source: PartitionedSource, name: str, cluster: Cluster, partitions: Sequence[Any]
) -> PartitionedSamples:
    """Return the samples of a source that has these partitions; name: of the argument."""
    summaries = list(map_tasks(cluster, summarize, ((name, part) for part in partitions)))
    lengths = np.array([summary.length for summary in summaries], np.int64)
    for i, summary in enumerate(summaries):
        if isinstance(summary.error, WrongRow):
            place = partitions[i].place(summary.error.row)
            raise summary.error.below(int(lengths[:i].sum()), place)
        if summary.error is not None:
            raise summary.error
    for what in ("width", "dtype"):
        if len(values_of := {getattr(summary, what) for summary in summaries}) > 1:
            text = " and ".join(map(str, sorted(values_of)))
            raise WrongValue(name, f"partitions of one {what} expected, got {text}")
    largest = max(summary.largest for summary in summaries)
    if largest and not LIMITS[0] <= largest <= LIMITS[1]:
        text = "a largest value from {:.0e} to {:.0e} expected of partitioned samples".format(
            *LIMITS
        )
        raise WrongValue(name, f"{text}, got {largest:.3g}; multiply both sets by one number")
    checksums = [(summary.length, summary.checksum) for summary in summaries]
    return PartitionedSamples(
        partitions,
        lengths,
        summaries[0].width,
        np.dtype(summaries[0].dtype),
        cluster,
        largest,
        zlib.crc32(repr(checksums).encode()),
        record=record_of(source),
        column_names=labels_of(source),
    )


def check_memory(cluster: Cluster, rows: int, width: int, dtype: Any) -> None:
    """Raise WrongValue if a thread has too little memory for a task on two partitions of so many
    rows.  A worker whose memory is full swaps for long before it dies."""
    itemsize = 8 if dtype is None else dtype.itemsize
    needed = _COPIES * rows * width * max(4, itemsize)
    if cluster.task_memory is not None and needed > cluster.task_memory:
        raise WrongValue(
            "client",
            f"workers with {needed / 1e9:.3g} GB a thread expected for partitions of {rows} "
            f"samples × {width} features, got {cluster.task_memory / 1e9:.3g} GB: more "
            "memory, fewer threads, or smaller partitions (rows= of shards, rechunk of a dask "
            "array)",
        )


# ---- validation of a partition on its worker


class Summary(NamedTuple):
    """Sizes, extremes and checksum of a partition, and the error if it is invalid."""

    length: int
    width: int = 0
    dtype: str = ""
    largest: float = 0.0
    checksum: int = 0
    error: ArgumentError | None = None  # with the number of a row within the partition


def keys_of_part(part: Part) -> Keys:
    return row_keys(part.load())


def summarize(name: str, partition: Any) -> Summary:
    """Validate the rows of a partition and return their summary (a task)."""
    raw = partition.raw()
    try:
        rows = np.ascontiguousarray(read_samples(name, raw, at_least=0))
    except ArgumentError as error:
        return Summary(len(raw) if np.ndim(raw) else 0, error=error)
    largest = largest_value(rows) if rows.size else 0.0
    checksum = zlib.crc32(rows.data.cast("B")) if rows.size else 0
    sizes = len(rows), rows.shape[1], rows.dtype.name
    return Summary(*sizes, largest, checksum)
