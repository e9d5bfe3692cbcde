"""Samples from files by their endings: .npy (memory-mapped), .npz and .csv here.

`formats` reads the others.  A .csv file is read by pyarrow if it is installed; what pyarrow does
not accept, NumPy reads or refuses.  Both round to the nearest float64, so values and messages do
not depend on what is installed.
"""

from __future__ import annotations

import csv
import os
import re
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.files.columns import ALL, Refused, Wanted, no_columns, read_wanted, ways_out
from prfast.files.formats import (
    choose,
    load_arrow,
    load_h5,
    load_parquet,
    load_pt,
    load_safetensors,
)
from prfast.files.write import read_record
from prfast.inputs.arrays import Floats, read_samples
from prfast.inputs.columns import load_extra
from prfast.inputs.errors import WrongType, kind_of
from prfast.inputs.features import Features, record_of, with_record
from prfast.inputs.locks import warning_filter

# ---- .csv --------------------------------------------------------------------------------------


_CODE = "utf-8-sig"


class Named(NDArray[Any]):
    """The array of a .csv file with the names of its columns; None in views of it."""

    column_names: list[str] | None = None

    def select(self, names: list[str]) -> Named:
        """Return a copy with the columns in the order of these names, all different."""
        at = {name: i for i, name in enumerate(self.column_names or [])}
        found = np.asarray(self)[:, [at[name] for name in names]].view(Named)
        found.column_names = names
        return found


class _Layout(NamedTuple):
    """The columns of a .csv file, by its first line and the selection."""

    header: bool
    names: list[str]
    columns: list[int] | None
    """Indices of the columns to read; None for all."""


def load_csv(path: str, wanted: Wanted) -> Any:
    """Return the samples of a .csv file, one per line.

    The first line may have column names, and must if columns are selected.
    """
    try:
        layout = _layout(path, wanted)
        if len(layout.names) == 1:
            _check_lines(path)
        found = _by_pyarrow(path, layout)
        if found is None:
            found = _by_numpy(path, layout)
        if not layout.header:
            return found
        named = found.view(Named)
        chosen = range(len(layout.names)) if layout.columns is None else layout.columns
        named.column_names = [layout.names[i] for i in chosen]
        return named
    except Refused:
        raise
    except (ValueError, csv.Error) as error:
        hint = _separator(path) or _hint(path)
        raise ValueError(f"{path}: not comma-separated numbers ({error}){hint}") from None


def _layout(path: str, wanted: Wanted) -> _Layout:
    names = _line(path, 0)
    if not any(name.strip() for name in names) and len(names) < 2:
        raise ValueError("its first line is empty")
    if wanted:
        chosen = wanted.of(path, names)
        return _Layout(True, names, [names.index(name) for name in chosen])
    # pandas names the columns of an array 0, 1, 2 …; fewer than four may well be a sample.
    if len(names) >= 4 and names == [str(i) for i in range(len(names))]:
        raise ValueError("its first line counts the columns: write it without, or with names")
    header = not any(map(_is_number, names))
    if header and not names[0]:
        raise ValueError(
            "a column without a name, as of row numbers: write it without them, or choose others"
        )
    return _Layout(header, names, None)


def _line(path: str, number: int) -> list[str]:
    """Return the cells of a line; none if the file has fewer lines."""
    with open(path, encoding=_CODE, newline="") as file:
        for at, cells in enumerate(csv.reader(file)):
            if at == number:
                return cells
    return []


def _check_lines(path: str) -> None:
    """Refuse empty lines, missing values in a file of one column, except at the end."""
    empty = 0
    with open(path, encoding=_CODE) as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                empty = empty or number
            elif empty:
                raise ValueError(f"no missing value expected, got an empty line {empty}")


def _by_pyarrow(path: str, layout: _Layout) -> NDArray[np.float64] | None:
    """Return the numbers; None if pyarrow is not installed or refuses the file."""
    try:
        reader, arrow = (
            load_extra(one, ".csv files", "inputs") for one in ("pyarrow.csv", "pyarrow")
        )
    except ImportError:
        return None
    names = [str(i) for i in range(len(layout.names))]
    chosen = names if layout.columns is None else [names[i] for i in layout.columns]
    try:
        table = reader.read_csv(
            path,
            reader.ReadOptions(column_names=names, skip_rows=int(layout.header)),
            reader.ParseOptions(),
            reader.ConvertOptions(
                column_types=dict.fromkeys(chosen, arrow.float64()),
                include_columns=chosen,
                null_values=[],
            ),
        )
    except arrow.ArrowException:
        return None
    if not len(table):
        return None
    found = np.empty((len(table), len(chosen)))
    for j, column in enumerate(table.columns):
        found[:, j] = column.to_numpy()
    return found


