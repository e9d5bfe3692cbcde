"""Labels in files: vectors, lines, columns."""

import numpy as np
import pytest
from refusals import refused

from prfast.files.readers import load_labels


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_vectors():
    for labels in (np.array([2, 0, 1]), np.array(["cat", "dog", "cat"])):
        np.save("y.npy", labels)
        np.savez("z.npz", y=labels, x=np.ones(3))
        for path in ("y.npy", "z.npz:y"):
            assert load_labels([path])[0].tolist() == labels.tolist()


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("2\n0\n\n1\n", "y.csv", [2, 0, 1]),
        ("cat\ndog\n", "y.csv", ["cat", "dog"]),
        ("1\nx\n", "y.csv", ["1", "x"]),
        ("a,class,b\n1.5,cat,2\n2.5,dog,3\n", "y.csv:class", ["cat", "dog"]),
        ('a,class\n1.5,"cat, small"\n', "y.csv:class", ["cat, small"]),
        ("class\n3\n4\n", "y.csv:class", [3, 4]),
        ("-3\n0\n9223372036854775807\n", "y.csv", [-3, 0, 2**63 - 1]),
        # Of other spellings no two are one class.
        ("01\n1\n1_0\n10\n", "y.csv", ["01", "1", "1_0", "10"]),
        ("1\n9223372036854775808\n", "y.csv", ["1", "9223372036854775808"]),
    ],
)
def test_lines_and_columns_of_csv(text, path, expected):
    with open("y.csv", "w", encoding="utf-8") as file:
        file.write(text)
    assert load_labels([path])[0].tolist() == expected


def test_files_that_go_together_have_one_kind():
    for name, text in {"one.csv": "0\n1\n", "two.csv": "2\n0\n", "other.csv": "0\nx\n"}.items():
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    np.save("y.npy", np.array([1, -12], np.int16))
    np.save("text.npy", np.array(["7", "8"]))

    def result(*paths):
        return [labels.tolist() for labels in load_labels(paths)]

    assert result("one.csv", "two.csv", "y.npy") == [[0, 1], [2, 0], [1, -12]]
    # Integers of arrays are never text: classes 1 and "1" are refused.
    assert result("one.csv", "other.csv", "y.npy") == [["0", "1"], ["0", "x"], [1, -12]]
    assert result("one.csv", "text.npy") == [["0", "1"], ["7", "8"]]


def test_columns_of_parquet():
    pyarrow = pytest.importorskip("pyarrow", reason="the extra 'inputs' is not installed")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table({"f": [0.5, 1.5], "class": ["cat", "dog"], "some": [1, None]})
    parquet.write_table(table, "t.parquet")
    assert load_labels(["t.parquet:class"])[0].tolist() == ["cat", "dog"]
    with refused(ValueError, "t.parquet: a column expected; write t.parquet:NAME, one of f, class"):
        load_labels(["t.parquet"])
    with refused(ValueError, "t.parquet: a label a sample expected, 1 are missing"):
        load_labels(["t.parquet:some"])
    with pytest.raises(ValueError, match=r"^t\.parquet: .*'other'"):
        load_labels(["t.parquet:other"])


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        ("a,b\n1,2\n", "y.csv", "y.csv: a column expected; write y.csv:NAME, one of a, b"),
        ("lab1,lab2\n1,2\n", "y.csv:lab*", "y.csv: one column expected, 'lab*' has 'lab1', 'lab2'"),
        ("a,b\n1\n", "y.csv:b", "y.csv: 2 columns expected, got ['1']"),
    ],
)
def test_wrong_arguments_are_refused(text, path, message):
    with open("y.csv", "w", encoding="utf-8") as file:
        file.write(text)
    with refused(ValueError, message):
        load_labels([path])
