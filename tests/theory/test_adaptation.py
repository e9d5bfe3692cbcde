"""Bounds of a risk hold in simulation, are the smallest of their kind, and keep their digits."""

import math
from decimal import Decimal, localcontext

import hostile
import numpy as np
import oracles
import pytest
from curves import DISJOINT, EQUAL
from domains import ALL, SEEDS, TABLED, domains, drawn, top_of
from hypothesis import given, settings
from scipy.optimize import linprog

from prfast import PRCurve
from prfast.theory import (
    adaptation_bound,
    lorenz,
    lorenz_bound,
    phi_bound,
    phi_function,
    phi_lorenz,
)

# ---- Propositions 24 and 25 ------------------------------------------------------------------


@given(SEEDS)
@settings(max_examples=100)
def test_proposition_25_of_2023_no_set_of_errors_is_above_the_bound(seed):
    rng, p, q, curve = drawn(seed)
    for wrong in rng.random((20, p.size)) < rng.random((20, 1)):
        source, target = min(1.0, p[wrong].sum()), q[wrong].sum()
        bound = adaptation_bound(curve, source)
        assert target <= bound.value + 1e-12
        assert bound.value <= bound.loose + 1e-12


@given(hostile.mass_pairs(), hostile.RATES)
@settings(max_examples=300)
def test_propositions_24_and_25_of_2023_are_one_bound(masses, risk):
    curve = PRCurve.from_masses(*masses)
    bound = adaptation_bound(curve, risk)
    assert bound.value == pytest.approx(lorenz_bound(curve, risk), abs=1e-12)
    assert bound.value == pytest.approx(bound.common + bound.exclusive, abs=1e-12)
    assert risk <= bound.value <= 1
    assert bound.value <= risk + 1 - curve.at(1.0)[0] + 1e-12  # λ = 1
    assert bound.value <= bound.loose + 1e-12  # Eq. 20
    lam = np.append(curve.vertices.ratio[1:], [0.0, 1.0, bound.lam])
    lam = lam[np.isfinite(lam)]
    with np.errstate(over="ignore"):
        every = lam * risk + 1 - curve.at(lam)[0]
    assert bound.value <= every.min() + 1e-12
    assert bound.exclusive == pytest.approx(1 - curve.at(bound.lam)[0], abs=1e-12)


def test_a_tiny_risk_counts():
    """Mass 10⁻²⁰⁰ of the source holds all of the target."""
    curve = PRCurve.from_masses([1e-200, 1.0], [1.0, 0.0])
    assert lorenz_bound(curve, [0.0, 5e-201, 1e-103]).tolist() == pytest.approx([0, 0.5, 1])
    t = np.linspace(0, 1, 101)
    curve = PRCurve.from_masses([0.5, 0.3, 0.2, 0.0], [0.2, 0.3, 0.4, 0.1])
    np.testing.assert_allclose(lorenz_bound(curve, t), 1 - lorenz(curve)(1 - t), atol=1e-15)


@given(hostile.mass_pairs())
def test_proposition_24_of_2023_level_sets_attain_the_bound(masses):
    curve = PRCurve.from_masses(*masses)
    fpr, fnr, _ = curve.vertices
    for a, b in zip(fpr, fnr, strict=True):
        assert adaptation_bound(curve, min(1.0, a)).value >= 1 - b - 1e-12
    np.testing.assert_allclose(lorenz_bound(curve, [0.0]), 1 - curve.max_precision, atol=1e-12)


def test_the_terms_of_a_bound():
    curve = PRCurve.from_masses([0.5, 0.3, 0.2, 0.0], [0.2, 0.3, 0.4, 0.1])
    bound = adaptation_bound(curve, 0.1)
    assert bound[:4] == pytest.approx((0.3, 2.0, 0.2, 0.1))
    assert bound.loose == pytest.approx(0.7)
    assert bound.dominant == "common"
    assert str(bound) == ("R_Q <= 0.3 = 0.2 (common mass, λ* 2) + 0.1 (target only); R_P + TV 0.7")
    assert adaptation_bound(curve, 0.0)[:4] == pytest.approx((0.1, 2.0, 0.0, 0.1))
    assert adaptation_bound(curve, 0.0).dominant == "exclusive"
    assert adaptation_bound(curve, 1.0)[:4] == (1.0, 0.0, 0.0, 1.0)
    assert adaptation_bound(EQUAL, 0.25)[:4] == (0.25, 1.0, 0.25, 0.0)
    assert adaptation_bound(DISJOINT, 0.25)[:4] == (1.0, 0.0, 0.0, 1.0)
    assert lorenz_bound(curve, np.full((2, 3), 0.1)).shape == (2, 3)


