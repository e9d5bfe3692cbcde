"""Sajjadi et al., *Assessing Generative Models via Precision and Recall*, 2018: its definitions,
theorems and formulas, as properties of random histograms P and Q.

Zeros, common ratios and disjoint supports are among them.  Lemma 1 and Eq. 5 are in its appendix.
"""

import hostile
import numpy as np
import oracles
import pytest
from curves import TAME_CURVES, steps_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from prfast import PRCurve
from prfast.reference import TOYS

PAIRS = hostile.mass_pairs(max_size=8)
WHOLE = hostile.mass_pairs(max_size=5, whole=True)
LAMS = np.concatenate([[0], np.geomspace(1e-4, 1e4, 81), [np.inf]])
CLOSE = {"rtol": 1e-11, "atol": 1e-14}


def curve_of(masses):
    return PRCurve.from_masses(*masses)


def supports(masses):
    return masses[0] > 0, masses[1] > 0


@given(WHOLE, st.sampled_from(LAMS[1:-1].tolist()))
def test_definition_1_the_border_of_the_set_is_sharp(masses, lam):
    """A pair on a ray is in the set up to Σ min(λP, Q), to 1 part in 10⁹ on either side."""
    p, q = map(oracles.normalized, masses)
    curve = curve_of(masses)
    alpha, beta = oracles.alpha(p, q, lam), oracles.beta(p, q, lam)
    assert curve.contains(alpha * (1 - 1e-9), beta * (1 - 1e-9))
    for beyond in (1e-9, 1e-3):
        apart = curve.contains(alpha * (1 + beyond), beta * (1 + beyond))
        assert apart == (alpha == 0)


@given(PAIRS)
def test_theorem_1_i_equality(masses):
    """Theorem 1 (i): (1, 1) ∈ PRD(Q, P) if and only if Q = P."""
    p, q = map(oracles.normalized, masses)
    assert PRCurve.from_masses(p, p).contains(1, 1)
    if np.abs(p - q).max() > 1e-12:
        assert not curve_of(masses).contains(1, 1)


@given(PAIRS)
def test_theorem_1_ii_disjoint_supports(masses):
    """Theorem 1 (ii): PRD(Q, P) = {(0, 0)} if and only if the supports are disjoint."""
    p_there, q_there = supports(masses)
    curve = curve_of(masses)
    only_origin = curve.max_precision == 0 and curve.max_recall == 0
    assert only_origin == (not (p_there & q_there).any())
    if only_origin:
        assert (curve.at(LAMS)[0] == 0).all()
        assert curve.area == 0


@given(PAIRS)
def test_theorem_1_iii_and_iv_max_precision_and_max_recall(masses):
    """Theorem 1 (iii), (iv): max α = Q(supp P), max β = P(supp Q)."""
    p, q = map(oracles.normalized, masses)
    p_there, q_there = supports(masses)
    curve = curve_of(masses)
    assert curve.max_precision == pytest.approx(q[p_there].sum(), rel=1e-12)
    assert curve.max_recall == pytest.approx(p[q_there].sum(), rel=1e-12)


@pytest.mark.parametrize(("p", "q"), [([3, 19], [3, 0]), ([3, 8, 14, 6], [0, 12, 11, 3])])
def test_theorem_1_iii_and_iv_are_not_exceeded_by_rounding(p, q):
    curve = PRCurve.from_masses(p, q)
    _, recall = curve.at(curve.vertices.ratio)
    assert recall.max() == curve.max_recall
    precision, _ = curve.swap().at(curve.swap().vertices.ratio)
    assert precision.max() == curve.swap().max_precision


@given(PAIRS, hostile.RATES, hostile.RATES, st.sampled_from(LAMS.tolist()))
def test_theorem_1_v_monotonicity(masses, shrink_alpha, shrink_beta, lam):
    """Theorem 1 (v): α' ∈ (0, α] and β' ∈ (0, β] are attainable if (α, β) is."""
    curve = curve_of(masses)
    alpha, beta = curve.at(lam)
    assert curve.contains(alpha * shrink_alpha, beta * shrink_beta)


