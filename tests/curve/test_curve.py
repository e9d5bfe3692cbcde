"""PRCurve: points, numbers against quadrature, conversions, errors."""

import json
import pickle
from copy import deepcopy
from decimal import Decimal, localcontext
from itertools import pairwise

import hostile
import numpy as np
import oracles
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq

from prfast import PRCurve
from prfast.reference import GaussianShift

CURVES = hostile.mass_pairs().map(lambda masses: PRCurve.from_masses(*masses))
HALF = PRCurve.from_masses([0.5, 0.5], [0.0, 1.0])  # mode dropping: the rectangle 1 × 0.5
EQUAL = PRCurve.from_masses([1.0], [1.0])
DISJOINT = PRCurve.from_masses([1.0, 0.0], [0.0, 1.0])
MASKED = np.ma.masked_greater([0.5, 2.0], 1)


def steps_of(curve):
    """Finite positive ratios, where the curve has its corners."""
    ratio = curve.vertices.ratio
    return np.sort(ratio[(ratio > 0) & np.isfinite(ratio)])


def area_by_quadrature(curve, lo=0.0, hi=np.inf):
    """½ ∫ β² dλ between lo and hi, cut at the corners and done in ln λ."""

    def integrand(u):
        return 0.5 * curve.at(np.exp(u))[1] ** 2 * np.exp(u)

    corners = [*steps_of(curve), 1.0]
    ends = [min(corners) * 1e-16, *corners, max(corners) * 1e16]
    ends = sorted({min(max(x, lo), hi) for x in ends})
    pieces = [
        quad(integrand, np.log(a), np.log(b), epsabs=0, epsrel=1e-12, limit=200)[0]
        for a, b in pairwise(ends)
        if b > a
    ]
    return sum(pieces)


# Masses that quadrature can follow: ratios within 1e±4, or zero.
TAME = st.lists(
    st.tuples(st.sampled_from([0.0, 0.01, 0.1, 0.3, 1.0]), st.sampled_from([0.0, 0.02, 0.2, 0.7])),
    min_size=1,
    max_size=6,
).filter(lambda cells: all(sum(column) > 0 for column in zip(*cells, strict=True)))
TAME_CURVES = TAME.map(lambda cells: PRCurve.from_masses(*zip(*cells, strict=True)))


# ---- points --------------------------------------------------------------------------------


@given(hostile.mass_pairs(), hostile.LAMBDAS)
@settings(max_examples=300)
def test_at_is_the_sum_of_minima(masses, lam):
    p, q = map(oracles.normalised, masses)
    precision, recall = PRCurve.from_masses(*masses).at(lam)
    assert precision == pytest.approx(oracles.alpha(p, q, lam), rel=1e-12, abs=1e-15)
    assert recall == pytest.approx(oracles.beta(p, q, lam), rel=1e-12, abs=1e-15)


@given(CURVES)
def test_at_keeps_the_shape_of_lambda(curve):
    lam = np.array([[0.0, 0.5, 1.0], [2.0, 7.0, np.inf]])
    precision, recall = curve.at(lam)
    assert precision.shape == recall.shape == (2, 3)
    assert (precision[1, 0], recall[1, 0]) == curve.at(2.0)
    assert curve.at(np.empty((0, 2)))[0].shape == (0, 2)
    assert all(isinstance(value, float) for value in curve.at(1))


@given(CURVES)
def test_the_ends_are_the_extreme_precision_and_recall(curve):
    assert curve.at(0) == (0, curve.max_recall)
    assert curve.at(np.inf) == (curve.max_precision, 0)


@given(CURVES)
def test_grid_is_symmetric_and_includes_both_ends(curve):
    lam, precision, _ = curve.grid(11)
    assert lam[[0, 5, 10]].tolist() == [0, 1, np.inf]
    np.testing.assert_allclose(lam[1:5] * lam[9:5:-1], 1, rtol=1e-15)
    swapped = curve.swap().grid(11)
    np.testing.assert_allclose(swapped.recall[::-1], precision, rtol=1e-12, atol=1e-15)
    assert len(curve.grid().lam) == 1001
    assert len(curve.grid(2).lam) == 2
    assert len(curve.grid(4).lam) == 4


