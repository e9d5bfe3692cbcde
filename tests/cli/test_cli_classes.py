"""Class by class: labels in files, or in a column of the samples' own tables."""

import json

import numpy as np
import pytest
from terminal import FAKE, REAL, one_line_error, run

import prfast

OF_REAL, OF_FAKE = np.arange(200) % 3, np.arange(150) % 2
KNN = ["--method", "knn", "--k", "3"]


@pytest.fixture(autouse=True)
def labels(folder):
    np.save("y_real.npy", OF_REAL)
    np.savetxt("y_fake.csv", OF_FAKE, fmt="%d")
    np.save("y_near.npy", OF_FAKE[:100])
    for name, points, of in (("real", REAL, OF_REAL), ("fake", FAKE, OF_FAKE)):
        with open(f"{name}_table.csv", "w", encoding="utf-8") as file:
            file.write("class,a,b,c\n")
            for label, row in zip(of, points, strict=True):
                file.write(f"kind {label}," + ",".join(map(repr, row.tolist())) + "\n")


def test_the_table_of_each_model_is_that_of_python(capsys):
    files = ["real.npy", "fake.npy", "more.npz:near"]
    labels = ["--labels", "y_real.npy", "y_fake.csv", "y_near.npy"]
    assert run("curve", *files, *KNN, *labels, "--names", "one", "two") == 0
    printed = capsys.readouterr().out
    expected = [
        prfast.by_class(REAL, fake, OF_REAL, of, "knn", 3)
        for fake, of in ((FAKE, OF_FAKE), (FAKE[:100], OF_FAKE[:100]))
    ]
    assert printed == f"one\n{expected[0]}\n\ntwo\n{expected[1]}\n"
    assert "dropped" in printed
    assert run("curve", *files, *KNN, *labels, "--json", "-") == 0
    found = json.loads(capsys.readouterr().out)["classes"]
    assert [one.pop("fake") for one in found] == files[1:]
    assert found == [prfast.record(one)["classes"][0] for one in expected]


def test_a_column_of_the_tables_is_the_label_and_no_feature(capsys):
    assert run("curve", "real_table.csv", "fake_table.csv", *KNN, "--group-by", "class") == 0
    printed = capsys.readouterr().out
    of_real, of_fake = ([f"kind {i}" for i in of] for of in (OF_REAL, OF_FAKE))
    expected = prfast.by_class(REAL, FAKE, of_real, of_fake, "knn", 3)
    assert printed == f"fake_table.csv\n{expected}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "real.npy fake.npy --labels y_real.npy",
            "--labels: 2 files expected, of real samples and of each model, got 1",
        ),
        (
            "real.npy fake.npy --labels y_real.npy y_near.npy",
            "y_near.npy: labels: one label a sample, shape (150,), expected, got shape (100,)",
        ),
        (
            "real.npy fake.npy --labels y_real.npy fake.npy",
            "fake.npy: labels: integers or strings expected, got ",
        ),
        ("real.npy fake.npy --labels y_real.npy none.npy", "none.npy: No such file"),
        (
            "real.npy fake.npy --labels y_real.npy y_fake.csv --plot o.png",
            "--labels: classes are in the table and --json; got --plot",
        ),
        (
            "real.npy fake.npy --group-by class",
            "--group-by: tables expected, .csv or .parquet, got real.npy; --labels takes labels",
        ),
        (
            "real_table.csv fake_table.csv --group-by kind",
            "real_table.csv: ",
        ),
        (
            "real_table.csv fake_table.csv --group-by class --labels y_real.npy y_fake.csv",
            "--labels: --group-by names a column instead; one of both expected",
        ),
        (
            "real.npy fake.npy --labels y_real.npy y_fake.csv --method kmeans",
            "methods: some of 'auto', 'knn', ",
        ),
    ],
)
def test_what_is_refused(capsys, arguments, message):
    assert one_line_error(capsys, run("curve", *arguments.split())).startswith(message)
