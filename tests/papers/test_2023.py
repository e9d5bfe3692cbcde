"""Siry, Webster, Simon, Rabin, *On the Theoretical Equivalence of Several Trade-Off Curves
Assessing Statistical Proximity*, 2023, §2 and §3: PR curves, Lorenz curves, Rényi frontiers.

§4 is in `test_2023_divergences.py`, §5 in `test_2023_adaptation.py` and `test_2023_hypotheses.py`.
Theorems 4 and 6 are Theorems 3 and 4 of 2019, Definition 1 is that of 2019.
"""

import math
from itertools import product

import hostile
import numpy as np
import oracles
import pytest
from curves import DISJOINT, EQUAL, TAME
from frontier_oracles import COMMON, PART, SAME, P, Q
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from prfast import PRCurve
from prfast.theory import lorenz, renyi_divergence, renyi_frontier, tsallis_frontier

PAIRS = hostile.mass_pairs(max_size=6)
WHOLE = hostile.mass_pairs(max_size=5, whole=True)
LAMS = np.concatenate([[0], np.geomspace(1e-4, 1e4, 41), [np.inf]])
TS = np.linspace(0, 1, 41)
CLOSE = {"rtol": 1e-11, "atol": 1e-14}
# What rounding of t may do to α: it is λ(1 − t) + F(t).
FINITE = LAMS[:-1]
ULPS = 1e-14 + 1e-15 * FINITE
ORDERS = st.sampled_from([1e-300, 0.3, 1.0, 1.5, 200.0, 1e308, np.inf])


@given(hostile.mass_pairs())
def test_definition_2_and_footnote_5_the_set_on_the_axes(masses):
    """Definition 2: μ ≪ P and μ ≪ Q, or (1, 0) and (0, 1) would always be in the set (footnote 5).

    2023: P >= βμ, Q >= αμ and μ ≪ P, Q, so at α = 0 every β up to P(q > 0), at β = 0 every α up
    to Q(p > 0).  2018 takes α and β in (0, 1] and adds (0, 0): nothing else of the axes."""
    p, q = map(oracles.normalized, masses)
    curve = PRCurve.from_masses(*masses)
    assert curve.contains(0, 0)
    for ends, point in (
        (p[q > 0].sum(), lambda beta: (0, beta)),
        (q[p > 0].sum(), lambda alpha: (alpha, 0)),
    ):
        assert curve.contains(*point(ends / 2))
        assert curve.contains(*point(1)) == (ends > 1 - 1e-15)
        assert curve.contains(*point(ends * (1 - 1e-12)))
        assert not curve.contains(*point(max(ends * (1 + 1e-9), 5e-324)))
    assert EQUAL.contains(0, 0.5)
    assert EQUAL.contains(0.5, 0)


@given(WHOLE, st.integers(0, 2**32 - 1))
@settings(max_examples=40)
def test_definition_3_no_measure_is_better_in_both_than_the_curve(masses, seed):
    """Definition 3: the Pareto front of the pairs (κ*(Q|μ), κ*(P|μ)).

    κ*(Q|μ) = inf Q(A)/μ(A), κ*(P|μ): of random μ on the common support, below the curve; of
    μ = λP ∧ Q, divided by its mass, at λ or, in one of the two, beyond: the front is weak, so that
    a level stretch of the curve belongs to it."""
    p, q = oracles.pair_of(masses)
    curve = PRCurve.from_masses(p, q)
    common = (p > 0) & (q > 0)
    assume(common.any())
    rng = np.random.default_rng(seed)
    for lam in (*rng.choice(FINITE, 4), None):
        weight = np.minimum(lam * p, q) if lam else rng.random(p.size) ** 8 * (p + q)
        mu = np.where(common, weight, 0) / weight[common].sum()
        alpha, beta = (of[common] / mu[common] for of in (q, p))
        alpha, beta = alpha.min(), beta.min()
        assert curve.contains(alpha, beta)
        if lam:
            gains = np.divide((alpha, beta), curve.at(lam))
            assert gains.min() == pytest.approx(1, rel=1e-12)


@given(WHOLE, st.sampled_from(LAMS[1:-1:4].tolist()))
@settings(max_examples=40, deadline=None)
def test_lemma_12_alpha_is_the_minimum_over_all_functions(masses, lam):
    """Lemma 12, Eq. 12: α_λ = min over 0 <= f <= 1 of λ(1 − ∫f dP) + ∫f dQ, by a linear program."""
    p, q = oracles.pair_of(masses)
    result = linprog(q - lam * p, bounds=(0, 1))
    alpha = PRCurve.from_masses(p, q).at(lam)[0]
    assert alpha == pytest.approx(lam + result.fun, rel=1e-9, abs=1e-9 * lam)


