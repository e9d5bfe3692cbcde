"""Errors of a class: a curve of fewer sets is above, its bounds below and valid for it (§5.2)."""

import itertools

import numpy as np
import pytest
from domains import SEEDS, domains
from hypothesis import given, settings
from scipy.stats import norm

from prfast import PRCurve
from prfast.reference import GaussianShift
from prfast.theory import adaptation_bound, lorenz, lorenz_bound


def of_class(p, q, members):
    """The curve that allows these sets alone, rows of booleans."""
    return PRCurve.from_rates(np.clip(members @ p, 0, 1), np.clip(1 - members @ q, 0, 1))


def intervals(cells):
    """All sets of neighboring cells, the empty one among them."""
    at = np.arange(cells)
    pairs = itertools.combinations(range(cells + 1), 2)
    return np.array([np.zeros(cells, bool), *((low <= at) & (at < high) for low, high in pairs)])


@given(SEEDS)
@settings(max_examples=60)
def test_a_class_has_a_higher_curve_and_smaller_bounds_that_hold_for_it(seed):
    p, q = domains(np.random.default_rng(seed))
    full, members = PRCurve.from_masses(p, q), intervals(p.size)
    restricted = of_class(p, q, members)
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
    """Two outer cells are no interval."""
    p, q = np.array([0.1, 0.8, 0.1]), np.array([0.45, 0.1, 0.45])
    restricted, wrong = of_class(p, q, intervals(3)), np.array([True, False, True])
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
