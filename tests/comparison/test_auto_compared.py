"""The automatic estimator where several sets, methods or classes are compared."""

from html import escape

import numpy as np
import pytest

import prfast
from prfast import Evaluator

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(100, 4))
MODELS = {"a": 0.8 * RNG.normal(size=(80, 4)), "b": RNG.normal(size=(120, 4)) + 0.5}
AUTO = ("auto", None)
KNN = ("knn", "sqrt")


def same(one, other):
    assert one == other
    assert dict(one.info) == dict(other.info)


@pytest.mark.parametrize("methods", ["auto", ("knn", "auto")])
def test_an_evaluator_gives_what_single_calls_give(methods):
    evaluator = Evaluator(REAL, methods, random_state=3)
    for fake in MODELS.values():
        curves = evaluator.curves(fake)
        assert list(curves) == ([AUTO, KNN] if "knn" in methods else [AUTO])
        same(curves[AUTO], prfast.pr_curve(REAL, fake, random_state=3))
        if "knn" in methods:
            same(curves[KNN], prfast.pr_curve(REAL, fake, "knn", random_state=3))


def test_a_comparison_names_the_column_that_differs_most_in_a_model():
    models = {"good": RNG.normal(size=(100, 4)), "shifted": RNG.normal(size=(100, 4))}
    models["shifted"][:, 2] += 2
    result = Evaluator(REAL, which="precision").compare(models)
    (sentence,) = (
        line for line in result["shifted"].curve.explain().splitlines() if "Column" in line
    )
    assert sentence.startswith("Column 2 alone shows a total variation of about 0.")
    assert [x for x in str(result).splitlines() if "Column" in x] == [f"shifted: {sentence}"]
    assert escape(f"shifted: {sentence}") in result._repr_html_()


# ---- classes -------------------------------------------------------------------------------------

OF_REAL, OF_FAKE = np.arange(100) % 3, np.arange(80) % 2


def test_classes_of_the_scores_of_all_samples():
    """The curve of a class is the read-out of its samples' scores; the scores saw all classes."""
    result = prfast.by_class(REAL, MODELS["a"], OF_REAL, OF_FAKE, ("auto", "knn"))
    assert list(result.curves) == [0, 1]
    for label in (0, 1):
        curve = result.curves[label][AUTO]
        sizes = int((label == OF_REAL).sum()), int((label == OF_FAKE).sum())
        assert (curve.info["scored_real"], curve.info["scored_fake"]) == sizes
        assert (curve.info["n_real"], curve.info["n_fake"]) == (100, 80)
        hull = curve.info["hull"]
        assert (sum(hull["real"]), sum(hull["fake"])) == sizes
        assert curve.info["class"] == label
        assert KNN in result.curves[label]
    assert result.left_out == {2: "no generated sample to evaluate"}
