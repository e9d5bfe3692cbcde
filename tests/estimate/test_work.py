"""A curve says how its pairs were decided, and nothing else depends on that."""

import json
import pickle

import numpy as np
import pytest

import prfast
from prfast.neighbors import Search


@pytest.fixture
def sets():
    rng = np.random.default_rng(0)
    return rng.normal(size=(2, 300, 40)).astype(np.float32)


def pairs(curve):
    return curve.work["float32"] + curve.work["int8"] + curve.work["unfiltered"]


def test_every_pair_of_the_passes_is_accounted_for(sets):
    curve = prfast.pr_curve(*sets, "knn", 5, split=None)
    assert list(curve.work) == list(Search().work)
    assert pairs(curve) >= 2 * 600 * 300  # all samples against both sets


@pytest.mark.parametrize("way", ["off", "float32"])
def test_the_work_is_of_the_way_that_was_taken_and_the_rest_is_not(sets, way, monkeypatch):
    usual = prfast.pr_curve(*sets, "ipr", 5)
    monkeypatch.setenv("PRFAST_FILTER", way)
    forced = prfast.pr_curve(*sets, "ipr", 5)
    assert (forced.work["unfiltered"] > 0) == (way == "off")
    assert forced.work["int8"] == 0
    assert forced == usual
    assert forced.info == usual.info
    assert json.dumps(forced.to_dict()) == json.dumps(usual.to_dict())


def test_curves_of_one_call_share_it_and_an_evaluator_tells_of_each_call(sets):
    real, fake = sets
    curves = prfast.pr_curves(real, fake, k=[3, 5])
    assert len({tuple(curve.work.items()) for curve in curves.values()}) == 1
    evaluator = prfast.Evaluator(real, ["knn", "coverage"], k=5)
    first, again = (evaluator.curves(fake)["knn", 5] for _ in range(2))
    assert first == again
    assert 0 < pairs(again) < pairs(first)  # of the reference nothing is looked at again


def test_copies_keep_it_and_records_do_not(sets):
    curve = prfast.pr_curve(*sets, "knn", 5)
    for copy in (pickle.loads(pickle.dumps(curve)), curve.swap(), curve.with_info(a=1)):
        assert copy.work == curve.work
    assert prfast.PRCurve.from_dict(curve.to_dict()).work is None
    assert "work" not in curve.info
    with pytest.raises(TypeError, match="does not support item assignment"):
        curve.work["int8"] = 0


def test_where_no_neighbours_are_counted_there_is_none(sets):
    assert prfast.pr_curve(*sets, "kmeans", clusters=3, runs=2).work is None
    assert prfast.PRCurve.from_scores([1.0, 2.0], [0.0, 1.0]).work is None
