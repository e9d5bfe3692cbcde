"""A curve says how its pairs were decided, and nothing else depends on that."""

import json

import numpy as np
import pytest

import prfast
from prfast.neighbors import NeighborSearch


@pytest.fixture
def sets():
    rng = np.random.default_rng(0)
    return rng.normal(size=(2, 300, 40)).astype(np.float32)


def pairs(curve):
    return curve.work["float32"] + curve.work["int8"] + curve.work["unfiltered"]


def test_every_pair_of_the_passes_is_accounted_for(sets):
    curve = prfast.pr_curve(*sets, "knn", 5, split=None)
    assert list(curve.work) == list(NeighborSearch().work)
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
