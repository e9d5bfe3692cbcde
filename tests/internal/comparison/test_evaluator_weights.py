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
OTHER = RNG.normal(0.0, 1.5, size=(200, 3))
W = np.exp(0.5 * REAL[:, 0]) * (RNG.random(300) < 0.9)  # some of weight 0
V = RNG.exponential(size=240) * (RNG.random(240) < 0.9)
CLIPS = np.arange(300) // 3
SCENES = 1000 + np.arange(240) // 4
METHODS = [Auto(folds=3), KMeans(clusters=5, runs=2), Classifier(classifiers=2)]
NAMES = ["precision", "recall", "coverage"]


@pytest.mark.parametrize(
    ("real_design", "fake_design"),
    [
        ({"w_real": W}, {}),
        ({}, {"w_fake": V}),
        ({"w_real": W}, {"w_fake": V}),
        ({"groups": CLIPS}, {}),
        ({}, {"groups": SCENES}),
        ({"w_real": W, "groups": CLIPS}, {"w_fake": V, "groups": SCENES}),
        ({"w_real": W, "groups": CLIPS}, {"groups": SCENES}),
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
        curves = evaluator.curves(FAKE, **fake_design)
        same(curves, prfast.pr_curves(REAL, FAKE, METHODS, n_jobs=1, **given))
        metrics = evaluator.metrics(FAKE, **fake_design)
        assert dict(metrics) == dict(prfast.metrics(REAL, FAKE, **weights))
        for key, curve in evaluator.evaluate(FAKE, **fake_design).curves.items():
            assert curve == curves[key]
    test = Evaluator(REAL, n_jobs=1, **real_design).test(FAKE, **fake_design)
    assert test.to_dict() == prfast.two_sample_test(REAL, FAKE, n_jobs=1, **given).to_dict()


@pytest.mark.parametrize("split", [0.5, None, "bernoulli"])
def test_groups_of_the_reference_are_on_one_side_of_its_split(split):
    evaluator = Evaluator(REAL, ["knn", "ipr"], (3, 5), split=split, groups=CLIPS)
    for groups in (None, SCENES):
        given = {"split": split, "groups": (CLIPS, groups)}
        expected = prfast.pr_curves(REAL, FAKE, ["knn", "ipr"], (3, 5), **given)
        for _ in range(2):
            same(evaluator.curves(FAKE, groups=groups), expected)


@pytest.mark.parametrize("w", [None, W])
def test_a_profile_has_weights_and_groups(w):
    sigmas, v = [0, 0.5], None if w is None else V
    options = {"w_real": w, "n_jobs": 1}
    evaluator = Evaluator(REAL, Auto(folds=2), resolutions=sigmas, groups=CLIPS, **options)
    profile = evaluator.evaluate(FAKE, w_fake=v).profile
    options |= {"w_fake": v, "groups": (CLIPS, None)}
    expected = prfast.profile(REAL, FAKE, sigmas, Auto(folds=2), **options)
    same(profile.estimates, expected.estimates)
    sizes = [estimate.info["effective_size"] for estimate in profile.estimates.values()]
    clips = np.bincount(CLIPS, W if w is not None else None)
    n = int(clips.sum() ** 2 / (clips**2).sum() + 1e-9)
    assert sizes == [[n, 240 if w is None else int(V.sum() ** 2 / (V**2).sum())]] * 2


def test_models_are_compared_with_the_weights_of_each():
    evaluator = Evaluator(REAL, METHODS[:1], w_real=W, halvings=4, which=NAMES, n_jobs=1)
    groups = {"b": np.arange(200) // 2}
    compared = evaluator.compare({"a": FAKE, "b": OTHER}, w_fake={"a": V}, groups=groups)
    assert compared["a"].curve == evaluator.curves(FAKE, w_fake=V)["auto", None]
    assert compared["b"].curve.info["groups"] == [int((W > 0).sum()), 100]
    assert len(compared.differences()) > 3
    assert "Effective sample size" in str(compared)
    usual = Evaluator(REAL, METHODS[1:2], w_real=W).compare({"a": FAKE, "b": OTHER})
    assert all(list(x) == NAMES for x in usual.values())  # density counts real samples


# ---- groups are the units of errors --------------------------------------------------------------


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
    """The deviation of a share of weight in a cell is that of sums over drawn groups."""
    rng = np.random.default_rng(2)
    (real, g), (fake, h) = crops(rng, 60, 5, 0.3), crops(rng, 50, 5, 0.3)
    w = rng.exponential(size=300)
    sign = lambda points: 1.0 * (points[:, 0] < 0)  # noqa: E731
    evaluator = Evaluator(real, sign, w_real=w, groups=g, which=NAMES)
    (scores,) = evaluator.evaluate(fake + np.array([0.5, 0]), groups=100 + h).scores.values()
    drawn = [draw.total_variation for draw in bootstrap_models([scores], 0, 2000)[0]]
    held, total = (np.bincount(g, w * x) for x in (real[:, 0] < 0, np.ones(300)))
    fake_shares = np.bincount(h, fake[:, 0] + 0.5 < 0) / 5
    i, j = rng.integers(60, size=(2000, 60)), rng.integers(50, size=(2000, 50))
    expected = held[i].sum(1) / total[i].sum(1) - fake_shares[j].mean(1)
    assert np.std(drawn) == pytest.approx(np.std(expected), rel=0.1)
    assert np.mean(drawn) == pytest.approx(np.abs(expected).mean(), rel=0.1)


def test_standard_errors_of_independent_samples_are_not_shown_for_groups():
    grouped = Evaluator(REAL, "knn", groups=CLIPS, which=["kernel_distance"]).metrics(FAKE)
    alone = Evaluator(REAL, "knn", which=["kernel_distance"]).metrics(FAKE)
    assert grouped.kernel_distance == alone.kernel_distance
    assert alone.errors
    assert not grouped.errors
    assert "Effective sample size 100 of 300 real and 240 of 240 generated" in str(grouped)


# ---- refusals ------------------------------------------------------------------------------------

test_refusals = refusals("""
Evaluator(REAL, "knn", w_real=W)
    ValueError: w_real: None expected for method 'knn', which has no weights…
Evaluator(REAL, w_real=W[1:])
    ValueError: w_real: 300 numbers expected, got 299
Evaluator(REAL, w_real=W, which="density")
    ValueError: w_real: None expected for density…
Evaluator(REAL, w_real=W, which=["precision", "recall", "density", "coverage"])
    ValueError: w_real: None expected for density…
Evaluator(REAL, groups=CLIPS[1:])
    ValueError: groups: one label a sample…
Evaluator(w_real=W)
    ValueError: w_real: None expected without a reference, as batches have none
Evaluator(groups=CLIPS)
    ValueError: groups: None expected without a reference, as batches have none
Evaluator(REAL, "knn").curve(FAKE, w_fake=V)
    ValueError: w_fake: None expected for method 'knn'…
Evaluator(REAL, KMeans(), which="frechet_distance").evaluate(FAKE, w_fake=V)
    ValueError: w_fake: None expected for frechet_distance…
Evaluator(REAL, groups=CLIPS).evaluate(FAKE, groups=np.arange(240))
    ValueError: groups: labels that occur in one set alone expected, got 0 in both; if they
    are other groups, number the generated ones on, or write a prefix
Evaluator(REAL).compare({"a": FAKE}, w_fake=V)
    TypeError: w_fake: a mapping of names of models to arrays expected
Evaluator(REAL).compare({"a": FAKE}, groups={"b": SCENES})
    ValueError: groups: names of models expected, got 'b'
Evaluator(REAL, KMeans()).compare({"a": FAKE}, w_fake={"a": -V})
    ValueError: models['a']: w_fake: numbers >= 0 expected…
""")
