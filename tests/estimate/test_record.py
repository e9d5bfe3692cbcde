"""pr_curve records what was done, and repeats it by its seed."""

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
from prfast.methods.neighbors import NEIGHBOR_METHODS

# Options that make a method quick; "auto" is in tests/methods/auto.
QUICK = {name: {} for name in NEIGHBOR_METHODS}
QUICK |= {"kmeans": {"runs": 2}, "classifier": {"classifiers": 2}}


# ---- the record --------------------------------------------------------------------------------


def test_the_record_of_the_default_is_complete_and_plain():
    curve = pr_curve(REAL, FAKE)
    info = dict(curve.info)
    assert json.loads(json.dumps(curve.to_dict()))["info"] == info
    weights, hull = info.pop("weights"), info.pop("hull")
    assert info.pop("evidence") > 10
    missed, least_real = info.pop("missed"), info.pop("least_real")
    info.pop("columns", None)  # where one clearly differs: test_columns.py
    assert info == {
        "method": "auto",
        "folds": 10,
        "fitted": [300, 200],
        "curve_estimator": "mean",
        "scikit_learn": sklearn.__version__,
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


@pytest.mark.parametrize("method", QUICK)
def test_a_seed_decides_everything(method):
    one, two, other = (
        pr_curve(REAL, FAKE, method, random_state=seed, **QUICK[method]) for seed in (3, 3, 4)
    )
    assert one == two
    assert one != other


def test_a_fresh_seed_is_recorded_and_repeats_the_curve():
    fresh, other = (pr_curve(REAL, FAKE, "knn", random_state=None) for _ in range(2))
    seed = fresh.info["random_state"]
    assert seed != other.info["random_state"]
    assert pr_curve(REAL, FAKE, "knn", random_state=seed) == fresh


@pytest.mark.parametrize(
    "classifier",
    [
        RandomForestClassifier(5),
        make_pipeline(PCA(2), DecisionTreeClassifier(max_features=1, max_depth=3)),
    ],
    ids=lambda classifier: type(classifier).__name__,
)
def test_the_seed_decides_a_classifier_that_has_none_of_its_own(classifier):
    one, two, other = (
        pr_curve(REAL, FAKE, classifier, split=None, random_state=seed).masses for seed in (3, 3, 4)
    )
    np.testing.assert_array_equal(one[0], two[0])
    np.testing.assert_array_equal(one[1], two[1])
    assert not np.array_equal(one[0], other[0])