@given(PAIRS)
def test_theorem_1_vi_duality(masses):
    """Theorem 1 (vi): (α, β) ∈ PRD(Q, P) if and only if (β, α) ∈ PRD(P, Q).

    Exchanging P and Q maps λ to 1/λ and exchanges precision and recall."""
    curve, swapped = curve_of(masses), curve_of(masses[::-1])
    with np.errstate(divide="ignore"):
        alpha, beta = swapped.at(1 / LAMS)
    np.testing.assert_allclose(alpha, curve.at(LAMS)[1], **CLOSE)
    np.testing.assert_allclose(beta, curve.at(LAMS)[0], **CLOSE)
    assert swapped.area == pytest.approx(curve.area, rel=1e-11)
    np.testing.assert_allclose(curve.swap().at(LAMS), swapped.at(LAMS), **CLOSE)


@given(PAIRS, hostile.RATES, hostile.RATES)
@settings(max_examples=40)
def test_theorem_2_the_set_is_its_rays(masses, alpha, beta):
    """Theorem 2: PRD(Q, P) = {(θα(λ), θβ(λ)) : λ ∈ (0, ∞), θ ∈ [0, 1]}.

    (α, β) is attainable if and only if α <= α_λ and β <= β_λ for λ = α/β.

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


@given(hostile.mass_pairs(), hostile.LAMBDAS)
@settings(max_examples=40)
def test_eq_4_the_curve_is_the_sum_of_minima(masses, lam):
    """Eq. 4: α(λ) = Σ min(λP, Q), β(λ) = Σ min(P, Q/λ)."""
    p, q = map(oracles.normalized, masses)
    precision, recall = PRCurve.from_masses(*masses).at(lam)
    assert precision == pytest.approx(oracles.alpha(p, q, lam), rel=1e-12, abs=1e-15)
    assert recall == pytest.approx(oracles.beta(p, q, lam), rel=1e-12, abs=1e-15)


def test_section_3_3_the_algorithm_has_equal_steps_of_the_angle():
    """§3.3: λ = tan(iπ / 2(m + 1)), i = 1, …, m; `grid` has both ends as well."""
    p, q, lam = TOYS["e"].p, TOYS["e"].q, np.tan(np.arange(1, 8) * np.pi / 16)
    expected = [
        lam,
        *zip(*((oracles.alpha(p, q, x), oracles.beta(p, q, x)) for x in lam), strict=True),
    ]
    actual = [column[1:-1] for column in TOYS["e"].curve().grid(9)]
    np.testing.assert_allclose(actual, expected, rtol=1e-12)


def test_section_4_average_it_is_at_fixed_lambda_and_each_run_counts_alike():
    """§4: "run the procedure several times and average over the PRD curves"."""
    runs = [PRCurve.from_masses([3, 1], [1, 1]), PRCurve.from_masses([10, 30, 20], [25, 5, 10])]
    expected = np.mean([run.at(LAMS[1:-1]) for run in runs], axis=0)
    np.testing.assert_allclose(PRCurve.mean(runs).at(LAMS[1:-1]), expected, rtol=1e-12)


@given(WHOLE, st.floats(1e-3, 1), st.floats(1e-3, 1))
@settings(max_examples=40)
def test_lemma_1_a_pair_is_attained_if_p_and_q_contain_its_measure(masses, alpha, beta):
    """Lemma 1, Eq. 3 and 5: (α, β) is attainable if and only if P >= βμ and Q >= αμ for some μ.

    P = βμ + (1 − β)ν_P and Q = αμ + (1 − α)ν_Q, of distributions: the ν of the proof."""
    p, q = oracles.pair_of(masses)
    curve = PRCurve.from_masses(p, q)
    room = np.minimum(p / beta, q / alpha)
    assume(abs(room.sum() - 1) > 1e-9)
    assert curve.contains(alpha, beta) == (room.sum() > 1)
    if room.sum() > 1:
        mu = room / room.sum()
        for whole, share in ((p, beta), (q, alpha)):
            remainder = whole - share * mu
            assert remainder.min() >= -1e-16
            if share < 1:
                nu = remainder / (1 - share)
                np.testing.assert_allclose(share * mu + (1 - share) * nu, whole, atol=1e-15)
                assert nu.sum() == pytest.approx(1, abs=1e-15 / (1 - share))


@given(hostile.mass_pairs())
def test_section_3_4_total_variation(masses):
    """§3.4: α(1) = β(1) = 1 − δ(P, Q), δ the total variation distance."""
    p, q = map(oracles.normalized, masses)
    curve = PRCurve.from_masses(*masses)
    assert curve.total_variation == pytest.approx(0.5 * np.abs(p - q).sum(), abs=1e-12)
    assert curve.at(1.0) == pytest.approx((1 - curve.total_variation,) * 2, abs=1e-12)


@given(TAME_CURVES, st.sampled_from([1 / 8, 1.0, 8.0]))
def test_section_4_3_f_beta(curve, beta):
    """§4.3: F_β = max (1 + β²) pr / (β² p + r) along the curve."""
    lam = np.concatenate([np.tan(np.linspace(1e-5, np.pi / 2 - 1e-5, 10**4)), steps_of(curve)])
    precision, recall = curve.at(lam)
    harmonic = beta**2 * precision + recall
    scores = (1 + beta**2) * precision * recall / np.where(harmonic > 0, harmonic, 1)
    assert curve.f_score(beta) == pytest.approx(scores.max(), rel=1e-9)


CURVES = {name: pair.curve() for name, pair in TOYS.items()}


INNER = np.array([0.01, 0.1, 0.5, 0.9, 1, 1.1, 2, 10, 100])


def ends(name):
    return CURVES[name].max_precision, CURVES[name].max_recall


@pytest.mark.parametrize(
    ("name", "precision", "recall"), [("a", 1, 0.5), ("b", 0.5, 1), ("c", 1, 1), ("d", 0, 0)]
)
def test_fig_2_a_to_d_the_curve_is_a_rectangle(name, precision, recall):
    """One mode of two is dropped, one is invented; equal distributions; disjoint supports."""
    assert ends(name) == (precision, recall)
    np.testing.assert_allclose(CURVES[name].at(INNER)[0], np.minimum(INNER * recall, precision))


def test_fig_2_e_equal_supports_high_precision_and_low_recall():
    """Q has 15/16 of its mass where P has one half."""
    np.testing.assert_array_equal(TOYS["e"].p > 0, TOYS["e"].q > 0)
    assert ends("e") == (1, 1)
    expected = np.minimum(INNER / 2, 15 / 16) + np.minimum(INNER / 2, 1 / 16)
    np.testing.assert_allclose(CURVES["e"].at(INNER)[0], expected)
    assert CURVES["e"].precision_at(0.5) == 1
    assert CURVES["e"].precision_at(1) == pytest.approx(1 / 8)
    assert CURVES["e"].f_score(1 / 8) > CURVES["e"].f_score(8)


@pytest.mark.parametrize(("curve", "mirror"), ["ab", "ef"])
def test_fig_2_b_and_f_are_the_mirror_images_of_a_and_e(curve, mirror):
    assert CURVES[curve] == CURVES[mirror].swap()
    assert CURVES[curve] != CURVES[mirror]  # which a symmetric number cannot tell apart


@pytest.mark.parametrize("name", TOYS)
@pytest.mark.parametrize("lam", [0.03, 0.2, 1, 1.8, 40])
def test_definition_2_and_fig_3_the_sets_are_those_of_the_definition(name, lam):
    """Definition 1 as a linear program: ν = βμ with ν ≤ P and λν ≤ Q, the largest mass β of ν."""
    p, q = TOYS[name].p, TOYS[name].q
    room = list(zip(np.zeros(p.size), np.minimum(p, 1), strict=True))
    result = linprog(-np.ones(p.size), A_ub=lam * np.eye(p.size), b_ub=q, bounds=room)
    np.testing.assert_allclose(CURVES[name].at(lam), (-lam * result.fun, -result.fun), atol=1e-12)
