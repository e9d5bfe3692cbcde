"""Class labels from files: an integer or a text per sample."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from prfast.files.load import load_array
from prfast.files.tables import CSV_ENCODING, Refused, Selection, listed, open_parquet, reading

_KEYED = re.compile(r"(.*\.(?:csv|parquet)):(.+)", re.IGNORECASE | re.DOTALL)
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,18}")  # an integer as Python formats it
KINDS = (".csv", ".parquet")  # tables, whose columns have names


def load_labels(paths: Sequence[str]) -> list[Any]:
    """Load the labels of several files, all as integers or all as text; `inputs` checks them.

    Parameters
    ----------
    paths : sequence of str
        `labels.npy` or `data.npz:key`, a vector; `labels.csv`, a label per line; `data.csv:COLUMN`
        or `data.parquet:COLUMN`, a table with column names.  Spaces around a label in a .csv file
        are removed.

    Returns
    -------
    list of array, shape (n,)
        Integers if the labels of all files are; a label in a .csv file is one if it is written as
        Python formats it, 1 and neither 01 nor 1_0.  Otherwise text in all of them, for an integer
        its digits.

    Raises
    ------
    OSError, ValueError, ImportError
        As `load` for samples; a missing column, no column given for a file with several, booleans
        in one file and text in another.
    """
    found = [_load(path) for path in paths]
    if all(map(_is_whole, found)):
        return [np.array(one, np.int64) if _is_lines(one) else one for one in found]
    return [_as_text(path, one) for path, one in zip(paths, found, strict=True)]


def _load(path: str) -> Any:
    """Return an array, or for a .csv file a list of texts, which may be integers."""
    keyed = _KEYED.fullmatch(path)
    place, column = (path, None) if keyed is None or Path(path).exists() else keyed.groups()
    match Path(place).suffix.lower():
        case ".csv":
            return _csv_column(place, column)
        case ".parquet":
            return _parquet_column(place, column)
        case _:
            return np.asarray(load_array(place))


def _is_lines(found: Any) -> bool:
    return isinstance(found, list)


def _is_whole(found: Any) -> bool:
    if not _is_lines(found):
        return bool(found.dtype.kind in "biu")
    ends = np.iinfo(np.int64)
    return all(_WHOLE.fullmatch(one) and ends.min <= int(one) <= ends.max for one in found)


def _as_text(path: str, found: Any) -> Any:
    """Return integers as text; other dtypes unchanged, so that `inputs` refuses them by dtype."""
    if _is_lines(found) or found.dtype.kind in "iu":
        return np.array(found).astype(np.str_)
    if found.dtype.kind == "b":
        raise Refused(f"{path}: labels: text expected, as in other files, got {found.dtype}")
    return found


def _csv_column(path: str, column: str | None) -> list[str]:
    with open(path, encoding=CSV_ENCODING, newline="") as file, reading(path, "a .csv file"):
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
    with open(path, "rb"):
        pass  # if missing or forbidden, raise the system's error
    with open_parquet(path) as file:
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
    """Return the one column with that name or matching that pattern."""
    found = Selection((column,)).of(path, names)
    if len(found) > 1:
        raise Refused(f"{path}: one column expected, {column!r} has {listed(map(repr, found))}")
    return found[0]
