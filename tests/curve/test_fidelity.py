"""Fidelity and diversity against their definitions in plain sums, and what follows from them."""

import hostile
import numpy as np
import oracles
import pytest
from curves import CURVES
from hypothesis import example, given
from hypothesis import strategies as st

from prfast import PRCurve
from prfast.reference import GaussianShift


@given(hostile.mass_pairs())
def test_they_are_the_sums_of_their_definitions(masses):
    p, q = map(oracles.normalised, masses)
    curve = PRCurve.from_masses(*masses)
    assert curve.fidelity == pytest.approx(oracles.alpha(p, q, 20), rel=1e-12, abs=1e-300)
    assert curve.diversity == pytest.approx(oracles.beta(p, q, 1 / 2), rel=1e-12, abs=1e-300)


@given(CURVES)
def test_they_lie_between_the_total_variation_and_the_ends(curve):
    assert 1 - curve.total_variation <= curve.fidelity + 1e-12
    assert curve.fidelity <= curve.max_precision
    assert 1 - curve.total_variation <= curve.diversity + 1e-12
    assert curve.diversity <= curve.max_recall
    assert (curve.fidelity == 0) == (curve.diversity == 0) == (curve.area == 0)


@pytest.mark.parametrize(
    ("p", "q", "fidelity", "diversity"),
    [
        ([1] * 10, [1] + [0] * 9, 1, 0.1),  # a tenth of the modes, nothing else
        ([1] * 40, [1] + [0] * 39, 0.5, 1 / 40),  # collapsed beyond the excess that is forgiven
        ([1, 0], [0.7, 0.3], 0.7, 1),  # three tenths of noise
        ([1, 0], [0.3, 0.7], 0.3, 0.6),  # more than half of noise
        ([1, 1, 0], [0.7, 0, 0.3], 0.7, 0.5),  # noise and a mode that is missing
        ([0.9, 0.1], [0.1, 0.9], 1, 0.3),  # two modes whose weights are exchanged
        ([4, 4, 1, 1, 0], [1, 1, 3, 3, 2], 0.8, 0.6),  # modes that are too wide
    ],
)
def test_what_each_of_them_sees(p, q, fidelity, diversity):
    curve = PRCurve.from_masses(p, q)
    assert curve.fidelity == pytest.approx(fidelity, rel=1e-12)
    assert curve.diversity == pytest.approx(diversity, rel=1e-12)


def test_the_shift_of_two_gaussians():
    """α_λ = λ Φ(−ln λ/Δ − Δ/2) + Φ(ln λ/Δ − Δ/2)."""
    from scipy.stats import norm

    delta, log = 2.0, np.log(20)
    exact = 20 * norm.cdf(-log / delta - delta / 2) + norm.cdf(log / delta - delta / 2)
    assert GaussianShift(delta).curve().fidelity == pytest.approx(exact, abs=1e-6)


# ---- monotone in the curve ---------------------------------------------------------------------


@given(hostile.mass_pairs())
@example(([0.1, 0.9, 0], [0.03, 0.27, 0.7]))  # recall at 60 % of the fidelity falls from 1 to 0.2
def test_merging_cells_lowers_neither(masses):
    fine = PRCurve.from_masses(*masses)
    merged = PRCurve.from_masses(*(np.append(sum(x[::2]), x[1::2]) for x in masses))
    assert merged.fidelity >= fine.fidelity - 1e-12
    assert merged.diversity >= fine.diversity - 1e-12


@given(hostile.score_pairs())
def test_what_samples_prove_bounds_both(scores):
    curve = PRCurve.from_scores(*scores[:2])
    upper = curve.upper(0.95)
    assert upper.fidelity >= curve.fidelity
    assert upper.diversity >= curve.diversity


@given(hostile.mass_pairs(), st.sampled_from([0.05, 0.3, 0.5, 1.0]))
def test_what_a_monotone_diversity_gives_up(masses, share):
    """Of all Q ≥ share · P the lowest curve is that of P with 1 − share of noise: a monotone number
    that is 1 for the noise is 1 for all of them."""
    p, other = map(oracles.normalised, masses)
    noisy = PRCurve.from_masses([1, 0], [share, 1 - share])
    curve = PRCurve.from_masses(p, share * p + (1 - share) * other)
    lam = np.geomspace(1e-3, 1e3, 61)
    assert (curve.at(lam)[0] >= noisy.at(lam)[0] * (1 - 1e-12)).all()
