"""Comma-separated numbers: exact values, or one line that says which cell or line is wrong."""

import numpy as np
import pytest
from refusals import refused

from prfast.files.readers import load, load_array

DATA = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
SOME = "not comma-separated numbers ("


@pytest.fixture
def make(tmp_path):
    """make(content): the path of a file with this text or these bytes."""

    def make(content):
        path = tmp_path / "x.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    return make


@pytest.mark.parametrize(
    "text",
    [
        "1,2,3\n4,5,6\n",
        "a,b,c\n1,2,3\n4,5,6\n",
        '"first name",b,\n1,2,3\n4,5,6',
        '1.0, 2e0 ,+3\r\n4,"5",6\r\n',
        "\ufeff1,2,3\n4,5,6\n",
        "\ufeffa,b,c\n1,2,3\n4,5,6\n",
        "a,b,c\n\n1,2,3\n\n4,5,6\n",
    ],
    ids=["plain", "header", "quotes", "spaces", "mark", "mark and header", "blank lines"],
)
def test_csv_with_and_without_header(make, text):
    result = load(make(text))
    assert result.dtype == np.float64
    np.testing.assert_array_equal(result, DATA)


def test_nan_and_inf_are_read_as_such_for_the_reader_of_samples_to_refuse(make):
    path = make("nan,inf\n1,2\n")
    np.testing.assert_array_equal(load_array(path), [[np.nan, np.inf], [1, 2]])
    with refused(ValueError, f"{path}: finite numbers expected, got nan in row 0, column 0"):
        load(path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("\n1,2\n", "its first line is empty"),
        ("a,b\n", "only a header"),
        ("0,1,2,3\n5,6,7,8\n", "its first line counts the columns: write it without, or with na"),
        ("1_000,2\n3,4\n", "could not convert string '1_000' to float64 at row 0, column 1"),
        ("1,2\n3,4\n5\n", "2 columns expected, got 1 in line 3"),
        (b"\xff\xfe1,2\n", "'utf-8' codec can't decode"),
        # A row with a gap is no header: it would be lost without a word.
        ("1,,2\n3,4,5\n", "could not convert string ''"),
        # A row behind a # is no comment; a gap by any name is no number.
        ("1,2\n#3,4\n5,6\n", "could not convert string '#3'"),
    ],
)
def test_a_table_with_a_wrong_cell_is_refused(make, text, reason):
    path = make(text)
    with refused(ValueError, f"{path}: {SOME}{reason}"):
        load_array(path)


@pytest.mark.parametrize(("sign", "name"), [(";", "semicolons"), ("\t", "tabs")])
@pytest.mark.parametrize("text", ["a b\n1 2\n3 4\n", "1,5 2\n3,25 4\n"])
def test_another_separator_is_named(make, sign, name, text):
    path = make(text.replace(" ", sign))
    with refused(ValueError, f"{path}: commas between columns expected, got {name}"):
        load(path)


TABLE = """path,0,1,label
"a, b.png",1.5,2,7
"c ""d"".png",0.1,-3,8

e.png,4,5,9
"""


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"columns": ["0", "1"]}, [[1.5, 2], [0.1, -3], [4, 5]]),
        ({"columns": "[0-9]"}, [[1.5, 2], [0.1, -3], [4, 5]]),
        ({"columns": ("1", "*0")}, [[2, 1.5], [-3, 0.1], [5, 4]]),
        ({"columns": ["?", "label"], "drop": "0"}, [[2, 7], [-3, 8], [5, 9]]),
    ],
)
def test_columns_are_chosen_by_the_names_in_the_first_line(make, options, expected):
    np.testing.assert_array_equal(load(make(TABLE), **options), expected)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [("path,f0,note\na.png,1,x\n", ["path", "note"]), (",path,f0\n0,a.png,1\n", ["", "path"])],
    ids=["text", "row numbers"],
)
def test_a_column_of_text_is_named_and_how_to_leave_it_out(make, text, wrong):
    path = make(text)
    names = " ".join(name or "''" for name in wrong)
    message = f"{path}: columns of numbers expected, got {', '.join(map(repr, wrong))}; columns of"
    with refused(ValueError, message) as error:
        load(path)
    assert f": --drop {names}, in Python drop={wrong}, or choose columns: " in str(error.value)
    np.testing.assert_array_equal(load(path, drop=wrong), [[1]])


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("f0,f0\n1,2\n", {}, "columns of different names expected, several are 'f0'"),
        # A row of another length is refused also where the chosen columns are there.
        (
            "path,f0,f1\na,1,2\nb,3,4,5\n",
            {"columns": "f*"},
            f"{SOME}3 columns expected, got 4 in line 3)",
        ),
        (
            "a,b\n1,\n1,2\n",
            {},
            f"{SOME}could not convert string '' to float64 at row 0, column 2, 'b'; `prfast "
            "tables` compares tables with missing cells and text)",
        ),
    ],
)
def test_columns_that_cannot_be_chosen(make, text, options, message):
    path = make(text)
    with refused(ValueError, f"{path}: {message}"):
        load(path, **options)
