"""Pictures that notebooks show: the figure, once, sharp, and without pyplot."""

import io

from matplotlib.image import imread

from prfast import PRCurve

CURVE = PRCurve.from_masses([3, 2, 1, 0], [0, 1, 2, 3])


def pixels(png):
    """(rows, columns, RGB) in [0, 1]."""
    return imread(io.BytesIO(png), format="png")[..., :3]


def test_notebooks_display_axes_as_their_figure_in_double_resolution():
    png, size = CURVE.plot()._repr_png_()
    assert size == {"width": 500, "height": 500}
    assert pixels(png).shape == (1000, 1000, 3)


def test_display_changes_no_figure_and_registers_none_with_pyplot():
    import matplotlib.pyplot as plt

    before = plt.get_fignums()
    ax = CURVE.plot()
    dpi = ax.figure.dpi
    assert ax._repr_png_() == CURVE.plot()._repr_png_()
    assert ax.figure.dpi == dpi
    assert plt.get_fignums() == before
