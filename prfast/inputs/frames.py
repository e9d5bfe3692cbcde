"""Columns of data frames: their kinds, and their cells as numbers or as levels.

    number    integers, floats, decimals; and booleans, where another set has numbers
    category  strings, booleans, categorical columns, and the columns named as `categories`
    date      dates and times of the calendar, as microseconds since 1970 in local time, and strings
              that are all ISO 8601 dates
    duration  durations and times of the day, in microseconds

Sets are matched by the names of their columns; a column is of one kind in all of them.
"""

from __future__ import annotations

import datetime
import decimal
import numbers
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Flags, Float64s
from prfast.inputs.errors import WrongRow, WrongType, WrongValue, closest, kind_of
from prfast.inputs.tables import Table, check_exact, if_empty, inexact, other_columns, read_table

NUMBER, CATEGORY, DATE, DURATION = "number", "category", "date", "duration"
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)?")
_MISSING = -1.0e308  # a missing cell where rows are compared
_LARGEST_INTEGER = 2.0**53  # beyond it, a float is written as it is, not as an integer


class Column(NamedTuple):
    """A column of one set."""

    name: Any
    kind: str | None  # None where all cells are missing
    values: Float64s
    """Numbers, shape (rows,), NaN where the cell is missing; with levels, places in `levels`."""
    levels: list[str]
    """The different values of a category, in the order of their first cells, or of a scale."""
    source: str = ""  # the type of the cells, for messages

    @property
    def missing(self) -> Flags:
        return np.isnan(self.values)

    def of_levels(self, numbers: Any) -> Float64s:
        """Return for each cell the number of its level; NaN where the cell is missing."""
        values, present = self.values.copy(), ~self.missing
        values[present] = np.asarray(numbers, np.float64)[self.values[present].astype(np.int64)]
        return values

    def renamed_levels(self, names: Sequence[str], levels: Sequence[str] = ()) -> Column:
        """Return the category with these names of its levels; levels with equal names become one.

        levels: those of the result, by default the different names.
        """
        levels = levels or [*dict.fromkeys(names)]
        places = {level: i for i, level in enumerate(levels)}
        values = self.of_levels([places[name] for name in names])
        return self._replace(kind=CATEGORY, values=values, levels=[*levels])

    def with_used_levels(self) -> Column:
        """Return the column without the levels that none of its cells has."""
        used = np.unique(self.values[~self.missing]).astype(np.int64)
        places = np.zeros(len(self.levels))
        places[used] = np.arange(len(used))
        levels = [self.levels[i] for i in used.tolist()]
        return self._replace(values=self.of_levels(places), levels=levels)

    def as_numbers(self, kind: str, numbers: Any) -> Column:
        """Return the category as a column of numbers, of one for each level."""
        return self._replace(kind=kind, values=self.of_levels(numbers), levels=[])


class Frame(NamedTuple):
    """The columns of one set, in order."""

    rows: int
    columns: list[Column]
    table: Table  # the cells as the caller passed them

    def matrix(self) -> Float64s:
        """Return the cells, shape (rows, columns), with missing ones equal to each other."""
        cells = np.column_stack([column.values for column in self.columns]).astype(np.float64)
        return np.nan_to_num(cells, copy=False, nan=_MISSING)


def number_cells(columns: Sequence[Column]) -> Float64s:
    """Return the cells of columns, shape (rows, columns), NaN where one is missing or a level."""
    cells = [np.full(len(x.values), np.nan) if x.levels else x.values for x in columns]
    return np.column_stack(cells).astype(np.float64)


