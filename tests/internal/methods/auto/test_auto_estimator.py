"""The automatic estimator: what its scores depend on."""

import numpy as np
import pytest
from pairs import pair
from refusals import refused

from prfast import PRCurve, pr_curve
from prfast.methods.auto import Auto
from prfast.methods.base import read_context
from prfast.samples.pair import Pair

REAL, FAKE = pair(120, 90, 3)


def test_every_sample_has_a_log_ratio_from_which_the_curve_is_estimated():
    scores = Auto().scores(Pair.read(REAL, FAKE), None, read_context())
    assert (scores.real.shape, scores.fake.shape) == ((120,), (90,))
    assert scores.real.mean() > scores.fake.mean() + 0.1
    curve = pr_curve(REAL, FAKE)
    assert curve.hull == PRCurve.from_scores(scores.real, scores.fake)
    gain = np.log(2) - np.mean(
        [np.logaddexp(0, -scores.real).mean(), np.logaddexp(0, scores.fake).mean()]
    )
    assert curve.info["evidence"] == pytest.approx(gain * 4 / (1 / 120 + 1 / 90), abs=0.06)
    assert curve.info["weights"] == scores.provenance.weights
    assert sum(scores.provenance.weights.values()) == pytest.approx(1, abs=1e-3)


def test_want_of_evidence_shrinks_the_curve_but_not_its_hull():
    real, fake = np.random.default_rng(0).normal(size=(2, 30, 3))
    lam = np.geomspace(0.1, 10, 9)
    curve = pr_curve(real, fake)
    share = curve.info["shrunk"]
    assert share == pytest.approx(max(curve.info["evidence"], 0) / 3, abs=0.02)
    assert share < 1
    expected = share * curve.hull.at(lam)[0] + (1 - share) * np.minimum(lam, 1)
    np.testing.assert_allclose(curve.at(lam)[0], expected, atol=1e-3)


def test_new_points_are_scored_by_the_mean_over_the_folds():
    method = Auto(folds=4)
    fitted = method.fit(REAL, FAKE)
    assert fitted == method
    assert sum(fitted.weights.values()) == pytest.approx(1, abs=1e-3)
    points, _ = pair(50, 1, 3, seed=1)
    fold_scores = [fitted._fitted.score(points, fold) for fold in range(4)]
    np.testing.assert_allclose(fitted.score(points), np.mean(fold_scores, axis=0), rtol=1e-9)
    assert np.ptp(fold_scores, axis=0).max() > 0.01


def test_points_for_a_fitted_method_are_checked():
    with refused(ValueError, "method: a fitted method expected"):
        Auto().score(REAL)
    fitted = Auto().fit(REAL, FAKE)
    with refused(ValueError, "points: 3 features expected, got 2"):
        fitted.score(REAL[:, :2])
    with refused(ValueError, "real: finite numbers expected"):
        Auto().fit(REAL * np.nan, FAKE)