@given(CURVES, st.floats(0, 1))
def test_precision_at_is_the_best_precision_of_that_recall(curve, recall):
    precision = curve.precision_at(recall)
    assert 0 <= precision <= curve.max_precision
    if precision > 0:
        assert curve.contains(precision * (1 - 1e-9), recall * (1 - 1e-9))
    if recall > 0:  # nothing better: a little more precision leaves the set
        assert not curve.contains(min(precision + 1e-6, 2.0), min(recall + 1e-6, 2.0))


@given(TAME_CURVES)
def test_precision_at_inverts_at_between_the_corners(curve):
    corners = steps_of(curve)
    lam = np.sqrt(corners[1:] * corners[:-1])
    precision, recall = curve.at(lam)
    np.testing.assert_allclose(curve.precision_at(recall), precision, rtol=1e-9)
    np.testing.assert_allclose(curve.recall_at(precision), recall, rtol=1e-9)


@given(TAME_CURVES, st.floats(0.01, 0.99))
def test_precision_at_is_the_root_of_at(curve, share):
    """A share of the largest recall, found again along the curve by bisection."""
    if curve.max_recall == 0:
        return
    recall = share * curve.max_recall
    corners = steps_of(curve)
    ends = np.log(corners[0]) - 1, np.log(corners[-1]) + 20
    u = brentq(lambda u: curve.at(np.exp(u))[1] - recall, *ends, xtol=1e-15, rtol=1e-15)
    assert curve.precision_at(recall) == pytest.approx(curve.at(np.exp(u))[0], rel=1e-12)


@given(CURVES)
def test_precision_falls_from_its_maximum_to_zero_beyond_the_largest_recall(curve):
    recall = np.linspace(0, 1, 101)
    assert (np.diff(curve.precision_at(recall)) <= 1e-15).all()
    assert curve.precision_at(0) == curve.max_precision
    assert curve.recall_at(0) == curve.max_recall
    if curve.max_recall < 1:
        assert curve.precision_at(1) == 0


def test_precision_at_the_largest_recall_is_the_top_of_the_vertical_piece():
    assert HALF.precision_at(0.5) == 1
    assert HALF.precision_at(0.500001) == 0
    assert HALF.recall_at(1.0) == 0.5
    assert EQUAL.precision_at(1.0) == 1
    assert EQUAL.precision_at([[0.0, 1.0]]).tolist() == [[1, 1]]
    assert DISJOINT.precision_at([0.0, 0.1]).tolist() == [0, 0]


@given(CURVES, hostile.LAMBDAS, st.floats(0, 1))
def test_contains_the_rays_below_the_curve_and_nothing_beyond(curve, lam, theta):
    precision, recall = curve.at(lam)
    assert curve.contains(precision, recall)
    assert curve.contains(theta * precision, theta * recall)
    assert curve.contains(0, 0)
    if 1e-100 < lam < 1e100 and precision > 1e-100:
        assert not curve.contains(precision * 1.001, recall * 1.001)
    assert not curve.contains(-0.1, 0)
    assert curve.contains([0.0, 2.0], 0.0).tolist() == [True, False]
    assert curve.contains([], []).shape == (0,)
    assert curve.contains(np.zeros((2, 1)), [0.0, 0.0, 2.0]).tolist() == [[True, True, False]] * 2


@given(CURVES)
def test_the_outline_follows_the_curve(curve):
    recall, precision = curve.outline(1e-3)
    assert (np.diff(recall) >= -1e-15).all()
    assert (np.diff(precision) <= 1e-15).all()
    assert curve.contains(precision, recall).all()
    assert (recall[0], precision[-1]) == (0, 0)
    middle = (recall[1:] + recall[:-1]) / 2, (precision[1:] + precision[:-1]) / 2
    assert not curve.contains(middle[1] + 1e-3, middle[0] + 1e-3).any()
    assert curve.contains(np.maximum(middle[1] - 1e-3, 0), np.maximum(middle[0] - 1e-3, 0)).all()


def test_the_outline_of_many_cells_has_few_points_and_none_twice():
    curve = GaussianShift(1.0).curve()
    recall, precision = curve.outline()
    assert len(recall) < 200  # of 32 768 cells
    assert len(set(zip(recall, precision, strict=True))) == len(recall)
    finer = curve.outline(1e-6)
    inside = np.interp(recall, *finer) - precision  # the finer one is far nearer to the curve
    assert np.abs(inside[1:-1]).max() < 1e-5
    assert 500 < len(finer[0]) < 2000