def read_frames(
    sets: Mapping[str, Any],
    *,
    categories: Iterable[Any] = (),
    drop: Iterable[Any] = (),
    at_least: int = 2,
) -> dict[str, Frame]:
    """Return the tables of several sets, {name of the argument: table}, with the same columns.

    The columns are those of the first set, in its order, without those to `drop`.  Numbers of those
    in `categories` are codes.  at_least: rows of each table.
    """
    first = next(iter(sets))
    tables: dict[str, Table] = {}
    for name, values in sets.items():
        if (table := read_table(name, values)) is None:
            text = f"a data frame expected, got {kind_of(values)}"
            is_path = isinstance(values, str | os.PathLike)
            raise WrongType(name, text + "; `prfast tables` takes files" * is_path)
        if not table.columns:
            raise WrongValue(name, "at least one column expected, got none")
        if table.rows < at_least:
            text = f"at least {at_least} rows expected, got {table.rows}{if_empty(table.rows)}"
            raise WrongValue(name, text)
        tables[name] = table
    all_labels = [label for table in tables.values() for label in table.labels]
    left_out = _names_among("drop", drop, all_labels)
    kept = {name: [x for x in table.labels if x not in left_out] for name, table in tables.items()}
    labels = kept[first]
    for name, table in tables.items():
        if not kept[name]:
            raise WrongValue("drop", f"at least one column of {name} expected to remain, got none")
        if {*kept[name]} != {*labels}:  # also where pandas has named them 0, 1, 2 …
            only = {first: [label for label in labels if label not in kept[name]]}
            only[name] = [label for label in kept[name] if label not in labels]
            raise other_columns(f"{first} and {name}", only, "rename them, or drop them")
        tables[name] = table.select(labels)
    chosen = _names_among("categories", categories, labels)
    frames = {name: Frame(table.rows, [], table) for name, table in tables.items()}
    for i, label in enumerate(labels):
        cells = {name: table.columns[i][1] for name, table in tables.items()}
        columns = {name: _read_column(f"{name}[{label!r}]", label, x) for name, x in cells.items()}
        for name, column in _alike(label, columns, label in chosen).items():
            frames[name].columns.append(column)
    return frames


