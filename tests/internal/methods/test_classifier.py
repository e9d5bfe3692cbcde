"""Classifiers: the ensemble of linear ones, trained in two ways, and scikit-learn's."""

import numpy as np
import pytest
from draws import samples
from refusals import refused
from sklearn.cluster import KMeans
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from prfast import pr_curve
from prfast.methods import Classifier, classifier
from prfast.methods.adapters import ClassifierAdapter
from prfast.methods.base import ExecutionContext


@pytest.mark.parametrize("exponent", [-1000, 1000])
def test_the_score_does_not_depend_on_the_unit_even_where_squares_leave_the_range(exponent):
    real, fake = samples(100, 60)
    expected = Classifier().fit(real, fake).score(real)
    real, fake = np.ldexp(real, exponent), np.ldexp(fake, exponent)
    np.testing.assert_array_equal(Classifier().fit(real, fake).score(real), expected)


def test_the_score_is_the_median_of_the_classifiers():
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


@pytest.mark.parametrize("classifier", [LogisticRegression(), KNeighborsClassifier(25)])
def test_any_classifier_is_a_scorer_larger_where_more_like_real(classifier):
    real, fake = samples(500, 400, delta=2.0)
    scores = ClassifierAdapter(classifier).fit(real, fake).score(np.concatenate([real, fake]))
    assert scores.shape == (900,)
    assert np.median(scores[:500]) > np.median(scores[500:])


def test_a_classifier_that_only_predicts_labels_is_refused():
    voting = VotingClassifier([("one", LogisticRegression())], voting="hard")
    scorer = ClassifierAdapter(voting).fit(*samples(50, 40))
    message = "a classifier with decision_function or predict_proba expected, got VotingClassifier"
    with pytest.raises(TypeError, match=f"^method: {message}"):
        scorer.score(np.zeros((2, 3)))


@pytest.mark.parametrize(
    "estimator", [KMeans(), make_pipeline(StandardScaler(), LinearRegression())]
)
def test_an_estimator_that_is_no_classifier_is_refused(estimator):
    message = f"method: a scikit-learn classifier expected, got {type(estimator).__name__}"
    with refused(TypeError, message):
        pr_curve(*samples(50, 40), estimator)


def by_torch(points, labels, weight_decay, seed):
    """The same batches and first weights, by `torch.optim.Adam` and its schedule."""
    torch = pytest.importorskip("torch", reason="compares with torch.optim.Adam")
    rng = np.random.default_rng(seed)
    first = rng.uniform(-1, 1, points.shape[1] + 1) / np.sqrt(points.shape[1])
    linear = torch.nn.Linear(points.shape[1], 1).double()
    with torch.no_grad():
        linear.weight[:] = torch.from_numpy(first[:-1])
        linear.bias[:] = first[-1]
    groups = [
        {"params": linear.weight, "weight_decay": weight_decay},
        {"params": linear.bias, "weight_decay": 0.0},
    ]
    steps = torch.optim.Adam(groups, lr=1e-3)
    falling = torch.optim.lr_scheduler.LambdaLR(steps, lambda epoch: 1 - epoch / 50)
    loss = torch.nn.BCEWithLogitsLoss()
    x, y = torch.from_numpy(points.astype(float)), torch.from_numpy(labels.astype(float))
    for _ in range(50):
        for rows in torch.from_numpy(rng.permutation(len(points))).split(64):
            steps.zero_grad()
            loss(linear(x[rows])[:, 0], y[rows]).backward()
            steps.step()
        falling.step()
    return linear.weight.detach().numpy()[0], float(linear.bias.detach())


@pytest.mark.parametrize(("weight_decay", "unit"), [(0.1, 1.0), (3.0, 50.0)])
def test_each_step_is_that_of_torch(weight_decay, unit):
    """150 samples: two whole batches and a rest; the penalty is seen by ADAM, not decoupled."""
    real, fake = samples(90, 60, dim=5, delta=2.0)
    points = unit * np.concatenate([real, fake])
    labels = np.repeat([1, 0], [90, 60])
    normal, offset = classifier.adam_plane(points, labels, None, weight_decay, 3)
    expected = by_torch(points, labels, weight_decay, 3)
    np.testing.assert_allclose(normal, expected[0], rtol=1e-9, atol=1e-12)
    assert offset == pytest.approx(expected[1], rel=1e-9, abs=1e-12)


def test_the_score_is_the_median_of_planes_of_features_as_they_are():
    real, fake = (x.astype(np.float32) for x in samples(100, 60))
    result = Classifier(training="adam", classifiers=3).fit(real, fake, ExecutionContext(seed=4))
    points, labels = np.concatenate([real, fake]), np.repeat([1, 0], [100, 60])
    seeds = np.random.SeedSequence(4).generate_state(3)
    planes = [classifier.adam_plane(points, labels, None, 0.1, int(seed)) for seed in seeds]
    scores = [fake.astype(float) @ normal + offset for normal, offset in planes]
    np.testing.assert_allclose(
        result.score(fake), np.median(scores, axis=0), rtol=1e-12, atol=1e-12
    )
