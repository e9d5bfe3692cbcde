"""Some rows of a file without the others: .npy, .parquet, .h5 and .zarr.

A file is cut where that costs nothing: .npy anywhere, .parquet between row groups, .h5 and .zarr
between chunks.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from prfast.files.formats import Refused, check_labels, choose, library, open_h5, reading
from prfast.files.load import load_array
from prfast.inputs.features import record_of


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

    extent: Callable[[str, str | None], Extent]
    rows: Callable[[str, str | None, int, int], Any]
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


def _range(length: int, step: int) -> range:
    """0, step, 2 step … up to the first that is not below the length."""
    return range(0, length + step, step) if length else range(1)


# ---- .npy ----------------------------------------------------------------------------------------


def _npy_extent(place: str, key: str | None) -> Extent:
    array = load_array(place)
    cuts = _range(array.shape[0] if array.ndim else 0, 1)
    return Extent(array.shape, array.itemsize, array.dtype, cuts, record=record_of(array))


def _npy_rows(place: str, key: str | None, start: int, stop: int) -> Any:
    return load_array(place)[start:stop]


# ---- .parquet ------------------------------------------------------------------------------------


@contextmanager
def _parquet(place: str) -> Iterator[Any]:
    parquet = library("pyarrow.parquet", place)
    with reading(place, "a .parquet file"), parquet.ParquetFile(place) as file:
        check_labels(place, file)
        yield file


def _group_cuts(file: Any) -> list[int]:
    metadata = file.metadata
    sizes = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
    return [0, *np.cumsum(sizes, dtype=np.int64).tolist()]


def _parquet_extent(place: str, key: str | None) -> Extent:
    with _parquet(place) as file:
        shape = file.metadata.num_rows, file.metadata.num_columns
        return Extent(shape, 8, None, _group_cuts(file), tuple(file.schema_arrow.names))


def _parquet_rows(place: str, key: str | None, start: int, stop: int) -> Any:
    with _parquet(place) as file:
        cuts = _group_cuts(file)
        return file.read_row_groups(range(cuts.index(start), cuts.index(stop)))


# ---- .h5 -----------------------------------------------------------------------------------------


def _h5_extent(place: str, key: str | None) -> Extent:
    with open_h5(place, key) as found:
        if found.is_virtual or found.external:
            raise Refused(f"{place}: numbers in the file itself expected, they are in others")
        return _chunked(found)


def _h5_rows(place: str, key: str | None, start: int, stop: int) -> Any:
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


def _zarr_extent(place: str, key: str | None) -> Extent:
    found = _zarr(place, key)
    return _chunked(found, found.shards or found.chunks)


def _zarr_rows(place: str, key: str | None, start: int, stop: int) -> Any:
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
