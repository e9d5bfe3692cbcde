"""Bounds of a risk hold in simulation, are the smallest of their kind, and keep their digits."""

import itertools
import math

import hostile
import numpy as np
import oracles
import pytest
from curves import DISJOINT, EQUAL
from domains import ALL, SEEDS, TABLED, domains, largest_loss, random_pair
from hypothesis import given, settings
from refusals import refused
from scipy.optimize import linprog
from scipy.stats import norm

from prfast import PRCurve
from prfast.reference import GaussianShift
from prfast.theory import (
    adaptation_bound,
    lorenz,
    lorenz_bound,
    phi_bound,
    phi_divergence,
    phi_function,
    phi_lorenz,
)


@given(SEEDS)
@settings(max_examples=50)
def test_proposition_25_of_2023_no_set_of_errors_is_above_the_bound(seed):
    rng, p, q, curve = random_pair(seed)
    for wrong in rng.random((20, p.size)) < rng.random((20, 1)):
        source, target = min(1.0, p[wrong].sum()), q[wrong].sum()
        bound = adaptation_bound(curve, source)
        assert target <= bound.value + 1e-12
        assert bound.value <= bound.loose + 1e-12


@given(hostile.mass_pairs(), hostile.RATES)
@settings(max_examples=50)
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


@given(hostile.mass_pairs())
@settings(max_examples=40)
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
    assert str(bound) == ("R_Q <= 0.3 = 0.2 (common mass, λ* 2) + 0.1 (target only); R_P + TV 0.7")
    assert adaptation_bound(curve, 0.0)[:4] == pytest.approx((0.1, 2.0, 0.0, 0.1))
    assert adaptation_bound(curve, 1.0)[:4] == (1.0, 0.0, 0.0, 1.0)
    assert adaptation_bound(EQUAL, 0.25)[:4] == (0.25, 1.0, 0.25, 0.0)
    assert adaptation_bound(DISJOINT, 0.25)[:4] == (1.0, 0.0, 0.0, 1.0)
    assert lorenz_bound(curve, np.full((2, 3), 0.1)).shape == (2, 3)
    kl = phi_bound(curve, [0.0, 0.5, 0.1], "kl")
    assert str(kl) == (
        f"R_Q <= {kl.value:.4g} = {kl.common:.4g} (λ {kl.lam:.4g} × source risk {kl.risk:.4g}) "
        f"+ {kl.divergence:.4g} (divergence)"
    )


@given(SEEDS)
@settings(max_examples=8)
def test_proposition_28_of_2023_no_loss_is_above_the_bound_of_any_divergence(seed):
    rng, p, q, curve = random_pair(seed)
    for name in ALL:
        losses = largest_loss(name) * np.where(rng.random(p.size) < 0.3, 1, rng.random(p.size) ** 2)
        bound = phi_bound(curve, losses, name, weights=p, loss_max=largest_loss(name))
        assert q @ losses <= bound.value + 1e-12, name
        assert bound.value == pytest.approx(bound.common + bound.divergence), name
        phi = phi_function(name)
        assert bound.risk == pytest.approx(p[p > 0] @ phi.conjugate(losses[p > 0])), name
        assert bound.value == pytest.approx(phi_lorenz(curve, bound.risk, name)), name


@given(SEEDS)
@settings(max_examples=8)
def test_equation_32_of_2023_the_bound_at_lambda_1_is_never_below_the_best(seed):
    """R_Q^ℓ <= R_P^{φ*∘ℓ} + D_φ(Q‖P); attained by f = φ′(q/p), for which the best λ is 1."""
    rng = np.random.default_rng(seed)
    p, q = domains(rng)
    curve, both = PRCurve.from_masses(p, q), (p > 0) & (q > 0)
    for name in TABLED:
        phi, top = phi_function(name), largest_loss(name)
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
@settings(max_examples=4)
def test_the_extended_lorenz_curve_is_the_least_sum_over_lambda(seed):
    rng = np.random.default_rng(seed)
    p, q = domains(rng, 5)
    for name in TABLED:
        for t in (-0.3, 0.05, 0.7, 3.0):
            if t > -phi_function(name).at_zero:
                expected = oracles.best_lambda(p, q, t, name)
                actual = phi_lorenz(PRCurve.from_masses(p, q), t, name)
                assert actual == pytest.approx(expected, rel=1e-7, abs=1e-9), (name, t)


@given(SEEDS)
@settings(max_examples=15)
def test_the_extended_lorenz_curve_of_tv_is_a_linear_program(seed):
    """−1 <= f <= 1 and φ*(f) = f: max q·f with p·f <= t."""
    p, q = domains(np.random.default_rng(seed), 5)
    curve = PRCurve.from_masses(p, q)
    for t in (-1.0, -0.5, 0.0, 0.2, 0.9, 1.0, 5.0):
        actual = linprog(-q, A_ub=[p], b_ub=[t + 1e-15], bounds=(-1, 1))
        assert phi_lorenz(curve, t, "tv") == pytest.approx(-actual.fun, abs=1e-9)


def curve_of_sets(p, q, members):
    """Return the curve that allows only these sets, rows of booleans."""
    return PRCurve.from_rates(np.clip(members @ p, 0, 1), np.clip(1 - members @ q, 0, 1))


