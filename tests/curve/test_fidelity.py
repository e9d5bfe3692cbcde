"""Fidelity and diversity against their definitions in plain sums, and what follows from them."""

import hostile
import numpy as np
import oracles
import pytest
from hypothesis import example, given

from prfast import PRCurve


@given(hostile.mass_pairs())
@example(([0.04, 0.96], [1, 0]))  # α_λ = min(0.04 λ, 1)
def test_they_are_the_sums_of_their_definitions(masses):
    p, q = map(oracles.normalized, masses)
    curve = PRCurve.from_masses(*masses)
    assert curve.fidelity == pytest.approx(oracles.alpha(p, q, 20), rel=1e-12, abs=1e-300)
    assert curve.diversity == pytest.approx(oracles.beta(p, q, 1 / 2), rel=1e-12, abs=1e-300)


# ---- monotone in the curve ---------------------------------------------------------------------


@given(hostile.mass_pairs())
@example(([0.1, 0.9, 0], [0.03, 0.27, 0.7]))  # recall at 60 % of the fidelity falls from 1 to 0.2
def test_merging_cells_lowers_neither(masses):
    fine = PRCurve.from_masses(*masses)
    merged = PRCurve.from_masses(*(np.append(sum(x[::2]), x[1::2]) for x in masses))
    assert merged.fidelity >= fine.fidelity - 1e-12
    assert merged.diversity >= fine.diversity - 1e-12
