"""PRCurve: points, numbers against quadrature, conversions, errors."""

import json
import pickle
from copy import deepcopy
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

CURVES = hostile.mass_pairs().map(lambda masses: PRCurve.from_masses(*masses))
HALF = PRCurve.from_masses([0.5, 0.5], [0.0, 1.0])  # mode dropping: the rectangle 1 × 0.5
EQUAL = PRCurve.from_masses([1.0], [1.0])
DISJOINT = PRCurve.from_masses([1.0, 0.0], [0.0, 1.0])


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


@given(hostile.mass_pairs())
def test_total_variation_is_half_the_absolute_difference(masses):
    p, q = map(oracles.normalised, masses)
    curve = PRCurve.from_masses(*masses)
    assert curve.total_variation == pytest.approx(0.5 * np.abs(p - q).sum(), abs=1e-12)


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


def test_extreme_masses_overflow_nothing():
    curve = PRCurve.from_masses([1e-320, 1.0, 0.0], [1.0, 1e-320, 1e-320])
    assert np.isfinite([curve.area, curve.f_score(8), *curve.at(1.0)]).all()
    assert curve.median() > 0
    assert curve.max_precision == pytest.approx(1)
    assert curve.area == pytest.approx(0, abs=1e-12)
    assert np.isfinite(np.concatenate(curve.outline())).all()


# ---- making and keeping --------------------------------------------------------------------


@given(hostile.mass_pairs())
def test_rates_give_back_the_curve(masses):
    curve = PRCurve.from_masses(*masses)
    fpr, fnr, _ = curve.vertices
    order = np.random.default_rng(0).permutation(len(fpr))
    again = PRCurve.from_rates(fpr[order], fnr[order])
    lam = curve.grid(101).lam
    np.testing.assert_allclose(again.at(lam)[0], curve.at(lam)[0], rtol=1e-9, atol=1e-14)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=10))
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
    for array in HALF.vertices[:2]:
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
        (lambda: EQUAL.grid(1), ValueError, "angles: an integer of at least 2 expected, got 1"),
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
