"""Siry et al. 2023, §4: φ-divergences, their integral over the curve, and Tsallis' frontiers."""

import math

import hostile
import numpy as np
import oracles
import pytest
from curves import DISJOINT, EQUAL
from domains import TABLED
from frontier_oracles import COMMON, FULL, PART, P, Q, assert_on, tsallis
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import bisect, minimize

from prfast import PRCurve
from prfast.theory import (
    degroot,
    degroot_information,
    divergence_table,
    phi_function,
    renyi_frontier,
    tsallis_frontier,
)
from prfast.theory import phi_divergence as divergence
from prfast.theory.phi import NAMES

MASSES = st.sampled_from([0.0, 0.01, 0.1, 0.3, 1.0, 0.7])


@st.composite
def tame(draw, max_size=6):
    """Return two histograms that quadrature can follow, zeros among them."""
    size = draw(st.integers(1, max_size))
    columns = st.lists(MASSES, min_size=size, max_size=size).filter(lambda x: sum(x) > 0)
    return tuple(oracles.normalized(draw(columns)) for _ in "pq")


@given(tame(12))
@settings(max_examples=40)
def test_definition_15_a_divergence_is_the_sum_over_the_cells(masses):
    """Definition 15, Eq. 14: ∫φ(dμ/dν) dν + φ(0) ν(μ = 0) + φ◇(0) μ(ν = 0)."""
    curve = PRCurve.from_masses(*masses)
    for name in TABLED:
        expected = oracles.divergence(*masses, name)
        assert divergence(curve, name) == pytest.approx(expected, rel=1e-11, abs=1e-14), name


def test_definition_15_of_equal_and_of_disjoint_distributions():
    for name in TABLED:
        assert divergence(EQUAL, name) == 0
        expected = oracles.AT_ZERO[name] + oracles.DUAL_AT_ZERO[name]
        assert divergence(DISJOINT, name) == pytest.approx(expected)
    dropped = PRCurve.from_masses([0.5, 0.5], [1.0, 0.0])
    assert divergence(dropped, "kl") == math.inf
    assert divergence(dropped, "reverse_kl") == pytest.approx(math.log(2))


DUALS = {"kl": "reverse_kl", "js": "js", "hellinger": "hellinger", "tv": "tv"}


@given(hostile.mass_pairs())
def test_remark_16_the_dual_is_the_divergence_the_other_way(masses):
    """Remark 16: D_φ(μ‖ν) = D_φ◇(ν‖μ)."""
    curve = PRCurve.from_masses(*masses)
    for name, dual in DUALS.items():
        there, back = divergence(curve, name), divergence(curve.swap(), dual)
        assert there == pytest.approx(back, rel=1e-9, abs=1e-15), name


@given(hostile.mass_pairs(), st.sampled_from([-1e6, -30, -1e-9, 0, 0.5, 1 - 1e-9, 1, 2, 50, 1e6]))
@settings(max_examples=40)
def test_remark_16_every_divergence_is_a_number_and_never_negative(masses, order):
    curve = PRCurve.from_masses(*masses)
    for name in (*NAMES, f"tsallis:{order}"):
        assert divergence(curve, name) >= 0
    p, q = curve.masses
    actual = divergence_table(curve)
    assert math.isinf(actual["kl"]) == (p[q == 0].sum() > 0)
    assert math.isinf(actual["reverse_kl"]) == (q[p == 0].sum() > 0)
    assert actual["js"] <= 2 * math.log(2) * (1 + 1e-15)
    assert max(actual["hellinger"], actual["tv"]) <= 2 * (1 + 1e-15)


@pytest.mark.parametrize("name", TABLED)
def test_remark_17_the_conjugate_is_the_supremum(name):
    """Remark 17: φ*(v) = sup_u uv − φ(u)."""
    phi = phi_function(name)
    u = np.concatenate([[1e-300], np.geomspace(1e-9, 1e9, 40001)])
    top = min(phi.dual_at_zero, 5.0)
    for v in np.linspace(-6, top - 0.1 * (top < 5), 23):
        supremum = (u * v - phi(u)).max()
        assert phi.conjugate(v) == pytest.approx(supremum, rel=1e-5, abs=1e-5), v
    if math.isfinite(phi.dual_at_zero):
        assert phi.conjugate(phi.dual_at_zero * (1 + 1e-15)) == math.inf
    assert phi.conjugate(0.0) == 0
    if phi.low > -math.inf:
        assert phi.conjugate(phi.low - 1) == phi.conjugate(phi.low) == -phi.at_zero