def _by_numpy(path: str, layout: _Layout) -> NDArray[np.float64]:
    # `csv` splits the lines if columns are selected: the others may have commas in quotes.
    source: Any = path if layout.columns is None else _chosen(path, layout)
    skipped = int(layout.header) if layout.columns is None else 0
    with warning_filter("error", "loadtxt: input contained no data"):
        try:
            # comments=None: a line that begins with # would be skipped silently.
            found: NDArray[np.float64] = np.loadtxt(
                source,
                delimiter=",",
                quotechar='"',
                skiprows=skipped,
                ndmin=2,
                encoding=_CODE,
                comments=None,
            )
        except UserWarning:
            raise ValueError("only a header") from None
    if layout.header and layout.columns is None and found.shape[1] != len(layout.names):
        raise ValueError(f"{len(layout.names)} names in its first line, {found.shape[1]} columns")
    return found


def _chosen(path: str, layout: _Layout) -> Iterator[str]:
    """Yield the lines after the first, with the selected columns only."""
    with open(path, encoding=_CODE, newline="") as file:
        for at, cells in enumerate(csv.reader(file)):
            if at == 0 or not cells:
                continue
            if len(cells) != len(layout.names):
                raise ValueError(
                    f"{len(layout.names)} columns expected, got {len(cells)} in line {at + 1}"
                )
            yield ",".join(cells[i] for i in layout.columns or ())


def _hint(path: str) -> str:
    """Return a hint how to drop columns, if there are names and only some columns are numeric."""
    try:
        names, cells = _line(path, 0), _line(path, 1)
    except (ValueError, csv.Error):
        return ""
    if all(map(_is_number, names)) or len(names) != len(cells):
        return ""
    wrong = _without_numbers(names, cells)
    return ways_out(wrong) if 0 < len(wrong) < len(names) else ""


def _separator(path: str) -> str:
    """Return a hint if semicolons or tabs, equally many in the first two lines, separate cells."""
    try:
        with open(path, encoding=_CODE, newline="") as file:
            lines = [file.readline() for _ in range(2)]
    except ValueError:
        return ""
    for sign, name in ((";", "semicolons"), ("\t", "tabs")):
        numbers = {line.count(sign) for line in lines}
        if len(numbers) == 1 and numbers != {0}:
            return f"; {name} separate its columns, where commas are expected"
    return ""


def _without_numbers(names: Sequence[str], cells: Sequence[str]) -> list[str]:
    """Return the columns that are not numeric or have no name; the latter are row numbers."""
    pairs = zip(names, cells, strict=True)
    return [name for name, cell in pairs if not name or not _is_number(cell)]


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


try:
    from lzma import LZMAError
except ImportError:  # a Python without lzma cannot read such members either
    LZMAError = zlib.error  # type: ignore[assignment,misc]

# Exceptions that NumPy raises for damaged or misnamed files.  RuntimeError: an encrypted member of
# an archive or, as NotImplementedError, an unknown compression method.
DAMAGED = (
    EOFError,
    LZMAError,
    OSError,
    OverflowError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)


def place_and_key(path: str) -> tuple[str, str | None]:
    """Split `data.npz:key` into the file and the key; None for a path without a key."""
    if os.path.exists(path):
        return path, None
    places = [path[: found.end() - 1] for found in _KEYED.finditer(path)]
    if not places:
        return path, None
    place = next((place for place in places if os.path.exists(place)), places[0])
    return place, path[len(place) + 1 :]


