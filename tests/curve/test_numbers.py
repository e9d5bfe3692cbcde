"""Numbers of a curve and of two: quadrature, bisection, plain sums, 60 digits; their rows."""

import hostile
import numpy as np
import oracles
import pytest
from curves import CURVES, TAME_CURVES, steps_of
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracles import integral
from refusals import refused
from scipy.optimize import brentq

from prfast import PRCurve
from prfast.curve import summary


def area_by_quadrature(curve, lo=0.0, hi=np.inf):
    """½ ∫ β² dλ between lo and hi, cut at the corners and done in ln λ."""

    def integrand(u):
        return 0.5 * curve.at(np.exp(u))[1] ** 2 * np.exp(u)

    corners = [*steps_of(curve), 1.0]
    ends = [min(corners) * 1e-16, *corners, max(corners) * 1e16]
    ends = sorted({min(max(x, lo), hi) for x in ends})
    return integral(integrand, np.log(ends), epsabs=0, epsrel=1e-12)


@given(TAME_CURVES)
@settings(max_examples=30, deadline=None)
def test_area_is_the_integral(curve):
    assert curve.area == pytest.approx(area_by_quadrature(curve), rel=1e-9)


@given(TAME_CURVES)
@settings(max_examples=30, deadline=None)
def test_the_ray_of_the_median_halves_the_area(curve):
    if curve.area == 0:
        assert curve.median == 1
        return
    below = area_by_quadrature(curve, hi=curve.median)
    assert below == pytest.approx(curve.area / 2, rel=1e-9)
    assert curve.swap().median == pytest.approx(1 / curve.median, rel=1e-9)


@given(TAME_CURVES, st.sampled_from([1 / 8, 1.0, 8.0]))
def test_f_score_is_the_maximum_over_a_fine_grid(curve, beta):
    lam = np.concatenate([np.tan(np.linspace(1e-5, np.pi / 2 - 1e-5, 10**4)), steps_of(curve)])
    precision, recall = curve.at(lam)
    harmonic = beta**2 * precision + recall
    scores = (1 + beta**2) * precision * recall / np.where(harmonic > 0, harmonic, 1)
    assert curve.f_score(beta) == pytest.approx(scores.max(), rel=1e-9)


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


def test_section_5_1_of_2024_the_median_of_a_rectangle_is_its_corner():
    """Modes dropped and invented; tails of 1e-6 raise the extremes to 1 and hardly move it."""
    corner = PRCurve.from_masses([0.4, 0.6, 0], [0, 0.7, 0.3])
    assert corner.at(corner.median) == pytest.approx((0.7, 0.6), rel=1e-12)
    tails = PRCurve.from_masses([0.4, 0.6, 1e-6], [1e-6, 0.7, 0.3])
    assert tails.max_precision == tails.max_recall == 1
    assert tails.at(tails.median) == pytest.approx((0.7, 0.6), abs=1e-5)
    for beta in (8, 1 / 8):
        assert tails.f_score(beta) == pytest.approx(corner.f_score(beta), abs=1e-5)


def test_section_5_1_of_2024_reweighting_moves_the_median_and_not_f_8():
    """The weights of Fig. 3: 0.3 dropped, 0.3 invented, two common modes re-weighted."""
    as_often = PRCurve.from_masses([0.3, 0.35, 0.35, 0], [0, 0.35, 0.35, 0.3])
    reweighted = PRCurve.from_masses([0.3, 0.2, 0.5, 0], [0, 0.5, 0.2, 0.3])
    for beta in (8, 1 / 8):
        assert abs(reweighted.f_score(beta) - as_often.f_score(beta)) < 0.02
    assert as_often.at(as_often.median) == pytest.approx((0.7, 0.7))
    assert reweighted.at(reweighted.median) == pytest.approx((0.4, 0.4))


@given(hostile.mass_pairs())
def test_total_variation_is_half_the_absolute_difference(masses):
    p, q = map(oracles.normalized, masses)
    curve = PRCurve.from_masses(*masses)
    assert curve.total_variation == pytest.approx(0.5 * np.abs(p - q).sum(), abs=1e-12)


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


