"""Samples in files that workers read in partitions: the public function `shards`.

`FileRows` is a range of rows of a file, small when pickled, that a worker loads without the other
rows.  Ranges begin where no row outside is read with them: anywhere in .npy, between row groups of
.parquet, between chunks of .h5 and .zarr (shards, if it has them).
"""

from __future__ import annotations

import glob
import math
import os
import re
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from prfast.files.load import choose_key, load_array, open_h5, place_and_key
from prfast.files.tables import (
    Refused,
    Selection,
    library,
    no_columns,
    open_parquet,
    parquet_columns,
    read_selection,
    reading,
)
from prfast.inputs.arrays import Floats, read_numbers
from prfast.inputs.errors import WrongType, WrongValue, kind_of
from prfast.inputs.options import read_count
from prfast.inputs.samples import check_all_alike, plain, record_of

_BYTES = 1 << 26  # bytes of a partition by default


@dataclass(frozen=True)
class FileRows:
    """The rows [start, stop) of a file, or of the array `key` in it."""

    place: str
    key: str | None
    start: int
    stop: int
    stamp: tuple[int, ...]
    """Numbers that change with the content; see `Format.stamp`."""
    folder: str
    """Working directory of the caller, which resolves relative paths on workers."""
    columns: tuple[str, ...] = ()
    """Feature columns of a table."""

    def raw(self) -> Any:
        """Return the rows as stored, without conversion.

        Raises
        ------
        ValueError
            The file has changed since its header was read.
        """
        self.check()
        read = _format_of(self.place).rows
        rows = read(self._path, self.key, self.start, self.stop, self.columns)
        self.check()  # .npy is only mapped at this point
        return rows

    def check(self) -> None:
        """Raise ValueError where the file has changed since its header was read."""
        stamp = _format_of(self.place).stamp(self._path, self.key, self.start, self.stop)
        if stamp != self.stamp:
            raise WrongValue(self.place, "has changed since its header was read")

    @property
    def _path(self) -> str:
        return os.path.join(self.folder, self.place)

    def load(self) -> Floats:
        """Return the rows as numbers."""
        return read_numbers(self.place, self.raw())


def stamped(
    place: str, key: str | None, start: int, stop: int, columns: tuple[str, ...] = ()
) -> FileRows:
    """Return the rows of a file with the stamp that it has now."""
    stamp = _format_of(place).stamp(place, key, start, stop)
    return FileRows(place, key, start, stop, stamp, os.getcwd(), columns)


@dataclass(frozen=True, eq=False, repr=False)
class Shards:
    """Samples in files whose rows have not been read; `prfast.distributed.shards` returns them."""

    partitions: tuple[FileRows, ...]
    shape: tuple[int, ...]
    dtype: Any
    """Dtype of the files; None for tables, whose columns may have several."""
    record: Mapping[str, Any] | None = None
    """Provenance of the features, where every file records it."""

    @property
    def files(self) -> list[str]:
        """Paths in the order of the samples."""
        return list(dict.fromkeys(one.place for one in self.partitions))

    @property
    def column_names(self) -> list[str] | None:
        """Names of the feature columns of tables, in order; None for arrays."""
        return list(self.partitions[0].columns) or None

    def select(self, names: list[str]) -> Shards:
        """Return the set with its columns in the order of these names."""
        partitions = tuple(replace(one, columns=(*names,)) for one in self.partitions)
        return replace(self, partitions=partitions)

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError("partitioned samples are never gathered into one array")

    def __repr__(self) -> str:
        files, partitions = len(self.files), len(self.partitions)
        return f"Shards(shape {self.shape} in {files} files, {partitions} partitions)"


