"""The functions of prfast for partitioned samples, with the same options and a client.

Results are those of the function of the same name.  Both sets are validated on the workers, by one
task for each partition; errors have row numbers of the whole set.  Every task reads rows of a file
again; chunks of a dask array stay on the workers.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

import prfast.comparison as comparison
import prfast.estimate.curves as estimate
import prfast.scalars as scalars
from prfast.comparison.class_results import Groups
from prfast.curve import PRCurve
from prfast.distributed import auto
from prfast.distributed.block_engine import answer_by_blocks
from prfast.distributed.dask import START, DaskCluster
from prfast.distributed.partitions import (
    Cluster,
    Part,
    group_rows,
    load_rows,
    map_tasks,
    row_parts,
    spans,
)
from prfast.distributed.shards import FileRows, Shards
from prfast.inputs.arrays import Float64s, Floats, read_numbers
from prfast.inputs.concurrency import cached_property
from prfast.inputs.errors import ArgumentError, WrongRow, WrongType, WrongValue, kind_of
from prfast.inputs.tables import labels_of, match_columns
from prfast.neighbors.tasks import Engine, by_block
from prfast.samples.features import check_alike, record_of
from prfast.samples.partitioned import PartitionedRows
from prfast.samples.repetition import Keys, row_keys
from prfast.samples.samples import check_shape
from prfast.samples.samples import read_samples as read_array
from prfast.scalars.measure import Metrics

_COPIES = 8  # upper bound of copies of a partition that a task on two of them holds


def pr_curve(
    real: Any,
    fake: Any,
    method: Any = "auto",
    k: int | str | None = None,
    *,
    client: Any = None,
    **options: Any,
) -> PRCurve:
    """Return what `prfast.pr_curve` returns, for partitioned samples.

    See also `prfast.pr_curve` and `shards`.

    >>> import dask.array, distributed
    >>> client = distributed.Client(processes=False)
    >>> real, fake = dask.array.random.normal(size=(2, 500, 4))
    >>> print(prfast.distributed.pr_curve(real, fake, "knn"))

    Parameters
    ----------
    real, fake : Shards or dask array, shapes (n, d) and (m, d)
        Samples in files (`prfast.distributed.shards`) or dask arrays.
    method, k, **options
        See `prfast.pr_curve`; `method` is "auto" (default) or counts neighbors.
    client : distributed.Client, optional
        Dask client; None (default) is the client that was made last.  Tasks run on the threads of
        its workers, whatever `n_jobs` is.

    Raises
    ------
    TypeError, ValueError
        See `prfast.pr_curve`; arrays of this process; a client without workers, or whose workers
        have too little memory.
    ConnectionError, MemoryError
        The scheduler does not answer; workers died.
    """
    real, fake = read_pair(real, fake, client)
    return estimate.pr_curve(real, fake, method, k, **options)


def pr_curves(
    real: Any, fake: Any, *args: Any, client: Any = None, **options: Any
) -> dict[tuple[str, int | str], PRCurve]:
    """Return what `prfast.pr_curves` returns, for partitioned samples.

    Samples, `client` (optional) and errors as for `pr_curve`; options as for `prfast.pr_curves`.
    See also `pr_curve` and `prfast.pr_curves`.
    """
    return estimate.pr_curves(*read_pair(real, fake, client), *args, **options)


def metrics(
    real: Any, fake: Any, *args: Any, client: Any = None, **options: Any
) -> Metrics | dict[int, Metrics]:
    """Return what `prfast.metrics` returns, for partitioned samples.

    Samples, `client` (optional) and errors as for `pr_curve`; options as for `prfast.metrics`.
    Authenticity, α-precision and β-recall need arrays, and are refused.
    See also `pr_curve` and `prfast.metrics`.
    """
    pair = read_pair(real, fake, client, at_least=2)
    return scalars.metrics(*pair, *args, **options)


def realism(real: Any, fake: Any, *args: Any, client: Any = None, **options: Any) -> Float64s:
    """Return what `prfast.realism` returns, for partitioned samples.

    Samples, `client` (optional) and errors as for `pr_curve`; options as for `prfast.realism`.
    See also `pr_curve` and `prfast.realism`.
    """
    return scalars.realism(*read_pair(real, fake, client), *args, **options)


def by_class(
    real: Any,
    fake: Any,
    labels_real: Any,
    labels_fake: Any,
    *args: Any,
    client: Any = None,
    **options: Any,
) -> Groups:
    """Return what `prfast.by_class` returns, for partitioned samples, whose labels are arrays in
    this process.

    Samples, `client` (optional) and errors as for `pr_curve`; options as for `prfast.by_class`, but
    `methods` that count neighbors, such as "knn".  "auto" is refused: it is fitted to rows of
    samples and labels, and partitions have no labels.
    See also `pr_curve` and `prfast.by_class`.
    """
    real, fake = read_pair(real, fake, client, at_least=2)
    return comparison.by_class(real, fake, labels_real, labels_fake, *args, **options)


class Evaluator(comparison.Evaluator):
    """An evaluator whose reference, and all sets, are partitioned samples.

    See also `pr_curve` and `prfast.Evaluator`.

    Parameters
    ----------
    real : Shards or dask array, shape (n, d)
        Samples of the reference distribution.
    *args, **options
        See `prfast.Evaluator`; every method is "auto" or counts neighbors.
    client : distributed.Client, optional
        See `pr_curve`.

    Notes
    -----
    It takes no batches, and cannot be pickled.
    """

    def __init__(self, real: Any, *args: Any, client: Any = None, **options: Any) -> None:
        super().__init__(read_samples("real", real, client, at_least=2), *args, **options)

    def update(self, *args: Any, **options: Any) -> NoReturn:
        """Raise a TypeError: partitioned samples are evaluated as a whole."""
        message = "update takes arrays, with a reference that is an array; use evaluate"
        raise WrongType("fake", message)

    def __reduce__(self) -> NoReturn:
        raise WrongType("pickle", "a reference that is an array expected, got partitions")


# ---- samples in partitions


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
    largest: float  # absolute value
    smallest: float  # absolute value above 0; ∞ where all are 0
    checksum: int  # CRC-32 of the lengths and checksums of the partitions
    exponent: int | None = None  # rows are loaded as float64 multiples of 2**exponent
    record: Mapping[str, Any] | None = None
    column_names: list[str] | None = None
    part_rows: int | None = None  # of the parts of the neighbor search; None: a useful number

    @property
    def shape(self) -> tuple[int, int]:
        return int(self.starts[-1]), self.width

    def __len__(self) -> int:
        return self.shape[0]

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Number of the first row of each partition, then the number of all rows."""
        return np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.int64)

    def parts(self, rows: int) -> list[Part]:
        """Return consecutive rows, about `rows` each, as `spans` cuts them."""
        return [self.block(slice(start, stop)) for start, stop in spans(self.lengths, rows)]

    def block(self, rows: slice, index: NDArray[np.int64] | None = None) -> Part:
        """Return an object whose `load` returns the rows; of `index`, if given, the rows there."""
        which, first, stop = None, rows.start, rows.stop
        if index is not None:
            which = index[rows]
            first, stop = int(which.min()), int(which.max()) + 1
        begin = int(np.searchsorted(self.starts, first, "right")) - 1
        end = int(np.searchsorted(self.starts, stop, "left"))
        partitions = tuple(self.partitions[i] for i in range(begin, end) if self.lengths[i])
        offset = int(self.starts[begin])
        which = None if which is None else which - offset
        return Part(partitions, first - offset, which, rows.start, rows.stop, self.exponent)

    def __getitem__(self, rows: NDArray[np.int64]) -> Floats:
        """Return a few rows, ascending, as an array."""
        arrays = self.map(load_rows, ((part,) for part in row_parts(self, rows)))
        return np.concatenate([np.empty((0, self.width), self.dtype), *arrays])

    def scaled(self, exponent: int) -> Self:
        """Return the samples in float64, as multiples of 2**exponent."""
        return replace(self, exponent=exponent, dtype=np.dtype(np.float64))

    def map(
        self, function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]
    ) -> Generator[Any, None, None]:
        """Yield function(*args) for each of the arguments, in order, where the rows are.  The
        function is of a module, and arguments may contain objects that `block` returned."""
        return map_tasks(self.cluster, function, arguments)

    def read_other(
        self, name: str, values: Any, labels: list[Any] | None, at_least: int
    ) -> PartitionedSamples:
        """Return another validated set of the same width; labels: names of these columns."""
        _check_partitioned(name, values)
        check_alike("real", self, name, values)
        if not isinstance(values, PartitionedSamples):
            values = match_columns(name, values, labels)
        samples = read_samples(name, values, self.cluster, at_least=at_least)
        check_shape(name, samples.shape, at_least, self.width)
        return samples

    def keys(self) -> Keys:
        """Return a hash of each row, as `row_keys` does."""
        parts = ((part,) for part in self.parts(group_rows(self)))
        return np.concatenate(list(self.map(keys_of_part, parts)))

    @property
    def engine(self) -> Engine:
        return answer_by_blocks

    def score_auto(
        self, fake: Any, folds: Any, bases: dict[str, Any], progress: Any
    ) -> tuple[Float64s, dict[str, float], Any]:
        """Return the log-ratio by "auto" of every row of both sets, the share of each base, and the
        scores of smaller fits."""
        return auto.score_partitions(self, fake, folds, bases, progress)


