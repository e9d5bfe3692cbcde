"""Tables in .csv, .parquet, .arrow and .feather files, and the selection of their columns.

NumPy reads .csv files; each number is rounded to the nearest float64.  pyarrow reads the others.
"""

from __future__ import annotations

import csv
import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.concurrency import warning_filter
from prfast.inputs.errors import WrongType, closest, import_optional, kind_of
from prfast.inputs.options import read_list
from prfast.inputs.tables import named_array

_SHOWN = 8  # names in a message


class Refused(ValueError):
    """An intact file from which the features cannot be selected as requested."""


@contextmanager
def reading(path: str, what: str) -> Iterator[None]:
    """Turn any exception of a library about the content of a file into a one-line ValueError."""
    try:
        yield
    except (Refused, MemoryError):
        raise
    except Exception as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        if "allow_pickle" in reason:  # NumPy takes any file without its magic bytes for a pickle
            reason = "pickled objects, or nothing of NumPy's"
        raise ValueError(f"{path}: not {what} ({reason})") from None


def library(module: str, path: str, extra: str | None = "inputs") -> Any:
    """Import and return the module that reads a file."""
    return import_optional(module, f"{Path(path).suffix.lower()} files", extra, place=path)


# ---- selection of columns ----------------------------------------------------------------------


class Selection(NamedTuple):
    """Names and patterns of columns to select and to drop; None selects all, or drops none."""

    columns: tuple[str, ...] | None = None
    drop: tuple[str, ...] | None = None

    def __bool__(self) -> bool:
        """Return whether columns are selected or dropped."""
        return self.columns is not None or self.drop is not None

    def of(self, path: str, names: Sequence[str]) -> list[str]:
        """Return the selected ones of the column names of a file, each once.

        They are in the order of the selection; those that match one pattern, in the order of the
        file.

        Raises
        ------
        Refused
            No column has a name or matches a pattern; several columns have the same name; no
            column is left.
        """
        if len(set(names)) < len(names):
            double = next(name for name in names if names.count(name) > 1)
            raise Refused(f"{path}: columns of different names expected, several are {double!r}")
        chosen = list(names)
        if self.columns is not None:
            chosen = _matching(path, names, self.columns)
        if self.drop is not None:
            out = set(_matching(path, names, self.drop))
            chosen = [name for name in chosen if name not in out]
        if self and not chosen:
            raise Refused(f"{path}: at least one column expected, all are left out")
        return chosen


ALL = Selection()


def read_selection(columns: Any, drop: Any) -> Selection:
    """Return the options `columns` and `drop`: a name or pattern such as "f*", several, or None."""
    return Selection(_read_names("columns", columns), _read_names("drop", drop))


def _read_names(name: str, values: Any) -> tuple[str, ...] | None:
    if values is None:
        return None
    names = read_list(name, values, (str,))
    for one in names:
        if not isinstance(one, str):
            raise WrongType(name, f"names of columns, of type str, expected, got {kind_of(one)}")
    return tuple(names)


def _matching(path: str, names: Sequence[str], patterns: Iterable[str]) -> list[str]:
    matching: dict[str, None] = {}
    for pattern in patterns:
        here = [pattern] if pattern in names else [n for n in names if fnmatchcase(n, pattern)]
        if not here:
            raise Refused(
                f"{path}: no column {pattern!r}; it has {listed(map(repr, names))}"
                f"{closest(pattern, names)}"
            )
        matching |= dict.fromkeys(here)
    return [*matching]


def listed(items: Iterable[str]) -> str:
    """Return the first items for a message, and how many more there are."""
    items = list(items)
    more = f" and {len(items) - _SHOWN} more" if len(items) > _SHOWN else ""
    return ", ".join(items[:_SHOWN]) + more


def _drop_hint(names: Sequence[str]) -> str:
    """Return a hint for a message: how to drop these columns."""
    some = list(names[:_SHOWN])
    words = " ".join(map(shlex.quote, some))
    return (
        f"; leave out what is no feature: --drop {words}, in Python drop={some}, or choose "
        "columns: --columns 'f*', columns=['f*']"
    )


def no_columns(path: str) -> Refused:
    """Return the exception for a selection of columns in a file of arrays."""
    return Refused(f"{path}: an array, whose columns have no names to choose from")


# ---- .csv --------------------------------------------------------------------------------------


CSV_ENCODING = "utf-8-sig"


def load_csv(path: str, selection: Selection) -> Any:
    """Return the numbers of a .csv file, a row per line: a `Table` if the first line has names.

    It must have names if columns are selected.
    """
    first: list[str] = []
    second: list[str] = []
    try:
        with open(path, encoding=CSV_ENCODING, newline="") as file:
            lines = csv.reader(file)
            first, second = next(lines, []), next(filter(None, lines), [])
        if not any(name.strip() for name in first) and len(first) < 2:
            raise ValueError("its first line is empty")
        # pandas names the columns of an array 0, 1, 2 …; fewer than four may well be a sample.
        if not selection and len(first) >= 4 and first == [str(i) for i in range(len(first))]:
            raise ValueError("its first line counts the columns: write it without, or with names")
        if not selection and any(map(_is_number, first)):
            return _csv_numbers(path, len(first), None, header=False)
        if not selection and not first[0]:
            raise ValueError(
                "a column without a name, as of row numbers: write it without them, or choose "
                "others"
            )
        names = selection.of(path, first)
        columns = [first.index(name) for name in names] if selection else None
        return named_array(_csv_numbers(path, len(first), columns, header=True), names)
    except Refused:
        raise
    except (ValueError, csv.Error) as error:
        hint = _csv_hint(first, second)
        raise ValueError(f"{path}: not comma-separated numbers ({error}){hint}") from None


