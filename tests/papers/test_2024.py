"""Sykes, Simon, Rabin, *Unifying and Extending Precision Recall Metrics for Assessing Generative
Models*, 2024: extreme values, curves of neighbors, and the limit of the kNN classifier.

Tests of the metrics of Eq. 4 to 8 on every kind of input are in tests/internal/scalars,
of the scores on every kind of input in tests/internal/methods.
"""

from fractions import Fraction
from itertools import product
from math import comb, exp, sqrt

import hostile
import numpy as np
import oracles
import pytest
from curves import DISJOINT, TAME_CURVES, area_by_quadrature, steps_of
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import brentq

import prfast
from prfast import PRCurve, pr_curve
from prfast.methods.neighbors import NEIGHBOR_METHODS
from prfast.reference import Discrete, GaussianMixtures, GaussianShift, knn_limit, knn_risk
from prfast.reference.papers import plug_in
from prfast.samples.pair import Pair


@given(hostile.mass_pairs(max_size=6))
@settings(max_examples=40)
def test_proposition_2_2_every_cosupport_has_the_mass_of_the_largest_precision(masses):
    """Proposition 2.2: α_∞(P, Q) = Q(cosupp(P, Q)), which all co-supports share.

    A cosupport (Definition 2.1): no common mass outside of it, and inside of it no set of which
    one of P and Q has mass and the other none."""
    p, q = oracles.pair_of(masses)
    curve = PRCurve.from_masses(p, q)
    result = []
    for chosen in product([False, True], repeat=p.size):
        of = np.array(chosen)
        if not np.minimum(p, q)[~of].any() and ((p > 0) == (q > 0))[of].all():
            result.append((q[of].sum(), p[of].sum()))
    assert result
    expected = [(curve.max_precision, curve.max_recall)] * len(result)
    np.testing.assert_allclose(result, expected, rtol=1e-12)


def test_section_2_2_the_extremes_are_1_for_any_shift():
    """§2.2: N(0, 1) and N(μ, 1) have α_∞ = β_0 = 1 for every μ; α_1 = 2 Φ(−μ/2) falls to 0."""
    for mu in (0.5, 3.0, 10.0, 30.0):
        curve = GaussianShift(mu).curve()
        assert (curve.max_precision, curve.max_recall) == pytest.approx((1, 1), abs=1e-12)
        assert curve.at(1.0)[0] == pytest.approx(2 * stats.norm.cdf(-mu / 2), abs=1e-6)


SETS = GaussianShift(1.0, 3).sample(40, 52)


def test_eq_4_to_8_the_metrics_are_their_formulas():
    """Eq. 4 to 8: IPR, coverage, their smaller one (EAS), PRC and PPR, by full matrices."""
    expected = oracles.metrics(*SETS, k=3)
    result = prfast.metrics(*SETS, k=3, which=[*expected])
    assert dict(result) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("method", NEIGHBOR_METHODS)
@pytest.mark.parametrize(("split", "count_self"), [(0.4, True), (None, True), (None, False)])
def test_eq_9_the_curve_is_the_sweep_of_the_ratios(method, split, count_self):
    """Eq. 9: α̂_λ = min over γ of λ fpr(f_γ) + fnr(f_γ), k = ⌊√n⌋ of the training samples (§3.2).

    Without a split a point is its own neighbor, as in the public code, or is left out."""
    part = Pair.read(*SETS).split_rows(split, 3) if split else None
    train = SETS if split is None else (SETS[0][part.real_train], SETS[1][part.fake_train])
    test = SETS if split is None else (SETS[0][part.real_test], SETS[1][part.fake_test])
    k = int(len(train[0]) ** 0.5)
    left_out = (None, None) if count_self else ("real", "fake")
    scores = [
        oracles.neighbor_scores(method, points, *train, k, leave_out=side)
        for points, side in zip(test, left_out, strict=True)
    ]
    curve = pr_curve(*SETS, method, split=split, count_self=count_self, random_state=3)
    np.testing.assert_array_equal(np.sort(curve.scores.real), np.sort(scores[0]))
    np.testing.assert_array_equal(np.sort(curve.scores.fake), np.sort(scores[1]))
    for lam in (0.2, 0.5, 1.0, 3.0):
        assert curve.at(lam)[0] == pytest.approx(oracles.alpha_of_thresholds(*scores, lam))


GAMMAS = np.array([0, 0.25, 1 / 3, 0.5, 1, 2, 3, 4, np.inf])


def f_gamma(a, b, gamma):
    """Return the paper's classifier, from counts of sets of one size; the ends as limits."""
    ties = (a == 0) & (b == 0)
    a, b = np.where(ties, 1, a), np.where(ties, 1, b)  # 0/0 is 1
    if gamma == 0:
        return b == 0
    if gamma == np.inf:
        return a > 0
    # of whole γ or 1/γ, so that products are exact
    left, right = (gamma * a, b) if gamma >= 1 else (a, round(1 / gamma) * b)
    return left >= right if gamma >= 1 else left > right


