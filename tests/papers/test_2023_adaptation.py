"""Siry et al. 2023, §5: bounds of the error on a target by that on a source, critics, φ-Lorenz
diagrams."""

import itertools
import math
from dataclasses import replace

import hostile
import numpy as np
import oracles
import pytest
from domains import ALL, SEEDS, TABLED, domains, largest_loss, random_pair
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.stats import norm

from prfast import PRCurve, pr_curve
from prfast.reference import Gaussians, GaussianShift
from prfast.theory import (
    adaptation_bound,
    critic_bound,
    in_phi_lorenz_diagram,
    lorenz,
    lorenz_bound,
    phi_bound,
    phi_divergence,
    phi_function,
    phi_lorenz,
)

TWO = PRCurve.from_masses([0.6, 0.4], [0.25, 0.75])


@given(hostile.mass_pairs(), hostile.RATES)
@settings(max_examples=50)
def test_propositions_24_and_25_are_one_bound(masses, risk):
    """Eq. 20 to 22: R_Q <= 1 − F(1 − R_P) = λ* R_P + 1 − α_λ* <= R_P + TV."""
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
def test_proposition_24_level_sets_attain_the_bound(masses):
    """Proposition 24, Eq. 21: R_Q <= 1 − F(1 − R_P)."""
    curve = PRCurve.from_masses(*masses)
    fpr, fnr, _ = curve.vertices
    for a, b in zip(fpr, fnr, strict=True):
        assert adaptation_bound(curve, min(1.0, a)).value >= 1 - b - 1e-12
    np.testing.assert_allclose(lorenz_bound(curve, [0.0]), 1 - curve.max_precision, atol=1e-12)


@given(SEEDS)
@settings(max_examples=50)
def test_proposition_25_no_set_of_errors_is_above_the_bound(seed):
    """Proposition 25, Eq. 22: R_Q <= λ* R_P + 1 − α_λ*."""
    rng, p, q, curve = random_pair(seed)
    for wrong in rng.random((20, p.size)) < rng.random((20, 1)):
        source, target = min(1.0, p[wrong].sum()), q[wrong].sum()
        bound = adaptation_bound(curve, source)
        assert target <= bound.value + 1e-12
        assert bound.value <= bound.loose + 1e-12


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
def test_section_5_2_a_class_has_a_higher_curve_and_smaller_bounds_that_hold_for_it(seed):
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


def test_section_5_2_errors_outside_of_the_class_may_exceed_its_bound():
    """The two outer cells are not an interval."""
    p, q = np.array([0.1, 0.8, 0.1]), np.array([0.45, 0.1, 0.45])
    restricted, wrong = curve_of_sets(p, q, intervals(3)), np.array([True, False, True])
    assert q @ wrong == pytest.approx(0.9)
    assert lorenz_bound(restricted, p @ wrong) < 0.6
    assert lorenz_bound(PRCurve.from_masses(p, q), p @ wrong) == pytest.approx(0.9)


def test_section_5_2_its_numbers():
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


def test_section_5_1_a_curve_of_samples_gives_no_bound():
    """Theorem 5 of 2019: it lies above the true curve, its upper bound higher still, so that both
    give less than the error; the curve of the masses does not."""
    rng = np.random.default_rng(0)
    sets = rng.normal(size=(2000, 2)), 3 * rng.normal(size=(2000, 2))
    risk, error = (math.exp(-9.2 / 2 / s**2) for s in (1, 3))  # |x|² > 9.2
    linear = pr_curve(*sets, "classifier")
    assert lorenz_bound(linear.upper(), risk) < lorenz_bound(linear, risk) < error / 2
    truth = Gaussians([0, 0], [0, 0], np.eye(2), 9 * np.eye(2)).curve()
    assert lorenz_bound(truth, risk) == pytest.approx(error, abs=1e-2)


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
def test_eq_23_no_critic_exceeds_the_divergence(seed, name, lam):
    """Eq. 23: D_φ(P‖Q) >= ∫f dP − ∫φ*(f) dQ."""
    rng, p, q = full_pair(seed)
    p, q = p / p.sum(), q / q.sum()
    divergence = oracles.divergence(p, lam * q, name)
    for scale in (0.1, 1, 10):
        f = rng.normal(size=p.size) * scale
        for shift in (0.0, -1.0, 2.0):
            bound = bound_of(f, p, q, name, lam, shift)
            assert bound <= divergence + 1e-9 * (1 + divergence)
        plain = critic_bound(f, f, name, p=p, q=q)
        assert plain == pytest.approx(bound_of(f, p, q, name), rel=1e-12, abs=1e-12)


