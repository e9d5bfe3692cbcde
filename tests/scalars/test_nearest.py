"""Authenticity: by its definition on hostile inputs, and by what is known of copies."""

import hostile
import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betainc

import prfast
from prfast.scalars import measure


def authenticity(real, fake, **options):
    return prfast.metrics(real, fake, which="authenticity", **options).authenticity


@pytest.mark.parametrize("few", [1, 2, 64])
@given(
    sets=hostile.point_sets(sizes=(2, 60), dims=(1, 12)),
    closed=st.booleans(),
    backend=st.sampled_from(["exact", "tree"]),
)
@settings(max_examples=60)
def test_it_is_its_definition(sets, closed, backend, few):
    """Also where ranges are halved down to one sample."""
    real, fake = (s.astype(s.dtype.newbyteorder("=")) for s in sets)
    ties = "closed" if closed else "open"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measure, "_FEW", few)
        result = authenticity(real, fake, ties=ties, backend=backend)
    assert result == (~oracles.in_nearest_ball(real, fake, closed)).sum() / len(fake)


def test_the_order_of_equally_near_samples_does_not_matter():
    """0 is as near to −1, whose ball does not reach it, as to 1, whose ball does."""
    real, fake = np.array([[-1.0], [-1.5], [1.0], [2.0]]), np.zeros((2, 1))
    for order in ([0, 1, 2, 3], [2, 3, 0, 1]):
        assert authenticity(real[order], fake) == 0
        assert authenticity(real[order], fake, ties="open") == 1


def test_copies_are_not_authentic_and_far_samples_are():
    rng = np.random.default_rng(0)
    real = rng.normal(size=(300, 8))
    fake = rng.normal(size=(200, 8)) + 100
    fake[:50] = real[:50]  # a quarter of them is copied
    assert authenticity(real, fake) == 0.75
    fake[:50] += 1e-6  # or nearly
    assert authenticity(real, fake) == 0.75


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_expected_authenticity_of_equal_distributions(dim):
    """A copy and its nearest sample are each other's nearest of all n + 1: that has probability
    1 / (2 − s), s the share that two balls through each other's centers have in common."""
    expected = 1 - 1 / (2 - betainc((dim + 1) / 2, 1 / 2, 3 / 4))
    assert dim > 1 or expected == pytest.approx(1 / 3)
    result = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        real, fake = rng.random((1000, dim)), rng.uniform(0.2, 0.8, (300, dim))  # off the border
        result.append(authenticity(real, fake))
    error = np.std(result, ddof=1) / np.sqrt(len(result))
    assert abs(np.mean(result) - expected) < 4 * error < 0.05