def load(path: Any, *, columns: Any = None, drop: Any = None) -> Floats | Features:
    """Load the samples of a file, as the command line does.

    Parameters
    ----------
    path : str or path
        Its ending is the format.  Arrays: .npy (memory-mapped), .npz, .h5, .safetensors, .pt;
        FILE:KEY selects one of several (not for .npy).  Tables: .csv, .parquet, .arrow, .feather.
        Rows are samples.  A .csv file is comma-separated; its first line may have column names,
        none of them a number.
    columns : str, sequence of str, or None
        Columns of a table that are features: names, and patterns such as ``"f*"`` or ``"f[0-9]"``.
        They are in the order given, those that match one pattern in the order of the file.  None
        (default): all.
    drop : str, sequence of str, or None
        Columns to leave out, by names or patterns.  None (default): none.

    Returns
    -------
    ndarray or Features, shape (samples, features)
        Finite float32 or float64 numbers, equal to those in the file.  A column of vectors of
        length d (FixedSizeList, List) gives d features.  If the file has a record of how the
        features were made, the result is a `prfast.features.Features`, an array with its `record`.

    Raises
    ------
    OSError
        The file cannot be opened.
    TypeError, ValueError
        The file is damaged or of an unknown format; a key or column is missing; a column is not
        numeric; columns are selected from an array; a number is not finite.
    ImportError
        The library that reads the format is missing; the message says how to install it.
    """
    if not isinstance(path, str | os.PathLike):
        raise WrongType("path", f"a path expected, got {kind_of(path)}")
    place = os.fspath(path)
    if not isinstance(place, str):
        raise WrongType("path", f"a path of type str expected, got {kind_of(place)}")
    found = load_array(place, read_wanted(columns, drop))
    samples: Floats | Features = with_record(read_samples(place, found), record_of(found))
    return samples


def load_array(path: str, wanted: Wanted = ALL) -> Any:
    """Return the array or table in a file, unchecked; formats and errors are those of `load`."""
    place, key = place_and_key(path)
    suffix = Path(place).suffix.lower()
    if suffix not in _ARRAYS and suffix not in _TABLES:
        if os.path.isdir(place):
            raise ValueError(f"{path}: a file expected, got a folder{_of_pictures(place)}")
        if not suffix:
            os.stat(place)  # if missing, raise the system's error, not "unknown format"
        *kinds, last = [*_ARRAYS, *_TABLES]
        raise ValueError(f"{path}: a {', '.join(kinds)} or {last} file expected")
    with open(place, "rb"):
        pass  # if missing or forbidden, raise the system's error, not a reader's
    if wanted and suffix in _ARRAYS:
        raise no_columns(path)
    try:
        if suffix in _TABLES:
            return _TABLES[suffix](place, wanted)
        return _ARRAYS[suffix](place, key)
    except MemoryError as error:  # a damaged file may claim any shape
        raise too_large(path, error) from None


def too_large(path: str, error: MemoryError) -> MemoryError:
    """Return a MemoryError that names the file."""
    return MemoryError(f"{path}: larger than the memory that there is ({error})")


def _of_pictures(folder: str) -> str:
    """Return a hint for a message if a folder has images, by common endings."""
    with os.scandir(folder) as found:
        some = any(one.name.lower().endswith((".png", ".jpg", ".jpeg")) for one in found)
    return f"; prfast features {folder} -o FILE.npy makes a file of its images" if some else ""


def _reason(error: Exception) -> str:
    """Return the reason for a message.

    NumPy takes any file without its magic bytes for a pickle and suggests allow_pickle, which
    prfast does not support.
    """
    return "pickled objects, or nothing of NumPy's" if "pickle" in str(error) else str(error)


def _load_npy(path: str, key: str | None) -> Any:
    try:
        with np.errstate(over="ignore"):  # NumPy multiplies the lengths of an absurd shape
            found = np.load(path, mmap_mode="r", allow_pickle=False)
    except DAMAGED as error:
        raise ValueError(f"{path}: not a .npy file of numbers ({_reason(error)})") from None
    if not isinstance(found, np.ndarray):
        found.close()
        raise ValueError(f"{path}: not a .npy file of numbers (a .npz archive by another name)")
    return with_record(found, read_record(path, found.shape))


def _load_npz(path: str, key: str | None) -> Any:
    try:
        with open(path, "rb") as file:  # NumPy does not close a broken file
            archive = np.load(file, allow_pickle=False)
            if isinstance(archive, np.ndarray):
                raise ValueError("a .npy file by another name")
            return archive[choose(path, key, archive.keys())]
    except Refused:
        raise
    except DAMAGED as error:
        raise ValueError(f"{path}: not a .npz archive of numbers ({_reason(error)})") from None


# Readers by ending, in the order in which messages list them.
_ARRAYS: dict[str, Callable[[str, str | None], Any]] = {
    ".npy": _load_npy,
    ".npz": _load_npz,
    ".h5": load_h5,
    ".safetensors": load_safetensors,
    ".pt": load_pt,
}
_TABLES: dict[str, Callable[[str, Wanted], Any]] = {
    ".csv": load_csv,
    ".parquet": load_parquet,
    ".arrow": load_arrow,
    ".feather": load_arrow,
}
_KEYED = re.compile(r"\.(npz|h5|safetensors|pt|zarr):", re.IGNORECASE)
