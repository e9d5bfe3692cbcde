"""What a curve says of itself in words."""

import pytest

from prfast import PRCurve, pr_curve
from prfast.methods import METHODS
from prfast.reference import GaussianShift

REAL, FAKE = GaussianShift(1.0, 3).sample(200, 150)
LOW = PRCurve.from_masses([3, 1], [1, 3])


@pytest.mark.parametrize("method", METHODS)
def test_a_curve_says_what_its_method_cannot_see(method):
    if METHODS[method].blind:
        summary, *_, blind = pr_curve(REAL, FAKE, method).explain().splitlines()[-3:]
        assert summary.startswith(f"Method {method}, {METHODS[method].summary}; ")
        assert "200 real and 150 generated samples" in summary
        assert blind == f"It cannot see {METHODS[method].blind}."


def test_what_became_of_a_curve_is_told():
    curves = [pr_curve(REAL, FAKE, "knn", random_state=seed) for seed in range(2)]
    assert "the mean of 2 curves" in PRCurve.mean(curves).explain()
    assert "the minimum of 2 curves" in curves[0].intersection(curves[1]).explain()
    assert "real and generated exchanged since" in curves[0].swap().explain()


# ---- the automatic method ------------------------------------------------------------------


def auto(weights, curve=LOW):
    return curve.with_info(method="auto", split=None, folds=10, weights=weights).explain()


def test_the_base_with_the_largest_share_is_told_first():
    text = auto({"linear": 0.6, "quadratic": 2.0, "kernel": 0.1})
    assert "each scored by a fit that has not seen it, 10 folds" in text
    assert text.endswith(
        "Mostly quadratic (74%): spread, correlations or, of many features, fine detail differ; "
        "linear (22%): the means differ."
    )