@given(CURVES, st.sampled_from([1e-2, 1e-4]))
def test_the_outline_is_within_its_tolerance(curve, tolerance):
    """Every corner and points between them are near some chord."""
    x, y = curve.outline(tolerance)
    lam = np.concatenate([steps_of(curve), np.geomspace(1e-3, 1e3, 31)])
    precision, recall = curve.at(lam)
    dx, dy = np.diff(x), np.diff(y)
    square = dx**2 + dy**2
    t = (recall[:, None] - x[:-1]) * dx + (precision[:, None] - y[:-1]) * dy
    t /= np.where(square > 0, square, 1)
    t = np.clip(t, 0, 1)
    away = np.hypot(recall[:, None] - x[:-1] - t * dx, precision[:, None] - y[:-1] - t * dy)
    assert away.min(axis=1).max() <= tolerance * (1 + 1e-9)


# ---- numbers -------------------------------------------------------------------------------


@given(TAME_CURVES)
@settings(max_examples=60, deadline=None)
def test_area_is_the_integral(curve):
    assert curve.area == pytest.approx(area_by_quadrature(curve), rel=1e-9)


@given(TAME_CURVES)
@settings(max_examples=60, deadline=None)
def test_the_ray_of_the_median_halves_the_area(curve):
    if curve.area == 0:
        assert np.isnan(curve.median())
        return
    below = area_by_quadrature(curve, hi=curve.median())
    assert below == pytest.approx(curve.area / 2, rel=1e-9)
    assert curve.swap().median() == pytest.approx(1 / curve.median(), rel=1e-9)


@given(TAME_CURVES, st.sampled_from([1 / 8, 1.0, 8.0]))
def test_f_score_is_the_maximum_over_a_fine_grid(curve, beta):
    lam = np.concatenate([np.tan(np.linspace(1e-5, np.pi / 2 - 1e-5, 10**5)), steps_of(curve)])
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
        # α = 1e-30, 1e-18 or 1e-40 at β = 1: (1 + B²) α / (B² α + 1)
        ([0, 1], [1, 1e-30], 1e10, 1e-10 / (1 + 1e-10)),
        ([0, 1], [1, 1e-18], 1e8, 0.01 / 1.01),
        ([0, 1], [1, 1e-40], 1e15, 1e-10 / (1 + 1e-10)),
        ([1, 1e-40], [0, 1], 1e-15, 1e-10 / (1 + 1e-10)),  # swapped
        # precision · recall is below the range
        ([0, 1e-150, 1], [1, 1e-200, 0], 8, 6.5e-199),
        ([0, 1e-150, 1], [1, 1e-200, 0], 10**400, 1e-150),
    ],
)
def test_f_scores_of_extreme_weights_and_numbers_keep_their_digits(p, q, beta, expected):
    found = PRCurve.from_masses(p, q).f_score(beta)
    assert found == pytest.approx(expected, rel=1e-14, abs=0)


@pytest.mark.parametrize("tiny", [1e-160, 1e-300, 1e-100, 1e-18])
def test_the_median_of_a_symmetric_curve_is_one(tiny):
    assert PRCurve.from_masses([tiny, 1], [1, tiny]).median() == pytest.approx(1, rel=1e-12)


def exact_median(curve):
    """In 60 digits, from the masses, by bisection of ½ ∫ β² dλ."""
    with localcontext() as context:
        context.prec = 60
        record = curve.to_dict()
        p, q = ([Decimal(x) / sum(map(Decimal, record[k])) for x in record[k]] for k in "pq")
        a = [sum(p[:i], Decimal(0)) for i in range(len(p) + 1)]
        b = [sum(q[i:], Decimal(0)) for i in range(len(p) + 1)]
        ratio = [y / x for x, y in zip(p, q, strict=True)]

        def swept(lam):
            total = Decimal(0)
            for i, lo in enumerate([*ratio, Decimal(0)]):
                hi = min(lam, ratio[i - 1]) if i else lam
                if lo < hi:
                    total += a[i] ** 2 * (hi - lo)
                    if b[i]:
                        total += 2 * a[i] * b[i] * (hi / lo).ln() + b[i] ** 2 * (1 / lo - 1 / hi)
            return total / 2

        half = swept(Decimal("1e9999")) / 2
        lo, hi = Decimal(-1000), Decimal(1000)
        for _ in range(70):
            middle = (lo + hi) / 2
            lo, hi = (middle, hi) if swept(middle.exp()) < half else (lo, middle)
        return float(lo.exp())


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("spread", [0.5, 3.0, 20.0])
def test_the_median_has_twelve_digits_where_the_area_decides_them(seed, spread):
    """By ½αβ, what the area changes by where ln λ changes by 1."""
    rng = np.random.default_rng(seed)
    curve = PRCurve.from_masses(*np.exp(spread * rng.normal(size=(2, 5))))
    precision, recall = curve.at(curve.median())
    condition = curve.area / (precision * recall)
    assert curve.median() == pytest.approx(exact_median(curve), rel=1e-12 * max(1, condition))
    assert curve.swap().median() * curve.median() == pytest.approx(1, rel=1e-12 * max(1, condition))


