"""Results in notebooks: every number as the result has it, in words, pictures, tables."""

import re

import pytest
from helpers import unwrapped
from made_results import CURVE, DIVERGENCES, FAKE, METRICS, REAL, RESULTS
from pages import Reader

import prfast
from prfast.comparison import Evaluator
from prfast.estimate.notes import legend


def read(result):
    return Reader(result._repr_html_())


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_it_is_small_and_whole_and_has_words_for_every_picture(result):
    text = result._repr_html_()
    assert len(text.encode()) < 16_000
    page = Reader(text)
    pictures = [tag for tag in page.of("svg") if "aria-hidden" not in tag]
    assert all(tag["role"] == "img" and tag["aria-label"] for tag in pictures)
    assert all(tag["scope"] in ("row", "col") for tag in page.of("th"))
    assert len(page.of("caption")) == len(page.of("table"))
    assert not page.of("b")  # the name of a model


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_its_text_has_short_lines_and_no_internals(result):
    text = str(result)
    assert max(map(len, text.splitlines())) <= 100
    assert not re.search(r"n_real|n_fake|scikit_learn|random_state|version", text)


def test_a_curve_has_its_numbers_with_their_errors():
    page = read(CURVE)
    for key, title in (("area", "area"), ("f8", "F8"), ("f1_8", "F1/8"), ("diversity",) * 2):
        assert page.line(title) == str(CURVE.interval(key))
    assert "knn k=3" in page.text
    assert legend() in page.text
    assert set(CURVE.explain().splitlines()) <= set(page.text)
    assert f"knn k=3: area {CURVE.area:.3f}" in page.of("svg")[0]["aria-label"]


def test_a_printed_curve_says_what_it_is_and_how_sure_it_is():
    title, *numbers, _, few, errors, method = unwrapped(str(CURVE)).splitlines()
    assert title == "PR curve of knn k=3"
    assert numbers[2].split() == ["area", *str(CURVE.interval("area")).split()]
    assert errors == (
        "± is the half width of a 95 % interval for other samples. Numbers of curves are upper "
        "limits: differences that the method does not detect lower the true values."
    )
    assert few.startswith("Few samples, ")
    assert method.startswith("Method knn, ")
    bound = str(CURVE.upper(0.9)).splitlines()
    assert bound[0] == "PR curve of knn k=3, upper bound at 90 % confidence"
    assert not any("±" in line or "Few samples" in line for line in bound)
    weighted = str(prfast.PRCurve.from_scores([1, 2], [0, 1], w_real=[1, 2])).splitlines()
    assert weighted[-1].startswith("no ±: its cells do not count samples (weighted samples, ")


def test_a_caution_comes_first_and_once():
    page = read(CURVE.with_info(caution="It <cannot> see this."))
    assert page.text[:2] == ["Caution:", " It <cannot> see this."]
    assert sum("cannot> see" in text for text in page.text) == 1


def test_values_are_a_line_each():
    assert read(METRICS).line("recall") == f"{METRICS.recall:.4f}"
    assert f"n_real: {METRICS.info['n_real']}" in read(METRICS).text
    distances = prfast.metrics(REAL, FAKE, which="kernel_distance")
    assert read(distances).line("kernel_distance") == distances.text("kernel_distance")
    half = 1.959964 * distances.errors["kernel_distance"]
    assert distances.text("kernel_distance").endswith(f" ± {half:.6f}")
    assert legend(of_scorer=False) in read(distances).text
    assert read(DIVERGENCES).line("kl") == "∞"
    assert read(DIVERGENCES).line("js") == f"{DIVERGENCES['js']:.6g}"


def test_what_a_metric_does_not_mean_is_said_below_its_table():
    note = "beta_recall of equal sets is about m / (n + m − 1)"
    names = ("beta_recall", "recall")
    evaluator = Evaluator(REAL, "knn", which=names)
    for result in (
        prfast.metrics(REAL, FAKE, which=names),
        evaluator.evaluate(FAKE),
        evaluator.compare({"a": FAKE, "b": FAKE[:40]}),
    ):
        assert str(result).count(note) == 1
    assert note not in str(prfast.metrics(REAL, FAKE))