def _csv_numbers(
    path: str, width: int, columns: Sequence[int] | None, *, header: bool
) -> NDArray[np.float64]:
    """Return the numbers of the columns with these indices, None for all, of a file with `width`
    columns."""
    source: Any = path
    if columns is not None or width == 1:
        source = _csv_lines(path, width, range(width) if columns is None else columns, header)
    with warning_filter("error", "loadtxt: input contained no data"):
        try:
            # comments=None: a line that begins with # would be skipped silently.
            array: NDArray[np.float64] = np.loadtxt(
                source,
                delimiter=",",
                quotechar='"',
                skiprows=int(header and source is path),
                ndmin=2,
                encoding=CSV_ENCODING,
                comments=None,
            )
        except UserWarning:
            raise ValueError("only a header") from None
    if source is path and array.shape[1] != width:
        raise ValueError(f"{width} names in its first line, {array.shape[1]} columns")
    return array


def _csv_lines(path: str, width: int, columns: Sequence[int], header: bool) -> Iterator[str]:
    """Yield the lines of numbers with the selected columns, each cell in quotes.

    loadtxt itself would not notice a row of another length, nor an empty line, which is a missing
    value in a file of one column, except at its end.
    """
    empty = 0
    with open(path, encoding=CSV_ENCODING, newline="") as file:
        lines = csv.reader(file)
        if header:
            next(lines)
        for cells in lines:
            if not cells:
                empty = empty or lines.line_num
                continue
            if empty and width == 1:
                raise ValueError(f"no missing value expected, got an empty line {empty}")
            if len(cells) != width:
                raise ValueError(
                    f"{width} columns expected, got {len(cells)} in line {lines.line_num}"
                )
            yield ",".join('"' + cells[i].replace('"', '""') + '"' for i in columns)


def _csv_hint(first: list[str], second: list[str]) -> str:
    """Return a hint for a message: another separator, or columns without numbers to drop."""
    for sign, name in ((";", "semicolons"), ("\t", "tabs")):
        counts = {",".join(cells).count(sign) for cells in (first, second)}
        if len(counts) == 1 and counts != {0}:
            return f"; {name} separate its columns, where commas are expected"
    if all(map(_is_number, first)) or len(first) != len(second):
        return ""
    # A column without a name has row numbers.
    pairs = zip(first, second, strict=True)
    wrong = [name for name, cell in pairs if not name or not _is_number(cell)]
    return _drop_hint(wrong) if 0 < len(wrong) < len(first) else ""


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


# ---- .parquet, .arrow, .feather ----------------------------------------------------------------


def load_parquet(path: str, selection: Selection) -> Any:
    """Return a pyarrow table of the selected columns; the others are not read."""
    with open_parquet(path) as file:
        names = parquet_columns(path, file, selection)
        # select: read() also returns columns whose names begin with a selected name and a dot.
        return file.read(columns=names).select(names)


@contextmanager
def open_parquet(path: str) -> Iterator[Any]:
    """Open a .parquet file without reading any row."""
    parquet = library("pyarrow.parquet", path)
    # Not read_table, which adds columns for folders with names such as x=1/.
    with reading(path, "a .parquet file"), parquet.ParquetFile(path) as file:
        yield file


def parquet_columns(path: str, file: Any, selection: Selection) -> list[str]:
    """Return the names of the selected columns, which must be numeric.

    A column with row labels of pandas is refused unless it is selected by its name or dropped.
    """
    return _arrow_columns(path, file.schema_arrow, selection)


def load_arrow(path: str, selection: Selection) -> Any:
    """Return a table from an Arrow file (memory-mapped), an Arrow stream or a Feather file."""
    feather = library("pyarrow.feather", path)
    arrow = library("pyarrow", path)
    with reading(path, f"a {Path(path).suffix.lower()} file"):
        with open(path, "rb") as file:
            magic = file.read(6)
        if magic.startswith((b"ARROW1", b"FEA1")):
            table = feather.read_table(path, memory_map=True)
        else:
            with arrow.memory_map(path) as source, arrow.ipc.open_stream(source) as stream:
                table = stream.read_all()
        return table.select(_arrow_columns(path, table.schema, selection))


def _arrow_columns(path: str, schema: Any, selection: Selection) -> list[str]:
    labels = (schema.pandas_metadata or {}).get("index_columns", [])
    names = selection.of(path, schema.names)
    for label in labels:
        # The metadata of plain row numbers is a dictionary, not the name of a column.
        if label in names and label not in (selection.columns or ()):
            raise Refused(
                f"{path}: row labels in the column {label!r} are no feature; write the table "
                f"without them, by index=False, or leave them out: --drop {label}, in Python "
                f"drop=[{label!r}]"
            )
    types = library("pyarrow.types", path)
    wrong = [name for name in names if not _is_numeric(types, schema.field(name).type)]
    if wrong:
        types_of_wrong = listed(f"{name!r} ({schema.field(name).type})" for name in wrong)
        hint = "" if len(wrong) == len(names) else _drop_hint(wrong)
        raise Refused(f"{path}: columns of numbers expected, got {types_of_wrong}{hint}")
    return names


def _is_numeric(types: Any, dtype: Any) -> bool:
    """Return whether a type of pyarrow is numeric, or vectors of a numeric type."""
    if types.is_list(dtype) or types.is_large_list(dtype) or types.is_fixed_size_list(dtype):
        dtype = dtype.value_type
    return any(
        is_kind(dtype) for is_kind in (types.is_integer, types.is_floating, types.is_boolean)
    )
