"""pr_curve records what was done, how pairs were decided, and repeats it by its seed."""

import json

import numpy as np
import pytest
import sklearn
from shifted import FAKE, REAL
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import prfast
from prfast import PRCurve, pr_curve
from prfast.methods import METHODS

# ---- the record --------------------------------------------------------------------------------


def test_the_record_of_the_default_is_complete_and_plain():
    curve = pr_curve(REAL, FAKE)
    info = dict(curve.info)
    assert json.loads(json.dumps(curve.to_dict()))["info"] == info
    weights, hull = info.pop("weights"), info.pop("hull")
    assert info.pop("evidence") > 10
    smaller = info.pop("smaller_fit")
    assert smaller["ratio"] == pytest.approx(450 / 250)  # rows of a fit without one fold, or half
    assert sum(smaller["real"]) == pytest.approx(1) == sum(smaller["fake"])
    missed, least_real = info.pop("missed"), info.pop("least_real")
    assert info == {
        "method": "auto",
        "folds": 10,
        "fitted": [300, 200],
        "split": "folds",
        "n_real": 300,
        "n_fake": 200,
        "scored_real": 300,
        "scored_fake": 200,
        "n_features": 3,
        "random_state": 0,
        "version": prfast.__version__,
    }
    assert sum(weights.values()) == pytest.approx(1, abs=1e-3)
    assert (sum(hull["real"]), sum(hull["fake"])) == (300, 200)
    assert 0 < len(missed) <= 5
    assert max(missed) < 300
    assert 0 < len(least_real) <= 5
    assert max(least_real) < 200


@pytest.mark.parametrize(
    ("method", "split", "recorded"),
    [
        ("classifier", "auto", {"classifiers": 10, "weight_decay": 0.004, "split": "bernoulli"}),
        ("classifier", np.float32(0.25), {"classifiers": 10, "weight_decay": 0.004, "split": 0.25}),
        (
            LogisticRegression(C=3.0),
            "auto",
            {
                "split": 0.5,
                "classifier": "LogisticRegression(C=3.0)",
                "scikit_learn": sklearn.__version__,
            },
        ),
        (np.linalg.norm, None, {"split": None, "fitted": False}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_record_of_a_scorer_survives_json(method, split, recorded):
    if method is np.linalg.norm:
        method = lambda points: np.linalg.norm(points, axis=1)  # noqa: E731
    curve = pr_curve(REAL, FAKE, method, split=split)
    info = json.loads(json.dumps(dict(curve.info)))
    common = {"n_real": 300, "n_fake": 200, "n_features": 3, "random_state": 0}
    assert info.items() >= (recorded | common).items()
    assert PRCurve.from_dict(json.loads(json.dumps(curve.to_dict()))) == curve


# ---- seeds -------------------------------------------------------------------------------------


def test_a_fresh_seed_is_recorded_and_repeats_the_curve():
    fresh, again = (pr_curve(REAL, FAKE, "knn", random_state=None) for _ in range(2))
    seed = fresh.info["random_state"]
    assert seed != again.info["random_state"]
    assert pr_curve(REAL, FAKE, "knn", random_state=seed) == fresh


TREE = make_pipeline(PCA(2), DecisionTreeClassifier(max_features=1, max_depth=3))


@pytest.mark.parametrize("classifier", [RandomForestClassifier(5), TREE])
def test_the_seed_decides_a_classifier_that_has_none_of_its_own(classifier):
    masses, again, reseeded = (
        pr_curve(REAL, FAKE, classifier, split=None, random_state=seed).masses for seed in (3, 3, 4)
    )
    np.testing.assert_array_equal(masses[0], again[0])
    np.testing.assert_array_equal(masses[1], again[1])
    assert not np.array_equal(masses[0], reseeded[0])


# ---- work ----------------------------------------------------------------------------------------


@pytest.fixture
def sets():
    rng = np.random.default_rng(0)
    return rng.normal(size=(2, 300, 40)).astype(np.float32)


def pairs(curve):
    return curve.work["float32"] + curve.work["int8"] + curve.work["unfiltered"]


@pytest.mark.parametrize("way", ["off", "float32"])
def test_the_work_is_of_the_way_that_was_taken_and_the_rest_is_not(sets, way, monkeypatch):
    usual = prfast.pr_curve(*sets, "ipr", 5)
    monkeypatch.setenv("PRFAST_FILTER", way)
    forced = prfast.pr_curve(*sets, "ipr", 5)
    assert (forced.work["unfiltered"] > 0) == (way == "off")
    assert forced.work["int8"] == 0
    assert forced == usual
    assert forced.info == usual.info
    assert json.dumps(forced.to_dict()) == json.dumps(usual.to_dict())


# ---- words ---------------------------------------------------------------------------------------


LOW = PRCurve.from_masses([3, 1], [1, 3])


@pytest.mark.parametrize("method", METHODS)
def test_a_curve_says_what_its_method_cannot_see(method):
    if METHODS[method].blind:
        summary, *_, blind = pr_curve(REAL, FAKE, method).explain().splitlines()[-3:]
        assert summary.startswith(f"Method {method}, {METHODS[method].summary}; ")
        assert "300 real and 200 generated samples" in summary
        assert blind == f"It cannot detect {METHODS[method].blind}."


def test_what_became_of_a_curve_is_told():
    curves = [pr_curve(REAL, FAKE, "knn", random_state=seed) for seed in range(2)]
    assert "the mean of 2 curves" in PRCurve.mean(curves).explain()
    assert "the minimum of 2 curves" in curves[0].intersection(curves[1]).explain()
    assert "real and generated exchanged since" in curves[0].swap().explain()


# ---- the automatic method ------------------------------------------------------------------


def auto(weights, curve=LOW):
    return curve.with_info(method="auto", split=None, folds=10, weights=weights).explain()


def test_the_base_with_the_largest_share_is_told_first():
    text = auto({"linear": 0.6, "trees": 2.0, "sizes": 0.1})
    assert "each scored by a fit without it, 10 folds" in text
    trees = "Mostly trees (74%): thresholds and combinations of a few features differ; "
    assert text.endswith(f"{trees}linear (22%): the means differ.")


def test_a_curve_explains_its_rows_and_who_names_columns():
    real, fake = np.random.default_rng(0).normal(size=(2, 600, 4))
    fake[:, 2] += 1.5
    curve = pr_curve(real, fake)
    *_, missed, least_real, columns = curve.explain().splitlines()
    assert missed.startswith("Real samples that are missed most: rows ")
    assert least_real.startswith("Generated samples least like real ones: rows ")
    assert columns == "prfast.explain(real, fake) names the columns that differ."
    assert (real[curve.info["missed"], 2] < -1).all()
    assert (fake[curve.info["least_real"], 2] > 2.5).all()
    assert columns not in curve.swap().explain()
    assert PRCurve.from_dict(curve.to_dict()).explain() == curve.explain()
