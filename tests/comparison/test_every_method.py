"""An evaluator of any method gives what `pr_curve` gives of it."""

import pickle

import numpy as np
import pytest
from refusals import refused
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import prfast
from prfast import Evaluator

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(150, 3))
MODELS = {"a": 0.8 * RNG.normal(size=(120, 3)), "b": RNG.normal(size=(170, 3)) + 0.5}


class Midpoint:
    """A scorer as anyone may write one: the side of a plane between the means."""

    def fit(self, real, fake):
        self.normal = real.mean(axis=0) - fake.mean(axis=0)
        return self

    def score(self, points):
        return points @ self.normal


def first_feature(points):
    return -points[:, 0]


# What is given, the name that its curves go by, and options.
METHODS = [
    ("auto", "auto", {"folds": 4}),
    ("kmeans", "kmeans", {}),
    ("kmeans", "kmeans", {"clusters": 5, "runs": 2}),
    ("classifier", "classifier", {}),
    ("classifier", "classifier", {"classifiers": 3, "split": 0.3}),
    (LogisticRegression(), "LogisticRegression", {"split": "bernoulli"}),
    (RandomForestClassifier(5), "RandomForestClassifier", {}),
    (make_pipeline(StandardScaler(), LogisticRegression()), "Pipeline", {}),
    (Midpoint(), "Midpoint", {"split": None}),
    (first_feature, "first_feature", {}),
]
NAMES = [f"{name} {options or ''}" for _, name, options in METHODS]


def same(one, other):
    assert one == other
    assert dict(one.info) == dict(other.info)


@pytest.mark.filterwarnings("ignore::prfast.Contradiction")
@pytest.mark.parametrize(("method", "name", "options"), METHODS, ids=NAMES)
def test_results_are_those_of_pr_curve(method, name, options):
    evaluator = Evaluator(REAL, method, options={name: options}, random_state=3, which="recall")
    for fake in (*MODELS.values(), MODELS["a"]):
        expected = prfast.pr_curve(REAL, fake, method, random_state=3, **options)
        found = evaluator.curves(fake)
        assert list(found) == [(name, None)]
        same(found[name, None], expected)
        same(evaluator.curve(fake), expected)
        same(evaluator.evaluate(fake).curve, expected)


def test_several_stand_side_by_side_in_one_order():
    evaluator = Evaluator(REAL, [first_feature, "kmeans", "ipr", LogisticRegression(), "auto"], 5)
    found = evaluator.curves(MODELS["a"])
    names = ["auto", "ipr", "first_feature", "kmeans", "LogisticRegression"]
    assert list(found) == [(name, 5 if name == "ipr" else None) for name in names]
    same(found["ipr", 5], prfast.pr_curve(REAL, MODELS["a"], "ipr", 5))
    with refused(ValueError, "curve: an evaluator of one method and one k expected; use curves"):
        evaluator.curve(MODELS["a"])


def test_scores_are_kept_for_differences_where_samples_have_any():
    found = Evaluator(REAL, [LogisticRegression(), "kmeans"], which="recall").compare(MODELS)
    kept = found["a"].scores
    assert list(kept) == [("LogisticRegression", None)]
    assert kept["LogisticRegression", None].curve() == found["a"].curve
    assert len(kept["LogisticRegression", None].real_rows) == 75
    of = {one.curve for one in found.differences(numbers="area")}
    assert of == {"LogisticRegression", "kmeans"}


def test_models_are_in_one_table():
    found = str(Evaluator(REAL, ["kmeans", Midpoint()], which="recall").compare(MODELS))
    assert "kmeans: area" in found
    assert "Midpoint: area" in found


def test_names_and_options_are_pickled():
    options = {"kmeans": {"clusters": np.int64(5)}, "classifier": {"split": 0.5}}
    evaluator = Evaluator(REAL, ["knn", "kmeans", "classifier"], 3, options=options)
    twin = pickle.loads(pickle.dumps(evaluator))
    assert repr(twin) == repr(evaluator)
    assert "'clusters': 5" in repr(twin)
    for key, curve in evaluator.curves(MODELS["a"]).items():
        same(twin.curves(MODELS["a"])[key], curve)


def test_methods_that_are_objects_are_pickled():
    evaluator = Evaluator(REAL, [LogisticRegression(C=0.1), Midpoint()])
    twin = pickle.loads(pickle.dumps(evaluator))
    for key, curve in evaluator.curves(MODELS["a"]).items():
        same(twin.curves(MODELS["a"])[key], curve)


@pytest.mark.parametrize(
    ("methods", "options", "error", "message"),
    [
        ([], None, ValueError, "methods: at least one expected, got none"),
        ("nonsense", None, ValueError, "methods: one of 'auto', 'knn'"),
        (3, None, TypeError, "methods: one of 'auto', 'knn'"),
        (Midpoint, None, TypeError, "methods: one of 'auto', 'knn'"),
        (StandardScaler(), None, TypeError, "methods: a scikit-learn classifier expected"),
        (
            [Midpoint(), "kmeans", Midpoint()],
            None,
            ValueError,
            "methods: methods of different names expected, got two 'Midpoint'",
        ),
        (
            "kmeans",
            {"clusters": 3},
            TypeError,
            "options['clusters']: a mapping of names to values expected, got a int",
        ),
        ("kmeans", 3, TypeError, "options: a mapping of methods to their options expected, got a"),
        (
            "kmeans",
            {"classifier": {}},
            ValueError,
            "options: names of methods expected, of 'kmeans'; got 'classifier'",
        ),
        (
            ["knn", "kmeans"],
            {"knn": {"ties": "open"}},
            ValueError,
            "options: those of 'knn' are arguments of their own: ties, …",
        ),
        (
            "auto",
            {"auto": {"memory": 3}},
            TypeError,
            "options['auto']: memory: an argument of its own, for all methods",
        ),
        (
            "auto",
            {"auto": {"folds": 1}},
            ValueError,
            "options['auto']: folds: an integer of at least 2 expected, got 1",
        ),
        (
            "auto",
            {"auto": {"clusters": 9}},
            TypeError,
            "options['auto']: clusters: not an option of method 'auto'",
        ),
        (
            "kmeans",
            {"kmeans": {"folds": 9}},
            TypeError,
            "options['kmeans']: folds: not an option of method 'kmeans'",
        ),
        (
            "kmeans",
            {"kmeans": {"split": 0.5}},
            ValueError,
            "options['kmeans']: split: None expected for method 'kmeans', got 0.5",
        ),
        (
            "classifier",
            {"classifier": {"split": "coin"}},
            ValueError,
            "options['classifier']: split: 'auto', 'bernoulli', a share in (0, 1) or None expected",
        ),
        (
            Midpoint(),
            {"Midpoint": {"depth": 5}},
            TypeError,
            "options['Midpoint']: depth: options go with a method's name; set them on the object",
        ),
    ],
)
def test_wrong_methods_and_options_are_named(methods, options, error, message):
    with refused(error, message):
        Evaluator(REAL, methods, options=options)


def test_arguments_of_neighbours_need_a_method_that_counts_them():
    with refused(ValueError, "k: only for methods that count neighbours, 'knn', 'ipr', 'parzen'"):
        Evaluator(REAL, "kmeans", 5)
