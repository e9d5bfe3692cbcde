"""Inclusive frontiers and orders <= 0, against formulas, SciPy's convex solver and the PR curve."""

import math
from itertools import pairwise

import hostile
import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import minimize

from prfast import PRCurve, degroot_information, mauve_frontier, renyi_frontier, tsallis_frontier

PAIRS = hostile.mass_pairs(max_size=6)
POSITIVE = st.sampled_from(
    [1e-300, 1e-9, 0.01, 0.3, 0.5, 0.9, 1.0, 1.1, 2.0, 5.0, 200.0, 1e4, 1e308, np.inf]
)
ORDERS = st.builds(lambda a, sign: sign * a, POSITIVE, st.sampled_from([1, -1]))
FINITE = (0.2, 0.5, 0.999, 1.0, 1.001, 1.3, 2.0, 7.0)
# Cells of P alone and of Q alone, and four in common; the same without the first two.
P = np.array([0.1, 0.0, 0.3, 0.2, 0.15, 0.25])
Q = np.array([0.0, 0.05, 0.05, 0.4, 0.3, 0.2])
PART = PRCurve.from_masses(P, Q)
COMMON = (P > 0) & (Q > 0)
FULL = PRCurve.from_masses(P[COMMON], Q[COMMON])
# Ratios of 1e-300 and 1e300.
FAR = PRCurve.from_masses([1e-300, 1.0, 0.5], [1.0, 1e-300, 0.5])
SAME = PRCurve.from_masses([1, 2, 3], [1, 2, 3])
DISJOINT = PRCurve.from_masses([1, 0], [0, 1])


def tsallis(mu, nu, order):
    """D̂_a(μ‖ν) = Σ ν φ_a(μ/ν), any real order, by its definition on single masses."""
    if order == 1:
        terms = [(m, n, m and n and m * math.log(m / n)) for m, n in zip(mu, nu, strict=True)]
        return math.inf if any(m > 0 == n for m, n, _ in terms) else math.fsum(t[2] for t in terms)
    if order == 0:
        return tsallis(nu, mu, 1)
    total = 0.0
    for m, n in zip(mu, nu, strict=True):
        if (order > 1 and m > 0 == n) or (order < 0 and n > 0 == m):
            return math.inf
        total += m**order * n ** (1 - order) if m > 0 and n > 0 else 0.0
    return (total - 1) / (order * (order - 1))


def renyi(mu, nu, order):
    """D_a(μ‖ν) with masses of 0, any real order but 0 and 1."""
    powers = [m**order * n ** (1 - order) for m, n in zip(mu, nu, strict=True) if m > 0 < n]
    if (order > 1 and any(m > 0 == n for m, n in zip(mu, nu, strict=True))) or not powers:
        return math.inf
    return math.log(math.fsum(powers)) / (order - 1)


def assert_on(frontier, to_fake, to_real, tolerance):
    """The point lies within `tolerance` of the polyline, between two neighbours."""
    i = int(np.searchsorted(frontier.to_fake, to_fake).clip(1, frontier.to_fake.size - 1))
    at = np.interp(to_fake, *(side[i - 1 : i + 1] for side in frontier))
    assert at == pytest.approx(to_real, abs=tolerance)


def mean(p, q, exponent, theta):
    """(θ p^b + (1−θ) q^b)^{1/b}, scaled to 1."""
    r = (theta * p**exponent + (1 - theta) * q**exponent) ** (1 / exponent)
    return r / r.sum()


# ---- the compromises are the best ones ---------------------------------------------------------


@pytest.mark.parametrize("order", FINITE)
def test_it_is_the_path_of_power_means(order):
    """Points by the formula lie on the polyline, of Rényi and of Tsallis, mass alone included."""
    by_renyi, by_tsallis = (
        frontier(PART, order, 20_001, inclusive=True)
        for frontier in (renyi_frontier, tsallis_frontier)
    )
    for theta in (0.01, 0.2, 0.5, 0.8, 0.99):
        r = mean(P, Q, order, theta)
        assert_on(by_tsallis, tsallis(Q, r, order), tsallis(P, r, order), 1e-6)
        if order != 1:
            assert_on(by_renyi, renyi(Q, r, order), renyi(P, r, order), 1e-6)


