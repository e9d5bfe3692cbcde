"""Classes of digits, dropped and invented: rectangles, as in the 2018 paper."""

import pytest

from prfast.cli.demo import class_cases, digits
from prfast.methods import METHODS


@pytest.fixture(scope="module")
def digit_cases():
    cases = class_cases(*digits(), qs=[2, 5, 10], per_class=87, methods=METHODS)
    return {case.q: case for case in cases}


@pytest.mark.nightly
@pytest.mark.parametrize(("q", "precision", "recall"), [(2, 1, 0.4), (5, 1, 1), (10, 0.5, 1)])
@pytest.mark.parametrize("method", METHODS)
def test_dropping_and_inventing_classes_of_digits(digit_cases, q, precision, recall, method):
    """2018 paper, §4.1: the curve is near the rectangle min(1, 5/q) by min(1, q/5)."""
    _, truth, curves = digit_cases[q]
    assert (truth.max_precision, truth.max_recall) == (precision, recall)
    # One direction for each linear classifier: the least of all.
    assert curves[method].iou(truth) > (0.7 if method == "classifier" else 0.75)
    assert curves[method].info["n_real"] == 5 * 87
    assert curves[method].info["n_fake"] == q * 87
    assert curves[method].provenance.copied is None  # other images
    mostly_precision, mostly_recall = curves[method].f_score(1 / 8), curves[method].f_score(8)
    if precision == recall:
        assert min(mostly_precision, mostly_recall) > 0.9
    else:
        assert (mostly_precision > mostly_recall) == (precision > recall)
