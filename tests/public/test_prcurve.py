"""Curves made, joined, kept, compared and refused; masses of any scale."""

import json
import pickle
from copy import deepcopy

import hostile
import numpy as np
import pytest
from curves import CURVES, EQUAL, HALF
from hypothesis import example, given, settings
from hypothesis import strategies as st
from refusals import refusals

from prfast import PRCurve


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
@example([EQUAL, HALF])
@example([PRCurve.from_scores([1, 2, 3], fake) for fake in ([0, 1, 2], [2, 2, 2])])
def test_the_mean_curve_is_the_mean_at_every_lambda(curves):
    mean = PRCurve.mean(curves)
    lam = mean.grid(51).lam
    for k in (0, 1):
        expected = np.mean([curve.at(lam)[k] for curve in curves], axis=0)
        np.testing.assert_allclose(mean.at(lam)[k], expected, rtol=1e-12, atol=1e-15)


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
    for name in ("area", "info", "other"):
        with pytest.raises(AttributeError):
            setattr(HALF, name, 1)
    for array in HALF.vertices:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(TypeError):
        HALF.info["method"] = "other"
    with pytest.raises(TypeError, match=r"use prfast\.pr_curve"):
        PRCurve()


test_errors_name_the_argument_what_was_expected_and_what_came = refusals("""
PRCurve.from_masses([1, -2], [1, 1])
    ValueError: p: numbers >= 0 expected, got -2.0 at index 1
PRCurve.from_masses([1, 1], [1])
    ValueError: q: 2 numbers expected, got 1
PRCurve.from_scores([1, np.nan], [1])
    ValueError: s_real: numbers or ±inf expected, got nan at index 1
PRCurve.mean([EQUAL, 3])
    TypeError: curves: a PRCurve expected, got int
EQUAL.contains([1, 1], [1, 1, 1])
    ValueError: precision and recall: shapes that broadcast expected, got (2,) and (3,)
PRCurve.from_masses([1], [1], info={"k": np.zeros(2)})
    TypeError: info: entries that JSON can represent expected: got a numpy.ndarray
PRCurve.from_dict({**HALF.to_dict(), "p": [0.5, 0.1], "q": [0.1, 0.5]})
    ValueError: record: cells by falling ratio
""")


def test_equality_is_of_distributions_not_of_scale():
    assert PRCurve.from_masses([1, 2], [2, 1]) == PRCurve.from_masses([3, 6], [20, 10])
    assert PRCurve.from_masses([1, 2], [2, 1]) != PRCurve.from_masses([1, 2], [2, 2])
    assert HALF != "something else"


# Masses whose multiples by 2^±900 are exact.
MODEST = st.lists(
    st.tuples(*[st.one_of(st.sampled_from([0.0, 1.0, 3.0, 2.0**60]), st.floats(1e-15, 1e3))] * 2),
    min_size=1,
    max_size=8,
).filter(lambda cells: all(sum(column) > 0 for column in zip(*cells, strict=True)))


@given(MODEST, st.integers(-900, 900), st.integers(-900, 900))
@settings(max_examples=50)
def test_powers_of_two_change_nothing(cells, p_exponent, q_exponent):
    p, q = map(np.array, zip(*cells, strict=True))
    curve = PRCurve.from_masses(p, q)
    moved = PRCurve.from_masses(np.ldexp(p, p_exponent), np.ldexp(q, q_exponent))
    assert moved == curve
    assert hash(moved) == hash(curve)
    for points, expected in zip(moved.vertices, curve.vertices, strict=True):
        np.testing.assert_array_equal(points, expected)
    scores = np.arange(p.size)
    weighted = PRCurve.from_scores(scores, scores, w_real=p, w_fake=q)
    moved = PRCurve.from_scores(
        scores, scores, w_real=np.ldexp(p, p_exponent), w_fake=np.ldexp(q, q_exponent)
    )
    assert moved == weighted


def test_a_negative_zero_is_a_zero():
    plain = PRCurve.from_masses([0, 1], [1, 1])
    for p in ([-0.0, 1], np.array([-0.0, 1.0])):
        curve = PRCurve.from_masses(p, [1, 1])
        assert curve.max_precision == 0.5
        assert curve == plain
        assert hash(curve) == hash(plain)
    assert not np.signbit(np.concatenate(PRCurve.from_masses([1, 0], [-0.0, 1]).masses)).any()
    assert PRCurve.from_rates([-0.0], [0.5]) == PRCurve.from_rates([0.0], [0.5])
    assert not np.signbit(plain.at(-0.0)).any()
    assert plain.at(-0.0) == plain.at(0)
    assert plain.precision_at(-0.0) == plain.max_precision
    weighted = PRCurve.from_scores([0, 1], [0, 1], w_real=[-0.0, 1], w_fake=[1, 1])
    assert weighted == plain


def test_scores_the_wrong_way_round_are_named():
    rng = np.random.default_rng(0)
    real, fake = rng.normal(1.5, size=200), rng.normal(size=200)
    right, wrong = PRCurve.from_scores(real, fake), PRCurve.from_scores(-real, -fake)
    assert right.provenance.caution is None
    assert wrong.area > 0.95
    assert f"the area is {right.area:.2f}" in wrong.provenance.caution
    assert wrong.provenance.caution in wrong.explain()
    assert "larger scores" in str(wrong)
    equal = PRCurve.from_scores(*rng.normal(size=(2, 200)))
    assert equal.provenance.caution is None