@pytest.mark.parametrize("order", [-2.0, -0.5, 0.0, 0.3, 1.0, 2.5])
@pytest.mark.parametrize("inclusive", [True, False])
def test_scipy_finds_no_better_compromise(order, inclusive):
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

    found = tsallis_frontier(FULL, order, 4001, inclusive=inclusive)
    for theta in (0.1, 0.5, 0.8):
        best = minimize(cost, np.log(p + q), (theta,), method="BFGS", options={"gtol": 1e-9})
        mine = theta * found.to_real + (1 - theta) * found.to_fake
        assert mine.min() == pytest.approx(best.fun, rel=1e-6)
        to_fake, to_real = both(np.exp(best.x - np.logaddexp.reduce(best.x)))
        assert_on(found, to_fake, to_real, 1e-5)


@pytest.mark.parametrize("order", [0.3, 1.0, 2.0, 6.0, 200.0, np.inf])
def test_no_other_distribution_is_better_in_both(order):
    """10³ random R on all cells, most of them close to mixtures."""
    rng = np.random.default_rng(0)
    found = renyi_frontier(PART, order, inclusive=True)
    theta = rng.random((1000, 1))
    spread = np.exp(rng.choice([0.01, 0.1, 1], (1000, 1)) * rng.normal(size=(1000, 6)))
    r = (theta * P + (1 - theta) * Q) * spread
    r /= r.sum(axis=1, keepdims=True)
    p, q = P.tolist(), Q.tolist()
    to_fake, to_real = (np.array([oracles.renyi(x, m, order) for m in r]) for x in (q, p))
    below = (to_fake[:, None] < found.to_fake - 1e-12) & (to_real[:, None] < found.to_real - 1e-12)
    assert not below.any()


@pytest.mark.parametrize("curve", [PART, FAR], ids=["moderate", "1e300"])
def test_the_inclusive_frontier_of_order_infinity_is_of_the_pr_curve(curve):
    """(log(1 + λ − α_λ), log((1 + λ − α_λ) / λ)), as Σ max(λp, q) = 1 + λ − α_λ."""
    found = renyi_frontier(curve, np.inf, 101, inclusive=True)
    lam = np.exp(found.to_fake - found.to_real)[1:-1]
    alpha, _ = curve.at(lam)
    np.testing.assert_allclose(found.to_fake[1:-1], np.log1p(lam - alpha), rtol=1e-9, atol=1e-12)
    ends = [0.0, np.inf] if curve is PART else [0.0, 300 * math.log(10)]
    np.testing.assert_allclose([found.to_fake[0], found.to_real[0]], ends, rtol=2e-3)


@pytest.mark.parametrize("order", [50.0, 1e4, 1e8, 1e300])
def test_large_orders_approach_it(order):
    found, limit = (renyi_frontier(FULL, a, 20_001, inclusive=True) for a in (order, np.inf))
    apart = 4 / order
    assert (np.interp(limit.to_fake, *found) <= limit.to_real + 1e-6).all()
    assert (np.interp(found.to_fake + apart, *limit) <= found.to_real + apart + 1e-6).all()


# ---- ends, limits, extremes --------------------------------------------------------------------


