"""Pictures: what is drawn is the curve."""

import io

import numpy as np
import pytest
from matplotlib.image import imread
from refusals import refusals

from prfast import PRCurve, Profile, pr_curve
from prfast.plots import COLORS, new_axes, plot_curves, plot_f_scores, plot_frontiers, plot_profiles  # noqa: F401
from prfast.reference import Discrete, GaussianShift

CURVE = GaussianShift(1.0).curve(4096)
STEPS = Discrete([3, 2, 1, 0], [0, 1, 2, 3]).curve()
POINT = PRCurve.from_masses([1, 0], [0, 1])


@pytest.mark.parametrize("curve", [CURVE, STEPS], ids=["smooth", "steps"])
def test_every_point_of_the_line_is_on_the_curve_from_end_to_end(curve):
    (line,) = plot_curves(curve).lines
    recall, precision = line.get_data()
    assert (recall[0], precision[-1]) == (0, 0)
    assert (precision[0], recall[-1]) == (curve.max_precision, curve.max_recall)
    inner = precision[1:-1], recall[1:-1]
    alpha, beta = curve.at(inner[0] / inner[1])
    np.testing.assert_allclose(inner, (alpha, beta), rtol=1e-9)


@pytest.mark.parametrize(
    ("n", "name"), [(5, "m"), (20, "a/checkpoint/of/some/generator_with_a_long_name_")]
)
def test_more_than_four_labels_stand_below_the_axes_which_keep_their_size(n, name):
    ax = plot_curves([CURVE] * n, labels=[f"{name}{i}" for i in range(n)])
    alone = plot_curves(CURVE)
    for axes in (ax, alone):
        axes.figure.draw_without_rendering()
    (legend,) = ax.figure.legends
    assert legend.get_window_extent().y1 < ax.get_tightbbox().y0 + 1
    assert legend.get_window_extent().y0 >= 0
    assert ax.bbox.width > 0.9 * alone.bbox.width


def test_a_curve_that_is_a_point_is_a_dot_at_the_origin():
    (line,) = plot_curves(POINT).lines
    assert line.get_marker() == "o"
    assert not np.any(line.get_data())
    (line,) = plot_curves(CURVE).lines
    assert line.get_marker() in ("", "None", None)


def test_f_scores_are_points_with_their_labels():
    invents = PRCurve.from_masses([2, 2, 0], [2, 1, 1])  # a lower F_1/8
    curves = [CURVE, STEPS, invents]
    ax = plot_f_scores(curves, labels=["a", "b", "c"], title="F")
    (points,) = ax.collections
    scores = [(c.f_score(8), c.f_score(1 / 8)) for c in curves]
    np.testing.assert_array_equal(points.get_offsets(), scores)
    assert [text.get_text() for text in ax.texts] == ["a", "b", "c"]
    assert [text.xy for text in ax.texts] == [tuple(point) for point in points.get_offsets()]
    assert (ax.get_xlim(), ax.get_ylim(), ax.get_aspect()) == ((0, 1), (0, 1), 1)


NAMES = [r"a$\bad$.npy", "_hidden", "b\udcff.npy", "$5 or $6", r"a\$b"]


def test_labels_are_drawn_literally():
    ax = plot_curves([CURVE] * len(NAMES), labels=NAMES, truth=STEPS)
    texts = ax.figure.legends[0].get_texts()
    labels = [text._preprocess_math(text.get_text()) for text in texts]
    expected = [name.replace("\udcff", "?") for name in NAMES]
    assert labels == [(name, False) for name in [*expected, "truth"]]


test_wrong_arguments_are_named = refusals("""
plot_curves([CURVE, 3])
    TypeError: curves: a PRCurve expected, got int
plot_curves([CURVE], labels=["a", "b"])
    ValueError: labels: 1 labels expected, got 2
plot_curves([CURVE] * 3, truth=[CURVE] * 2)
    ValueError: truth: one curve or 3 expected, got 2
plot_frontiers(CURVE, kind="kl")
    ValueError: kind: renyi, tsallis or mauve expected, got 'kl'
CURVE.plot(view="prc")
    ValueError: view: one of pr, lorenz, roc, frontier expected, got 'prc'
""")


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
    within = (COUNTED, 1.0, True), (lower, 1.01, True), (upper, 0.99, True)
    for bound, factor, inside in (*within, (lower, 0.99, False), (upper, 1.01, False)):
        precision, recall = bound.at(lam)
        points = factor * np.stack([recall, precision], axis=1)
        assert path.contains_points(points).tolist() == [inside] * lam.size


def test_the_legend_says_what_is_certified():
    ax = plot_curves([COUNTED, FOLDED, COUNTED], band=0.95, labels="abc", truth=CURVE)
    texts = [text.get_text() for text in ax.figure.legends[0].texts]
    assert texts == ["a", "b", "c", "truth", f"95 %: {BELOW}", f"95 %: {BELOW} (empirical)"]
    edges = [line for line in ax.lines if line.get_linewidth() == 1.2 and line.get_zorder() == 2]
    assert len({str(line._dash_pattern) for line in edges}) == 2
    (alone,) = plot_curves(COUNTED, band=0.5).get_legend().texts
    assert alone.get_text() == f"50 %: {BELOW}"


def pixels(png):
    """(rows, columns, RGB) in [0, 1]."""
    return imread(io.BytesIO(png), format="png")[..., :3]


def test_notebooks_display_axes_as_their_figure_in_double_resolution():
    png, size = STEPS.plot()._repr_png_()
    assert size == {"width": 500, "height": 500}
    assert pixels(png).shape == (1000, 1000, 3)


def test_a_curve_without_a_band_is_named():
    with pytest.raises(ValueError, match=r"^curves\[1\]: cells that count samples expected"):
        plot_curves([COUNTED, STEPS], band=0.95)
    with pytest.raises(ValueError, match=r"^band: a number in \(0, 1\) expected, got 95"):
        COUNTED.plot(band=95)


def test_profiles_have_a_line_for_each_number_at_the_places_of_their_resolutions():
    near, far = pr_curve(*GaussianShift(0.3).sample(60)), pr_curve(*GaussianShift(2.0).sample(60))
    few, many = Profile({0.0: far, 0.8: near}), Profile({0.0: far, 0.4: near, 1.6: near})
    ax = plot_profiles({"few": few, "many": many})
    lines = [line for line in ax.lines if line.get_label() in ("few", "many")]
    starts, ends = zip(*(line.get_xdata()[[0, -1]] for line in lines), strict=True)
    assert starts == (0, 0)
    assert ends == pytest.approx(np.log1p([2, 4]))
    assert [text.get_text() for text in ax.get_xticklabels()] == ["0", "0.4", "0.8", "1.6"]
    assert lines[0].get_ydata()[0] == few.curves[0.0].area
    assert ax.get_ylabel() == "area"
    labels = [text.get_text() for text in few.plot().get_legend().get_texts()]
    assert labels == ["fidelity", "diversity", "area"]
