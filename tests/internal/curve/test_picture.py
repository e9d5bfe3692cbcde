"""The small picture: an SVG whose line is the curve."""

import re

import numpy as np
import pytest

from prfast import PRCurve
from prfast.curve.picture import COLORS, picture

CURVE = PRCurve.from_masses([3, 2, 1, 0], [0, 1, 2, 3])
LEFT, TOP, SIDE = 30, 10, 180


def paths(svg):
    """(x, y) of the lines in the square's own units, after its frame."""
    result = re.findall(r'<path d="M([^"HV]*)" stroke="(?:#|currentColor" stroke-width)', svg)
    for path in result:
        x, y = np.array([point.split() for point in path.split("L")], float).T
        yield (x - LEFT) / SIDE, 1 - (y - TOP) / SIDE


def test_the_line_is_the_curve():
    ((recall, precision),) = paths(picture([CURVE.outline()], "a curve"))
    assert len(recall) < len(CURVE.outline()[0])
    inner = (recall > 0.01) & (precision > 0.01)
    alpha, beta = CURVE.at(precision[inner] / recall[inner])
    np.testing.assert_allclose([precision[inner], recall[inner]], [alpha, beta], atol=1e-3)
    assert (recall[0], precision[0]) == pytest.approx((0, CURVE.max_precision), abs=1e-3)
    assert (recall[-1], precision[-1]) == pytest.approx((CURVE.max_recall, 0), abs=1e-3)


def test_a_curve_that_is_a_point_is_a_dot():
    disjoint = PRCurve.from_masses([1, 0], [0, 1])
    svg = picture([disjoint.outline()], "disjoint")
    assert f'd="M{LEFT} {TOP + SIDE}h0" stroke="{COLORS[0]}" stroke-width="6"' in svg