def test_remark_17_and_table_1_the_ends_of_the_domain():
    """dom^{v0→} of Table 1 is (φ'(0), φ◇(0)) = (φ'(0), φ'(∞))."""
    ln2 = math.log(2)
    table = {
        "kl": (-math.inf, math.inf),
        "reverse_kl": (-math.inf, 1),
        "js": (-math.inf, ln2),
        "chi2": (-2, math.inf),
        "hellinger": (-math.inf, 1),
        "tsallis:-1.5": (-math.inf, 0.4),
        "tsallis:2.5": (-2 / 3, math.inf),
    }
    for name, ends in table.items():
        phi = phi_function(name)
        assert phi.domain == pytest.approx(ends)
        assert phi.derivative(0.0) == phi.domain[0] == phi.low
        if math.isfinite(phi.low):
            assert phi.conjugate_derivative([phi.low - 1, phi.low]).tolist() == [0, 0]
        if math.isfinite(phi.dual_at_zero):
            beyond = [phi.dual_at_zero, phi.dual_at_zero + 1]
            assert phi.conjugate_derivative(beyond).tolist() == [math.inf, math.inf]
            assert phi.derivative(1e300) == pytest.approx(phi.dual_at_zero)
    assert phi_function("tv").derivative([0.5, 1.0, 2.0]).tolist() == [-1, 0, 1]  # sign(u − 1)


@pytest.mark.parametrize("name", TABLED)
def test_table_1_values_and_duals(name):
    phi, u = phi_function(name), np.geomspace(1e-3, 1e3, 25)
    table = np.array([oracles.PHI[name](x) for x in u])
    np.testing.assert_allclose(phi(u), table, rtol=1e-11, atol=1e-15)
    dual = np.array([x * oracles.PHI[name](1 / x) for x in u])
    np.testing.assert_allclose(phi.dual(u), dual, rtol=1e-11, atol=1e-15)
    assert phi(1.0) == 0
    assert (phi.at_zero, phi.dual_at_zero) == (phi(0), phi.dual(0))
    assert phi.at_zero == pytest.approx(oracles.AT_ZERO[name])
    assert phi.dual_at_zero == pytest.approx(oracles.DUAL_AT_ZERO[name])
    assert phi(u.reshape(5, 5)).shape == (5, 5)


CLOSED = [name for name in TABLED if name != "frontier_integral"]


@given(st.sampled_from([name for name in CLOSED if name != "tv"]), st.floats(-7, 7))
def test_table_1_each_slope_is_the_inverse_of_its_counterpart(name, log_u):
    phi, u = phi_function(name), math.exp(log_u)
    v = phi.derivative(u)
    assert phi.low <= v <= phi.dual_at_zero
    # An error of v by its last digit is one of u by φ*''(v) times it.
    slack = 1e-15 * (1 + abs(v)) / (phi.derivative(u * (1 + 1e-4)) - v) * 1e-4 * 8
    assert phi.conjugate_derivative(v) == pytest.approx(u, rel=1e-13 + slack)


@given(hostile.mass_pairs(), hostile.RATES)
def test_proposition_18_degroot_is_half_the_f1_score(masses, pi):
    """Proposition 18, Eq. 4: F¹_π = 2 B_π, B_π = (πP ∧ (1 − π)Q)(Ω)."""
    p, q = map(oracles.normalized, masses)
    curve = PRCurve.from_masses(*masses)
    actual = degroot(curve, pi)
    assert actual == pytest.approx(oracles.degroot(p, q, pi), rel=1e-9, abs=1e-15)
    assert 0 <= actual <= min(pi, 1 - pi)
    if 0 < pi < 1:
        alpha, beta = curve.at(pi / (1 - pi))
        gain = degroot_information(curve, pi)  # Eq. 15
        assert gain == pytest.approx(min(pi, 1 - pi) - oracles.degroot(p, q, pi), abs=1e-15)
        if min(alpha, beta) > 1e-300:
            f1_score = 2 / (1 / alpha + 1 / beta)
            assert 2 * actual == pytest.approx(f1_score, rel=1e-9)


@given(tame(4))
@example([oracles.normalized(m) for m in ([0.01, 0.1, 0.01, 0.1], [0.1, 0.1, 0.1, 1])])  # by 1 ulp
@settings(max_examples=15)
def test_corollary_19_a_divergence_is_the_integral_of_f1_gaps(masses):
    """Corollary 19, Eq. 16: D_φ(P‖Q) = ½ ∫ ΔF¹_π dΓ_φ(π)."""
    curve = PRCurve.from_masses(*masses)
    for name in TABLED:
        by_cells = divergence(curve, name)
        if math.isfinite(by_cells):
            by_integral = oracles.divergence_by_integral(*masses, name)
            assert by_cells == pytest.approx(by_integral, rel=1e-7, abs=1e-9), name


MODERATE = (0.2, 0.5, 0.8, 1.0, 1.3, 2.0, 2.5, 7.0)


