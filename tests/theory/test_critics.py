"""The bound of a divergence by a critic: below it, equal at φ', and at its best shift (Eq. 23)."""

import math

import numpy as np
import oracles
import pytest
from domains import SEEDS, TABLED
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from prfast.theory import critic_bound, phi_function

CLOSED = [name for name in TABLED if name != "frontier_integral"]
SMOOTH = [name for name in CLOSED if name != "tv"]


def full_pair(seed, cells=6):
    """Return a generator and two sets of masses of full support drawn from it."""
    rng = np.random.default_rng(seed)
    return rng, rng.dirichlet(np.full(cells, 0.7)) + 1e-4, rng.dirichlet(np.ones(cells)) + 1e-4


def bound_of(f, p, q, phi, **options):
    return critic_bound(f, f, phi, real_weights=p, fake_weights=q, **options)


@given(SEEDS, st.sampled_from(CLOSED), st.floats(0.2, 5))
@settings(max_examples=40)
def test_no_critic_exceeds_the_divergence(seed, name, lam):
    rng, p, q = full_pair(seed)
    p, q = p / p.sum(), q / q.sum()
    divergence = oracles.divergence(p, lam * q, name)
    for scale in (0.1, 1, 10):
        f = rng.normal(size=p.size) * scale
        for shift in (0.0, -1.0, "best"):
            bound = bound_of(f, p, q, name, lam=lam, shift=shift)
            assert bound.value <= divergence + 1e-9 * (1 + divergence)
            if math.isfinite(bound.fake):
                assert bound.value == pytest.approx(bound.real - bound.fake)


@given(SEEDS, st.sampled_from(SMOOTH), st.floats(0.2, 5))
@settings(max_examples=40)
def test_the_slope_of_phi_at_the_ratio_attains_it(seed, name, lam):
    """f = φ'(dP / λdQ), and with the best shift f + any constant as well."""
    _, p, q = full_pair(seed)
    p, q = p / p.sum(), q / q.sum()
    f = phi_function(name).derivative(p / (lam * q))
    divergence = oracles.divergence(p, lam * q, name)
    slack = {"rel": 1e-9, "abs": 1e-11 * (1 + np.abs(f).max())}
    assert bound_of(f, p, q, name, lam=lam).value == pytest.approx(divergence, **slack)
    for moved in (3.0, -7.5):
        best = bound_of(f + moved, p, q, name, lam=lam, shift="best")
        assert best.value == pytest.approx(divergence, **slack)
        assert best.shift == pytest.approx(-moved, rel=1e-5, abs=1e-5)


@given(SEEDS, st.floats(0.1, 8), st.floats(0.3, 3))
def test_of_kl_it_is_that_of_donsker_and_varadhan(seed, scale, lam):
    rng, p, q = full_pair(seed)
    f = rng.normal(size=p.size) * scale
    actual = bound_of(f, p, q, "kl", shift="best", lam=lam)
    p, q = p / p.sum(), q / q.sum()
    log = math.log(lam * (q @ np.exp(f)))
    assert actual.shift == pytest.approx(-log, abs=1e-12 * (1 + scale))
    assert actual.value == pytest.approx(p @ f - log + lam - 1, abs=1e-12 * (1 + 10 * scale))


@given(
    SEEDS, st.sampled_from(CLOSED), st.sampled_from([0.3, 1.0, 2.0]), st.sampled_from([0.2, 2, 20])
)
@settings(max_examples=40, deadline=None)
def test_no_other_shift_is_better(seed, name, lam, scale):
    rng, p, q = full_pair(seed)
    f = rng.normal(size=p.size) * scale
    best = bound_of(f, p, q, name, lam=lam, shift="best")
    assert math.isfinite(best.value)
    for step in (1e-3, 0.1, 1, 10):
        for shift in (best.shift - step, best.shift + step, step, -step, 0.0):
            other = bound_of(f, p, q, name, lam=lam, shift=shift)
            assert other.value <= best.value + 1e-12 * (1 + abs(best.shift) + scale)
    # SciPy's, on what is left of the end of the domain
    end = phi_function(name).dual_at_zero - f.max()
    span = (-60 * scale - 60, min(end, 60 * scale + 60))
    actual = minimize_scalar(
        lambda rho: -bound_of(f, p, q, name, lam=lam, shift=rho).value,
        bounds=span,
        method="bounded",
        options={"xatol": 1e-10},
    )
    assert -actual.fun <= best.value + 1e-9 * (1 + scale)
    if scale < 20 and name != "tsallis:-1.5":
        assert -actual.fun == pytest.approx(best.value, abs=1e-6 * (1 + scale))


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
            assert bound_of(np.zeros(3) - rho, p, q, "kl", lam=lam, shift=rho).value <= divergence


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"real_values": [0, -1e301]},
            r"real_values: numbers in \[−1e300, 1e300\] expected, got -1",
        ),
        ({"shift": "all"}, "shift: a finite number or \"best\" expected, got 'all'"),
        ({"shift": math.inf}, r"shift: a number in \[-1e\+300, 1e\+300\] expected, got"),
        ({"real_weights": [1]}, "real_weights: "),
    ],
)
def test_wrong_arguments_are_refused(change, message):
    arguments = {"real_values": [0.1, 0.2], "fake_values": [0.3, 0.4], "phi": "kl"} | change
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        critic_bound(**arguments)
