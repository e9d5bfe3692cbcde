"""The page of a report: numbers, bands, contradictions, provenance, and names as text."""

import re
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from curves import DROPS, GOOD
from helpers import noise, structured
from pages import EVIL, page_of, text_of

import prfast
from prfast import Evaluator, Metrics, PRCurve, pr_curve
from prfast.comparison import Evaluation
from prfast.curve.summary import ROWS
from prfast.estimate.profile_notes import range_text
from prfast.reference import GaussianShift
from prfast.report.content import about_bands, known_band, without_folders
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
    overview = text_of(table_of(page, "A row a model"))
    for number in (one.fidelity, one.diversity, one.area):
        assert f"{number:.3f}" in overview
    for number in (one.overlap, one.f_score(8), one.f_score(1 / 8), one.recall_at(0.9)):
        assert f"{number:.4f}" in text
    for name, value in metrics.items():
        assert name.replace("_", " ") in text
        assert f"{value:.4f}" in text
    for key, value in one.info.items():
        assert f"curve: {key} {value}" in text or key in ("n_fake", "scored_fake")
    assert "metrics: ties closed" in text
    assert f"numpy {np.__version__}" in text
    assert "one 150 75 150" in text
    assert len(page.encode()) < 150_000
    assert text.startswith("A title & more A title & more Written 2026-11-20 Features model not")


def test_names_are_text_everywhere(page):
    assert "<img" not in page
    assert text_of(page).count(EVIL) >= 3
    assert "&lt;img src=x onerror=alert(1)&gt;&#34;" in page


def test_the_page_requests_nothing(page):
    own = re.sub(r"<script>.*?</script>|<wbr>", "", page, flags=re.DOTALL)
    own = re.sub(r"(?<=>)[^<]*</", "</", own)
    own = re.sub(r'data-key="[^"]*"', "", own)
    assert not re.search(r"<link|<iframe|<img|src=|href=\"[^#]|url\(|@import", own)
    assert "default-src 'none'" in own


def test_sort_keys_are_the_numbers_with_all_digits(page, comparison):
    table = table_of(page, "A row a model")
    area = comparison["one"].curve.area
    half = comparison["one"].curve.interval("area")
    assert (
        f'<td data-key="{area!r}" data-title="area">{area:.3f} '
        f'<span class="spread">± {half.half_width:.3f}</span>'
    ) in table
    assert table.count('aria-sort="none"') == table.count('<button type="button">') == 4
    assert 'data-first="descending"' in table


def test_bars_have_the_length_of_their_numbers(page, comparison):
    cells = table_of(page, "A row a model").split('data-title="')[1:]
    for cell, number in zip(cells, ("fidelity", "diversity"), strict=False):
        one = comparison["one"].curve.interval(number)
        assert f'class="value" width="{round(100 * one.value, 1)}"' in cell
        low, high = (float(x) for x in re.search(r'd="M([\d.]+) 5H([\d.]+)"', cell).groups())
        assert high == round(100 * min(1, one.value + one.half_width), 1)
        assert low == round(100 * (one.value - one.half_width), 1)


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
        "Folder of all models runs/7/ A row a model" in text
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


def test_the_page_says_what_bands_are(tmp_path):
    page = page_of(tmp_path, {"a": COUNTED, "b": UNCOUNTED}, confidence=0.9)
    text = text_of(page)
    assert "what the samples prove With 90 % confidence the scorer's own curve, on endless" in text
    assert "No band of b: the curve counts no samples." in text
    assert "bands: confidence 0.9" in text
    assert page.count('class="band"') == 2  # a's, and its upper bound
    assert 'class="band"' not in page_of(tmp_path, {"a": COUNTED}, confidence=None)


def test_empirical_bands_are_named():
    bands = [known_band(curve, 0.95) for curve in (COUNTED, FOLDED, FOLDED)]
    assert [band.certified for band in bands] == [True, False, False]
    assert about_bands(["a", "b", "c"], bands, 0.95)[-1] == (
        "Bands that are empirical, not certified: of b and c; the samples were scored without a "
        "split or in folds."
    )
    assert len(about_bands(["a"], bands[:1], 0.95)) == 1


# ---- resolutions ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def smoothed(real, fake):
    evaluator = Evaluator(real, "knn", which=["precision"], resolutions=[0, 0.5, 2])
    return evaluator.compare({"near": fake, "far": fake + 100})


