"""The frontier integral and interpolated φ-divergences, against quadrature and the PR curve."""

import math
import re
from itertools import pairwise

import hostile
import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from oracles import integral
from scipy.integrate import quad

from prfast import PRCurve
from prfast.theory import (
    degroot_information,
    interpolated_frontier,
    phi_divergence,
    phi_function,
)
from prfast.theory.phi import KNOWN

P = np.array([0.1, 0.0, 0.3, 0.2, 0.15, 0.25])
Q = np.array([0.0, 0.05, 0.05, 0.4, 0.3, 0.2])
PART = PRCurve.from_masses(P, Q)
SAME = PRCurve.from_masses([1, 2, 3], [1, 2, 3])
DISJOINT = PRCurve.from_masses([1, 0], [0, 1])
INTEGRAL = phi_function("frontier_integral")


# ---- the frontier integral ---------------------------------------------------------------------


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
    found = phi_divergence(PRCurve.from_masses(p, q), "frontier_integral")
    expected = integral(lambda lam: 2 * cost(lam, p, q), [0, 1], epsabs=1e-13)
    assert found == pytest.approx(expected, abs=1e-10)
    assert 0 <= found <= 1 + 1e-15


def test_its_conjugate_is_the_supremum_and_its_slope_the_inverse():
    u = np.array([1e-300, 1e-9, 0.2, 0.99, 1.0, 1 + 1e-9, 4.0, 300.0, 1e6])
    v = INTEGRAL.derivative(u)
    np.testing.assert_allclose(INTEGRAL.conjugate(v), u * v - INTEGRAL(u), rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(INTEGRAL.conjugate_derivative(v), u, rtol=1e-8)
    grid = np.geomspace(1e-6, 1e6, 200_001)
    for w in (-3.0, -0.1, 1e-7, 0.3, 0.49):
        assert INTEGRAL.conjugate(w) == pytest.approx((w * grid - INTEGRAL(grid)).max(), abs=1e-8)
    found = INTEGRAL.conjugate([-1e300, 0.0, 0.5, 0.6])
    assert found.tolist() == [-0.5, 0.0, math.inf, math.inf]
    assert INTEGRAL.domain == (-math.inf, 0.5)


# ---- interpolated divergences ------------------------------------------------------------------


@pytest.mark.parametrize("phi", ["kl", "js", "chi2"])
def test_2023_remark_22_they_are_divergences_of_the_two_themselves(phi):
    """φ_λ(u) = (λu + 1 − λ) φ(u / (λu + 1 − λ)), given as a function."""
    named = phi_function(phi)
    found = interpolated_frontier(PART, phi, [0.2, 0.6])
    for i, lam in enumerate((0.2, 0.6)):

        def between(u, lam=lam):
            mixed = lam * u + 1 - lam
            return mixed * named(u / mixed)

        to_real = phi_divergence(
            PART, between, at_zero=(1 - lam) * named.at_zero, dual_at_zero=lam * named(1 / lam)
        )
        assert found.to_real[i] == pytest.approx(to_real, rel=1e-9)


@pytest.mark.parametrize("lam", [0.1, 0.5, 0.8])
def test_corollary_19_gives_every_pair(lam):
    """½ ∫ ΔF¹_π dΓ: φ_λ''(u) = φ''(u/m) (1 − λ)² / m³, m = λu + 1 − λ, and φ''(x) = 1/x of kl."""

    def density(pi):
        u = (1 - pi) / pi
        m = lam * u + 1 - lam
        return degroot_information(PART, pi) * (1 - lam) ** 2 / (u * m**2) / pi**3

    breaks = [q / (p + q) for p, q in zip(P, Q, strict=True) if p > 0 < q]
    parts = [0.0, *sorted({*breaks, 0.5}), 1.0]
    total = sum(quad(density, a, b)[0] for a, b in pairwise(parts))
    found = interpolated_frontier(PART, "kl", [lam])
    assert found.to_real[0] == pytest.approx(total, rel=1e-8)


def test_equal_and_disjoint_distributions():
    lam = np.array([0.0, 0.25, 0.5, 1.0])
    for phi in KNOWN:
        assert np.abs(interpolated_frontier(SAME, phi, lam)).max() < 1e-15
    with np.errstate(divide="ignore"):
        expected = -np.log(1 - lam), -np.log(lam)
    np.testing.assert_allclose(interpolated_frontier(DISJOINT, "kl", lam), expected, rtol=1e-14)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: interpolated_frontier(SAME, "mmd"),
            ValueError,
            "phi: one of kl, reverse_kl, js, chi2, hellinger, tv, frontier_integral or tsallis:a, "
            "a an order such as 0.5, expected, got 'mmd'",
        ),
    ],
)
def test_wrong_arguments_are_named(call, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        call()
