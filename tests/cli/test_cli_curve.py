"""prfast curve and prfast metrics: tables, what they agree on, JSON."""

import json
import re

import pytest
from helpers import unwrapped
from terminal import FAKE, PNG, QUICK, REAL, other_notes, run

import prfast
from prfast import PRCurve, pr_curve
from prfast.estimate.notes import legend
from prfast.methods import Noise


def test_the_table_has_a_line_a_file_and_what_the_curves_agree_on(capsys):
    assert run("curve", "real.npy", "fake.npy", "more.npz:near", *QUICK) == 0
    printed = capsys.readouterr()
    assert other_notes(printed.err) == []
    head, one, two, blank, errors, info = unwrapped(printed.out).splitlines()
    assert re.split(r"\s{2,}", head.strip()) == [
        "fidelity",
        "diversity",
        "area",
        "overlap",
        "F8",
        "F1/8",
    ]
    for line, name, fake in ((one, "fake.npy", FAKE), (two, "more.npz:near", FAKE[:100])):
        curve = pr_curve(REAL, fake, "kmeans", runs=2, clusters=5)
        keys = ("fidelity", "diversity", "area", "overlap", "f8", "f1_8")
        intervals = [str(curve.interval(key)) for key in keys]
        assert line.split() == f"{name} {' '.join(intervals)}".split()
    assert blank == ""
    assert errors == legend()
    assert info == "method kmeans, 200 real samples, 3 features"


