"""Methods: the table, options of methods, and objects of the caller."""

import pickle

import numpy as np
import pytest
from refusals import refusals
from sklearn.linear_model import LogisticRegression

from prfast import pr_curve, pr_curves
from prfast.methods import IPR, KNN, METHODS, Auto, KMeans
from prfast.methods.base import read_context
from prfast.methods.table import read_method
from prfast.reference import GaussianShift
from prfast.samples.pair import Pair

SETS = GaussianShift(1.0, 2).sample(60, random_state=0)


# ---- the table ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", METHODS)
def test_a_name_stands_for_the_method_with_its_default_options(name):
    method = METHODS[name]()
    assert method == read_method(name, {}) == read_method(method, {})
    assert (method.name, bool(method.summary)) == (name, True)
    assert list(method.get_params()) == METHODS[name].option_names()
    assert pickle.loads(pickle.dumps(method)) == method


@pytest.mark.parametrize(
    ("method", "text"), [(KNN(), "KNN()"), (KNN(k=5, ties="open"), "KNN(k=5, ties='open')")]
)
def test_a_method_prints_the_options_that_are_no_defaults(method, text):
    assert repr(method) == text
    assert method != type(method)(**method.get_params() | {method.option_names()[0]: 7})


def test_several_methods_of_any_kind_have_the_curves_of_each():
    methods = [KMeans(runs=2), "knn", IPR(k=7), Auto(folds=3), LogisticRegression()]
    curves = pr_curves(*SETS, methods, [3, "sqrt"])
    keys = [("auto", None), ("knn", 3), ("knn", "sqrt"), ("ipr", 7), ("kmeans", None)]
    assert list(curves) == [*keys, ("LogisticRegression", None)]
    alone = {("kmeans", None): methods[0], ("knn", 3): KNN(k=3), ("ipr", 7): IPR(k=7)}
    for key, method in alone.items():
        expected = pr_curve(*SETS, method)
        assert curves[key] == expected
        assert dict(curves[key].info) == dict(expected.info)


def test_a_split_is_that_of_all_methods_that_have_one():
    curves = pr_curves(*SETS, ["kmeans", "knn", "classifier"], split=0.3)
    splits = {name: curve.provenance.split for (name, _), curve in curves.items()}
    assert splits == {"kmeans": None, "knn": 0.3, "classifier": 0.3}
    with pytest.raises(ValueError, match="split: None expected for method 'kmeans'"):
        pr_curves(*SETS, "kmeans", split=0.3)


test_a_wrong_method_or_option_is_named = refusals("""
read_method("knm", {})
    ValueError: method: one of 'auto', 'knn', 'ipr', …, or a scorer expected, got 'knm'
read_method("auto", {"k": 3})
    TypeError: k: not an option of method 'auto', which has folds, fitted, bases;
    pass method='knn' or 'ipr' or 'parzen' or 'coverage' for it
read_method("auto", {"weights": [1]})
    TypeError: weights: not an option of method 'auto', which has folds, fitted, bases; did you mean
    'w_real'?
read_method("auto", {"folds": 1})
    ValueError: folds: an integer of at least 2 expected, got 1
read_method("auto", {"folds": 101})
    ValueError: folds: an integer of at most 100 expected, got 101
read_method(len, {"k": 3})
    TypeError: k: options go with a method's name; set them on the object
read_method(None, {})
    TypeError: method: one of 'auto', 'knn', 'ipr', …, a scikit-learn classifier, a scorer
read_method("coverage", {"ties": "<"})
    ValueError: ties: 'closed' (d <= r) or 'open' (d < r) exp
read_method("knn", {"count_self": 0})
    TypeError: count_self: True or False expected, got 0
read_method("knn", {"backend": "gpu"})
    ValueError: backend:
read_method("kmeans", {"runs": 10**30})
    ValueError: runs: an integer of at most 1000000 expected,
read_method("classifier", {"classifiers": 0})
    ValueError: classifiers: an integer of at least 1
read_method("classifier", {"training": "lbfgs"})
    ValueError: training: 'sgd' or 'adam' expected, got
read_method("classifier", {"weight_decay": 0})
    ValueError: weight_decay: a number in [1e-12, 1e+12
""")


# ---- scores --------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["knn", "classifier", "auto"])
def test_a_curve_has_the_scores_of_its_samples(method):
    real, fake = SETS
    scores = pr_curve(real, fake, method).scores
    assert scores.real.shape == scores.real_rows.shape
    assert scores.fake.shape == scores.fake_rows.shape
    by_hand = METHODS[method]().scores(Pair.read(real, fake), METHODS[method].split, read_context())
    assert np.array_equal(scores.real, by_hand.real)
    assert np.array_equal(scores.real_rows, np.arange(60)[by_hand.real_rows])
    assert by_hand.curve().scores is not None
    first_20 = np.arange(len(scores.real)) < 20
    assert by_hand.curve(first_20).scores is None


def test_the_most_extreme_samples_come_first():
    real, fake = SETS
    scores = pr_curve(real, fake, "knn").scores
    records = scores.extremes(3)
    assert [record["set"] for record in records] == ["generated"] * 3 + ["real"] * 3
    assert [record["score"] for record in records[:3]] == sorted(scores.fake)[:3]
    assert [record["score"] for record in records[3:]] == sorted(scores.real)[::-1][:3]
    for record in records:
        values, rows = (scores.real, scores.real_rows)
        if record["set"] == "generated":
            values, rows = scores.fake, scores.fake_rows
        assert record["score"] == values[rows == record["row"]]
    assert len(scores.extremes()) == 20
    with pytest.raises(ValueError, match="count: "):
        scores.extremes(0)
