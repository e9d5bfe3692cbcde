"""pr_curve records what was done, how pairs were decided, and repeats it by its seed."""

import json

import numpy as np
import pytest
from shifted import FAKE, REAL
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import prfast
from prfast import PRCurve, pr_curve


def test_the_record_of_the_default_is_complete_and_plain():
    curve = pr_curve(REAL, FAKE)
    info = dict(curve.info)
    assert json.loads(json.dumps(curve.to_dict()))["info"] == info
    weights, hull = info.pop("weights"), info.pop("hull")
    assert info.pop("evidence") > 10
    smaller = info.pop("smaller_fit")
    assert smaller["ratio"] == pytest.approx(450 / 250)  # rows of a fit without one fold, or half
    assert sum(smaller["real"]) == pytest.approx(1) == sum(smaller["fake"])
    assert 0 < len(info.pop("missed")) <= 5
    assert 0 < len(info.pop("least_real")) <= 5
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


def test_a_curve_explains_its_rows_and_who_names_columns():
    real, fake = np.random.default_rng(0).normal(size=(2, 600, 4))
    fake[:, 2] += 1.5
    curve = pr_curve(real, fake)
    *_, columns = curve.explain().splitlines()
    assert columns == "prfast.explain, or prfast test, names the columns that differ."
    assert (real[curve.info["missed"], 2] < -1).all()
    assert (fake[curve.info["least_real"], 2] > 2.5).all()
    assert columns not in curve.swap().explain()
    assert PRCurve.from_dict(curve.to_dict()).explain() == curve.explain()
