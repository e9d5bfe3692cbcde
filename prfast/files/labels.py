"""Labels of classes in files: one a sample, whole numbers or text."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from prfast.files.columns import Refused, Wanted, listed
from prfast.files.formats import open_parquet, reading
from prfast.files.load import load_array

_KEYED = re.compile(r"(.*\.(?:csv|parquet)):(.+)", re.IGNORECASE | re.DOTALL)
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,18}")  # as Python writes an integer
KINDS = (".csv", ".parquet")  # of tables, which have columns with names


def load_labels(paths: Sequence[str]) -> list[Any]:
    """The labels in files that go together, for `inputs` to check; of one kind.

    Parameters
    ----------
    paths : sequence of str
        `labels.npy` or `data.npz:key`, a vector; `labels.csv`, one a line; `data.csv:COLUMN` or
        `data.parquet:COLUMN`, of a table with a line of column names.  Lines of .csv are text,
        without the spaces around it.

    Returns
    -------
    list of array, shape (n,)
        Of integers where those of all files are: in .csv, lines that are written as an integer is,
        1 and neither 01 nor 1_0.  Else text in all of them, where an integer has its digits.

    Raises
    ------
    OSError, ValueError, ImportError
        As of samples; a column that is not there, more than one without a name, truth values
        beside text.
    """
    found = [_load(path) for path in paths]
    if all(map(_is_whole, found)):
        return [np.array(one, np.int64) if _is_lines(one) else one for one in found]
    return [_as_text(path, one) for path, one in zip(paths, found, strict=True)]


def _load(path: str) -> Any:
    """An array, or the lines of a .csv file, which do not say what they are."""
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
    """Integers by their digits; what is neither they nor text stays, to be refused by its type."""
    if _is_lines(found) or found.dtype.kind in "iu":
        return np.array(found).astype(np.str_)
    if found.dtype.kind == "b":
        raise Refused(f"{path}: labels: text expected, as in other files, got {found.dtype}")
    return found


def _csv_column(path: str, column: str | None) -> list[str]:
    with open(path, encoding="utf-8-sig", newline="") as file, reading(path, "a .csv file"):
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
        pass  # missing or forbidden: the system's own message
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
    """The column of that name, or the one that a pattern has."""
    found = Wanted((column,)).of(path, names)
    if len(found) > 1:
        raise Refused(f"{path}: one column expected, {column!r} has {listed(found)}")
    return found[0]
