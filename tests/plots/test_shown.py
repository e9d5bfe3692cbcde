"""Pictures that notebooks show: the figure, once, sharp, and without pyplot."""

import io
import pickle

import pytest
from matplotlib.image import imread

from prfast import PRCurve
from prfast.plots import small_png

CURVE = PRCurve.from_masses([3, 2, 1, 0], [0, 1, 2, 3])


def pixels(png):
    """(rows, columns, RGB) in [0, 1]."""
    return imread(io.BytesIO(png), format="png")[..., :3]


def test_axes_are_shown_as_their_figure_twice_as_fine_as_it_is_large():
    png, size = CURVE.plot()._repr_png_()
    assert size == {"width": 500, "height": 500}
    assert pixels(png).shape == (1000, 1000, 3)


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
