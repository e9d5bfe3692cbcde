"""Comma-separated numbers: the same values and messages with pyarrow and without."""

import re
import sys

import numpy as np
import pytest

from prfast.files.columns import Wanted
from prfast.files.load import load, load_array

DATA = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@pytest.fixture(params=["pyarrow", "numpy"], autouse=True)
def reader(request, monkeypatch):
    """Every test is run with both."""
    if request.param == "numpy":
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        monkeypatch.setitem(sys.modules, "pyarrow.csv", None)
    else:
        pytest.importorskip("pyarrow.csv")
    return request.param


@pytest.fixture
def make(tmp_path):
    """make(name, content): the path of a file with this text or these bytes."""

    def make(name, content):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    return make


def refused(path, message):
    """`pytest.raises` for a ValueError that begins with the path and then this literal message."""
    return pytest.raises(ValueError, match="^" + re.escape(f"{path}: {message}"))


@pytest.mark.parametrize(
    "text",
    [
        "1,2,3\n4,5,6\n",
        "a,b,c\n1,2,3\n4,5,6\n",
        '"first name",b,\n1,2,3\n4,5,6',
        "1.0, 2e0 ,3\r\n4,5,6\r\n",
        "\ufeff1,2,3\n4,5,6\n",
        "\ufeffa,b,c\n1,2,3\n4,5,6\n",
        "a,b,c\n\n1,2,3\n\n4,5,6\n",
    ],
    ids=["plain", "header", "quotes", "spaces", "mark", "mark and header", "blank lines"],
)
def test_csv_with_and_without_header(make, text):
    np.testing.assert_array_equal(load_array(make("x.csv", text)), DATA)


def test_one_row_or_one_column_is_still_samples_by_features(make):
    assert load_array(make("row.csv", "1,2,3\n")).shape == (1, 3)
    assert load_array(make("column.csv", "x\n1\n2\n")).shape == (2, 1)
    assert load_array(make("mark.csv", "\ufeff1\n2\n")).shape == (2, 1)


def test_nan_and_inf_are_read_as_such_for_the_reader_of_samples_to_refuse(make):
    np.testing.assert_array_equal(
        load_array(make("x.csv", "nan,inf\n1,2\n")), [[np.nan, np.inf], [1, 2]]
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "its first line is empty"),
        ("\n1,2\n", "its first line is empty"),
        ("a,b\n", "only a header"),
        ("0,1,2,3\n5,6,7,8\n", "its first line counts the columns: write it without, or with na"),
        ("1,2\n3,x\n", "could not convert string 'x'"),
        ("1,2\n3\n", "the number of columns changed from 2 to 1"),
        ("a;b\n1;2\n", "could not convert string '1;2'"),
        (b"\xff\xfe1,2\n", "'utf-8' codec can't decode"),
        # A row with a gap is no header: it would be lost without a word.
        ("1,,2\n3,4,5\n", "could not convert string ''"),
        ("1,2,\n3,4,\n", "could not convert string ''"),
        # Nor is the header of a table with an index column, whose first column is no feature.
        (",0,1\n0,2.5,3.5\n", "could not convert string ''"),
    ],
)
def test_what_is_no_table_of_numbers_is_refused(make, text, reason):
    path = make("x.csv", text)
    with refused(path, f"not comma-separated numbers ({reason}"):
        load_array(path)


def test_a_csv_with_a_column_of_row_numbers_is_refused(tmp_path):
    """What pandas writes unless told index=False: the numbers of rows are no feature."""
    path = tmp_path / "frame.csv"
    path.write_text(",f0,f1\n0,0.5,1.5\n1,0.25,2.5\n")
    with pytest.raises(
        ValueError, match="a column without a name, as of row numbers: write it without them, or ch"
    ):
        load_array(str(path))


# ---- two readers, one answer -------------------------------------------------------------------


def hard_numbers():
    """Numbers that are hard to round, and ways to write them."""
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2**64, 3000, dtype=np.uint64).view(np.float64)
    some = [one for one in bits.tolist() if np.isfinite(one)]
    some += [5e-324, 2.2250738585072011e-308, 2.2250738585072014e-308, 1.7976931348623157e308]
    some += [
        0.1,
        -0.0,
        9007199254740993.0,
        1e23,
        8.41e21,
        2.0**-1074 * 3,
        *rng.normal(size=500).tolist(),
    ]
    ways = ["{!r}", "{:.17g}", "{:.25e}", "{:.3g}", "{:.1f}", "{:.30f}"]
    told = [way.format(one) for one in some for way in ways]
    # Halfway between two float64, and a little beside it.
    return [*told, "9007199254740993", "9007199254740992.99999999999999999999"]


def test_both_read_the_same_bits(make, reader, monkeypatch):
    if reader == "pyarrow":
        monkeypatch.delattr(np, "loadtxt")  # it is not asked: pyarrow takes all of these
    cells = hard_numbers()
    path = make("x.csv", "\n".join(cells) + "\n")
    expected = np.array([float(cell) for cell in cells]).reshape(-1, 1)
    np.testing.assert_array_equal(load_array(path).view(np.uint64), expected.view(np.uint64))