@given(PAIRS, POSITIVE)
@settings(max_examples=100)
def test_a_frontier_is_monotone_between_its_ends(masses, order):
    p, q = map(oracles.normalised, masses)
    curve = PRCurve.from_masses(*masses)
    found = renyi_frontier(curve, order, 33, inclusive=True)
    assert found.to_fake.shape == (33,)
    assert found.to_fake[0] == found.to_real[-1] == 0
    assert np.isfinite(np.stack(found)[:, 1:-1]).all()
    top = 1 + np.max(np.where(np.isfinite(found), found, 0))
    with np.errstate(invalid="ignore"):
        assert not (np.diff(found.to_fake) < -1e-13 * top).any()
        assert not (np.diff(found.to_real) > 1e-13 * top).any()
    for end, mu, nu in ((found.to_real[0], p, q), (found.to_fake[-1], q, p)):
        if (order >= 1 and (mu[nu == 0] > 0).any()) or not (mu[nu > 0] > 0).any():
            assert end == np.inf
        elif order < 1:
            kept = (mu > 0) & (nu > 0)
            logs = order * np.log(mu[kept]) + (1 - order) * np.log(nu[kept])
            expected = np.logaddexp.reduce(logs) / (order - 1)
            assert end == pytest.approx(expected, rel=1e-9, abs=1e-12)
        else:
            kept = mu > 0
            far = np.inf if order > 1e300 else order  # the formula overflows
            expected = oracles.renyi(mu[kept].tolist(), nu[kept].tolist(), far)
            assert end == pytest.approx(expected, rel=1e-9, abs=1e-12)


@given(PAIRS, ORDERS, st.booleans())
@settings(max_examples=150)
def test_no_order_gives_nan(masses, order, inclusive):
    curve = PRCurve.from_masses(*masses)
    by_renyi, by_tsallis = (
        frontier(curve, order, 9, inclusive=inclusive)
        for frontier in (renyi_frontier, tsallis_frontier)
    )
    assert not np.isnan([*by_renyi, *by_tsallis]).any()
    assert (np.stack(by_tsallis) >= 0).all()
    assert (np.sign(by_renyi) * np.sign(order) >= 0).all()


