"""Lorenz and ROC curves and frontiers: what is drawn is the curve's own."""

import io

import numpy as np
import pytest

from prfast import PRCurve
from prfast.plots import new_figure, plot_frontiers, plot_lorenz, plot_roc
from prfast.reference import Discrete, GaussianShift
from prfast.theory import lorenz, mauve_frontier, renyi_frontier, roc, tsallis_frontier

CURVE = GaussianShift(1.0).curve(512)
STEPS = Discrete([3, 2, 1, 0], [0, 1, 2, 3]).curve()
POINT = PRCurve.from_masses([1, 0], [0, 1])


@pytest.mark.parametrize("curve", [CURVE, STEPS, POINT], ids=["smooth", "steps", "point"])
def test_lorenz_and_roc_lines_are_the_polylines(curve):
    for draw, (x, y) in ((plot_lorenz, lorenz(curve).vertices), (plot_roc, roc(curve))):
        ax = draw(curve)
        drawn = np.column_stack(ax.lines[0].get_data())
        assert {tuple(point) for point in drawn} <= set(zip(x, y, strict=True))
        # Along x + y, which rises.
        assert np.abs(np.interp(x + y, drawn.sum(axis=1), drawn[:, 0]) - x).max() < 1.5e-4
        np.testing.assert_array_equal(drawn[[0, -1]], [[0, 0], [1, 1]])
        np.testing.assert_array_equal(ax.lines[-1].get_data(), [[0, 1], [0, 1]])
        assert (ax.get_xlim(), ax.get_ylim(), ax.get_aspect()) == ((0, 1), (0, 1), 1)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, renyi_frontier(STEPS, np.inf)),
        ({"order": -np.inf, "kind": "tsallis"}, tsallis_frontier(STEPS, -np.inf)),
        ({"order": 2, "inclusive": True}, renyi_frontier(STEPS, 2, inclusive=True)),
        ({"kind": "mauve"}, mauve_frontier(STEPS)),
    ],
    ids=["renyi", "tsallis", "inclusive", "mauve"],
)
def test_frontiers_have_the_real_side_to_the_right(options, expected):
    ax = plot_frontiers(STEPS, **options)
    np.testing.assert_array_equal(ax.lines[0].get_data(), expected[::-1])
    assert (ax.get_xlabel()[-9:], ax.get_ylabel()[-12:]) == (" (recall)", " (precision)")


def test_the_axes_of_frontiers_show_every_middle():
    ax = plot_frontiers([CURVE, STEPS, POINT])
    end = ax.get_xlim()[1]
    assert ax.get_ylim() == (0, end)
    for curve in (CURVE, STEPS):
        assert np.max(renyi_frontier(curve, np.inf), axis=0).min() < end / 4
    middle = np.max(renyi_frontier(CURVE, np.inf), axis=0).min()
    assert plot_frontiers(CURVE).get_xlim()[1] == pytest.approx(1.05 * 5 * middle)
    assert plot_frontiers(POINT).get_xlim() == (0, 1)
    assert plot_frontiers(CURVE, order=1, limit=3).get_xlim() == (0, 3)


@pytest.mark.parametrize("draw", [plot_lorenz, plot_roc, plot_frontiers])
def test_views_take_the_options_of_plot_curves(draw):
    _, (ax, _) = new_figure(2, (8, 4))
    drawn = draw(
        [CURVE, STEPS], ax, labels=["a", "_b"], truth=[STEPS, CURVE], colors=["red"], title="$"
    )
    assert drawn is ax
    assert [line.get_color() for line in ax.lines[:4]] == ["red"] * 4
    assert [line.get_linestyle() for line in ax.lines[:4]] == ["-", "--"] * 2
    assert [text.get_text() for text in ax.get_legend().texts] == ["a", "_b"]
    assert ax.get_title() == r"\$"
    assert draw(CURVE, labels=["a"], truth=STEPS, legend=False).get_legend() is None
    ax.figure.savefig(io.BytesIO(), format="png")