@given(hostile.mass_pairs(), st.sampled_from([1e-320, 1e-160, 1.0]))
def test_the_median_is_a_ray_that_meets_the_curve(masses, scale):
    p, q = masses
    p = np.append(p, 1.0) * np.append(np.full(p.size, scale), 1.0)
    curve = PRCurve.from_masses(p, np.append(q, scale))
    median = curve.median()
    assert np.isnan(median) if curve.area == 0 else median > 0


@given(hostile.mass_pairs())
def test_total_variation_is_half_the_absolute_difference(masses):
    p, q = map(oracles.normalised, masses)
    curve = PRCurve.from_masses(*masses)
    assert curve.total_variation == pytest.approx(0.5 * np.abs(p - q).sum(), abs=1e-12)


@given(st.integers(-40, -4), st.integers(1, 9))
def test_total_variation_of_nearly_equal_distributions_keeps_its_digits(exponent, parts):
    moved = 2.0**exponent / 3
    p = np.full(2 * parts, 1.0)
    q = np.concatenate([p[:parts] + moved, p[parts:] - moved])
    exact = sum(abs(oracles.Fraction(a) - oracles.Fraction(b)) for a, b in zip(p, q, strict=True))
    found = PRCurve.from_masses(p, q).total_variation
    assert found == pytest.approx(float(exact / 4 / parts), rel=1e-15 / moved, abs=0)
    counts = np.array([10**6 + 1, 10**6]), np.array([10**7, 10**7 - 3])
    exact = abs(oracles.Fraction(10**6 + 1, 2 * 10**6 + 1) - oracles.Fraction(10**7, 2 * 10**7 - 3))
    found = PRCurve.from_masses(*counts).total_variation
    assert found == pytest.approx(float(exact), rel=1e-15, abs=0)


@given(CURVES)
def test_areas_and_total_variations_are_at_most_one(curve):
    assert 0 <= curve.area <= 1
    assert 0 <= curve.total_variation <= 1


def test_the_area_of_almost_equal_distributions_is_not_rounded_beyond_one():
    rng = np.random.default_rng(0)
    for _ in range(200):
        p = rng.random(50)
        assert PRCurve.from_masses(p, p * (1 + 1e-16 * rng.integers(-3, 4, 50))).area <= 1


@given(TAME_CURVES, TAME_CURVES)
@settings(max_examples=60, deadline=None)
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


@pytest.mark.parametrize("tiny", [1e-15, 1e-20, 1e-100])
def test_intersections_of_small_regions_keep_their_digits(tiny):
    """The corner (tiny, tiny) is below all of the other polyline."""
    inner = PRCurve.from_masses([tiny, 1], [1, tiny])
    outer = PRCurve.from_masses([2 * tiny, 1], [0.7, 0.3])
    for common in (inner.intersection(outer), outer.intersection(inner)):
        assert common.area / inner.area == pytest.approx(1, rel=1e-12)
        assert common.vertices.fnr[1] == pytest.approx(inner.vertices.fnr[1], rel=1e-15, abs=0)
    union = outer.area
    assert inner.iou(outer) == pytest.approx(inner.area / union, rel=1e-9, abs=0)


@given(CURVES, CURVES)
def test_an_intersection_has_vertices_of_the_two_to_the_last_digits(one, two):
    """Relative to each number itself, however small."""
    points = [np.stack(c.vertices[:2], axis=1) for c in (one, two)]
    points = np.concatenate(points)
    for vertex in np.stack(one.intersection(two).vertices[:2], axis=1):
        off = np.abs(points - vertex) <= 1e-14 * vertex
        assert off.all(axis=1).any()


