"""Numbers of a curve and of two: quadrature, bisection, plain sums, 60 digits; their rows."""

import hostile
import numpy as np
import oracles
import pytest
from curves import CURVES, TAME_CURVES, area_by_quadrature
from hypothesis import example, given, settings
from hypothesis import strategies as st
from refusals import refused

from prfast import PRCurve
from prfast.curve import summary


def test_a_curve_without_area_has_the_median_1():
    assert PRCurve.from_masses([1, 0], [0, 1]).median == 1


@given(TAME_CURVES)
@settings(max_examples=30, deadline=None)
def test_area_is_the_integral(curve):
    assert curve.area == pytest.approx(area_by_quadrature(curve), rel=1e-9)


@given(CURVES)
def test_f_scores_between_maximum_precision_and_recall(curve):
    assert curve.f_score(0) == curve.max_precision
    assert curve.f_score(np.inf) == curve.max_recall
    assert curve.f_score(1e-200) == pytest.approx(curve.max_precision, abs=1e-12)
    assert curve.f_score(1e200) == pytest.approx(curve.max_recall, abs=1e-12)
    assert curve.swap().f_score(8) == pytest.approx(curve.f_score(1 / 8), rel=1e-12)


@pytest.mark.parametrize(
    ("p", "q", "beta", "expected"),
    [
        # α = 1e-30 or 1e-40 at β = 1: (1 + B²) α / (B² α + 1)
        ([0, 1], [1, 1e-30], 1e10, 1e-10 / (1 + 1e-10)),
        ([1, 1e-40], [0, 1], 1e-15, 1e-10 / (1 + 1e-10)),  # swapped
        # precision · recall is below the range
        ([0, 1e-150, 1], [1, 1e-200, 0], 8, 6.5e-199),
        ([0, 1e-150, 1], [1, 1e-200, 0], 10**400, 1e-150),
    ],
)
def test_f_scores_of_extreme_weights_and_numbers_keep_their_digits(p, q, beta, expected):
    result = PRCurve.from_masses(p, q).f_score(beta)
    assert result == pytest.approx(expected, rel=1e-14, abs=0)


@given(st.integers(-40, -4), st.integers(1, 9))
def test_total_variation_of_nearly_equal_distributions_keeps_its_digits(exponent, parts):
    moved = 2.0**exponent / 3
    p = np.full(2 * parts, 1.0)
    q = np.concatenate([p[:parts] + moved, p[parts:] - moved])
    exact = sum(abs(oracles.Fraction(a) - oracles.Fraction(b)) for a, b in zip(p, q, strict=True))
    result = PRCurve.from_masses(p, q).total_variation
    assert result == pytest.approx(float(exact / 4 / parts), rel=1e-15 / moved, abs=0)
    counts = np.array([10**6 + 1, 10**6]), np.array([10**7, 10**7 - 3])
    exact = abs(oracles.Fraction(10**6 + 1, 2 * 10**6 + 1) - oracles.Fraction(10**7, 2 * 10**7 - 3))
    result = PRCurve.from_masses(*counts).total_variation
    assert result == pytest.approx(float(exact), rel=1e-15, abs=0)


# ---- fidelity and diversity ----------------------------------------------------------------------


@given(hostile.mass_pairs())
@example(([0.04, 0.96], [1, 0]))  # α_λ = min(0.04 λ, 1)
def test_they_are_the_sums_of_their_definitions(masses):
    p, q = map(oracles.normalized, masses)
    curve = PRCurve.from_masses(*masses)
    assert curve.fidelity == pytest.approx(oracles.alpha(p, q, 20), rel=1e-12, abs=1e-300)
    assert curve.diversity == pytest.approx(oracles.beta(p, q, 1 / 2), rel=1e-12, abs=1e-300)


# ---- two curves ----------------------------------------------------------------------------------


@given(CURVES, CURVES)
def test_intersection_is_the_smaller_of_both_everywhere(a, b):
    lam = a.grid(201).lam
    expected = np.minimum(a.at(lam)[0], b.at(lam)[0])
    np.testing.assert_allclose(a.intersection(b).at(lam)[0], expected, rtol=1e-9, atol=1e-14)


# ---- rows of the tables --------------------------------------------------------------------------


CURVE = PRCurve.from_masses([3, 2, 1, 0], [0, 2, 3, 1], info={"n_real": 60, "n_fake": 60})


def test_numbers_in_which_less_is_better_are_0_for_equal_distributions():
    equal = PRCurve.from_masses([1, 2], [1, 2])
    for row in summary.ROWS:
        if row.key != "median_lambda":
            assert row.value(equal) == row.larger_is_better
            assert (row.value(CURVE) < row.value(equal)) == row.larger_is_better


def test_a_number_goes_by_its_key_or_title_or_is_a_function():
    assert summary.read_row("number", len).value is len
    keys = ", ".join(row.key for row in summary.ROWS)
    for row in summary.ROWS:
        for name in (row.key, row.title, row.value):
            assert summary.read_row("number", name) is row
    with refused(
        ValueError,
        f"number: one of {keys}, or a function of a curve expected, "
        "got 'fidelty'; did you mean 'fidelity'?",
    ):
        summary.read_row("number", "fidelty")
    with refused(TypeError, "number: a name or a function of a curve expected, got float"):
        summary.read_row("number", 8.0)