@given(PAIRS, POSITIVE)
@settings(max_examples=60)
def test_exchanging_the_two_exchanges_the_coordinates(masses, order):
    curve = PRCurve.from_masses(*masses)
    one, other = (renyi_frontier(c, order, 11, inclusive=True) for c in (curve, curve.swap()))
    np.testing.assert_allclose(one.to_fake, other.to_real[::-1], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("order", [-np.inf, -2.0, 0.0, 1e-300, 0.5, 1.0, 2.0, 1e4, np.inf])
def test_equal_distributions(order):
    for frontier in (renyi_frontier, tsallis_frontier):
        for inclusive in (True, False):
            assert np.abs(frontier(SAME, order, 11, inclusive=inclusive)).max() < 1e-12


@pytest.mark.parametrize("order", [0.0, 1e-300, 0.5, 1.0, 2.0, 1e4, np.inf])
def test_disjoint_supports(order):
    """R = tP + (1 − t)Q whatever the order: (−log(1 − t), −log t)."""
    to_fake, to_real = renyi_frontier(DISJOINT, order, 101, inclusive=True)
    assert (to_fake[-1], to_real[0]) == (np.inf, np.inf)
    np.testing.assert_allclose(np.exp(-to_fake) + np.exp(-to_real), 1, rtol=1e-12)
    assert np.diff(to_fake).min() > 0
    lone = np.full((2, 1), np.inf)
    np.testing.assert_array_equal(tsallis_frontier(DISJOINT, 0, inclusive=True), lone)
    np.testing.assert_array_equal(tsallis_frontier(DISJOINT, order or 1.0), lone)


def test_a_tsallis_divergence_of_disjoint_distributions_is_finite_below_order_1():
    found = tsallis_frontier(DISJOINT, 0.25, inclusive=True)
    assert found.to_fake[-1] == found.to_real[0] == pytest.approx(1 / (0.25 * 0.75))


def test_orders_beside_1_are_continuous():
    at = renyi_frontier(PART, 1.0, inclusive=True)
    inner = slice(1, -1)
    for order in (1 - 1e-9, 1 + 1e-9, math.nextafter(1, 0), math.nextafter(1, 2)):
        found = renyi_frontier(PART, order, inclusive=True)
        for side in (0, 1):
            np.testing.assert_allclose(found[side][inner], at[side][inner], 1e-6, 1e-14)


@pytest.mark.parametrize("order", [1e-3, 0.3, 1.0, 2.0, 10.0])
def test_ratios_of_1e300_against_logarithms(order):
    """The compromise that Hypothesis cannot see: three cells, computed one by one in logarithms."""
    log_p, log_q = np.log([1e-300, 2 / 3, 1 / 3]), np.log([2 / 3, 1e-300, 1 / 3])
    found = renyi_frontier(FAR, order, 2001, inclusive=True)
    for theta in (1e-12, 0.25, 0.5):
        log_r = (
            np.logaddexp(math.log(theta) + order * log_p, math.log1p(-theta) + order * log_q)
            / order
        )
        log_r -= np.logaddexp.reduce(log_r)
        pair = []
        for log_x in (log_q, log_p):
            if order == 1:
                pair.append((np.exp(log_x) * (log_x - log_r)).sum())
            else:
                logs = order * log_x + (1 - order) * log_r
                pair.append(np.logaddexp.reduce(logs) / (order - 1))
        assert_on(found, *pair, 2e-2)


# ---- orders <= 0, and the two kinds as mirrors -------------------------------------------------


@pytest.mark.parametrize("order", [-7.0, -1.0, -0.5, -1e-9, 0.0])
@pytest.mark.parametrize("inclusive", [True, False])
def test_tsallis_of_negative_order_by_its_definition(order, inclusive):
    """Ends: divergences of order a <= 0 of the distributions themselves."""
    p, q = P[COMMON] / P[COMMON].sum(), Q[COMMON] / Q[COMMON].sum()
    found = tsallis_frontier(FULL, order, inclusive=inclusive)
    first, last = (tsallis(p, q, order), tsallis(q, p, order))
    if not inclusive:
        first, last = tsallis(q, p, order), tsallis(p, q, order)
    rel = 1e-6 if order == -1e-9 else 1e-9  # of the definition, which loses digits
    assert found.to_real[0] == pytest.approx(first, rel=rel)
    assert found.to_fake[-1] == pytest.approx(last, rel=rel)
    assert found.to_fake[0] == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("order", [-7.0, -1.0, -0.5])
@pytest.mark.parametrize("inclusive", [True, False])
def test_renyi_of_negative_order_by_its_definition(order, inclusive):
    """D_a <= 0, and nearest to 0 at the same compromises as Tsallis'."""
    p, q = P[COMMON] / P[COMMON].sum(), Q[COMMON] / Q[COMMON].sum()
    found = renyi_frontier(FULL, order, 4001, inclusive=inclusive)
    assert (np.stack(found) <= 0).all()
    for theta in (0.1, 0.5, 0.9):
        r = mean(p, q, order if inclusive else 1 - order, theta)
        pair = [renyi(x, r, order) if inclusive else renyi(r, x, order) for x in (q, p)]
        assert_on(type(found)(*(-x for x in found)), -pair[0], -pair[1], 1e-6)
    transformed = [
        np.log1p(order * (order - 1) * x) / (order - 1)
        for x in tsallis_frontier(FULL, order, 4001, inclusive=inclusive)
    ]
    np.testing.assert_allclose(found, transformed, rtol=1e-9, atol=1e-12)


def test_negative_orders_by_their_limits():
    """D_{−∞}(μ‖ν) = −D_∞(ν‖μ); order 0 of Rényi sees supports alone."""
    far, near = renyi_frontier(PART, -np.inf), renyi_frontier(PART, np.inf, inclusive=True)
    np.testing.assert_array_equal(far, -np.array(near))
    corner = [[-math.log(Q[COMMON].sum())], [-math.log(P[COMMON].sum())]]
    np.testing.assert_allclose(renyi_frontier(PART, 0, 5), np.repeat(corner, 5, axis=1))
    to_fake, to_real = renyi_frontier(PART, 0, 5, inclusive=True)
    np.testing.assert_allclose(to_fake, [0, 0, 0, 0, corner[1][0]], atol=1e-15)
    np.testing.assert_allclose(to_real, [corner[0][0], 0, 0, 0, 0], atol=1e-15)
    near = renyi_frontier(FULL, 1e-9, inclusive=True)
    np.testing.assert_allclose(near, renyi_frontier(FULL, 0, inclusive=True), atol=1e-8)


@pytest.mark.parametrize("order", [1e-6, 0.1, 0.3, 0.5, 0.8, 1 - 1e-6])
def test_with_one_support_the_kinds_are_mirrors(order):
    """D̂_a(P‖R) = D̂_{1−a}(R‖P), also between 0 and 1, where they differ on the common support."""
    one = tsallis_frontier(FULL, order, inclusive=True)
    other = tsallis_frontier(FULL, 1 - order)
    np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-10)
    kept, whole = tsallis_frontier(PART, 1 - order), tsallis_frontier(PART, order, inclusive=True)
    assert kept.to_fake[0] > 0 == whole.to_fake[0]