@given(CURVES, CURVES)
def test_iou_is_a_similarity(one, two):
    assert one.iou(one) == pytest.approx(1, rel=1e-12)
    assert one.iou(two) == pytest.approx(two.iou(one), rel=1e-12, abs=1e-300)
    assert 0 <= one.iou(two) <= 1


def test_numbers_of_the_simplest_curves():
    assert (EQUAL.area, EQUAL.f_score(1), EQUAL.median(), EQUAL.total_variation) == (1, 1, 1, 0)
    assert (HALF.area, HALF.max_precision, HALF.max_recall, HALF.median()) == (0.5, 1, 0.5, 2)
    assert (DISJOINT.area, DISJOINT.f_score(8), DISJOINT.total_variation) == (0, 0, 1)
    assert np.isnan(DISJOINT.median())
    assert DISJOINT.iou(DISJOINT) == 1
    assert DISJOINT.iou(EQUAL) == 0
    assert HALF.iou(EQUAL) == 0.5


@pytest.mark.parametrize("scale", [1e-300, 1e-30, 1.0, 1e30, 1e300])
def test_masses_of_any_scale_give_the_same_curve(scale):
    p, q = np.array([1.0, 2.0, 0.0]), np.array([0.0, 3.0, 5.0])
    expected = PRCurve.from_masses(p, q)
    found = PRCurve.from_masses(p * scale, q)
    assert found.area == pytest.approx(expected.area, rel=1e-15)
    assert found.vertices.ratio.tolist() == pytest.approx(expected.vertices.ratio.tolist())


# Masses whose multiples by 2^±900 are exact.
MODEST = st.lists(
    st.tuples(*[st.one_of(st.sampled_from([0.0, 1.0, 3.0, 2.0**60]), st.floats(1e-15, 1e3))] * 2),
    min_size=1,
    max_size=8,
).filter(lambda cells: all(sum(column) > 0 for column in zip(*cells, strict=True)))


@given(MODEST, st.integers(-900, 900), st.integers(-900, 900))
@settings(max_examples=200)
def test_powers_of_two_change_nothing(cells, p_exponent, q_exponent):
    p, q = map(np.array, zip(*cells, strict=True))
    curve = PRCurve.from_masses(p, q)
    moved = PRCurve.from_masses(np.ldexp(p, p_exponent), np.ldexp(q, q_exponent))
    assert moved == curve
    assert hash(moved) == hash(curve)
    for one, two in zip(moved.vertices, curve.vertices, strict=True):
        np.testing.assert_array_equal(one, two)
    scores = np.arange(p.size)
    weighted = PRCurve.from_scores(scores, scores, w_real=p, w_fake=q)
    moved = PRCurve.from_scores(
        scores, scores, w_real=np.ldexp(p, p_exponent), w_fake=np.ldexp(q, q_exponent)
    )
    assert moved == weighted


def test_tiny_masses_beside_others_stay_there():
    both = PRCurve.from_masses([1e-70, 1e-300], [1e-70, 2e-300])
    assert both.vertices.ratio[1:].tolist() == pytest.approx([2, 1])
    assert both.area == pytest.approx(1)
    for p, q in (
        ([1e-300, 1], [1e-70, 1e-70]),
        ([1e-300, 1e300], [0.5, 0.5]),
        ([5e-324, 1e308], [1e308, 1e308]),
        ([5e-324, 1, 1], [1, 1, 1]),
    ):
        curve = PRCurve.from_masses(p, q)
        assert curve.max_precision == 1
        assert curve.max_recall == 1
        assert (curve.masses[0] > 0).all()
        assert PRCurve.from_masses(*curve.masses).max_precision == 1
        assert curve.swap().max_recall == 1


def test_a_negative_zero_is_a_zero():
    plain = PRCurve.from_masses([0, 1], [1, 1])
    for p in ([-0.0, 1], np.array([-0.0, 1.0])):
        curve = PRCurve.from_masses(p, [1, 1])
        assert curve.max_precision == 0.5
        assert curve == plain
        assert hash(curve) == hash(plain)
    assert not np.signbit(np.concatenate(PRCurve.from_masses([1, 0], [-0.0, 1]).masses)).any()
    rates = PRCurve.from_rates([-0.0], [0.5])
    assert rates == PRCurve.from_rates([0.0], [0.5])
    assert hash(rates) == hash(PRCurve.from_rates([0.0], [0.5]))
    assert rates.max_precision == 0.5
    assert PRCurve.from_rates([0.5], [-0.0]).max_recall == 0.5
    assert not np.signbit(plain.at(-0.0)).any()
    assert plain.at(-0.0) == plain.at(0)
    assert plain.precision_at(-0.0) == plain.max_precision
    weighted = PRCurve.from_scores([0, 1], [0, 1], w_real=[-0.0, 1], w_fake=[1, 1])
    assert weighted == plain


