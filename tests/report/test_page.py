"""The page of a report: numbers, options, names as text, and nothing from elsewhere."""

import html
import json
import math
import re
from datetime import date

import numpy as np
import pytest
from reports import DROPS, EVIL, GOOD, text_of

import prfast
from prfast import Evaluator, PRCurve, pr_curve
from prfast.report import write_report
from prfast.report.cautions import Column, table, without_folders
from prfast.report.content import facts
from prfast.results.values import shortened

DAY = date(2026, 11, 20)


@pytest.fixture(scope="module")
def page(tmp_path_factory, real, fake):
    pytest.importorskip("plotly", reason="the extra 'report' is not installed")
    path = tmp_path_factory.mktemp("report") / "report.html"
    comparison = Evaluator(real, "knn", k=7).compare({"one": fake, EVIL: fake[:100] * 0.5})
    comparison.report(str(path), title="A title & more", day=DAY)
    return path.read_text(encoding="utf-8")


def test_the_page_holds_every_number_and_option(page, real, fake):
    text = text_of(page)
    one = pr_curve(real, fake, "knn", k=7)
    found = prfast.metrics(real, fake)
    for number in (one.area, one.f_score(8), one.f_score(1 / 8), one.recall_at(0.9)):
        assert f"{number:.4f}" in text
    for name, value in found.items():
        assert name.replace("_", " ") in text
        assert f"{value:.4f}" in text
    for key, value in one.info.items():
        assert f"curve: {key} {value}" in text or key in ("n_fake", "scored_fake")
    assert "metrics: cover_factor 3" in text
    assert f"numpy {np.__version__}" in text
    assert "one 150 75 150" in text
    assert text.startswith("A title & more A title & more Written 2026-11-20 Features model not")


def test_names_are_text_wherever_they_stand(page):
    assert "<img" not in page
    assert html.escape(EVIL) in page
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert "<" not in data[1]
    assert json.loads(data[1])["names"] == ["one", EVIL]


def test_the_page_asks_for_nothing(page):
    own = re.sub(r"<script>.*?</script>|<wbr>", "", page, flags=re.DOTALL)
    own = re.sub(r"(?<=>)[^<]*</", "</", own).replace(html.escape(EVIL), "")
    assert not re.search(r"<link|<iframe|<img|src=|href=\"[^#]|url\(|@import", own)
    assert "default-src 'none'" in own


def test_the_same_models_give_the_same_page(tmp_path, page, real, fake):
    Evaluator(real, "knn", k=7).compare({"one": fake, EVIL: fake[:100] * 0.5}).report(
        str(tmp_path / "again.html"), title="A title & more", day=DAY
    )
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == page


def test_keys_of_sorting_are_the_numbers_themselves():
    found = table("T", ["a", "b"], [Column("x", [1 / 3, math.nan], [0.01, math.nan])])
    assert f'<td data-key="{1 / 3!r}">0.3333 <span class="spread">± 0.0100</span></td>' in found
    assert '<td data-key="">–</td>' in found
    assert found.count('aria-sort="none"') == found.count('<button type="button">') == 2
    assert 'data-first="descending"' in found


def test_distances_sort_with_the_smallest_first_and_show_their_digits(tmp_path, real, fake):
    pytest.importorskip("plotly", reason="the extra 'report' is not installed")
    which = ["precision", "frechet_distance", "kernel_distance"]
    found = Evaluator(real, "knn", which=which).compare({"a": fake, "b": fake[:100]})
    found.report(str(tmp_path / "r.html"))
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    table = page[page.index("<caption>Metrics") :].partition("</table>")[0]
    assert re.findall(r'data-first="(\w+)"', table)[1:] == ["descending", "ascending", "ascending"]
    text = text_of(table)
    assert f"{found['a']['frechet_distance']:.4f}" in text
    assert found["a"].metrics.text("kernel_distance") in text
    assert "Smaller is better." in text_of(page[page.index("<dt>kernel distance") :])


