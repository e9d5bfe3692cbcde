"""Sentences of a report on models, and on uncertainty."""

import pytest
from curves import DROPS, GOOD, INVENTS, curve

from prfast import PRCurve
from prfast.comparison.differences import CurveDifferences, Difference
from prfast.curve import summary
from prfast.report.words import cautions, read


def read_of(**curves):
    return read(CurveDifferences(list(curves), list(curves.values())))


def words(reading, name):
    return " ".join(dict(reading.models)[name])


def test_a_model_is_compared_with_that_of_the_largest_area_by_the_sentences_of_differences():
    reading = read_of(drops=DROPS, good=GOOD, invents=INVENTS)
    differences = CurveDifferences(["drops", "good", "invents"], [DROPS, GOOD, INVENTS])
    for number in ("diversity", "fidelity", "area"):
        to_drops, _, to_invents = differences.of(getattr(summary, number), number)
        assert f"{to_drops}." in dict(reading.models)["drops"]
        assert f"{to_invents}." in dict(reading.models)["invents"]
    assert "good is more diverse than drops (diversity): +0.200 ± 0.0" in words(reading, "drops")
    assert not any("invents" in words(reading, name) for name in ("drops", "good"))


def test_dropped_mass_is_stated_with_numbers_of_the_curve():
    text = words(read_of(good=GOOD, drops=DROPS), "drops")
    assert "At precision 0.9 its recall is 0.80, at recall 0.9 its precision 0.00." in text
    assert "Its maximal recall is 0.80: 20 % of the real samples are out of reach." in text


@pytest.mark.parametrize(("size", "stated"), [(20, False), (4000, True)])
def test_a_share_out_of_reach_is_stated_if_it_exceeds_its_scatter(size, stated):
    one = curve([0.05, 0.95], [0, 1], scored_real=size, scored_fake=size)
    assert ("5 % of the real samples are out of reach" in words(read_of(one=one), "one")) is stated


def test_the_summary_ranks_by_area():
    (text,) = read_of(drops=DROPS, good=GOOD).summary
    assert text.startswith("By the area under the curve, largest first (1: the")
    assert text.endswith(f": good ({GOOD.area:.3f}) and drops ({DROPS.area:.3f}).")


def test_differences_that_sampling_explains_are_none():
    """The same models, from 20 samples of each: no word of a difference."""
    few = {"scored_real": 20, "scored_fake": 20, "split": None}
    reading = read_of(
        good=curve([0.3, 0.4, 0.3], [0.28, 0.42, 0.3], **few),
        drops=curve([0.2, 0.4, 0.4], [0.1, 0.45, 0.45], **few),
    )
    for number in ("diversity", "fidelity", "area"):
        assert f"good and drops cannot be told apart by {number}: " in words(reading, "drops")
    assert any("Few samples, 20 real" in caution for caution in reading.cautions)


def test_of_curves_without_sizes_no_model_is_called_better():
    one = PRCurve.from_masses([0.5, 0.5], [0.5, 0.5])
    far = PRCurve.from_masses([0.5, 0.5, 0.0], [0.3, 0.3, 0.4])
    reading = read_of(far=far, one=one)
    assert reading.rule.startswith("The cells of the curve of far do not count samples")
    (text,) = reading.summary
    assert text.endswith(f"one (1.000) and far ({far.area:.3f}).")
    assert words(reading, "far") == (
        "At precision 0.9 its recall is 0.00, at recall 0.9 its precision 0.60. "
        "Its maximal precision is 0.60: 40 % of its samples are unlike any real one."
    )
    assert words(reading, "one") == (
        "At precision 0.9 its recall is 1.00, at recall 0.9 its precision 1.00."
    )


@pytest.mark.parametrize(
    ("infos", "caution"),
    [
        ([{"scored_real": 199, "scored_fake": 300}], "Few samples, 199 real and 300"),
        ([{"n_fake": 1500}, {"n_fake": 2000}], "a (1500) and b (2000)"),
        ([{"n_fake": 5000}], "more than twice"),
        ([{"method": "knn"}, {"method": "ipr"}], "not estimated in one way"),
        ([{"method": "kmeans", "split": None}], "Cells of k-means"),
        ([{"method": "knn", "split": None}], "Without a split"),
        ([{"method": "knn"}], "above the true one"),
    ],
)
def test_cautions(infos, caution):
    curves = [curve([1, 2], [2, 1], **info) for info in infos]
    assert any(caution in one for one in cautions(["a", "b"][: len(curves)], curves))


def test_folds_are_splits():
    folded = {"method": "auto", "split": None, "folds": 10, "n_real": 2000, "n_fake": 2000}
    assert cautions(["a"], [curve([1, 2], [2, 1], **folded)]) == []


def test_a_model_of_copies_is_compared_with_no_other():
    copy = GOOD.with_info(n_fake=1000, copied=900)
    reading = read_of(copy=copy, drops=DROPS, invents=INVENTS)
    assert reading.summary[1] == "Compared with no other, as samples equal real ones: copy."
    assert "drops is more faithful than invents" in words(reading, "invents")
    assert not any("copy" in line for _, lines in reading.models for line in lines)
    assert reading.cautions[0].startswith("copy: 900 of 1000 generated samples equal a real one")


# ---- samples and metrics -------------------------------------------------------------------------


def of_metrics(curves, of_halves=None, **values):
    differences = CurveDifferences(list(curves), list(curves.values()))
    return read(differences, values, metric_differences=of_halves).cautions


def test_a_low_authenticity_is_a_caution():
    result = of_metrics({"copies": GOOD, "other": GOOD}, authenticity=[0.02, 0.4])
    assert result[0].startswith(
        "copies has authenticity 0.02: most of its samples are copies of real ones, or nearer to"
    )
    assert not any("other has" in one for one in result)


def test_a_metric_that_orders_models_against_the_curves_is_a_caution():
    curves = {"good": GOOD, "drops": DROPS}
    against = (
        "The metric recall is higher for drops than for good, F8 of the curves is lower: the two "
        "order these models in opposite ways."
    )

    def of_halves(value, half_width=0.1, other="drops", metric="recall"):
        return {metric: [Difference("good", other, "", metric, value, half_width, 0.0)]}

    assert against in of_metrics(curves, of_halves(-0.3))
    assert against not in of_metrics(curves, of_halves(0.3))
    assert against not in of_metrics(curves, of_halves(-0.3, 0.4))  # not clear
    assert against not in of_metrics({"good": GOOD, "drops": GOOD}, of_halves(-0.3))
    invents = of_halves(-0.3, other="invents", metric="precision")
    result = of_metrics({"good": GOOD, "invents": INVENTS}, invents)
    assert any(one.startswith("The metric precision is higher for invents") for one in result)
