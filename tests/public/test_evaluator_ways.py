"""An evaluator gives the results of one call, however it and its samples came to be."""

import copy
import pickle

import numpy as np
import pytest
from helpers import same
from refusals import refused

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


def merged(evaluator, new):
    return new().merge(evaluator)


WAYS = {
    "pickled": lambda evaluator, _: pickle.loads(pickle.dumps(evaluator)),
    "copied": lambda evaluator, _: copy.deepcopy(evaluator),
    "merged": merged,
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
    again = way(evaluator, new)
    for each in (evaluator, again):
        each.update(FAKE[50:])
        for _ in range(2):
            check(each.compute(), expected)
    assert repr(again) == repr(evaluator)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_a_reference_in_batches_gives_what_the_whole_gives(way, options):
    def new():
        return Evaluator(**options)

    expected = Evaluator(REAL, **options).evaluate(FAKE)
    evaluator = new()
    evaluator.update(FAKE[:30], real=REAL[:50])
    evaluator.update(FAKE[30:50], real=REAL[50:80])
    again = way(evaluator, new)
    for each in (evaluator, again):
        each.update(FAKE[50:], real=REAL[80:])
        check(each.compute(), expected)
        check(each.evaluate(FAKE), expected)
        check(each.compare({"a": FAKE})["a"], expected)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_weights_go_with_an_evaluator(way):
    def new():
        return Evaluator(REAL, KMeans(clusters=5, runs=2), w_real=W, groups=CLIPS)

    evaluator = new()
    evaluator.update(FAKE[:30])
    again = way(evaluator, new)
    again.update(FAKE[30:])
    check(again.compute(), new().evaluate(FAKE))


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("in_batches", [False, True])
def test_names_of_columns_go_with_an_evaluator(way, in_batches):
    """Widths are not compared with heights."""
    pandas = pytest.importorskip("pandas", reason="tables with names")
    real, fake = (pandas.DataFrame(points, columns=[*"abc"]) for points in (REAL, FAKE))

    def new():
        return Evaluator(None if in_batches else real, "knn", 2)

    evaluator = new()
    evaluator.update(fake[:30], **({"real": real} if in_batches else {}))
    again = way(evaluator, new)
    with pytest.raises(ValueError, match="the same columns expected, got 'd' only in fake"):
        again.curves(fake.rename(columns={"c": "d"}))
    again.update(fake[["b", "a", "c"]][30:])
    check(again.compute(), Evaluator(REAL, "knn", 2).evaluate(FAKE))


def test_a_merged_evaluator_has_the_batches_of_both_in_order():
    for real in (REAL, None):
        first, last = (Evaluator(real, **OPTIONS["several k"]) for _ in range(2))
        rows = slice(0, 50), slice(50, None)
        for evaluator, part in zip((first, last), rows, strict=True):
            evaluator.update(FAKE[part], **({} if real is REAL else {"real": REAL[part]}))
        expected = Evaluator(REAL, **OPTIONS["several k"]).evaluate(FAKE)
        check(first.merge(pickle.loads(pickle.dumps(last))).compute(), expected)
        for evaluator, part in zip((first, last), rows, strict=True):  # they stay as they are
            reference = REAL if real is REAL else REAL[part]
            alone = Evaluator(reference, **OPTIONS["several k"]).evaluate(FAKE[part])
            check(evaluator.compute(), alone)


@pytest.mark.parametrize(
    "differing",
    [
        {"metrics_k": 4},
        {"random_state": 1},
        {"noise": "std"},
        {"resolutions": [0, 0.3]},
        {"real": REAL + 1},
        {"w_real": W},
        {"groups": CLIPS},
    ],
    ids=lambda options: next(iter(options)),
)
def test_evaluators_that_differ_are_not_merged(differing):
    common = {"real": REAL, "methods": "kmeans", "resolutions": [0, 0.8], "which": ["recall"]}
    common["noise"] = "common"
    first, second = Evaluator(**common), Evaluator(**(common | differing))
    (name,) = differing
    is_reference = name in ("real", "w_real", "groups")
    message = "an evaluator of the same reference expected" if is_reference else f"{name}="
    with refused(ValueError, f"other: {message}"):
        first.merge(second)