def test_extreme_masses_overflow_nothing():
    curve = PRCurve.from_masses([1e-320, 1.0, 0.0], [1.0, 1e-320, 1e-320])
    assert np.isfinite([curve.area, curve.f_score(8), *curve.at(1.0)]).all()
    assert curve.median() > 0
    assert curve.max_precision == pytest.approx(1)
    assert curve.area == pytest.approx(0, abs=1e-12)
    assert np.isfinite(np.concatenate(curve.outline())).all()


# ---- making and keeping --------------------------------------------------------------------


def test_small_rates_keep_their_digits():
    curve = PRCurve.from_rates([0.1, 0.2], [1e-30, 0.3])
    assert curve.max_recall == 1
    assert curve.vertices.fpr.tolist() == [0, 0.1, 1]
    assert curve.vertices.fnr.tolist() == [1, 1e-30, 0]
    swapped = PRCurve.from_rates([0.3, 1e-30], [0.2, 0.1])
    assert swapped.vertices.fpr.tolist() == [0, 1e-30, 1]
    assert swapped.vertices.fnr.tolist() == [1, 0.1, 0]


@given(hostile.mass_pairs())
def test_rates_give_back_the_curve(masses):
    curve = PRCurve.from_masses(*masses)
    fpr, fnr, _ = curve.vertices
    order = np.random.default_rng(0).permutation(len(fpr))
    again = PRCurve.from_rates(fpr[order], fnr[order])
    lam = curve.grid(101).lam
    np.testing.assert_allclose(again.at(lam)[0], curve.at(lam)[0], rtol=1e-9, atol=1e-14)


@given(st.lists(st.tuples(hostile.RATES, hostile.RATES), min_size=1, max_size=10))
@example([(0.0, 0.0)])
@example([(1.0, 1.0)])
def test_rates_give_the_best_classifier_for_every_lambda(rates):
    fpr, fnr = map(np.array, zip(*rates, strict=True))
    curve = PRCurve.from_rates(fpr, fnr)
    for lam in (0.01, 0.5, 1.0, 3.0, 100.0):
        expected = min(lam, 1.0, (lam * fpr + fnr).min())
        assert curve.at(lam)[0] == pytest.approx(expected, rel=1e-9, abs=1e-14)


@given(st.lists(CURVES, min_size=1, max_size=5))
def test_the_mean_curve_is_the_mean_at_every_lambda(curves):
    mean = PRCurve.mean(curves)
    lam = mean.grid(51).lam
    for k in (0, 1):
        expected = np.mean([curve.at(lam)[k] for curve in curves], axis=0)
        np.testing.assert_allclose(mean.at(lam)[k], expected, rtol=1e-12, atol=1e-15)


def test_the_mean_of_counts_stays_whole():
    runs = [PRCurve.from_masses([3, 1], [1, 3]), PRCurve.from_masses([2, 2], [4, 0])]
    assert PRCurve.mean(runs)._p.tolist() == [1, 2, 3, 2]


def test_the_mean_keeps_what_all_agree_on():
    runs = [PRCurve.from_masses([1], [1], info={"method": "x", "seed": s}) for s in (1, 2)]
    assert dict(PRCurve.mean(runs).info) == {"method": "x", "mean_of": 2}


def test_a_missing_entry_is_no_agreement_on_none():
    runs = [PRCurve.from_masses([1], [1], info=info) for info in ({"split": None}, {})]
    assert dict(PRCurve.mean(runs).info) == {"mean_of": 2}
    assert dict(runs[0].intersection(runs[1]).info) == {"intersection_of": 2}


def test_an_intersection_keeps_what_both_agree_on():
    info = {"method": "x", "split": None}
    one, two = (PRCurve.from_masses([1], [1], info=info | {"seed": seed}) for seed in (1, 2))
    assert dict(one.intersection(two).info) == info | {"intersection_of": 2}