def test_profiles_have_a_section_with_their_numbers(tmp_path, smoothed):
    page = page_of(tmp_path, {**smoothed, "without": UNCOUNTED})
    near, far = smoothed.profiles.values()
    half, matching = near.half_resolution, near.matching_resolution
    table = table_of(page, "Resolutions that are reached")
    assert f'<td data-key="{half.value!r}">' in table
    # Resolutions that are not reached.
    assert table.count('<td data-key="Infinity">above 2</td>') == 2
    assert range_text(matching, 0, 2) in text_of(table)
    assert "without – –" in text_of(table)
    assert re.findall(r'data-first="(\w+)"', table)[1:] == ["ascending", "ascending"]
    overview = text_of(table_of(page, "A row a model"))
    assert f"{near.coarse_area:.3f}" in overview
    areas = [f"{one:.4f}" for one in near.intervals("area")]
    assert f"near {' '.join(areas)}" in text_of(table_of(page, "Area at each resolution"))
    for one in (near, far):
        for words in re.split(": |(?<=[.]) ", " ".join(one.sentences())):
            assert words[1:] in overview
    for term in ("half resolution", "matching resolution", "coarse area"):
        assert f"<dt>{term}</dt>" in page
    made = text_of(page_of(tmp_path, smoothed)).partition("How it was computed")[2]
    unit = "standard deviations of each feature of the real set"
    assert f"profile: resolutions 0, 0.5, 2 profile: noise scale std profile: unit {unit}" in made


def test_a_page_without_profiles_does_not_mention_resolutions(page):
    assert page.count("<figure>") == 1
    assert "resolution" not in text_of(page)


# ---- contradictions ------------------------------------------------------------------------------

CONTRADICTION = "knn cannot see how unlike the generated samples are"


@pytest.mark.filterwarnings("ignore::prfast.Contradiction")
def test_contradictions_are_in_the_row_of_their_model(tmp_path):
    real, junk = structured(300, 0), noise(300, 0)
    evaluator = Evaluator(real, ("ipr", "knn"), which=["precision"])
    page = page_of(tmp_path, evaluator.compare({EVIL: junk, "good": structured(300, 1)}))
    evil, good = table_of(page, "A row a model").split("<tr data-model=")[1:]
    assert f'<div class="caution"><details class="note-of"><summary>{CONTRADICTION}' in evil
    assert "knn cannot see a difference that ipr sees" in text_of(evil)
    assert "caution" not in good
    alone = page_of(tmp_path, {"noise": pr_curve(real, junk, "knn")})
    assert f"<summary>{CONTRADICTION}</summary><p>By its curve most of them look real" in alone
    assert "curve: caution" not in alone


def test_no_sentence_is_there_twice(tmp_path, real, fake):
    models = {"a": fake, "b": fake[:120], "again": real, "copies": real[:150]}
    evaluator = Evaluator(real, "knn", halvings=4, resolutions=[0, 0.5])
    text = text_of(page_of(tmp_path, evaluator.compare(models)))
    sentences = [
        one for one in re.findall(r"[A-Z](?:[^.]|\.\d){40,}\.(?= )", text) if "  " not in one
    ]
    assert len(sentences) > 20
    assert [one for one in sentences if text.count(one) > 1] == []


# ---- words ---------------------------------------------------------------------------------------


ROOT = Path(__file__).resolve().parents[2]


def test_every_number_on_the_page_is_in_the_glossary_and_no_other(tmp_path):
    page = page_of(tmp_path, {"a": GOOD, "b": DROPS})
    heads = re.findall(r'<button type="button">([^<]*)</button></th>', page)
    titles = {re.sub(r"[\d.]+$", "x", one) for one in heads} - {"model", "Fx", "F1/x"}
    titles |= {one for one in heads if one.startswith("F")}
    terms = re.findall(
        r"<dt>([^<]*)</dt>", page[page.index('id="glossary"') :].split("</details>")[0]
    )
    assert set(terms) == titles
    assert len(terms) == len(set(terms))
    for row in ROWS:
        if row.says:
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
    terms = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", glossary.split("</details>")[0])
    assert [title for title, _ in terms] == [name.replace("_", " ") for name in NAMES]
    for name, (_, text) in zip(NAMES, terms, strict=True):
        row = TABLE[name]
        assert text_of(text).startswith(row.says)
        assert row.says.endswith(".")
        assert ("Smaller is better." in text) is not row.larger_is_better
