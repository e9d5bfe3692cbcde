"""Methods: the registry, partitions, classifiers, functions, and what a user brings."""

import re

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, clone
from sklearn.cluster import KMeans
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import IsolationForest, VotingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from prfast import METHODS, pr_curve
from prfast.reference import GaussianShift
from prfast.scorers.classifier import FittedScorer, LinearEnsemble, SklearnScorer
from prfast.scorers.methods import Partition, Scorer, choose
from prfast.scorers.neighbor_scorer import NeighborScorer
from prfast.scorers.neighbors import NEIGHBOR_METHODS
from prfast.scorers.partition import KMeansPartition

NAMES = "'knn', 'ipr', 'parzen', 'coverage', 'kmeans', 'classifier'"


def samples(n=256, m=256, dim=3, delta=1.0, seed=0):
    return GaussianShift(delta, dim).sample(n, m, seed)


# ---- the registry ------------------------------------------------------------------------------


def test_a_row_a_method():
    assert list(METHODS) == ["knn", "ipr", "parzen", "coverage", "kmeans", "classifier"]
    for name in NEIGHBOR_METHODS:
        own = ["k", "ties", "count_self", "backend", "memory", "progress"]
        assert (METHODS[name].options, METHODS[name].split) == (own, 0.5)
    assert METHODS["kmeans"].options == ["clusters", "runs", "balance"]
    assert METHODS["classifier"].options == ["classifiers", "weight_decay"]
    assert METHODS["kmeans"].split is None
    assert METHODS["classifier"].split == "bernoulli"


@pytest.mark.parametrize("name", METHODS)
def test_every_row_makes_a_scorer_or_a_partition_with_its_options_as_attributes(name):
    row = METHODS[name]
    made = row.make(random_state=3, n_jobs=2)
    assert isinstance(made, Scorer | Partition)
    if name not in NEIGHBOR_METHODS:  # nothing of those is random
        assert (made.random_state, made.n_jobs) == (3, 2)
    assert all(hasattr(made, attribute) for attribute in [*row.options, *row.records])
    assert row.summary


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
            "k: not an option of method 'kmeans', which has clusters, runs, balance",
        ),
        (
            "classifier",
            {"runs": 3, "clusters": 2},
            TypeError,
            "clusters: not an option of method 'classifier', which has classifiers, weight_decay",
        ),
        (len, {"k": 3}, TypeError, "k: options go with a method's name; set them on the object"),
        (None, {}, TypeError, f"method: one of {NAMES}, a scikit-learn classifier, a scorer"),
        (3, {}, TypeError, f"method: one of {NAMES}, a scikit-learn classifier, a scorer"),
        (LogisticRegression, {}, TypeError, f"method: one of {NAMES}, a scikit-learn classifier"),
        ("knn", {"runs": 3}, TypeError, "runs: not an option of method 'knn', which has k, ties,"),
        ("ipr", {"k": 0}, ValueError, "k: an integer of at least 1 expected, got 0"),
        ("parzen", {"k": "3"}, TypeError, "k: an integer expected, got a str"),
        ("coverage", {"ties": "<"}, ValueError, "ties: 'closed' (d <= r) or 'open' (d < r) exp"),
        ("knn", {"count_self": 0}, TypeError, "count_self: True or False expected, got 0"),
        ("knn", {"backend": "gpu"}, ValueError, "backend: "),
        ("kmeans", {"clusters": 1}, ValueError, "clusters: an integer of at least 2 expected"),
        ("kmeans", {"runs": 10**30}, ValueError, "runs: an integer of at most 1000000 expected, "),
        ("classifier", {"classifiers": 10**30}, ValueError, "classifiers: an integer of at most 1"),
        ("kmeans", {"runs": 1.0}, TypeError, "runs: an integer expected, got a float"),
        ("kmeans", {"balance": 1}, TypeError, "balance: True or False expected, got 1"),
        ("classifier", {"classifiers": 0}, ValueError, "classifiers: an integer of at least 1"),
        ("classifier", {"weight_decay": 0}, ValueError, "weight_decay: a number in [1e-12, 1e+12"),
    ],
)
def test_a_wrong_method_or_option_is_named(method, options, error, message):
    with pytest.raises(error, match="^" + re.escape(message)):
        choose(method, options, 0, 1)


