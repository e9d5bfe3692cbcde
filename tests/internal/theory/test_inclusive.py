"""Inclusive frontiers and interpolated divergences, against formulas, solvers and quadrature."""

import math

import hostile
import oracles
import pytest
from frontier_oracles import PART, P, Q, assert_on, mean, renyi, tsallis
from hypothesis import given, settings

from prfast import PRCurve
from prfast.theory import phi_divergence, renyi_frontier, tsallis_frontier

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
