"""The outline of a curve: few points, near all of it."""

import numpy as np
from curves import CURVES
from hypothesis import given


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
