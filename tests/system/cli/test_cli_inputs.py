"""Files of samples, all checked before anything is computed; names of models."""

import numpy as np
import pytest
from helpers import noise, structured, unwrapped
from terminal import FAKE, QUICK, one_line_error, run

from prfast.files.write import write_record


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("wide.npy", np.zeros((5, 9)), "wide.npy: real and fake: the same number of features exp"),
        ("nan.npy", np.full((5, 3), np.nan), "nan.npy: fake: finite numbers expected, got nan in"),
    ],
)
def test_an_error_of_the_last_file_comes_before_the_first_is_computed(capsys, name, array, message):
    """The first model has too few samples for its clusters."""
    np.save(name, array)
    method = ["--method", "kmeans", "--option", "clusters=999"]
    status = run("curve", "real.npy", "fake.npy", "fake.csv", name, *method)
    assert one_line_error(capsys, status).startswith(message)


def test_a_missing_file_is_refused_before_others_are_read(capsys):
    with open("broken.csv", "w") as file:
        file.write("a,b,c\nnone of them numbers\n")
    message = one_line_error(capsys, run("metrics", "real.npy", "broken.csv", "none.npy"))
    assert message == "none.npy: No such file or directory"
    message = one_line_error(capsys, run("metrics", "real.npy", "broken.csv", "fake.npy"))
    assert message.startswith("broken.csv: not comma-separated numbers")


def test_models_whose_features_were_made_in_two_ways_are_refused(capsys):
    for name in ("one", "other"):
        np.save(f"{name}.npy", FAKE)
        write_record(f"{name}.npy", {"model": name})
    message = one_line_error(capsys, run("metrics", "real.npy", "one.npy", "other.npy"))
    assert message.startswith("one.npy and other.npy: features made in one way expected, got model")
    message = one_line_error(capsys, run("metrics", "real.npy", "one.npy", "--json", "one.json"))
    assert message == "one.json: is an input; choose another name for the output"


def test_names_stand_for_files(capsys):
    command = ["curve", *QUICK, "real.npy", "fake.npy"]
    assert run(*command, "more.npz:near", "--names", "one model", "another") == 0
    printed = capsys.readouterr()
    assert "one model" in printed.out
    assert "another" in printed.out
    assert "fake.npy" not in printed.out + printed.err
    message = one_line_error(capsys, run(*command, "--names", "one", "two"))
    assert message == "--names: 1 name expected, got 2"


@pytest.mark.parametrize("command", ["curve", "profile", "test"])
def test_equal_rows_may_be_weights(capsys, command):
    np.save("chain.npy", np.repeat(FAKE, 1 + np.arange(150) % 3, axis=0))
    more = ["--resolutions", "0", "0.8"] if command == "profile" else []
    assert run(command, "real.npy", "chain.npy", *more, "--repeats", "weights") == 0
    printed = unwrapped(capsys.readouterr().out)
    sizes = "150 of 300 generated", "of 150 generated (distinct, of 300)"
    assert command == "test" or any(size in printed for size in sizes)
    assert 'repeats="weights"' not in printed


def test_curves_of_classes_that_their_metrics_contradict_are_noted(capsys):
    """Neighbors see no difference between structure and noise."""
    np.save("structured.npy", structured(400, 0))
    np.save("noise.npy", noise(400, 0))
    np.save("y.npy", np.arange(400) % 2)
    labels = ["--labels", "y.npy", "y.npy"]
    assert run("curve", "structured.npy", "noise.npy", "--method", "knn", *labels) == 0
    name, caution = capsys.readouterr().out.splitlines()[:2]
    assert name == "noise.npy"
    assert caution.startswith("Caution: all, 0 and 1: knn cannot detect ")
