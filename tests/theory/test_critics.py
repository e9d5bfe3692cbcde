"""The bound of a divergence by a critic: below it, equal at φ' (Eq. 23)."""

import math

import numpy as np
import oracles
import pytest
from domains import SEEDS, TABLED
from hypothesis import given, settings
from hypothesis import strategies as st

from prfast.theory import phi_function

CLOSED = [name for name in TABLED if name != "frontier_integral"]
SMOOTH = [name for name in CLOSED if name != "tv"]


def full_pair(seed, cells=6):
    """Return a generator and two sets of masses of full support drawn from it."""
    rng = np.random.default_rng(seed)
    return rng, rng.dirichlet(np.full(cells, 0.7)) + 1e-4, rng.dirichlet(np.ones(cells)) + 1e-4


def bound_of(f, p, q, phi, lam=1.0, shift=0.0):
    """∫(f + ρ) dP − λ ∫φ*(f + ρ) dQ"""
    return p @ f + shift - lam * (q @ phi_function(phi).conjugate(f + shift))


@given(SEEDS, st.sampled_from(CLOSED), st.floats(0.2, 5))
@settings(max_examples=40)
def test_no_critic_exceeds_the_divergence(seed, name, lam):
    rng, p, q = full_pair(seed)
    p, q = p / p.sum(), q / q.sum()
    divergence = oracles.divergence(p, lam * q, name)
    for scale in (0.1, 1, 10):
        f = rng.normal(size=p.size) * scale
        for shift in (0.0, -1.0, 2.0):
            bound = bound_of(f, p, q, name, lam, shift)
            assert bound <= divergence + 1e-9 * (1 + divergence)


@given(SEEDS, st.sampled_from(SMOOTH), st.floats(0.2, 5))
@settings(max_examples=40)
def test_the_slope_of_phi_at_the_ratio_attains_it(seed, name, lam):
    """f = φ'(dP / λdQ)."""
    _, p, q = full_pair(seed)
    p, q = p / p.sum(), q / q.sum()
    f = phi_function(name).derivative(p / (lam * q))
    divergence = oracles.divergence(p, lam * q, name)
    slack = {"rel": 1e-9, "abs": 1e-11 * (1 + np.abs(f).max())}
    assert bound_of(f, p, q, name, lam) == pytest.approx(divergence, **slack)


@given(SEEDS, st.floats(0.1, 8), st.floats(0.3, 3))
def test_of_kl_it_is_that_of_donsker_and_varadhan(seed, scale, lam):
    rng, p, q = full_pair(seed)
    p, q = p / p.sum(), q / q.sum()
    f = rng.normal(size=p.size) * scale
    best = -math.log(lam * (q @ np.exp(f)))
    assert bound_of(f, p, q, "kl", lam, best) == pytest.approx(p @ f + best + lam - 1, abs=1e-9)
    for step in (1e-3, 0.1, 1, 10):
        for shift in (best - step, best + step):
            assert bound_of(f, p, q, "kl", lam, shift) <= bound_of(f, p, q, "kl", lam, best)


def test_with_another_lambda_the_shift_counts_once():
    """§5.3.1 as printed, ∫f dP − λ ∫(φ*(f + ρ) − ρ) dQ, has no supremum unless λ = 1."""
    p, q = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.3, 0.5])
    star = phi_function("kl").conjugate

    def printed(f, rho, lam):
        return p @ f - lam * (q @ (star(f + rho) - rho))

    for lam in (0.5, 1.0, 2.0):
        divergence = oracles.divergence(p, lam * q, "kl")
        by_shift = [printed(np.zeros(3) - rho, rho, lam) for rho in (-100.0, 0.0, 100.0)]
        assert (max(by_shift) > divergence) == (lam != 1)
        for rho in (-100.0, 0.0, 100.0):
            assert bound_of(np.zeros(3) - rho, p, q, "kl", lam, rho) <= divergence
