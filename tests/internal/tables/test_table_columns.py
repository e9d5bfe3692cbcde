"""Columns of data frames: kinds, missing cells, matching between sets, and refusals."""

import datetime as dt
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from refusals import refusals

from prfast.inputs.decimals import rounding_of
from prfast.inputs.frames import CATEGORY, DATE, DURATION, NUMBER, read_frames

DAY = 86_400_000_000
FINE = 100 * np.random.default_rng(0).normal(size=1000)
SOME = np.random.default_rng(1).random(1000) < 0.1


def column(cells, fake=None, **options):
    """Return the column of the first of two sets, with these cells."""
    sets = {"real": pd.DataFrame({"x": cells})}
    sets |= {} if fake is None else {"fake": pd.DataFrame({"x": fake})}
    return read_frames(sets, **options)["real"].columns[0]


def cells(column):
    """Return the cells of a column, None where they are missing."""
    values = [None if np.isnan(x) else x for x in column.values]
    return [x if x is None or not column.levels else column.levels[int(x)] for x in values]


SERIES = {
    "integers": ([3, 1], NUMBER, [3, 1]),
    "floats": ([0.5, np.nan, np.inf], NUMBER, [0.5, None, np.inf]),
    "decimals": ([decimal.Decimal("1.5"), None], NUMBER, [1.5, None]),
    "nullable integers": (pd.array([1, None], dtype="Int64"), NUMBER, [1, None]),
    "strings": (["b", None, "a"], CATEGORY, ["b", None, "a"]),
    "booleans": ([True, False], CATEGORY, ["True", "False"]),
    "booleans and None": ([True, None], CATEGORY, ["True", None]),
    "categories": (pd.Categorical(["b", "a", None]), CATEGORY, ["b", "a", None]),
    "categories of numbers": (pd.Categorical([2, 1]), CATEGORY, ["2", "1"]),
    "dates": ([dt.date(1970, 1, 2), None], DATE, [DAY, None]),
    "times": (pd.to_datetime(["1970-01-01 00:00:01", None]), DATE, [1_000_000, None]),
    "times of a zone": (
        pd.to_datetime(["1970-01-01 01:00"])
        .tz_localize("Europe/Berlin")
        .append(pd.to_datetime(["1970-01-01 02:00"]).tz_localize("Europe/Berlin")),
        DATE,
        [3600e6, 7200e6],
    ),
    "dates in text": (["1970-01-02", None, "1970-01-01 00:00:01"], DATE, [DAY, None, 1e6]),
    "not all text is a date": (["1970-01-02", "soon"], CATEGORY, ["1970-01-02", "soon"]),
    "no such day": (["1970-02-31", "1970-01-01"], CATEGORY, ["1970-02-31", "1970-01-01"]),
    "durations": (pd.to_timedelta([1, None], unit="us"), DURATION, [1, None]),
    "times of the day": ([dt.time(0, 0, 1), None], DURATION, [1e6, None]),
    "nothing": ([None, None], None, [None, None]),
}


@pytest.mark.parametrize(("values", "kind", "expected"), SERIES.values(), ids=SERIES)
def test_kinds_and_cells(values, kind, expected):
    read = column(values)
    assert read.kind == kind
    assert cells(read) == expected


def test_all_libraries_give_the_same_columns():
    columns = {"n": [1.5, None, 2.0], "c": ["x", None, "y"], "b": [True, False, None]}
    columns["d"] = pd.to_datetime(["2020-01-01", None, "2021-05-05"])
    frame = pd.DataFrame(columns)
    tables = [frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)]
    first, *frames = [read_frames({"real": table})["real"] for table in tables]
    for again in frames:
        for x, y in zip(first.columns, again.columns, strict=True):
            assert (x.name, x.kind, cells(x)) == (y.name, y.kind, cells(y))


ISO = dt.date(1970, 1, 2)
RUNS = pa.RunEndEncodedArray.from_arrays([2, 4], [1.5, None])
ARROW = {
    "nothing": (pa.nulls(2), None, [None, None]),
    "dates in milliseconds": (pa.array([ISO, None], pa.date64()), DATE, [DAY, None]),
    "long decimals": (
        pa.array([decimal.Decimal("1.5"), None], pa.decimal256(50, 3)),
        NUMBER,
        [1.5, None],
    ),
    "runs": (RUNS, NUMBER, [1.5, 1.5, None, None]),
}


@pytest.mark.parametrize("in_pandas", [False, True])
@pytest.mark.parametrize(("values", "kind", "expected"), ARROW.values(), ids=ARROW)
def test_types_of_arrow_that_narwhals_does_not_name(values, kind, expected, in_pandas):
    table = pa.table({"age": range(len(values)), "x": values})
    if in_pandas:
        table = pd.DataFrame({"x": pd.arrays.ArrowExtensionArray(pa.chunked_array([values]))})
    column = read_frames({"real": table})["real"].columns[-1]
    assert (column.kind, cells(column)) == (kind, expected)


