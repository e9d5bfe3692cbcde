"""Tables of other libraries: columns of equal values, or a refusal with a way out."""

import numpy as np
import pytest
from made_tables import DATA, pandas_table, polars_table, pyarrow_batch, pyarrow_table, same
from refusals import refused

import prfast
from prfast.inputs.arrays import read_numbers, read_vector
from prfast.inputs.samples import read_samples

ALL = pytest.mark.parametrize("make", [pandas_table, polars_table, pyarrow_table, pyarrow_batch])
EMPTY = pytest.mark.parametrize("make", [polars_table, pyarrow_table, pyarrow_batch])


@ALL
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_table_of_one_float_type(make, dtype):
    columns = {name: DATA[:, i].astype(dtype) for i, name in enumerate("abc")}
    same(read_samples("x", make(columns)), DATA.astype(dtype), dtype)


@ALL
def test_columns_of_several_types_keep_their_values(make):
    columns = {
        "half": np.array([0.5, 2.0], np.float16),
        "flag": np.array([True, False]),
        "byte": np.array([255, 0], np.uint8),
    }
    same(read_samples("x", make(columns)), [[0.5, 1, 255], [2, 0, 0]], np.float32)
    # Whole numbers beyond float32 make all columns float64, which holds the float32 ones exactly.
    columns |= {"long": np.array([2**53 - 1, -1]), "single": np.array([0.1, 0.2], np.float32)}
    expected = [[0.5, 1, 255, 2**53 - 1, np.float32(0.1)], [2, 0, 0, -1, np.float32(0.2)]]
    same(read_samples("x", make(columns)), expected, np.float64)


@ALL
def test_a_table_of_many_columns(make):
    rng = np.random.default_rng(0)
    data = rng.normal(size=(5, 200))
    same(read_samples("x", make({f"f{i}": data[:, i] for i in range(200)})), data, np.float64)


@ALL
def test_a_column_that_is_no_number_is_named(make):
    table = make({"width": [1.5, 2.5], "colour": ["red", "blue"]})
    with refused(
        TypeError,
        "real['colour']: float32, float64, float16, integer or boolean numbers expected, got a ",
    ):
        prfast.metrics(table, table)


@ALL
def test_dates_and_wide_integers_are_named(make):
    days = np.array(["2026-01-01", "2026-01-02"], "M8[ms]")
    with refused(TypeError, "x['day']: float32, float64, float16, integer or boolean numbers exp"):
        read_samples("x", make({"day": days}))
    with refused(TypeError, "x['id']: integers beyond 2**53 are not exact in float64"):
        read_samples("x", make({"id": np.array([2**53 + 1, 0]), "f": [0.5, 1]}))


@EMPTY
def test_a_missing_value_is_named(make):
    table = make({"a": [1.0, 2.0], "b": [1, None], "c": [True, None]})
    with refused(ValueError, "x['b']: no missing value expected, got one in row 1"):
        read_samples("x", table)


@ALL
def test_nan_is_refused_as_everywhere(make):
    table = make({"a": [1.0, 2.0], "b": [1.0, np.nan]})
    with refused(ValueError, "x: finite numbers expected, got nan in row 1, column 1"):
        read_samples("x", table)


@ALL
def test_a_column_is_a_vector_of_scores(make):
    table = make({"a": [0.25, 0.5, 0.75], "b": [1, 2, 3]})
    same(read_vector("s", table["a"]), [0.25, 0.5, 0.75], np.float64)
    same(read_vector("s", table["b"]), [1, 2, 3], np.float64)
    curve = prfast.PRCurve.from_scores(table["b"], table["a"])
    assert curve.area == prfast.PRCurve.from_scores([1, 2, 3], [0.25, 0.5, 0.75]).area


@ALL
def test_a_table_without_columns_has_no_feature(make):
    with pytest.raises(ValueError, match="x: at least one feature expected, got shape"):
        read_samples("x", make({}))


def test_a_pandas_table_of_one_type_is_not_copied():
    table = pytest.importorskip("pandas").DataFrame(DATA)
    assert np.shares_memory(read_samples("x", table), table.to_numpy())


def test_pandas_columns_that_may_have_missing_values():
    pandas = pytest.importorskip("pandas")
    types = ["Int64", "Float32", "boolean"]
    full = pandas.DataFrame({name: pandas.array([1, 0], dtype=name) for name in types})
    same(read_samples("x", full), [[1, 1, 1], [0, 0, 0]], np.float64)
    same(read_samples("x", full[["Float32", "boolean"]]), [[1, 1], [0, 0]], np.float32)
    for name in types:
        gaps = full.assign(gap=pandas.array([1, None], dtype=name))
        with refused(ValueError, "x['gap']: no missing value expected, got one in row 1"):
            read_samples("x", gaps)
    with refused(TypeError, "x: float32, float64, float16, integer or boolean numbers expected"):
        read_vector("x", pandas.Series([1.0, 2.0], dtype="category"))


def test_pandas_columns_of_arrow():
    pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    column = pandas.Series([1, None, 3], dtype="float[pyarrow]")
    same(read_vector("x", column[[0, 2]]), [1, 3], np.float32)
    with refused(ValueError, "x: no missing value expected, got one in row 1"):
        read_vector("x", column)
    with refused(TypeError, "x: float32, float64, float16, integer or boolean numbers expected"):
        read_vector("x", pandas.Series(["a"], dtype="string"))


