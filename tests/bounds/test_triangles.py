"""Lemma 32 of 2023: risks of two hypotheses, under a loss that has a triangle inequality."""

import numpy as np
import pytest
from domains import SEEDS
from hypothesis import given, settings

from prfast.bounds.losses import mean


def zero_one(a, b):
    return (a != b).astype(float)


def absolute(a, b):
    return np.abs(a - b) / 3


def one_sided(a, b):
    """ℓ(ŷ; y) = max(0, y − ŷ): ℓ(a; c) <= ℓ(a; b) + ℓ(b; c), not ℓ(a; c) <= ℓ(a; b) + ℓ(c; b)."""
    return np.maximum(b - a, 0) / 3


def drawn(seed):
    """Labels y of 12 points (x, y), two hypotheses on them, and a positive measure μ."""
    rng = np.random.default_rng(seed)
    y, h, other = rng.integers(0, 4, (3, 12))
    mu = rng.random(12) ** 4 * rng.choice([1e-300, 1e-3, 1.0, 1e3], 12)
    return y, h, other, mu


@pytest.mark.parametrize("loss", [zero_one, absolute, one_sided])
@given(seed=SEEDS)
@settings(max_examples=50)
def test_lemma_32_of_2023_a_risk_is_at_most_the_others_and_what_is_between(loss, seed):
    """ℓ in TI: R(h) <= R(h′) + R(h; h′); ℓ in TI′: R(h; h′) <= R(h) + R(h′)."""
    y, h, other, mu = drawn(seed)
    risk, others, between = (mean(x, mu) for x in (loss(h, y), loss(other, y), loss(h, other)))
    slack = 1e-12 * mu.sum()
    assert risk <= others + between + slack
    if loss is not one_sided:
        assert between <= risk + others + slack


def test_lemma_32_of_2023_needs_its_inequalities():
    """Of the squared loss neither holds, of the one-sided one the second does not."""
    y, h, other, mu = np.array([0]), np.array([2]), np.array([1]), np.array([1.0])
    squared = lambda a, b: (a - b) ** 2  # noqa: E731
    assert mean(squared(h, y), mu) > mean(squared(other, y), mu) + mean(squared(h, other), mu)
    y, h, other = np.array([0]), np.array([1]), np.array([2])
    assert mean(one_sided(h, other), mu) > mean(one_sided(h, y), mu) + mean(one_sided(other, y), mu)
