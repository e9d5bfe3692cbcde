"""Hypotheses and their losses: no one is above its bound (Definition 33, Corollary 34)."""

import numpy as np
import oracles
import pytest
from domains import ALL, SEEDS, TABLED, domains, top_of
from hypothesis import given, settings
from hypothesis import strategies as st

from prfast.theory import discrepancy, hypothesis_bound, phi_function


def hypotheses(rng, name):
    """A domain of samples × labels, hypotheses on the samples, and the loss |h − y|, scaled."""
    samples, labels, count = 4, 3, int(rng.integers(1, 7))
    p, q = domains(rng, samples * labels)
    y = np.tile(np.arange(labels), samples)
    h = np.repeat(rng.integers(0, labels, (count, samples)), labels, axis=1)
    scale = top_of(name) / (labels - 1)
    return p, q, scale * np.abs(h - y), scale * np.abs(h[:, None] - h[None])


def least_by_lambda(p, q, losses, pairs, name, top):
    """The sum of Corollary 34 at many λ, by its definition, for the first hypothesis."""
    phi = phi_function(name)
    lam = np.append(0, np.geomspace(1e-3, 1e3, 400))
    transformed = [lam * (phi.conjugate(top) / top) * (p @ x) for x in losses]
    apart = [q @ x - lam * (p @ phi.conjugate(x)) for x in pairs]
    gamma = [q @ x + t for x, t in zip(losses, transformed, strict=True)]
    return (transformed[0] + np.max(apart, axis=0) + np.min(gamma, axis=0)).min()


@given(SEEDS, st.sampled_from(ALL))
@settings(max_examples=60, deadline=None)
def test_corollary_34_of_2023_no_hypothesis_is_above_its_bound(seed, name):
    rng = np.random.default_rng(seed)
    p, q, losses, pairs = hypotheses(rng, name)
    top = 0.95 if name == "reverse_kl" else top_of(name)
    losses, pairs = losses * top / top_of(name), pairs * top / top_of(name)
    weights = {"source_weights": p, "target_weights": q}
    for h in range(len(losses)):
        bound = hypothesis_bound(
            h, losses, losses, pairs[h], pairs[h], name, loss_max=top, **weights
        )
        assert q @ losses[h] <= bound.value + 1e-12
        assert bound.value == pytest.approx(sum(bound[2:]))
        apart = discrepancy(pairs[h], pairs[h], name, bound.lam, **weights)
        assert bound.discrepancy == pytest.approx(apart, abs=1e-12)
        if h == 0:
            by_grid = least_by_lambda(p, q, losses, pairs[h], name, top)
            assert bound.value <= by_grid + 1e-12
            assert bound.value == pytest.approx(by_grid, rel=0.02)


@given(SEEDS, st.sampled_from(TABLED), st.floats(0.1, 5))
@settings(max_examples=60)
def test_definition_33_of_2023_a_discrepancy_is_at_most_the_divergence(seed, name, lam):
    """It is the supremum of ∫f dQ − ∫φ*(f) d(λP) over fewer f."""
    p, q, _, pairs = hypotheses(np.random.default_rng(seed), name)
    found = discrepancy(pairs[0], pairs[0], name, lam, source_weights=p, target_weights=q)
    assert 0 <= found <= oracles.divergence(q, lam * p, name) * (1 + 1e-12)
