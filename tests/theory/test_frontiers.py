"""Frontiers: the closed path against definitions, its ends, mirrors, extreme orders, MAUVE."""

import math

import hostile
import numpy as np
import oracles
import pytest
from frontier_oracles import COMMON, DISJOINT, FULL, PART, SAME, P, Q, tsallis
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusals
from scipy.optimize import bisect

from prfast import PRCurve
from prfast.theory import mauve_frontier, renyi_frontier, tsallis_frontier

ORDERS = st.sampled_from([1e-300, 0.3, 1.0, 1.5, 200.0, 1e308, np.inf])
MODERATE = (0.2, 0.5, 0.8, 1.0, 1.3, 2.0, 2.5, 7.0)


PAIRS = hostile.mass_pairs(max_size=6)


def common_pair(masses):
    """Masses of both on their common support, as parts of distributions."""
    p, q = map(oracles.normalized, masses)
    common = (p > 0) & (q > 0)
    return p[common], q[common]


@pytest.mark.parametrize("order", [0.3, 0.999, 1.0, 1.001, 2.0, 30.0])
def test_proposition_21_of_2023_points_are_those_of_the_formula(order):
    """The formula agrees on the divergence from P at the log-odds u where it does on that from
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


@given(PAIRS, ORDERS)
@settings(max_examples=40)
def test_the_ends_are_q_and_p_on_the_common_support(masses, order):
    curve = PRCurve.from_masses(*masses)
    actual = renyi_frontier(curve, order, points=9)
    if curve.max_precision == 0 or curve.max_recall == 0:
        np.testing.assert_array_equal(actual, [[np.inf], [np.inf]])
        return
    p, q = common_pair(masses)
    assert actual.to_fake[0] == pytest.approx(-math.log(q.sum()), rel=1e-12, abs=1e-15)
    assert actual.to_real[-1] == pytest.approx(-math.log(p.sum()), rel=1e-12, abs=1e-15)
    for end, mu, other in ((actual.to_real[0], q, p), (actual.to_fake[-1], p, q)):
        expected = oracles.renyi(oracles.normalized(mu).tolist(), other.tolist(), order)
        assert end == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("order", [0.3, 1.0, 2.0, 6.0, 200.0, np.inf])
def test_no_other_distribution_is_better_in_both(order):
    """Tests 10³ random μ on the common support, most of them close to the path."""
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


@given(PAIRS)
def test_theorem_11_of_2023_order_infinity_is_the_pr_curve(masses):
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


@pytest.mark.parametrize(
    ("order", "apart"), [(200, 2e-2), (1e4, 4e-4), (1e8, 4e-8), (1e300, 1e-12)]
)
def test_large_orders_approach_the_pr_curve(order, apart):
    """D_a rises with a, to D_∞ but for log(μ) / (a − 1) of one cell."""
    actual, limit = (renyi_frontier(PART, a, points=20_001) for a in (order, np.inf))
    assert (np.interp(limit.to_fake, *actual) <= limit.to_real + 1e-6).all()
    assert (np.interp(actual.to_fake + apart, *limit) <= actual.to_real + apart + 1e-6).all()


@pytest.mark.parametrize("order", [*MODERATE, 20.0])
def test_tsallis_is_by_its_definition_a_transform_of_renyi(order):
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
    for one, other in zip(actual, renyi, strict=True):  # (e^{(a−1)D} − 1) / (a (a−1)), D at a = 1
        transform = np.expm1((order - 1) * other) / (order * (order - 1)) if order != 1 else other
        np.testing.assert_allclose(one, transform, rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize(("order", "inclusive"), [(0.4, 0), (1, 0), (3, 0), (-1.5, 1), (0.4, 1)])
def test_the_tsallis_frontier_is_convex(order, inclusive):
    x, y = tsallis_frontier(FULL if inclusive else PART, order, 41, inclusive=bool(inclusive))
    slopes = np.diff(y) / np.diff(x)
    assert (np.diff(slopes[2:-2]) >= -1e-6 * np.abs(slopes[3:-2])).all()


@pytest.mark.parametrize("order", [1e-300, 0.5, 1.0, 2.0, 1e4, np.inf])
def test_equal_and_disjoint_distributions(order):
    for frontier in (renyi_frontier, tsallis_frontier):
        assert np.abs(frontier(SAME, order)).max() < 1e-12
        np.testing.assert_array_equal(frontier(DISJOINT, order), [[np.inf], [np.inf]])


WEIGHTS = np.linspace(1e-6, 1 - 1e-6, 25)  # mauve-text's


@given(hostile.mass_pairs(max_size=6, whole=True), st.sampled_from([1.0, 5.0]))
@settings(max_examples=40)
def test_mauve_is_its_formula_at_the_weights(masses, scale):
    p, q = map(oracles.normalized, masses)
    actual = mauve_frontier(PRCurve.from_masses(p, q), scale, [1.0, *WEIGHTS, 0.0])
    expected = oracles.mauve_curve(p.tolist(), q.tolist(), [0.0, *WEIGHTS, 1.0], scale)
    np.testing.assert_allclose(np.transpose(actual), expected, rtol=1e-9, atol=1e-12)


def test_mauve_of_known_histograms():
    """Curve and score of mauve-text 0.4.0 for the two histograms."""
    actual = mauve_frontier(PART, weights=WEIGHTS)
    assert actual.area == pytest.approx(0.5384866786394542, abs=1e-14)
    assert mauve_frontier(PART).area == pytest.approx(actual.area, abs=1e-3)


@pytest.mark.parametrize("order", [-7.0, -1.0, -0.5, -1e-9, 0.0])
@pytest.mark.parametrize("inclusive", [True, False])
def test_tsallis_of_negative_order_by_its_definition(order, inclusive):
    """Ends: divergences of order a <= 0 of the distributions themselves."""
    p, q = P[COMMON] / P[COMMON].sum(), Q[COMMON] / Q[COMMON].sum()
    actual = tsallis_frontier(FULL, order, inclusive=inclusive)
    first, last = (tsallis(p, q, order), tsallis(q, p, order))
    if not inclusive:
        first, last = tsallis(q, p, order), tsallis(p, q, order)
    rel = 1e-6 if order == -1e-9 else 1e-9  # of the definition, which loses digits
    assert actual.to_real[0] == pytest.approx(first, rel=rel)
    assert actual.to_fake[-1] == pytest.approx(last, rel=rel)
    assert actual.to_fake[0] == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("order", [1e-6, 0.1, 0.3, 0.5, 0.8, 1 - 1e-6])
def test_with_one_support_the_kinds_are_mirrors(order):
    """D̂_a(P‖R) = D̂_{1−a}(R‖P), also between 0 and 1, where they differ on the common support."""
    one = tsallis_frontier(FULL, order, inclusive=True)
    other = tsallis_frontier(FULL, 1 - order)
    np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-10)
    assert tsallis_frontier(PART, 1 - order).to_fake[0] > 0
    assert tsallis_frontier(PART, order, inclusive=True).to_fake[0] == 0


test_wrong_arguments_are_refused = refusals("""
renyi_frontier(SAME, np.nan)
    ValueError: order: a number in [-∞, ∞] expected, got nan
mauve_frontier(SAME, order=0)
    ValueError: order: a number in (0, ∞] expected, got 0
mauve_frontier(SAME, weights=[0.5], order=np.inf)
    ValueError: weights: a finite order expected with them, got order ∞
""")
