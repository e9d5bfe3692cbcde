"""The command line with the method that it takes if nothing is said."""

import json

import numpy as np
import pytest
from terminal import FAKE, REAL, run

from prfast import PRCurve, pr_curve


def test_curve_is_that_of_python_and_survives_json(capsys):
    assert run("curve", "real.npy", "fake.npy", "--json", "out.json") == 0
    printed = capsys.readouterr().out
    expected = pr_curve(REAL, FAKE)
    assert "method auto, folds 10" in printed
    half = f"{expected.interval('area').half_width:.3f}".removeprefix("0")
    assert f"{expected.area:.3f} ±{half}" in printed.splitlines()[1]
    with open("out.json", encoding="utf-8") as file:
        record = json.load(file)["curves"][0]["curve"]
    found = PRCurve.from_dict(record)
    assert found == expected
    assert dict(found.info) == dict(expected.info)
    assert found.hull == expected.hull


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ("--option folds=5", {"folds": 5}),
        ("--option fitted=50 --seed 3", {"fitted": 50, "random_state": 3}),
        ("--option read_out=hull --split none", {"read_out": "hull"}),
        ("--jobs 1 --method auto", {}),
    ],
)
def test_options_are_those_of_python(arguments, options):
    assert run("curve", "real.npy", "fake.npy", "--json", "out.json", *arguments.split()) == 0
    with open("out.json", encoding="utf-8") as file:
        found = PRCurve.from_dict(json.load(file)["curves"][0]["curve"])
    expected = pr_curve(REAL, FAKE, **options)
    assert found == expected
    assert dict(found.info) == dict(expected.info)


def test_columns_of_files_have_their_names_in_the_record():
    for name, shift in (("real.csv", 0), ("fake.csv", 2)):
        points = REAL + np.array([0, shift, 0])
        np.savetxt(name, points, delimiter=",", header="a,height,c", comments="")
    assert run("curve", "real.csv", "fake.csv", "--json", "out.json") == 0
    with open("out.json", encoding="utf-8") as file:
        info = json.load(file)["curves"][0]["curve"]["info"]
    assert [one["name"] for one in info["columns"]] == ["height"]
