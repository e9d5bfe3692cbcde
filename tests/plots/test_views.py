"""Every view is a whole row: it draws, gives points and a record, and says what they are."""

import json
import math

import numpy as np
import pytest
from matplotlib.axes import Axes

from prfast import PRCurve
from prfast.plots import VIEWS, views

CURVE = PRCurve.from_masses([3, 2, 1, 1], [1, 2, 3, 1])
ORDER = {"order": 2.0}
EACH = pytest.mark.parametrize("view", list(views.ROWS))


def test_the_names_of_the_rows_are_the_names_everywhere():
    names = [row.name for row in views.ROWS.values()]
    assert {"pr", "lorenz", "roc", "frontier"} <= set(names)
    assert list(views.ROWS) == list(VIEWS) == names
    assert list(views.view_points(CURVE)) == names
    assert list(views.view_axes([views.view_points(CURVE)], math.inf)) == names


@EACH
def test_a_view_draws_its_line(view):
    assert VIEWS[view] is views.ROWS[view].plot
    ax = CURVE.plot(view=view)
    assert isinstance(ax, Axes)
    x, y = views.ROWS[view].line(CURVE)
    np.testing.assert_array_equal(ax.lines[0].get_data(), [x, y])
    diagonals = [line for line in ax.lines if np.array_equal(line.get_data(), [[0, 1], [0, 1]])]
    assert bool(diagonals) == views.ROWS[view].diagonal


@EACH
def test_a_view_has_a_record_for_json(view):
    record = views.view_record(CURVE, view)
    assert record.pop("view") == view
    assert record
    assert json.loads(json.dumps(record, allow_nan=False)) == record


@EACH
@pytest.mark.parametrize("order", [2.0, math.inf])
def test_a_view_has_points_between_the_ends_of_its_axes(view, order):
    points = views.view_points(CURVE, order=order)[view]
    end = views.view_axes([views.view_points(CURVE, order=order)], order)[view]["end"]
    assert len(points["x"]) == len(points["y"]) > 1
    assert points["at"] is None or len(points["at"]) == len(points["x"])
    assert min(points["x"] + points["y"]) >= 0
    # A frontier is long: its middle is what has to be seen.
    assert np.maximum(points["x"], points["y"]).min() < end


@EACH
@pytest.mark.parametrize("order", [0.5, 2.0, math.inf])
def test_a_view_has_points_of_equal_and_of_disjoint_distributions(view, order):
    """Frontiers of one point: (0, 0), and (∞, ∞), which is nowhere."""
    for masses, many in (([1, 0], True), ([0, 1], view != "frontier")):
        points = views.view_points(PRCurve.from_masses([1, 0], masses), order=order)[view]
        assert bool(points["x"]) == bool(points["y"]) == many
        assert np.isfinite(points["x"] + points["y"]).all()


@EACH
def test_a_view_says_what_it_shows(view):
    row, axes = views.ROWS[view], views.view_axes([views.view_points(CURVE, **ORDER)], 2.0)[view]
    assert row.title
    for key in ("x", "y", "about"):
        assert axes[key]
        assert not set("{}$") & set(axes[key])
    assert len(axes["hover"]) == 2
    assert axes["about"].endswith(".")
    assert ("order 2" in axes["about"]) == ("order" in row.options)


@EACH
def test_a_view_takes_its_own_options_alone(view):
    row = views.ROWS[view]
    assert row.own(ORDER | {"other": 1}) == (ORDER if "order" in row.options else {})
    row.line(CURVE, **row.own(ORDER))
    row.record(CURVE, **row.own(ORDER))