@settings(max_examples=40)
@given(
    st.sampled_from(NEIGHBOR_METHODS),
    st.integers(1, 5),
    st.integers(0, 2**31),
    st.sampled_from([1, 3, 1000]),
)
def test_section_3_1_the_plug_in_is_the_risk_of_the_classifier_f_lambda(method, k, seed, values):
    """Few values: distances tie, and so do ratios."""
    rng = np.random.default_rng(seed)
    real = rng.integers(0, 1 + values, (24, 2)).astype(float)
    fake = rng.integers(0, 1 + values, (24, 2)) + 0.5 * rng.integers(0, 2, (24, 2))
    part = Pair.read(real, fake).split_rows(0.5, 7)
    train = real[part.real_train], fake[part.fake_train]
    x, y = (
        oracles.neighbor_counts(method, points, *train, k)
        for points in (real[part.real_test], fake[part.fake_test])
    )
    precision, recall = plug_in(real, fake, GAMMAS, method, k, random_state=7)
    for i, lam in enumerate(GAMMAS):
        fpr = np.mean(~f_gamma(*map(np.asarray, x), lam))
        fnr = np.mean(f_gamma(*map(np.asarray, y), lam))
        over = np.inf if lam == 0 else fnr / lam
        expected = (lam * fpr if fpr else 0) + fnr, fpr + (over if fnr else 0)
        assert (precision[i], recall[i]) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("method", NEIGHBOR_METHODS)
@pytest.mark.parametrize("split", [0.3, None])
def test_theorem_3_1_the_plug_in_never_lies_below_the_curve_of_the_same_split(method, split):
    lam = np.concatenate([GAMMAS, np.geomspace(1e-3, 1e3, 60)])
    sets = GaussianShift(1.0, 3).sample(90, 300)
    curve = pr_curve(*sets, method, 5, split=split)
    result = plug_in(*sets, lam, method, 5, split=split)
    for value, least in zip(result, curve.at(lam), strict=True):
        assert np.all(value >= least - 1e-12)


def test_section_3_2_the_trivial_classifiers_belong_to_every_class():
    """The class has both trivial classifiers, f = 1 and f = 0: α_λ ≤ min(1, λ)."""
    alpha, _ = PRCurve.from_rates([0.2], [0.3]).at([0.1, 1.0, 10.0])
    assert alpha == pytest.approx([0.1, 0.5, 1.0])


def test_section_3_2_the_plug_in_has_no_bias_where_the_minimum_has_one():
    """P = Q: fpr + fnr is 1 for every classifier, on average, but not for the best on a sample."""
    plugged, least = [], []
    for seed in range(100):
        sets = np.random.default_rng(seed).normal(size=(2, 60, 2))
        plugged.append(plug_in(*sets, 1.0, k=5, random_state=seed)[0])
        least.append(pr_curve(*sets, "knn", 5, random_state=seed).at(1.0)[0])
    error = np.std(plugged) / np.sqrt(100)
    assert np.mean(plugged) == pytest.approx(1.0, abs=3 * error)
    assert np.mean(least) < 0.95


def test_eq_10_many_samples_come_to_this_risk():
    """k = 4 and 20 000 training samples: within three standard errors of the evaluation half."""
    pair, lam = GaussianShift(1.0, 2), np.array([0.25, 0.5, 1, 2, 4])  # 4/(λ + 1): ties among them
    sets = pair.sample(40_000, random_state=3)
    result = plug_in(*sets, lam, k=4)[0]
    limit = knn_risk(pair.curve(), 4, lam)
    np.testing.assert_allclose(result, limit, atol=3 * np.sqrt(lam.max() ** 2 + 1) / 2 / 141)
    np.testing.assert_allclose(result[:3], limit[:3], atol=0.012)
    curve = pr_curve(*sets, "knn", 4)
    np.testing.assert_allclose(curve.at(lam)[0], knn_limit(pair.curve(), 4).at(lam)[0], atol=0.012)
    assert curve.at(1.0)[0] > pair.curve().at(1.0)[0] + 0.1  # and no nearer to the truth


@given(TAME_CURVES, TAME_CURVES)
@settings(max_examples=30, deadline=None)
def test_section_4_iou_is_the_ratio_of_areas_by_quadrature(first, second):
    cuts = np.unique(np.concatenate([steps_of(first), steps_of(second), [1.0]]))

    def swept(lam, pick):
        return 0.5 * pick(first.at(lam)[1], second.at(lam)[1]) ** 2

    def lead(u):
        return first.at(np.exp(u))[0] - second.at(np.exp(u))[0]

    fine = np.geomspace(cuts[0] * 1e-13, cuts[-1] * 1e13, 400)
    ends = np.log(np.unique(np.concatenate([cuts, fine])))
    sign = np.sign(lead(ends))
    crossings = [brentq(lead, *ends[i : i + 2]) for i in np.flatnonzero(sign[1:] * sign[:-1] < 0)]
    ends = np.sort(np.concatenate([ends, crossings]))  # no kink within a piece
    x, w = np.polynomial.legendre.leggauss(12)
    areas = []
    for pick in (np.minimum, np.maximum):
        half = np.diff(ends)[:, None] / 2
        u = (ends[1:, None] + ends[:-1, None]) / 2 + half * x
        areas.append((swept(np.exp(u), pick) * np.exp(u) * half * w).sum())
    if areas[1] < 1e-9:
        assert first.iou(second) == (1 if first.area == second.area == 0 else 0)
    else:
        assert first.iou(second) == pytest.approx(areas[0] / areas[1], rel=1e-9, abs=1e-12)


