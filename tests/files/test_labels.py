"""Labels in files: vectors, lines, columns."""

import numpy as np
import pytest
from refusals import refused

from prfast.files.labels import load_labels


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_vectors():
    for labels in (np.array([2, 0, 1]), np.array(["cat", "dog", "cat"])):
        np.save("y.npy", labels)
        np.savez("z.npz", y=labels, x=np.ones(3))
        for path in ("y.npy", "z.npz:y"):
            assert load_labels(path).tolist() == labels.tolist()


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("2\n0\n\n1\n", "y.csv", [2, 0, 1]),
        ("cat\ndog\n", "y.csv", ["cat", "dog"]),
        ("1\nx\n", "y.csv", ["1", "x"]),
        ("a,class,b\n1.5,cat,2\n2.5,dog,3\n", "y.csv:class", ["cat", "dog"]),
        ('a,class\n1.5,"cat, small"\n', "y.csv:class", ["cat, small"]),
        ("class\n3\n4\n", "y.csv:class", [3, 4]),
    ],
)
def test_lines_and_columns_of_csv(text, path, expected):
    with open("y.csv", "w", encoding="utf-8") as file:
        file.write(text)
    assert load_labels(path).tolist() == expected


def test_a_file_whose_own_name_has_a_colon():
    with open("y.csv:class", "w", encoding="utf-8") as file:
        file.write("1\n2\n")
    with refused(ValueError, "y.csv:class: a .npy, "):
        load_labels("y.csv:class")


def test_columns_of_parquet():
    pyarrow = pytest.importorskip("pyarrow", reason="the extra 'inputs' is not installed")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table({"f": [0.5, 1.5], "class": ["cat", "dog"], "some": [1, None]})
    parquet.write_table(table, "t.parquet")
    assert load_labels("t.parquet:class").tolist() == ["cat", "dog"]
    with refused(ValueError, "t.parquet: a column expected; write t.parquet:NAME, one of f, class"):
        load_labels("t.parquet")
    with refused(ValueError, "t.parquet: a label a sample expected, 1 are missing"):
        load_labels("t.parquet:some")
    with pytest.raises(ValueError, match=r"^t\.parquet: .*'other'"):
        load_labels("t.parquet:other")


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        ("a,b\n1,2\n", "y.csv", "y.csv: a column expected; write y.csv:NAME, one of a, b"),
        ("a,b\n1\n", "y.csv:b", "y.csv: 2 columns or more expected in line 2"),
    ],
)
def test_what_is_refused(text, path, message):
    with open("y.csv", "w", encoding="utf-8") as file:
        file.write(text)
    with refused(ValueError, message):
        load_labels(path)


def test_what_is_missing():
    with pytest.raises(FileNotFoundError):
        load_labels("none.csv:x")
