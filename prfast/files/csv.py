"""Comma-separated numbers: by pyarrow where it is installed, by NumPy where not or where it fails.

Both round to the nearest float64.  What pyarrow does not take, NumPy reads or refuses: values and
messages do not depend on what is installed.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.files.columns import Refused, Wanted, ways_out
from prfast.inputs.extra import load_extra
from prfast.inputs.locks import warning_filter

_CODE = "utf-8-sig"


class Named(NDArray[Any]):
    """The numbers of a file, and the names of its columns; of a part of them, None."""

    column_names: list[str] | None = None

    def select(self, names: list[str]) -> Named:
        """Return a copy with the columns in the order of these names, all different."""
        at = {name: i for i, name in enumerate(self.column_names or [])}
        found = np.asarray(self)[:, [at[name] for name in names]].view(Named)
        found.column_names = names
        return found


class _Layout(NamedTuple):
    """What the first line says."""

    header: bool
    names: list[str]
    columns: list[int] | None
    """Those to read; None is all of them."""


def load_csv(path: str, wanted: Wanted) -> Any:
    """A sample a line; one line of column names may come first, and must where some are chosen."""
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
    # pandas names the columns of an array 0, 1, 2 …; in a few columns it may be a sample.
    if len(names) >= 4 and names == [str(i) for i in range(len(names))]:
        raise ValueError("its first line counts the columns: write it without, or with names")
    header = not any(map(_is_number, names))
    if header and not names[0]:
        raise ValueError(
            "a column without a name, as of row numbers: write it without them, or choose others"
        )
    return _Layout(header, names, None)


def _line(path: str, number: int) -> list[str]:
    """The cells of a line; of none where there are not so many."""
    with open(path, encoding=_CODE, newline="") as file:
        for at, cells in enumerate(csv.reader(file)):
            if at == number:
                return cells
    return []


def _check_lines(path: str) -> None:
    """Of one column an empty line is a missing value; at the end it is none."""
    empty = 0
    with open(path, encoding=_CODE) as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                empty = empty or number
            elif empty:
                raise ValueError(f"no missing value expected, got an empty line {empty}")


def _by_pyarrow(path: str, layout: _Layout) -> NDArray[np.float64] | None:
    """None where it is not installed or fails."""
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
    # Where columns are chosen the others may hold commas, in quotes: cells are cut by `csv`.
    source: Any = path if layout.columns is None else _chosen(path, layout)
    skipped = int(layout.header) if layout.columns is None else 0
    with warning_filter("error", "loadtxt: input contained no data"):
        try:
            # A # begins no comment: a row behind one would be lost without a word.
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
    """The lines behind the first, without the columns that are not read."""
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
    """Where a first line has names and only some columns have numbers: how to leave out others."""
    try:
        names, cells = _line(path, 0), _line(path, 1)
    except (ValueError, csv.Error):
        return ""
    if all(map(_is_number, names)) or len(names) != len(cells):
        return ""
    wrong = _without_numbers(names, cells)
    return ways_out(wrong) if 0 < len(wrong) < len(names) else ""


def _separator(path: str) -> str:
    """Where the first two lines hold as many other separators each, and no comma: which."""
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
    """Those that hold something else, and those without a name, which are row numbers."""
    pairs = zip(names, cells, strict=True)
    return [name for name, cell in pairs if not name or not _is_number(cell)]


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