@given(PAIRS, st.sampled_from(LAMS[:-1].tolist()) | st.sampled_from([1e-300, 1e-30, 1e30]))
@settings(max_examples=40)
def test_theorem_37_alpha_is_the_minimum_over_all_sets(masses, lam):
    """Theorem 37, Eq. 41: α_λ = min over A of λ(1 − P(A)) + Q(A), of all 2ⁿ sets of cells."""
    p, q = oracles.pair_of(masses)
    sets = np.array(list(product([0, 1], repeat=p.size)))
    least = (lam * (1 - sets) @ p + sets @ q).min()
    assert PRCurve.from_masses(p, q).at(lam)[0] == pytest.approx(least, rel=1e-11, abs=0)


@given(WHOLE)
@settings(max_examples=40)
def test_lemma_10_the_largest_ratio_of_sets_is_that_of_cells(masses):
    """Lemma 10: sup μ(A)/ν(A) = ess sup dμ/dν if μ ≪ ν.

    sup over A of μ(A)/ν(A), of all sets of cells, is the largest ratio of densities where μ > 0,
    ∞ where ν is 0 there; and on curves of μ and ν, 1 / it is where the curve stops being level."""
    mu, nu = oracles.pair_of(masses)
    sets = np.array(list(product([0, 1], repeat=mu.size)))[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        set_ratios = (sets @ mu) / (sets @ nu)
        cell_ratios = mu / nu
    largest = np.nanmax(set_ratios)
    assert largest == pytest.approx(np.nanmax(cell_ratios[mu > 0]), rel=1e-12)
    # P = ν, Q = μ: α_λ = 1 from λ = largest on, and not before.
    curve = PRCurve.from_masses(nu, mu)
    if np.isinf(largest):
        assert curve.max_precision < 1
    else:
        assert curve.at(largest * (1 + 1e-12))[0] == pytest.approx(1, abs=1e-15)
        if largest > 1:
            assert curve.at(largest * 0.99)[0] < 1 - 1e-4


def common_pair(masses):
    """Masses of both on their common support, as parts of distributions."""
    p, q = map(oracles.normalized, masses)
    common = (p > 0) & (q > 0)
    return p[common], q[common]


@given(WHOLE, st.sampled_from([0.3, 0.999, 1.0, 1.5, 7.0, np.inf]))
def test_definition_7_renyi_divergence_is_the_logarithm_of_a_norm(masses, order):
    """Definition 7, Eq. 7: D_a(μ‖ν) = log ‖dμ/dν‖_{a−1, dμ}."""
    p, q = oracles.pair_of(masses)
    actual = renyi_divergence(PRCurve.from_masses(p, q), order)
    there = p > 0
    if (there & (q == 0)).any() and (order >= 1 or not (there & (q > 0)).any()):
        assert actual == math.inf
        return
    there &= q > 0
    log = np.log(p[there] / q[there])
    if order == np.inf:
        expected = log.max()
    elif order == 1:
        expected = p[there] @ log
    else:
        expected = math.log(p[there] @ np.exp((order - 1) * log)) / (order - 1)
    assert actual == pytest.approx(expected, rel=1e-9, abs=1e-12)


@given(PAIRS, ORDERS)
@settings(max_examples=40)
def test_footnote_6_the_ends_are_q_and_p_on_the_common_support(masses, order):
    """Footnote 6: μ ≪ P and μ ≪ Q."""
    curve = PRCurve.from_masses(*masses)
    actual = renyi_frontier(curve, order, points=9)
    if curve.max_precision == 0 or curve.max_recall == 0:
        np.testing.assert_array_equal(actual, [[np.inf], [np.inf]])
        return
    p, q = common_pair(masses)
    assert actual.to_fake[0] == pytest.approx(-math.log(q.sum()), rel=1e-12, abs=1e-15)
    assert actual.to_real[-1] == pytest.approx(-math.log(p.sum()), rel=1e-12, abs=1e-15)
    for end, mu, masses_in in ((actual.to_real[0], q, p), (actual.to_fake[-1], p, q)):
        expected = oracles.renyi(oracles.normalized(mu).tolist(), masses_in.tolist(), order)
        assert end == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("order", [0.3, 1.0, 2.0, 6.0, 200.0, np.inf])
def test_definition_8_no_other_distribution_is_better_in_both(order):
    """Definition 8, Eq. 8 and 9: the weak Pareto front of (D_a(μ‖Q), D_a(μ‖P)).

    Tests 10³ random μ on the common support, most of them close to the path."""
    rng = np.random.default_rng(0)
    actual = renyi_frontier(PART, order)
    p, q = P[COMMON], Q[COMMON]
    theta = rng.random((1000, 1))
    mu = (
        p**theta
        * q ** (1 - theta)
        * np.exp(rng.choice([0.01, 0.1, 1], (1000, 1)) * rng.normal(size=(1000, 4)))
    )
    mu = (mu / mu.sum(axis=1, keepdims=True)).tolist()
    to_fake, to_real = (np.array([oracles.renyi(m, nu, order) for m in mu]) for nu in (q, p))
    below = (to_fake[:, None] < actual.to_fake - 1e-12) & (
        to_real[:, None] < actual.to_real - 1e-12
    )
    assert not below.any()


@pytest.mark.parametrize("order", [1e-300, 0.5, 1.0, 2.0, 1e4, np.inf])
def test_definition_8_of_equal_and_of_disjoint_distributions(order):
    for frontier in (renyi_frontier, tsallis_frontier):
        assert np.abs(frontier(SAME, order)).max() < 1e-12
        np.testing.assert_array_equal(frontier(DISJOINT, order), [[np.inf], [np.inf]])


@given(PAIRS)
def test_theorem_11_order_infinity_is_the_pr_curve(masses):
    """Theorem 11: ∂PRD(P, Q) = {(e^−π, e^−ρ) : (π, ρ) in the frontier of order ∞}."""
    curve = PRCurve.from_masses(*masses)
    actual = renyi_frontier(curve, np.inf, points=41)
    if np.isinf(actual.to_fake[0]):
        assert curve.area == 0
        return
    alpha, beta = np.exp(-actual.to_fake), np.exp(-actual.to_real)
    there = (alpha > 1e-290) & (beta > 1e-290)
    expected = curve.at(alpha[there] / beta[there])
    np.testing.assert_allclose((alpha[there], beta[there]), expected, rtol=1e-11)
    assert alpha[0] == pytest.approx(curve.max_precision, rel=1e-12)
    assert beta[-1] == pytest.approx(curve.max_recall, rel=1e-12)


@given(PAIRS, st.sampled_from(TS.tolist()) | st.floats(0, 1))
def test_definition_9_f_is_the_least_mass_of_q_that_goes_with_t(masses, t):
    """Definition 9, Eq. 11: F(t) = inf { ∫f dQ : 0 <= f <= 1, ∫f dP >= t }."""
    actual = lorenz(PRCurve.from_masses(*masses))(t)
    assert actual == pytest.approx(oracles.lorenz(*masses, t), rel=1e-9, abs=1e-14)


@given(PAIRS, st.lists(st.sampled_from([0.0, 1.0]) | st.floats(0, 1), min_size=6, max_size=6))
def test_definition_9_every_function_between_0_and_1_is_a_point_inside(masses, f):
    """Definition 9, Eq. 10: LD(P, Q) = {(∫f dP, ∫f dQ) : 0 <= f <= 1}."""
    p, q = (np.array(side) / np.sum(side) for side in masses)
    f = np.array(f[: p.size])
    diagram = lorenz(PRCurve.from_masses(*masses))
    t, y = float(p @ f), float(q @ f)
    assert diagram.contains(t, y)
    assert diagram.contains(1 - t, 1 - y)  # 1 − f


def ends_by_linear_program(p, q, t):
    """Return the least and the largest ∫f dQ over 0 <= f <= 1 with ∫f dP = t."""
    ends = [
        linprog(sign * q, A_eq=[p], b_eq=[t], bounds=(0, 1), method="highs") for sign in (1, -1)
    ]
    assert all(end.status == 0 for end in ends)
    return ends[0].fun, -ends[1].fun


@given(TAME, st.sampled_from([0.0, 0.03, 0.25, 0.5, 0.8, 1.0]))
@settings(max_examples=40, deadline=None)
def test_definition_9_no_point_beyond_a_linear_program_is_inside(cells, t):
    p, q = (np.array(side) / sum(side) for side in zip(*cells, strict=True))
    diagram = lorenz(PRCurve.from_masses(p, q))
    low, high = ends_by_linear_program(p, q, t)
    assert diagram.contains(t, diagram(t))
    if high - low > 1e-6:  # otherwise the program's rounding may be outside
        assert diagram.contains(t, [low + 1e-9, (low + high) / 2, high - 1e-9]).all()
    assert not diagram.contains(t, [low - 1e-6, high + 1e-6]).any()
    assert diagram(t) == pytest.approx(low, abs=1e-9)


@given(PAIRS)
def test_eq_11_f_is_convex_and_rises_from_0_to_the_common_mass(masses):
    curve = PRCurve.from_masses(*masses)
    t, F = lorenz(curve).vertices
    assert (t[0], F[0], t[-1], F[-1]) == (0, 0, 1, 1)
    assert (np.diff(t) >= 0).all()
    assert (np.diff(F) >= 0).all()
    values = lorenz(curve)(TS)
    assert (np.diff(values, 2) >= -1e-14).all()
    assert (values <= TS + 1e-15).all()
    assert values[0] == 0
    assert values[-1] == curve.max_precision


@given(PAIRS)
def test_theorem_13_the_conjugate_is_lambda_minus_alpha(masses):
    """Theorem 13, Eq. 13: F*(λ) = sup_t λt − F(t) = λ − α_λ."""
    f = lorenz(PRCurve.from_masses(*masses))
    t, F = f.vertices
    supremum = (FINITE[:, None] * t - F).max(axis=1)
    np.testing.assert_allclose(f.conjugate(FINITE), supremum, rtol=1e-11, atol=1e-14)
    np.testing.assert_allclose(FINITE - f.alpha(FINITE), supremum, rtol=1e-11, atol=1e-12)
    assert f.conjugate(np.inf) == np.inf
    minimum = (F + FINITE[:, None] * (1 - t)).min(axis=1)
    assert (np.abs(f.alpha(FINITE) - minimum) <= ULPS).all()


@given(PAIRS)
def test_remark_14_1_both_curves_are_equivalent(masses):
    curve = PRCurve.from_masses(*masses)
    assert lorenz(curve).curve() is curve
    t, F = lorenz(curve).vertices
    again = lorenz(PRCurve.from_rates(1 - t, F))
    assert (np.abs(again.alpha(FINITE) - curve.at(FINITE)[0]) <= ULPS).all()
    # At t = 1 the slope may be anything up to ∞: 1 ulp of t is all of F.
    np.testing.assert_allclose(again(TS[:-1]), lorenz(curve)(TS[:-1]), **CLOSE)


@given(PAIRS, st.sampled_from(TS.tolist()) | st.floats(0, 1))
def test_remark_14_2_lambda_is_a_subgradient_where_young_is_an_equality(masses, t):
    """F(t) + F*(λ) = λt for λ in ∂F(t); more for any other λ."""
    diagram = lorenz(PRCurve.from_masses(*masses))
    low, high = diagram.subgradient(t)
    assert 0 <= low <= high
    for lam in {low, high, (low + high) / 2}:
        if lam < np.inf:
            gap = diagram(t) + diagram.conjugate(lam) - lam * t
            assert abs(gap) <= 1e-14 * (1 + lam)
    p, q = (np.array(side) / np.sum(side) for side in masses)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = q / p
    for lam in [*ratios[np.isfinite(ratios)], low / 2, 2 * high + 1]:
        if np.isfinite(lam):
            gap = diagram(t) + diagram.conjugate(lam) - lam * t
            assert gap >= -1e-14 * (1 + lam)


@given(TAME, st.floats(1e-6, 1e6))
def test_remark_14_3_alpha_has_its_minimum_where_lambda_is_a_subgradient(cells, lam):
    """Remark 14.2: λ is in ∂F(t_λ), t_λ = P(A_λ), so α_λ = F(t_λ) + λ(1 − t_λ)."""
    diagram = lorenz(PRCurve.from_masses(*zip(*cells, strict=True)))
    t = diagram.vertices.t
    low, high = diagram.subgradient(t)
    here = (low <= lam) & (lam <= high)
    assert here.any()
    values = (diagram(t) + lam * (1 - t))[here]
    assert values == pytest.approx(diagram.alpha(lam), rel=1e-12, abs=1e-14 * (1 + lam))


@given(PAIRS)
def test_remark_14_4_legendre_there_and_back_is_the_identity(masses):
    """F -> α at the ratios, 0 and ∞ -> F, and α -> F at the vertices -> α."""
    curve = PRCurve.from_masses(*masses)
    f = lorenz(curve)
    lam = np.append(curve.vertices.ratio, 0)
    with np.errstate(invalid="ignore"):
        lines = f.alpha(lam)[:, None] - np.where(TS < 1, lam[:, None] * (1 - TS), 0)
    np.testing.assert_allclose(lines.max(axis=0), f(TS), rtol=1e-9, atol=1e-13)
    t, F = f.vertices
    back = lorenz(PRCurve.from_rates(1 - t, F))
    assert (np.abs(back.alpha(FINITE) - curve.at(FINITE)[0]) <= ULPS).all()