def test_nan_of_polars_is_missing():
    frame = read_frames({"real": pl.DataFrame({"x": [float("nan"), None, 1.0]})})["real"]
    assert cells(frame.columns[0]) == [None, None, 1.0]


def test_columns_are_matched_by_name_in_any_order_and_levels_are_common():
    real = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    fake = pl.DataFrame({"b": ["z", "x"], "a": [3.5, 4.0]})
    frames = read_frames({"real": real, "fake": fake})
    assert [column.name for column in frames["fake"].columns] == ["a", "b"]
    assert cells(frames["fake"].columns[1]) == ["z", "x"]
    assert frames["real"].columns[1].levels == frames["fake"].columns[1].levels == ["x", "y", "z"]


MIXED = {
    "numbers beside booleans": ([1, 0], [True, False], NUMBER, [1, 0]),
    "booleans beside numbers": ([True, None], [1.0, 0.0], NUMBER, [1, None]),
    "declared codes beside numbers": (pd.Categorical([3, 1]), [1, 3], CATEGORY, ["3", "1"]),
    "dates beside text": (
        [dt.date(1970, 1, 2), None],
        ["1970-01-01", "1970-01-03"],
        DATE,
        [DAY, None],
    ),
    "nothing beside text": ([None, None], ["a", "b"], CATEGORY, [None, None]),
}


@pytest.mark.parametrize(("real", "fake", "kind", "expected"), MIXED.values(), ids=MIXED)
def test_one_kind_in_both_sets(real, fake, kind, expected):
    read = column(real, fake)
    assert (read.kind, cells(read)) == (kind, expected)


def test_named_categories_are_text_and_integers_are_equal_to_floats():
    read = column([1, 2], [2.0, 1.5], categories=["x"])
    assert (read.kind, cells(read), read.levels) == (CATEGORY, ["1", "2"], ["1", "2", "1.5"])


ONE = pd.DataFrame({"a": [1, 2], "b": [1, 2]})


def arrow(values):
    return read_frames({"real": pa.table({"x": values})})


def read(real, fake=ONE, **options):
    return read_frames({"real": real, "fake": fake}, **options)


def test_the_cures_of_cells_of_several_types_lead_to_columns_that_are_compared():
    mixed, numbers = pd.Series([1, 2, "n/a"]), pd.Series([1, 2, 3])
    cures = r"of all tables, as by pandas.to_numeric\(x, errors='coerce'\) or .astype\(str\)"
    with pytest.raises(ValueError, match=cures):
        column(mixed, numbers)
    assert cells(column(pd.to_numeric(mixed, errors="coerce"), numbers)) == [1, 2, None]
    assert cells(column(mixed.astype(str), numbers.astype(str))) == ["1", "2", "n/a"]


test_columns_and_tables_that_are_refused = refusals("""
column(["a", "b"], [1, 2])
    ValueError: real['x'] and fake['x']: one kind of column exp
column([2**70, 0], [1, 0])
    TypeError: real['x']: integers beyond 2**53 are not exact
column([1, "a"], [1, "a"])
    ValueError: real['x']: cells of one type expected, got an int
arrow(pa.array([b"ab"] * 2, pa.binary(2)))
    TypeError: real['x']: numbers, strings, dates or times expected, got a bytes; drop the column, o
read(np.ones((2, 2)))
    TypeError: real: a data frame expected, got a numpy.ndarray
read(ONE, ONE.rename(columns={"b": "c"}))
    ValueError: real and fake: the same columns expected, got 'b' only in real and 'c'
read(ONE[:1])
    ValueError: real: at least 2 rows expected, got 1
read(ONE, categories=["A"])
    ValueError: categories: names of columns exp
read(ONE, drop=["bb"])
    ValueError: drop: names of columns expected, got 'bb'; did you mean
""")


def test_a_dropped_column_may_be_missing_elsewhere():
    frames = {"real": ONE, "fake": ONE[["a"]]}
    assert [column.name for column in read_frames(frames, drop=["b"])["real"].columns] == ["a"]


def test_float32_numbers_are_those_that_they_are_written_with():
    cells = np.array([0.1, 19.99, 1e-20, 123456.7])
    read = column(cells.astype(np.float32), cells)
    np.testing.assert_array_equal(read.values, cells)


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        (FINE, None),
        (FINE.round(2), None),
        (np.where(SOME, FINE.round(2), FINE), 2),
        (np.where(SOME, FINE.round(), FINE.round(2)), 0),
        (np.where(SOME, 0.0, FINE), None),
        (np.where(np.arange(1000) < 5, FINE.round(2), FINE), None),  # too few
        (1e9 * np.exp(5 * FINE / 100), None),  # some are beyond the precision
        (np.zeros(5), None),
    ],
)
def test_numbers_are_rounded_where_more_are_than_by_chance(numbers, expected):
    assert rounding_of(numbers) == expected
