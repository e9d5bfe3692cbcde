"""Class by class: labels in files, or in a column of the samples' own tables."""

import json

import numpy as np
import pytest
from helpers import noise, structured
from terminal import FAKE, REAL, notes, run

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
    assert run("curve", *files, *KNN, *labels, "--json", "-") == 0
    result = json.loads(capsys.readouterr().out)["classes"]
    assert [entry.pop("fake") for entry in result] == files[1:]
    assert result == [prfast.record(table)["classes"][0] for table in expected]


def test_a_column_of_the_tables_is_the_label_and_no_feature(capsys):
    assert run("curve", "real_table.csv", "fake_table.csv", *KNN, "--group-by", "class") == 0
    printed = capsys.readouterr().out
    labels_real, labels_fake = ([f"kind {i}" for i in of] for of in (OF_REAL, OF_FAKE))
    expected = prfast.by_class(REAL, FAKE, labels_real, labels_fake, "knn", 3)
    assert printed == f"fake_table.csv\n{expected}\n"


def test_curves_of_classes_that_their_metrics_contradict_are_noted(capsys):
    """Neighbors see no difference between structure and noise."""
    np.save("structured.npy", structured(400, 0))
    np.save("noise.npy", noise(400, 0))
    np.save("few.npy", noise(400, 0)[:100])
    of = np.arange(400) % 2
    np.save("y.npy", of)
    np.save("y_few.npy", np.arange(100) % 50)  # classes of two samples say nothing
    labels = ["--labels", "y.npy", "y.npy", "y_few.npy"]
    files = ["structured.npy", "noise.npy", "few.npy"]
    assert run("curve", *files, "--method", "knn", *labels) == 0
    result = [note for note in notes(capsys) if "cannot detect" in note]
    assert [note.partition(": ")[0] for note in result] == ["noise.npy, classes 0 and 1"]
    assert result[0].endswith("Look at samples and features, and try another method.")
