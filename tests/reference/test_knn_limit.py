"""The kNN classifier of infinitely many samples: Eq. 10 to 13 of the 2024 paper, Theorem 3.1."""

from fractions import Fraction
from math import comb, exp, sqrt

import numpy as np
import pytest
from hostile import mass_pairs
from hypothesis import example, given
from hypothesis import strategies as st
from refusals import refusals
from scipy import stats

from prfast import PRCurve
from prfast.reference import Discrete, GaussianMixtures, GaussianShift, knn_limit, knn_risk

SHIFT = GaussianShift(1.0).curve(cells=1 << 12)
MODES = GaussianMixtures([[0.0], [2.0], [5.0]], [1, 2, 0], [1, 0, 2]).curve(cells=1 << 12)
HALVES = Discrete([3, 1, 0], [1, 2, 4]).curve()
CURVES = {"shift": SHIFT, "modes": MODES, "cells": HALVES}
LAM = np.array([0.1, 1 / 3, 0.5, 1, 2, 3, 10])


def eq_10(p, q, k, lam, gamma):
    """Eq. 10, cell by cell and count by count, with f_γ's own tie."""
    total = 0.0
    for mass_p, mass_q in zip(p, q, strict=True):
        if mass_p + mass_q == 0:
            continue
        eta, one_minus_eta = np.array([mass_p, mass_q]) / (mass_p + mass_q)  # 1 - eta cancels
        for real in range(k + 1):
            chance = comb(k, real) * eta**real * one_minus_eta ** (k - real)
            weighed = Fraction(gamma) * real
            called_real = weighed >= k - real if gamma >= 1 else weighed > k - real
            total += chance * (mass_q if called_real else lam * mass_p)
    return total


@example((np.array([1e-300, 0.0]), np.array([1e-300, 1e-290])), 1, 1e-300)
@given(mass_pairs(), st.integers(1, 9), st.sampled_from([1e-300, 0.125, 0.5, 1.0, 2.0, 3.0, 1e300]))
def test_it_is_equation_10(pair, k, gamma):
    truth = PRCurve.from_masses(*pair)
    p, q = (mass / mass.sum() for mass in pair)
    for lam in (0.0, 0.01, 1.0, 7.0):
        result = knn_risk(truth, k, lam, gamma)
        assert result == pytest.approx(eq_10(p, q, k, lam, gamma), rel=1e-12, abs=1e-290)


@pytest.mark.parametrize("curve", CURVES.values(), ids=CURVES)
@pytest.mark.parametrize("lam", [1 / 3, 1.0, 3.0])
def test_equation_12_and_13_hold_where_a_tie_is_counted(curve, lam):
    """μ_λ(η) = λη + q (1 − (λ + 1)η), q = P(called real); below 1/(λ + 1) Hoeffding bounds q."""
    k, counts = 8, np.arange(9)
    p, q = curve.masses
    eta = p / (p + q)
    called = (lam * counts >= k - counts) if lam >= 1 else (counts > round(k / (lam + 1)))
    real = np.array([stats.binom.pmf(counts[called], k, one).sum() for one in eta])
    mu = lam * eta + real * (1 - (lam + 1) * eta)
    assert knn_risk(curve, k, lam) == pytest.approx(((p + q) * mu).sum(), rel=1e-9)
    low = eta < 1 / (lam + 1)
    assert np.all(real[low] <= np.exp(-2 * k * (1 / (lam + 1) - eta[low]) ** 2) + 1e-12)


@pytest.mark.parametrize("curve", CURVES.values(), ids=CURVES)
@pytest.mark.parametrize("k", [1, 2, 3, 4, 10, 100, 10_000])
def test_what_is_above_the_truth_is_within_hoeffding(curve, k):
    """Item 1 of the theorem, with a rate: by Eq. 12 and 13 the excess of a point is at most
    |(λ + 1)η − 1| exp(−2k (η − 1/(λ + 1))²), which is at most (λ + 1)/(2√(e k)) for any η."""
    p, q = curve.masses
    eta = p / (p + q)
    for lam in LAM:
        alpha, risk = curve.at(lam)[0], knn_risk(curve, k, lam)
        off = eta - 1 / (lam + 1)
        bound = ((p + q) * (lam + 1) * np.abs(off) * np.exp(-2 * k * off**2)).sum()
        assert alpha * (1 - 1e-12) <= risk <= alpha + bound + 1e-12
        assert bound <= (1 + lam) / sqrt(k * exp(1)) * (1 + 1e-12)


@pytest.mark.parametrize("curve", CURVES.values(), ids=CURVES)
def test_gamma_equal_to_lambda_is_the_best_one_in_the_limit(curve):
    gammas = np.concatenate([LAM, np.geomspace(1e-3, 1e3, 40)])
    for lam in LAM:
        apart = [
            knn_risk(curve, k, lam) - knn_risk(curve, k, lam, gammas).min() for k in (10, 10_000)
        ]
        assert apart[1] < 2e-3 * (1 + lam)
        assert apart[1] <= apart[0] + 1e-12
    wrong = knn_risk(SHIFT, 10_000, 1.0, [0.5, 2.0])
    assert np.all(wrong > knn_risk(SHIFT, 10_000, 1.0) + 0.05)


def test_the_limit_curve_falls_to_the_truth():
    areas = [knn_limit(SHIFT, k).area for k in (1, 2, 4, 16, 64)]
    assert np.all(np.diff(areas) < 0)
    assert SHIFT.area < areas[-1] < SHIFT.area + 0.02
    assert areas[2] > SHIFT.area + 0.1  # k = 4 never gets there


test_wrong_arguments_are_named = refusals("""
knn_risk(GaussianShift(1.0), 3, 1.0)
    TypeError: truth: a PRCurve expected, got
knn_risk(SHIFT, 10_001, 1.0)
    ValueError: k: an integer of at most 10000 expected, got 10001
knn_risk(SHIFT, 3, [1, 2], [1, 2, 3])
    ValueError: lam and gamma: shapes that broadcast
""")