# ---- Proposition 28, Definition 26 -----------------------------------------------------------


@given(SEEDS)
@settings(max_examples=40)
def test_proposition_28_of_2023_no_loss_is_above_the_bound_of_any_divergence(seed):
    rng, p, q, curve = drawn(seed)
    for name in ALL:
        losses = top_of(name) * np.where(rng.random(p.size) < 0.3, 1, rng.random(p.size) ** 2)
        bound = phi_bound(curve, losses, name, weights=p, loss_max=top_of(name))
        assert q @ losses <= bound.value + 1e-12, name
        assert bound.value == pytest.approx(bound.common + bound.divergence), name
        phi = phi_function(name)
        assert bound.risk == pytest.approx(p[p > 0] @ phi.conjugate(losses[p > 0])), name
        assert bound.value == pytest.approx(phi_lorenz(curve, bound.risk, name)), name


@given(SEEDS)
@settings(max_examples=40)
def test_equation_32_of_2023_the_bound_at_lambda_1_is_never_below_the_best(seed):
    """R_Q^ℓ <= R_P^{φ*∘ℓ} + D_φ(Q‖P); attained by f = φ′(q/p), for which the best λ is 1."""
    rng = np.random.default_rng(seed)
    p, q = domains(rng)
    curve, both = PRCurve.from_masses(p, q), (p > 0) & (q > 0)
    for name in TABLED:
        phi, top = phi_function(name), top_of(name)
        losses = top * np.where(rng.random(p.size) < 0.3, 1, rng.random(p.size) ** 2)
        risk = p[p > 0] @ phi.conjugate(losses[p > 0])
        at_1 = risk + oracles.divergence(q, p, name)
        slack = 1e-12 * (1 + at_1)
        assert q @ losses <= at_1 + slack, name
        assert phi_bound(curve, losses, name, weights=p, loss_max=top).value <= at_1 + slack, name
        p_in, q_in = p[both] / p[both].sum(), q[both] / q[both].sum()
        f = phi.derivative(q_in / p_in)
        t = p_in @ phi.conjugate(f)
        best = phi_lorenz(PRCurve.from_masses(p_in, q_in), t, name)
        assert best == pytest.approx(t + oracles.divergence(q_in, p_in, name), rel=1e-9), name


@given(SEEDS)
@settings(max_examples=8)
def test_the_extended_lorenz_curve_is_the_least_sum_over_lambda(seed):
    rng = np.random.default_rng(seed)
    p, q = domains(rng, 5)
    for name in TABLED:
        for t in (-0.3, 0.05, 0.7, 3.0):
            if t > -phi_function(name).at_zero:
                expected = oracles.best_lambda(p, q, t, name)
                found = phi_lorenz(PRCurve.from_masses(p, q), t, name)
                assert found == pytest.approx(expected, rel=1e-7, abs=1e-9), (name, t)


@given(SEEDS)
@settings(max_examples=30)
def test_definition_26_of_2023_no_function_is_above_the_extended_lorenz_curve(seed):
    """Definition 26: any f in the domain of φ* gives a point (∫φ*(f) dP, ∫f dQ) below."""
    rng, p, q, curve = drawn(seed)
    for name in ALL:
        phi = phi_function(name)
        f = np.minimum(rng.normal(size=p.size) * rng.choice([0.1, 1, 3]), 0.99 * phi.dual_at_zero)
        f = np.maximum(f, phi.low)
        t = float(p @ phi.conjugate(f))
        assert q @ f <= phi_lorenz(curve, t, name) + 1e-9 * (1 + abs(t)), name


