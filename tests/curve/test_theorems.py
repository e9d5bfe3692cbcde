"""The theorems of the 2018 and 2019 papers, as properties of curves of random distributions.

Population masses, not samples: P and Q are discrete, with zeros, common ratios and disjoint
supports among the cases.
"""

import hostile
import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prfast import PRCurve

PAIRS = hostile.mass_pairs(max_size=8)
LAMS = np.concatenate([[0], np.geomspace(1e-4, 1e4, 81), [np.inf]])
CLOSE = {"rtol": 1e-11, "atol": 1e-14}


def curve_of(masses):
    return PRCurve.from_masses(*masses)


def supports(masses):
    return masses[0] > 0, masses[1] > 0


# ---- Theorem 1 of 2018, Theorem 2 of 2019 --------------------------------------------------------


@given(PAIRS)
def test_theorem_1i_of_2018_and_theorem_2_2_of_2019_equality(masses):
    """(1, 1) is in the PR set if and only if P = Q."""
    p, q = map(oracles.normalized, masses)
    assert PRCurve.from_masses(p, p).contains(1, 1)
    if np.abs(p - q).max() > 1e-12:
        assert not curve_of(masses).contains(1, 1)


@given(PAIRS)
def test_theorem_1ii_of_2018_disjoint_supports(masses):
    """The PR set is {(0, 0)} if and only if the supports are disjoint."""
    p_there, q_there = supports(masses)
    curve = curve_of(masses)
    only_origin = curve.max_precision == 0 and curve.max_recall == 0
    assert only_origin == (not (p_there & q_there).any())
    if only_origin:
        assert (curve.at(LAMS)[0] == 0).all()
        assert curve.area == 0


@given(PAIRS)
def test_theorem_1iii_and_1iv_of_2018_the_extremes_are_masses_of_the_supports(masses):
    """max α = Q(supp P), max β = P(supp Q)."""
    p, q = map(oracles.normalized, masses)
    p_there, q_there = supports(masses)
    curve = curve_of(masses)
    assert curve.max_precision == pytest.approx(q[p_there].sum(), rel=1e-12)
    assert curve.max_recall == pytest.approx(p[q_there].sum(), rel=1e-12)


@given(PAIRS, hostile.RATES, hostile.RATES, st.sampled_from(LAMS.tolist()))
def test_theorem_1v_of_2018_and_theorem_2_3_of_2019_monotonicity(
    masses, shrink_alpha, shrink_beta, lam
):
    """Every point below and to the left of an attainable one is attainable."""
    curve = curve_of(masses)
    alpha, beta = curve.at(lam)
    assert curve.contains(alpha * shrink_alpha, beta * shrink_beta)


@given(PAIRS)
def test_theorem_1vi_of_2018_duality(masses):
    """Exchanging P and Q maps λ to 1/λ and exchanges precision and recall."""
    curve, swapped = curve_of(masses), curve_of(masses[::-1])
    with np.errstate(divide="ignore"):
        alpha, beta = swapped.at(1 / LAMS)
    np.testing.assert_allclose(alpha, curve.at(LAMS)[1], **CLOSE)
    np.testing.assert_allclose(beta, curve.at(LAMS)[0], **CLOSE)
    assert swapped.area == pytest.approx(curve.area, rel=1e-11)
    np.testing.assert_allclose(curve.swap().at(LAMS), swapped.at(LAMS), **CLOSE)


@given(PAIRS)
def test_theorem_2_1_of_2019_the_set_lies_in_the_unit_square(masses):
    alpha, beta = curve_of(masses).at(LAMS)
    assert ((alpha >= 0) & (alpha <= np.minimum(1, LAMS))).all()
    with np.errstate(divide="ignore"):
        assert ((beta >= 0) & (beta <= np.minimum(1, 1 / LAMS))).all()
    assert curve_of(masses).contains(0, 0)


# ---- Theorem 2 of 2018, Theorem 3 of 2019: the parametrization -----------------------------------


@given(PAIRS, hostile.RATES, hostile.RATES)
@settings(max_examples=40)
def test_theorem_2_of_2018_and_theorem_3_of_2019_the_set_is_its_rays(masses, alpha, beta):
    """(α, β) is attainable if and only if α <= α_λ and β <= β_λ for λ = α/β.

    Attainable by definition: there is a probability μ with P >= βμ and Q >= αμ, that is
    Σ min(p_i / β, q_i / α) >= 1.
    """
    p, q = map(oracles.normalized, masses)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        room = np.fmin(p / beta, q / alpha)
        largest = np.where((p == 0) | (q == 0), 0, room).sum()  # beyond float64 for tiny rates
    if beta == 0 or alpha == 0:
        return  # the edges: Theorem 1 (iii) and (iv)
    if abs(largest - 1) > 1e-9:
        assert curve_of(masses).contains(alpha, beta) == (largest > 1)


