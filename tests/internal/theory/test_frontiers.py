"""Frontiers: the closed path against definitions, its ends, mirrors, extreme orders, MAUVE;
inclusive ones and interpolated divergences."""

import math

import hostile
import numpy as np
import oracles
import pytest
from frontier_oracles import COMMON, FULL, PART, SAME, P, Q, assert_on, mean, renyi, tsallis  # noqa: F401
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusals

from prfast import PRCurve
from prfast.theory import mauve_frontier, phi_divergence, renyi_frontier, tsallis_frontier

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
    p, q = P[COMMON] / P[COMMON].sum(), Q[COMMON] / Q[COMMON].sum()
    actual = tsallis_frontier(FULL, order, inclusive=inclusive)
    first, last = (tsallis(p, q, order), tsallis(q, p, order))
    if not inclusive:
        first, last = tsallis(q, p, order), tsallis(p, q, order)
    rel = 1e-6 if order == -1e-9 else 1e-9  # of the definition, which loses digits
    assert actual.to_real[0] == pytest.approx(first, rel=rel)
    assert actual.to_fake[-1] == pytest.approx(last, rel=rel)
    assert actual.to_fake[0] == pytest.approx(0, abs=1e-15)


test_wrong_arguments_are_refused = refusals("""
renyi_frontier(SAME, np.nan)
    ValueError: order: a number in [-∞, ∞] expected, got nan
mauve_frontier(SAME, order=0)
    ValueError: order: a number in (0, ∞] expected, got 0
mauve_frontier(SAME, weights=[0.5], order=np.inf)
    ValueError: weights: a finite order expected with them, got order ∞
""")


def cost(lam, p, q):
    """λ KL(P‖R_λ) + (1 − λ) KL(Q‖R_λ) of two lists of masses."""
    total = []
    for x, y in zip(p, q, strict=True):
        r = lam * x + (1 - lam) * y
        total += [lam * x * math.log(x / r)] if x > 0 else []
        total += [(1 - lam) * y * math.log(y / r)] if y > 0 else []
    return math.fsum(total)


@given(hostile.mass_pairs(max_size=5, whole=True))
@settings(max_examples=30)
def test_the_frontier_integral_is_its_integral(masses):
    p, q = map(oracles.normalized, masses)
    actual = phi_divergence(PRCurve.from_masses(p, q), "frontier_integral")
    expected = oracles.integral(lambda lam: 2 * cost(lam, p, q), [0, 1], epsabs=1e-13)
    assert actual == pytest.approx(expected, abs=1e-10)
    assert 0 <= actual <= 1 + 1e-15


FINITE = (0.2, 0.5, 0.999, 1.0, 1.001, 1.3, 2.0, 7.0)


@pytest.mark.parametrize("order", FINITE)
def test_it_is_the_path_of_power_means(order):
    """Points by the formula lie on the polylines, also where one side alone has mass."""
    by_renyi, by_tsallis = (
        frontier(PART, order, 20_001, inclusive=True)
        for frontier in (renyi_frontier, tsallis_frontier)
    )
    for theta in (0.01, 0.2, 0.5, 0.8, 0.99):
        r = mean(P, Q, order, theta)
        assert_on(by_tsallis, tsallis(Q, r, order), tsallis(P, r, order), 1e-6)
        if order != 1:
            assert_on(by_renyi, renyi(Q, r, order), renyi(P, r, order), 1e-6)
