"""Simon, Webster, Rabin, *Revisiting Precision and Recall Definition for Generative Model
Evaluation*, 2019: its definitions, theorems and its algorithm, for discrete P and Q.

What a definition states of a distribution μ is a linear program.  Theorem 2 (2) and (3) are Theorem
1 (i) and (v) of 2018.
"""

from itertools import product

import hostile
import numpy as np
import oracles
import pytest
from curves import CURVES
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.metrics import auc

from prfast import PRCurve
from prfast.theory import in_mode_collapse_region, lorenz, min_sums, roc

PAIRS = hostile.mass_pairs(max_size=6)
WHOLE = hostile.mass_pairs(max_size=5, whole=True)
LAMS = np.concatenate([[0], np.geomspace(1e-4, 1e4, 81), [np.inf]])
FINITE = LAMS[1:-1]
CLOSE = {"rtol": 1e-11, "atol": 1e-14}
NEAR = {"rel": 1e-12, "abs": 1e-15}


def curve_of(masses):
    return PRCurve.from_masses(*masses)


def sets_of(n):
    """Every set of n cells, as a mask."""
    return [np.array(mask, bool) for mask in product((False, True), repeat=n)]


@given(PAIRS, st.floats(0, 1e3))
def test_definition_1_the_smaller_of_two_measures(masses, lam):
    """Definition 1: μ ∧ ν = ½ (μ + ν − |μ − ν|), of μ = λP and ν = Q."""
    p, q = map(oracles.normalized, masses)
    expected = (lam * p + q - np.abs(lam * p - q)).sum() / 2
    assert min_sums(p, q, lam) == pytest.approx(expected, rel=1e-11, abs=1e-13)


@given(PAIRS)
def test_theorem_1_a_level_set_and_its_complement_are_a_hahn_decomposition(masses):
    """Theorem 1: A ⊂ Ω⁺ has μ(A) >= 0, A ⊂ Ω⁻ has μ(A) <= 0.

    Between two ratios, λP − Q is nowhere negative on the cells of smaller
    ratio, whose masses a vertex of the curve counts, and nowhere positive on the others."""
    p, q = map(oracles.normalized, masses)
    fpr, fnr, ratio = PRCurve.from_masses(p, q).vertices
    inner = zip(fpr[1:-1], fnr[1:-1], ratio[1:-1], ratio[2:], strict=True)
    for a, b, above, below in inner:
        if below > above * (1 - 1e-9):
            continue  # one ratio, but for rounding
        lam = np.sqrt(above) * np.sqrt(below) if np.isfinite(above) else 2 * below + 1
        there = lam * p >= q
        assert p[~there].sum() == pytest.approx(a, **NEAR)
        assert q[there].sum() == pytest.approx(b, **NEAR)
        for subset in sets_of(p.size):
            assert lam * p[subset & there].sum() >= q[subset & there].sum()
            assert lam * p[subset & ~there].sum() <= q[subset & ~there].sum()


@given(PAIRS, st.floats(1e-3, 1e3))
def test_corollary_1_on_any_set_it_is_one_measure_on_each_part(masses, lam):
    """Corollary 1: (μ ∧ ν)(A) = μ(A ∩ Ω⁻) + ν(A ∩ Ω⁺), of the parts of μ − ν."""
    p, q = map(oracles.normalized, masses)
    less = lam * p < q
    for a in sets_of(p.size):
        expected = lam * p[a & less].sum() + q[a & ~less].sum()
        assert min_sums(p * a, q * a, lam) == pytest.approx(expected, **NEAR)


def best_along(p, q, alpha, beta):
    """Return the largest s such that (sα, sβ) is in the PR set: there is a probability μ, of no
    mass where P or Q has none, with P >= sβμ and Q >= sαμ; ν = sμ is what the linear program
    moves.

    (Definition 2 of 2019, with the μ of 2023, whose (1, 0) and (0, 1) are not in the set by
    themselves.)
    """
    common = (p > 0) & (q > 0)
    rows = np.vstack([beta * np.eye(p.size), alpha * np.eye(p.size)])
    bounds = [(0, None if there else 0) for there in common]
    result = linprog(-np.ones(p.size), A_ub=rows, b_ub=np.concatenate([p, q]), bounds=bounds)
    return -result.fun


@given(WHOLE, st.floats(0.01, 0.99))
@settings(max_examples=40, deadline=None)
def test_definition_2_the_set_by_its_measures(masses, angle):
    """Definition 2, Eq. 1: there is a μ with P >= βμ and Q >= αμ.

    Along any ray the set ends where `contains` does, to 1 part in 10⁹ on either side."""
    p, q = oracles.pair_of(masses)
    curve = PRCurve.from_masses(p, q)
    alpha, beta = np.sin(angle * np.pi / 2), np.cos(angle * np.pi / 2)
    s = best_along(p, q, alpha, beta)
    if s == 0:
        assert not curve.contains(1e-9 * alpha, 1e-9 * beta)
    else:
        assert curve.contains(s * alpha * (1 - 1e-9), s * beta * (1 - 1e-9))
        assert not curve.contains(s * alpha * (1 + 1e-9), s * beta * (1 + 1e-9))


