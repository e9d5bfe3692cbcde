"""Samples in files that workers read piece by piece: the public function `shards`.

`FileRows` is a range of rows of a file, small when pickled, that a worker loads.
"""

from __future__ import annotations

import glob
import os
import re
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from prfast.distributed.ranges import Extent, kind_of_file
from prfast.files.load import place_and_key
from prfast.files.tables import read_selection
from prfast.inputs.arrays import Floats, read_numbers
from prfast.inputs.errors import WrongType, WrongValue, kind_of
from prfast.inputs.options import read_count
from prfast.inputs.samples import check_all_alike

_BYTES = 1 << 26  # bytes of a piece by default


@dataclass(frozen=True)
class FileRows:
    """The rows [start, stop) of a file, or of the array `key` in it."""

    place: str
    key: str | None
    start: int
    stop: int
    stamp: tuple[int, ...]
    """Size and modification time of the file when its header was read."""
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
        kind, wanted = kind_of_file(self.place), self.stop - self.start
        rows = kind.rows(self._path, self.key, self.start, self.stop, self.columns)
        self.check()  # .npy is only mapped at this point
        if len(rows) != wanted:
            words = f"{len(rows)} of {wanted} rows are there"
            raise WrongValue(self.place, f"has changed since it was looked at: {words}")
        return rows

    def check(self) -> None:
        """Raise ValueError where the file has changed since its header was read."""
        now = kind_of_file(self.place).stamp(self._path, self.key, self.start, self.stop)
        if now != self.stamp:
            words = (
                "written anew" if now[0] == self.stamp[0] else f"{self.stamp[0]} → {now[0]} bytes"
            )
            raise WrongValue(self.place, f"has changed since it was looked at: {words}")

    @property
    def _path(self) -> str:
        return os.path.join(self.folder, self.place)

    def load(self) -> Floats:
        """Return the rows as validated numbers."""
        return read_numbers(self.place, self.raw())


def stamped(
    place: str, key: str | None, start: int, stop: int, columns: tuple[str, ...] = ()
) -> FileRows:
    """Return the rows of a file with the stamp that it has now."""
    stamp = kind_of_file(place).stamp(place, key, start, stop)
    return FileRows(place, key, start, stop, stamp, os.getcwd(), columns)


@dataclass(frozen=True, eq=False, repr=False)
class Shards:
    """A set of samples in files whose rows have not been read; `prfast.shards` returns it."""

    pieces: tuple[FileRows, ...]
    shape: tuple[int, ...]
    dtype: Any
    """Dtype of the files; None for tables, whose columns may have several."""
    record: Mapping[str, Any] | None = None
    """Provenance of the features, where every file records it."""

    @property
    def files(self) -> list[str]:
        """Paths in the order of the samples."""
        return list(dict.fromkeys(piece.place for piece in self.pieces))

    @property
    def column_names(self) -> list[str] | None:
        """Names of the feature columns of tables, in order; None for arrays."""
        return list(self.pieces[0].columns) or None

    def select(self, names: list[str]) -> Shards:
        """Return the set with its columns in the order of these names."""
        return replace(self, pieces=tuple(replace(x, columns=(*names,)) for x in self.pieces))

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError("samples in pieces are never gathered into one array")

    def __repr__(self) -> str:
        files, pieces = len(self.files), len(self.pieces)
        return f"Shards(shape {self.shape} in {files} files, {pieces} pieces)"


def shards(paths: Any, *, rows: int | None = None, columns: Any = None, drop: Any = None) -> Shards:
    """Return a set of samples in files that the workers of a cluster read piece by piece.

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
        Maximal number of samples in a piece, as far as the format can be cut there; None (default):
        as many as 64 MB hold.  No result depends on it.
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
    compares both before it reads; the validation of a piece, and every task that reads .parquet,
    .h5 or .zarr, compares them again after the last row.  As .npy is memory-mapped, a task may see
    what is written into the file while it runs; the next task refuses the file.  A file that is
    replaced atomically (os.replace) is never seen in part.
    """
    found = _named(paths)
    if rows is not None:
        rows = read_count("rows", rows)
    wanted = read_selection(columns, drop)
    kinds = [kind_of_file(place) for place, _ in found]
    for place, _ in found:
        mode = os.stat(place).st_mode  # OSError of the system for a missing or forbidden file
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise WrongValue(place, "a file expected, got something to wait for")
    extents = [kind.extent(*one, wanted) for kind, one in zip(kinds, found, strict=True)]
    _check_alike([place for place, _ in found], extents)
    pieces: list[FileRows] = []
    for (place, key), extent in zip(found, extents, strict=True):
        of_row = extent.itemsize * max(1, _numbers(extent))
        cuts = extent.pieces(max(1, _BYTES // of_row) if rows is None else rows)
        pieces += [stamped(place, key, start, stop, extent.names) for start, stop in cuts]
    first = extents[0]
    shape = first.shape
    if shape:
        shape = (sum(one.shape[0] for one in extents), *shape[1:])
    known = all(one.record is not None for one in extents)
    return Shards(tuple(pieces), shape, first.dtype, first.record if known else None)


def _named(paths: Any) -> list[tuple[str, str | None]]:
    """Return (path, key) of each file."""
    if isinstance(paths, str | os.PathLike):
        return _matching(os.fspath(paths))
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


def _matching(pattern: str) -> list[tuple[str, str | None]]:
    place, key = place_and_key(pattern)
    if os.path.exists(place) or not glob.has_magic(place):
        return [(place, key)]
    found = sorted(glob.glob(place), key=_natural)
    if not found:
        raise FileNotFoundError(2, "no file has a name of this pattern", pattern)
    return [(one, key) for one in found]


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
            raise WrongValue(
                place, f"columns as in {places[0]}, {_listed(first)}, expected, got {_listed(one)}"
            )
        if one.dtype != first.dtype:
            raise WrongValue(place, f"{first.dtype} as in {places[0]} expected, got {one.dtype}")
    check_all_alike(zip(places, extents, strict=True))


def _listed(table: Extent) -> str:
    """Return the first column names of a table, for messages."""
    return ", ".join(table.names[:5]) + (", …" if len(table.names) > 5 else "")


def _numbers(extent: Extent) -> int:
    """Return how many numbers a sample has."""
    found = 1
    for length in extent.shape[1:]:
        found *= length
    return found
