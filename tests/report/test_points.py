"""Points of the views in a report lie on the exact curve; the texts beside a view fit it."""

import math

import numpy as np
import pytest
from curves import DROPS, GOOD, INVENTS, curve

from prfast.reference import GaussianShift
from prfast.report.points import view_points
from prfast.theory import lorenz, renyi_frontier, roc


def numbers(at):
    return np.array([[np.inf if x == "∞" else float(x) for x in row] for row in at]).T


@pytest.mark.parametrize(
    "one", [GOOD, DROPS, INVENTS, GaussianShift(1.0, 2).curve()], ids=["good", "drops", "inv", "g"]
)
def test_every_point_of_every_view_is_on_the_exact_curve(one):
    result = view_points(one)
    x, y, at = (result["pr"][key] for key in ("x", "y", "at"))
    lam, precision, recall = numbers(at)
    exact = one.at(lam)
    np.testing.assert_allclose([y, x], exact, atol=6e-4)  # λ has four digits
    np.testing.assert_allclose([precision, recall], [y, x], atol=6e-5)
    assert (np.diff(lam) <= 0).all()
    assert np.hypot(np.diff(x), np.diff(y)).max() < 0.02

    t, F = result["lorenz"]["x"], result["lorenz"]["y"]
    inside = np.array(t) < 1  # above t = 1 the line is upright
    np.testing.assert_allclose(np.array(F)[inside], lorenz(one)(t)[inside], atol=2e-5)
    fpr, tpr = result["roc"]["x"], result["roc"]["y"]
    rest = np.array(fpr) > 0
    expected = np.interp(fpr, *roc(one))
    np.testing.assert_allclose(np.array(tpr)[rest], expected[rest], atol=2e-5)

    x, y = (np.array(result["frontier"][key]) for key in "xy")
    lam, precision, recall = numbers(result["frontier"]["at"])
    np.testing.assert_allclose(np.exp(-x), recall, atol=6e-5)
    np.testing.assert_allclose(np.exp(-y), precision, atol=6e-5)
    ends = renyi_frontier(one, np.inf)
    np.testing.assert_allclose([x.max(), y.max()], [ends.to_real.max(), ends.to_fake.max()], 1e-5)


@pytest.mark.parametrize(("view", "order"), [("roc", -1), ("lorenz", 1)])
def test_lambda_of_a_polyline_is_its_slope(view, order):
    """It falls along a ROC curve, which is concave, and rises along a Lorenz curve."""
    result = view_points(DROPS)[view]
    lam, *_ = numbers(result["at"])
    x, y = np.array(result["x"]), np.array(result["y"])
    edges = np.isin(lam, [1.25])  # 0.5 / 0.4, the only ratio between 0 and ∞
    slope = np.diff(y) / np.diff(x)
    assert edges.sum() > 50
    np.testing.assert_allclose(slope[edges[1:] & edges[:-1]], 1.25, rtol=1e-3)
    one_way = lam[::order]
    assert (one_way[:-1] <= one_way[1:]).all()
    assert one_way[0] < one_way[-1]


def test_an_order_of_the_frontier_other_than_infinity():
    x, y, at = view_points(GOOD, 2.0)["frontier"].values()
    whole = renyi_frontier(GOOD, 2.0)
    np.testing.assert_allclose(y, np.interp(x, whole.to_real[::-1], whole.to_fake[::-1]), atol=1e-5)
    assert at is None


@pytest.mark.parametrize("order", [0.5, 2.0, math.inf])
def test_equal_and_disjoint_distributions_have_finite_points(order):
    """The frontier of disjoint supports is (∞, ∞), which is not drawn."""
    equal, disjoint = (view_points(curve([1, 0], q), order) for q in ([1, 0], [0, 1]))
    assert disjoint["frontier"]["x"] == []
    assert set(disjoint["pr"]["x"]) == {0.0}
    for views in (equal, disjoint):
        assert np.isfinite([x for view in views.values() for x in view["x"] + view["y"]]).all()
