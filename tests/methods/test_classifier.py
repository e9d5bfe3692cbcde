"""Classifiers: the ensemble of linear ones, and scikit-learn's."""

import numpy as np
import pytest
from draws import integers, samples
from sklearn.cluster import KMeans
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from prfast import pr_curve
from prfast.methods import Classifier
from prfast.methods.adapters import ClassifierAdapter
from prfast.methods.base import ExecutionContext

# ---- the ensemble of linear classifiers --------------------------------------------------------


@pytest.mark.parametrize("shift", [7.0, -(2.0**30)])
def test_the_score_does_not_depend_on_the_origin(shift):
    real, fake = integers(20, 12)
    expected = Classifier().fit(real, fake).score(real)
    moved = Classifier().fit(real + shift, fake + shift).score(real + shift)
    np.testing.assert_array_equal(moved, expected)


@pytest.mark.parametrize("exponent", [-1000, 1000])
def test_the_score_does_not_depend_on_the_unit_even_where_squares_leave_the_range(exponent):
    real, fake = samples(100, 60)
    expected = Classifier().fit(real, fake).score(real)
    real, fake = np.ldexp(real, exponent), np.ldexp(fake, exponent)
    np.testing.assert_array_equal(Classifier().fit(real, fake).score(real), expected)


@pytest.mark.usefixtures("many_cores")
@pytest.mark.parametrize("training", ["sgd", "adam"])
def test_the_ensemble_depends_on_the_seed_alone_not_on_the_number_of_processes(training):
    real, fake = samples(100, 60)
    one, two, other = (
        Classifier(training=training).fit(real, fake, ExecutionContext(seed, jobs)).score(real)
        for seed, jobs in ((5, 1), (5, 2), (6, 1))
    )
    np.testing.assert_array_equal(one, two)
    assert not np.array_equal(one, other)


def test_the_score_is_the_median_of_the_classifiers():
    """Of three classifiers and one alone: each has its own stream, whatever their number."""
    real, fake = samples(100, 60)
    three = Classifier(classifiers=3).fit(real, fake)
    points = (real - three._center) / three._distance
    single = points @ three._normals + three._offsets
    assert single.shape == (100, 3)
    assert np.unique(single[0]).size == 3
    np.testing.assert_array_equal(three.score(real), np.sort(single, axis=1)[:, 1])
    first = Classifier(classifiers=1).fit(real, fake).score(real)
    np.testing.assert_allclose(first, single[:, 0], rtol=1e-12, atol=1e-12)


def test_features_whose_distances_overflow_are_refused():
    huge = np.array([[1.7e308], [-1.7e308]])
    with pytest.raises(ValueError, match="real and fake: their distances overflow float64"):
        Classifier().fit(huge, huge)


# ---- scikit-learn's classifiers ----------------------------------------------------------------


@pytest.mark.parametrize(
    "classifier",
    [LogisticRegression(), KNeighborsClassifier(25)],
    ids=lambda classifier: type(classifier).__name__,
)
def test_any_classifier_is_a_scorer_larger_where_more_like_real(classifier):
    """One with a decision_function, one with predict_proba alone."""
    real, fake = samples(500, 400, delta=2.0)
    scores = ClassifierAdapter(classifier).fit(real, fake).score(np.concatenate([real, fake]))
    assert scores.shape == (900,)
    assert np.median(scores[:500]) > np.median(scores[500:])


def test_the_users_classifier_is_left_unfitted():
    classifier = LogisticRegression(C=3.0)
    before = dict(vars(classifier))
    ClassifierAdapter(classifier).fit(*samples(50, 40))
    assert vars(classifier) == before


def test_a_classifier_that_only_predicts_labels_is_refused():
    voting = VotingClassifier([("one", LogisticRegression())], voting="hard")
    scorer = ClassifierAdapter(voting).fit(*samples(50, 40))
    message = "a classifier with decision_function or predict_proba expected, got VotingClassifier"
    with pytest.raises(TypeError, match=f"^method: {message}"):
        scorer.score(np.zeros((2, 3)))


@pytest.mark.parametrize(
    "estimator",
    [KMeans(), make_pipeline(StandardScaler(), LinearRegression())],
    ids=lambda estimator: type(estimator).__name__,
)
def test_an_estimator_that_is_no_classifier_is_refused(estimator):
    """Even where it has fit and score, as a scorer does."""
    name = type(estimator).__name__
    with pytest.raises(
        TypeError, match=f"^method: a scikit-learn classifier expected, got {name}$"
    ):
        pr_curve(*samples(50, 40), estimator)