@pytest.mark.parametrize("order", [-1.5, 0.0, 0.4, 1.0, 3.0])
def test_the_tsallis_frontier_is_convex(order):
    x, y = tsallis_frontier(FULL, order, 41, inclusive=True)
    slopes = np.diff(y) / np.diff(x)
    assert (np.diff(slopes[2:-2]) >= -1e-6 * np.abs(slopes[3:-2])).all()


# ---- what determines a frontier ----------------------------------------------------------------


@pytest.mark.parametrize("order", [-2.0, 0.5, 1.0, 3.0, np.inf])
def test_2023_remark_22_cells_of_equal_ratio_do_not_matter(order):
    """The PR curve determines the frontier: split cells have the points of whole ones."""
    share = np.array([0.25, 0.75])
    split = PRCurve.from_masses(np.outer(P, share).ravel(), np.outer(Q, share).ravel())
    for inclusive in (True, False):
        one, other = (
            renyi_frontier(curve, order, 21, inclusive=inclusive) for curve in (PART, split)
        )
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("exponent", [-1.5, -0.4, 0.3, 2.5])
@pytest.mark.parametrize("theta", [0.2, 0.7])
def test_2023_corollary_19_gives_the_frontier_from_the_f1_scores(exponent, theta):
    """Both integrals of Eq. 19 are Σ p f(q/p) = f(1) + ∫ ΔB_π(Q, P) f''((1 − π)/π) / π³ dπ, from
    the statistical information alone: with b = 1 − a of exclusive frontiers, b = a of inclusive
    ones, f = g^{1/b} and f = g^{(1−b)/b}, g = θ + (1−θ) u^b."""
    b, p, q = exponent, P[COMMON] / P[COMMON].sum(), Q[COMMON] / Q[COMMON].sum()
    swapped = FULL.swap()
    parts = [0.0, *sorted({*(y / (x + y) for x, y in zip(q, p, strict=True)), 0.5}), 1.0]

    def integral(e):
        def second(u):
            g = theta + (1 - theta) * u**b
            slope = (1 - theta) * b * u ** (b - 1)
            bend = e * g ** (e - 1) * (1 - theta) * b * (b - 1) * u ** (b - 2)
            return e * (e - 1) * g ** (e - 2) * slope**2 + bend

        def density(pi):
            return degroot_information(swapped, pi) * second((1 - pi) / pi) / pi**3

        # Beyond the extreme ratios f'' meets ΔB_π = 0.
        return 1 + sum(quad(density, *ends)[0] for ends in pairwise(parts[1:-1]))

    total = integral(1 / b)
    a = 1 - b  # D̂_a(μ‖P), a of the exclusive frontier: Eq. 19
    expected = (integral(a / b) / total**a - 1) / (a * (a - 1))
    mu = mean(p, q, b, theta)
    assert expected == pytest.approx(tsallis(mu, p, a), rel=1e-7)
    assert_on(tsallis_frontier(FULL, a, 20_001), tsallis(mu, q, a), expected, 1e-6)
    found = tsallis_frontier(FULL, 1 - a, 20_001, inclusive=True)
    assert_on(found, tsallis(mu, q, a), expected, 1e-6)


