"""The toy histograms of the 2018 paper: what its text says of (a) to (f)."""

import numpy as np
import pytest
from scipy.optimize import linprog
from truths import LAM

from prfast.reference import TOYS

CURVES = {name: pair.curve() for name, pair in TOYS.items()}
INNER = LAM[np.isfinite(LAM) & (LAM > 0)]


def ends(name):
    return CURVES[name].max_precision, CURVES[name].max_recall


def test_a_one_mode_of_two_is_dropped_perfect_precision_half_the_recall():
    assert ends("a") == (1, 0.5)
    np.testing.assert_allclose(CURVES["a"].at(INNER)[0], np.minimum(INNER / 2, 1))


def test_b_one_mode_of_two_is_invented_perfect_recall_half_the_precision():
    assert ends("b") == (0.5, 1)
    np.testing.assert_allclose(CURVES["b"].at(INNER)[0], np.minimum(INNER, 0.5))


def test_c_equal_perfect_precision_and_recall():
    assert ends("c") == (1, 1)
    assert CURVES["c"].contains(1, 1)


def test_d_disjoint_supports_only_the_origin():
    assert ends("d") == (0, 0)
    assert CURVES["d"].contains(0, 0)
    assert not CURVES["d"].contains(1e-9, 1e-9)


def test_e_equal_supports_high_precision_and_low_recall_as_a():
    """Q has 15/16 of its mass where P has one half."""
    np.testing.assert_array_equal(TOYS["e"].p > 0, TOYS["e"].q > 0)
    assert ends("e") == (1, 1)
    expected = np.minimum(INNER / 2, 15 / 16) + np.minimum(INNER / 2, 1 / 16)
    np.testing.assert_allclose(CURVES["e"].at(INNER)[0], expected)
    assert CURVES["e"].precision_at(0.5) == 1
    assert CURVES["e"].precision_at(1) == pytest.approx(1 / 8)
    assert CURVES["e"].f_score(1 / 8) > CURVES["e"].f_score(8)


@pytest.mark.parametrize(("one", "other"), ["ab", "ef"])
def test_b_and_f_are_the_mirror_images_of_a_and_e(one, other):
    assert CURVES[one] == CURVES[other].swap()
    assert CURVES[one] != CURVES[other]  # which a symmetric number cannot tell apart


@pytest.mark.parametrize("name", TOYS)
@pytest.mark.parametrize("lam", [0.03, 0.2, 1, 1.8, 40])
def test_the_sets_are_those_of_the_definition(name, lam):
    """Definition 1 as a linear program: ν = βμ with ν ≤ P and λν ≤ Q, the largest mass β of ν."""
    p, q = TOYS[name].p, TOYS[name].q
    room = list(zip(np.zeros(p.size), np.minimum(p, 1), strict=True))
    result = linprog(-np.ones(p.size), A_ub=lam * np.eye(p.size), b_ub=q, bounds=room)
    np.testing.assert_allclose(CURVES[name].at(lam), (-lam * result.fun, -result.fun), atol=1e-12)
