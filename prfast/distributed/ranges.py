"""Ranges of rows of .npy, .parquet, .h5 and .zarr, read without the other rows.

Ranges begin where no row outside is read with them: anywhere in .npy, between row groups of
.parquet, between chunks of .h5 and .zarr (shards, if it has them).
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from prfast.files.load import choose_key, load_array, open_h5
from prfast.files.tables import (
    ALL,
    Refused,
    Selection,
    library,
    no_columns,
    open_parquet,
    parquet_columns,
    reading,
)
from prfast.inputs.samples import plain, record_of

Columns = tuple[str, ...]
"""Names of the columns to read; empty for arrays, all of whose columns are read."""


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

    def pieces(self, rows: int) -> list[tuple[int, int]]:
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


class Kind(NamedTuple):
    """The functions that read a file format."""

    extent: Callable[..., Extent]
    """Extent of the array; arguments: path, key and, for tables, the selection of columns."""
    rows: Callable[..., Any]
    """Rows [start, stop); arguments: path, key, start, stop and, for tables, `Extent.names`."""
    stamp: Callable[[str, str | None, int, int], tuple[int, ...]]
    """Numbers that change with the content of rows [start, stop): path, key, start, stop."""


def kind_of_file(place: str) -> Kind:
    """Return the functions for a file, by its ending."""
    suffix = Path(place).suffix.lower()
    if suffix not in KINDS:
        *kinds, last = KINDS
        raise ValueError(
            f"{place}: a {', '.join(kinds)} or {last} file expected, of which rows can be read "
            "without the others"
        )
    return KINDS[suffix]


def _file_stamp(place: str, key: str | None, start: int, stop: int) -> tuple[int, ...]:
    found = os.stat(place)
    return found.st_size, found.st_mtime_ns


def _check_array(place: str, selection: Selection) -> None:
    if selection:
        raise no_columns(place)


def _range(length: int, step: int) -> range:
    """Return 0, step, 2 step, … up to the first that is at least the length."""
    return range(0, length + step, step) if length else range(1)


# ---- .npy ----------------------------------------------------------------------------------------


def _npy_extent(place: str, key: str | None, selection: Selection = ALL) -> Extent:
    _check_array(place, selection)
    array = load_array(place)
    cuts = _range(array.shape[0] if array.ndim else 0, 1)
    return Extent(array.shape, array.dtype.itemsize, array.dtype, cuts, record=record_of(array))


def _npy_rows(place: str, key: str | None, start: int, stop: int, columns: Columns = ()) -> Any:
    return plain(load_array(place))[start:stop]


# ---- .parquet ------------------------------------------------------------------------------------


def _group_cuts(file: Any) -> list[int]:
    metadata = file.metadata
    sizes = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
    return [0, *np.cumsum(sizes, dtype=np.int64).tolist()]


def _parquet_extent(place: str, key: str | None, selection: Selection = ALL) -> Extent:
    with open_parquet(place) as file:
        names = parquet_columns(place, file, selection)
        width = sum(_width(place, file.schema_arrow.field(name)) for name in names)
        shape = file.metadata.num_rows, width
        return Extent(shape, 8, None, _group_cuts(file), (*names,))


def _width(place: str, field: Any) -> int:
    """Return the number of features of a column; refuse vectors whose length is not in the type."""
    if hasattr(field.type, "value_type") and not hasattr(field.type, "list_size"):
        raise Refused(
            f"{place}: vectors of one length that the file tells (FixedSizeList) expected of "
            f"samples in pieces, got {field.type} in {field.name!r}"
        )
    return int(getattr(field.type, "list_size", 1))


def _parquet_rows(place: str, key: str | None, start: int, stop: int, columns: Columns = ()) -> Any:
    with open_parquet(place) as file:
        cuts = _group_cuts(file)
        groups = range(cuts.index(start), cuts.index(stop))
        return file.read_row_groups(groups, columns=[*columns]).select([*columns])


# ---- .h5 -----------------------------------------------------------------------------------------


def _h5_extent(place: str, key: str | None, selection: Selection = ALL) -> Extent:
    _check_array(place, selection)
    with open_h5(place, key) as found:
        if found.is_virtual or found.external:
            raise Refused(f"{place}: numbers in the file itself expected, they are in others")
        return _chunked(found)


def _h5_rows(place: str, key: str | None, start: int, stop: int, columns: Columns = ()) -> Any:
    with open_h5(place, key) as found:
        return found[start:stop]


def _chunked(found: Any, chunks: Any = None) -> Extent:
    chunks = found.chunks if chunks is None else chunks
    step = chunks[0] if chunks else 1
    shape = found.shape or ()  # None for an empty data set of HDF5
    length = shape[0] if shape else 0
    return Extent(shape, found.dtype.itemsize, found.dtype, _range(length, step))


# ---- .zarr, which is a folder --------------------------------------------------------------------


def _zarr(place: str, key: str | None) -> Any:
    zarr = library("zarr", place, None)
    if not os.path.exists(place):
        raise FileNotFoundError(2, os.strerror(2), place)
    with reading(place, "a .zarr folder"):
        found = zarr.open(place, mode="r")
        if isinstance(found, zarr.Array):
            if key is not None:
                raise Refused(f"{place}: no key {key!r}: it is one array, write {place}")
            return found
        arrays = {name: one for name, one in found.members(None) if isinstance(one, zarr.Array)}
        return arrays[choose_key(place, None if key is None else key.strip("/"), arrays)]


def _zarr_extent(place: str, key: str | None, selection: Selection = ALL) -> Extent:
    _check_array(place, selection)
    found = _zarr(place, key)
    return _chunked(found, found.shards or found.chunks)


def _zarr_rows(place: str, key: str | None, start: int, stop: int, columns: Columns = ()) -> Any:
    found = _zarr(place, key)
    with reading(place, "a .zarr folder"):
        return found[start:stop]


def _zarr_stamp(place: str, key: str | None, start: int, stop: int) -> tuple[int, ...]:
    """Return the size of the chunk files of these rows, and a checksum of their sizes and
    modification times and of the array's metadata; a missing file stands for the fill value."""
    found = _zarr(place, key)
    folder = os.path.join(place, found.path)
    chunks = found.shards or found.chunks
    said = repr(found.metadata.to_dict())
    if not chunks:
        return 0, zlib.crc32(said.encode())
    columns = -(-found.shape[1] // chunks[1]) if len(found.shape) == 2 else 1
    files = []
    for i in range(start // chunks[0], -(-stop // chunks[0])):
        for j in range(columns):
            where = found.metadata.encode_chunk_key((i, j)[: len(chunks)])
            try:
                one = os.stat(os.path.join(folder, where))
            except FileNotFoundError:
                continue
            files.append((one.st_size, one.st_mtime_ns))
    return sum(size for size, _ in files), zlib.crc32(repr((files, said)).encode())


KINDS = {
    ".npy": Kind(_npy_extent, _npy_rows, _file_stamp),
    ".parquet": Kind(_parquet_extent, _parquet_rows, _file_stamp),
    ".h5": Kind(_h5_extent, _h5_rows, _file_stamp),
    ".zarr": Kind(_zarr_extent, _zarr_rows, _zarr_stamp),
}
