"""Some rows of a file without the others: .npy, .parquet, .h5 and .zarr.

A file is cut where that costs nothing: .npy anywhere, .parquet between row groups, .h5 and .zarr
between chunks.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from prfast.files.columns import ALL, Refused, Wanted, no_columns
from prfast.files.formats import (
    choose,
    library,
    open_h5,
    open_parquet,
    parquet_columns,
    reading,
)
from prfast.files.load import load_array
from prfast.inputs.features import plain, record_of

Columns = tuple[str, ...]
"""Names of those that are read; of arrays none, which are read whole."""


class Extent(NamedTuple):
    """What a file says of its array before any row is read."""

    shape: tuple[int, ...]
    itemsize: int
    dtype: Any
    """Of a table, which has several: None."""
    cuts: range | list[int]
    """Rows where the file may be cut, from 0 on; the last is not below their number."""
    names: tuple[str, ...] = ()
    """Of a table's columns."""
    record: Mapping[str, Any] | None = None
    """How the features were made, where the file says it."""

    def pieces(self, rows: int) -> list[tuple[int, int]]:
        """[start, stop) of pieces of about so many rows, rather fewer; at least one piece."""
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
    """A row: how files with an ending are measured and read; a stamp changes with their content."""

    extent: Callable[..., Extent]
    """Of a place, a key and, where it is a table, the columns that are wanted."""
    rows: Callable[..., Any]
    """Of a place, a key, [start, stop) and, of a table, the columns of its extent."""
    stamp: Callable[[str, str | None, int, int], tuple[int, ...]]


def kind_of_file(place: str) -> Kind:
    """By the ending of its name."""
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


def _check_array(place: str, wanted: Wanted) -> None:
    if wanted:
        raise no_columns(place)


def _range(length: int, step: int) -> range:
    """0, step, 2 step … up to the first that is not below the length."""
    return range(0, length + step, step) if length else range(1)


# ---- .npy ----------------------------------------------------------------------------------------


def _npy_extent(place: str, key: str | None, wanted: Wanted = ALL) -> Extent:
    _check_array(place, wanted)
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


def _parquet_extent(place: str, key: str | None, wanted: Wanted = ALL) -> Extent:
    with open_parquet(place) as file:
        names = parquet_columns(place, file, wanted)
        width = sum(_width(place, file.schema_arrow.field(name)) for name in names)
        shape = file.metadata.num_rows, width
        return Extent(shape, 8, None, _group_cuts(file), (*names,))


def _width(place: str, field: Any) -> int:
    """Features that a column holds, as far as the file says it before it is read."""
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


def _h5_extent(place: str, key: str | None, wanted: Wanted = ALL) -> Extent:
    _check_array(place, wanted)
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
    shape = found.shape or ()  # HDF5 has arrays without one
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
        return arrays[choose(place, None if key is None else key.strip("/"), arrays)]


def _zarr_extent(place: str, key: str | None, wanted: Wanted = ALL) -> Extent:
    _check_array(place, wanted)
    found = _zarr(place, key)
    return _chunked(found, found.shards or found.chunks)


def _zarr_rows(place: str, key: str | None, start: int, stop: int, columns: Columns = ()) -> Any:
    found = _zarr(place, key)
    with reading(place, "a .zarr folder"):
        return found[start:stop]


def _zarr_stamp(place: str, key: str | None, start: int, stop: int) -> tuple[int, ...]:
    """Of the files of these rows, of which one that is missing holds the fill value, and of what
    the array says of itself."""
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
