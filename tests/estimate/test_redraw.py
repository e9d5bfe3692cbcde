"""How far numbers move when samples are drawn again."""

import pytest

from prfast import PRCurve
from prfast.estimate.intervals import bootstrap_curve, scored


@pytest.mark.parametrize(
    ("info", "sizes"),
    [
        ({}, None),
        ({"scored_real": 6, "scored_fake": 0}, None),
        ({"scored_real": 6, "scored_fake": 2}, (6, 2)),
        ({"scored_real": 6, "scored_fake": 2, "n_real": 10, "n_fake": 7, "split": 0.5}, (6, 2)),
        ({"scored_real": 2, "scored_fake": 6, "swapped": True}, (6, 2)),
        ({"scored_real": 3, "scored_fake": 1}, None),
        ({"scored_real": 3, "scored_fake": 1, "mean_of": 2}, (3, 1)),
        ({"scored_real": 3, "scored_fake": 2, "runs": 2}, None),
    ],
)
def test_a_curve_stands_for_the_samples_that_its_cells_count(info, sizes):
    assert scored(PRCurve.from_masses([2, 4], [1, 1], info=info)) == sizes


def test_weights_rates_bounds_and_joined_curves_count_no_samples():
    sizes = {"scored_real": 2, "scored_fake": 2}
    counted = PRCurve.from_scores([1.0, 2.0], [0.0, 1.5])
    weighted = PRCurve.from_scores([1, 2], [0, 1.5], w_real=[0.5, 1.5], info=sizes)
    rates = PRCurve.from_rates([0.5], [0.5], info=sizes)
    others = (weighted, rates, counted.upper(), counted.intersection(counted))
    assert [scored(one) for one in (counted, counted.swap())] == [(2, 2)] * 2
    for one in others:
        assert scored(one) is None
        assert scored(PRCurve.mean([counted, one], info=sizes)) is None


def test_bootstrap_curves_depend_on_the_seed_and_need_sample_counts():
    curve = PRCurve.from_scores([3, 2, 2, 1, 0], [0, 1, 1, 2])
    one, again, other = (bootstrap_curve(curve, seed, 5) for seed in (1, 1, 2))
    assert one == again != other
    assert bootstrap_curve(PRCurve.from_masses([1], [1]), 0) == []