def test_scores_are_counted_where_nothing_else_is_recorded():
    assert dict(PRCurve.from_scores([1, 2], [3]).info) == {"n_real": 2, "n_fake": 1}
    assert dict(PRCurve.from_scores([1, 2], [3], info={"k": 1}).info) == {"k": 1}


def test_a_swapped_curve_says_so():
    curve = PRCurve.from_scores([1, 2], [3])
    assert dict(curve.swap().info) == {"n_real": 2, "n_fake": 1, "swapped": True}
    assert curve.swap().swap().info == curve.info


def test_info_is_a_checked_copy():
    inner = ["a"]
    curve = PRCurve.from_masses([1], [1], info={"n": np.int64(3), "list": inner, "pair": (1, 2)})
    inner.append("b")
    assert dict(curve.info) == {"n": 3, "list": ["a"], "pair": [1, 2]}
    curve.to_dict()["info"]["list"].append("c")
    assert curve.info["list"] == ["a"]
    again = PRCurve.from_dict(json.loads(json.dumps(curve.to_dict(), allow_nan=False)))
    assert again.info == curve.info


def test_records_that_were_not_rescaled_are_read():
    record = HALF.to_dict() | {"p": [2.0**-600, 2.0**-600], "q": [2.0**700, 0.0]}
    assert PRCurve.from_dict(record) == PRCurve.from_masses([1, 1], [1, 0])


@given(CURVES)
def test_swapping_twice_changes_nothing(curve):
    assert curve.swap().swap() == curve
    assert curve.swap().max_precision == curve.max_recall


@given(hostile.mass_pairs())
def test_dictionaries_json_pickle_and_copies_are_lossless(masses):
    curve = PRCurve.from_masses(*masses, info={"method": "histogram", "k": None})
    through_json = PRCurve.from_dict(json.loads(json.dumps(curve.to_dict(), allow_nan=False)))
    for again in (through_json, pickle.loads(pickle.dumps(curve)), deepcopy(curve)):
        assert again == curve
        assert hash(again) == hash(curve)
        assert again.info == curve.info
        assert [x.tolist() for x in again.vertices] == [x.tolist() for x in curve.vertices]


def test_a_curve_cannot_be_changed():
    with pytest.raises(AttributeError, match="immutable"):
        HALF._p = None
    with pytest.raises(AttributeError, match="immutable"):
        del HALF._p
    for array in HALF.vertices:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(TypeError):
        HALF.info["method"] = "other"
    with pytest.raises(TypeError, match=r"use prfast\.pr_curve"):
        PRCurve()


def test_the_callers_arrays_stay_theirs():
    p, q = np.array([1.0, 2.0]), np.array([2.0, 1.0])
    PRCurve.from_masses(p, q)
    p[0] = 7  # still writable
    scores = np.array([3.0, 1.0, 2.0])
    PRCurve.from_scores(scores, scores)
    assert scores.tolist() == [3, 1, 2]


def test_repr_says_what_matters():
    curve = PRCurve.from_masses([0.5, 0.5], [0, 1], info={"method": "kmeans", "n_real": 10})
    text = repr(curve)
    for part in ("precision ≤ 1,", "recall ≤ 0.5", "area 0.5", "2 cells", "method='kmeans'"):
        assert part in text


