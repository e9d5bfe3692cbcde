"""Words of a report on models, and on uncertainty."""

import pytest
from curves import DROPS, GOOD, INVENTS, curve

from prfast import Metrics, PRCurve
from prfast.comparison import Evaluation
from prfast.comparison.pairs import CurveDifferences, Difference
from prfast.curve import summary
from prfast.report.words import cautions, check, compare, folded, metric_cautions


def compared(**curves):
    return compare(CurveDifferences(list(curves), list(curves.values())))


def test_models_are_compared_with_that_of_the_largest_area_by_differences():
    differing, left_out = compared(drops=DROPS, good=GOOD, invents=INVENTS)
    assert (differing.best, left_out) == ("good", "")
    assert differing.numbers == ["fidelity", "diversity", "area"]
    assert list(differing.rows) == ["drops", "invents"]
    differences = CurveDifferences(["drops", "good", "invents"], [DROPS, GOOD, INVENTS])
    for i, number in enumerate(differing.numbers):
        to_drops, _, to_invents = differences.of(getattr(summary, number), number)
        for name, one, sign in (("drops", to_drops, 1), ("invents", to_invents, -1)):
            expected = f"{sign * one.value:+.3f} ± {one.half_width:.3f}".replace("-", "−")
            assert differing.rows[name][i].text == expected
            assert (differing.rows[name][i].verdict == "not told apart") is not one.clear
    assert differing.rows["drops"][1].text.startswith("−0.200 ± 0.0")
    assert differing.rows["drops"][1].verdict == "lower"


def test_differences_that_sampling_explains_are_none():
    """The same models, from 20 samples of each: no word of a difference."""
    few = {"scored_real": 20, "scored_fake": 20, "split": None}
    differing, _ = compared(
        good=curve([0.3, 0.4, 0.3], [0.28, 0.42, 0.3], **few),
        drops=curve([0.2, 0.4, 0.4], [0.1, 0.45, 0.45], **few),
    )
    assert {one.verdict for one in differing.rows["drops"]} == {"not told apart"}


def test_of_curves_without_sizes_no_model_is_called_better():
    one = PRCurve.from_masses([0.5, 0.5], [0.5, 0.5])
    differing, left_out = compared(far=one, one=one)
    assert differing is None
    assert left_out.startswith("No models are compared: the cells of the curve of far do not count")
    assert compared(far=one) == (None, "")


def test_a_model_of_copies_is_compared_with_no_other():
    copy = GOOD.with_info(n_fake=1000, copied=900)
    differing, left_out = compared(copy=copy, drops=DROPS, invents=INVENTS)
    assert left_out == "Not compared, as samples equal real ones: copy."
    assert differing.best == "drops"
    assert list(differing.rows) == ["invents"]
    assert compared(copy=copy, drops=DROPS) == (None, left_out)


# ---- notes on models -----------------------------------------------------------------------------


def evaluation(one, **metrics):
    return Evaluation({("knn", 3): one}, Metrics(metrics))


def test_a_note_is_in_the_row_of_its_model_and_one_of_all_models_is_said_once():
    few = {"scored_real": 20, "scored_fake": 30, "n_real": 20, "n_fake": 30}
    models = {"a": curve([1, 2], [2, 1], **few), "b": curve([1, 2], [2, 1], **few, copied=15)}
    given = ["b: 3 are odd.", "All are even."]
    (a, b), shared = check({name: evaluation(model) for name, model in models.items()}, given)
    assert a == []
    assert [one.opening for one in b] == [
        "3 are odd.",
        "15 of 30 generated samples equal a real one, to the last bit",
    ]
    assert all(one.is_caution for one in b)
    assert shared[0].startswith("Few samples, 20 real and 30 generated")
    assert shared[1:] == ["All are even."]


def test_an_explanation_is_folded_and_stands_once():
    values = {"copies": 0.02, "other": 0.4, "more": 0.03}
    models = {name: evaluation(GOOD, authenticity=value) for name, value in values.items()}
    ((copies,), other, (more,)), shared = check(models)
    assert copies.opening == "Authenticity 0.02"
    assert copies.explanation.startswith("Most of its samples are copies of real ones, or near")
    assert (more.opening, more.explanation) == ("Authenticity 0.03", "")
    assert (other, shared) == ([], [])


@pytest.mark.parametrize(
    ("text", "opening", "rest"),
    [
        ("Few samples, 3 real: with fewer numbers are rough, and small modes cannot be seen.",
         "Few samples, 3 real", "With fewer numbers are rough, and small modes cannot be seen."),
        ("Copies: 900 of 900 equal a training sample exactly; so do 0 of 500 held-out samples.",
         "Copies: 900 of 900 equal a training sample exactly", "So do 0 of 500 held-out samples."),
        ("Differs most in 'a' 0.9 (b: c, which is a text of more than fifty characters).",
         "Differs most in 'a' 0.9 (b: c, which is a text of more than fifty characters).", ""),
        ("Short: text.", "Short: text.", ""),
    ],
)  # fmt: skip
def test_a_sentence_is_folded_at_its_first_colon(text, opening, rest):
    assert folded(text) == (opening, rest, False)


# ---- cautions ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("infos", "caution"),
    [
        ([{"n_fake": 1500}, {"n_fake": 2000}], "a (1500) and b (2000)"),
        ([{"n_fake": 5000}], "more than twice"),
        ([{"method": "knn"}, {"method": "ipr"}], "not estimated in one way"),
        ([{"method": "kmeans", "split": None}], "Cells of k-means"),
        ([{"method": "knn", "split": None}], "without a split"),
        ([{"method": "knn"}], "above the true one"),
    ],
)
def test_cautions(infos, caution):
    curves = [curve([1, 2], [2, 1], **info) for info in infos]
    assert any(caution in one for one in cautions(["a", "b"][: len(curves)], curves))


def test_folds_are_splits():
    folded = {"method": "auto", "split": None, "folds": 10, "n_real": 2000, "n_fake": 2000}
    assert cautions(["a"], [curve([1, 2], [2, 1], **folded)]) == []


def test_a_metric_that_orders_models_against_the_curves_is_a_caution():
    curves = {"good": GOOD, "drops": DROPS}
    against = (
        "The metric recall is higher for drops than for good, F8 of the curves is lower: the two "
        "order these models in opposite ways."
    )

    def of(curves, value, half_width=0.1, other="drops", metric="recall"):
        halves = {metric: [Difference("good", other, "", metric, value, half_width, 0.0)]}
        return metric_cautions(CurveDifferences(list(curves), list(curves.values())), halves)

    assert of(curves, -0.3) == [against]
    assert of(curves, 0.3) == []
    assert of(curves, -0.3, 0.4) == []  # not clear
    assert of({"good": GOOD, "drops": GOOD}, -0.3) == []
    (result,) = of({"good": GOOD, "invents": INVENTS}, -0.3, other="invents", metric="precision")
    assert result.startswith("The metric precision is higher for invents")
