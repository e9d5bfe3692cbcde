"""Methods: the registry, and what a user brings."""

import re

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression

from prfast import pr_curve
from prfast.methods import METHODS
from prfast.methods.auto import Auto
from prfast.methods.base import Partition, Scorer, choose
from prfast.methods.classifier import FittedScorer
from prfast.methods.neighbors import NEIGHBOR_METHODS, NeighborScorer
from prfast.reference import GaussianShift

NAMES = "'auto', 'knn', 'ipr', 'parzen', 'coverage', 'kmeans', 'classifier'"


# ---- the registry ------------------------------------------------------------------------------


def test_a_row_a_method():
    assert list(METHODS) == [
        "auto",
        "knn",
        "ipr",
        "parzen",
        "coverage",
        "kmeans",
        "classifier",
    ]
    for name in NEIGHBOR_METHODS:
        own = ["k", "ties", "count_self", "backend", "memory", "progress"]
        assert (METHODS[name].options, METHODS[name].split) == (own, 0.5)
    assert METHODS["auto"].options == ["folds", "fitted", "read_out", "memory", "progress"]
    assert METHODS["auto"].split is None
    assert METHODS["kmeans"].options == ["clusters", "runs", "balance", "progress"]
    assert METHODS["classifier"].options == ["classifiers", "training", "weight_decay", "progress"]
    assert METHODS["kmeans"].split is None
    assert METHODS["classifier"].split == "bernoulli"


@pytest.mark.parametrize("name", METHODS)
def test_every_row_makes_what_gives_scores_or_masses_with_its_options_as_attributes(name):
    row = METHODS[name]
    made = row.make(random_state=3, n_jobs=2)
    assert isinstance(made, Scorer | Partition | Auto)
    if name not in NEIGHBOR_METHODS:  # nothing of those is random
        assert (made.random_state, made.n_jobs) == (3, 2)
    assert all(hasattr(made, attribute) for attribute in [*row.options, *row.records])
    assert row.summary


@pytest.mark.parametrize(
    ("name", "values", "options", "message"),
    [
        ("knn", (), {"kk": 3}, "kk: not an option of method 'knn', which has k, ties, "),
        ("knn", (), {"folds": 3}, "folds: not an option of method 'knn', which has .*'auto'$"),
        ("auto", (), {"name": "x"}, "name: not an option of method 'auto', which has folds, "),
        ("kmeans", (5,), {}, "make: options by name expected, got 5 without one$"),
    ],
)
def test_a_row_names_what_it_cannot_make(name, values, options, message):
    with pytest.raises(TypeError, match=f"^{message}"):
        METHODS[name].make(*values, **options)


def test_choose_gives_name_object_settings_and_split():
    name, made, settings, split = choose("kmeans", {"runs": 3}, 5, 2)
    assert (name, split) == ("kmeans", None)
    assert {key: getattr(made, key) for key in settings} == {
        "clusters": 20,
        "runs": 3,
        "balance": True,
        "scikit_learn": sklearn.__version__,
    }
    assert (made.runs, made.random_state, made.n_jobs) == (3, 5, 2)


@pytest.mark.parametrize("method", NEIGHBOR_METHODS)
def test_choose_gives_a_neighbour_scorer_of_that_name(method):
    name, made, settings, split = choose(method, {"k": 3, "ties": "open"}, 5, 2)
    assert (name, split) == (method, 0.5)
    assert isinstance(made, NeighborScorer)
    assert (made.name, made.k, made.ties, made.count_self) == (method, 3, "open", True)
    assert {"k", "ties", "count_self", "backend"} <= set(settings)