# ---- k-means -----------------------------------------------------------------------------------


def test_each_run_is_a_pair_of_histograms_of_all_samples():
    real, fake = samples(300, 170)
    runs = KMeansPartition(clusters=7, runs=4).masses(real, fake)
    assert len(runs) == 4
    for p, q in runs:
        assert (p.shape, q.shape) == ((7,), (7,))
        assert (p.sum(), q.sum()) == (300, 170)
    assert any(not np.array_equal(runs[0][0], p) for p, _ in runs[1:])


def test_cells_are_the_clusters_where_clusters_are_plain():
    """Four heaps, in P with counts 40 30 20 10 and in Q with 10 20 30 0."""
    centres = np.array([[0, 0], [9, 0], [0, 9], [9, 9]])
    noise = np.random.default_rng(0).normal(size=(160, 2)) / 10
    real = np.repeat(centres, [40, 30, 20, 10], axis=0) + noise[:100]
    fake = np.repeat(centres, [10, 20, 30, 0], axis=0) + noise[100:]
    for p, q in KMeansPartition(clusters=4, runs=3).masses(real, fake):
        assert sorted(zip(p, q, strict=True)) == [(10, 0), (20, 30), (30, 20), (40, 10)]


def same(one, two):
    """Are two lists of pairs of histograms equal?"""
    return all(np.array_equal(a, b) for a, b in zip(np.array(one), np.array(two), strict=True))


def test_runs_depend_on_the_seed_alone_not_on_the_number_of_processes():
    pair = samples(200, 120)
    one, two, other = (
        KMeansPartition(runs=3, random_state=seed, n_jobs=jobs).masses(*pair)
        for seed, jobs in ((5, 1), (5, 2), (6, 1))
    )
    assert same(one, two)
    assert not same(one, other)


def test_more_runs_begin_with_the_same_ones():
    pair = samples(200, 120)
    few, many = (KMeansPartition(runs=runs).masses(*pair) for runs in (2, 4))
    assert same(few, many[:2])


def test_balance_does_nothing_where_sets_are_of_one_size():
    pair = samples(200, 200)
    assert same(*(KMeansPartition(runs=3, balance=b).masses(*pair) for b in (True, False)))


def test_balance_gives_a_small_set_its_share_of_the_cells():
    """100 real against 10 000 generated samples, far apart: with balance many of the cells are real
    (about half in new versions of scikit-learn, a quarter in old ones), without it one or two."""
    rng = np.random.default_rng(0)
    real, fake = rng.normal(size=(100, 2)), rng.normal(size=(10_000, 2)) + 12
    cells = {
        balance: np.mean([(p > 0).sum() for p, _ in partition.masses(real, fake)])
        for balance in (True, False)
        for partition in [KMeansPartition(runs=3, balance=balance)]
    }
    assert cells[True] > 2.5 * cells[False]
    assert cells[False] <= 4


def test_fewer_samples_than_clusters_are_refused():
    message = "real and fake: at least 20 samples together expected for 20 clusters, got 12 + 7"
    with pytest.raises(ValueError, match=re.escape(message)):
        KMeansPartition().masses(*samples(12, 7))


@pytest.mark.parametrize("exponent", [-1000, -60, 40, 1000])
def test_cells_do_not_depend_on_the_unit_even_where_squares_leave_the_range(exponent):
    real, fake = samples(100, 60)
    partition = KMeansPartition(runs=2)
    expected = partition.masses(real, fake)
    assert same(expected, partition.masses(np.ldexp(real, exponent), np.ldexp(fake, exponent)))


