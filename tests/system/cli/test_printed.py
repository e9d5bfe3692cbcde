"""A command prints what Python prints, its JSON is the record of that, and rerun repeats it."""

import json
import os
from itertools import takewhile
from pathlib import Path

import numpy as np
import pandas
import pytest
from helpers import check_record
from terminal import FAKE, PNG, QUICK, REAL, other_notes, run

import prfast
from prfast.methods import KMeans

KMEANS = {"method": "kmeans", "runs": 2, "clusters": 5}
WEIGHTS = np.exp(0.5 * REAL[:, 0]) * (np.arange(200) % 5 > 0)
GROUPS = np.arange(200) // 4, 50 + np.arange(150) // 3
KINDS = np.arange(200) % 3, np.arange(150) % 2
NAMED = [pandas.DataFrame(points, columns=[*"abc"]) for points in (REAL, FAKE)]
DESIGN = {"w_real": WEIGHTS, "groups": GROUPS}
DESIGNED = "real_design.csv fake_design.csv --weights w none --groups clip"


def write(path, samples, **columns):
    table = np.column_stack([samples, *columns.values()])
    names = ",".join(["a", "b", "c", *columns])
    np.savetxt(path, table, "%.17g", ",", header=names, comments="")


@pytest.fixture
def columns():
    """Labels in files; tables with columns of weights, groups and classes."""
    np.save("y_real.npy", KINDS[0])
    np.savetxt("y_fake.csv", KINDS[1], fmt="%d")
    np.save("y_near.npy", KINDS[1][:100])
    write("real_design.csv", REAL, w=WEIGHTS, clip=GROUPS[0])
    write("fake_design.csv", FAKE, clip=GROUPS[1])
    write("real_groups.csv", REAL, clip=GROUPS[0])
    write("real_weights.csv", REAL, w=WEIGHTS)
    write("real_kinds.csv", REAL, w=WEIGHTS, kind=KINDS[0])
    write("fake_kinds.csv", FAKE, kind=KINDS[1])


def curve_of(**options):
    return lambda: [prfast.pr_curve(REAL, FAKE, **options)]


def metrics_of(*ks, real=REAL, **options):
    return lambda: [prfast.metrics(real, FAKE, k, **options) for k in ks or (5,)]


def classes_of(*fakes, **options):
    return lambda: [
        prfast.by_class(REAL, fake, KINDS[0], KINDS[1][: len(fake)], **options) for fake in fakes
    ]


CALLS = {  # a command, and the results of Python
    f"curve real.npy fake.npy {' '.join(QUICK)}": curve_of(**KMEANS),
    "curve real.npy fake.npy --method kmeans --option balance=false": (
        curve_of(method="kmeans", balance=False)
    ),
    "curve real.npy fake.npy --method classifier --split none": (
        curve_of(method="classifier", split=None)
    ),
    "curve real.npy fake.npy --method ipr --ties open --backend tree": (
        curve_of(method="ipr", ties="open", backend="tree")
    ),
    f"curve {DESIGNED} {' '.join(QUICK)}": (
        lambda: [prfast.pr_curve(*NAMED, KMeans(clusters=5, runs=2), **DESIGN)]
    ),
    "curve real.npy fake.npy more.npz:near --method knn --k 3"
    " --labels y_real.npy y_fake.csv y_near.npy": (
        classes_of(FAKE, FAKE[:100], methods="knn", k=3)
    ),
    "curve real_kinds.csv fake_kinds.csv --weights w none --drop kind"
    " --labels real_kinds.csv:kind fake_kinds.csv:kind": classes_of(FAKE, w_real=WEIGHTS),
    "metrics real.npy fake.npy --k 3 5 --ties open": metrics_of(3, 5, ties="open"),
    "metrics real_weights.csv fake.csv --weights w none": metrics_of(w_real=WEIGHTS),
    f"profile real.npy fake.npy {' '.join(QUICK)} --seed 3 --resolutions 0.8 0": (
        lambda: [prfast.profile(REAL, FAKE, [0, 0.8], random_state=3, **KMEANS)]
    ),
    f"profile {DESIGNED} {' '.join(QUICK)} --resolutions 0 0.8": (
        lambda: [prfast.profile(*NAMED, [0, 0.8], KMeans(clusters=5, runs=2), **DESIGN)]
    ),
    "test real_groups.csv fake.csv --groups clip none": (
        lambda: [prfast.two_sample_test(*NAMED, groups=(GROUPS[0], None))]
    ),
}


@pytest.mark.parametrize("command", CALLS)
def test_a_command_is_what_python_prints_and_is_repeated(capsys, columns, command):
    words, results = command.split(), CALLS[command]()
    assert run(*words, "--json", "out.json") == 0
    printed = capsys.readouterr()
    models = [*takewhile(lambda word: not word.startswith("-"), words[2:])]
    models = models * (len(results) // len(models))
    pairs = [*zip(models, results, strict=True)]
    expected = "\n\n".join(f"{name}\n{result}" for name, result in pairs)
    assert printed.out == f"{expected}\n"
    assert len({*models}) > 1 or other_notes(printed.err) == []
    record = json.loads(Path("out.json").read_text())
    check_record(record)
    assert record["command"] == [*words, "--json", "out.json"]
    kinds = {"curves", "metrics", "classes", "profiles", "tests"}
    (kind,) = prfast.record(results[0]).keys() & kinds
    for entry, (name, result) in zip(record[kind], pairs, strict=True):
        assert entry == entry | prfast.record(result)[kind][0] | {"fake": name}
    before = {name: os.stat(name).st_mtime_ns for name in os.listdir()}
    assert run("rerun", "out.json") == 0
    first, last = capsys.readouterr().out.splitlines()
    assert first == "inputs: as recorded"
    assert last.endswith(" numbers compared, all the same")
    assert {name: os.stat(name).st_mtime_ns for name in os.listdir()} == before


@pytest.mark.parametrize(
    ("command", "call"),
    [
        (
            ["profile", "--method", "knn", "--resolutions", "0", "0.8", "--plot", "o.png"],
            lambda fake: prfast.profile(REAL, fake, [0, 0.8], "knn"),
        ),
        (
            ["test", "--seed", "1", "--level", "0.01"],
            lambda fake: prfast.two_sample_test(REAL, fake, random_state=1, level=0.01),
        ),
    ],
)
def test_several_models_are_printed_by_name(capsys, command, call):
    models = {"A": FAKE[:100], "B": FAKE + 100}
    files = ["real.npy", "more.npz:near", "more.npz:far"]
    assert run(command[0], *files, *command[1:], "--names", *models) == 0
    printed = capsys.readouterr()
    expected = "\n".join(f"{name}\n{call(fake)}\n" for name, fake in models.items())
    assert printed.out == expected
    if plot := "--plot" in command:
        assert Path("o.png").read_bytes().startswith(PNG)
    assert plot or "of all together, use --level 0.005" in printed.err
