"""Points of a curve: β of λ, precision of a recall, what is below it, its outline and picture."""

from fractions import Fraction

import numpy as np
import pytest
from curves import CURVES, DISJOINT, EQUAL, HALF
from hypothesis import given
from hypothesis import strategies as st

from prfast.curve.polyline import rejected


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


def test_precision_at_the_largest_recall_is_the_top_of_the_vertical_piece():
    assert HALF.precision_at(0.5) == 1
    assert HALF.precision_at(0.500001) == 0
    assert HALF.recall_at(1.0) == 0.5
    assert EQUAL.precision_at(1.0) == 1
    assert EQUAL.precision_at([[0.0, 1.0]]).tolist() == [[1, 1]]
    assert DISJOINT.precision_at([0.0, 0.1]).tolist() == [0, 0]


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


COUNTS = [(a, b) for a in range(7) for b in range(7) if a + b]


def real(a, b, gamma):
    """Return the paper's f_γ in exact numbers; the ends as limits."""
    if gamma == np.inf:
        return a > 0
    if gamma == 0:
        return b == 0
    weighed = Fraction(gamma) * a
    return weighed >= b if gamma >= 1 else weighed > b


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("gamma", [0, 5e-324, 0.125, 0.5, 1, 2, 4, 6, 1e300, np.inf])
def test_the_rule_is_that_of_the_paper_for_every_pair_of_counts(gamma, log):
    with np.errstate(divide="ignore"):
        ratios = {pair: np.float64(pair[0]) / pair[1] for pair in COUNTS}
        result = np.array([ratios[pair] for pair in COUNTS])
        given = np.log(result) if log else result
    for pair in COUNTS:
        score = given[COUNTS.index(pair)]
        called = rejected(np.array([score]), np.array([float(gamma)]), log=log)
        assert bool(called[0] == 0) is real(*pair, gamma), pair
