"""Files of samples: all are checked before anything is computed, the real ones prepared once."""

import os

import numpy as np
import pytest
from terminal import FAKE, files, one_line_error, run

from prfast.files.write import write_record

# The first model is refused when it is computed, for it has too few samples for its clusters.
REFUSED = ["--method", "kmeans", "--option", "clusters=999"]
COMMAND = {
    "curve": ["curve", *REFUSED],
    "report": ["report", "-o", "r.html", *REFUSED],
    "metrics": ["metrics", "--which", "recall"],
}


@pytest.mark.parametrize("command", COMMAND)
@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("none.npy", None, "none.npy: No such file or directory"),
        ("wide.npy", np.zeros((5, 9)), "wide.npy: real and fake: the same number of features exp"),
        ("nan.npy", np.full((5, 3), np.nan), "nan.npy: fake: finite numbers expected, got nan in"),
    ],
)
def test_an_error_of_the_last_file_comes_before_the_first_is_computed(
    capsys, command, name, array, message
):
    if command == "report":
        pytest.importorskip("plotly", reason="the extra 'report' is not installed")
    if array is not None:
        np.save(name, array)
    first, *more = COMMAND[command]
    status = run(first, "real.npy", "fake.npy", "fake.csv", name, *more)
    assert one_line_error(capsys, status).startswith(message)


def test_a_missing_file_is_refused_before_others_are_read(capsys):
    with open("broken.csv", "w") as file:
        file.write("a,b,c\nnone of them numbers\n")
    message = one_line_error(capsys, run("metrics", "real.npy", "broken.csv", "none.npy"))
    assert message == "none.npy: No such file or directory"
    message = one_line_error(capsys, run("metrics", "real.npy", "broken.csv", "fake.npy"))
    assert message.startswith("broken.csv: not comma-separated numbers")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["metrics"], "few.npy: k: from 1 to 3 expected, the other points of fake, got 5"),
        (
            ["curve", "--method", "ipr", "--k", "10"],
            "few.npy: k: at most 1 expected for 'ipr' with 2 fake training samples, got 10",
        ),
    ],
)
def test_errors_name_the_model_that_has_too_few_samples(capsys, command, message):
    np.save("few.npy", FAKE[:4])
    first, *more = command
    status = run(first, "real.npy", "fake.npy", "few.npy", *more, "--json", "m.json")
    assert one_line_error(capsys, status) == message
    assert "m.json" not in files()


def test_a_folder_is_refused_with_a_hint_at_features(capsys):
    message = one_line_error(capsys, run("metrics", "real.npy", "photos"))
    assert message == "photos: No such file or directory"
    os.mkdir("photos")
    message = one_line_error(capsys, run("metrics", "photos", "real.npy"))
    assert message == (
        "photos: a file expected, got a folder; prfast features photos -o FILE.npy makes a file of "
        "its images"
    )


def test_models_whose_features_were_made_in_two_ways_are_refused(capsys):
    """Also where the file of real samples has no record."""
    for name in ("one", "other"):
        np.save(f"{name}.npy", FAKE)
        write_record(f"{name}.npy", {"model": name})
    message = one_line_error(capsys, run("metrics", "real.npy", "one.npy", "other.npy"))
    assert message.startswith("one.npy and other.npy: features made in one way expected, got model")
    message = one_line_error(capsys, run("metrics", "real.npy", "one.npy", "--json", "one.json"))
    assert message == "one.json: is an input; choose another name for the output"
