"""Metrics of both sets as wholes, wherever metrics go: the same numbers, or words where there are
none."""

import json
import re

import numpy as np
import pytest
from pages import text_of

import prfast
from prfast.cli.parser import main
from prfast.curve.curve import legend
from prfast.scalars.result import Halves, half_width
from prfast.scalars.table import SET_METRICS, TABLE

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


def test_units_that_one_model_asks_for_do_not_stay_for_the_next():
    evaluator = prfast.Evaluator(REAL, "knn", which="frechet_distance")
    for fake in (FAKE, 1e150 * FAKE, FAKE):
        assert evaluator.metrics(fake) == prfast.metrics(REAL, fake, which="frechet_distance")


def test_metrics_are_pickled_with_their_errors():
    import pickle

    found = prfast.metrics(REAL, FAKE, which="kernel_distance")
    again = pickle.loads(pickle.dumps(found))
    assert (again, again.errors, again.info) == (found, found.errors, found.info)
    with pytest.raises(TypeError):
        found.errors["kernel_distance"] = 0.0


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
    assert re.fullmatch(r"kernel_distance( +-?0\.\d{6} ±\.\d{6} *){2}", line)
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


def test_errors_are_in_what_becomes_of_metrics():
    found = prfast.metrics(REAL, FAKE, which=("recall", "kernel_distance"))
    error = found.errors["kernel_distance"]
    assert found.to_dict()["errors"] == {"kernel_distance": error}
    assert "errors" not in prfast.metrics(REAL, FAKE, which="recall").to_dict()
    assert found.text("kernel_distance") in found._repr_html_()
    models = prfast.Evaluator(REAL, "knn", 5, which=("recall", "kernel_distance"))
    assert models.evaluate(FAKE).to_dict()["errors"] == {"kernel_distance": error}
    half = models.evaluate(FAKE).numbers(0.95)["kernel_distance"][1]
    assert f"{found.kernel_distance:.6f} ± {half:.6f}" in models.evaluate(FAKE)._repr_html_()


def test_a_table_of_pandas_has_a_column_of_half_widths():
    pytest.importorskip("pandas", reason="to_frame is a table of pandas")
    found = prfast.metrics(REAL, FAKE, which=("recall", "kernel_distance"))
    table = found.to_frame()
    assert table["half_width"].isna().tolist() == [True, False]
    half = 1.959964 * found.errors["kernel_distance"]
    assert table.loc["kernel_distance", "half_width"] == pytest.approx(half, rel=1e-6)
    assert list(prfast.metrics(REAL, FAKE, which="recall").to_frame()) == ["value"]


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


def test_the_command_names_what_others_call_otherwise(folder, capsys):
    assert _status(["metrics", "real.npy", "a.npy", "--which", "fid"]) == 2
    assert "frechet_distance expected, which is the name of 'fid' here" in capsys.readouterr().err


def _status(arguments):
    try:
        return main(arguments)
    except SystemExit as stop:
        return stop.code


def test_a_report_has_them_with_errors_and_the_smaller_first(folder):
    evaluator = prfast.Evaluator(REAL, "knn", 5, which=("recall", *SET_METRICS))
    models = evaluator.compare({"a": FAKE, "b": OTHER})
    models.report("r.html")
    page = (folder / "r.html").read_text(encoding="utf-8")
    shown = models["a"].metrics.text("kernel_distance")
    assert shown in text_of(page)
    # Also where halves of the samples would tell another.
    halved = prfast.Evaluator(REAL, "knn", 5, which=SET_METRICS, halvings=3).compare({"a": FAKE})
    halved.report("h.html")
    assert shown in text_of((folder / "h.html").read_text(encoding="utf-8"))
    heads = re.findall(r'data-first="(\w+)"><button type="button">([^<]+)<', page)
    firsts = {title: first for first, title in heads}
    assert firsts["frechet distance"] == firsts["kernel distance"] == "ascending"
    assert firsts["recall"] == "descending"


def test_which_way_is_better_is_in_the_table():
    assert [name for name, row in TABLE.items() if not row.larger_is_better] == list(SET_METRICS)