# ---- errors --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: PRCurve.from_masses([1, -2], [1, 1]), ValueError, "p: numbers >= 0.*index 1"),
        (lambda: PRCurve.from_masses([1, 1], [1]), ValueError, "q: 2 numbers expected, got 1"),
        (lambda: PRCurve.from_masses([0, 0], [1, 1]), ValueError, "p: a positive sum expected"),
        (lambda: PRCurve.from_masses([1], [np.nan]), ValueError, "q: finite.*got nan at index 0"),
        (lambda: PRCurve.from_masses([], []), ValueError, "p: at least one number expected"),
        (lambda: PRCurve.from_masses("ab", [1]), TypeError, "p: .*numbers expected"),
        (lambda: PRCurve.from_scores([1, np.nan], [1]), ValueError, "s_real: .*got nan at index 1"),
        (lambda: PRCurve.from_scores([1], [[1]]), ValueError, r"s_fake: a 1-D array .*\(1, 1\)"),
        (
            lambda: PRCurve.from_scores([1], [1, 2], w_fake=[1]),
            ValueError,
            "w_fake: 2 numbers expected, got 1",
        ),
        (lambda: PRCurve.from_rates([0.5], [1.5]), ValueError, r"fnr: .*\[0, 1\].*got 1.5"),
        (lambda: PRCurve.from_rates([0.5, 1], [1]), ValueError, "fnr: 2 numbers expected, got 1"),
        (lambda: PRCurve.mean([]), ValueError, "curves: at least one PRCurve expected"),
        (lambda: PRCurve.mean([EQUAL, 3]), TypeError, "curves: a PRCurve expected, got int"),
        (lambda: EQUAL.iou(1), TypeError, "other: a PRCurve expected, got int"),
        (lambda: EQUAL.at(-1), ValueError, r"lam: numbers in \[0, ∞\] expected, got -1"),
        (lambda: EQUAL.at(np.nan), ValueError, "lam: .*got nan"),
        (lambda: EQUAL.at("x"), TypeError, "lam: .*numbers expected"),
        (lambda: EQUAL.at(MASKED), TypeError, "lam: a plain array expected, got a masked array"),
        (lambda: EQUAL.at([[1], [1, 2]]), TypeError, "lam: an array of numbers expected"),
        (lambda: EQUAL.precision_at(MASKED), TypeError, "recall: a plain array expected"),
        (lambda: EQUAL.recall_at(MASKED), TypeError, "precision: a plain array expected"),
        (lambda: EQUAL.recall_at([[1], [1, 2]]), TypeError, "precision: an array of numbers"),
        (lambda: EQUAL.contains(MASKED, 1), TypeError, "precision: a plain array expected"),
        (lambda: EQUAL.contains(1, MASKED), TypeError, "recall: a plain array expected"),
        (
            lambda: EQUAL.contains([1, 1], [1, 1, 1]),
            ValueError,
            r"precision and recall: shapes that broadcast expected, got \(2,\) and \(3,\)",
        ),
        (
            lambda: PRCurve.from_masses([1], [1], info={"k": np.zeros(2)}),
            TypeError,
            r"info\['k'\]: None, a bool, .* expected, got a numpy.ndarray",
        ),
        (lambda: PRCurve.mean([EQUAL], info=3), TypeError, "info: a mapping expected, got a int"),
        (
            lambda: PRCurve.from_dict({**HALF.to_dict(), "info": {1: 2}}),
            TypeError,
            r"record\['info'\]: keys of type str expected, got 1",
        ),
        (
            lambda: PRCurve.from_dict({**HALF.to_dict(), "p": [1e308] * 2, "q": [1e308] * 2}),
            ValueError,
            r"record\['p'\]: masses with a finite sum expected",
        ),
        (lambda: EQUAL.grid(1), ValueError, "angles: an integer of at least 2 expected, got 1"),
        (
            lambda: EQUAL.grid(10**30),
            ValueError,
            "angles: an integer of at most 100000000 expected",
        ),
        (lambda: EQUAL.grid(2.5), TypeError, "angles: an integer expected, got a float"),
        (lambda: EQUAL.precision_at(1.5), ValueError, r"recall: numbers in \[0, 1\]"),
        (lambda: EQUAL.recall_at(-0.5), ValueError, r"precision: numbers in \[0, 1\]"),
        (lambda: EQUAL.contains(np.nan, 0), ValueError, "precision: finite numbers expected"),
        (lambda: EQUAL.f_score(-1), ValueError, r"beta: a number in \[0, ∞\] expected, got -1"),
        (lambda: EQUAL.f_score("1"), TypeError, "beta: a number expected, got a str"),
        (lambda: EQUAL.outline(0), ValueError, "tolerance: a number in"),
        (lambda: PRCurve.from_dict({}), ValueError, r"record: format .* expected, got None"),
        (
            lambda: PRCurve.from_dict({"format": "prfast.PRCurve/1", "p": [1]}),
            ValueError,
            r"missing \['info', 'q'\]",
        ),
        (
            lambda: PRCurve.from_dict({**HALF.to_dict(), "p": [0.5, 0.1], "q": [0.1, 0.5]}),
            ValueError,
            "record: cells by falling ratio",
        ),
    ],
)
def test_errors_name_the_argument_what_was_expected_and_what_came(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_equality_is_of_distributions_not_of_scale():
    assert PRCurve.from_masses([1, 2], [2, 1]) == PRCurve.from_masses([3, 6], [20, 10])
    assert PRCurve.from_masses([1, 2], [2, 1]) != PRCurve.from_masses([1, 2], [2, 2])
    assert HALF != "something else"