def read_samples(
    name: str, values: Any, client: Any = None, *, at_least: int = 1
) -> PartitionedSamples:
    """Return validated samples; client: a `distributed.Client`, None for the default, or a
    `Cluster`."""
    _check_partitioned(name, values)
    samples: PartitionedSamples = values
    if not isinstance(values, PartitionedSamples):
        cluster = client if isinstance(client, Cluster) else DaskCluster(client)
        partitions = _partitions(name, values, cluster)
        tasks = ((name, partition) for partition in partitions)
        summaries = list(map_tasks(cluster, summarize, tasks))
        lengths = np.array([summary.length for summary in summaries], np.int64)
        for i, summary in enumerate(summaries):
            if isinstance(summary.error, WrongRow):
                row, part = summary.error.row, partitions[i]
                from_file = isinstance(part, FileRows)
                place = f", row {part.start + row} of {part.path}" if from_file else ""
                raise summary.error.below(int(lengths[:i].sum()), place)
            if summary.error is not None:
                raise summary.error
        for what in ("width", "dtype"):
            if len(values_of := {getattr(summary, what) for summary in summaries}) > 1:
                text = " and ".join(map(str, sorted(values_of)))
                raise WrongValue(name, f"partitions of one {what} expected, got {text}")
        checksums = [(summary.length, summary.checksum) for summary in summaries]
        samples = PartitionedSamples(
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


def _partitions(name: str, values: Any, cluster: Any) -> list[Any]:
    """Return the partitions of `Shards` or of a dask array.

    A thread needs memory for a task on two of them: a worker whose memory is full swaps for long
    before it dies.
    """
    if isinstance(values, Shards):
        lengths = [partition.stop - partition.start for partition in values.partitions]
    else:
        if not isinstance(cluster, DaskCluster):
            raise WrongType("client", f"a distributed.Client expected for dask arrays; {START}")
        is_known = not math.isnan(sum(values.shape))  # dask may have no lengths
        if values.ndim != 2 or is_known:
            check_shape(name, values.shape, 0)
        if values.numblocks[1] > 1:
            values = values.rechunk({1: -1})
        lengths = [*values.chunks[0]] if is_known else []
    rows, itemsize = max(lengths, default=0), 8 if values.dtype is None else values.dtype.itemsize
    needed = _COPIES * rows * values.shape[1] * max(4, itemsize)
    if cluster.task_memory is not None and needed > cluster.task_memory:
        raise WrongValue(
            "client",
            f"workers with {needed / 1e9:.3g} GB a thread expected for partitions of {rows} "
            f"samples × {values.shape[1]} features, got {cluster.task_memory / 1e9:.3g} GB: more "
            "memory, fewer threads, or smaller partitions (rows= of shards, rechunk of a dask "
            "array)",
        )
    if isinstance(values, Shards):
        return list(values.partitions)
    return [Chunk(name, rows) for rows in cluster.chunks(values)]


# ---- validation of a partition on its worker


class Summary(NamedTuple):
    """Sizes, extremes and checksum of a partition, and the error if it is invalid."""

    length: int
    width: int = 0
    dtype: str = ""
    largest: float = 0.0
    smallest: float = math.inf  # of the absolute values that are not 0
    checksum: int = 0
    error: ArgumentError | None = None  # with the number of a row within the partition


def keys_of_part(part: Part) -> Keys:
    return row_keys(part.load())


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
