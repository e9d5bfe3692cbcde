"""How far numbers move when samples are drawn again."""

import math

import numpy as np
import pytest
from reports import GOOD

from prfast import PRCurve
from prfast.estimate.redraw import resampled, scored


@pytest.mark.parametrize(
    ("info", "sizes"),
    [
        ({}, None),
        ({"n_real": 10}, None),
        ({"n_real": 10, "n_fake": True}, None),
        ({"n_real": 10, "n_fake": 7}, (10, 7)),
        ({"n_real": 10, "n_fake": 7, "split": None}, (10, 7)),
        ({"n_real": 10, "n_fake": 7, "split": 0.5}, (5, 4)),
        ({"n_real": 100, "n_fake": 100, "split": 0.29}, (71, 71)),
        ({"n_real": 10, "n_fake": 7, "split": "bernoulli"}, (5, 3)),
        ({"n_real": 10, "n_fake": 7, "swapped": True}, (7, 10)),
        ({"n_real": 10, "n_fake": 7, "split": 0.5, "scored_real": 6, "scored_fake": 2}, (6, 2)),
        ({"scored_real": 6, "scored_fake": 2, "swapped": True}, (2, 6)),
        ({"scored_real": 6, "scored_fake": 0}, None),
        ({"n_real": 10, "n_fake": 7, "mean_of": 2}, None),
        ({"n_real": 10, "n_fake": 7, "intersection_of": 2}, None),
        ({"n_real": 10, "n_fake": 7, "split": 0.5, "intersection_of": 2}, (5, 4)),
    ],
)
def test_a_curve_stands_for_the_samples_that_were_scored(info, sizes):
    assert scored(PRCurve.from_masses([1, 2], [2, 1], info=info)) == sizes


def test_the_spread_is_that_of_other_samples_of_the_same_size():
    """α_1 of two cells is 1 − |p − q|, of which the binomial variance is known."""
    p, n = 0.3, 1000
    two = PRCurve.from_masses([p, 1 - p], [1 - p, p], info={"n_real": n, "n_fake": n})
    found = np.std([one.total_variation for one in resampled(two, 0, 2000)])
    assert found == pytest.approx(math.sqrt(2 * p * (1 - p) / n), rel=0.08)


def test_redrawing_is_seeded_and_needs_sizes():
    assert resampled(GOOD, 1, 5) == resampled(GOOD, 1, 5) != resampled(GOOD, 2, 5)
    assert resampled(PRCurve.from_masses([1], [1]), 0) == []
