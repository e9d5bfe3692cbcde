"""An evaluator of any method gives what `pr_curve` gives of it."""

import numpy as np
import pytest
from refusals import refusals, refused
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler  # noqa: F401

import prfast
from prfast import Evaluator
from prfast.methods import KNN, Auto, Classifier, KMeans

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(90, 3))
MODELS = {"a": 0.8 * RNG.normal(size=(80, 3)), "b": RNG.normal(size=(100, 3)) + 0.5}


class Midpoint:
    """A scorer as anyone may write one: the side of a plane between the means."""

    def fit(self, real, fake):
        self.normal = real.mean(axis=0) - fake.mean(axis=0)
        return self

    def score(self, points):
        return points @ self.normal


def first_feature(points):
    return -points[:, 0]


# A method, the key of its curve, and its split.
METHODS = [
    (Auto(folds=4), ("auto", None), "auto"),
    (KMeans(clusters=5, runs=2), ("kmeans", None), "auto"),
    (Classifier(classifiers=3), ("classifier", None), 0.3),
    (KNN(k=4, ties="open"), ("knn", 4), "auto"),
    (LogisticRegression(), ("LogisticRegression", None), "bernoulli"),
    (Midpoint(), ("Midpoint", None), None),
]


def same(curve, expected):
    assert curve == expected
    assert dict(curve.info) == dict(expected.info)


@pytest.mark.filterwarnings("ignore::prfast.Contradiction")
@pytest.mark.parametrize(
    ("method", "key", "split"), METHODS, ids=[f"{key}-{split}" for _, key, split in METHODS]
)
def test_results_are_those_of_pr_curve(method, key, split):
    evaluator = Evaluator(REAL, method, split=split, random_state=3, which="recall")
    for fake in MODELS.values():
        expected = prfast.pr_curve(REAL, fake, method, split=split, random_state=3)
        result = evaluator.curves(fake)
        assert list(result) == [key]
        same(result[key], expected)
        same(evaluator.evaluate(fake).curve, expected)


def test_several_stand_side_by_side_in_one_order():
    evaluator = Evaluator(REAL, [first_feature, "kmeans", "ipr", LogisticRegression()], 5)
    result = evaluator.curves(MODELS["a"])
    names = ["ipr", "first_feature", "kmeans", "LogisticRegression"]
    assert list(result) == [(name, 5 if name == "ipr" else None) for name in names]
    same(result["ipr", 5], prfast.pr_curve(REAL, MODELS["a"], "ipr", 5))
    with refused(ValueError, "curve: an evaluator of one method and one k expected; use curves"):
        evaluator.curve(MODELS["a"])


def test_scores_are_kept_for_differences_where_samples_have_any():
    result = Evaluator(REAL, [LogisticRegression(), "kmeans"], which="recall").compare(MODELS)
    scores = result["a"].scores
    assert list(scores) == [("LogisticRegression", None)]
    assert scores["LogisticRegression", None].curve() == result["a"].curve
    assert len(scores["LogisticRegression", None].real_rows) == 45
    of = {difference.curve for difference in result.differences(numbers="area")}
    assert of == {"LogisticRegression", "kmeans"}


test_wrong_methods_are_refused = refusals("""
Evaluator(REAL, [])
    ValueError: methods: at least one expected, got none
Evaluator(REAL, Midpoint)
    TypeError: methods: one of 'auto', 'knn'
Evaluator(REAL, StandardScaler())
    TypeError: method: a scikit-learn classifier expected
Evaluator(REAL, [Midpoint(), "kmeans", Midpoint()])
    ValueError: methods: methods of different names expected, got two 'Midpoint'
""")


def test_arguments_of_neighbors_need_a_method_that_counts_them():
    with refused(ValueError, "k: only for methods that count neighbors, 'knn', 'ipr', 'parzen'"):
        Evaluator(REAL, "kmeans", 5)
