"""The page of a report: numbers, bands, contradictions, provenance, and names as text."""

import re
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from curves import DROPS, GOOD
from helpers import noise, structured
from pages import EVIL, data_of, page_of, text_of

import prfast
from prfast import Evaluator, Metrics, PRCurve, pr_curve
from prfast.comparison import Evaluation
from prfast.curve.summary import ROWS
from prfast.estimate.profiles import range_text
from prfast.reference import GaussianShift
from prfast.report.content import about_bands, band_points, without_folders
from prfast.scalars.measure import Halves
from prfast.scalars.table import NAMES, TABLE

DAY = date(2026, 11, 20)


@pytest.fixture(scope="module")
def comparison(real, fake):
    return Evaluator(real, "knn", k=7).compare({"one": fake, EVIL: fake[:100] * 0.5})


@pytest.fixture(scope="module")
def page(tmp_path_factory, comparison):
    folder = tmp_path_factory.mktemp("report")
    return page_of(folder, comparison, title="A title & more", day=DAY)


def table_of(page, caption):
    return page[page.index(f"<caption>{caption}") :].partition("</table>")[0]


def test_the_page_has_every_number_and_option(page, real, fake):
    text = text_of(page)
    one = pr_curve(real, fake, "knn", k=7)
    metrics = prfast.metrics(real, fake)
    for number in (one.area, one.f_score(8), one.f_score(1 / 8), one.recall_at(0.9)):
        assert f"{number:.4f}" in text
    for name, value in metrics.items():
        assert name.replace("_", " ") in text
        assert f"{value:.4f}" in text
    for key, value in one.info.items():
        assert f"curve: {key} {value}" in text or key in ("n_fake", "scored_fake")
    assert "metrics: ties closed" in text
    assert f"numpy {np.__version__}" in text
    assert "one 150 75 150" in text
    assert text.startswith("A title & more A title & more Written 2026-11-20 Features model not")


def test_names_are_text_everywhere(page):
    assert "<img" not in page
    assert EVIL in text_of(page)
    data = re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1]
    assert "<" not in data
    assert data_of(page)["names"] == ["one", EVIL]


def test_the_page_requests_nothing(page):
    own = re.sub(r"<script>.*?</script>|<wbr>", "", page, flags=re.DOTALL)
    own = re.sub(r"(?<=>)[^<]*</", "</", own)
    own = re.sub(r'data-key="[^"]*"', "", own)
    assert not re.search(r"<link|<iframe|<img|src=|href=\"[^#]|url\(|@import", own)
    assert "default-src 'none'" in own


def test_programs_cannot_end_their_element(tmp_path, monkeypatch):
    monkeypatch.setattr("prfast.report.write.load_libraries", lambda: ('"</script><!--"', "6"))
    page = page_of(tmp_path, {"a": GOOD})
    assert r'<script>"<\/script><\!--"</script>' in page
    assert page.count("</script") == page.count("<script") == 3


def test_sort_keys_are_the_numbers_with_all_digits(page, comparison):
    table = table_of(page, "Numbers of the curves")
    area = comparison["one"].curve.area
    half = comparison["one"].curve.interval("area")
    assert (
        f'<td data-key="{area!r}">{area:.4f} <span class="spread">± {half.half_width:.4f}</span>'
    ) in table
    assert table.count('aria-sort="none"') == table.count('<button type="button">') == 7
    assert 'data-first="descending"' in table


def test_distances_sort_with_the_smallest_first_and_show_their_digits(tmp_path, real, fake):
    which = ["precision", "frechet_distance", "kernel_distance"]
    models = Evaluator(real, "knn", which=which).compare({"a": fake, "b": fake[:100]})
    page = page_of(tmp_path, models)
    table = table_of(page, "Metrics")
    assert re.findall(r'data-first="(\w+)"', table)[1:] == ["descending", "ascending", "ascending"]
    text = text_of(table)
    assert f"{models['a']['frechet_distance']:.4f}" in text
    assert models["a"].metrics.text("kernel_distance") in text
    assert "Smaller is better." in text_of(page[page.index("<dt>kernel distance") :])


@pytest.mark.parametrize(("error", "contradicts"), [(0.001, True), (0.5, False)])
def test_a_metric_contradicts_the_curves_if_its_difference_is_clear(tmp_path, error, contradicts):
    """F8 of the second model is lower, its recall is higher."""
    halves = Halves({"recall": np.full(12, error)})
    models = {
        name: Evaluation({("knn", 3): curve}, Metrics({"recall": recall}), halves=halves)
        for name, curve, recall in (("good", GOOD, 0.6), ("drops", DROPS, 0.9))
    }
    text = text_of(page_of(tmp_path, models))
    assert ("The metric recall is higher for drops than for good" in text) is contradicts