@given(SEEDS)
@settings(max_examples=30)
def test_the_extended_lorenz_curve_of_tv_is_a_linear_program(seed):
    """−1 <= f <= 1 and φ*(f) = f: max q·f with p·f <= t."""
    p, q = domains(np.random.default_rng(seed), 5)
    curve = PRCurve.from_masses(p, q)
    for t in (-1.0, -0.5, 0.0, 0.2, 0.9, 1.0, 5.0):
        found = linprog(-q, A_ub=[p], b_ub=[t + 1e-15], bounds=(-1, 1))
        assert phi_lorenz(curve, t, "tv") == pytest.approx(-found.fun, abs=1e-9)


def test_closed_forms_of_the_bound():
    """KL(Q‖P) + ln(1 + R); 2√((1 + R)(1 + χ²)) − 2; 1 − BC²/(1 + R)."""
    p, q = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.3, 0.5])
    curve, losses = PRCurve.from_masses(p, q), [0.0, 0.5, 0.1]
    kl = phi_bound(curve, losses, "kl", weights=p)
    assert kl.value == pytest.approx(oracles.divergence(q, p, "kl") + math.log1p(kl.risk))
    assert kl.lam == pytest.approx(1 / (1 + kl.risk))
    chi2 = phi_bound(curve, losses, "chi2", weights=p)
    sharp = 2 * math.sqrt((1 + chi2.risk) * (1 + oracles.divergence(q, p, "chi2"))) - 2
    assert chi2.value == pytest.approx(sharp)
    hellinger = phi_bound(curve, losses, "hellinger", weights=p)
    assert hellinger.value == pytest.approx(1 - np.sqrt(p * q).sum() ** 2 / (1 + hellinger.risk))
    assert str(kl) == (
        f"R_Q <= {kl.value:.4g} = {kl.common:.4g} (λ {kl.lam:.4g} × source risk {kl.risk:.4g}) "
        f"+ {kl.divergence:.4g} (divergence)"
    )


def tsallis_lorenz(p, q, a, t):
    """min over λ of λt + D_a(q‖λp) and its λ, from the derivative, in 60 digits."""
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = 60, 10**9, -(10**9)
        p, q = ([Decimal(float(x)) for x in side] for side in (p, q))
        p, q = ([x / sum(side) for x in side] for side in (p, q))
        a, t = Decimal(a), Decimal(t)
        power_sum = sum(y**a * x ** (1 - a) for x, y in zip(p, q, strict=True))
        lam = (power_sum / (1 + a * t)) ** (1 / a)
        return float(lam), float((lam * (1 + a * t) - 1) / (a - 1))


FAR = [
    ([1 - 1e-6, 1e-6], [0.5, 0.5]),
    ([0.5, 0.5], [1 / 3, 2 / 3]),
    ([0.2, 0.3, 0.5], [0.5, 0.3 + 1e-9, 0.2 - 1e-9]),
    ([1.0, 1e-300], [1e-300, 1.0]),
]


@pytest.mark.parametrize("order", [-1e4, -50, -0.7, 1e-5, 0.5, 1.7, 50, 60, 3000, 1e4])
@pytest.mark.parametrize("masses", FAR, ids=["tail", "thirds", "swapped", "apart"])
def test_no_order_overflows(masses, order):
    """Σ q^a p^{1−a} may be beyond float64 where the bound, a root of it, is not."""
    curve, name = PRCurve.from_masses(*masses), f"tsallis:{order!r}"
    for t in (0.0, 0.3, 40.0, 1e305):
        if order * t <= -1:
            continue
        _, expected = tsallis_lorenz(*masses, order, t)
        found = phi_lorenz(curve, t, name)
        assert found == pytest.approx(expected, rel=1e-11, abs=1e-15 + 1e-16 / abs(order)), t
    top = min(1.0, phi_function(name).dual_at_zero)
    bound = phi_bound(curve, [0.0, top / 2], name, loss_max=top)
    lam, expected = tsallis_lorenz(*masses, order, bound.risk)
    assert bound.lam == pytest.approx(lam, rel=1e-10)
    assert bound.value == pytest.approx(expected, rel=1e-9, abs=1e-15)
