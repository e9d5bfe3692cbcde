"""`prfast rerun`: a record is repeated, and differences are printed."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from helpers import check_record
from refusals import rows
from terminal import one_line_error, run

KNN = ["--method", "knn", "--k", "3"]


def load(path):
    return json.loads(Path(path).read_text("utf-8"))


def test_a_repeated_report_gives_the_same_and_writes_nothing(capsys):
    pytest.importorskip("jinja2")
    command = ["report", "real.npy", "fake.npy", *KNN, "-o", "out.html", "--names", "A, the first"]
    assert run(*command, "--json", "out.json") == 0
    check_record(load("out.json"))
    before = {name: os.stat(name).st_mtime_ns for name in os.listdir()}
    assert run("rerun", "out.json") == 0
    assert capsys.readouterr().out.endswith(" numbers compared, all the same\n")
    assert {name: os.stat(name).st_mtime_ns for name in os.listdir()} == before


def test_a_changed_file_with_the_same_numbers_has_status_1(capsys):
    assert run("metrics", "real.npy", "fake.npy", "--json", "out.json") == 0
    with open("fake.npy", "ab") as file:
        file.write(b" ")
    assert run("rerun", "out.json") == 1
    assert capsys.readouterr().out.endswith("numbers compared, all the same\n")


@pytest.mark.parametrize("change", [1e-16, 0.5])
def test_numbers_are_judged_by_their_interval(change, capsys):
    assert run("curve", "real.npy", "fake.npy", *KNN, "--json", "out.json") == 0
    record = load("out.json")
    area = record["curves"][0]["area"]
    low, high = record["curves"][0]["area_interval"]
    changed = float(np.nextafter(area, 1)) if change < 0.1 else area + change
    record["curves"][0] |= {"area": changed, "area_interval": [low + changed - area, high + change]}
    record["curves"][0]["curve"]["p"][0] += change
    record["versions"]["numpy"] = "1.0"
    Path("out.json").write_text(json.dumps(record))
    capsys.readouterr()
    assert run("rerun", "out.json") == (change > 0.1)
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "inputs: as recorded"
    assert printed[1] == f"versions.numpy: '1.0' recorded, got {np.__version__!r}"
    if change < 0.1:
        assert " numbers compared, " in printed[2]
        assert printed[2].endswith(" within the recorded ±")
    else:
        assert f"curves[0].area: {changed} recorded, got {area}" in printed
        assert printed[-1].endswith(" numbers compared, 4 entries differ")


def test_missing_files_are_refused_before_anything_is_run(capsys, monkeypatch):
    assert run("metrics", "real.npy", "fake.npy", "more.npz:near", "--json", "out.json") == 0
    os.remove("more.npz")
    os.remove("fake.npy")
    monkeypatch.setattr("prfast.cli.commands.metrics", None)
    capsys.readouterr()
    message = one_line_error(capsys, run("rerun", "out.json"))
    missing = f"out.json: not in {os.getcwd()}: fake.npy, more.npz:near; --root FOLDER says where"
    assert message == f"{missing} they are"


def test_files_are_read_relative_to_the_record_or_below_root(capsys, tmp_path, monkeypatch):
    (tmp_path / "results").mkdir()
    assert run("metrics", "real.npy", "fake.npy", "--json", "results/out.json") == 0
    assert load("results/out.json")["folder"] == ".."
    monkeypatch.chdir("/")
    assert run("rerun", str(tmp_path / "results" / "out.json")) == 0
    moved = tmp_path / "moved"
    moved.mkdir()
    for name in ("real.npy", "fake.npy"):
        os.rename(tmp_path / name, moved / name)
    assert run("rerun", str(tmp_path / "results" / "out.json")) == 2
    assert run("rerun", str(tmp_path / "results" / "out.json"), "--root", str(moved)) == 0


def test_files_without_checksums_are_listed(capsys):
    assert run("metrics", "real.npy", "fake.npy", "--json", "out.json", "--no-hash") == 0
    assert [file["sha256"] for file in load("out.json")["inputs"]] == [None, None]
    capsys.readouterr()
    assert run("rerun", "out.json") == 0
    assert capsys.readouterr().out.startswith("real.npy: no checksum was recorded\nfake.npy: no ")


NO_RECORDS = """
{"format": "prfast.result/2"}
    format 'prfast.result/1' expected, got 'prfast.r
{"command": None}
    has no command to run again; it was made in Python, not by
{"command": ["demo"]}
    a command of curve, metrics, profile, report, tables, test expected, got
{"folder": "gone"}
    its files were in
"""


@pytest.mark.parametrize(("change", "message"), rows(NO_RECORDS))
def test_a_file_that_is_no_record_is_refused(capsys, change, message):
    assert run("metrics", "real.npy", "fake.npy", "--json", "out.json") == 0
    Path("r.json").write_text(json.dumps(load("out.json") | eval(change)))
    capsys.readouterr()
    assert one_line_error(capsys, run("rerun", "r.json")).startswith(f"r.json: {message}")


def test_missing_files_and_folders_are_refused(capsys):
    for text in ("{", "[" * 100_000):
        Path("r.json").write_text(text)
        message = one_line_error(capsys, run("rerun", "r.json"))
        assert message.startswith("r.json: a file of --json expected: ")
    assert one_line_error(capsys, run("rerun", "gone.json")).startswith("gone.json: No such file")
