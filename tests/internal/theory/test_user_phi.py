"""A φ of the user's own: the numerical minimum against closed forms and linear programmes."""

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
from domains import TABLED, random_pair
from hypothesis import given, settings
from hypothesis import strategies as st

from prfast import PRCurve
from prfast.theory import Phi, critic_bound, phi_bound, phi_divergence, phi_function, phi_lorenz


def le_cam_terms(p, q):
    return (p - q) ** 2 / (p + q)


def le_cam_star(v):
    return 4 - v - 4 * np.sqrt(1 - v)


def le_cam_slope(u):
    return 1 - 4 / (u + 1) ** 2


def le_cam_star_slope(v):
    return 2 / np.sqrt(1 - v) - 1


LE_CAM = Phi(
    "le_cam", 1.0, 1.0, le_cam_terms, le_cam_star, le_cam_slope, le_cam_star_slope, -3.0, 3.0
)


@given(st.integers(0, 2**32 - 1), st.sampled_from([*TABLED, "tsallis:0.9"]), st.floats(-1, 3))
@settings(max_examples=150, deadline=None)
def test_the_numerical_minimum_is_the_closed_form(seed, name, t):
    rng, _, _, curve = random_pair(seed)
    phi = phi_function(name)
    t = -phi.at_zero if rng.random() < 0.1 and math.isfinite(phi.at_zero) else t
    alike = replace(phi, name="mine", tsallis=None, shortfall=None)
    expected = phi_lorenz(curve, t, phi)
    assert phi_lorenz(curve, t, alike) == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_a_slope_beyond_float64_is_beyond_the_best_lambda():
    """φ = e^(u − 1) − u, whose slope overflows from u = 711 on."""
    steep = Phi(
        "steep",
        math.exp(-1),
        math.inf,
        lambda p, q: q * np.exp(p / q - 1) - p,
        star=lambda v: (v + 1) * np.log(np.maximum(v + 1, 1e-300)),
        slope=lambda u: np.expm1(u - 1),
        star_slope=lambda v: 1 + np.log1p(v),
        low=math.expm1(-1),
    )
    p, q, lam = np.array([0.6, 0.4]), np.array([0.25, 0.75]), np.geomspace(0.2, 20, 20_001)[:, None]
    for t in (-0.2, 0.1, 0.7):
        scan = lam[:, 0] * t + (lam * p * steep(q / (lam * p))).sum(axis=1)
        actual = phi_lorenz(PRCurve.from_masses(p, q), t, steep)
        assert actual == pytest.approx(scan.min(), abs=1e-6)


def test_its_divergence_and_its_bound():
    """Le Cam's triangular discrimination Σ (p − q)² / (p + q); Eq. 23 with equality at φ'(p/q)."""
    p, q = np.array([0.75, 0.25]), np.array([0.25, 0.75])
    curve = PRCurve.from_masses(p, q)
    assert phi_divergence(curve, LE_CAM) == pytest.approx(0.5, rel=1e-15)
    best = LE_CAM.derivative(p / q)
    assert critic_bound(best, best, LE_CAM, p=p, q=q) == pytest.approx(0.5, rel=1e-14)
    losses = np.array([0.0, 0.4])
    bound = phi_bound(curve, losses, LE_CAM, weights=p)
    lam = np.geomspace(1e-3, 1e3, 100_001)
    risk = float(p @ LE_CAM.conjugate(losses))
    scan = lam * risk + ((q - lam[:, None] * p) ** 2 / (q + lam[:, None] * p)).sum(axis=1)
    assert q @ losses <= bound.value == pytest.approx(scan.min(), abs=1e-8)
    assert bound.risk == pytest.approx(risk, rel=1e-15)


def test_it_is_pickled_by_its_functions():
    assert pickle.loads(pickle.dumps(LE_CAM)) == LE_CAM
    assert pickle.loads(pickle.dumps(phi_function("kl"))).name == "kl"