def test_row_labels_and_equal_names_of_pandas():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({0: [1, 2], 1: [3.5, 4.5]}, index=[7, 7]).set_axis(["a", "a"], axis=1)
    same(read_samples("x", table), [[1, 3.5], [2, 4.5]], np.float64)


def test_a_query_of_polars_is_to_be_collected():
    table = polars_table({"a": [1.0, 2.0]})
    with refused(TypeError, "x: a table in memory expected, got a polars."):
        read_samples("x", table.lazy())


def test_polars_numbers_that_numpy_has_not():
    polars = pytest.importorskip("polars")
    for column in (
        polars.Series([1, 2], dtype=polars.Decimal(10, 2)),
        polars.Series([[["a"]], [["b"]]]),
    ):
        with refused(
            TypeError, "x: float32, float64, float16, integer or boolean numbers expected"
        ):
            read_numbers("x", column)


def test_pyarrow_columns_of_several_chunks():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.concat_tables([pyarrow.table({"a": [1.5]}), pyarrow.table({"a": [2.5, 3.5]})])
    same(read_samples("x", table), [[1.5], [2.5], [3.5]], np.float64)


# ---- columns that are no features --------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "ways"),
    [
        (
            pandas_table,
            "real.drop(columns=['path', 'note']) leaves them out, real[[…]] chooses columns",
        ),
        (
            polars_table,
            "real.drop(['path', 'note']) leaves them out, real.select([…]) chooses columns",
        ),
        (
            pyarrow_table,
            "real.drop_columns(['path', 'note']) leaves them out, real.select([…]) chooses columns",
        ),
    ],
)
def test_where_some_columns_are_no_numbers_the_message_says_how_to_leave_them_out(make, ways):
    table = make({"path": ["a", "b"], "f0": [1.5, 2.5], "f1": [0.5, 1.5], "note": ["x", "y"]})
    with pytest.raises(TypeError) as error:
        prfast.metrics(table, table)
    told = str(error.value)
    assert told.startswith("real['path']: float32, float64, float16, integer or boolean numbers")
    assert told.endswith(f"; {ways}")
    # What it says works.
    some = eval(ways.partition(" leaves")[0], {"real": table})
    same(read_samples("real", some), [[1.5, 0.5], [2.5, 1.5]], np.float64)


def test_where_no_column_is_a_number_there_is_nothing_to_leave_out():
    table = pandas_table({"path": ["a", "b"], "note": ["x", "y"]})
    with pytest.raises(TypeError, match=r"^real\['path'\]: float32, .* of dtype \w+$"):
        read_samples("real", table)


class Stream:
    """A table of a library that is not known here, which hands Arrow on."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def test_a_table_of_any_library_that_hands_arrow_on():
    table = pyarrow_table({name: DATA[:, i] for i, name in enumerate("abc")})
    same(read_samples("x", Stream(table)), DATA, np.float64)
    table = pyarrow_table({"a": [1.0, 2.0], "path": ["x", "y"]})
    with refused(TypeError, "x['path']: float32, float64, float16, integer or boolean numbers exp"):
        read_samples("x", Stream(table))
    with pytest.raises(TypeError, match=r"; columns without numbers: \['path'\]$"):
        read_samples("x", Stream(table))


def test_without_pyarrow_the_message_says_what_reads_such_a_table(monkeypatch):
    stream = Stream(pyarrow_table({"a": [1.0]}))
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with refused(
        ImportError, "x: pyarrow is needed for tables such as a test_tables.Stream: python -m pip"
    ):
        read_samples("x", stream)


# ---- columns in one order ----------------------------------------------------------------------


@pytest.mark.parametrize("make", [pandas_table, polars_table, pyarrow_table])
def test_columns_of_one_set_of_names_are_in_one_order(make):
    """They would be compared as they lie: widths with heights."""
    x = np.random.default_rng(0).normal(size=(30, 3))
    real = make({"a": x[:, 0], "b": x[:, 1], "c": x[:, 2]})
    turned = make({"a": x[:, 0], "c": x[:, 2], "b": x[:, 1]})
    text = "real and fake: columns in one order expected, got 'c' of fake where real has 'b'"
    with refused(ValueError, text):
        prfast.metrics(real, turned)
    if make is pandas_table:  # which takes a label twice
        with refused(
            ValueError, "real and fake: the same number of features expected, got 3 and 4"
        ):
            prfast.metrics(real, real[["a", "b", "c", "a"]])
    other = make({"0": x[:, 0], "1": x[:, 1], "2": x[:, 2]})  # of other names: as they lie
    assert prfast.metrics(real, other) == prfast.metrics(real, x) == prfast.metrics(real, real)


@pytest.mark.parametrize("call", ["curve", "metrics", "evaluate", "update", "compare"])
def test_an_evaluator_knows_the_order_of_its_tables_columns(call):
    x = np.random.default_rng(0).normal(size=(30, 3))
    real = pandas_table({"a": x[:, 0], "b": x[:, 1], "c": x[:, 2]})
    evaluator = prfast.Evaluator(real, "knn", which=["precision"])
    fake = real[["a", "c", "b"]]
    text = "real and fake: columns in one order expected, got 'c' of fake where real has 'b'"
    with refused(ValueError, f"models['A']: {text}" if call == "compare" else text):
        getattr(evaluator, call)({"A": fake} if call == "compare" else fake)
    assert evaluator.metrics(real) == evaluator.metrics(x)
