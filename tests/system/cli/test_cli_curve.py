"""prfast curve and prfast metrics: tables, what they agree on, JSON."""

import json

import pytest
from terminal import FAKE, PNG, QUICK, REAL, run

import prfast
from prfast import Evaluator, PRCurve, pr_curve
from prfast.inputs.calls import command_line
from prfast.methods import KMeans, Noise


def test_several_models_are_the_comparison_that_python_prints(capsys):
    files = ["real.npy", "fake.npy", "more.npz:near"]
    assert run("curve", *files, *QUICK, "--names", "A", "B") == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    models = {"A": FAKE, "B": FAKE[:100]}
    expected = Evaluator(REAL, KMeans(clusters=5, runs=2), which=()).compare(models)
    with command_line():
        assert printed.out == f"{expected}\n"
    assert "Which differences count: the page of prfast report." in printed.out


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


def test_divergences_are_below_the_curves(capsys):
    arguments = ["curve", "real.npy", "fake.npy", "more.npz:far", *QUICK]
    assert run(*arguments, "--divergences", "kl,hellinger,tsallis:0.5", "--json", "out.json") == 0
    curve = pr_curve(REAL, FAKE, "kmeans", runs=2, clusters=5)
    table = prfast.theory.divergence_table(curve, ["kl", "hellinger", "tsallis:0.5"])
    assert f"\n\nfake.npy\n{table}\n\nmore.npz:far\nkl" in capsys.readouterr().out
    result = dict(table)
    result["tsallis_0_5"] = result.pop("tsallis:0.5")
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
    upper = pr_curve(REAL, FAKE, "knn").upper(0.9)
    printed = capsys.readouterr().out
    assert f"\n\nfake.npy, certified, bound mixture\n{upper}\n\nmore.npz:far, " in printed
    assert "upper bound at 90 % confidence" in printed
    with open("out.json", encoding="utf-8") as file:
        near, far = json.load(file)["curves"]
    assert near["upper"]["area"] == upper.area
    assert PRCurve.from_dict(near["upper"]["curve"]) == upper
    assert near["upper"]["curve"]["info"] == dict(upper.info)
    assert 0 == far["area"] < far["upper"]["area"] < 0.3
    with open("out.png", "rb") as file:
        assert file.read(8) == PNG


# ---- prfast metrics ------------------------------------------------------------------------------


def test_metrics_prints_what_python_prints_for_each_k(capsys):
    assert run("metrics", "real.npy", "fake.npy", "--k", "3", "5", "--ties", "open") == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    expected = [f"fake.npy\n{prfast.metrics(REAL, FAKE, k, ties='open')}" for k in (3, 5)]
    assert printed.out == "\n\n".join(expected) + "\n"


def test_metrics_prints_several_models_side_by_side_for_each_k(capsys):
    arguments = ["--k", "3", "5", "--which", "recall", "density", "--ties", "open"]
    assert run("metrics", "real.npy", "fake.npy", "more.npz:near", *arguments) == 0
    blocks = capsys.readouterr().out.split("\n\n")
    for table, summary, k in ([*blocks[:2], 3], [*blocks[2:], 5]):
        expected = [["recall", "density"]]
        for name, fake in (("fake.npy", FAKE), ("more.npz:near", FAKE[:100])):
            values = prfast.metrics(REAL, fake, k, ("recall", "density"), ties="open").values()
            expected.append([name, *(f"{number:.4f}" for number in values)])
        assert [line.split() for line in table.splitlines()] == expected
        assert summary.splitlines()[-1] == f"k {k}, ties open, 200 real samples, 3 features"


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