@given(PAIRS)
def test_theorem_2_1_the_set_lies_in_the_unit_square(masses):
    """Theorem 2 (1): (0, 0) ∈ PRD(P, Q) ⊂ [0, 1] × [0, 1]."""
    alpha, beta = curve_of(masses).at(LAMS)
    assert ((alpha >= 0) & (alpha <= np.minimum(1, LAMS))).all()
    with np.errstate(divide="ignore"):
        assert ((beta >= 0) & (beta <= np.minimum(1, 1 / LAMS))).all()
    assert curve_of(masses).contains(0, 0)


@given(WHOLE, st.sampled_from(FINITE.tolist()))
@settings(max_examples=40, deadline=None)
def test_definition_3_the_curve_is_the_pareto_front(masses, lam):
    """Definition 3: α >= α' or β >= β' for all (α', β') ∈ PRD(P, Q).

    Each of its points is in the set, and no pair of the set is better in both."""
    p, q = oracles.pair_of(masses)
    curve = PRCurve.from_masses(p, q)
    alpha, beta = curve.at(lam)
    if alpha == 0 or beta == 0:
        assert not ((p > 0) & (q > 0)).any()
        return
    assert curve.contains(alpha, beta)
    assert best_along(p, q, alpha, beta) == pytest.approx(1, rel=1e-9)
    # Better in both by any two factors: still none.
    for factors in ((1.001, 1.1), (1.1, 1.001), (1.001, 1.001)):
        better = alpha * factors[0], beta * factors[1]
        assert best_along(p, q, *better) < 1
        assert not curve.contains(*better)


@given(PAIRS)
def test_theorem_3_alpha_is_the_mass_of_the_minimum(masses):
    """Theorem 3, Eq. 2: α_λ = ((λP) ∧ Q)(Ω), β_λ = (P ∧ Q/λ)(Ω)."""
    p, q = map(oracles.normalized, masses)
    alpha, beta = curve_of(masses).at(LAMS)
    np.testing.assert_allclose(alpha, [oracles.alpha(p, q, lam) for lam in LAMS], **CLOSE)
    np.testing.assert_allclose(beta, [oracles.beta(p, q, lam) for lam in LAMS], **CLOSE)


@given(CURVES)
def test_footnote_1_the_ends_are_the_extreme_precision_and_recall(curve):
    """Footnote 1: 0 × ∞ = 0, so α_∞ = Q(supp P) and β_0 = P(supp Q)."""
    assert curve.at(0) == (0, curve.max_recall)
    assert curve.at(np.inf) == (curve.max_precision, 0)


@given(PAIRS)
def test_theorem_4_alpha_is_the_risk_of_the_ratio_classifier(masses):
    """Theorem 4, Eq. 4: α_λ is the risk of Ũ, which calls real where λ dP >= dQ."""
    p, q = map(oracles.normalized, masses)
    lam = LAMS[1:-1, None]
    says_real = lam * p >= q
    risk = (np.where(says_real, 0, lam * p) + np.where(says_real, q, 0)).sum(axis=1)
    np.testing.assert_allclose(curve_of(masses).at(LAMS[1:-1])[0], risk, **CLOSE)


@given(PAIRS, st.data(), st.sampled_from(FINITE.tolist()))
@settings(max_examples=40)
def test_lemma_1_a_lower_error_of_one_kind_costs_more_of_the_other(masses, data, lam):
    """Lemma 1: a lower type II error than that of Ũ costs type I error, λ times as much.

    U′ says real on a set of cells.  Where it accepts no more of Q than the ratio classifier Ũ
    does (type II), its α′_λ and β′_λ are no lower; and the same where it rejects no more of P."""
    p, q = oracles.pair_of(masses)
    curve = PRCurve.from_masses(p, q)
    best = lam * p >= q
    accepted = np.array(data.draw(st.lists(st.booleans(), min_size=p.size, max_size=p.size)))
    alpha, beta = curve.at(lam)
    type_1, type_2 = p[~accepted].sum(), q[accepted].sum()
    assume(type_2 <= q[best].sum() or type_1 <= p[~best].sum())
    assert lam * type_1 + type_2 >= alpha * (1 - 1e-12)
    assert type_1 + type_2 / lam >= beta * (1 - 1e-12)
    # and so the other error is no lower, but for ties, on which both may lie anywhere
    gain = q[best].sum() - type_2
    assert lam * (type_1 - p[~best].sum()) >= gain * (1 - 1e-12) - 1e-15 * (1 + lam)