@given(TAME_CURVES)
@example(DISJOINT)
@settings(max_examples=30, deadline=None)
def test_section_5_1_the_ray_of_the_median_halves_the_area(curve):
    if curve.area == 0:
        assert curve.median == 1
        return
    below = area_by_quadrature(curve, hi=curve.median)
    assert below == pytest.approx(curve.area / 2, rel=1e-9)
    assert curve.swap().median == pytest.approx(1 / curve.median, rel=1e-9)


def test_section_5_1_the_median_of_a_rectangle_is_its_corner():
    """Modes dropped and invented; tails of 1e-6 raise the extremes to 1 and hardly move it."""
    corner = PRCurve.from_masses([0.4, 0.6, 0], [0, 0.7, 0.3])
    assert corner.at(corner.median) == pytest.approx((0.7, 0.6), rel=1e-12)
    tails = PRCurve.from_masses([0.4, 0.6, 1e-6], [1e-6, 0.7, 0.3])
    assert tails.max_precision == tails.max_recall == 1
    assert tails.at(tails.median) == pytest.approx((0.7, 0.6), abs=1e-5)
    for beta in (8, 1 / 8):
        assert tails.f_score(beta) == pytest.approx(corner.f_score(beta), abs=1e-5)


def test_section_5_1_reweighting_moves_the_median_and_not_f_8():
    """The weights of Fig. 3: 0.3 dropped, 0.3 invented, two common modes re-weighted."""
    as_often = PRCurve.from_masses([0.3, 0.35, 0.35, 0], [0, 0.35, 0.35, 0.3])
    reweighted = PRCurve.from_masses([0.3, 0.2, 0.5, 0], [0, 0.5, 0.2, 0.3])
    for beta in (8, 1 / 8):
        assert abs(reweighted.f_score(beta) - as_often.f_score(beta)) < 0.02
    assert as_often.at(as_often.median) == pytest.approx((0.7, 0.7))
    assert reweighted.at(reweighted.median) == pytest.approx((0.4, 0.4))


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
@given(
    hostile.mass_pairs(),
    st.integers(1, 9),
    st.sampled_from([1e-300, 0.125, 0.5, 1.0, 2.0, 3.0, 1e300]),
)
def test_eq_10_and_11_cell_by_cell_and_count_by_count(pair, k, gamma):
    truth = PRCurve.from_masses(*pair)
    p, q = (mass / mass.sum() for mass in pair)
    for lam in (0.0, 0.01, 1.0, 7.0):
        result = knn_risk(truth, k, lam, gamma)
        assert result == pytest.approx(eq_10(p, q, k, lam, gamma), rel=1e-12, abs=1e-290)


@pytest.mark.parametrize("curve", CURVES.values(), ids=CURVES)
@pytest.mark.parametrize("lam", [1 / 3, 1.0, 3.0])
def test_eq_12_and_13_hold_where_a_tie_is_counted(curve, lam):
    """μ_λ(η) = λη + q (1 − (λ + 1)η), q = P(called real); below 1/(λ + 1) Hoeffding bounds q."""
    k, counts = 8, np.arange(9)
    p, q = curve.masses
    eta = p / (p + q)
    called = (lam * counts >= k - counts) if lam >= 1 else (counts > round(k / (lam + 1)))
    real = np.array([stats.binom.pmf(counts[called], k, share).sum() for share in eta])
    mu = lam * eta + real * (1 - (lam + 1) * eta)
    assert knn_risk(curve, k, lam) == pytest.approx(((p + q) * mu).sum(), rel=1e-9)
    low = eta < 1 / (lam + 1)
    assert np.all(real[low] <= np.exp(-2 * k * (1 / (lam + 1) - eta[low]) ** 2) + 1e-12)


@pytest.mark.parametrize("curve", CURVES.values(), ids=CURVES)
@pytest.mark.parametrize("k", [1, 2, 3, 4, 10, 100, 10_000])
def test_theorem_3_1_and_eq_13_what_is_above_the_truth_is_within_hoeffding(curve, k):
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
def test_theorem_3_1_gamma_equal_to_lambda_is_the_best_one_in_the_limit(curve):
    gammas = np.concatenate([LAM, np.geomspace(1e-3, 1e3, 40)])
    for lam in LAM:
        apart = [
            knn_risk(curve, k, lam) - knn_risk(curve, k, lam, gammas).min() for k in (10, 10_000)
        ]
        assert apart[1] < 2e-3 * (1 + lam)
        assert apart[1] <= apart[0] + 1e-12
    wrong = knn_risk(SHIFT, 10_000, 1.0, [0.5, 2.0])
    assert np.all(wrong > knn_risk(SHIFT, 10_000, 1.0) + 0.05)
