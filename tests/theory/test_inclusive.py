"""Inclusive frontiers, against formulas, SciPy's convex solver and the PR curve."""

import math
from itertools import pairwise

import numpy as np
import oracles
import pytest
from frontier_twins import (
    COMMON,
    FAR,
    FULL,
    PART,
    P,
    Q,
    assert_on,
    mean,
    renyi,
    tsallis,
)
from scipy.integrate import quad
from scipy.optimize import minimize

from prfast import PRCurve
from prfast.theory import degroot_information, renyi_frontier, tsallis_frontier

FINITE = (0.2, 0.5, 0.999, 1.0, 1.001, 1.3, 2.0, 7.0)

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


# ---- ends, limits, extremes --------------------------------------------------------------------


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


# ---- of tiny orders ----------------------------------------------------------------------------