# ---- monotone in the curve ---------------------------------------------------------------------


@given(hostile.mass_pairs())
@example(([0.1, 0.9, 0], [0.03, 0.27, 0.7]))  # recall at 60 % of the fidelity falls from 1 to 0.2
def test_merging_cells_lowers_neither(masses):
    fine = PRCurve.from_masses(*masses)
    merged = PRCurve.from_masses(*(np.append(sum(x[::2]), x[1::2]) for x in masses))
    assert merged.fidelity >= fine.fidelity - 1e-12
    assert merged.diversity >= fine.diversity - 1e-12


# ---- two curves ----------------------------------------------------------------------------------


@given(TAME_CURVES, TAME_CURVES)
@settings(max_examples=30, deadline=None)
def test_iou_is_the_ratio_of_areas_by_quadrature(one, two):
    cuts = np.unique(np.concatenate([steps_of(one), steps_of(two), [1.0]]))

    def swept(lam, pick):
        return 0.5 * pick(one.at(lam)[1], two.at(lam)[1]) ** 2

    def lead(u):
        return one.at(np.exp(u))[0] - two.at(np.exp(u))[0]

    fine = np.geomspace(cuts[0] * 1e-13, cuts[-1] * 1e13, 400)
    ends = np.log(np.unique(np.concatenate([cuts, fine])))
    sign = np.sign(lead(ends))
    crossings = [brentq(lead, *ends[i : i + 2]) for i in np.flatnonzero(sign[1:] * sign[:-1] < 0)]
    ends = np.sort(np.concatenate([ends, crossings]))  # no kink within a piece
    x, w = np.polynomial.legendre.leggauss(12)
    areas = []
    for pick in (np.minimum, np.maximum):
        half = np.diff(ends)[:, None] / 2
        u = (ends[1:, None] + ends[:-1, None]) / 2 + half * x
        areas.append((swept(np.exp(u), pick) * np.exp(u) * half * w).sum())
    if areas[1] < 1e-9:
        assert one.iou(two) == (1 if one.area == two.area == 0 else 0)
    else:
        assert one.iou(two) == pytest.approx(areas[0] / areas[1], rel=1e-9, abs=1e-12)


@given(CURVES, CURVES)
def test_intersection_is_the_smaller_of_both_everywhere(one, two):
    lam = one.grid(201).lam
    expected = np.minimum(one.at(lam)[0], two.at(lam)[0])
    np.testing.assert_allclose(one.intersection(two).at(lam)[0], expected, rtol=1e-9, atol=1e-14)


# ---- rows of the tables --------------------------------------------------------------------------


CURVE = PRCurve.from_masses([3, 2, 1, 0], [0, 2, 3, 1], info={"n_real": 60, "n_fake": 60})


def test_numbers_in_which_less_is_better_are_0_for_equal_distributions():
    equal = PRCurve.from_masses([1, 2], [1, 2])
    for row in summary.ROWS:
        if row.key != "median_lambda":
            assert row.value(equal) == row.larger_is_better
            assert (row.value(CURVE) < row.value(equal)) == row.larger_is_better


def test_a_number_goes_by_its_key_or_title_or_is_a_function():
    assert summary.read_row("number", "f1_8") is summary.f_1_8
    assert summary.read_row("number", len) is len
    keys = ", ".join(row.key for row in summary.ROWS)
    for row in summary.ROWS:
        assert summary.read_row("number", row.title) is row.value
    with refused(ValueError, "number: one of fidelity, diversity, area, overlap, f8, "):
        summary.read_row("number", "F9")
    with refused(
        ValueError,
        f"number: one of {keys}, or a function of a curve expected, "
        "got 'fidelty'; did you mean 'fidelity'?",
    ):
        summary.read_row("number", "fidelty")
    with refused(TypeError, "number: a name or a function of a curve expected, got float"):
        summary.read_row("number", 8.0)