@pytest.mark.parametrize(
    ("method", "options", "error", "message"),
    [
        ("knm", {}, ValueError, f"method: one of {NAMES}, or a scorer expected, got 'knm'"),
        (
            "kmeans",
            {"k": 3},
            TypeError,
            "k: not an option of method 'kmeans', which has clusters, runs, balance, progress",
        ),
        (
            "classifier",
            {"runs": 3, "clusters": 2},
            TypeError,
            "clusters: not an option of method 'classifier', which has classifiers, training, "
            "weight_decay, progress",
        ),
        (
            "auto",
            {"k": 3},
            TypeError,
            "k: not an option of method 'auto', which has folds, fitted, read_out, memory, "
            "progress; an option of 'knn', 'ipr', 'parzen', 'coverage'",
        ),
        ("auto", {"folds": 1}, ValueError, "folds: an integer of at least 2 expected, got 1"),
        ("auto", {"folds": 101}, ValueError, "folds: an integer of at most 100 expected, got 101"),
        ("auto", {"folds": "5"}, TypeError, "folds: an integer expected, got a str"),
        ("auto", {"progress": 1}, TypeError, "progress: True, False or None expected, got 1"),
        (
            "auto",
            {"read_out": "median"},
            ValueError,
            "read_out: one of 'auto', 'mean', 'hull', 'smooth' expected, got 'median'",
        ),
        ("auto", {"read_out": None}, ValueError, "read_out: one of 'auto', 'mean', 'hull'"),
        (len, {"k": 3}, TypeError, "k: options go with a method's name; set them on the object"),
        (None, {}, TypeError, f"method: one of {NAMES}, a scikit-learn classifier, a scorer"),
        (3, {}, TypeError, f"method: one of {NAMES}, a scikit-learn classifier, a scorer"),
        (LogisticRegression, {}, TypeError, f"method: one of {NAMES}, a scikit-learn classifier"),
        ("knn", {"runs": 3}, TypeError, "runs: not an option of method 'knn', which has k, ties,"),
        ("coverage", {"ties": "<"}, ValueError, "ties: 'closed' (d <= r) or 'open' (d < r) exp"),
        ("knn", {"count_self": 0}, TypeError, "count_self: True or False expected, got 0"),
        ("knn", {"backend": "gpu"}, ValueError, "backend: "),
        ("kmeans", {"runs": 10**30}, ValueError, "runs: an integer of at most 1000000 expected, "),
        ("classifier", {"classifiers": 10**30}, ValueError, "classifiers: an integer of at most 1"),
        ("classifier", {"classifiers": 0}, ValueError, "classifiers: an integer of at least 1"),
        (
            "classifier",
            {"training": "lbfgs"},
            ValueError,
            "training: 'sgd' or 'adam' expected, got",
        ),
        (
            "classifier",
            {"training": np.array(["sgd", "adam"])},
            ValueError,
            "training: 'sgd' or 'adam' expected, got array",
        ),
        ("classifier", {"weight_decay": 0}, ValueError, "weight_decay: a number in [1e-12, 1e+12"),
    ],
)
def test_a_wrong_method_or_option_is_named(method, options, error, message):
    with pytest.raises(error, match="^" + re.escape(message)):
        choose(method, options, 0, 1)


# ---- what a user brings ------------------------------------------------------------------------


class NearMean:
    """A scorer: how much nearer to the real than to the generated mean."""

    def fit(self, real, fake):
        self.means = real.mean(axis=0), fake.mean(axis=0)

    def score(self, points):
        near, far = (((points - mean) ** 2).sum(axis=1) for mean in self.means)
        return far - near


class Halves:
    """A partition: left and right of 0 along each feature, one run a feature."""

    def masses(self, real, fake):
        return [
            ([(r < 0).sum(), (r >= 0).sum()], [(f < 0).sum(), (f >= 0).sum()])
            for r, f in zip(real.T, fake.T, strict=True)
        ]


def test_a_users_scorer_is_used_itself_on_a_share_of_one_half():
    scorer = NearMean()
    name, made, settings, split = choose(scorer, {}, 0, 1)
    assert (name, settings, split) == ("NearMean", [], 0.5)
    assert made is scorer


class WithParameters(NearMean, BaseEstimator):
    """A scorer with scikit-learn's get_params and repr, and no estimator of its kind."""


def test_a_users_scorer_may_have_scikit_learns_parameters():
    scorer = WithParameters()
    assert choose(scorer, {}, 0, 1)[1] is scorer


def test_a_users_partition_is_used_itself_without_split():
    partition = Halves()
    name, made, settings, split = choose(partition, {}, 0, 1)
    assert (name, settings, split) == ("Halves", [], None)
    assert made is partition


def test_a_fitted_function_ignores_fit():
    scorer = FittedScorer(lambda points: points[:, 0])
    assert scorer.fit(None, None) is scorer
    np.testing.assert_array_equal(scorer.score(np.eye(2)), [1, 0])


@pytest.mark.parametrize(
    ("method", "least"),
    [
        ("auto", 0.8),
        ("knn", 0.8),
        ("ipr", 0.7),  # balls of one set's own radii: above the truth on a few samples
        ("parzen", 0.8),
        ("coverage", 0.8),
        ("kmeans", 0.8),
        ("classifier", 0.7),
        (NearMean(), 0.7),
        (Halves(), 0.3),  # two cells a run: far above the truth
        (LogisticRegression(), 0.7),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_rows_of_the_table_and_the_users_objects_all_end_in_a_curve_like_the_truth(method, least):
    truth = GaussianShift(2.0, 3)
    assert pr_curve(*truth.sample(1200, 900), method).iou(truth.curve()) > least
