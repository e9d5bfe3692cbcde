"""Sentences of a report on models, and on uncertainty."""

import pytest
from curves import DROPS, GOOD, INVENTS, curve

from prfast import PRCurve
from prfast.comparison.differences import CurveDifferences, Difference
from prfast.report.words import cautions, read


def read_of(**curves):
    return read(CurveDifferences(list(curves), list(curves.values())))


def words(reading, name):
    return " ".join(dict(reading.models)[name])


def test_dropped_mass_is_stated_with_numbers_of_the_curve():
    text = words(read_of(good=GOOD, drops=DROPS), "drops")
    assert (
        "It is less diverse than good (diversity 0.800 against 1.000): at precision 0.9 its recall"
        in text
    )
    assert "Its maximal recall is 0.80: 20 % of the real samples are out of reach." in text


@pytest.mark.parametrize(("size", "stated"), [(20, False), (4000, True)])
def test_a_share_out_of_reach_is_stated_if_it_exceeds_its_scatter(size, stated):
    one = curve([0.05, 0.95], [0, 1], scored_real=size, scored_fake=size)
    assert ("5 % of the real samples are out of reach" in words(read_of(one=one), "one")) is stated


def test_the_summary_ranks_by_area_and_says_who_is_behind():
    (first, behind) = read_of(drops=DROPS, good=GOOD).summary
    assert first.startswith(f"Overall good ({GOOD.area:.3f}) is the closest to the real samples")
    assert behind == f"Behind: drops ({DROPS.area:.3f})."


def test_differences_that_sampling_explains_are_none():
    """The same models, from 20 samples of each: no word of a difference."""
    few = {"scored_real": 20, "scored_fake": 20, "split": None}
    reading = read_of(
        good=curve([0.3, 0.4, 0.3], [0.28, 0.42, 0.3], **few),
        drops=curve([0.2, 0.4, 0.4], [0.1, 0.45, 0.45], **few),
    )
    assert reading.summary[0].startswith("Overall no model can be told from the best")
    for name in ("good", "drops"):
        assert words(reading, name) == (
            "It is as diverse (diversity) and is as faithful (fidelity) as any other here, within "
            "what sampling explains."
        )
    assert any("Few samples, 20 real" in caution for caution in reading.cautions)


def test_of_curves_without_sizes_no_model_is_called_better():
    one = PRCurve.from_masses([0.5, 0.5], [0.5, 0.5])
    far = PRCurve.from_masses([0.5, 0.5, 0.0], [0.3, 0.3, 0.4])
    reading = read_of(far=far, one=one)
    assert reading.rule.startswith("The cells of the curve of far do not count samples")
    (summary,) = reading.summary
    assert summary.startswith("From the largest to the smallest, by the area under the curve")
    assert summary.endswith(f"one (1.000) and far ({far.area:.3f}).")
    assert words(reading, "far") == (
        "Its maximal precision is 0.60: 40 % of its samples are unlike any real one."
    )
    assert words(reading, "one") == ""


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
    first, second, behind = reading.summary
    assert first.startswith("Samples of copy (0.999) equal real ones, so the area cannot tell")
    assert second.startswith("Overall drops (0.800) is the closest to the real samples")
    assert behind == "Behind: invents (0.700)."
    (own, *_), *others = [lines for _, lines in reading.models]
    assert own.startswith("900 of its 1000 samples equal a real one: its numbers cannot tell")
    assert not any("copy" in line for lines in others for line in lines)
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
        "order these models in opposite ways. What is said here follows F8."
    )

    def of_halves(half_width):
        return {"recall": [Difference("good", "drops", "", "recall", -0.3, half_width, 0.0)]}

    assert against in of_metrics(curves, recall=[0.6, 0.9])
    assert against in of_metrics(curves, of_halves(0.1), recall=[0.6, 0.9])
    assert against not in of_metrics(curves, recall=[0.9, 0.6])
    assert against not in of_metrics(curves, recall=[0.88, 0.9])  # alike
    assert against not in of_metrics(curves, of_halves(0.4), recall=[0.6, 0.9])  # not clear
    assert against not in of_metrics({"good": GOOD, "drops": GOOD}, recall=[0.6, 0.9])
    result = of_metrics({"good": GOOD, "invents": INVENTS}, precision=[0.6, 0.9])
    assert any(one.startswith("The metric precision is higher for invents") for one in result)
