"""Bounds of rates at all thresholds at once: how often they are exceeded, exactly."""

import math
from fractions import Fraction

import numpy as np
import pytest

from prfast.curve.bands import joint_reach, lower_rates, mixture, upper_rates


def of_all(n, delta):
    """U(0), …, U(n)."""
    return mixture(n, np.arange(n + 1.0), delta)


def exact_miss(upper):
    """P(V_(i) > U(i − 1) for some i) of n uniform numbers, in whole numbers: the distribution of
    #{V <= u} from one u to the next, where it must not fall behind (Noé 1972)."""
    u = [Fraction(float(x)) for x in upper[:-1]]
    n = len(u)
    state, before = {0: Fraction(1)}, Fraction(0)
    for i, at in enumerate(u, start=1):
        step = (at - before) / (1 - before) if before < 1 else Fraction(0)
        new = {}
        for k, chance in state.items():
            for more in range(n - k + 1):
                if k + more >= i:
                    term = math.comb(n - k, more) * step**more * (1 - step) ** (n - k - more)
                    new[k + more] = new.get(k + more, 0) + chance * term
        state, before = new, at
    return 1 - sum(state.values())


@pytest.mark.parametrize("delta", [0.2, 0.025])
@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_the_bounds_are_exceeded_with_at_most_the_probability_stated(n, delta):
    assert exact_miss(of_all(n, delta)) <= Fraction(delta)


def test_each_class_has_half_of_the_doubt():
    result = upper_rates(np.array([30.0, 20.0, 50.0]), np.array([10.0, 60.0, 10.0]), 0.1, "mixture")
    np.testing.assert_array_equal(result[0], mixture(100, np.array([0.0, 30.0, 50.0, 100.0]), 0.05))
    np.testing.assert_array_equal(result[1], mixture(80, np.array([80.0, 70.0, 10.0, 0.0]), 0.05))


def test_the_joint_bound_is_exceeded_with_at_most_the_probability_stated():
    rng, rounds, delta = np.random.default_rng(0), 20_000, 0.1
    total = np.zeros(rounds)
    for n in (3, 5):
        v = np.sort(rng.random((rounds, n)), axis=1)
        ahead = (v - np.arange(n) / n).max(axis=1)  # sup F − F_n
        total += 2 * n * np.maximum(ahead, 0) ** 2
    q = 2 * joint_reach(delta) ** 2
    assert (1 + q) * math.exp(-q) == pytest.approx(delta)
    assert 0.3 * delta < (total > q).mean() < delta


def test_lower_rates_are_those_of_the_worst_thresholds_that_the_hull_allows():
    p, q = np.array([0.0, 2, 5, 4]), np.array([3.0, 4, 3, 0])
    n, m = 11, 10
    below, above = np.append(0, p.cumsum()), m - np.append(0, q.cumsum())
    pairs = [
        (c, d)
        for c in range(n + 1)
        for d in range(m + 1)
        if d >= np.interp(c, below[1:], above[1:]) - 1e-12
    ]
    c, d = np.array(pairs, dtype=float).T
    every = 1 - mixture(n, n - c, 0.05), 1 - mixture(m, m - d, 0.05)
    result = lower_rates(p, q, 0.1)
    for lam in (0.05, 0.3, 1.0, 2.5, 20.0):
        least = (lam * every[0] + every[1]).min()
        assert (lam * result[0] + result[1]).min() == pytest.approx(least, abs=1e-12)
