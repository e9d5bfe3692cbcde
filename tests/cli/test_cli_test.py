"""prfast test: a line a file with the p-value and what differs, and the JSON."""

import json

import numpy as np
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


def test_one_file_is_one_line(capsys):
    write()
    assert run("test", "real.csv", "far.csv", "--seed", "1", "--jobs", "1") == 0
    printed = capsys.readouterr()
    (line,) = printed.out.splitlines()
    assert line.startswith("The distributions differ: p <= ")
    assert "Differs most in 'a' " in line
    tested = prfast.two_sample_test(REAL, FILES["far.csv"], random_state=1).tested
    assert line.endswith(f" Tested: {tested}.")
    assert tested.startswith("80 of 80 real, 50 of 50")


def test_several_files_the_note_on_them_json_and_rerun(capsys):
    write()
    names = ["--names", "A", "B", "--json", "out.json"]
    assert run("test", "real.csv", "same.csv", "far.csv", *names, "--level", "0.01") == 0
    printed = capsys.readouterr()
    one, two = printed.out.splitlines()
    assert one.startswith("A: No proof of a difference: p = ")
    assert two.startswith("B: The distributions differ: p <= ")
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
