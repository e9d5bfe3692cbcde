"""Masses of any scale: powers of two, tiny ones, zeros."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from prfast import PRCurve

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
    for one, two in zip(moved.vertices, curve.vertices, strict=True):
        np.testing.assert_array_equal(one, two)
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
