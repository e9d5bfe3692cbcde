"""Classes of digits, dropped and invented: rectangles, as in the 2018 paper."""

import numpy as np
import pytest

from prfast.cli.demo import class_cases, digits
from prfast.methods import METHODS


class Keeper:
    """A partition into one cell that keeps what it is given."""

    def masses(self, real, fake):
        self.given = real, fake
        return [([1], [1])]


@pytest.mark.parametrize("q", [1, 5, 7])
def test_cases_have_disjoint_samples_and_as_many_of_each_class(q):
    labels = np.repeat(np.arange(8), 40)
    keeper = Keeper()
    (_,) = class_cases(np.arange(320)[:, None], labels, qs=[q], per_class=15, methods=[keeper])
    real, fake = (points[:, 0].astype(int) for points in keeper.given)
    assert not set(real) & set(fake)
    assert len(set(real)) == 5 * 15
    np.testing.assert_array_equal(np.bincount(labels[real]), [15] * 5)
    np.testing.assert_array_equal(np.bincount(labels[fake]), [15] * q)


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
    mostly_precision, mostly_recall = curves[method].f_score(1 / 8), curves[method].f_score(8)
    if precision == recall:
        assert min(mostly_precision, mostly_recall) > 0.9
    else:
        assert (mostly_precision > mostly_recall) == (precision > recall)