@pytest.mark.parametrize(
    ("arguments", "same"),
    [
        (["--seed", "7"], {"random_state": 7}),
        (["--option", "balance=false"], {"balance": False}),
        (["--method", "classifier", "--split", "none"], {"method": "classifier", "split": None}),
        (["--method", "classifier", "--split", "0.25"], {"method": "classifier", "split": 0.25}),
        (
            ["--method", "classifier", "--option", "weight_decay=0.5"],
            {"method": "classifier", "weight_decay": 0.5},
        ),
        (
            ["--method", "ipr", "--ties", "open", "--backend", "tree"],
            {"method": "ipr", "ties": "open", "backend": "tree"},
        ),
        (
            ["--method", "knn", "--resolution", "0.5", "--noise", "neighbors"],
            {"method": "knn", "resolution": 0.5, "noise": "neighbors"},
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_every_option_does_what_it_does_in_python(capsys, arguments, same):
    if "--method" not in arguments:
        arguments = [*arguments, *QUICK]
        same = {"method": "kmeans", "runs": 2, "clusters": 5} | same
    assert run("curve", "real.npy", "fake.npy", "more.npz:far", "--json", "-", *arguments) == 0
    record = json.loads(capsys.readouterr().out)["curves"][0]["curve"]
    expected = pr_curve(REAL, FAKE, **same)
    assert PRCurve.from_dict(record) == expected
    assert record["info"] == dict(expected.info)


def test_divergences_are_a_table_below_the_curves(capsys):
    arguments = ["curve", "real.npy", "fake.npy", "more.npz:far", *QUICK]
    assert run(*arguments, "--divergences", "kl,hellinger,tsallis:0.5", "--json", "out.json") == 0
    lines = unwrapped(capsys.readouterr().out).splitlines()
    assert lines[6] == ""
    assert lines[7].split() == ["divergence", "kl", "hellinger", "tsallis:0.5"]
    assert len({len(line) for line in lines[7:]}) == 1
    curve = pr_curve(REAL, FAKE, "kmeans", runs=2, clusters=5)
    result = dict(prfast.theory.divergence_table(curve, ["kl", "hellinger", "tsallis:0.5"]))
    result["tsallis_0_5"] = result.pop("tsallis:0.5")
    assert lines[8].split() == ["fake.npy", *(f"{value:.5g}" for value in result.values())]
    assert lines[9].split() == ["more.npz:far", "∞", "2", "4"]
    with open("out.json", encoding="utf-8") as file:
        near, far = json.load(file)["curves"]
    assert near["divergences"] == result
    assert far["divergences"] == {
        "kl": "inf",
        "hellinger": pytest.approx(2),
        "tsallis_0_5": pytest.approx(4),
    }


# ---- what samples prove ------------------------------------------------------------------------


def test_confidence_prints_upper_bounds(capsys):
    arguments = ["curve", "real.npy", "fake.npy", "more.npz:far", "--confidence", "0.9"]
    arguments += ["--method", "knn"]
    assert run(*arguments, "--json", "out.json", "--plot", "out.png") == 0
    printed = unwrapped(capsys.readouterr().out).splitlines()
    upper = pr_curve(REAL, FAKE, "knn").upper(0.9)
    assert printed[6] == ""
    heads = re.split(r"\s{2,}", printed[7].strip())
    of = dict(zip(heads, printed[8].split()[1:], strict=True))
    assert of["area ≤"] == f"{upper.area:.4f}"
    assert of["overlap ≤"] == f"{upper.overlap:.4f}"
    assert printed[10:] == ["", "90 % confidence, certified, bound mixture"]
    with open("out.json", encoding="utf-8") as file:
        near, far = json.load(file)["curves"]
    assert near["upper"]["area"] == upper.area
    assert PRCurve.from_dict(near["upper"]["curve"]) == upper
    assert near["upper"]["curve"]["info"] == dict(upper.info)
    assert 0 == far["area"] < far["upper"]["area"] < 0.3
    with open("out.png", "rb") as file:
        assert file.read(8) == PNG


# ---- the default method ------------------------------------------------------------------------


@pytest.mark.nightly
def test_curve_is_that_of_python_and_survives_json(capsys):
    assert run("curve", "real.npy", "fake.npy", "--json", "out.json") == 0
    printed = capsys.readouterr().out
    expected = pr_curve(REAL, FAKE)
    assert "method auto, 200 real and 150 generated samples" in printed
    assert str(expected.interval("area")) in printed.splitlines()[1]
    with open("out.json", encoding="utf-8") as file:
        record = json.load(file)["curves"][0]["curve"]
    result = PRCurve.from_dict(record)
    assert result == expected
    assert dict(result.info) == dict(expected.info)
    assert result.hull == expected.hull


# ---- prfast metrics ------------------------------------------------------------------------------


def test_metrics_prints_a_block_a_k_and_what_all_agree_on(capsys):
    arguments = ["--k", "3", "5", "--which", "recall", "density", "--ties", "open"]
    assert run("metrics", "real.npy", "fake.npy", "more.npz:near", *arguments) == 0
    printed = capsys.readouterr()
    assert other_notes(printed.err) == []
    lines = printed.out.splitlines()
    for first, k in ((0, 3), (4, 5)):
        assert lines[first].split() == ["k", "=", str(k), "recall", "density"]
        models = {"fake.npy": FAKE, "more.npz:near": FAKE[:100]}
        for line, (name, fake) in zip(lines[first + 1 : first + 3], models.items(), strict=True):
            result = prfast.metrics(REAL, fake, k, ("recall", "density"), ties="open")
            assert line.split() == [name, *(f"{number:.4f}" for number in result.values())]
    assert lines[-1] == "ties open, 200 real samples, 3 features"
    assert len({len(line) for line in lines[:3]}) == 1


def test_a_resolution_and_categories_smooth_both_sets(capsys):
    arguments = ["--resolution", "0.5", "--noise", "common", "--categories", "0", "1+2"]
    assert run("metrics", "real.npy", "fake.npy", "--seed", "3", "--json", "-", *arguments) == 0
    (record,) = json.loads(capsys.readouterr().out)["metrics"]
    noise = Noise("common", categories=[0, (1, 2)])
    expected = prfast.metrics(REAL, FAKE, resolution=0.5, noise=noise, random_state=3)
    assert record["precision"] == expected.precision != prfast.metrics(REAL, FAKE).precision
    assert record["info"] == dict(expected.info)


def test_the_kernel_distance_of_subsets(capsys):
    subsets = ["--kernel-subsets", "7", "--kernel-subset-size", "60", "--seed", "3"]
    arguments = ["--which", "kernel_distance", *subsets, "--json", "-"]
    assert run("metrics", "real.npy", "fake.npy", *arguments) == 0
    (record,) = json.loads(capsys.readouterr().out)["metrics"]
    options = {"kernel_subsets": 7, "kernel_subset_size": 60, "random_state": 3}
    expected = prfast.metrics(REAL, FAKE, which="kernel_distance", **options)
    assert record["kernel_distance"] == expected.kernel_distance
    assert record["info"] == dict(expected.info)
    assert "errors" not in record


def test_a_low_area_at_full_resolution_has_a_note(capsys):
    assert run("curve", "real.npy", "more.npz:far", "real.npy", "--names", "far", "same") == 0
    text = "far: This is at full resolution, where differences of detail count in full"
    assert capsys.readouterr().err.count(text) == 1