def shards(paths: Any, *, rows: int | None = None, columns: Any = None, drop: Any = None) -> Shards:
    """Return a set of samples in files that the workers of a cluster read in partitions.

    `pr_curve`, `pr_curves`, `metrics`, `realism`, `by_class` and `Evaluator` accept it, with a
    client of dask.distributed.  Results equal those of one array of all rows, to the last bit.
    This process and every worker must reach the files by the same path; only their headers are read
    here.

    Parameters
    ----------
    paths : str, path, or a sequence of them
        A file; a glob pattern such as ``"features/real-*.npy"``, whose files are sorted by name
        with numbers by value (real-2 before real-10); or several files, in the given order.  .npy
        is memory-mapped, .parquet read by row groups, .zarr (a folder) and .h5 by ranges of rows
        along chunk boundaries.  FILE:KEY selects one of several arrays, also behind a pattern.
    rows : int or None
        Maximal number of samples in a partition, as far as the format can be cut there; None
        (default): as many as 64 MB hold.  No result depends on it.
    columns, drop : str, sequence of str, or None
        Columns of .parquet to use as features, and to leave out, as for `prfast.load`.

    Returns
    -------
    Shards
        Has `shape`, `dtype`, ``files`` and a length; small when pickled.

    Raises
    ------
    OSError
        A missing file, a pattern without a match.
    TypeError, ValueError
        An unsupported file; arrays of different widths or dtypes.
    ImportError
        The optional dependency that reads this format is missing.

    Notes
    -----
    A file whose size or modification time changes afterwards is refused by name.  Each task
    compares both before it reads; the validation of a partition, and every task that reads
    .parquet, .h5 or .zarr, compares them again after the last row.  As .npy is memory-mapped, a
    task may see what is written into the file while it runs; the next task refuses the file.  A
    file that is replaced atomically (os.replace) is never seen in part.  Files that an .h5 file
    refers to are not compared.
    """
    places = _expand(paths)
    if rows is not None:
        rows = read_count("rows", rows)
    selection = read_selection(columns, drop)
    extents = []
    for place, key in places:
        file_format = _format_of(place)
        if selection and file_format is not _FORMATS[".parquet"]:
            raise no_columns(place)
        os.stat(place)  # the system's error for a missing or forbidden file
        extents.append(file_format.extent(place, key, selection))
    _check_alike([place for place, _ in places], extents)
    partitions: list[FileRows] = []
    for (place, key), extent in zip(places, extents, strict=True):
        row_bytes = extent.itemsize * max(1, math.prod(extent.shape[1:]))
        ranges = extent.ranges(max(1, _BYTES // row_bytes) if rows is None else rows)
        partitions += [stamped(place, key, start, stop, extent.names) for start, stop in ranges]
    first = extents[0]
    shape = first.shape
    if shape:
        shape = (sum(one.shape[0] for one in extents), *shape[1:])
    known = all(one.record is not None for one in extents)
    return Shards(tuple(partitions), shape, first.dtype, first.record if known else None)


def _expand(paths: Any) -> list[tuple[str, str | None]]:
    """Return (path, key) of each file."""
    if isinstance(paths, str | os.PathLike):
        place, key = place_and_key(os.fspath(paths))
        if os.path.exists(place) or not glob.has_magic(place):
            return [(place, key)]
        matching = sorted(glob.glob(place), key=_natural)
        if not matching:
            raise FileNotFoundError(2, "no file has a name of this pattern", os.fspath(paths))
        return [(one, key) for one in matching]
    if not isinstance(paths, Iterable) or isinstance(paths, bytes | set | frozenset):
        raise WrongType(
            "paths", f"a path, a pattern or paths in order expected, got {kind_of(paths)}"
        )
    several = list(paths)
    for one in several:
        if not isinstance(one, str | os.PathLike):
            raise WrongType("paths", f"paths expected, got {kind_of(one)} among them")
    if not several:
        raise WrongValue("paths", "at least one expected, got none")
    return [place_and_key(os.fspath(one)) for one in several]


def _natural(path: str) -> list[tuple[int, int, str]]:
    """Return a sort key that compares runs of digits as numbers."""
    parts = re.split(r"(\d+)", path)
    return [(1, int(part), part) if part.isdecimal() else (0, 0, part) for part in parts]


def _check_alike(places: list[str], extents: list[Extent]) -> None:
    """Check for one shape, dtype, columns and provenance, as far as the headers have them."""
    first = extents[0]
    for place, one in zip(places, extents, strict=True):
        if one.shape[1:] != first.shape[1:] or len(one.shape) != len(first.shape):
            raise WrongValue(
                place, f"samples as in {places[0]}, shape {first.shape}, expected, got {one.shape}"
            )
        if one.names != first.names:
            expected, got = (
                ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
                for names in (first.names, one.names)
            )
            raise WrongValue(place, f"columns as in {places[0]}, {expected}, expected, got {got}")
        if one.dtype != first.dtype:
            raise WrongValue(place, f"{first.dtype} as in {places[0]} expected, got {one.dtype}")
    check_all_alike(zip(places, extents, strict=True))


# ---- file formats --------------------------------------------------------------------------------


class Extent(NamedTuple):
    """Shape and layout of the array in a file, known before any row is read."""

    shape: tuple[int, ...]
    itemsize: int
    dtype: Any
    """None for a table, whose columns may have several."""
    cuts: range | list[int]
    """Rows at which ranges may begin, ascending from 0; the last is at least the number of rows."""
    names: tuple[str, ...] = ()
    """Names of the columns of a table."""
    record: Mapping[str, Any] | None = None
    """The record of how the features were made, if the file has one."""

    def ranges(self, rows: int) -> list[tuple[int, int]]:
        """Partition the rows at cuts: [start, stop) of ranges of at most `rows` rows.

        A range is longer if there is no cut within it.  There is at least one range.
        """
        length, cuts = self.shape[0] if self.shape else 0, self.cuts
        if isinstance(cuts, range):
            step = max(1, rows // cuts.step) * cuts.step
            starts = [*range(0, length, step)] or [0]
        else:
            starts = [0]
            for cut, following in pairwise(cuts):
                if following - starts[-1] > rows and cut > starts[-1]:
                    starts.append(cut)
        return [*pairwise([*starts, length])]


class Format(NamedTuple):
    """The functions that read a file format."""

    extent: Callable[[str, str | None, Selection], Extent]
    """Extent of the array: path, key, selection of columns (of tables)."""
    rows: Callable[..., Any]
    """Rows [start, stop): path, key, start, stop, names of columns (of tables)."""
    stamp: Callable[[str, str | None, int, int], tuple[int, ...]]
    """Numbers that change with the content of rows [start, stop): path, key, start, stop."""


def _format_of(place: str) -> Format:
    """Return the functions for a file, by its ending."""
    suffix = Path(place).suffix.lower()
    if suffix not in _FORMATS:
        *suffixes, last = _FORMATS
        raise ValueError(
            f"{place}: a {', '.join(suffixes)} or {last} file expected, of which rows can be read "
            "without the others"
        )
    return _FORMATS[suffix]


def _file_stamp(place: str, *_: Any) -> tuple[int, ...]:
    status = os.stat(place)
    return status.st_size, status.st_mtime_ns


def _array_extent(array: Any, step: int, record: Mapping[str, Any] | None = None) -> Extent:
    shape = array.shape or ()  # None for an empty data set of HDF5
    cuts = range(0, shape[0] + step, step) if shape and shape[0] else range(1)
    return Extent(shape, array.dtype.itemsize, array.dtype, cuts, record=record)


def _npy_extent(place: str, *_: Any) -> Extent:
    array = load_array(place)
    return _array_extent(array, 1, record_of(array))


def _npy_rows(place: str, _: str | None, start: int, stop: int, *__: Any) -> Any:
    return plain(load_array(place))[start:stop]


def _group_cuts(file: Any) -> list[int]:
    metadata = file.metadata
    sizes = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
    return [0, *np.cumsum(sizes, dtype=np.int64).tolist()]


def _parquet_extent(place: str, _: str | None, selection: Selection) -> Extent:
    with open_parquet(place) as file:
        names = parquet_columns(place, file, selection)
        width = 0
        for name in names:
            kind = file.schema_arrow.field(name).type
            if hasattr(kind, "value_type") and not hasattr(kind, "list_size"):
                raise Refused(
                    f"{place}: vectors whose length is in the schema (FixedSizeList) expected of "
                    f"partitioned samples, got {kind} in {name!r}"
                )
            width += getattr(kind, "list_size", 1)
        shape = file.metadata.num_rows, width
        return Extent(shape, 8, None, _group_cuts(file), (*names,))


def _parquet_rows(
    place: str, _: str | None, start: int, stop: int, columns: tuple[str, ...]
) -> Any:
    with open_parquet(place) as file:
        cuts = _group_cuts(file)
        groups = range(cuts.index(start), cuts.index(stop))
        return file.read_row_groups(groups, columns=[*columns]).select([*columns])


def _h5_extent(place: str, key: str | None, _: Selection) -> Extent:
    with open_h5(place, key) as data:
        return _array_extent(data, data.chunks[0] if data.chunks else 1)


def _h5_rows(place: str, key: str | None, start: int, stop: int, *_: Any) -> Any:
    with open_h5(place, key) as data:
        return data[start:stop]


def _open_zarr(place: str, key: str | None) -> Any:
    """Return an array of a .zarr, which is a folder."""
    zarr = library("zarr", place, None)
    with reading(place, "a .zarr folder"):
        node = zarr.open(place, mode="r")
        if isinstance(node, zarr.Array):
            if key is not None:
                raise Refused(f"{place}: no key {key!r}: it is one array, write {place}")
            return node
        arrays = {name: one for name, one in node.members(None) if isinstance(one, zarr.Array)}
        return arrays[choose_key(place, None if key is None else key.strip("/"), arrays)]


def _zarr_extent(place: str, key: str | None, _: Selection) -> Extent:
    array = _open_zarr(place, key)
    chunks = array.shards or array.chunks
    return _array_extent(array, chunks[0] if chunks else 1)


def _zarr_rows(place: str, key: str | None, start: int, stop: int, *_: Any) -> Any:
    array = _open_zarr(place, key)
    with reading(place, "a .zarr folder"):
        return array[start:stop]


def _zarr_stamp(place: str, key: str | None, start: int, stop: int) -> tuple[int, ...]:
    """Return a checksum of the array's metadata and of the chunk files of these rows, by size and
    modification time; a missing file stands for the fill value."""
    array = _open_zarr(place, key)
    chunks = array.shards or array.chunks
    content: list[Any] = [array.metadata.to_dict()]
    if chunks:
        columns = -(-array.shape[1] // chunks[1]) if len(array.shape) == 2 else 1
        for i in range(start // chunks[0], -(-stop // chunks[0])):
            for j in range(columns):
                name = array.metadata.encode_chunk_key((i, j)[: len(chunks)])
                path = os.path.join(place, array.path, name)
                content.append(_file_stamp(path) if os.path.exists(path) else None)
    return (zlib.crc32(repr(content).encode()),)


_FORMATS = {
    ".npy": Format(_npy_extent, _npy_rows, _file_stamp),
    ".parquet": Format(_parquet_extent, _parquet_rows, _file_stamp),
    ".h5": Format(_h5_extent, _h5_rows, _file_stamp),
    ".zarr": Format(_zarr_extent, _zarr_rows, _zarr_stamp),
}
