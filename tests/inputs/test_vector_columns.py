"""Columns whose cells are vectors: samples by features, or a refusal that names the row."""

import numpy as np
import pytest
from made_tables import DATA, same
from refusals import refused

from prfast.inputs.arrays import read_samples


def fixed_lists(rows, dtype):
    pyarrow = pytest.importorskip("pyarrow")
    inner = pyarrow.from_numpy_dtype(np.dtype(dtype))
    return pyarrow.array([list(row) for row in rows], pyarrow.list_(inner, len(rows[0])))


def lists(rows, dtype):
    pyarrow = pytest.importorskip("pyarrow")
    inner = pyarrow.from_numpy_dtype(np.dtype(dtype))
    return pyarrow.chunked_array([pyarrow.array([list(row)], pyarrow.list_(inner)) for row in rows])


def large_lists(rows, dtype):
    pyarrow = pytest.importorskip("pyarrow")
    inner = pyarrow.from_numpy_dtype(np.dtype(dtype))
    return pyarrow.array([list(row) for row in rows], pyarrow.large_list(inner))


def polars_lists(rows, dtype):
    polars = pytest.importorskip("polars")
    inner = polars.Series(np.empty(0, dtype)).dtype
    lists = [np.array(row, dtype).tolist() for row in rows]
    return polars.Series("a", lists, dtype=polars.List(inner))


def polars_arrays(rows, dtype):
    polars = pytest.importorskip("polars")
    return polars_lists(rows, dtype).cast(
        polars.Array(polars.Series(np.empty(0, dtype)).dtype, len(rows[0]))
    )


def pandas_objects(rows, dtype):
    pandas = pytest.importorskip("pandas")
    return pandas.Series([np.array(row, dtype) for row in rows])


def pandas_arrow(rows, dtype):
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    column = lists(rows, dtype)
    return pandas.Series(pandas.arrays.ArrowExtensionArray(column)) if pyarrow else None


OF_ONE_LENGTH = [fixed_lists, polars_arrays]
VECTORS = [lists, large_lists, polars_lists, pandas_objects, pandas_arrow, *OF_ONE_LENGTH]


def tabled(column):
    """A table of its library with this column and no other."""
    library = type(column).__module__.partition(".")[0]
    made = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}[library]
    return getattr(pytest.importorskip(library), made)({"a": column})


@pytest.mark.parametrize("make", VECTORS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_column_of_vectors_is_samples_by_features(make, dtype):
    column = make(DATA, dtype)
    same(read_samples("x", column), DATA.astype(dtype), dtype)
    same(read_samples("x", tabled(column)), DATA.astype(dtype), dtype)


@pytest.mark.parametrize("make", VECTORS)
def test_some_rows_of_a_column_of_vectors(make):
    column = make(np.vstack([DATA, DATA + 1]), np.float64)
    library = type(column).__module__.partition(".")[0]
    some = column.iloc[1:3] if library == "pandas" else column[1:3]
    same(read_samples("x", some), [DATA[1], DATA[0] + 1], np.float64)


@pytest.mark.parametrize("make", [make for make in VECTORS if make not in OF_ONE_LENGTH])
def test_vectors_of_several_lengths_are_refused(make):
    with refused(
        ValueError,
        "x: vectors of one length expected, got 2 numbers in row 0 and 1 in row 2",
    ):
        read_samples("x", make([[1.0, 2.0], [3.0, 4.0], [5.0]], np.float64))
    with refused(ValueError, "x: vectors of at least one number expected, got empty ones"):
        read_samples("x", make([[], []], np.float64))


def test_what_is_missing_in_a_vector_is_named_by_its_row():
    pyarrow = pytest.importorskip("pyarrow")
    polars = pytest.importorskip("polars")
    rows = [[1.0, 2.0], [3.0, 4.0], [None, 5.0]]
    gone = [[1.0, 2.0], None, [3.0, 4.0]]
    for make in (
        lambda x: pyarrow.array(x, pyarrow.list_(pyarrow.float32(), 2)),
        lambda x: pyarrow.array(x),
        lambda x: polars.Series(x),
        lambda x: polars.Series(x, dtype=polars.Array(polars.Float64, 2)),
    ):
        with refused(ValueError, "x: finite numbers expected, got nan in row 2, column 0"):
            read_samples("x", make(rows))
        with refused(ValueError, "x: no missing value expected, got one in row 1"):
            read_samples("x", make(gone))


def test_a_column_of_no_vectors_says_nothing_of_their_length():
    pyarrow = pytest.importorskip("pyarrow")
    with refused(ValueError, "x: at least one vector expected, got none"):
        read_samples("x", pyarrow.array([], pyarrow.list_(pyarrow.float32())))


def test_cells_of_pandas_that_are_no_vectors_of_numbers():
    pandas = pytest.importorskip("pandas")
    for cells, error, message in (
        ([[1.0], 2.0], ValueError, "x: a vector as in row 0 expected, got a float in row 1"),
        ([[1.0], [[2.0]]], ValueError, "x: a vector of numbers expected in row 1, got nested ones"),
        ([[1.0], [[2.0], []]], ValueError, "x: a vector of numbers expected in row 1, got nested"),
        ([[1.0], ["a"]], TypeError, "x: float32, float64, float16, integer or boolean numbers"),
        ([[0.5], [2**53 + 1]], TypeError, "x: integers beyond 2**53 are not exact in float64"),
    ):
        with refused(error, message):
            read_samples("x", pandas.Series(cells))
    same(read_samples("x", pandas.Series([[1, 2], [0.5, 3]])), [[1, 2], [0.5, 3]], np.float64)


def test_vectors_beside_numbers_are_features_side_by_side():
    table = tabled(fixed_lists(DATA, np.float32)).append_column("b", [np.array([7, 8], np.int8)])
    same(read_samples("x", table), [[*DATA[0], 7], [*np.float32(DATA[1]), 8]], np.float32)
