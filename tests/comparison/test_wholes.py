"""Metrics of both sets as wholes, wherever metrics go: the same numbers, or words where there are
none."""

import json
import re

import numpy as np
import pytest

import prfast
from prfast.cli.parser import main
from prfast.curve.summary import legend
from prfast.scalars.measure import Halves, half_width
from prfast.scalars.table import SET_METRICS

RNG = np.random.default_rng(0)
REAL, FAKE, OTHER = RNG.normal(size=(160, 5)), RNG.normal(size=(120, 5)), RNG.normal(size=(90, 5))
FAKE *= 1.3
NEW = ("authenticity", *SET_METRICS)


def test_an_evaluator_gives_the_same_bits_for_every_model():
    """What is kept of the reference is found for the first model, and no other reference has it."""
    evaluator = prfast.Evaluator(REAL, "knn", which=NEW)
    for fake in (FAKE, OTHER, FAKE):
        expected = prfast.metrics(REAL, fake, which=NEW)
        for found in (evaluator.metrics(fake), evaluator.evaluate(fake).metrics):
            assert (found, found.errors) == (expected, expected.errors)
    swapped = prfast.Evaluator(FAKE, "knn", which=NEW)
    assert swapped.metrics(REAL) == prfast.metrics(FAKE, REAL, which=NEW)


def test_an_interval_ends_where_its_metric_does():
    """Two halvings that differ by chance give a ± beyond what a share can be."""
    wide = Halves({"precision": np.array([0.4, 0.5]), "density": np.array([0.4, 0.5])})
    for name, value, most in (("precision", 0.75, 0.75), ("precision", 1.0, 1.0)):
        assert half_width(name, value, {}, wide) == most
    assert half_width("density", 0.75, {}, wide) == wide.half_width("density", 0.95) > 1


def test_a_comparison_tells_the_error_as_its_half_width():
    evaluator = prfast.Evaluator(REAL, "knn", 5, which=("recall", "kernel_distance"))
    models = evaluator.compare({"a": FAKE, "b": OTHER})
    for row, one in zip(models.rows(0.95), models.values(), strict=True):
        error = one.metrics.errors["kernel_distance"]
        assert row["kernel_distance ±"] == pytest.approx(1.959964 * error, rel=1e-6)
        assert "recall ±" not in row  # halvings tell that
    (line,) = (x for x in str(models).splitlines() if x.startswith("kernel_distance"))
    assert re.fullmatch(r"kernel_distance( +-?0\.\d{6} ± 0\.\d{6}){2}", line)
    halved = prfast.Evaluator(REAL, "knn", 5, which=SET_METRICS, halvings=3).compare({"a": FAKE})
    row, one = halved.rows(0.95)[0], halved["a"]
    assert row["frechet_distance ±"] == one.halves.half_width("frechet_distance", 0.95)
    error = one.metrics.errors["kernel_distance"]  # its own is the better one
    assert row["kernel_distance ±"] == pytest.approx(1.959964 * error, rel=1e-6)
    assert "kernel_distance" in one.halves.values


def test_classes_alone_have_them_and_among_all_they_are_refused():
    labels = np.arange(160) % 2, np.arange(120) % 2
    found = prfast.by_class(REAL, FAKE, *labels, "knn", which=NEW, neighbors="class")
    for label in (0, 1):
        expected = prfast.metrics(REAL[label::2], FAKE[label::2], which=NEW)
        assert found.metrics[label] == expected
        assert expected.text("kernel_distance") in str(found)
        row = found.rows()[label]
        half = 1.959964 * expected.errors["kernel_distance"]
        assert row["kernel_distance ±"] == pytest.approx(half, rel=1e-6)
        assert "frechet_distance ±" not in row
    with pytest.raises(
        ValueError,
        match="which: metrics that are means over samples expected with neighbors='all', got "
        "frechet_distance and kernel_distance; neighbors='class' has them",
    ):
        prfast.by_class(REAL, FAKE, *labels, "knn", which="all")


def test_a_class_of_one_sample_is_left_out_with_the_reason():
    labels = np.zeros(160, int), (np.arange(120) == 0).astype(int)
    labels[0][:50] = 1
    found = prfast.by_class(
        REAL, FAKE, *labels, "knn", 1, which="frechet_distance", neighbors="class", split=None
    )
    assert found.left_out[1] == "fake: at least 2 samples expected for frechet_distance, got 1"


# ---- files and pages ---------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, rows in (("real", REAL), ("a", FAKE), ("b", OTHER)):
        np.save(f"{name}.npy", rows)
    return tmp_path


def test_the_command_prints_and_writes_them_with_their_errors(folder, capsys):
    arguments = ["--which", "all", "--json", "m.json"]
    assert main(["metrics", "real.npy", "a.npy", "b.npy", *arguments]) == 0
    expected = [prfast.metrics(REAL, fake, which="all") for fake in (FAKE, OTHER)]
    printed = capsys.readouterr().out.splitlines()
    for name in NEW:
        (line,) = (x for x in printed if x.split()[:1] == [name])
        assert re.split(" {2,}", line)[1:] == [one.text(name) for one in expected]
    assert legend(of_scorer=False) in printed
    for record, one in zip(
        json.loads((folder / "m.json").read_text())["metrics"], expected, strict=True
    ):
        assert {name: record[name] for name in one} == dict(one)
        assert record["errors"] == dict(one.errors)
