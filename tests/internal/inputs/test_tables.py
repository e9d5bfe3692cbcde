"""Tables of other libraries: columns of equal values, or a refusal with a way out."""

import builtins
import re
import sys

import numpy as np
import pytest
from made_tables import DATA, Stream, pandas_table, polars_table, pyarrow_batch, pyarrow_table, same
from refusals import refused

import prfast
from prfast.compat import prd_score
from prfast.inputs.arrays import read_vector
from prfast.reference import Discrete
from prfast.samples.samples import read_samples

ALL = pytest.mark.parametrize("make", [pandas_table, polars_table, pyarrow_table, pyarrow_batch])


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
def test_a_column_is_a_vector_of_scores(make):
    table = make({"a": [0.25, 0.5, 0.75], "b": [1, 2, 3]})
    same(read_vector("s", table["a"]), [0.25, 0.5, 0.75], np.float64)
    same(read_vector("s", table["b"]), [1, 2, 3], np.float64)
    curve = prfast.PRCurve.from_scores(table["b"], table["a"])
    assert curve.area == prfast.PRCurve.from_scores([1, 2, 3], [0.25, 0.5, 0.75]).area


def test_a_pandas_table_of_one_type_is_not_copied():
    table = pytest.importorskip("pandas").DataFrame(DATA)
    assert np.shares_memory(read_samples("x", table), table.to_numpy())


def test_pandas_columns_that_may_have_missing_values():
    pandas = pytest.importorskip("pandas")
    types = ["Int64", "Float32", "boolean"]
    full = pandas.DataFrame({name: pandas.array([1, 0], dtype=name) for name in types})
    same(read_samples("x", full), [[1, 1, 1], [0, 0, 0]], np.float64)
    same(read_samples("x", full[["Float32", "boolean"]]), [[1, 1], [0, 0]], np.float32)
    for column in (pandas.Series([1, None, 3], dtype=t) for t in ("Float32", "float[pyarrow]")):
        same(read_vector("x", column[[0, 2]]), [1, 3], np.float32)
        with refused(ValueError, "x: no missing value expected, got one in row 1"):
            read_vector("x", column)


def test_a_table_of_any_library_that_hands_arrow_on(monkeypatch):
    table = pyarrow_table({name: DATA[:, i] for i, name in enumerate("abc")})
    same(read_samples("x", Stream(table)), DATA, np.float64)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    message = "x: pyarrow is needed for tables such as a made_tables.Stream: python -m pip"
    with refused(ImportError, message):
        read_samples("x", Stream(table))


NUMBERS = "float32, float64, float16, integer or boolean numbers expected, got a "
TEXT = {"path": ["a", "b"], "f0": [1.5, 2.5], "note": ["x", "y"]}
DAYS = np.array(["2026-01-01", "2026-01-02"], "M8[ms]")
LARGE = {"id": np.array([2**53 + 1, 0]), "f": [0.5, 1]}
NOT_FINITE = "x: finite numbers expected, got nan in row 1, column 1"
TABLES = {  # columns of each library, and the message
    "text": (TEXT, TypeError, f"x['path']: {NUMBERS}"),
    "dates": ({"day": DAYS}, TypeError, f"x['day']: {NUMBERS}"),
    "large integers": (LARGE, TypeError, "x['id']: integers beyond 2**53 are not exact in float64"),
    "NaN": ({"a": [1.0, 2.0], "b": [1.0, np.nan]}, ValueError, NOT_FINITE),
}


@ALL
@pytest.mark.parametrize(("columns", "error", "message"), TABLES.values(), ids=TABLES)
def test_tables_of_other_columns_are_refused(make, columns, error, message):
    with refused(error, message):
        read_samples("x", make(columns))


def frame(values, **options):
    return pytest.importorskip("pandas").Series(values, **options)


def series(values, dtype=None):
    polars = pytest.importorskip("polars")
    if dtype == "Int128" and not hasattr(polars, dtype):
        pytest.skip("polars before 1.18 has no such integers")
    return polars.Series(values, dtype=dtype and eval(dtype, vars(polars)))


def arrow(values, kind=None):
    pyarrow = pytest.importorskip("pyarrow")
    return pyarrow.array(values, kind and eval(kind, vars(pyarrow)))


GAPS, NONE = [[1.0, 2.0], [3.0, 4.0], [None, 5.0]], [[1.0, 2.0], None]
COLUMNS = {  # the beginning of the message, and columns
    f"TypeError: {NUMBERS}": """
        frame([1.0, 2.0], dtype="category")    frame(["a"], dtype="string")    frame([[1.0], ["a"]])
        series([1, 2], "Decimal(10, 2)")    series([1, 2], "Int128")    arrow([["a"], ["b"]])""",
    "ValueError: no missing value expected, got one in row 1": """
        frame([1, None], dtype="Int64")    frame([True, None], dtype="boolean")    frame(NONE)
        series(NONE, "Array(Float64, 2)")    arrow(NONE)""",
    "ValueError: finite numbers expected, got nan in row 2, column 0": """
        series(GAPS)    series(GAPS, "Array(Float64, 2)")    arrow(GAPS)""",
    "ValueError: vectors of one length expected, got 2 numbers in row 0 and 1 in row 1": """
        frame([[1.0, 2.0], [3.0]])    series([[1.0, 2.0], [3.0]])    arrow([[1.0, 2.0], [3.0]])""",
    "TypeError: integers beyond 2**53 are not exact in float64": "frame([[0.5], [2**53 + 1]])",
}
REFUSED = [
    (x, error) for error, calls in COLUMNS.items() for x in re.split(r"\s{4,}", calls.strip())
]


