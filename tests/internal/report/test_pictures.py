"""Pictures of a report go through the curves and areas that they show."""

import re

import numpy as np
import pytest
from curves import DROPS, GOOD, INVENTS

from prfast import Evaluator
from prfast.plots.views import band_of
from prfast.reference import GaussianShift
from prfast.report.pictures import curves_picture, profiles_picture

LEFT, TOP, SIDE = 50, 8, 340  # of the square, in units of the picture


def points_of(picture, model, number):
    """Return x and y in [0, 1] of a path of a model."""
    group = re.search(rf'<g data-model="{model}">.*?</g>', picture)[0]
    path = re.findall(r'<path[^>]* ?d="M([^"]*?)Z?"', group.replace('class="band" ', ""))[number]
    x, y = np.array([point.split() for point in path.removesuffix("h0").split("L")], float).T
    return (x - LEFT) / SIDE, 1 - (y - TOP) / SIDE


@pytest.mark.parametrize(
    "hull", [GOOD, DROPS, INVENTS, GaussianShift(1.0, 2).curve()], ids=["good", "drops", "inv", "g"]
)
def test_the_line_is_the_curve(hull):
    recall, precision = points_of(curves_picture({"a": hull}, [None]), 0, 0)
    within = (recall > 0) & (recall < hull.max_recall - 1e-3)
    expected = [hull.precision_at(x) for x in recall[within]]
    np.testing.assert_allclose(precision[within], expected, atol=2e-3)
    assert recall.max() == pytest.approx(hull.max_recall, abs=1e-3)


def test_bands_are_those_of_the_curve():
    pair = GaussianShift(1.0, 2)
    real, fake = pair.sample(200)
    curve = Evaluator(real, "knn").evaluate(fake).curve
    band = band_of(curve, 0.9)
    assert band.certified
    x, y = points_of(curves_picture({"a": curve}, [band]), 0, 0)
    lower, upper = (bound.outline() for bound in curve.band(0.9))
    for value, expected in ((x, (upper[0], lower[0])), (y, (upper[1], lower[1]))):
        assert value.min() == pytest.approx(min(map(np.min, expected)), abs=5e-3)
        assert value.max() == pytest.approx(max(map(np.max, expected)), abs=5e-3)


def test_profiles_go_through_their_areas(real, fake):
    evaluator = Evaluator(real, "knn", which=["precision"], resolutions=[0, 0.5, 2])
    profile = evaluator.evaluate(fake).profile
    picture = profiles_picture({"a <b>": profile, "none": None})
    assert "<title>a &lt;b&gt;</title>" in picture
    assert 'data-model="1"' not in picture
    at = np.log([1, 2, 5]) / np.log(5)
    for i, area in enumerate(profile.intervals("area")):
        x, y = points_of(picture, 0, 2 + i)
        assert (x, y) == (pytest.approx([at[i]], abs=1e-3), pytest.approx([area.value], abs=1e-3))
    x, y = points_of(picture, 0, 1)
    assert np.interp(at, x, y) == pytest.approx([c.area for c in profile.curves.values()], abs=0.01)
    assert re.findall(r">(0|0\.5|2)</text>", picture)[:3] == ["0", "0.5", "2"]
    assert profiles_picture({"a": None}) == ""
