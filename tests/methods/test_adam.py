"""The 2019 paper's way to train a linear classifier: ADAM, step by step as torch has it."""

import numpy as np
import pytest
from draws import samples

from prfast import pr_curve
from prfast.methods import Classifier, classifier
from prfast.methods.base import ExecutionContext
from prfast.reference import GaussianShift


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
    normal, offset = classifier.adam_plane(points, labels, weight_decay, 3)
    expected = by_torch(points, labels, weight_decay, 3)
    np.testing.assert_allclose(normal, expected[0], rtol=1e-9, atol=1e-12)
    assert offset == pytest.approx(expected[1], rel=1e-9, abs=1e-12)


def test_the_numbers_of_the_paper():
    """§6: the median of 10, 50 epochs, a rate from 1e-3 down, weight decay 0.1."""
    ensemble = Classifier(training="adam")
    assert (ensemble.classifiers, ensemble.settings()["weight_decay"]) == (10, 0.1)
    assert (classifier.EPOCHS, classifier.RATE) == (50, 1e-3)


def test_the_score_is_the_median_of_planes_of_features_as_they_are():
    real, fake = (x.astype(np.float32) for x in samples(100, 60))
    result = Classifier(training="adam", classifiers=3).fit(real, fake, ExecutionContext(seed=4))
    points, labels = np.concatenate([real, fake]), np.repeat([1, 0], [100, 60])
    seeds = np.random.SeedSequence(4).generate_state(3)
    planes = [classifier.adam_plane(points, labels, 0.1, int(seed)) for seed in seeds]
    scores = [fake.astype(float) @ normal + offset for normal, offset in planes]
    np.testing.assert_allclose(
        result.score(fake), np.median(scores, axis=0), rtol=1e-12, atol=1e-12
    )


@pytest.mark.nightly
def test_its_scores_follow_the_log_ratio_and_the_curve_says_how_it_was_made():
    truth = GaussianShift(2.0, 8)
    real, fake = truth.sample(2000, random_state=0)
    scores = Classifier(training="adam").fit(real[:1000], fake[:1000]).score(fake[1000:])
    assert np.corrcoef(scores, truth.log_ratio(fake[1000:]))[0, 1] > 0.98
    curve = pr_curve(real, fake, "classifier", training="adam")
    options = {"training": "adam", "weight_decay": 0.1, "classifiers": 10, "split": "bernoulli"}
    assert options.items() <= dict(curve.info).items()
    other = pr_curve(real, fake, "classifier", training="adam", weight_decay=0.01)
    assert other.info["weight_decay"] == 0.01
