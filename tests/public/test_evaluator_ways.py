"""An evaluator gives the results of one call, however it and its samples came to be."""

import copy
import pickle

import numpy as np
import pytest
from helpers import same

from prfast import Evaluator
from prfast.methods import KMeans, Noise

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(90, 3))
FAKE = RNG.normal(0.4, 1.1, size=(70, 3))
W, CLIPS = 1.0 + np.arange(90) % 3, np.arange(90) // 3
OPTIONS = {
    "several k": {"methods": ["knn", "ipr"], "k": [3, 5], "metrics_k": 3, "halvings": 1},
    "open balls": {"methods": ["parzen"], "k": 4, "ties": "open", "split": 0.4, "which": "recall"},
    "resolutions": {
        "methods": ["knn"],
        "resolutions": [0, 0.2, 0.8],
        "noise": Noise("common", categories=[np.int64(2)]),
    },
}
DESIGNS = {"plain": {}, "grouped": {"groups": CLIPS}}


WAYS = {
    "pickled": lambda evaluator: pickle.loads(pickle.dumps(evaluator)),
    "copied": copy.deepcopy,
}


def check(result, expected):
    same(result.curves, expected.curves)
    assert dict(result.metrics) == dict(expected.metrics)
    if expected.halves is not None:
        deviations = [
            {name: x.halves.deviation(name) for name in x.halves.values} for x in (result, expected)
        ]
        assert deviations[0] == deviations[1]
    assert (result.profile is None) == (expected.profile is None)
    if result.profile is not None:
        same(result.profile.estimates, expected.profile.estimates)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_batches_give_what_one_call_gives(way, options, design):
    def new():
        return Evaluator(REAL, **options, **design)

    expected = new().evaluate(FAKE)
    evaluator = new()
    evaluator.update(FAKE[:30])
    evaluator.compute()  # the reference is prepared
    evaluator.update(FAKE[30:50])
    again = way(evaluator)
    for each in (evaluator, again):
        each.update(FAKE[50:])
        for _ in range(2):
            check(each.compute(), expected)
    assert repr(again) == repr(evaluator)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_weights_go_with_an_evaluator(way):
    def new():
        return Evaluator(REAL, KMeans(clusters=5, runs=2), w_real=W, groups=CLIPS)

    evaluator = new()
    evaluator.update(FAKE[:30])
    again = way(evaluator)
    again.update(FAKE[30:])
    check(again.compute(), new().evaluate(FAKE))


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_names_of_columns_go_with_an_evaluator(way):
    """Widths are not compared with heights."""
    pandas = pytest.importorskip("pandas", reason="tables with names")
    real, fake = (pandas.DataFrame(points, columns=[*"abc"]) for points in (REAL, FAKE))
    for reference in (real, REAL):
        evaluator = Evaluator(reference, "knn", 2)
        evaluator.update(fake[:30])
        again = way(evaluator)
        with pytest.raises(ValueError, match="the same columns expected, got 'd' only in fake"):
            again.update(fake.rename(columns={"c": "d"}))
        again.update(fake[["b", "a", "c"]][30:])
        check(again.compute(), Evaluator(REAL, "knn", 2).evaluate(FAKE))
