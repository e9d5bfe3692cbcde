"""Inclusive frontiers and interpolated divergences, against formulas, solvers and quadrature."""

import math

import hostile
import numpy as np
import oracles
import pytest
from frontier_oracles import (
    COMMON,
    FULL,
    PART,
    P,
    Q,
    assert_on,
    mean,
    renyi,
    tsallis,
)
from hypothesis import given, settings
from scipy.optimize import minimize

from prfast import PRCurve
from prfast.theory import (
    phi_divergence,
    renyi_frontier,
    tsallis_frontier,
)

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

    actual = tsallis_frontier(FULL, order, 4001, inclusive=inclusive)
    for theta in (0.1, 0.5, 0.8):
        best = minimize(cost, np.log(p + q), (theta,), method="BFGS", options={"gtol": 1e-9})
        mine = theta * actual.to_real + (1 - theta) * actual.to_fake
        assert mine.min() == pytest.approx(best.fun, rel=1e-6)
        to_fake, to_real = both(np.exp(best.x - np.logaddexp.reduce(best.x)))
        assert_on(actual, to_fake, to_real, 1e-5)


@pytest.mark.parametrize("order", [-2.0, 0.5, 1.0, 3.0, np.inf])
def test_2023_remark_22_cells_of_equal_ratio_do_not_matter(order):
    """The PR curve determines the frontier: splitting cells changes no point."""
    share = np.array([0.25, 0.75])
    split = PRCurve.from_masses(np.outer(P, share).ravel(), np.outer(Q, share).ravel())
    for inclusive in (True, False):
        one, other = (
            renyi_frontier(curve, order, 21, inclusive=inclusive) for curve in (PART, split)
        )
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-15)


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
    actual = renyi_frontier(PART, 1e7, 20_001)
    assert_on(actual, -math.log(alpha), -math.log(beta), 1e-4)


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