@pytest.mark.parametrize("exponent", [-100, 100])
def test_cells_do_not_depend_on_the_unit_in_float32(exponent):
    real, fake = (x.astype(np.float32) for x in samples(100, 60))
    partition = KMeansPartition(runs=2)
    expected = partition.masses(real, fake)
    assert same(expected, partition.masses(np.ldexp(real, exponent), np.ldexp(fake, exponent)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("origin", [1e5, -3e6, 1e30])
def test_cells_survive_features_far_from_the_origin(origin, dtype):
    """Where what tells them apart is more than a rounding of them: the last is the unit, too."""
    rng = np.random.default_rng(0)
    real, fake = rng.normal(size=(300, 2)), rng.normal([8, 0], size=(300, 2))
    unit = max(1.0, abs(origin) * 1e-6)
    real, fake = ((origin + unit * x).astype(dtype) for x in (real, fake))
    assert pr_curve(real, fake, "kmeans", runs=2).area < 0.01


def test_cells_do_not_depend_on_the_origin():
    """Exactly, where the mean and the differences from it are."""
    real, fake = integers(20, 12)
    partition = KMeansPartition(runs=2, clusters=5)
    expected = partition.masses(real, fake)
    assert same(expected, partition.masses(real + 2.0**30, fake + 2.0**30))


# ---- the ensemble of linear classifiers --------------------------------------------------------


def integers(n, m, seed=0):
    """Whole features: their sums, and the means of a power of two of them, are exact."""
    rng = np.random.default_rng(seed)
    return rng.integers(-9, 9, (n, 4)).astype(float), rng.integers(-6, 12, (m, 4)).astype(float)


def test_the_score_is_larger_where_more_like_real():
    real, fake = samples(2000, 2000, delta=2.0)
    ensemble = LinearEnsemble().fit(real[:1000], fake[:1000])
    scores_real, scores_fake = ensemble.score(real[1000:]), ensemble.score(fake[1000:])
    truth = GaussianShift(2.0, 3)
    assert np.median(scores_real) > 0 > np.median(scores_fake)
    assert np.corrcoef(scores_real, truth.log_ratio(real[1000:]))[0, 1] > 0.99


@pytest.mark.parametrize("shift", [7.0, -(2.0**30)])
def test_the_score_does_not_depend_on_the_origin(shift):
    real, fake = integers(20, 12)
    expected = LinearEnsemble().fit(real, fake).score(real)
    moved = LinearEnsemble().fit(real + shift, fake + shift).score(real + shift)
    np.testing.assert_array_equal(moved, expected)


@pytest.mark.parametrize("exponent", [-1000, -3, 5, 1000])
def test_the_score_does_not_depend_on_the_unit_even_where_squares_leave_the_range(exponent):
    real, fake = samples(100, 60)
    expected = LinearEnsemble().fit(real, fake).score(real)
    real, fake = np.ldexp(real, exponent), np.ldexp(fake, exponent)
    np.testing.assert_array_equal(LinearEnsemble().fit(real, fake).score(real), expected)


def test_float32_features_are_used_as_they_are():
    real, fake = (x.astype(np.float32) for x in samples(100, 60))
    wide = LinearEnsemble().fit(real.astype(float), fake.astype(float)).score(fake.astype(float))
    np.testing.assert_array_equal(LinearEnsemble().fit(real, fake).score(fake), wide)


def test_the_ensemble_depends_on_the_seed_alone_not_on_the_number_of_processes():
    real, fake = samples(100, 60)
    one, two, other = (
        LinearEnsemble(random_state=seed, n_jobs=jobs).fit(real, fake).score(real)
        for seed, jobs in ((5, 1), (5, 2), (6, 1))
    )
    np.testing.assert_array_equal(one, two)
    assert not np.array_equal(one, other)


def test_the_score_is_the_median_of_the_classifiers():
    """Of three classifiers and one alone: each has its own stream, whatever their number."""
    real, fake = samples(100, 60)
    three = LinearEnsemble(classifiers=3).fit(real, fake)
    points = (real - three._centre) / three._distance
    single = points @ three._normals + three._offsets
    assert single.shape == (100, 3)
    np.testing.assert_array_equal(three.score(real), np.sort(single, axis=1)[:, 1])
    first = LinearEnsemble(classifiers=1).fit(real, fake).score(real)
    np.testing.assert_allclose(first, single[:, 0], rtol=1e-12, atol=1e-12)


def test_features_without_any_distance_have_one_score():
    scores = LinearEnsemble().fit(np.ones((5, 2)), np.ones((5, 2))).score(np.ones((3, 2)))
    assert len(set(scores)) == 1
    assert np.isfinite(scores).all()


def test_features_whose_distances_overflow_are_refused():
    huge = np.array([[1.7e308], [-1.7e308]])
    with pytest.raises(ValueError, match="real and fake: their distances overflow float64"):
        LinearEnsemble().fit(huge, huge)


# ---- scikit-learn's classifiers ----------------------------------------------------------------


@pytest.mark.parametrize(
    "classifier",
    [LinearDiscriminantAnalysis(), LogisticRegression(), KNeighborsClassifier(25)],
    ids=lambda classifier: type(classifier).__name__,
)
def test_any_classifier_is_a_scorer_larger_where_more_like_real(classifier):
    """Two with a decision_function, one with predict_proba alone."""
    real, fake = samples(500, 400, delta=2.0)
    scores = SklearnScorer(classifier).fit(real, fake).score(np.concatenate([real, fake]))
    assert scores.shape == (900,)
    assert np.median(scores[:500]) > np.median(scores[500:])


def test_the_probability_of_real_is_used_where_there_is_no_decision_function():
    real, fake = samples(50, 40)
    own = KNeighborsClassifier(5).fit(np.r_[real, fake], np.r_[np.ones(50), np.zeros(40)])
    scorer = SklearnScorer(KNeighborsClassifier(5)).fit(real, fake)
    np.testing.assert_array_equal(scorer.score(fake), own.predict_proba(fake)[:, 1])


def test_the_users_classifier_stays_as_it_was():
    classifier = LogisticRegression(C=3.0)
    before = dict(vars(clone(classifier)))
    SklearnScorer(classifier).fit(*samples(50, 40))
    assert vars(classifier) == before
    with pytest.raises(ValueError, match="not fitted"):
        check_is_fitted(classifier)


def test_a_classifier_that_only_predicts_labels_is_refused():
    voting = VotingClassifier([("one", LogisticRegression())], voting="hard")
    scorer = SklearnScorer(voting).fit(*samples(50, 40))
    message = "a classifier with decision_function or predict_proba expected, got VotingClassifier"
    with pytest.raises(TypeError, match=f"^method: {message}"):
        scorer.score(np.zeros((2, 3)))


def test_classifiers_get_a_share_of_one_half_and_functions_none():
    assert choose(LogisticRegression(), {}, 0, 1)[3] == 0.5
    name, made, settings, split = choose(np.linalg.norm, {}, 0, 1)
    assert (name, settings, split) == ("norm", [], None)
    assert isinstance(made, FittedScorer)


@pytest.mark.parametrize(
    "estimator",
    [
        KMeans(),
        LinearRegression(),
        IsolationForest(),
        StandardScaler(),
        make_pipeline(StandardScaler(), LinearRegression()),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_an_estimator_that_is_no_classifier_is_refused(estimator):
    """Even where it has fit and score, as a scorer does."""
    name = type(estimator).__name__
    with pytest.raises(
        TypeError, match=f"^method: a scikit-learn classifier expected, got {name}$"
    ):
        pr_curve(*samples(50, 40), estimator)


def test_a_pipeline_that_ends_in_a_classifier_is_one():
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    assert choose(pipeline, {}, 0, 1)[3] == 0.5


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
