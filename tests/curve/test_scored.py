"""How many samples a curve's masses stand for, and what of that survives."""

import pytest

from prfast import PRCurve
from prfast.curve.provenance import read_provenance


def curve(**info):
    return PRCurve.from_masses([1, 2], [2, 1], info=info)


def test_a_mean_and_an_intersection_say_the_fewest_that_were_scored():
    one = curve(split=0.5, scored_real=500, scored_fake=500)
    two = curve(split="bernoulli", scored_real=510, scored_fake=490)
    for both in (PRCurve.mean([one, two]), one.intersection(two)):
        assert both.provenance.scored == (500, 490)
        assert "split" not in both.info
    assert PRCurve.mean([one, curve(split=0.5)]).provenance.scored is None


def test_units_are_fewer_than_samples_where_rows_repeat():
    sizes = {"scored_real": 500, "scored_fake": 400}
    one, two = curve(**sizes), curve(**sizes, units=[500, 100], distinct=[500, 110])
    assert one.provenance.units == (500, 400)
    assert two.provenance.units == (500, 100) == two.swap().provenance.units[::-1]
    for both in (PRCurve.mean([one, two]), one.intersection(two), PRCurve.mean([two, two])):
        assert both.provenance.units == (500, 100)
    assert not {"units", "distinct"} & PRCurve.mean([two, two.swap()]).info.keys()
    for wrong in (3, [3], [0, 3], [True, 3], "ab"):
        assert read_provenance({**sizes, "units": wrong}).units == (500, 400)


@pytest.mark.parametrize(
    ("info", "fixed"),
    [
        ({}, True),
        ({"split": 0.5}, True),
        ({"split": None}, False),
        ({"split": None, "fitted": False}, True),
        ({"split": None, "folds": 10}, False),
    ],
)
def test_what_the_record_proves_of_the_scorer(info, fixed):
    assert read_provenance(info).has_fixed_scorer is fixed
