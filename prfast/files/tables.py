"""Tables in .csv and .parquet files, and the selection of their columns."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.errors import WrongType, closest, import_optional, kind_of, some_of
from prfast.inputs.options import read_list
from prfast.inputs.tables import Table


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


def library(module: str, path: str) -> Any:
    """Import and return the module that reads a file."""
    return import_optional(module, f"{os.path.splitext(path)[1].lower()} files", place=path)


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

        They are in the order of the selection; those that match one pattern, in that of the file.
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
    names: dict[str, tuple[str, ...]] = {}
    for option, values in (("columns", columns), ("drop", drop)):
        if values is not None:
            names[option] = tuple(read_list(option, values, (str,)))
            for name in names[option]:
                if not isinstance(name, str):
                    raise WrongType(option, f"names of type str expected, got {kind_of(name)}")
    return Selection(**names)


def _matching(path: str, names: Sequence[str], patterns: Iterable[str]) -> list[str]:
    matching: dict[str, None] = {}
    for pattern in patterns:
        here = [pattern] if pattern in names else [n for n in names if fnmatchcase(n, pattern)]
        if not here:
            text = f"{path}: no column {pattern!r}; it has {some_of(map(repr, names))}"
            raise Refused(text + closest(pattern, names))
        matching |= dict.fromkeys(here)
    return [*matching]


def no_columns(path: str) -> Refused:
    """Return the exception for a selection of columns in a file of arrays."""
    return Refused(f"{path}: an array, whose columns have no names to choose from")


# ---- .csv --------------------------------------------------------------------------------------

CSV_ENCODING = "utf-8-sig"


def load_csv(path: str, selection: Selection) -> Any:
    """Return the numbers of a .csv file, rounded to float64: a `Table` if the first line has names.

    It must have names if columns are selected.
    """
    import csv

    with (
        reading(path, "comma-separated numbers"),
        open(path, encoding=CSV_ENCODING, newline="") as file,
    ):
        lines = csv.reader(file)
        first, second = next(lines, []), next(filter(None, lines), [])
        for sign, name in ((";", "semicolons"), ("\t", "tabs")):
            if all(sign in ",".join(cells) for cells in (first, second)):
                raise Refused(f"{path}: commas between columns expected, got {name}")
        if not any(name.strip() for name in first) and len(first) < 2:
            raise ValueError("its first line is empty")
        if second and len(first) != len(second):
            raise ValueError(f"{len(first)} columns in its first line, {len(second)} in the next")
        # pandas names the columns of an array 0, 1, 2 …; fewer than four may well be a sample.
        if not selection and len(first) >= 4 and first == [str(i) for i in range(len(first))]:
            raise ValueError("its first line counts the columns: write it without, or with names")
        names, rows, chosen = None, [first, second], [*range(len(first))]
        if selection or not any(map(_is_number, first)):
            if not second:
                raise ValueError("only a header")
            names, rows = selection.of(path, first), [second]
            cells_of = dict(zip(first, second, strict=True))
            # A first column without a name has the row numbers of pandas.
            unnamed = "" if selection.columns is None and not first[0] else None
            # An empty cell is a missing value, not a column of text.
            wrong = [x for x in names if x == unnamed or not _is_number(cells_of[x] or "nan")]
            if wrong:
                raise _not_numeric(path, wrong, some_of(map(repr, wrong)), len(names))
            chosen = [first.index(name) for name in names]
        numbers = array("d")
        for cells in chain(filter(None, rows), lines):
            if not cells and len(first) > 1:
                continue  # in one column an empty line is a missing value
            if len(cells) != len(first):
                got = f"{len(cells)} in line {lines.line_num}"
                raise ValueError(f"{len(first)} columns expected, got {got}")
            text = "".join(cells)
            is_plain = "_" not in text and text.isascii()
            try:
                if not is_plain and not all(_is_number(cells[i]) for i in chosen):
                    raise ValueError
                numbers.extend([float(cells[i]) for i in chosen])
            except ValueError:
                row = len(numbers) // len(chosen)
                at = next(i for i in chosen if not _is_number(cells[i]))
                place = f"{cells[at]!r} to float64 at row {row}, column {at + 1}"
                if names is not None:
                    place += f", {first[at]!r}; `prfast tables` compares tables with missing cells "
                    place += "and text"
                raise ValueError(f"could not convert string {place}") from None
    table = np.frombuffer(numbers).reshape(-1, len(chosen))
    return table if names is None else Table(len(table), [*zip(names, table.T, strict=True)], table)


def _is_number(cell: str) -> bool:
    """Return whether a cell is a number; `float` also accepts underscores and foreign digits."""
    if "_" in cell or not cell.isascii():
        return False
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _not_numeric(path: str, names: Sequence[str], text: str, count: int) -> Refused:
    """Return the exception for columns that are no features; text: how the message has them."""
    from shlex import join

    first = list(names[:8])
    hint = f"; to leave out what is no feature: --drop {join(first)}, in Python drop={first}, or "
    hint += "choose columns: --columns 'f*', columns=['f*']"
    text += "; columns of any kind: `prfast tables`, in Python prfast.compare_tables, or "
    text += "prfast.encode" + hint * (len(names) < count)
    return Refused(f"{path}: columns of numbers expected, got {text}")


# ---- .parquet ------------------------------------------------------------------------------------


def load_parquet(path: str, selection: Selection) -> Any:
    """Return the selected columns of a file as a table of pyarrow."""
    with open_parquet(path) as file:
        names = arrow_columns(path, file.schema_arrow, selection)
        # select: read() also returns columns whose names begin with a selected name and a dot.
        return file.read(columns=names).select(names)


@contextmanager
def open_parquet(path: str) -> Iterator[Any]:
    """Open a .parquet file without reading any row."""
    parquet = library("pyarrow.parquet", path)
    # Not read_table: it adds columns for folders with names such as x=1/.
    with reading(path, "a .parquet file"), parquet.ParquetFile(path) as file:
        yield file


def arrow_columns(path: str, schema: Any, selection: Selection) -> list[str]:
    """Return the names of the selected columns; they must be numeric.

    A column with row labels of pandas is refused unless it is selected by its name or dropped.
    """
    names = selection.of(path, schema.names)
    _check_row_labels(path, schema, selection.columns or (), names)
    types, wrong = library("pyarrow.types", path), []
    for name in names:
        dtype = schema.field(name).type
        if types.is_list(dtype) or types.is_large_list(dtype) or types.is_fixed_size_list(dtype):
            dtype = dtype.value_type  # vectors
        if not (types.is_integer(dtype) or types.is_floating(dtype) or types.is_boolean(dtype)):
            wrong.append(name)
    if wrong:
        text = some_of(f"{name!r} ({schema.field(name).type})" for name in wrong)
        raise _not_numeric(path, wrong, text, len(names))
    return names


def _check_row_labels(path: str, schema: Any, chosen: Sequence[str], names: Sequence[str]) -> None:
    """Refuse row labels of pandas in a column among `names` that is not among the chosen ones."""
    for label in (schema.pandas_metadata or {}).get("index_columns", []):
        # The metadata of plain row numbers is a dictionary, not the name of a column.
        if label in names and label not in chosen:
            text = f"row labels in the column {label!r} are no feature; write the table without "
            text += f"them, by index=False, or leave them out: --drop {label}, in Python"
            raise Refused(f"{path}: {text} drop=[{label!r}]")


# ---- tables of any columns -----------------------------------------------------------------------

TABLES = (".csv", ".parquet")
_NUMBERS = 0.5  # share of numbers in a column of text that makes its other cells mistakes


def load_frames(
    paths: Sequence[str], drop: Sequence[str] = (), categories: Sequence[str] = ()
) -> list[Any]:
    """Return the tables of files with columns of any types, as tables of pyarrow.

    A .csv file has the names of its columns in its first line.  A column gets one type in all
    files.  Codes with leading zeros are text, and so are columns with numbers in one file and
    mostly text in another.  Empty cells, NA, N/A, NaN, nan and null are missing.

    drop: names of columns that are left out, and need no type; categories: those that are text.
    """
    for path in paths:
        if os.path.splitext(path)[1].lower() not in TABLES:
            raise ValueError(f"{path}: a {' or '.join(TABLES)} file expected")
        with open(path, "rb"):  # a missing file is reported before others are read
            pass
    import_optional("pyarrow", "tables of any columns", extra="tables")
    tables = [_load_frame(path, {}) for path in paths]
    texts = _texts(paths, tables, [*drop, *categories])
    text = library("pyarrow", paths[0]).string()
    texts |= dict.fromkeys(categories, text)
    return [
        _load_frame(path, texts) if texts and path.lower().endswith(".csv") else table
        for path, table in zip(paths, tables, strict=True)
    ]


def _load_frame(path: str, texts: dict[str, Any], only: list[str] | None = None) -> Any:
    """Return the table of a file; of a .csv file texts: columns of text, only: those to read."""
    if not path.lower().endswith(".csv"):
        with open_parquet(path) as file:
            table = file.read()
        _check_row_labels(path, table.schema, (), table.column_names)
        return table
    csv = library("pyarrow.csv", path)
    options = csv.ConvertOptions(strings_can_be_null=True, column_types=texts, include_columns=only)
    with open(path, "rb") as file:
        line = file.readline()
    for sign, name in ((b";", "semicolons"), (b"\t", "tabs")):
        if sign in line and b"," not in line:
            raise Refused(f"{path}: commas between columns expected, got {name}")
    with reading(path, "comma-separated columns"):
        table = csv.read_csv(path, convert_options=options)
    if any(str(field.type) == "binary" for field in table.schema):
        raise Refused(f"{path}: text in UTF-8 expected; save the file in this encoding")
    names = table.column_names
    if names[0] == "":
        text = "got none, as of row numbers that pandas wrote; write the table by to_csv"
        raise Refused(f"{path}: a name of the first column expected, {text}(index=False)")
    ALL.of(path, names)  # refuses two of one name
    return table


def _texts(paths: Sequence[str], tables: Sequence[Any], typed: Sequence[str]) -> dict[str, Any]:
    """Return the columns of .csv files that are to be read as text: with leading zeros, or mostly
    text in one file and of another type elsewhere.  typed: others."""
    arrow = library("pyarrow", paths[0])
    tables_csv = {
        x: table for x, table in zip(paths, tables, strict=True) if x.lower().endswith(".csv")
    }
    types: dict[str, dict[str, Any]] = {}
    for path, table in tables_csv.items():
        for field in table.schema:
            if not arrow.types.is_null(field.type) and field.name not in typed:
                types.setdefault(field.name, {})[path] = field.type
    texts, text = {}, arrow.string()
    for name, by_path in types.items():
        if text not in by_path.values() or len(set(by_path.values())) == 1:
            continue
        for path in (path for path, kind in by_path.items() if kind == text):
            column = tables_csv[path][name].to_pylist()
            filled = [(row, x) for row, x in enumerate(column) if x is not None]
            wrong = [(row, x) for row, x in filled if not _is_number(x)]
            if len(wrong) <= (1 - _NUMBERS) * len(filled):
                numeric = next(path for path, kind in by_path.items() if kind != text)
                row, cell = wrong[0]
                raise Refused(
                    f"{path}: numbers expected in the column {name!r}, as in {numeric}, got "
                    f"{cell!r} in row {row}; correct the cell, leave it empty, or name the "
                    "column in --categories"
                )
        texts[name] = text
    for path, table in tables_csv.items():
        whole = [x.name for x in table.schema if arrow.types.is_integer(x.type) and x.name in types]
        cells = _load_frame(path, dict.fromkeys(whole, text), whole) if whole else table
        compute = library("pyarrow.compute", path)
        for name in whole:
            if compute.any(compute.match_substring_regex(cells[name], "^0[0-9]")).as_py():
                texts[name] = text
    return texts
