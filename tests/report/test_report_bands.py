"""Bands of a report: the points that are drawn, and what is said of them."""

import json
import re

import numpy as np
import pytest
from reports import text_of

from prfast import PRCurve, pr_curve
from prfast.reference import GaussianShift
from prfast.report import write_report
from prfast.report.content import about_bands, bands_of

PAIR = GaussianShift(1.0, 2)
COUNTED = pr_curve(*PAIR.sample(200), PAIR.log_ratio)
FOLDED = PRCurve.from_dict(COUNTED.to_dict() | {"info": dict(COUNTED.info) | {"folds": 10}})
UNCOUNTED = PRCurve.from_masses([0.3, 0.4, 0.3], [0.28, 0.42, 0.3])
WHERE = ' name="band"'


def written(path, models, **options):
    pytest.importorskip("plotly", reason="the extra 'report' is not installed")
    write_report(models, str(path / "r.html"), **options)
    page = (path / "r.html").read_text(encoding="utf-8")
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return page, json.loads(data[1])


def test_the_points_are_those_of_the_band_and_of_the_upper_curve(tmp_path):
    page, data = written(tmp_path, {"a": COUNTED, "b": UNCOUNTED}, confidence=0.9)
    band, none = data["bands"]
    assert none is None
    x, y = COUNTED.upper(0.9).outline()
    assert band["upper"] == {"x": x.tolist(), "y": y.tolist()}
    lower, upper = (one.outline() for one in COUNTED.band(0.9))
    np.testing.assert_array_equal(band["x"], np.append(upper[0], lower[0][::-1]))
    np.testing.assert_array_equal(band["y"], np.append(upper[1], lower[1][::-1]))
    assert band["certified"] is True
    text = text_of(page)
    assert "Bands: with 90 % confidence the scorer's own curve, on endless samples, lies" in text
    assert "No band of b: the curve counts no samples." in text
    assert "bands: confidence 0.9" in text


def test_they_are_shown_at_first_where_there_are_one_or_two(tmp_path):
    for names, on in (("a", True), ("ab", True), ("abc", False)):
        page, _ = written(tmp_path, dict.fromkeys(names, COUNTED))
        assert (f"{WHERE} checked" in page) is on
        assert WHERE in page


def test_without_any_there_is_no_switch(tmp_path):
    for models, options in (({"a": UNCOUNTED}, {}), ({"a": COUNTED}, {"confidence": None})):
        page, data = written(tmp_path, models, **options)
        assert WHERE not in page
        assert data["bands"] == [None]
        assert "Bands: with" not in page


def test_what_is_empirical_is_said():
    names, bands = ["a", "b", "c"], bands_of([COUNTED, FOLDED, FOLDED], 0.95)
    assert [band["certified"] for band in bands] == [True, False, False]
    said = about_bands(names, bands, 0.95)
    assert said.endswith(
        "Of b and c this is empirical, not certified: the samples were scored without a split or "
        "in folds."
    )
    assert "empirical" not in about_bands(["a"], bands[:1], 0.95)


def test_a_confidence_is_a_share(tmp_path):
    with pytest.raises(ValueError, match=r"^confidence: a number in \(0, 1\) expected, got 2"):
        write_report({"a": COUNTED}, str(tmp_path / "r.html"), confidence=2)