def _names_among(argument: str, names: Any, labels: Sequence[Any]) -> list[Any]:
    """Return names of columns, each of which is one of the labels."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise WrongType(argument, f"a sequence of column names expected, got {kind_of(names)}")
    listed = list(names)
    if wrong := [name for name in listed if name not in labels]:
        text = f"names of columns expected, got {wrong[0]!r}"
        raise WrongValue(argument, text + closest(wrong[0], map(str, labels)))
    return listed


# ---- cells of one set ----------------------------------------------------------------------------


def _read_column(argument: str, label: Any, series: Any) -> Column:
    """Return a column of one set as its own cells have it; argument: its name in messages."""
    if isinstance(series, np.ndarray):  # of a file of numbers
        return Column(label, NUMBER, series.astype(np.float64), [], str(series.dtype))
    import narwhals.stable.v2 as nw

    dtype, source = series.dtype, str(series.dtype)
    missing = series.is_null().to_numpy().astype(np.bool_)
    if dtype == nw.Unknown:  # such as types of Arrow that narwhals has no name for
        objects = series.to_list()
        # Those of runs are no null of the library.
        missing |= [cell is None or type(cell).__name__ == "NAType" for cell in objects]
        return _of_objects(argument, label, objects, missing, source)
    if missing.all():
        return Column(label, None, np.full(len(missing), np.nan), [], source)
    if dtype == nw.Boolean or dtype in (nw.String, nw.Categorical, nw.Enum):
        return _category(label, series.to_list(), missing, source)
    if dtype.is_numeric():
        if dtype.is_integer():
            check_exact(argument, series.drop_nulls().to_numpy())
        known, cells = series.drop_nulls(), np.full(len(missing), np.nan)
        if dtype == nw.Float32:  # with the fewest digits: 0.1 in float32 and in float64 are equal
            cells[~missing] = known.to_numpy().astype(np.float32).astype(np.str_).astype(np.float64)
        else:
            cells[~missing] = known.cast(nw.Float64).to_numpy()
        kind = NUMBER
    elif dtype in (nw.Datetime, nw.Date):
        if dtype == nw.Datetime:
            series = series.dt.replace_time_zone(None)
        times = series.cast(nw.Datetime("us")).to_numpy().astype("datetime64[us]")
        kind, cells = DATE, times.astype(np.int64)
    elif dtype == nw.Duration:
        kind, cells = DURATION, series.to_numpy().astype("timedelta64[us]").astype(np.int64)
    elif dtype in (nw.Object, nw.Time):
        return _of_objects(argument, label, series.to_list(), missing, source)
    else:
        text = f"numbers, booleans, strings, categories, dates or times expected, got {source}"
        raise WrongType(argument, f"{text}; drop the column or make columns of its parts")
    values = np.where(missing, np.nan, cells.astype(np.float64))
    return Column(label, None if np.isnan(values).all() else kind, values, [], source)


def _category(label: Any, cells: Iterable[Any], missing: Flags, source: str) -> Column:
    """Return a category, whose levels are the cells as text."""
    present = [cell for cell, gap in zip(cells, missing, strict=True) if not gap]
    level_of = {cell: _level(cell) for cell in present}
    places = {level: i for i, level in enumerate(dict.fromkeys(level_of.values()))}
    values = np.full(len(missing), np.nan)
    values[~missing] = [places[level_of[cell]] for cell in present]
    return Column(label, CATEGORY, values, [*places], source)


def _level(cell: Any) -> str:
    """Return a cell as the name of a level; 1 and 1.0 are one level."""
    if isinstance(cell, numbers.Real) and not isinstance(cell, bool | np.bool_):
        number = float(cell)
        return str(int(number)) if abs(number) < _LARGEST_INTEGER and number % 1 == 0 else str(cell)
    return str(cell)


def _of_objects(argument: str, label: Any, cells: list[Any], missing: Flags, source: str) -> Column:
    """Return a column of Python objects, all of one kind."""
    if missing.all():
        return Column(label, None, np.full(len(missing), np.nan), [], source)
    kinds = [None if gap else _kind_of_cell(cell) for cell, gap in zip(cells, missing, strict=True)]
    known = [*dict.fromkeys(kind for kind in kinds if kind is not None)]
    if len(known) > 1 or known[0] not in (bool, str, NUMBER, DATE, DURATION):
        first, row = known[0], kinds.index(known[-1])
        names = [kind_of(cells[kinds.index(kind)]) for kind in (first, known[-1])]
        if len(known) == 1:
            text = f"numbers, strings, dates or times expected, got {names[0]}; drop the column, "
            raise WrongType(argument, f"{text}or convert its cells to text")
        text = f"cells of one type expected, got {names[0]} and, in row {{row}}, {names[1]}"
        cure = "as by pandas.to_numeric(x, errors='coerce') or .astype(str)"
        raise WrongRow(argument, f"{text}; convert the column of all tables, {cure}", row)
    kind = known[0]
    if kind in (bool, str):
        return _category(label, cells, missing, source)
    values = np.full(len(cells), np.nan)
    present = [cells[row] for row in np.flatnonzero(~missing)]
    if kind == NUMBER and any(isinstance(x, int) and abs(x) > _LARGEST_INTEGER for x in present):
        raise inexact(argument)
    values[~missing] = [_number(cell) for cell in present]
    return Column(label, kind, values, [], source)


def _kind_of_cell(cell: Any) -> Any:
    if isinstance(cell, bool | np.bool_):
        return bool
    if isinstance(cell, numbers.Real | decimal.Decimal):
        return NUMBER
    if isinstance(cell, datetime.date | np.datetime64):
        return DATE
    if isinstance(cell, datetime.timedelta | datetime.time):
        return DURATION
    return str if isinstance(cell, str) else type(cell)


def _number(cell: Any) -> float:
    """Return a number, or the microseconds of a date, a time or a duration."""
    if isinstance(cell, datetime.timedelta):
        return cell / datetime.timedelta(microseconds=1)
    if isinstance(cell, datetime.time):
        seconds = (cell.hour * 60 + cell.minute) * 60 + cell.second
        return seconds * 1e6 + cell.microsecond
    if isinstance(cell, datetime.datetime):
        cell = cell.replace(tzinfo=None)
    if isinstance(cell, datetime.date):
        return float(np.datetime64(cell, "us").astype(np.int64))
    return float(cell)


# ---- one kind in all sets ------------------------------------------------------------------------


def _alike(label: Any, columns: dict[str, Column], is_category: bool) -> dict[str, Column]:
    """Return the columns of all sets with one kind, and categories with one list of levels."""
    columns = _dates_in_text(columns)
    named = [x for x in columns.values() if x.kind == CATEGORY]
    are_mixed = {x.kind for x in columns.values()} - {None} == {NUMBER, CATEGORY}
    levels = [*dict.fromkeys(level for x in named for level in x.levels)]
    # Declared categories whose levels are integers, beside numbers that are then codes.
    are_codes = all(x.source.startswith(("Categorical", "Enum")) for x in named)
    are_codes = are_codes and all(level.lstrip("-").isdigit() for level in levels)
    if is_category or (are_mixed and are_codes):
        columns = {name: _as_category(x) for name, x in columns.items()}
    elif are_mixed and {*levels} <= {"False", "True"}:
        for name, x in columns.items():
            if x.kind == CATEGORY:
                columns[name] = x.as_numbers(NUMBER, [level == "True" for level in x.levels])
    kinds = {name: column.kind for name, column in columns.items() if column.kind is not None}
    first = next(iter(kinds), "")
    if second := next((name for name in kinds if kinds[name] != kinds[first]), None):
        got = " and ".join(f"{columns[x].kind} ({columns[x].source})" for x in (first, second))
        text = f"one kind of column expected, got {got}; convert one of them, or name the column in"
        raise WrongValue(f"{first}[{label!r}] and {second}[{label!r}]", f"{text} categories")
    kind = kinds.get(first)
    if is_category or kind == CATEGORY:
        levels = [*dict.fromkeys(level for x in columns.values() for level in x.levels)]
        return {name: x.renamed_levels(x.levels, levels) for name, x in columns.items()}
    return {name: x._replace(kind=kind) for name, x in columns.items()}


def _as_category(column: Column) -> Column:
    if column.kind in (CATEGORY, None):
        return column
    ascending, codes = np.unique(column.values[~column.missing], return_inverse=True)
    levels = [_level(value) for value in ascending.tolist()]
    if column.kind != NUMBER:
        levels = [text_of(column.kind, value) for value in ascending.tolist()]
    values = np.full(len(column.values), np.nan)
    values[~column.missing] = codes
    return column._replace(kind=CATEGORY, values=values, levels=levels)


def _dates_in_text(columns: dict[str, Column]) -> dict[str, Column]:
    """Return columns of strings as dates, if all strings of all sets are dates of ISO 8601."""
    texts = {name: column for name, column in columns.items() if column.kind == CATEGORY}
    dated = dict(columns)
    for name, column in texts.items():
        if column.source != "String" or not all(map(_ISO_DATE.fullmatch, column.levels)):
            return columns
        try:
            times = np.array(column.levels, "datetime64[us]").astype(np.int64)
        except ValueError:  # such as the 31st of February
            return columns
        dated[name] = column.as_numbers(DATE, times)._replace(source="ISO 8601 text")
    return dated


# ---- cells as text -------------------------------------------------------------------------------


def text_of(kind: str | None, value: float) -> str:
    """Return a number, date or duration as text."""
    if kind == DATE:
        text = str(np.datetime64(int(value), "us")).replace("T", " ")
        return text.removesuffix(".000000").removesuffix(" 00:00:00")
    if kind == DURATION:
        return str(datetime.timedelta(microseconds=value))
    whole = abs(value) < 1e15 and value % 1 == 0
    return f"{int(value)}" if whole else f"{value:.6g}"


def cell_text(column: Column, value: float) -> str:
    """Return a cell as text."""
    if np.isnan(value):
        return "missing"
    if not column.levels:
        return text_of(column.kind, value)
    level = column.levels[int(value)]
    return repr(level) if column.kind == CATEGORY else level
