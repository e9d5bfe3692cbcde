"""An evaluator of samples with weights and in groups answers as independent calls do."""

import numpy as np
import pytest
from helpers import same
from refusals import refusals

import prfast
from prfast import Evaluator
from prfast.estimate.intervals import bootstrap_models
from prfast.methods import Auto, Classifier, KMeans
from prfast.samples.pair import Pair
from prfast.scalars.halves import _cuts

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(300, 3))
FAKE = RNG.normal(0.3, 1, size=(240, 3))
W = np.exp(0.5 * REAL[:, 0]) * (RNG.random(300) < 0.9)  # some of weight 0
V = RNG.exponential(size=240) * (RNG.random(240) < 0.9)
CLIPS = np.arange(300) // 3
SCENES = 1000 + np.arange(240) // 4
METHODS = [Auto(folds=3), KMeans(clusters=5, runs=2), Classifier(classifiers=2)]
NAMES = ["precision", "recall", "coverage"]


@pytest.mark.parametrize(
    ("real_design", "fake_design"),
    [
        ({"w_real": W}, {"w_fake": V}),
        ({"groups": CLIPS}, {}),
        ({}, {"groups": SCENES}),
        ({"w_real": W, "groups": CLIPS}, {"w_fake": V, "groups": SCENES}),
        ({"groups": CLIPS}, {"w_fake": V, "groups": SCENES}),
    ],
)
def test_it_answers_as_calls_with_the_same_weights(real_design, fake_design):
    design = real_design | fake_design
    weights = given = {name: value for name, value in design.items() if name != "groups"}
    if "groups" in design:
        given = weights | {"groups": (real_design.get("groups"), fake_design.get("groups"))}
    evaluator = Evaluator(REAL, METHODS, n_jobs=1, **real_design)
    for _ in range(2):  # from what is cached, too
        result = evaluator.evaluate(FAKE, **fake_design)
        same(result.curves, prfast.pr_curves(REAL, FAKE, METHODS, n_jobs=1, **given))
        for metrics in (result.metrics, evaluator.metrics(FAKE, **fake_design)):
            assert dict(metrics) == dict(prfast.metrics(REAL, FAKE, **weights))


@pytest.mark.parametrize("split", [0.5, None, "bernoulli"])
def test_groups_of_the_reference_are_on_one_side_of_its_split(split):
    evaluator = Evaluator(REAL, ["knn", "ipr"], (3, 5), split=split, groups=CLIPS)
    for groups in (None, SCENES):
        given = {"split": split, "groups": (CLIPS, groups)}
        expected = prfast.pr_curves(REAL, FAKE, ["knn", "ipr"], (3, 5), **given)
        for _ in range(2):
            same(evaluator.evaluate(FAKE, groups=groups).curves, expected)


def sign(points):
    return 1.0 * (points[:, 0] < 0)


def test_models_of_references_with_other_weights_or_groups_share_no_real_samples():
    designs = ({}, {"w_real": W}, {"groups": CLIPS})
    evaluators = [Evaluator(REAL, sign, which=[], **design) for design in (*designs, *designs)]
    scores = [evaluator.evaluate(FAKE).scores["sign", None] for evaluator in evaluators]
    shared = [[first.shares_real(second) for first in scores[:3]] for second in scores[3:]]
    assert np.array_equal(shared, np.eye(3))


def crops(rng, images, each, spread):
    """Crops of images, each near its image, and the number of the image."""
    centers = np.repeat(rng.normal(size=(images, 2)), each, axis=0)
    return centers + spread * rng.normal(size=centers.shape), np.repeat(np.arange(images), each)


def test_halves_of_samples_have_whole_groups():
    number = np.repeat(np.arange(9), [1, 2, 3, 4, 5, 6, 7, 8, 9])
    points = np.zeros((45, 1))
    cuts = [real for real, _ in _cuts(Pair.read(points, points, groups=(number, 9 + number)), 5, 0)]
    for halves in zip(cuts[::2], cuts[1::2], strict=True):
        assert sorted(np.concatenate(halves)) == list(range(45))
        assert not set(number[halves[0]]) & set(number[halves[1]])
        assert sorted(len(set(number[half])) for half in halves) == [4, 5]


def test_draws_of_a_model_are_draws_of_its_groups():
    rng = np.random.default_rng(2)
    (real, g), (fake, h) = crops(rng, 60, 5, 0.3), crops(rng, 50, 5, 0.3)
    w = rng.exponential(size=300)
    evaluator = Evaluator(real, sign, w_real=w, groups=g, which=NAMES)
    (scores,) = evaluator.evaluate(fake + np.array([0.5, 0]), groups=100 + h).scores.values()
    drawn = [draw.total_variation for draw in bootstrap_models([scores], 0, 2000)[0]]
    held, total = (np.bincount(g, w * x) for x in (real[:, 0] < 0, np.ones(300)))
    fake_shares = np.bincount(h, fake[:, 0] + 0.5 < 0) / 5
    i, j = rng.integers(60, size=(2000, 60)), rng.integers(50, size=(2000, 50))
    expected = held[i].sum(1) / total[i].sum(1) - fake_shares[j].mean(1)
    assert np.std(drawn) == pytest.approx(np.std(expected), rel=0.1)
    assert np.mean(drawn) == pytest.approx(np.abs(expected).mean(), rel=0.1)


test_refusals = refusals("""
Evaluator(REAL, "knn", w_real=W)
    ValueError: w_real: None expected for method 'knn', which has no weights…
Evaluator(REAL, w_real=W, which="density")
    ValueError: w_real: None expected for density…
Evaluator(REAL).compare({"a": FAKE}, w_fake=V)
    TypeError: w_fake: a mapping of names of models to arrays expected
""")
