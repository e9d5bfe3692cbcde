"""Samples in files that workers read in partitions: the public function `shards`.

Partitions begin where no row outside is read with them: anywhere in .npy, between row groups of
.parquet.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from prfast.distributed.dask import cluster_of
from prfast.distributed.partitions import Cluster
from prfast.distributed.samples import PartitionedSamples, check_memory, validated
from prfast.files.readers import load_array
from prfast.files.tables import (
    Refused,
    Selection,
    arrow_columns,
    no_columns,
    open_parquet,
    read_selection,
)
from prfast.inputs.arrays import Floats, read_numbers
from prfast.inputs.errors import WrongType, WrongValue, kind_of, some_of
from prfast.inputs.options import read_count
from prfast.samples.features import check_all_alike, plain, record_of
from prfast.samples.partitioned import PartitionedSource
from prfast.samples.samples import check_shape

_BYTES = 1 << 26  # bytes of a partition by default


@dataclass(frozen=True)
class FileRows:
    """The rows [start, stop) of a file."""

    path: str  # absolute, as workers may run in another folder
    start: int
    stop: int
    stamp: tuple[int, int]  # size and modification time when the header was read
    columns: tuple[str, ...] = ()

    def raw(self) -> Any:
        """Return the rows as stored, without conversion, unless the file has changed."""
        if _stamp(self.path) != self.stamp:
            raise WrongValue(self.path, "has changed since its header was read")
        read_rows = _format_of(self.path)[1]
        return read_rows(self.path, self.start, self.stop, self.columns)

    def load(self) -> Floats:
        return read_numbers(self.path, self.raw())

    def place(self, row: int) -> str:
        """Return where a row of these is, for errors."""
        return f", row {self.start + row} of {self.path}"


def _stamp(path: str) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_size, status.st_mtime_ns


@dataclass(frozen=True, eq=False, repr=False)
class Shards(PartitionedSource):
    """Samples in files whose rows have not been read; `prfast.distributed.shards` returns them.

    dtype: that of the files, None for tables, whose columns may have several.  record: provenance
    of the features, where every file records it.  client: of Dask.  See also `shards`.
    """

    partitions: tuple[FileRows, ...]
    shape: tuple[int, int]
    dtype: Any
    record: Mapping[str, Any] | None = None
    client: Any = None

    @property
    def files(self) -> list[str]:
        """Absolute paths in the order of the samples."""
        return list(dict.fromkeys(partition.path for partition in self.partitions))

    @property
    def column_names(self) -> list[str] | None:
        """Names of the feature columns of tables, in order; None for arrays."""
        return list(self.partitions[0].columns) or None

    def select(self, names: list[str]) -> Shards:
        """Return the set with its columns in the order of these names."""
        partitions = tuple(replace(partition, columns=(*names,)) for partition in self.partitions)
        return replace(self, partitions=partitions)

    def read(self, name: str, cluster: Cluster | None) -> PartitionedSamples:
        cluster = cluster or cluster_of(self.client)
        most = max(partition.stop - partition.start for partition in self.partitions)
        check_memory(cluster, most, self.shape[1], self.dtype)
        return validated(self, name, cluster, self.partitions)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        files, partitions = len(self.files), len(self.partitions)
        return f"Shards(shape {self.shape} in {files} files, {partitions} partitions)"


def shards(
    paths: Any,
    *,
    rows: int | None = None,
    columns: Any = None,
    drop: Any = None,
    client: Any = None,
) -> Shards:
    """Return a set of samples in files that the workers of a cluster read in partitions.

    `pr_curve`, `pr_curves`, `prfast.metrics`, `realism` and `Evaluator` accept two, `by_class` with
    methods that count neighbors.  Results equal those of arrays of all rows, to the last bit.  All
    processes must reach the files by the same path; only their headers are read here.  Every call
    validates both sets on the workers, and every task reads its rows again.  For other formats make
    a dask array, as ``dask.array.from_zarr`` does.  See also `Chunks` and `prfast.load`.

    >>> import numpy, distributed
    >>> client = distributed.Client(processes=False)
    >>> numpy.save("real-0.npy", numpy.random.normal(size=(200, 4)))
    >>> real = prfast.distributed.shards("real-*.npy")
    >>> print(prfast.pr_curve(real, real, "knn"))

    Parameters
    ----------
    paths : str, path, or a sequence of them
        A file, several files in the given order, or a glob pattern such as
        ``"features/real-*.npy"``.  Its files are sorted by name with numbers by value (real-2
        before real-10).  Files .npy are memory-mapped, .parquet read by row groups.
    rows : int or None
        Maximal number of samples in a partition, as far as the format can be cut there; None
        (default): as many as 64 MB hold.  No result depends on it.
    columns, drop : str, sequence of str, or None
        Columns of .parquet to use as features, and to leave out, as for `prfast.load`.
    client : distributed.Client, optional
        Dask client, that of the real samples for both sets; None (default) is the client that was
        made last when a function is called.  Tasks run on the threads of its workers, whatever
        `n_jobs` is.

    Returns
    -------
    Shards
        Has `shape`, `dtype`, ``files`` and a length; small when pickled.

    Raises
    ------
    OSError
        A missing file, a pattern without a match.
    TypeError, ValueError
        An unsupported file; arrays that are not 2-D, or of different widths or dtypes.
    ImportError
        The optional dependency that reads this format is missing.
    ValueError, ConnectionError, MemoryError
        Of the functions: a client without workers, or whose workers have too little memory; the
        scheduler does not answer; workers died.

    Notes
    -----
    A file whose size or modification time differs when a task begins to read it is refused by name.
    A change while it is read is not detected: replace a file (os.replace) instead of writing into
    it.
    """
    rows = None if rows is None else read_count("rows", rows)
    selection = read_selection(columns, drop)
    headers, partitions = [], []
    for path in _expand(paths):
        read_header = _format_of(path)[0]
        if selection and read_header is not _parquet_header:
            raise no_columns(path)
        os.stat(path)  # the system's error for a missing or forbidden file
        header = read_header(path, selection)
        check_shape(path, header.shape, 0)
        headers.append((path, header))
        itemsize = 8 if header.dtype is None else header.dtype.itemsize
        ranges = header.ranges(rows or max(1, _BYTES // (itemsize * header.shape[1])))
        stamp, absolute = _stamp(path), os.path.abspath(path)
        partitions += [FileRows(absolute, *block, stamp, header.names) for block in ranges]
    first_path, first = headers[0]
    for path, header in headers:
        for what, differ, expected, got in (
            ("columns", header.names != first.names, some_of(first.names), some_of(header.names)),
            ("features", header.shape[1] != first.shape[1], first.shape[1], header.shape[1]),
            ("dtype", header.dtype != first.dtype, first.dtype, header.dtype),
        ):
            if differ:
                text = f"{what} as in {first_path}, {expected}, expected, got {got}"
                raise WrongValue(path, text)
    check_all_alike(headers)
    shape = sum(header.shape[0] for _, header in headers), first.shape[1]
    record = first.record if all(header.record is not None for _, header in headers) else None
    return Shards(tuple(partitions), shape, first.dtype, record, client)


def _expand(paths: Any) -> list[str]:
    """Return the path of each file."""
    if isinstance(paths, str | os.PathLike):
        place = os.fspath(paths)
        if os.path.exists(place) or not glob.has_magic(place):
            return [place]
        matching = sorted(glob.glob(place), key=_natural)
        if not matching:
            raise FileNotFoundError(2, "no file has a name of this pattern", place)
        return matching
    if not isinstance(paths, Iterable) or isinstance(paths, bytes | set | frozenset):
        expected = "a path, a pattern or paths in order expected"
        raise WrongType("paths", f"{expected}, got {kind_of(paths)}")
    paths = list(paths)
    for path in paths:
        if not isinstance(path, str | os.PathLike):
            raise WrongType("paths", f"paths expected, got {kind_of(path)} among them")
    if not paths:
        raise WrongValue("paths", "at least one expected, got none")
    return [os.fspath(path) for path in paths]


def _natural(path: str) -> list[tuple[int, int, str]]:
    """Return a sort key that compares runs of digits as numbers."""
    parts = re.split(r"(\d+)", path)
    return [(1, int(part), part) if part.isdecimal() else (0, 0, part) for part in parts]


# ---- file formats --------------------------------------------------------------------------------


class Header(NamedTuple):
    """Shape and layout of the array in a file, known before any row is read."""

    shape: tuple[int, ...]
    dtype: Any  # None for a table, whose columns may have several
    cuts: list[int] | None = None  # rows, from 0 to the end, where ranges may begin; None: all
    names: tuple[str, ...] = ()  # the columns of a table
    record: Mapping[str, Any] | None = None  # how the features were made, if the file has one

    def ranges(self, rows: int) -> list[tuple[int, int]]:
        """Return [start, stop) of at least one range, of at most `rows` rows or without a cut."""
        starts = [0]
        if self.cuts is None:
            starts = [*range(0, self.shape[0], rows)] or starts
        else:
            for cut, following in pairwise(self.cuts):
                if following - starts[-1] > rows and cut > starts[-1]:
                    starts.append(cut)
        return [*pairwise([*starts, self.shape[0]])]


def _format_of(path: str) -> tuple[Callable[..., Header], Callable[..., Any]]:
    """Return the functions that read the header and rows of a file, by its ending."""
    suffix = Path(path).suffix.lower()
    if suffix not in _FORMATS:
        raise ValueError(
            f"{path}: a {' or '.join(_FORMATS)} file expected, of which rows can be read without "
            "the others; of other formats make a dask array"
        )
    return _FORMATS[suffix]


def _npy_header(path: str, _: Selection) -> Header:
    array = load_array(path)
    return Header(array.shape, array.dtype, record=record_of(array))


def _npy_rows(path: str, start: int, stop: int, _: tuple[str, ...]) -> Any:
    return plain(load_array(path))[start:stop]


def _group_cuts(file: Any) -> list[int]:
    metadata = file.metadata
    sizes = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
    return [0, *np.cumsum(sizes, dtype=np.int64).tolist()]


def _parquet_header(path: str, selection: Selection) -> Header:
    with open_parquet(path) as file:
        names = arrow_columns(path, file.schema_arrow, selection)
        width = 0
        for name in names:
            kind = file.schema_arrow.field(name).type
            if hasattr(kind, "value_type") and not hasattr(kind, "list_size"):
                expected = "vectors whose length is in the schema (FixedSizeList) expected of"
                raise Refused(f"{path}: {expected} partitioned samples, got {kind} in {name!r}")
            width += getattr(kind, "list_size", 1)
        return Header((file.metadata.num_rows, width), None, _group_cuts(file), (*names,))


def _parquet_rows(path: str, start: int, stop: int, columns: tuple[str, ...]) -> Any:
    with open_parquet(path) as file:
        cuts = _group_cuts(file)
        chosen = range(cuts.index(start), cuts.index(stop))
        return file.read_row_groups(chosen, columns=[*columns]).select([*columns])


# header(path, selection of columns), rows(path, start, stop, names of columns)
_FORMATS = {
    ".npy": (_npy_header, _npy_rows),
    ".parquet": (_parquet_header, _parquet_rows),
}
