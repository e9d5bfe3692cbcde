"""Every number of a curve is a row, and stands in the tables that the row names."""

import json
import math
import re

import numpy as np
import pytest
from refusals import refused

from prfast import PRCurve
from prfast.cli import main
from prfast.cli.demo import Case, legend, table
from prfast.comparison.results import Comparison, Evaluation
from prfast.curve import summary
from prfast.reference import GaussianShift
from prfast.scalars import metrics

REAL, FAKE = GaussianShift(1.0, 2).sample(60, 50)
CURVE = PRCurve.from_masses([3, 2, 1, 0], [0, 2, 3, 1], info={"n_real": 60, "n_fake": 60})
TABLES = ("json", "table", "repr", "report", "ends", "comparison", "demo", "interval")


def titles(name):
    return [row.title for row in summary.shown(name)]


def test_rows_are_whole():
    for row in summary.ROWS:
        assert row.key
        assert row.title
        assert row.says.endswith(".")
        assert row.formula
        assert row.places
        assert set(row.places) <= set(TABLES)
        assert math.isfinite(row.value(CURVE))
    for name in ("key", "title", "value"):
        assert len({getattr(row, name) for row in summary.ROWS}) == len(summary.ROWS)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_shows_the_rows_that_say_so(name):
    shown = summary.shown(name)
    assert shown
    assert {row.key for row in shown} == {r.key for r in summary.ROWS if name in r.places}
    places = [row.places[name] for row in shown]
    assert places == sorted(set(places))


def test_numbers_in_which_less_is_better_are_0_for_equal_distributions():
    equal = PRCurve.from_masses([1, 2], [1, 2])
    for row in summary.ROWS:
        if row.key != "median_lambda":
            assert row.value(equal) == row.larger_is_better
            assert (row.value(CURVE) < row.value(equal)) == row.larger_is_better


def test_the_command_line_shows_its_rows(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("real.npy", REAL)
    np.save("fake.npy", FAKE)
    assert main(["curve", "real.npy", "fake.npy", "--json", "out.json"]) == 0
    head, line, *_ = capsys.readouterr().out.splitlines()
    assert re.split(r"\s{2,}", head.strip()) == titles("table")
    (record,) = json.loads((tmp_path / "out.json").read_text())["curves"]
    curve = PRCurve.from_dict(record["curve"])
    assert [float(x) for x in line.split()[1:] if not x.startswith("±")] == [
        round(row.value(curve), 3) for row in summary.shown("table")
    ]
    for row in summary.shown("json"):
        assert record[row.key] == row.value(curve)


def test_a_curve_and_a_comparison_show_their_rows():
    for row in summary.shown("repr"):
        assert f"{row.title} {row.value(CURVE):.4g}" in repr(CURVE)
    one = Evaluation({("knn", 3): CURVE}, metrics(REAL, FAKE, 3, "recall"))
    (found,) = Comparison({"a": one}).rows()
    for row in summary.shown("comparison"):
        assert found[f"knn k=3: {row.title}"] == row.value(CURVE)


def test_a_report_shows_its_rows(tmp_path):
    pytest.importorskip("plotly", reason="the extra 'report' is not installed")
    from prfast.report import write_report

    write_report({"a": CURVE}, str(tmp_path / "r.html"))
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    start = page.index("<caption>Numbers of the curves")
    text = page[start : page.index("</table>", start)]
    heads = re.findall(r'data-first="(\w+)"><button type="button">([^<]*)<', text)
    directions = {True: "descending", False: "ascending"}
    assert heads[1:] == [
        (directions[row.larger_is_better], row.title) for row in summary.shown("report")
    ]
    keys = [float(key) for key in re.findall(r'<td data-key="([^"]*)"', text)]
    assert keys == [row.value(CURVE) for row in summary.shown("report")]


def test_the_demo_shows_its_rows():
    names, heads, line = table([Case(5, CURVE, {"one": CURVE, "two": CURVE})])
    assert names.split() == ["rectangle", "one", "two"]
    assert heads.split() == ["q", "max", "prec.", "max", "rec.", *[*titles("demo"), "IoU"] * 2]
    values = [row.value(CURVE) for row in summary.shown("demo")]
    assert [float(x) for x in line.split()[3:]] == [*(round(x, 3) for x in values), 1] * 2


def test_the_demo_says_what_its_rows_are():
    said = dict(line.split(maxsplit=1) for line in legend())
    assert list(said) == [*titles("demo"), "IoU"]
    for row in summary.shown("demo"):
        assert said[row.title] == row.says


def test_a_number_goes_by_its_key_or_title_or_is_a_function():
    assert summary.read_row("number", "f1_8") is summary.f_1_8
    assert summary.read_row("number", len) is len
    keys = ", ".join(row.key for row in summary.ROWS)
    for row in summary.ROWS:
        assert summary.read_row("number", row.title) is row.value
    with refused(ValueError, "number: one of fidelity, diversity, area, overlap, f8, "):
        summary.read_row("number", "F9")
    with refused(
        ValueError,
        f"number: one of {keys}, or a function of a curve expected, "
        "got 'fidelty'; did you mean 'fidelity'?",
    ):
        summary.read_row("number", "fidelty")
    with refused(TypeError, "number: a name or a function of a curve expected, got float"):
        summary.read_row("number", 8.0)
