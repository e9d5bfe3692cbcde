"""Labels of classes in files: one a sample, whole numbers or text."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import numpy as np

from prfast.files.columns import Refused, Wanted
from prfast.files.formats import library, open_parquet, reading
from prfast.files.load import load_array

_KEYED = re.compile(r"(.*\.(?:csv|parquet)):(.+)", re.IGNORECASE | re.DOTALL)
KINDS = (".csv", ".parquet")  # of tables, which have columns with names


def load_labels(path: str) -> Any:
    """The labels in a file, for `inputs` to check.

    Parameters
    ----------
    path : str
        `labels.npy` or `data.npz:key`, a vector; `labels.csv`, one a line; `data.csv:COLUMN` or
        `data.parquet:COLUMN`, of a table with a line of column names.

    Returns
    -------
    array, shape (n,)
        Of integers where all are, else of text.

    Raises
    ------
    OSError, ValueError, ImportError
        As of samples; a column that is not there, more than one without a name.
    """
    found = _KEYED.fullmatch(path)
    place, column = (path, None) if found is None or Path(path).exists() else found.groups()
    match Path(place).suffix.lower():
        case ".csv":
            return _typed(_csv_column(place, column))
        case ".parquet":
            return _parquet_column(place, column)
        case _:
            return np.asarray(load_array(place))


def _csv_column(path: str, column: str | None) -> list[str]:
    with open(path, encoding="utf-8-sig", newline="") as file:
        lines = [cells for cells in csv.reader(file) if cells]
    if column is not None:
        names, *lines = lines or [[]]
        at = names.index(_known(path, names, column))
    elif all(len(cells) == 1 for cells in lines):
        at = 0
    else:
        names = lines[0]
        raise Refused(f"{path}: a column expected; write {path}:NAME, one of {', '.join(names)}")
    for number, cells in enumerate(lines, start=1 + (column is not None)):
        if len(cells) <= at:
            raise Refused(f"{path}: {at + 1} columns or more expected in line {number}")
    return [cells[at].strip() for cells in lines]


def _parquet_column(path: str, column: str | None) -> Any:
    library("pyarrow", path)
    with open_parquet(path) as file, reading(path, "a .parquet file"):
        names = list(file.schema_arrow.names)
        if column is None:
            raise Refused(
                f"{path}: a column expected; write {path}:NAME, one of {', '.join(names)}"
            )
        name = _known(path, names, column)
        values = file.read(columns=[name]).column(name)
        if values.null_count:
            raise Refused(f"{path}: a label a sample expected, {values.null_count} are missing")
        found = values.to_pylist()
    return np.asarray(found)


def _known(path: str, names: list[str], column: str) -> str:
    (name,) = Wanted((column,)).of(path, names)
    return name


def _typed(texts: list[str]) -> Any:
    try:
        return np.array([int(text) for text in texts], np.int64)
    except (ValueError, OverflowError):
        return np.array(texts, np.str_)