@pytest.mark.parametrize("order", [0.3, 0.999, 1.0, 1.001, 2.0, 30.0])
def test_proposition_21_points_are_those_of_the_formula(order):
    """Proposition 21, Eq. 18: dμ_θ/dP ∝ (θ + (1 − θ)(dQ/dP)^(1−a))^(1/(1−a)).

    The formula agrees on the divergence from P at the log-odds u where it does on that from
    Q."""
    p, q = P[COMMON].tolist(), Q[COMMON].tolist()

    def mu(u):
        sides = (p, q) if u < 0 else (q, p)
        return oracles.frontier_mu(*sides, order, 1 / (1 + math.exp(abs(u))))

    actual = renyi_frontier(PART, order, points=41)
    low, high = actual.to_fake[[0, -1]] @ [[0.9, 0.1], [0.1, 0.9]]
    inner = [(x, y) for x, y in zip(*actual, strict=True) if low < x < high]
    assert len(inner) > 5
    for x, y in inner:
        u = bisect(lambda u, x=x: oracles.renyi(mu(u), q, order) - x, -100, 100, xtol=1e-13)
        assert y == pytest.approx(oracles.renyi(mu(u), p, order), rel=1e-9)


@pytest.mark.parametrize("order", [*MODERATE, 20.0])
def test_eq_19_tsallis_is_by_its_definition_a_transform_of_renyi(order):
    p, q = P[COMMON].tolist(), Q[COMMON].tolist()
    actual, renyi = tsallis_frontier(PART, order), renyi_frontier(PART, order)
    for mu, end, nu in ((q, actual.to_real[0], p), (p, actual.to_fake[-1], q)):
        mu = [m / math.fsum(mu) for m in mu]
        if order == 1:
            expected = math.fsum(m * math.log(m / n) for m, n in zip(mu, nu, strict=True))
        else:
            power = math.fsum(m**order * n ** (1 - order) for m, n in zip(mu, nu, strict=True))
            expected = (power - 1) / (order * (order - 1))
        assert end == pytest.approx(expected, rel=1e-9)
    for d, D in zip(actual, renyi, strict=True):  # (e^{(a−1)D} − 1) / (a (a−1)), D at a = 1
        transform = np.expm1((order - 1) * D) / (order * (order - 1)) if order != 1 else D
        np.testing.assert_allclose(d, transform, rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("order", [-2.0, -0.5, 0.0, 0.3, 1.0, 2.5])
@pytest.mark.parametrize("inclusive", [True, False])
def test_proposition_21_scipy_finds_no_better_compromise(order, inclusive):
    """The least θ D̂(P, R) + (1−θ) D̂(Q, R) over all R of four cells, a convex problem, is a point
    of the frontier."""
    p, q = P[COMMON] / P[COMMON].sum(), Q[COMMON] / Q[COMMON].sum()

    def both(r):
        sides = ((q, r), (p, r)) if inclusive else ((r, q), (r, p))
        return [tsallis(*side, order) for side in sides]

    def cost(x, theta):
        r = np.exp(x - np.logaddexp.reduce(x))
        to_fake, to_real = both(r)
        return theta * to_real + (1 - theta) * to_fake

    actual = tsallis_frontier(FULL, order, 4001, inclusive=inclusive)
    for theta in (0.1, 0.5, 0.8):
        best = minimize(cost, np.log(p + q), (theta,), method="BFGS", options={"gtol": 1e-9})
        mine = theta * actual.to_real + (1 - theta) * actual.to_fake
        assert mine.min() == pytest.approx(best.fun, rel=1e-6)
        to_fake, to_real = both(np.exp(best.x - np.logaddexp.reduce(best.x)))
        assert_on(actual, to_fake, to_real, 1e-5)


@pytest.mark.parametrize("order", [-2.0, 0.5, 1.0, 3.0, np.inf])
def test_remark_22_cells_of_equal_ratio_do_not_matter(order):
    """Remark 22: the PR curve determines the frontiers; splitting cells changes no point."""
    share = np.array([0.25, 0.75])
    split = PRCurve.from_masses(np.outer(P, share).ravel(), np.outer(Q, share).ravel())
    for inclusive in (True, False):
        whole, cells = (
            renyi_frontier(curve, order, 21, inclusive=inclusive) for curve in (PART, split)
        )
        np.testing.assert_allclose(whole, cells, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("pi", [0.2, 0.4, 0.5, 0.6])
def test_remark_23_the_compromise_tends_to_the_smaller_mass(pi):
    """Remark 23: a → ∞ gives the PR curve if θ moves with a.

    (θ_a, 1−θ_a) ∝ (π^{1−a}, (1−π)^{1−a}): μ -> min(πp, (1−π)q), so (−log α_λ, −log β_λ) at
    λ = π / (1 − π), which the frontier of a large order passes."""
    p, q = P[COMMON], Q[COMMON]
    smaller = np.minimum(pi * p, (1 - pi) * q)
    for order, apart in ((20.0, 0.1), (200.0, 1e-2)):
        sides = (1 - order) * np.log([pi * p, (1 - pi) * q])
        mu = np.exp(np.logaddexp(*sides) / (1 - order))
        np.testing.assert_allclose(mu / mu.sum(), smaller / smaller.sum(), rtol=apart)
    alpha, beta = PART.at(pi / (1 - pi))
    actual = renyi_frontier(PART, 1e7, 20_001)
    assert_on(actual, -math.log(alpha), -math.log(beta), 1e-4)
