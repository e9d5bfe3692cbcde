"""Samples in files, as pieces that workers read: the public function `shards`."""

from __future__ import annotations

import glob
import os
import re
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from prfast.cluster.sources import FileRows, stamped
from prfast.files.columns import read_wanted
from prfast.files.load import place_and_key
from prfast.files.ranges import Extent, kind_of_file
from prfast.inputs.errors import WrongType, WrongValue, kind_of
from prfast.inputs.features import check_all_alike
from prfast.inputs.options import read_count

_BYTES = 1 << 26  # of a piece


@dataclass(frozen=True, eq=False, repr=False)
class Shards:
    """A set of samples in files, none of which has been read yet; `prfast.shards` makes it."""

    pieces: tuple[FileRows, ...]
    shape: tuple[int, ...]
    dtype: Any
    """As the files have it; None of tables, whose columns have several."""
    record: Mapping[str, Any] | None = None
    """How the features were made, where every file says it."""

    @property
    def files(self) -> list[str]:
        """In the order of the samples."""
        return list(dict.fromkeys(piece.place for piece in self.pieces))

    @property
    def column_names(self) -> list[str] | None:
        """Of tables, the columns that are read, in order; None for arrays."""
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
    """A set of samples in one file or in many, read piece by piece by the workers of a cluster.

    What takes samples takes it: `pr_curve`, `pr_curves`, `metrics`, `realism`, `by_class` and
    `Evaluator`, with a client of dask.distributed.  Results are those of one array of all rows, to
    the last bit.  The files are to lie where this process and every worker find them by the same
    path; here only their headers are read.

    Parameters
    ----------
    paths : str, path, or a sequence of them
        A file, a pattern such as ``"features/real-*.npy"``, whose files come in the order of their
        names with numbers by value (real-2 before real-10), or files in the order given.  .npy is
        mapped into memory, .parquet read by row groups, .zarr (a folder) and .h5 by rows between
        chunks; where a file has several arrays, FILE:KEY, also behind a pattern.
    rows : int or None
        Samples of a piece at most, as far as files can be cut there; None (default) is what 64 MB
        hold.  No result depends on it.
    columns, drop : str, sequence of str, or None
        Columns of .parquet that are features, and that are none, as for `prfast.load`.

    Returns
    -------
    Shards
        With its shape, dtype, files and length; small when pickled.

    Raises
    ------
    OSError
        A file that is not there, a pattern that no file has.
    TypeError, ValueError
        Not such files; arrays of different widths or dtypes.
    ImportError
        What reads such files is missing.

    Notes
    -----
    A file that changes afterwards, in size or in when it was written, is refused by name: each task
    compares both when it begins, the first look at a piece and all that reads .parquet, .h5 and
    .zarr also behind the last row.  Of .npy, which is mapped, what is written into the file while a
    task works on it may be seen by that task, and is refused by the next one; a file that another
    takes the place of (os.replace) is never seen in part.
    """
    found = _named(paths)
    if rows is not None:
        rows = read_count("rows", rows)
    wanted = read_wanted(columns, drop)
    kinds = [kind_of_file(place) for place, _ in found]
    for place, _ in found:
        mode = os.stat(place).st_mode  # missing or forbidden: the system's own message
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
    """Files and keys."""
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
    """Its parts in order, numbers by value."""
    parts = re.split(r"(\d+)", path)
    return [(1, int(part), part) if part.isdecimal() else (0, 0, part) for part in parts]


def _check_alike(places: list[str], extents: list[Extent]) -> None:
    """One width, and one dtype, as far as files say it before they are read."""
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
    """The first of its columns."""
    return ", ".join(table.names[:5]) + (", …" if len(table.names) > 5 else "")


def _numbers(extent: Extent) -> int:
    """Of a sample."""
    found = 1
    for length in extent.shape[1:]:
        found *= length
    return found
