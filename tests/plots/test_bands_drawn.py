"""Bands in pictures: what a sample proves, filled, and what it is called."""

import numpy as np
import pytest

from prfast import PRCurve, pr_curve
from prfast.plots import COLORS, plot_curves
from prfast.reference import Discrete, GaussianShift

CURVE = GaussianShift(1.0).curve(4096)
STEPS = Discrete([3, 2, 1, 0], [0, 1, 2, 3]).curve()
BELOW = "the true curve is below"
COUNTED = pr_curve(*GaussianShift(1.0).sample(500), GaussianShift(1.0).log_ratio)
FOLDED = PRCurve.from_dict(COUNTED.to_dict() | {"info": dict(COUNTED.info) | {"folds": 10}})


def test_a_band_is_filled_and_the_upper_curve_dotted():
    ax = plot_curves(COUNTED, band=0.9)
    line, edge = ax.lines
    np.testing.assert_array_equal(line.get_data(), COUNTED.outline())
    np.testing.assert_array_equal(edge.get_data(), COUNTED.upper(0.9).outline())
    assert edge.get_color() == line.get_color() == COLORS[0]
    path = ax.patches[0].get_path()
    lower, upper = COUNTED.band(0.9)
    lam = np.array([0.2, 0.5, 1.0, 2.0, 5.0])
    for one, factor, inside in (
        (COUNTED, 1.0, True),
        (lower, 1.01, True),
        (lower, 0.99, False),
        (upper, 0.99, True),
        (upper, 1.01, False),
    ):
        precision, recall = one.at(lam)
        points = factor * np.stack([recall, precision], axis=1)
        assert path.contains_points(points).tolist() == [inside] * lam.size


def test_the_legend_says_what_is_certified():
    ax = plot_curves([COUNTED, FOLDED, COUNTED], band=0.95, labels="abc", truth=CURVE)
    texts = [text.get_text() for text in ax.figure.legends[0].texts]
    assert texts == ["a", "b", "c", "truth", f"95 %: {BELOW}", f"95 %: {BELOW} (empirical)"]
    edges = [line for line in ax.lines if line.get_linewidth() == 1.2 and line.get_zorder() == 2]
    assert len({str(line._dash_pattern) for line in edges}) == 2
    assert [t.get_text() for t in plot_curves(COUNTED, band=0.5).get_legend().texts] == [
        f"50 %: {BELOW}"
    ]


def test_a_curve_without_a_band_is_named():
    with pytest.raises(ValueError, match=r"^curves\[1\]: cells that count samples expected"):
        plot_curves([COUNTED, STEPS], band=0.95)
    with pytest.raises(ValueError, match=r"^band: a number in \(0, 1\) expected, got 95"):
        COUNTED.plot(band=95)