def intervals(cells):
    """Return all sets of adjacent cells, the empty one among them."""
    at = np.arange(cells)
    pairs = itertools.combinations(range(cells + 1), 2)
    return np.array([np.zeros(cells, bool), *((low <= at) & (at < high) for low, high in pairs)])


@given(SEEDS)
@settings(max_examples=25)
def test_a_class_has_a_higher_curve_and_smaller_bounds_that_hold_for_it(seed):
    p, q = domains(np.random.default_rng(seed))
    full, members = PRCurve.from_masses(p, q), intervals(p.size)
    restricted = curve_of_sets(p, q, members)
    t = np.linspace(0, 1, 41)
    assert (lorenz(restricted)(t) >= lorenz(full)(t) - 1e-12).all()
    lam = np.geomspace(1e-3, 1e3, 41)
    assert (restricted.at(lam)[0] >= full.at(lam)[0] - 1e-12).all()
    for wrong in members:
        source, target = min(1.0, p @ wrong), q @ wrong
        bound = adaptation_bound(restricted, source)
        assert target <= bound.value + 1e-12
        assert bound.value <= adaptation_bound(full, source).value + 1e-12
    # The precision of the class, by its definition (Theorem 37 over fewer sets)
    by_definition = np.minimum(
        (lam[:, None] * (members @ p) + 1 - members @ q).min(axis=1), np.minimum(lam, 1)
    )
    np.testing.assert_allclose(restricted.at(lam)[0], by_definition, rtol=1e-12, atol=1e-12)


def test_errors_outside_of_the_class_may_exceed_its_bound():
    """The two outer cells are not an interval."""
    p, q = np.array([0.1, 0.8, 0.1]), np.array([0.45, 0.1, 0.45])
    restricted, wrong = curve_of_sets(p, q, intervals(3)), np.array([True, False, True])
    assert q @ wrong == pytest.approx(0.9)
    assert lorenz_bound(restricted, p @ wrong) < 0.6
    assert lorenz_bound(PRCurve.from_masses(p, q), p @ wrong) == pytest.approx(0.9)


def test_the_numbers_of_section_5_2():
    """α_1 = 0.38: Eq. 20 says 1.24 + R_P, Proposition 25 0.62 + R_P at λ = 1, less at λ*.

    The section calls the derivative of α at 1 "much larger than 1": it is P(errors) of a level
    set, so at most α_1; larger than R_P is what it takes for λ* > 1.
    """
    curve = GaussianShift(1.7558).curve()  # 2Φ(−Δ/2) = 0.38
    alpha = curve.at(1.0)[0]
    assert alpha == pytest.approx(0.38, abs=1e-4)
    for risk in (0.01, 0.05, 0.1):
        bound = adaptation_bound(curve, risk)
        assert bound.loose == pytest.approx(1.24 + risk, abs=2e-4)
        assert risk + 1 - alpha == pytest.approx(0.62 + risk, abs=1e-4)
        assert bound.value < risk + 1 - alpha - 0.02
        assert bound.lam > 1
        # The best test of level R has power Φ(Δ + Φ⁻¹(R)).
        assert bound.value == pytest.approx(norm.cdf(1.7558 + norm.ppf(risk)), abs=1e-5)
    slope = (curve.at(1.0 + 1e-4)[0] - curve.at(1.0 - 1e-4)[0]) / 2e-4
    assert 0.1 < slope <= alpha


P, Q = np.array([0.5, 0.5]), np.array([0.9, 0.1])


CURVE = PRCurve.from_masses(P, Q)


LOSS = np.array([1.0, 0.0])


@pytest.mark.parametrize("scale", [0.3, 0.01, 1e-6])
def test_a_small_multiple_of_kl_breaks_it(scale):
    """φ_s = sφ has D_φs = s D_φ and φ_s*(v) = s φ*(v/s) >= v: so (28), and (27) with it, fails."""
    kl = phi_function("kl")
    starred = scale * kl.conjugate(np.minimum(LOSS / scale, 700))
    assert (starred >= LOSS).all()
    right = P @ LOSS + scale * phi_divergence(CURVE, "kl")
    assert Q @ starred >= Q @ LOSS > right


@pytest.mark.parametrize("name", ["kl", "chi2", "reverse_kl", "js", "hellinger"])
def test_a_supremum_of_absolute_values_is_no_absolute_value_of_a_supremum(name):
    """Footnote 10, where its proof goes wrong: |∫f dP − ∫φ*(f) dQ| has no bound, for constants f
    far below 0, while the supremum without the bars is the divergence."""
    phi = phi_function(name)
    f = -np.geomspace(1, 1e6, 50)
    difference = f - phi.conjugate(f)
    divergence = phi_divergence(CURVE, phi)
    assert difference.max() <= divergence < np.inf
    assert np.abs(difference).max() > 1e5


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: adaptation_bound(1, 0.1), "curve: a PRCurve expected, got int"),
        (lambda: adaptation_bound(EQUAL, 1.1), "risk: a number in [0, 1] expected, got 1.1"),
        (lambda: phi_bound(EQUAL, [[0.1]], "kl"), "losses: a 1-D array expected, got shape (1, 1)"),
        (lambda: phi_bound(EQUAL, [0.1], np.log), "phi: a name expected, got a "),
        (lambda: phi_lorenz(EQUAL, math.inf, "kl"), "t: finite numbers expected, got inf"),
    ],
)
def test_wrong_arguments_are_refused(call, message):
    with refused((TypeError, ValueError), message):
        call()
