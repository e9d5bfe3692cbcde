"""Tables of any columns in .csv, .parquet, .arrow and .feather files, by pyarrow.

A .csv file has the names of its columns in its first line.  Each column gets one type in all files
that are read together: a code that is a number in every row of one file and text in another is
text.  Empty cells, NA, N/A, NaN and null are missing.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from prfast.files.tables import Refused, library, reading

SUFFIXES = (".csv", ".parquet", ".arrow", ".feather")


def load_frames(paths: Sequence[str]) -> list[Any]:
    """Return the tables of files, as tables of pyarrow.

    Raises
    ------
    OSError
        A file cannot be opened.
    ValueError
        A file is damaged, of an unknown format, or has a column of row labels.
    ImportError
        pyarrow is missing; the message says how to install it.
    """
    for path in paths:
        if Path(path).suffix.lower() not in SUFFIXES:
            raise ValueError(
                f"{path}: a {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file expected"
            )
        os.stat(path)  # a missing file is reported before others are read
    tables = [_load(path, {}) for path in paths]
    texts = _texts(paths, tables)
    return [
        _load(path, texts) if texts and _is_csv(path) else table
        for path, table in zip(paths, tables, strict=True)
    ]


def _is_csv(path: str) -> bool:
    return Path(path).suffix.lower() == ".csv"


def _load(path: str, texts: dict[str, Any]) -> Any:
    """Return the table of a file; texts: columns of .csv files whose cells are text."""
    suffix = Path(path).suffix.lower()
    if suffix == ".csv":
        table = _load_csv(path, texts)
    elif suffix == ".parquet":
        parquet = library("pyarrow.parquet", path, "tables")
        with reading(path, "a .parquet file"), parquet.ParquetFile(path) as file:
            table = file.read()
    else:
        feather = library("pyarrow.feather", path, "tables")
        with reading(path, f"a {suffix} file"):
            table = feather.read_table(path)
    for label in (table.schema.pandas_metadata or {}).get("index_columns", []):
        # The metadata of plain row numbers is a dictionary, not the name of a column.
        if label in table.column_names:
            raise Refused(
                f"{path}: no row labels expected, got the column {label!r}; write the table "
                "without them, by index=False"
            )
    return table


def _load_csv(path: str, texts: dict[str, Any]) -> Any:
    csv = library("pyarrow.csv", path, "tables")
    options = csv.ConvertOptions(strings_can_be_null=True, column_types=texts)
    with reading(path, "comma-separated columns"):
        table = csv.read_csv(path, convert_options=options)
        names = table.column_names
        if len(names) == 1 and (";" in names[0] or "\t" in names[0]):
            sign = "semicolons" if ";" in names[0] else "tabs"
            raise Refused(f"{path}: commas between columns expected, got {sign}")
        if names[0] == "":
            raise Refused(
                f"{path}: a name of the first column expected, got none, as of row numbers that "
                "pandas wrote; write the table by to_csv(index=False)"
            )
        double = [name for name in names if names.count(name) > 1]
        if double:
            raise Refused(f"{path}: columns of different names expected, several are {double[0]!r}")
    return table


def _texts(paths: Sequence[str], tables: Sequence[Any]) -> dict[str, Any]:
    """Return the columns of .csv files that are text in one file and another type elsewhere."""
    arrow = library("pyarrow", paths[0], "tables")
    types: dict[str, set[Any]] = {}
    for path, table in zip(paths, tables, strict=True):
        for field in table.schema if _is_csv(path) else ():
            if not arrow.types.is_null(field.type):
                types.setdefault(field.name, set()).add(field.type)
    text = arrow.string()
    return {name: text for name, several in types.items() if text in several and len(several) > 1}