@given(PAIRS, st.data())
@settings(max_examples=40)
def test_theorem_5_any_scorer_lies_on_or_above_the_truth(masses, data):
    """Theorem 5: α'_λ >= α_λ and β'_λ >= β_λ for any classifier U'.

    Scores of the cells, weighted by their population masses."""
    p, q = masses
    truth = curve_of(masses)
    scores = data.draw(st.lists(st.integers(0, 4), min_size=p.size, max_size=p.size))
    result = PRCurve.from_scores(scores, scores, w_real=p, w_fake=q)
    assert (result.at(LAMS)[0] >= truth.at(LAMS)[0] * (1 - 1e-12) - 1e-15).all()
    assert (result.at(LAMS)[1] >= truth.at(LAMS)[1] * (1 - 1e-12) - 1e-15).all()
    assert result.area >= truth.area * (1 - 1e-12)


@given(PAIRS)
def test_theorem_5_with_equality_for_any_increasing_function_of_the_ratio(masses):
    p, q = masses
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(q > 0, p / q, np.inf)
    rank = np.unique(ratio, return_inverse=True)[1]
    result = PRCurve.from_scores(rank, rank, w_real=p, w_fake=q)
    np.testing.assert_allclose(result.at(LAMS), curve_of(masses).at(LAMS), **CLOSE)


@given(hostile.score_pairs(max_size=15))
@settings(max_examples=40)
def test_algorithm_1_the_hull_is_the_minimum_over_all_thresholds(scores):
    """Algorithm 1: α̂_λ = min λ fpr + fnr over the thresholds of a classifier."""
    curve = PRCurve.from_scores(*scores)
    for lam in LAMS[:-1:8]:
        expected = oracles.alpha_of_thresholds(*scores, lam)
        assert curve.at(lam)[0] == pytest.approx(expected, rel=1e-13, abs=1e-15)


@given(PAIRS)
def test_section_5_roc_is_concave_and_its_area_is_1_minus_that_of_lorenz(masses):
    curve = PRCurve.from_masses(*masses)
    actual = roc(curve)
    assert (actual.fpr[0], actual.tpr[0], actual.fpr[-1], actual.tpr[-1]) == (0, 0, 1, 1)
    np.testing.assert_array_equal(actual.fpr, curve.vertices.fpr)
    np.testing.assert_allclose(actual.tpr, 1 - curve.vertices.fnr, **CLOSE)
    t, F = lorenz(curve).vertices
    below = auc(t, F) if t.size > 1 else 0.0
    assert actual.area == pytest.approx(1 - below, abs=1e-14)
    assert 0.5 - 1e-15 <= actual.area <= 1 + 1e-15


@given(PAIRS, st.floats(0, 1), st.floats(0, 1))
@example((np.array([1e-300, 1e-17]), np.array([1e-300, 0.0])), 0.0, 1.0)  # δ is 1 − 1e-283, rounded
@example((np.array([1.0, 0.0]), np.array([0.0, 1.0])), 0.5, 0.5)  # ε = δ is outside
def test_section_5_the_border_of_mode_collapse_is_the_lorenz_curve(masses, epsilon, delta):
    """Points that rounding of either coordinate puts on the other side count as on it."""
    assume(epsilon <= delta)
    curve = PRCurve.from_masses(*masses)
    near = (max(delta - 1e-12, 0.0), min(delta + 1e-12, 1.0))
    low, high = (oracles.lorenz(*masses, t) for t in near)
    if epsilon < low - 1e-12 or epsilon > high + 1e-12:
        expected = high < epsilon < delta
        assert in_mode_collapse_region(curve, epsilon, delta) == expected


@given(hostile.mass_pairs(max_size=5, whole=True), st.floats(0, 1), st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_section_5_both_readings_of_the_mode_collapse_region_are_mirror_images(masses, s, t):
    """2019: P(A) >= δ, Q(A) <= ε.  2023 (and Lin et al.): (s, t) in the hull of (P(A), Q(A)) over
    all sets with Q(A) >= P(A), which a linear program decides."""
    p, q = map(oracles.normalized, masses)
    curve = PRCurve.from_masses(p, q)
    sets = np.array(list(product([0, 1], repeat=p.size)))
    corners = np.array([sets @ p, sets @ q])
    corners = corners[:, corners[1] >= corners[0] - 1e-15]
    # How high the hull is at s: Σ w P = s, Σ w = 1, the largest Σ w Q.
    rows = np.vstack([corners[0], np.ones(corners.shape[1])])
    highest = -linprog(-corners[1], A_eq=rows, b_eq=[s, 1]).fun
    assume(abs(highest - t) > 1e-6)  # the program satisfies its equations to 1e-7
    assume(abs(s - t) > 1e-9)
    assume(s < t)
    in_hull = t < highest
    assert in_mode_collapse_region(curve, 1 - t, 1 - s) == in_hull
    assert in_mode_collapse_region(curve.swap(), s, t) == in_hull
