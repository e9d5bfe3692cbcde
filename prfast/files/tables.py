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
    except Refused:
        raise
    except MemoryError as error:
        raise MemoryError(f"{path}: {error}") from None
    except Exception as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
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
        """Return the selected ones of the different column names of a file, at least one.

        They are in the order of the selection; those that match one pattern, in the order of the
        file.
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
    names: list[tuple[str, ...] | None] = []
    for name, values in (("columns", columns), ("drop", drop)):
        several = None if values is None else tuple(read_list(name, values, (str,)))
        for one in several or ():
            if not isinstance(one, str):
                raise WrongType(name, f"names of type str expected, got {kind_of(one)}")
        names.append(several)
    return Selection(*names)


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


def no_columns(path: str) -> Refused:
    """Return the exception for a selection of columns in a file of arrays."""
    return Refused(f"{path}: an array, whose columns have no names to choose from")


# ---- .csv --------------------------------------------------------------------------------------

CSV_ENCODING = "utf-8-sig"


def load_csv(path: str, selection: Selection) -> Any:
    """Return the numbers of a .csv file, a row per line: a `Table` if the first line has names.

    It must have names if columns are selected.
    """
    with reading(path, "comma-separated numbers"):
        with open(path, encoding=CSV_ENCODING, newline="") as file:
            lines = csv.reader(file)
            first, second = next(lines, []), next(filter(None, lines), [])
            _check_first_lines(path, first, second)
            # loadtxt would not notice a row of another length where columns are selected.
            # In one column an empty line is a missing value, which loadtxt would skip.
            for cells in lines if selection or len(first) == 1 else ():
                if len(cells) != len(first) and (cells or len(first) == 1):
                    raise ValueError(
                        f"{len(first)} columns expected, got {len(cells)} in line {lines.line_num}"
                    )
        names = None
        # pandas names the columns of an array 0, 1, 2 …; fewer than four may well be a sample.
        if not selection and len(first) >= 4 and first == [str(i) for i in range(len(first))]:
            raise ValueError("its first line counts the columns: write it without, or with names")
        if selection or not any(map(_is_number, first)):
            names = _csv_columns(path, first, second, selection)
        array = np.loadtxt(
            path,
            delimiter=",",
            quotechar='"',
            skiprows=0 if names is None else 1,
            usecols=[first.index(name) for name in names] if selection and names else None,
            ndmin=2,
            encoding=CSV_ENCODING,
            comments=None,  # a line that begins with # would be skipped silently
        )
        return array if names is None else named_array(array, names)


def _check_first_lines(path: str, first: Sequence[str], second: Sequence[str]) -> None:
    """Refuse another separator and lines of two lengths; first, second: cells of two lines."""
    for sign, name in ((";", "semicolons"), ("\t", "tabs")):
        if all(sign in ",".join(cells) for cells in (first, second)):
            raise Refused(f"{path}: commas between columns expected, got {name}")
    if not any(name.strip() for name in first) and len(first) < 2:
        raise ValueError("its first line is empty")
    if second and len(first) != len(second):
        raise ValueError(f"{len(first)} columns in its first line, {len(second)} in the next")


def _csv_columns(
    path: str, first: Sequence[str], second: Sequence[str], selection: Selection
) -> list[str]:
    """Return the names of the selected columns, whose cells in the second line are numbers."""
    if not second:
        raise ValueError("only a header")
    names = selection.of(path, first)
    cells = dict(zip(first, second, strict=True))
    # A first column without a name has the row numbers of pandas.
    unnamed = "" if selection.columns is None and not first[0] else None
    # An empty cell is a missing value, for which `loadtxt` gives the place, not a column of text.
    wrong = [name for name in names if name == unnamed or not _is_number(cells[name] or "nan")]
    if wrong:
        raise _not_numeric(path, wrong, listed(map(repr, wrong)), len(names))
    return names


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _not_numeric(path: str, names: Sequence[str], text: str, of_all: int) -> Refused:
    """Return the exception for columns that are no features; text: how the message has them."""
    some = list(names[:_SHOWN])
    hint = (
        f"; leave out what is no feature: --drop {shlex.join(some)}, in Python drop={some}, or "
        "choose columns: --columns 'f*', columns=['f*']"
    )
    return Refused(
        f"{path}: columns of numbers expected, got {text}{hint if len(names) < of_all else ''}"
    )


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
    """Return the names of the selected columns of an open file, which must be numeric."""
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
    """Return the names of the selected columns.

    A column with row labels of pandas is refused unless it is selected by its name or dropped.
    """
    names = selection.of(path, schema.names)
    for label in (schema.pandas_metadata or {}).get("index_columns", []):
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
        text = listed(f"{name!r} ({schema.field(name).type})" for name in wrong)
        raise _not_numeric(path, wrong, text, len(names))
    return names


def _is_numeric(types: Any, dtype: Any) -> bool:
    """Return whether a type of pyarrow is numeric, or vectors of a numeric type."""
    if types.is_list(dtype) or types.is_large_list(dtype) or types.is_fixed_size_list(dtype):
        dtype = dtype.value_type
    return bool(types.is_integer(dtype) or types.is_floating(dtype) or types.is_boolean(dtype))
