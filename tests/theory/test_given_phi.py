"""Bounds of a φ that a user gives with its conjugate are those of the same φ by its name."""

import math

import numpy as np
import pytest
from curves import DISJOINT, EQUAL
from domains import SEEDS, drawn, top_of
from hypothesis import given, settings
from hypothesis import strategies as st

from prfast.theory import phi_bound, phi_function, phi_lorenz


def as_given(name, scale=1.0):
    """A φ of the table, of which only values are known."""
    phi, s = phi_function(name), scale
    return phi_function(
        lambda u: s * phi(u),
        at_zero=s * phi.at_zero,
        dual_at_zero=s * phi.dual_at_zero,
        conjugate=lambda v: s * phi.conjugate(v / s),
    )


GIVEN = {
    name: as_given(name)
    for name in ("kl", "reverse_kl", "js", "chi2", "hellinger", "tv", "tsallis:-1.5", "tsallis:2.5")
}


@given(SEEDS, st.sampled_from(list(GIVEN)))
@settings(max_examples=25, deadline=None)
def test_the_search_for_lambda_finds_the_closed_form(seed, name):
    rng, p, _, curve = drawn(seed)
    losses = top_of(name) * rng.random(p.size)
    found = phi_bound(curve, losses, GIVEN[name], weights=p, loss_max=top_of(name))
    known = phi_bound(curve, losses, name, weights=p, loss_max=top_of(name))
    assert found.risk == pytest.approx(known.risk)
    assert found.value == pytest.approx(known.value, rel=1e-12, abs=1e-14)
    assert found.common + found.divergence == pytest.approx(known.value, rel=1e-12, abs=1e-14)
    t = [0.0, 0.01, 0.3, 5.0, 1e4]
    np.testing.assert_allclose(
        phi_lorenz(curve, t, GIVEN[name]), phi_lorenz(curve, t, name), rtol=1e-12, atol=1e-14
    )


def test_the_ends():
    for name, phi in GIVEN.items():
        known = phi_function(name)
        for curve in (EQUAL, DISJOINT):
            found = phi_lorenz(curve, [0.0, 0.5], phi)
            assert found == pytest.approx(phi_lorenz(curve, [0.0, 0.5], name), abs=1e-14), name
        end = known.dual_at_zero
        if math.isfinite(end):  # at λ = 0, nothing in common
            bound = phi_bound(DISJOINT, [0.1], phi, loss_max=top_of(name))
            assert bound[:4] == (end, 0.0, 0.0, end), name
        if math.isfinite(known.at_zero):
            assert phi_lorenz(EQUAL, -known.at_zero - 0.1, phi) == -math.inf
    with pytest.raises(
        ValueError,
        match=r"^t: above −φ\(0\) = -1 expected for a phi that is a function; there φ'\(0\) ",
    ):
        phi_lorenz(EQUAL, [0.0, -1.0], GIVEN["kl"])