def test_the_heading_says_day_features_and_sizes(tmp_path):
    pytest.importorskip("plotly", reason="the extra 'report' is not installed")
    record = {"model": "inception-v3", "weights": "imagenet", "recorded": ["real"]}
    record["versions"] = {"torch": "2.1"}
    info = {"n_real": 900, "n_fake": 800, "n_features": 2048, "features": record}
    one = PRCurve.from_masses([1, 2], [2, 1], info=info)
    other = PRCurve.from_masses([1, 2], [2, 1], info=info | {"n_fake": 700})
    models = {"runs/7/one.npy": one, "runs/7/other.npy": other}
    write_report(models, str(tmp_path / "r.html"), day=DAY)
    text = text_of((tmp_path / "r.html").read_text(encoding="utf-8"))
    assert (
        "one.npy and other.npy against real samples Written 2026-11-20 "
        "Features inception-v3, imagenet, not recorded of the generated samples, 2048 numbers a "
        "sample Real samples 900 Generated samples 800 of one.npy and 700 of other.npy "
        "Folder of all models runs/7/ In words" in text
    )
    assert "features: versions torch 2.1" in text
    assert "curve: features" not in text


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ([None], "not recorded"),
        ([5], "5"),
        ([5, 5], "5 of each model"),
        ([5, 6, None], "5 of m0, 6 of m1 and not recorded of m2"),
        ([1, 2, 3, 4, 5], "1 to 5 a model"),
    ],
)
def test_generated_samples_in_the_heading(sizes, said):
    infos = [[{}] if size is None else [{"n_fake": size}] for size in sizes]
    names = [f"m{i}" for i in range(len(sizes))]
    assert dict(facts(names, infos, DAY))["Generated samples"] == said


def test_many_models_are_counted_and_folded(tmp_path):
    pytest.importorskip("plotly", reason="the extra 'report' is not installed")
    models = {f"a/model-with-a-long-name-{i}": (GOOD, DROPS)[i % 2] for i in range(12)}
    write_report(models, str(tmp_path / "r.html"), day=DAY)
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    text = text_of(page)
    assert text.startswith("12 models against real samples")
    assert "<details><summary>Each of the 12 models</summary>" in page
    assert f"Behind: model-with-a-long-name-1 ({DROPS.area:.3f}), " in text


def test_names_lose_the_folders_that_they_share():
    assert without_folders(["a/b/x", "a/b/y/z"]) == (["x", "y/z"], "a/b/")
    assert without_folders(["C:\\a\\x", "C:\\a\\y"]) == (["x", "y"], "C:\\a\\")
    for names in (["a/b"], ["ab", "ac"], ["a/", "a/b"], ["a/x", "b/x"]):
        assert without_folders(names) == (names, "")


def test_long_lists_are_cut():
    assert shortened(list("abcdefg")) == "a, b, c, d, e, f and g"
    assert shortened(list("abcdefgh")) == "a, b, c, d, e, f and 2 others"


def test_curves_alone_are_enough(tmp_path):
    pytest.importorskip("plotly", reason="the extra 'report' is not installed")
    path = tmp_path / "r.html"
    write_report({"a": DROPS, "b": PRCurve.from_masses([1], [1])}, str(path), order=2.0)
    text = text_of(path.read_text(encoding="utf-8"))
    assert "Metrics" not in text
    assert "frontier: order 2" in text
    assert "a and b against real samples" in text


def test_curves_that_are_not_shown_are_named(tmp_path, real, fake):
    pytest.importorskip("plotly", reason="the extra 'report' is not installed")
    path = tmp_path / "r.html"
    Evaluator(real, ["ipr", "knn"], [3, "sqrt"]).compare({"a": fake}).report(str(path))
    text = text_of(path.read_text(encoding="utf-8"))
    assert "curves not shown knn k=3, ipr k=sqrt, knn k=sqrt" in text
    assert f"{pr_curve(real, fake, 'ipr', 3).area:.4f}" in text


def test_names_that_are_no_utf_8(tmp_path):
    pytest.importorskip("plotly", reason="the extra 'report' is not installed")
    write_report({"a\udcff.npy": GOOD}, str(tmp_path / "r.html"))
    assert "a?.npy" in (tmp_path / "r.html").read_text(encoding="utf-8")
