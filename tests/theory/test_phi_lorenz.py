"""The φ-Lorenz diagram contains its points and no others; what φ* adds to a loss."""

import math

import numpy as np
import pytest
from domains import ALL, SEEDS, largest_loss, random_pair
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from prfast import PRCurve
from prfast.theory import phi_bound, phi_function, phi_lorenz

TWO = PRCurve.from_masses([0.6, 0.4], [0.25, 0.75])


@given(SEEDS, st.sampled_from(ALL))
@settings(max_examples=40)
def test_every_function_is_a_point_inside_with_all_that_is_below_and_right_of_it(seed, name):
    rng, p, q, curve = random_pair(seed)
    phi = phi_function(name)
    f = np.clip(rng.normal(size=p.size) * 2, phi.low, 0.99 * min(phi.dual_at_zero, 1e3))
    t, y = float(p @ phi.conjugate(f)), float(q @ f)
    # The border is steep at its left end, so t may be off by rounding as well.
    slack = 1e-12 * (1 + abs(t) + abs(y))
    assert y <= phi_lorenz(curve, t + slack, name) + slack
    assert phi_lorenz(curve, t, name) <= phi_lorenz(curve, t + 1, name) + slack


@pytest.mark.parametrize("name", ["kl", "reverse_kl", "js", "chi2", "hellinger", "tsallis:2.5"])
@pytest.mark.parametrize("t", [-0.2, 0.0, 0.1, 1.0])
def test_scipy_finds_no_function_above_the_border(name, t):
    """max ∫f dQ with ∫φ*(f) dP <= t, over two cells, by a convex solver."""
    p, q = TWO.masses
    phi = phi_function(name)
    end = phi.dual_at_zero - 1e-9 if math.isfinite(phi.dual_at_zero) else 50.0
    actual = minimize(
        lambda f: -(q @ f),
        x0=np.full(2, -0.5),
        jac=lambda f: -q,
        bounds=[(max(phi.low, -60), end)] * 2,
        constraints={
            "type": "ineq",
            "fun": lambda f: t - p @ phi.conjugate(np.clip(f, -60, end)),
            "jac": lambda f: -p * phi.conjugate_derivative(np.clip(f, -60, end)),
        },
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert actual.success
    assert phi_lorenz(TWO, t, name) == pytest.approx(-actual.fun, abs=1e-6)


@pytest.mark.parametrize("name", ["kl", "reverse_kl", "js", "chi2", "hellinger", "tv"])
@pytest.mark.parametrize("seed", range(5))
def test_2023_29_what_phi_star_adds_to_a_loss(name, seed):
    """½κσ² <= R^{φ*∘ℓ} − R^ℓ <= ½κ̄σ², κ and κ̄ the bounds of φ*″ on [0, c], σ² = ∫ℓ² dP."""
    rng = np.random.default_rng(seed)
    phi, top = phi_function(name), 0.7 * largest_loss(name)
    losses, p = top * rng.random(50) ** 3, rng.dirichlet(np.ones(50))
    v = np.linspace(0, top, 2001)
    curvature = np.diff(phi.conjugate_derivative(v)) / np.diff(v)
    risk = phi_bound(TWO, losses, name, weights=p, loss_max=top).risk
    added, second = risk - p @ losses, p @ losses**2
    assert 0.5 * curvature.min() * second - 1e-9 <= added <= 0.5 * curvature.max() * second + 1e-9
    assert phi.conjugate_derivative(0.0) == 1
    if name == "tv":
        assert added == pytest.approx(0, abs=1e-15)
    else:
        assert added > 0
        # Losses of a tenth add a hundredth.
        small = phi_bound(TWO, losses / 10, name, weights=p, loss_max=top).risk - p @ losses / 10
        assert small == pytest.approx(added / 100, rel=0.75)