@given(SEEDS, st.sampled_from(SMOOTH), st.floats(0.2, 5))
@settings(max_examples=40)
def test_eq_23_the_slope_of_phi_at_the_ratio_attains_it(seed, name, lam):
    """f = φ'(dP / λdQ)."""
    _, p, q = full_pair(seed)
    p, q = p / p.sum(), q / q.sum()
    f = phi_function(name).derivative(p / (lam * q))
    divergence = oracles.divergence(p, lam * q, name)
    slack = {"rel": 1e-9, "abs": 1e-11 * (1 + np.abs(f).max())}
    assert bound_of(f, p, q, name, lam) == pytest.approx(divergence, **slack)


@given(SEEDS, st.floats(0.1, 8), st.floats(0.3, 3))
def test_section_5_3_1_of_kl_it_is_that_of_donsker_and_varadhan(seed, scale, lam):
    rng, p, q = full_pair(seed)
    p, q = p / p.sum(), q / q.sum()
    f = rng.normal(size=p.size) * scale
    best = -math.log(lam * (q @ np.exp(f)))
    assert bound_of(f, p, q, "kl", lam, best) == pytest.approx(p @ f + best + lam - 1, abs=1e-9)
    for step in (1e-3, 0.1, 1, 10):
        for shift in (best - step, best + step):
            assert bound_of(f, p, q, "kl", lam, shift) <= bound_of(f, p, q, "kl", lam, best)


def test_section_5_3_1_with_another_lambda_the_shift_counts_once():
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


@given(SEEDS, st.sampled_from(ALL))
@settings(max_examples=40)
def test_definition_26_every_function_is_a_point_inside_with_all_below_and_right_of_it(seed, name):
    """Definition 26, Eq. 24: (t, y) with t >= ∫φ*(f) dP and y <= ∫f dQ for some f."""
    rng, p, q, curve = random_pair(seed)
    phi = phi_function(name)
    f = np.clip(rng.normal(size=p.size) * 2, phi.low, 0.99 * min(phi.dual_at_zero, 1e3))
    t, y = float(p @ phi.conjugate(f)), float(q @ f)
    # The border is steep at its left end, so t may be off by rounding as well.
    slack = 1e-12 * (1 + abs(t) + abs(y))
    assert in_phi_lorenz_diagram(curve, t + slack, y - slack, name)
    top = phi_lorenz(curve, t, name)
    if np.isfinite(top):
        assert in_phi_lorenz_diagram(curve, [t, t + 1], top, name).all()
        assert not in_phi_lorenz_diagram(curve, t, top + 1e-9 * (1 + abs(top)), name)
    assert phi_lorenz(curve, t, name) <= phi_lorenz(curve, t + 1, name) + slack


@given(SEEDS)
@settings(max_examples=15)
def test_eq_25_the_extended_lorenz_curve_of_tv_is_a_linear_program(seed):
    """−1 <= f <= 1 and φ*(f) = f: max q·f with p·f <= t."""
    p, q = domains(np.random.default_rng(seed), 5)
    curve = PRCurve.from_masses(p, q)
    written = replace(phi_function("tv"), name="mine")  # without the closed form
    for t in (-1.0, -0.5, 0.0, 0.2, 0.9, 1.0, 5.0):
        near = pytest.approx(-linprog(-q, A_ub=[p], b_ub=[t + 1e-15], bounds=(-1, 1)).fun, abs=1e-9)
        assert phi_lorenz(curve, t, "tv") == near
        assert phi_lorenz(curve, t, written) == near


P, Q = np.array([0.5, 0.5]), np.array([0.9, 0.1])


CURVE = PRCurve.from_masses(P, Q)


LOSS = np.array([1.0, 0.0])