@given(PAIRS)
def test_theorem_3_of_2019_and_theorem_4_of_2023_alpha_is_the_mass_of_the_minimum(masses):
    p, q = map(oracles.normalized, masses)
    alpha, beta = curve_of(masses).at(LAMS)
    np.testing.assert_allclose(alpha, [oracles.alpha(p, q, lam) for lam in LAMS], **CLOSE)
    np.testing.assert_allclose(beta, [oracles.beta(p, q, lam) for lam in LAMS], **CLOSE)


# ---- Theorem 4 of 2019: error rates of the likelihood-ratio classifiers -------------------------


@given(PAIRS)
def test_theorem_4_of_2019_and_theorem_6_of_2023_alpha_is_the_risk_of_the_ratio_classifier(masses):
    """α_λ = λ P(Ũ = 0) + Q(Ũ = 1) with Ũ = 1 where λp >= q."""
    p, q = map(oracles.normalized, masses)
    lam = LAMS[1:-1, None]
    says_real = lam * p >= q
    risk = (np.where(says_real, 0, lam * p) + np.where(says_real, q, 0)).sum(axis=1)
    np.testing.assert_allclose(curve_of(masses).at(LAMS[1:-1])[0], risk, **CLOSE)


@given(PAIRS)
def test_the_vertices_are_a_falling_convex_polyline(masses):
    fpr, fnr, ratio = curve_of(masses).vertices
    assert (fpr[0], fnr[0], fpr[-1], fnr[-1]) == (0, 1, 1, 0)
    assert (np.diff(fpr) >= 0).all()
    assert (np.diff(fnr) <= 0).all()
    assert (ratio[2:] <= ratio[1:-1]).all()
    assert (fpr + fnr <= 1 + 1e-15).all()


@given(PAIRS)
def test_theorem_4_of_2019_alpha_is_the_minimum_over_the_vertices(masses):
    curve = curve_of(masses)
    fpr, fnr, _ = curve.vertices
    lam = LAMS[:-1]
    expected = (lam[:, None] * fpr + fnr).min(axis=1)
    np.testing.assert_allclose(curve.at(lam)[0], expected, **CLOSE)


# ---- Theorem 5 of 2019: any scorer over-estimates ------------------------------------------------


@given(PAIRS, st.data())
@settings(max_examples=40)
def test_theorem_5_of_2019_any_scorer_lies_on_or_above_the_truth(masses, data):
    """Scores of the cells, weighted by their population masses."""
    p, q = masses
    truth = curve_of(masses)
    scores = data.draw(st.lists(st.integers(0, 4), min_size=p.size, max_size=p.size))
    result = PRCurve.from_scores(scores, scores, w_real=p, w_fake=q)
    assert (result.at(LAMS)[0] >= truth.at(LAMS)[0] * (1 - 1e-12) - 1e-15).all()
    assert (result.at(LAMS)[1] >= truth.at(LAMS)[1] * (1 - 1e-12) - 1e-15).all()
    assert result.area >= truth.area * (1 - 1e-12)


@given(PAIRS)
def test_theorem_5_of_2019_with_equality_for_any_increasing_function_of_the_ratio(masses):
    p, q = masses
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(q > 0, p / q, np.inf)
    rank = np.unique(ratio, return_inverse=True)[1]
    result = PRCurve.from_scores(rank, rank, w_real=p, w_fake=q)
    np.testing.assert_allclose(result.at(LAMS), curve_of(masses).at(LAMS), **CLOSE)


# ---- samples: the hull is the minimum over all thresholds --------------------------------------


@given(hostile.score_pairs(max_size=15))
@settings(max_examples=40)
def test_algorithm_1_of_2019_the_hull_is_the_minimum_over_all_thresholds(scores):
    curve = PRCurve.from_scores(*scores)
    for lam in LAMS[:-1:8]:
        expected = oracles.alpha_of_thresholds(*scores, lam)
        assert curve.at(lam)[0] == pytest.approx(expected, rel=1e-13, abs=1e-15)
