"""Results in notebooks: every number as the result has it, in words, pictures, tables."""

import pytest
from made_results import CURVE, RESULTS
from pages import Reader

from prfast.estimate.notes import legend


def read(result):
    return Reader(result._repr_html_())


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_it_is_small_and_whole_and_has_words_for_every_picture(result):
    text = result._repr_html_()
    assert len(text.encode()) < 16_000
    page = Reader(text)
    pictures = [tag for tag in page.of("svg") if "aria-hidden" not in tag]
    assert all(tag["role"] == "img" and tag["aria-label"] for tag in pictures)
    assert all(tag["scope"] in ("row", "col") for tag in page.of("th"))
    assert len(page.of("caption")) == len(page.of("table"))
    assert not page.of("b")  # the name of a model


def test_a_curve_has_its_numbers_with_their_errors():
    page = read(CURVE)
    for key, title in (("area", "area"), ("f8", "F8"), ("f1_8", "F1/8"), ("diversity",) * 2):
        assert page.line(title) == str(CURVE.interval(key))
    assert "knn k=3" in page.text
    assert legend() in page.text
    assert set(CURVE.explain().splitlines()) <= set(page.text)
    assert f"knn k=3: area {CURVE.area:.3f}" in page.of("svg")[0]["aria-label"]