# ---- heading -------------------------------------------------------------------------------------


def test_the_heading_has_day_features_and_sizes(tmp_path):
    record = {"model": "inception-v3", "weights": "imagenet", "recorded": ["real"]}
    record["versions"] = {"torch": "2.1"}
    info = {"n_real": 900, "n_fake": 800, "n_features": 2048, "features": record}
    one = PRCurve.from_masses([1, 2], [2, 1], info=info)
    other = PRCurve.from_masses([1, 2], [2, 1], info=info | {"n_fake": 700})
    models = {"runs/7/one.npy": one, "runs/7/other.npy": other}
    text = text_of(page_of(tmp_path, models, day=DAY))
    assert (
        "one.npy and other.npy against real samples Written 2026-11-20 "
        "Features inception-v3, imagenet, not recorded of the generated samples, 2048 numbers a "
        "sample Real samples 900 Generated samples 700 to 800 "
        "Folder of all models runs/7/ In words" in text
    )
    assert "features: versions torch 2.1" in text
    assert "curve: features" not in text


def test_names_lose_their_common_folders():
    assert without_folders(["a/b/x", "a/b/y/z"]) == (["x", "y/z"], "a/b/")
    assert without_folders(["C:\\a\\x", "C:\\a\\y"]) == (["x", "y"], "C:\\a\\")
    assert without_folders(["a/b/x", "a/b/y", "a/c/z"]) == (["b/x", "b/y", "c/z"], "a/")
    for names in (["a/b"], ["ab", "ac"], ["a/", "a/b"], ["a/x", "b/x"]):
        assert without_folders(names) == (names, "")


# ---- confidence bands ----------------------------------------------------------------------------

PAIR = GaussianShift(1.0, 2)
COUNTED = pr_curve(*PAIR.sample(200), PAIR.log_ratio)
FOLDED = PRCurve.from_dict(COUNTED.to_dict() | {"info": dict(COUNTED.info) | {"folds": 10}})
UNCOUNTED = PRCurve.from_masses([0.3, 0.4, 0.3], [0.28, 0.42, 0.3])


def test_bands_are_those_of_the_curve(tmp_path):
    page = page_of(tmp_path, {"a": COUNTED, "b": UNCOUNTED}, confidence=0.9)
    band, none = data_of(page)["bands"]
    assert none is None
    x, y = COUNTED.upper(0.9).outline()
    assert band["upper"] == {"x": x.tolist(), "y": y.tolist()}
    lower, upper = (one.outline() for one in COUNTED.band(0.9))
    np.testing.assert_array_equal(band["x"], np.append(upper[0], lower[0][::-1]))
    np.testing.assert_array_equal(band["y"], np.append(upper[1], lower[1][::-1]))
    assert band["certified"] is True
    text = text_of(page)
    assert "Bands: with 90 % confidence the scorer's own curve, on endless samples, lies" in text
    assert "No band of b: the curve counts no samples." in text
    assert "bands: confidence 0.9" in text


def test_empirical_bands_are_named():
    bands = [band_points(curve, 0.95) for curve in (COUNTED, FOLDED, FOLDED)]
    assert [band["certified"] for band in bands] == [True, False, False]
    assert about_bands(["a", "b", "c"], bands, 0.95).endswith(
        "Of b and c this is empirical, not certified: the samples were scored without a split or "
        "in folds."
    )
    assert "empirical" not in about_bands(["a"], bands[:1], 0.95)


# ---- resolutions ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def smoothed(real, fake):
    evaluator = Evaluator(real, "knn", which=["precision"], resolutions=[0, 0.5, 2])
    return evaluator.compare({"near": fake, "far": fake + 100})


def test_profiles_have_a_section_with_their_numbers(tmp_path, smoothed):
    page = page_of(tmp_path, {**smoothed, "without": UNCOUNTED})
    near, far = smoothed.profiles.values()
    half, matching = near.half_resolution, near.matching_resolution
    table = table_of(page, "Resolutions, and the coarse area")
    assert f'<td data-key="{half.value!r}">' in table
    # Resolutions that are not reached.
    assert table.count('<td data-key="Infinity">above 2</td>') == 2
    assert f"{range_text(matching, 0, 2)} {near.coarse_area:.4f}" in text_of(table)
    assert "without – – –" in text_of(table)
    assert re.findall(r'data-first="(\w+)"', table)[1:] == ["ascending", "ascending", "descending"]
    areas = [f"{one:.4f}" for one in near.intervals("area")]
    assert f"near {' '.join(areas)}" in text_of(table_of(page, "Area at each resolution"))
    text = text_of(page)
    reading = text.partition("In words")[2].partition("To bear in mind")[0]
    for one in (near, far):
        assert " ".join(one.sentences()) in reading
    for term in ("half resolution", "matching resolution", "coarse area"):
        assert f"<dt>{term}</dt>" in page
    made = text_of(page_of(tmp_path, smoothed)).partition("How it was computed")[2]
    unit = "standard deviations of each feature of the real set"
    assert f"profile: resolutions 0, 0.5, 2 profile: noise scale std profile: unit {unit}" in made


