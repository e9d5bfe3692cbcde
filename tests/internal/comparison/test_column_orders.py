"""An evaluator knows the names of its columns, wherever it goes: widths are not compared with
heights."""

import copy
import json
import pickle

import numpy as np
import pytest
from refusals import refused

from prfast import Evaluator

pandas = pytest.importorskip("pandas", reason="tables with names")
X = pandas.DataFrame(np.random.default_rng(0).normal(size=(40, 3)), columns=[*"abc"])
TURNED = X[["b", "a", "c"]]
OTHER = X.rename(columns={"c": "d"})
TEXT = "the same columns expected, got 'd' only in {} and 'c' only in {}; select or rename them"


def given():
    return Evaluator(X, "knn", k=2, which=["precision"])


def in_batches():
    evaluator = Evaluator(None, "knn", k=2, which=["precision"])
    evaluator.update(real=X)
    return evaluator


def restored(evaluator, tmp_path):
    again = Evaluator(None, "knn", k=2, which=["precision"])
    again.load_state_dict(json.loads(json.dumps(evaluator.state_dict(np.ndarray.tolist))))
    return again


WAYS = {
    "itself": lambda evaluator, _: evaluator,
    "pickle": lambda evaluator, _: pickle.loads(pickle.dumps(evaluator)),
    "copy": lambda evaluator, _: copy.deepcopy(evaluator),
    "merged": lambda evaluator, _: evaluator.merge(copy.deepcopy(evaluator)),
}


@pytest.mark.parametrize(
    ("make", "way"),
    [(given, way) for way in WAYS.values()]
    + [(in_batches, way) for way in WAYS.values()]
    + [(in_batches, restored)],
)
def test_its_copies_know_it_too(make, way, tmp_path):
    evaluator = way(make(), tmp_path)
    with refused(ValueError, "real and fake: " + TEXT.format("fake", "real")):
        evaluator.curves(OTHER)
    with refused(ValueError, "real and fake: " + TEXT.format("fake", "real")):
        evaluator.update(OTHER)
    expected = evaluator.metrics(X.to_numpy())
    assert expected.precision == 1
    assert evaluator.metrics(X) == evaluator.metrics(TURNED) == expected
    evaluator.update(TURNED)
    assert evaluator.compute().metrics == expected


def test_batches_are_matched_by_name():
    """The first table of either set gives the order."""
    expected = in_batches().metrics(X)
    for first, second in (("real", "fake"), ("fake", "real")):
        evaluator = Evaluator(None, "knn", k=2, which=["precision"])
        evaluator.update(**{first: X[:30]})
        evaluator.update(**{first: TURNED[30:]})
        with refused(ValueError, f"batches before and {first}: the same columns expected"):
            evaluator.update(**{first: OTHER})
        with refused(ValueError, f"{first} and {second}: " + TEXT.format(second, first)):
            evaluator.update(**{second: OTHER})
        evaluator.update(**{second: TURNED})
        assert evaluator.compute().metrics == expected
    updated = Evaluator(None, "knn", k=2, which=["precision"])
    updated.update(TURNED, real=X)
    assert updated.compute().metrics == expected
    updated.reset(real=True)
    updated.update(OTHER, real=OTHER)  # all is forgotten, the names with it


def test_those_of_another_are_merged_in_one_order():
    first, turned = in_batches(), Evaluator(None, "knn", k=2, which=["precision"])
    turned.update(real=TURNED)
    with refused(ValueError, "batches and other: columns in one order expected"):
        first.merge(turned)
    another = Evaluator(None, "knn", k=2, which=["precision"])
    another.update(real=OTHER)
    with refused(ValueError, "batches and other: the same columns expected"):
        first.merge(another)
    whole, part = given(), Evaluator(X.to_numpy(), "knn", k=2, which=["precision"])
    part.update(TURNED)
    with refused(ValueError, "real and fake: columns in one order expected"):
        whole.merge(part)
