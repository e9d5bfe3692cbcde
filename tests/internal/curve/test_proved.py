"""Curves that samples prove: above the truth as often as they say, ties or not."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from refusals import refused

from prfast import PRCurve, pr_curve
from prfast.curve.bands import BOUNDS
from prfast.reference import Discrete, GaussianShift

LAM = np.array([0.0, 0.01, 0.1, 0.3, 0.7, 1.0, 1.5, 4.0, 20.0, 1000.0, np.inf])
SCORES = st.lists(st.integers(0, 6), min_size=1, max_size=30)
COUNTS = PRCurve.from_scores([3, 3, 2, 1, 0, 2, 3], [0, 1, 1, 2, 0])


def is_above(upper, lower):
    """Return whether a curve is above another at every λ, up to rounding."""
    return all((x >= y - 1e-12).all() for x, y in zip(upper.at(LAM), lower.at(LAM), strict=True))


@given(SCORES, SCORES)
def test_a_curve_lies_in_its_band_whatever_the_scores(real, fake):
    curve = PRCurve.from_scores(real, fake)
    lower, upper = curve.band(0.9)
    assert is_above(curve, lower)
    assert is_above(upper, curve.upper(0.9))
    for bound in BOUNDS:
        assert is_above(curve.upper(0.9, bound=bound), curve)
        assert is_above(curve.upper(0.99, bound=bound), curve.upper(0.95, bound=bound))


@pytest.mark.parametrize("bound", BOUNDS)
@given(SCORES, SCORES)
@example([0] * 7 + [1] * 2, [0] * 6)  # an edge's rate of 1e-19 in place of 0 made α_∞ 1
def test_bounds_are_swapped_with_the_curve(bound, real, fake):
    curve = PRCurve.from_scores(real, fake)
    pairs = zip(curve.swap().band(), curve.band(), strict=True)
    for result, expected in (*pairs, (curve.swap().upper(bound=bound), curve.upper(bound=bound))):
        for x, y in zip(result.at(LAM), expected.swap().at(LAM), strict=True):
            np.testing.assert_allclose(x, y, atol=1e-9)


@pytest.mark.parametrize("bound", BOUNDS)
def test_the_truth_is_below_as_often_as_stated_under_ties(bound):
    truth = Discrete([0.5, 0.3, 0.2], [0.1, 0.3, 0.6]).curve()
    alpha = truth.at(LAM[1:-1])[0]
    above = inside = total = 0.0
    for (x, p_x), (y, p_y) in itertools.product(
        draws(5, truth.masses[0]), draws(4, truth.masses[1])
    ):
        score = np.arange(3.0)
        curve = PRCurve.from_scores(np.repeat(score, x), np.repeat(score, y))
        total += p_x * p_y
        if (curve.upper(0.8, bound=bound).at(LAM[1:-1])[0] >= alpha - 1e-12).all():
            above += p_x * p_y
        low, high = (limit.at(LAM[1:-1])[0] for limit in curve.band(0.8))
        if (low <= alpha + 1e-12).all() and (alpha <= high + 1e-12).all():
            inside += p_x * p_y
    assert total == pytest.approx(1)
    assert above >= 0.8
    assert inside >= 0.8


def draws(n, shares):
    """Every histogram of n samples, and its probability."""
    for x in itertools.product(range(n + 1), repeat=len(shares)):
        if sum(x) == n:
            ways = math.factorial(n) // math.prod(map(math.factorial, x))
            yield np.array(x), ways * math.prod(s**k for s, k in zip(shares, x, strict=True))


def test_only_a_scorer_that_has_not_seen_the_samples_is_certified():
    pair = GaussianShift(1.0, 2)
    real, fake = pair.sample(60, random_state=0)
    split, whole = (pr_curve(real, fake, "knn", split=split) for split in (0.5, None))
    folds = pr_curve(real, fake)
    given = pr_curve(real, fake, pair.log_ratio)
    result = [curve.upper().info["certified"] for curve in (split, whole, folds, given)]
    assert result == [True, False, False, True]
    assert split.upper().at(1.0)[0] > split.at(1.0)[0]


def smoothed(**more):
    info = dict(COUNTS.info) | {"split": None, "folds": 10} | more
    p, q = COUNTS._p, COUNTS._q
    info["hull"] = {"real": p.astype(int).tolist(), "fake": q.astype(int).tolist()}
    return PRCurve.from_masses([0.4, 0.6], [0.7, 0.3], info=info)


def test_the_hull_is_the_curve_of_the_counts():
    curve = smoothed()
    assert curve.hull == COUNTS
    assert dict(curve.hull.info) == dict(COUNTS.info) | {"split": None, "folds": 10}
    assert curve.swap().hull == COUNTS.swap()
    assert curve.swap().hull.info["swapped"] is True
    assert COUNTS.hull is COUNTS
    assert PRCurve.from_dict(curve.to_dict()).hull == COUNTS


def test_curves_that_count_no_samples_are_refused():
    none = "curve: cells that count samples expected, got masses of sums 1 and 1; curves of weights"
    with refused(ValueError, none):
        PRCurve.from_rates([0.2], [0.3]).upper()
    counted = PRCurve.from_scores([3, 1, 2, 1, 0, 2, 3], [0, 1, 1, 2, 0])
    for curve, sums in (
        (PRCurve.mean([COUNTS, counted]), "14 and 10"),
        (COUNTS.upper(), "1 and 1"),
    ):
        message = f"curve: cells that count 7 + 5 samples expected, got masses of sums {sums}; cur"
        with refused(ValueError, message):
            curve.band()
