"""Contradictions: a scorer that sees nothing is told by the metrics and by other scorers."""

import warnings

import numpy as np
import pytest
from helpers import noise, structured, unwrapped

import prfast
from prfast import Contradiction, Evaluator, PRCurve, pr_curve, pr_curves
from prfast.estimate.diagnostics import contradictions, half_precision
from prfast.samples.pair import Pair

REAL, NOISE = structured(400, 0), noise(400, 0)
NEAR = "knn cannot detect how unlike the generated samples are: by its curve most of them look real"


def of(method, split=0.5, **info):
    return PRCurve.from_masses([1, 1], [1, 1], info={"method": method, "split": split} | info)


@pytest.fixture(scope="module")
def curves():
    """Curves of noise against structure: neighbors see nothing, a linear rule sees all."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Contradiction)
        result = pr_curves(REAL, NOISE, ("knn", "coverage"))
        return result | {("classifier", None): pr_curve(REAL, NOISE, "classifier")}


def test_noise_is_told_from_structure_by_the_metrics_and_by_another_method(curves):
    assert curves["knn", "sqrt"].area > 0.95
    assert curves["classifier", None].area < 0.05
    metrics, methods = contradictions(curves, prfast.metrics(REAL, NOISE))
    assert "fewer than a twentieth have a real one near (the metric precision)" in metrics
    assert methods.startswith("knn and coverage cannot detect a difference that classifier detects")


@pytest.mark.parametrize(
    ("metrics", "sentence"),
    [
        ({"precision": 0.04, "coverage": 0.9}, "(the metric precision)"),
        ({"precision": 0.9, "coverage": 0.04}, "(the metric coverage)"),
        ({"precision": 0.06, "coverage": 0.06}, None),
        (None, None),
    ],
)
def test_which_metrics_contradict_a_perfect_curve(metrics, sentence):
    result = contradictions({"knn": of("knn")}, metrics)
    assert len(result) == (sentence is not None)
    assert all(sentence in line for line in result)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("dim", "delta", "scale"), [(2, 1.5, 1), (64, 0, 1.1)])
def test_no_false_alarm_where_the_true_curve_is_as_high(dim, delta, scale):
    """Gaussians whose true F_1/8 is above 0.75."""
    rng = np.random.default_rng(0)
    real, fake = rng.normal(size=(2, 400, dim))
    fake *= scale
    fake[:, 0] += delta
    curves = pr_curves(real, fake)
    assert curves["knn", "sqrt"].f_score(1 / 8) > 0.75
    assert contradictions({"knn": curves["knn", "sqrt"]}, prfast.metrics(real, fake)) == []


def test_a_lone_curve_that_sees_nothing_warns_and_carries_a_caution():
    with pytest.warns(Contradiction, match="^" + NEAR) as caught:
        curve = pr_curve(REAL, NOISE, "knn")
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert curve.info["caution"] == str(caught[0].message)
    assert contradictions({"knn": curve}) == [curve.info["caution"]]
    assert PRCurve.from_dict(curve.to_dict()).info["caution"] == curve.info["caution"]


def test_one_set_in_half_precision_is_named_as_the_cause():
    """Of independent columns no noise test followed, as few values repeat among fewer samples."""
    real, fake = np.random.default_rng(1).random((2, 2000, 2), dtype=np.float32)
    words = "numbers are rounded, as by half precision (float16, bfloat16), and the"
    rounded = fake.astype(np.float16)
    with pytest.warns(Contradiction, match="All generated numbers are rounded"):
        curve = pr_curve(real, rounded)
    assert curve.area < 0.9
    assert f"All generated {words} real ones are not" in curve.info["caution"]
    test = prfast.two_sample_test(rounded, real)
    assert test.rejects
    assert f"All real {words} generated ones are not" in unwrapped(str(test))


def test_half_precision_is_a_cause_only_where_one_set_alone_has_it():
    def cause_of(real, fake):
        return half_precision(Pair.read(real, fake))

    real, fake = np.random.default_rng(1).normal(size=(2, 200, 4)).astype(np.float32)
    halves = [points.astype(np.float16) for points in (real, fake)]
    assert cause_of(real, halves[1]).startswith("All generated numbers")
    assert cause_of(halves[0], fake).startswith("All real numbers")
    levels = np.round(200 * real.clip(-1, 1)) / 256
    for coarse in (np.round(4 * real) / 4, levels, np.round(real, 1)):
        assert cause_of(coarse, fake) == ""
    wholes, halves_of_wholes = np.round(100 * real), np.round(200 * fake) / 2
    mixed = np.where(np.arange(200)[:, None] % 50 == 0, halves_of_wholes, wholes)
    for pair in ((wholes, halves_of_wholes), (mixed, wholes), (mixed, 100 * fake)):
        assert cause_of(*pair) == ""
    late = np.where(np.arange(200)[:, None] < 120, halves[1], fake)  # one part alone is rounded
    assert cause_of(real, late) == ""
    for pair in ((real, fake), halves):
        assert cause_of(*pair) == ""


def test_an_evaluation_and_a_comparison_tell_below_their_table():
    evaluator = Evaluator(REAL, "knn", which=["precision", "coverage"])
    with pytest.warns(Contradiction):
        result = evaluator.compare({"noise": NOISE, "good": structured(400, 1)})
    assert result["good"].cautions() == []
    (sentence,) = result["noise"].cautions()
    assert sentence.startswith(NEAR)
    assert unwrapped(str(result)).splitlines()[0] == f"Caution: noise: {sentence}"
    alone = Evaluator(REAL, "knn", which="recall")
    with pytest.warns(Contradiction):
        assert alone.evaluate(NOISE).cautions() == [sentence]  # the one of the curve itself
