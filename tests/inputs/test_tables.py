"""Tables of other libraries: columns of equal values, or a refusal with a way out."""

import numpy as np
import pytest
from made_tables import (
    DATA,
    Stream,
    pandas_table,
    polars_table,
    pyarrow_batch,
    pyarrow_table,
    same,
)
from refusals import refused

import prfast
from prfast.compat import prd_score, prdc
from prfast.inputs.arrays import read_numbers, read_samples, read_vector

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
        ImportError, "x: pyarrow is needed for tables such as a made_tables.Stream: python -m pip"
    ):
        read_samples("x", stream)


# ---- columns of two tables ---------------------------------------------------------------------


X = np.random.default_rng(0).normal(size=(30, 3))
ANY = pytest.mark.parametrize(
    "make",
    [
        pandas_table,
        polars_table,
        pyarrow_table,
        pyarrow_batch,
        lambda columns: Stream(pyarrow_table(columns)),
    ],
    ids=["pandas", "polars", "pyarrow", "pyarrow batch", "Arrow stream"],
)


def table_of(names, make=pandas_table, x=X):
    """A table with these names; the column `name` is the same in each, "abc" is `x`."""
    return make({name: x[:, "abcd".index(name) % 3] for name in names})


@ANY
def test_columns_are_matched_by_name(make):
    """In another order they would be compared as they lie: widths with heights."""
    y = X[:20] + np.array([0.5, 1, 2])

    def both():
        return table_of("abc", make), table_of("cab", make, y)

    assert prfast.metrics(*both()) == prfast.metrics(X, y)
    assert prfast.pr_curve(*both(), "knn") == prfast.pr_curve(X, y, "knn")
    assert prfast.realism(*both()).tolist() == prfast.realism(X, y).tolist()


@ANY
def test_columns_of_other_names_are_refused(make):
    for names, told in (
        ("abd", "'d' only in fake and 'c' only in real"),
        ("abcd", "'d' only in fake"),
    ):
        with refused(
            ValueError,
            f"real and fake: the same columns expected, got {told}; select or rename them",
        ):
            prfast.metrics(table_of("abc", make), table_of(names, make))


PAIRS = {
    "pr_curve": lambda real, fake: prfast.pr_curve(real, fake, "knn"),
    "pr_curves": lambda real, fake: prfast.pr_curves(real, fake, "knn"),
    "metrics": prfast.metrics,
    "realism": prfast.realism,
    "by_class": lambda real, fake: prfast.by_class(real, fake, [0] * 30, [0] * 30, methods="knn"),
    "choose_k": lambda real, fake: prfast.reference.papers.choose_k(real, fake),
    "partition": lambda real, fake: prfast.reference.papers.partition(real, fake, clusters=3),
    "Evaluator.curves": lambda real, fake: prfast.Evaluator(real, "knn").curves(fake),
    "Evaluator.metrics": lambda real, fake: prfast.Evaluator(real, "knn").metrics(fake),
    "Evaluator.evaluate": lambda real, fake: prfast.Evaluator(real, "knn").evaluate(fake),
    "Evaluator.update": lambda real, fake: prfast.Evaluator(real, "knn").update(fake),
}


@pytest.mark.parametrize("call", PAIRS.values(), ids=PAIRS)
def test_wherever_two_sets_meet_columns_of_other_names_are_refused(call):
    with refused(ValueError, "real and fake: the same columns expected, got 'salary' only in fake"):
        call(pandas_table({"income": X[:, 0]}), pandas_table({"salary": X[:, 0]}))


def test_functions_of_other_packages_refuse_columns_of_other_names():
    real, other = table_of("abc"), table_of("abd")
    with refused(ValueError, "real_features and fake_features: the same columns expected"):
        prdc.compute_prdc(real, other, 5)
    with refused(ValueError, "ref_data and eval_data: the same columns expected"):
        prd_score.compute_prd_from_embedding(other, real, 5)
    turned = table_of("cab")
    assert prdc.compute_prdc(real, turned, 5) == prdc.compute_prdc(X, X, 5)
    one, two = (prd_score.compute_prd_from_embedding(x, real, 5) for x in (turned, X))
    np.testing.assert_array_equal(one, two)


def test_a_long_list_of_names_is_cut():
    real = pandas_table({f"f{i}": X[:, 0] for i in range(9)})
    text = "got 'a' only in fake and 'f0', 'f1', 'f2', 'f3', 'f4' and 4 more only in real; select"
    with refused(ValueError, f"real and fake: the same columns expected, {text}"):
        prfast.metrics(real, table_of("a"))


def test_tables_of_two_libraries_are_matched_by_name():
    tables = [table_of("cab", make) for make in (polars_table, pyarrow_table, pandas_table)]
    for table in tables:
        assert prfast.metrics(table_of("abc"), table) == prfast.metrics(X, X)


def test_columns_of_vectors_are_matched_by_name():
    vectors = [list(row) for row in X]
    real = pandas_table({"clip": vectors, "size": X[:, 0]})
    fake = polars_table({"size": X[:, 0], "clip": vectors})
    assert prfast.metrics(real, fake) == prfast.metrics(*[np.column_stack([X, X[:, 0]])] * 2)


def test_what_has_no_names_is_compared_by_position():
    pandas = pytest.importorskip("pandas")
    named, plain, expected = table_of("abc"), pandas.DataFrame(X), prfast.metrics(X, X)
    for real, fake in ((named, X), (X, named), (named, plain), (plain, named), (plain, plain)):
        assert prfast.metrics(real, fake) == expected
    with refused(ValueError, "real and fake: the same number of features expected, got 3 and 4"):
        prfast.metrics(named, pandas.DataFrame(X[:, [0, 1, 2, 0]]))


def test_labels_that_are_integers():
    pandas = pytest.importorskip("pandas")
    plain = pandas.DataFrame(X)
    assert prfast.metrics(plain, plain[[2, 0, 1]]) == prfast.metrics(X, X)
    years = plain.set_axis([2019, 2020, 2021], axis=1)
    assert prfast.metrics(years, years[[2021, 2019, 2020]]) == prfast.metrics(X, X)
    text = "real and fake: the same columns expected, got '2019', '2020', '2021' only in fake and "
    with refused(ValueError, text + "2019, 2020, 2021 only in real"):
        prfast.metrics(years, years.rename(columns=str))


def test_labels_that_occur_twice_are_in_one_order():
    real = table_of("abc")[["a", "b", "a"]]
    twice = X[:, [0, 1, 0]]
    assert prfast.metrics(real, real) == prfast.metrics(twice, twice)
    text = "real and fake: columns of different names expected, got several 'a' in fake"
    with refused(ValueError, text):
        prfast.metrics(real, real.iloc[:, [0, 2, 1]])
    with refused(ValueError, text):
        prfast.metrics(table_of("ab"), real)
    with refused(ValueError, text.replace("in fake", "in real")):
        prfast.metrics(real, table_of("ab"))


@pytest.mark.parametrize("call", ["curve", "metrics", "evaluate", "compare"])
@ANY
def test_an_evaluator_matches_columns_by_name(call, make):
    evaluator = prfast.Evaluator(table_of("abc", make), "knn", which=["precision"])

    def called(fake):
        return getattr(evaluator, call)({"A": fake} if call == "compare" else fake)

    one, other = called(table_of("cab", make, X + 1)), called(X + 1)
    assert one.area == other.area if call == "curve" else one == other
    text = "real and fake: the same columns expected, got 'd' only in fake and 'c' only in real; "
    with refused(ValueError, f"models['A']: {text}" if call == "compare" else text):
        called(table_of("abd", make))