@pytest.mark.parametrize(("column", "error"), REFUSED)
def test_other_columns_are_refused(column, error):
    kind, _, message = error.partition(": ")
    values = eval(column)
    with refused(getattr(builtins, kind), f"x: {message}"):
        read_samples("x", values)


def test_other_tables_are_refused():
    table = pandas_table({"a": [1.0], "b": [2.0]}).set_axis(["a", "a"], axis=1)
    with refused(ValueError, "x: columns of different names expected"):
        read_samples("x", table)
    text = "x: a table in memory expected, got a polars.lazyframe.frame.LazyFrame"
    with refused(TypeError, text):
        read_samples("x", polars_table({"a": [1.0, 2.0]}).lazy())


X = np.random.default_rng(0).normal(size=(30, 3))


def arrow_stream(columns):
    return Stream(pyarrow_table(columns))


def table_of(names, make=pandas_table, x=X):
    """Return a table with these names; the column `name` is the same in each, "abc" is `x`."""
    return make({name: x[:, "abcd".index(name) % 3] for name in names})


@pytest.mark.parametrize(
    "make", [pandas_table, polars_table, pyarrow_table, pyarrow_batch, arrow_stream]
)
def test_columns_are_matched_by_name(make):
    """By their places widths would be compared with heights."""
    y = X[:20] + np.array([0.5, 1, 2])
    tables = table_of("abc", make), table_of("cab", make, y)
    assert prfast.metrics(*tables) == prfast.metrics(X, y)


def labeled():
    """Return two tables with an index, and weights, groups and classes of their rows in order and
    in another order."""
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    ids = pd.Index([f"row {i}" for i in range(60)])
    sets = [pd.DataFrame(rng.normal(at, size=(60, 2)), ids, ["a", "b"]) for at in (0, 1)]
    vectors = [
        {
            "weight": pd.Series(rng.uniform(0.2, 2, 60) * (rng.random(60) > 0.1), ids),
            "group": pd.Series([f"{name} {i // 2}" for i in rng.permutation(60)], ids),
            "label": pd.Series((rows["a"] > 0).astype(int), ids),
        }
        for name, rows in zip(("real", "fake"), sets, strict=True)
    ]
    order = rng.permutation(60)
    turned = [{name: x.iloc[order] for name, x in series.items()} for series in vectors]
    return sets, vectors, turned


def beside(first, second):
    """Return the weights of two sets of vectors."""
    return {"w_real": first["weight"], "w_fake": second["weight"]}


BESIDE = {
    "pr_curve": lambda x, y, a, b: prfast.pr_curve(
        x, y, folds=2, groups=(a["group"], b["group"]), **beside(a, b)
    ),
    "by_class": lambda x, y, a, b: prfast.by_class(
        x, y, a["label"], b["label"], lambda points: points[:, 0], **beside(a, b)
    ).rows(),
    "Evaluator": lambda x, y, a, b: (
        prfast.Evaluator(x, "kmeans", w_real=a["weight"])
        .compare({"y": y}, w_fake={"y": b["weight"]})
        .rows()
    ),
    "from_scores": lambda x, y, a, b: prfast.PRCurve.from_scores(x["a"], y["a"], **beside(a, b)),
    "from_rates": lambda x, y, a, b: prfast.PRCurve.from_rates(
        a["weight"] / 2, b["weight"].iloc[::-1] / 2
    ),
}


@pytest.mark.parametrize("call", BESIDE.values(), ids=BESIDE)
def test_vectors_are_matched_by_the_index_of_their_rows(call):
    sets, vectors, turned = labeled()
    assert call(*sets, *turned) == call(*sets, *vectors)


def histograms():
    pd = pytest.importorskip("pandas")
    return pd.Series(list("aaab")).value_counts(), pd.Series(list("bbba")).value_counts()


def test_histograms_are_matched_by_the_index_of_their_cells():
    xarray = pytest.importorskip("xarray")
    p, q = histograms()
    assert prfast.PRCurve.from_masses(p, q).overlap == 0.5
    cells = [xarray.DataArray(x.to_numpy(), {"x": [*x.index]}, ["x"]) for x in (p, q)]
    assert prfast.PRCurve.from_masses(*cells).overlap == 0.5
    assert prfast.PRCurve.from_masses(p, q.to_numpy()).overlap == 1.0
    assert prfast.theory.min_sums(p, q, 1.0) == 2.0
    assert Discrete(p, q).curve().overlap == 0.5
    precision, recall = prd_score.compute_prd(p / 4, q / 4, 11)
    assert precision[5] == pytest.approx(0.5) == recall[5]


def test_an_index_of_other_labels_is_named():
    sets, (vectors, _), _ = labeled()
    weight = vectors["weight"]
    cure = "give both one index, as by .align, or pass .to_numpy(), which is matched by position"
    renamed = weight.set_axis([f"id {i}" for i in range(60)])
    lacking = "the index of {0} expected, got 'id 0', which {0} lacks; "
    with refused(ValueError, "w_real: " + lacking.format("real") + cure):
        prfast.metrics(*sets, w_real=renamed)
    twice = weight.set_axis([*weight.index[:59], weight.index[0]])
    text = "w_real: the index of real expected, got other labels, or repeated ones"
    with refused(ValueError, text):
        prfast.metrics(*sets, w_real=twice)
    p, q = histograms()
    q["c"] = 2
    with refused(ValueError, "q: the index of p expected, got 'c', which p lacks; give both one"):
        prfast.PRCurve.from_masses(p, q)
    default = weight.reset_index(drop=True)
    assert prfast.metrics(*sets, w_real=default) == prfast.metrics(*sets, w_real=weight)


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
