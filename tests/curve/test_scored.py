"""How many samples a curve's masses stand for, and what of that survives."""

import pytest

from prfast import PRCurve
from prfast.curve.notes import proves_fixed, read_sizes, read_units


def curve(**info):
    return PRCurve.from_masses([1, 2], [2, 1], info=info)


def test_a_mean_and_an_intersection_say_the_fewest_that_were_scored():
    one = curve(split=0.5, scored_real=500, scored_fake=500)
    two = curve(split="bernoulli", scored_real=510, scored_fake=490)
    for both in (PRCurve.mean([one, two]), one.intersection(two)):
        assert read_sizes(both.info) == (500, 490)
        assert "split" not in both.info
    assert read_sizes(PRCurve.mean([one, curve(split=0.5)]).info) is None


def test_units_are_fewer_than_samples_where_rows_repeat():
    sizes = {"scored_real": 500, "scored_fake": 400}
    one, two = curve(**sizes), curve(**sizes, units=[500, 100], distinct=[500, 110])
    assert read_units(one.info) == (500, 400)
    assert read_units(two.info) == (500, 100) == read_units(two.swap().info)[::-1]
    for both in (PRCurve.mean([one, two]), one.intersection(two), PRCurve.mean([two, two])):
        assert read_units(both.info) == (500, 100)
    assert not {"units", "distinct"} & PRCurve.mean([two, two.swap()]).info.keys()
    for wrong in (3, [3], [0, 3], [True, 3], "ab"):
        assert read_units({**sizes, "units": wrong}) == (500, 400)


def test_what_a_bound_proves_is_not_proved_by_several_at_once():
    one = PRCurve.from_scores([1.0, 2.0, 3.0], [0.0, 1.5, 2.5])
    for bound in ("mixture", "dkw"):
        upper = one.upper(bound=bound)
        for both in (PRCurve.mean([upper, upper]), upper.intersection(one.upper())):
            assert not {"bound", "side", "confidence", "certified"} & both.info.keys()


@pytest.mark.parametrize(
    ("info", "fixed"),
    [
        ({}, True),
        ({"split": 0.5}, True),
        ({"split": "bernoulli"}, True),
        ({"split": None}, False),
        ({"split": None, "fitted": False}, True),
        ({"split": None, "folds": 10}, False),
        ({"folds": 10}, False),
    ],
)
def test_what_the_record_proves_of_the_scorer(info, fixed):
    assert proves_fixed(info) is fixed
