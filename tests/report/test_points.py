"""Points of curves in a report lie on the exact curve."""

import numpy as np
import pytest
from curves import DROPS, GOOD, INVENTS, curve

from prfast.reference import GaussianShift
from prfast.report.points import curve_points


@pytest.mark.parametrize(
    "one", [GOOD, DROPS, INVENTS, GaussianShift(1.0, 2).curve()], ids=["good", "drops", "inv", "g"]
)
def test_every_point_is_on_the_exact_curve(one):
    x, y, at = curve_points(one).values()
    lam, precision, recall = np.array([[x.replace("∞", "inf") for x in row] for row in at], float).T
    np.testing.assert_allclose([y, x], one.at(lam), atol=6e-4)  # λ has four digits
    np.testing.assert_allclose([precision, recall], [y, x], atol=6e-5)
    assert (np.diff(lam) <= 0).all()
    assert np.hypot(np.diff(x), np.diff(y)).max() < 0.02


def test_equal_and_disjoint_distributions_have_finite_points():
    for q, ends in (([1, 0], 1.0), ([0, 1], 0.0)):
        points = curve_points(curve([1, 0], q))
        assert max(points["x"]) == max(points["y"]) == ends