@pytest.mark.parametrize("scale", [0.3, 0.01, 1e-6])
def test_remark_27_a_small_multiple_of_kl_breaks_eq_27_and_28(scale):
    """Remark 27: R_Q^ℓ <= R_P^ℓ + D_φ (Eq. 28) does not hold for every φ.

    φ_s = sφ has D_φs = s D_φ and φ_s*(v) = s φ*(v/s) >= v: so (28), and (27) with it, fails."""
    kl = phi_function("kl")
    starred = scale * kl.conjugate(np.minimum(LOSS / scale, 700))
    assert (starred >= LOSS).all()
    right = P @ LOSS + scale * phi_divergence(CURVE, "kl")
    assert Q @ starred >= Q @ LOSS > right


@pytest.mark.parametrize("name", ["kl", "chi2", "reverse_kl", "js", "hellinger"])
def test_footnote_10_a_supremum_of_absolute_values_is_no_absolute_value_of_a_supremum(name):
    """Footnote 10, where its proof goes wrong: |∫f dP − ∫φ*(f) dQ| has no bound, for constants f
    far below 0, while the supremum without the bars is the divergence."""
    phi = phi_function(name)
    f = -np.geomspace(1, 1e6, 50)
    difference = f - phi.conjugate(f)
    divergence = phi_divergence(CURVE, phi)
    assert difference.max() <= divergence < np.inf
    assert np.abs(difference).max() > 1e5


@given(SEEDS)
@settings(max_examples=8)
def test_proposition_28_no_loss_is_above_the_bound_of_any_divergence(seed):
    """Proposition 28, Eq. 26, 29, 31: R_Q^ℓ <= R_{λP}^{φ*∘ℓ} + D_φ(Q‖λP)."""
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
def test_eq_32_the_bound_at_lambda_1_is_never_below_the_best(seed):
    """R_Q^ℓ <= R_P^{φ*∘ℓ} + D_φ(Q‖P); attained by f = φ′(q/p), for which the best λ is 1."""
    rng = np.random.default_rng(seed)
    p, q = domains(rng)
    curve, shared = PRCurve.from_masses(p, q), (p > 0) & (q > 0)
    for name in TABLED:
        phi, top = phi_function(name), largest_loss(name)
        losses = top * np.where(rng.random(p.size) < 0.3, 1, rng.random(p.size) ** 2)
        risk = p[p > 0] @ phi.conjugate(losses[p > 0])
        at_1 = risk + oracles.divergence(q, p, name)
        slack = 1e-12 * (1 + at_1)
        assert q @ losses <= at_1 + slack, name
        assert phi_bound(curve, losses, name, weights=p, loss_max=top).value <= at_1 + slack, name
        p_in, q_in = p[shared] / p[shared].sum(), q[shared] / q[shared].sum()
        f = phi.derivative(q_in / p_in)
        t = p_in @ phi.conjugate(f)
        best = phi_lorenz(PRCurve.from_masses(p_in, q_in), t, name)
        assert best == pytest.approx(t + oracles.divergence(q_in, p_in, name), rel=1e-9), name


@given(SEEDS)
@settings(max_examples=4)
def test_eq_30_and_footnote_11_the_envelope_is_the_least_sum_over_lambda(seed):
    """Eq. 30: F̄_φ(t) <= λt + D_φ(Q‖λP), with equality at the best λ (footnote 11)."""
    rng = np.random.default_rng(seed)
    p, q = domains(rng, 5)
    for name in TABLED:
        for t in (-0.3, 0.05, 0.7, 3.0):
            if t > -phi_function(name).at_zero:
                expected = oracles.best_lambda(p, q, t, name)
                curve, near = PRCurve.from_masses(p, q), pytest.approx(expected, rel=1e-7, abs=1e-9)
                assert phi_lorenz(curve, t, name) == near, (name, t)
                # The same φ as one of the user's, without a closed form.
                if name != "frontier_integral":
                    written = replace(phi_function(name), tsallis=None, shortfall=None)
                    assert phi_lorenz(curve, t, written) == near, (name, t)


@pytest.mark.parametrize("name", ["kl", "reverse_kl", "js", "chi2", "hellinger", "tv"])
@pytest.mark.parametrize("seed", range(5))
def test_remark_29_what_phi_star_adds_to_a_loss(name, seed):
    """Remark 29: φ* adds about ½ φ*″(0) ℓ² to a small loss.

    ½κσ² <= R^{φ*∘ℓ} − R^ℓ <= ½κ̄σ², κ and κ̄ the bounds of φ*″ on [0, c], σ² = ∫ℓ² dP."""
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
