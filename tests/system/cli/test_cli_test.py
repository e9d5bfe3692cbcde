"""prfast test: what Python prints of each file, and the JSON."""

import json

import numpy as np
import pandas as pd
from terminal import one_line_error, run

import prfast

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(80, 3))
FILES = {
    "real.csv": REAL,
    "same.csv": RNG.normal(size=(60, 3)),
    "far.csv": REAL[:50] + 2.0 * np.eye(3)[0],
}


def write():
    for name, points in FILES.items():
        np.savetxt(name, points, delimiter=",", header="a,b,c", comments="")


def test_one_file_is_what_python_prints(capsys):
    write()
    assert run("test", "real.csv", "far.csv", "--seed", "1", "--jobs", "1") == 0
    printed = capsys.readouterr().out
    real, fake = (pd.DataFrame(FILES[name], columns=[*"abc"]) for name in ("real.csv", "far.csv"))
    assert printed == f"far.csv\n{prfast.two_sample_test(real, fake, random_state=1)}\n"


def test_several_files_the_note_on_them_json_and_rerun(capsys):
    write()
    names = ["--names", "A", "B", "--json", "out.json"]
    assert run("test", "real.csv", "same.csv", "far.csv", *names, "--level", "0.01") == 0
    printed = capsys.readouterr()
    text_a, text_b = printed.out.split("\nB\n")
    assert text_a.startswith("A\n")
    assert "\nNo proof of a difference: p = " in text_a
    assert "\nThe distributions differ: p <= " in text_b
    assert "2 tests, each at level 0.01; at level 0.005 none" in printed.err
    with open("out.json") as file:
        record = json.load(file)
    first, second = record["tests"]
    assert (first["name"], first["rejects"], second["rejects"]) == ("A", False, True)
    assert second["attribution"][0]["columns"] == ["a"]
    expected = prfast.two_sample_test(REAL, FILES["same.csv"], level=0.01)
    assert first["p_value"] == expected.p_value
    assert prfast.record(expected)["tests"][0]["p_value"] == expected.p_value
    assert run("rerun", "out.json") == 0
    assert capsys.readouterr().out.endswith("all the same\n")


def test_refusals(capsys):
    write()
    error = one_line_error(capsys, run("test", "real.csv", "same.csv", "--level", "2"))
    assert error.startswith("--level: ")
    np.savetxt("few.csv", REAL[:5], delimiter=",", header="a,b,c", comments="")
    error = one_line_error(capsys, run("test", "real.csv", "few.csv"))
    assert error == "few.csv: fake: at least 10 samples expected, got 5"