@given(PAIRS, POSITIVE, st.data())
@settings(max_examples=60)
def test_merging_cells_never_moves_the_frontier_away(masses, order, data):
    p, q = masses
    label = data.draw(st.lists(st.integers(0, 2), min_size=p.size, max_size=p.size))
    fine = renyi_frontier(PRCurve.from_masses(p, q), order, 33, inclusive=True)
    merged = PRCurve.from_masses(np.bincount(label, p), np.bincount(label, q))
    coarse = renyi_frontier(merged, order, 2001, inclusive=True)
    for x, y in zip(*fine, strict=True):
        # A polyline is off by less than its own steps allow; a vertex beyond which it is straight.
        reached = (coarse.to_fake <= x + 0.02 * (1 + x)) & (coarse.to_real <= y + 0.02 * (1 + y))
        assert reached.any()


@pytest.mark.parametrize("pi", [0.2, 0.4, 0.5, 0.6])
def test_2023_remark_23_the_compromise_tends_to_the_smaller_mass(pi):
    """(θ_a, 1−θ_a) ∝ (π^{1−a}, (1−π)^{1−a}): μ -> min(πp, (1−π)q), so (−log α_λ, −log β_λ) at
    λ = π / (1 − π), which the frontier of a large order passes."""
    p, q = P[COMMON], Q[COMMON]
    smaller = np.minimum(pi * p, (1 - pi) * q)
    for order, apart in ((20.0, 0.1), (200.0, 1e-2)):
        sides = (1 - order) * np.log([pi * p, (1 - pi) * q])
        mu = np.exp(np.logaddexp(*sides) / (1 - order))
        np.testing.assert_allclose(mu / mu.sum(), smaller / smaller.sum(), rtol=apart)
    alpha, beta = PART.at(pi / (1 - pi))
    found = renyi_frontier(PART, 1e7, 20_001)
    assert_on(found, -math.log(alpha), -math.log(beta), 1e-4)


# ---- as MAUVE ----------------------------------------------------------------------------------


def test_mauve_is_the_frontier_of_order_1_on_its_scale():
    for order in (1.0, 0.5, 2.0, np.inf):
        found = mauve_frontier(PART, 3.0, order=order)
        plain = renyi_frontier(PART, order, inclusive=True)
        np.testing.assert_array_equal(found.fake[1:-1], np.exp(-3 * plain.to_fake))
        np.testing.assert_array_equal(found.real[1:-1], np.exp(-3 * plain.to_real))
        assert (found.fake[0], found.real[0], found.fake[-1], found.real[-1]) == (1, 0, 0, 1)
    np.testing.assert_array_equal(mauve_frontier(PART), mauve_frontier(PART, order=1))


@pytest.mark.parametrize("order", [0.5, 3.0])
def test_weights_of_another_order_are_theta(order):
    theta = np.array([0.0, 0.1, 0.6, 1.0])
    found = mauve_frontier(PART, 2.0, theta, order=order)
    for i, t in enumerate(theta):
        r = mean(P, Q, order, t)
        for side, x in ((found.fake, Q), (found.real, P)):
            assert side[i + 1] == pytest.approx(math.exp(-2 * renyi(x, r, order)), rel=1e-9)
    assert mauve_frontier(SAME, order=order).area == pytest.approx(1, abs=1e-12)


def test_areas_fall_with_the_order():
    """D_a rises with a, for any R."""
    areas = [mauve_frontier(PART, order=order).area for order in (0.3, 1.0, 2.0, 20.0, np.inf)]
    assert (np.diff(areas) < 0).all()