def test_the_lines_of_profiles_go_through_their_areas(tmp_path, smoothed):
    data = data_of(page_of(tmp_path, {**smoothed, "without": UNCOUNTED}))["profiles"]
    assert data["ticks"]["text"] == ["0", "0.5", "2"]
    assert data["ticks"]["at"] == pytest.approx([0, np.log(2), np.log(5)])
    assert data["models"][2] is None
    for line, profile in zip(data["models"], smoothed.profiles.values(), strict=False):
        assert line["points"]["x"] == data["ticks"]["at"]
        for end in ("value", "low", "high"):
            through = [line[end][line["x"].index(x)] for x in data["ticks"]["at"]]
            expected = [getattr(one, end) for one in profile.intervals("area")]
            assert through == pytest.approx(expected, abs=1e-6)
        assert line["points"]["at"][1][:2] == ["0.5", f"{profile.curves[0.5].area:.4f}"]


def test_a_page_without_profiles_does_not_mention_resolutions(page):
    assert data_of(page)["profiles"] is None
    assert "resolution" not in text_of(page)


# ---- contradictions ------------------------------------------------------------------------------

BOX = '<div class="alert" role="note"'
CONTRADICTION = (
    "knn cannot see how unlike the generated samples are: by its curve most of them look real"
)


def box_of(page):
    return text_of(page[page.index(BOX) : page.index("<section")])


@pytest.mark.filterwarnings("ignore::prfast.Contradiction")
def test_contradictions_are_in_a_box_above_all_else(tmp_path):
    real, junk = structured(300, 0), noise(300, 0)
    evaluator = Evaluator(real, ("ipr", "knn"), which=["precision"])
    page = page_of(tmp_path, evaluator.compare({EVIL: junk, "good": structured(300, 1)}))
    assert page.index("<h1>") < page.index(BOX) < page.index("<section")
    box = box_of(page)
    assert box.startswith("Numbers here contradict each other")
    assert CONTRADICTION in box
    assert "knn cannot see a difference that ipr sees" in box
    assert "good" not in box.split(":", 1)[0]
    reading = text_of(page[page.index('id="reading"') : page.index('id="curves"')])
    assert reading.count("Its numbers contradict each other: see above. good is more") == 1
    alone = page_of(tmp_path, {"noise": pr_curve(real, junk, "knn")})
    assert CONTRADICTION in box_of(alone)
    assert "curve: caution" not in alone


# ---- words ---------------------------------------------------------------------------------------


ROOT = Path(__file__).resolve().parents[2]


def test_every_number_on_the_page_is_in_the_glossary_and_no_other(tmp_path):
    page = page_of(tmp_path, {"a": GOOD, "b": DROPS})
    heads = re.findall(r'<button type="button">([^<]*)</button></th>', page)
    titles = {re.sub(r"[\d.]+$", "x", one) for one in heads} - {"model", "Fx", "F1/x"}
    titles |= {one for one in heads if one.startswith("F")}
    terms = re.findall(
        r"<dt>([^<]*)</dt>", page[page.index('id="glossary"') :].split("</section>")[0]
    )
    assert set(terms) == titles | {"λ", "precision at λ", "recall at λ", "±", "band"}
    assert len(terms) == len(set(terms))
    for row in ROWS:
        assert (row.says in text_of(page)) == (row.title in titles)
        assert (row.formula in text_of(page)) == (row.title in titles)


def test_the_documentation_has_the_same_words():
    page = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")
    for row in ROWS:
        if row.more:
            line = [row.title, row.more, row.says]
            assert f"| {' | '.join(line)} |" in page


def test_metrics_are_explained_by_their_rows(tmp_path):
    model = Evaluation({("given", None): GOOD}, Metrics(dict.fromkeys(NAMES, 0.5)))
    page = page_of(tmp_path, {"a": model}, confidence=None)
    glossary = page[page.index("<h3>Metrics, not of the curves") :]
    terms = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", glossary.split("</section>")[0])
    assert [title for title, _ in terms] == [*(name.replace("_", " ") for name in NAMES), "±"]
    for name, (_, text) in zip(NAMES, terms[:-1], strict=True):
        row = TABLE[name]
        assert text_of(text).startswith(row.says)
        assert row.says.endswith(".")
        assert ("Smaller is better." in text) is not row.larger_is_better
    assert "or its own error." in terms[-1][1]