@pytest.mark.parametrize("cell", ["+1.5", "1e-400", "\t1.5 ", '"1.5"'])
def test_what_one_does_not_take_the_other_reads(make, cell):
    path = make("x.csv", f"0.5,{cell}\n")
    np.testing.assert_array_equal(load_array(path), [[0.5, float(cell.strip('"'))]])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1,2\n#3,4\n5,6\n", "could not convert string '#3'"),
        ("1,2\n3,4#5\n", "could not convert string '4#5'"),
        ("1,2\n3,4 # here\n", "could not convert string '4 # here'"),
        ("1,2\n3,NA\n", "could not convert string 'NA'"),
        ("1,2\n0x10,4\n", "could not convert string '0x10'"),
        ("1,2\n3,true\n", "could not convert string 'true'"),
        ("a,b\n1,2,3\n", "2 names in its first line, 3 columns"),
    ],
)
def test_no_row_and_no_cell_is_passed_over(make, text, reason):
    """A row behind a # is no comment; a gap by any name is no number."""
    path = make("x.csv", text)
    with refused(path, f"not comma-separated numbers ({reason}"):
        load_array(path)


@pytest.mark.parametrize("head", ["", "x\n"], ids=["plain", "header"])
@pytest.mark.parametrize("gap", ["\n", "\r\n", "\n\n"])
def test_an_empty_line_in_one_column_is_a_missing_value(make, head, gap):
    path = make("x.csv", f"{head}1\n{gap}3\n")
    line = 3 if head else 2
    message = f"not comma-separated numbers (no missing value expected, got an empty line {line})"
    with refused(path, message):
        load_array(path)
    if head:
        with refused(path, message):
            load(path, columns="x")
    np.testing.assert_array_equal(load_array(make("end.csv", f"{head}1\n3\n{gap}")), [[1], [3]])


# ---- columns -----------------------------------------------------------------------------------

TABLE = """path,0,1,label
"a, b.png",1.5,2,7
"c ""d"".png",0.1,-3,8

e.png,4,5,9
"""


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"columns": ["0", "1"]}, [[1.5, 2], [0.1, -3], [4, 5]]),
        ({"columns": "[0-9]"}, [[1.5, 2], [0.1, -3], [4, 5]]),
        ({"columns": ("1", "*0")}, [[2, 1.5], [-3, 0.1], [5, 4]]),
        ({"drop": ["path", "label"]}, [[1.5, 2], [0.1, -3], [4, 5]]),
        ({"columns": ["?", "label"], "drop": "0"}, [[2, 7], [-3, 8], [5, 9]]),
    ],
)
def test_columns_are_chosen_by_the_names_in_the_first_line(make, told, expected):
    found = load(make("x.csv", TABLE), **told)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, expected)


def test_a_column_of_text_is_named_and_how_to_leave_it_out(make):
    path = make("x.csv", "path,f0,note\na.png,1,x\n")
    with refused(path, "not comma-separated numbers (could not convert string 'a.png'") as error:
        load(path)
    assert str(error.value).endswith(
        "; leave out what is no feature: --drop path note, in Python drop=['path', 'note'], or "
        "choose columns: --columns 'f*', columns=['f*']"
    )
    np.testing.assert_array_equal(load(path, drop=["path", "note"]), [[1]])


def test_a_column_without_a_name_is_told_with_those_of_text(make):
    path = make("x.csv", ",path,f0,f1\n0,a.png,0.5,1.5\n")
    with refused(path, "not comma-separated numbers (a column without a name, as of row") as error:
        load(path)
    assert "--drop '' path, in Python drop=['', 'path']" in str(error.value)
    np.testing.assert_array_equal(load(path, drop=["", "path"]), [[0.5, 1.5]])


def test_row_numbers_that_pandas_writes_are_left_out_by_choosing_the_others(make):
    path = make("x.csv", ",f0,f1\n0,0.5,1.5\n1,0.25,2.5\n")
    np.testing.assert_array_equal(load(path, columns="f*"), [[0.5, 1.5], [0.25, 2.5]])


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"columns": ["f0", "g*"]}, "no column 'g*'; it has 'f0', 'f1'"),
        ({"drop": "f2"}, "no column 'f2'; it has 'f0', 'f1'"),
        ({"drop": "*"}, "at least one column expected, all are left out"),
    ],
)
def test_columns_that_are_not_there(make, told, message):
    path = make("x.csv", "f0,f1\n1,2\n")
    with refused(path, message):
        load(path, **told)


def test_a_row_of_another_length_is_refused_also_where_the_chosen_columns_are_there(make):
    path = make("x.csv", "path,f0,f1\na,1,2\nb,3,4,5\n")
    with refused(path, "not comma-separated numbers (3 columns expected, got 4 in line 3)"):
        load(path, columns="f*")


def test_columns_of_one_name_cannot_be_chosen(make):
    path = make("x.csv", "f0,f0\n1,2\n")
    with refused(path, "columns of different names expected, several are 'f0'"):
        load(path, columns="f*")
    np.testing.assert_array_equal(load(path), [[1, 2]])


def test_many_columns_are_not_all_listed(make):
    names = [f"f{i}" for i in range(20)]
    path = make("x.csv", ",".join(names) + "\n" + ",".join(names) + "\n")
    with refused(path, "no column 'g'; it has 'f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7' and "):
        load_array(path, Wanted(("g",)))


@pytest.mark.parametrize(("sign", "name"), [(";", "semicolons"), ("\t", "tabs")])
def test_another_separator_is_named(make, sign, name):
    told = f"; {name} separate its columns, where commas are expected"
    for text in ("a b\n1 2\n3 4\n", "1 2\n3 4\n", "1,5 2\n3,25 4\n"):
        with pytest.raises(ValueError, match=re.escape(told)):
            load(make("x.csv", text.replace(" ", sign)))


def test_a_column_that_is_written_otherwise_is_guessed(make):
    path = make("x.csv", "width,depth\n1,2\n")
    with refused(path, "no column 'widht'; it has 'width', 'depth'; did you mean 'width'?"):
        load(path, drop="widht")
