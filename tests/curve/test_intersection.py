"""What two curves have in common, against quadrature."""

import numpy as np
import pytest
from curves import CURVES, TAME_CURVES, steps_of
from hypothesis import given, settings
from scipy.optimize import brentq


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
