"""Contradictions at the top of a report, and on the terminal beside it."""

import numpy as np
import pytest
from reports import EVIL, GOOD, curve, text_of
from structured import noise, structured

from prfast import Contradiction, Evaluator, pr_curve
from prfast.cli.parser import main
from prfast.methods import METHODS
from prfast.report import write_report
from prfast.report.cautions import alerts

pytestmark = pytest.mark.filterwarnings("ignore::prfast.Contradiction")
REAL, NOISE = structured(300, 0), noise(300, 0)
BOX = '<div class="alert" role="note"'
SAID = "knn cannot see how unlike the generated samples are: by its curve most of them look real"


def write(models, tmp_path):
    pytest.importorskip("plotly", reason="the extra 'report' is not installed")
    write_report(models, str(tmp_path / "r.html"))
    return (tmp_path / "r.html").read_text(encoding="utf-8")


def test_the_box_stands_above_all_else_and_names_the_model(tmp_path):
    models = {EVIL: NOISE, "good": structured(300, 1)}
    page = write(Evaluator(REAL, "knn", which=["precision"]).compare(models), tmp_path)
    assert page.index("<h1>") < page.index(BOX) < page.index("<section")
    assert EVIL not in page
    box = text_of(page[page.index(BOX) : page.index("<section")])
    assert box.startswith("Numbers here contradict each other")
    assert SAID in box
    words = text_of(page[page.index('id="reading"') : page.index('id="curves"')])
    assert words.count("Its numbers contradict each other: see above. It misses") == 1
    assert "good" not in box.split(":", 1)[0]


def test_a_curve_with_a_caution_has_the_box_and_no_row_of_it(tmp_path):
    page = write({"noise": pr_curve(REAL, NOISE, "knn")}, tmp_path)
    assert SAID in text_of(page[page.index(BOX) : page.index("<section")])
    assert "curve: caution" not in page


def test_no_box_without_a_contradiction(tmp_path):
    page = write({"a": GOOD}, tmp_path)
    assert BOX not in page
    assert alerts({"a": GOOD}) == []


def test_curves_that_contradict_each_other_are_told():
    far = Evaluator(REAL, ("ipr", "knn"), which="recall").evaluate(NOISE)
    ((name, (own, said)),) = alerts({"noise": far, "plain": curve([1, 2], [2, 1])})
    assert name == "noise"
    assert own.startswith(SAID)
    assert said.startswith("knn cannot see a difference that ipr sees")


# ---- the command line ----------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("real.npy", REAL)
    np.save("noise.npy", NOISE)
    return tmp_path


@pytest.mark.filterwarnings("error")
def test_commands_say_it_as_notes(folder, capsys):
    assert main(["curve", "real.npy", "noise.npy", "--method", "knn"]) == 0
    printed = capsys.readouterr()
    few, said = printed.err.splitlines()
    assert few.startswith("prfast: note: noise.npy: Few samples, 150 real and 150 generated")
    assert said.startswith(f"prfast: note: noise.npy: {SAID}")
    assert "cannot see" not in printed.out
    pytest.importorskip("plotly", reason="the extra 'report' is not installed")
    arguments = ["--method", "knn", "-o", "r.html", "--names", "N", "--which", "precision"]
    assert main(["report", "real.npy", "noise.npy", *arguments]) == 0
    _, said = capsys.readouterr().err.splitlines()
    assert said.startswith(f"prfast: note: N: {SAID}")


def test_python_warns_where_the_commands_note():
    with pytest.warns(Contradiction, match=SAID):
        pr_curve(REAL, NOISE, "knn")
    assert METHODS["knn"].blind
