"""Methods: the table, options of methods, and objects of the caller."""

import pickle

import numpy as np
import pytest
from refusals import refusals

from prfast import pr_curve, pr_curves
from prfast.methods import METHODS
from prfast.methods.base import read_context
from prfast.methods.table import read_method
from prfast.reference import GaussianShift
from prfast.samples.pair import Pair

SETS = GaussianShift(1.0, 2).sample(60, random_state=0)


@pytest.mark.parametrize("name", METHODS)
def test_a_name_stands_for_the_method_with_its_default_options(name):
    method = METHODS[name]()
    assert method == read_method(name, {}) == read_method(method, {})
    assert (method.name, bool(method.summary)) == (name, True)
    assert list(method.get_params()) == METHODS[name].option_names()
    assert pickle.loads(pickle.dumps(method)) == method


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
    TypeError: k: not an option of method 'auto', which has …; pass method='knn'
read_method("auto", {"weights": [1]})
    TypeError: weights: not an option of method 'auto', …; did you mean 'w_real'?
read_method("auto", {"folds": 1})
    ValueError: folds: an integer of at least 2 expected, got 1
read_method(len, {"k": 3})
    TypeError: k: options go with a method's name; set them on the object
read_method(None, {})
    TypeError: method: one of 'auto', 'knn', 'ipr', …, a scikit-learn classifier, a scorer
read_method("coverage", {"ties": "<"})
    ValueError: ties: 'closed' (d <= r) or 'open' (d < r) exp
read_method("knn", {"count_self": 0})
    TypeError: count_self: True or False expected, got 0
read_method("kmeans", {"runs": 10**30})
    ValueError: runs: an integer of at most 1000000 expected,
read_method("classifier", {"training": "lbfgs"})
    ValueError: training: 'sgd' or 'adam' expected, got
read_method("classifier", {"weight_decay": 0})
    ValueError: weight_decay: a number in [1e-12, 1e+12
""")


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
    assert records[0]["score"] == scores.fake[scores.fake_rows == records[0]["row"]]
    assert len(scores.extremes()) == 20
    with pytest.raises(ValueError, match="count: "):
        scores.extremes(0)
