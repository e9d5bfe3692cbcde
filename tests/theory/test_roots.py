"""Where a falling function has given values: all at once, its steps and its ends too."""

import numpy as np
import pytest

from prfast.theory.multipliers import falling_roots


def test_roots_of_many_levels_are_right_to_the_last_digits():
    expected = np.r_[-1400, np.linspace(-40, 700, 99), 1e-12]
    found = falling_roots(lambda x: np.exp(-x / 2), np.exp(-expected / 2), -1400.0, 1400.0)
    np.testing.assert_allclose(found, expected, rtol=1e-15, atol=1e-15)


def test_a_step_is_found_where_it_is():
    """Between two numbers that are next to each other."""

    def stair(x):
        return np.where(x < 1 / 3, 2.0, 0.5)

    [found] = falling_roots(stair, np.array([1.0]), -1500.0, 1500.0)
    assert found == pytest.approx(1 / 3, abs=1e-15)


def test_levels_that_are_not_reached_are_ends():
    levels = np.array([1e-300, 0.5, 1.0, 2.0, np.inf])
    found = falling_roots(lambda x: 1 / (1 + np.exp(x)), levels, -5.0, 5.0)
    assert found[[0, 2, 3, 4]].tolist() == [5, -5, -5, -5]
    assert abs(found[1]) < 1e-15
    assert falling_roots(np.zeros_like, np.ones(2), -3.0, 9.0).tolist() == [-3, -3]
    assert falling_roots(np.zeros_like, np.ones(0), -3.0, 9.0).size == 0


def test_looks_are_few():
    looks = []

    def softplus(x):
        looks.append(x.size)
        return np.logaddexp(0.0, 300 - x) + 1e-200 * np.logaddexp(0.0, -300 - x)

    falling_roots(softplus, np.geomspace(1e-16, 1e3, 50), -1500.0, 1500.0)
    assert sum(looks) < 50 * 30
