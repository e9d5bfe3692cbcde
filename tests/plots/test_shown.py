"""Pictures that notebooks show: the figure, once, sharp, and without pyplot."""

import io
import pickle

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.image import imread

from prfast import PRCurve
from prfast.plots import COLORS, new_figure, plot_curves, plot_f_scores, small_png

CURVE = PRCurve.from_masses([3, 2, 1, 0], [0, 1, 2, 3])


def pixels(png):
    """(rows, columns, RGB) in [0, 1]."""
    return imread(io.BytesIO(png), format="png")[..., :3]


def colored(image, color):
    """Shares of width and height, from the left and from below, of the pixels of a color."""
    rows, columns = np.nonzero(np.abs(image - to_rgb(color)).max(axis=2) < 0.02)
    return columns / image.shape[1], 1 - rows / image.shape[0]


def test_axes_are_shown_as_their_figure_twice_as_fine_as_it_is_large():
    png, size = CURVE.plot()._repr_png_()
    assert size == {"width": 500, "height": 500}
    assert pixels(png).shape == (1000, 1000, 3)


def test_the_picture_has_the_curve_where_it_is():
    ax = plot_curves(CURVE)
    image = pixels(ax._repr_png_()[0])
    x, y = colored(image, COLORS[0])
    box = ax.get_position()  # as it was drawn
    recall, precision = (x - box.x0) / box.width, (y - box.y0) / box.height
    assert len(recall) > 1000
    on = CURVE.precision_at(np.clip(recall, 0, 1))
    upright = np.abs(recall - CURVE.max_recall) < 0.02
    assert (np.abs(precision - on)[~upright] < 0.03).all()


def test_figures_are_shown_with_all_their_axes():
    figure, (left, right) = new_figure(2, (6, 3))
    plot_curves(CURVE, left)
    plot_f_scores([CURVE], right)
    for shown in (figure, left, right):
        png, size = shown._repr_png_()
        assert size == {"width": 600, "height": 300}
        x, _ = colored(pixels(png), COLORS[0])
        assert x.min() < 0.25  # the curve, and the point of its F-scores
        assert x.max() > 0.75


def test_loggers_know_them_by_matplotlibs_types():
    ax = CURVE.plot()
    assert type(ax.figure) is Figure
    assert type(ax) is Axes


def test_axes_that_are_given_are_shown_by_whoever_made_them():
    ax = Figure().add_subplot()
    assert not hasattr(plot_curves(CURVE, ax), "_repr_png_")


def test_what_is_shown_changes_no_figure_and_nothing_is_registered_with_pyplot():
    import matplotlib.pyplot as plt

    before = plt.get_fignums()
    ax = CURVE.plot()
    dpi = ax.figure.dpi
    assert ax._repr_png_() == CURVE.plot()._repr_png_()
    assert ax.figure.dpi == dpi
    assert plt.get_fignums() == before


def test_they_are_pickled_as_what_they_are():
    ax = pickle.loads(pickle.dumps(CURVE.plot()))
    assert ax._repr_png_() == CURVE.plot()._repr_png_()


def test_a_curve_has_a_small_picture():
    png, size = small_png(CURVE)
    assert CURVE._repr_png_() == (png, size)
    assert size == {"width": 280, "height": 280}
    assert pixels(png).shape == (280, 280, 3)
    assert len(colored(pixels(png), COLORS[0])[0]) > 100
    assert len(png) < 20_000


def test_without_matplotlib_a_curve_has_no_picture(monkeypatch):
    """None in sys.modules makes Python's import raise as if it were not installed."""
    import sys

    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert CURVE._repr_png_() is None
    assert "<svg" in CURVE._repr_html_()
    with pytest.raises(ImportError, match="matplotlib is needed for plots"):
        CURVE.plot()
