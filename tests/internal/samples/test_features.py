"""Features, arrays with a record: what keeps the record, and sets of two kinds are refused."""

import pickle

import numpy as np
import pytest
from refusals import refused

import prfast
from prfast.samples.features import Features, with_record
from prfast.samples.pair import Pair
from prfast.samples.record import space_record

RECORD = {
    "kind": "images",
    "model": "timm:resnet18",
    "library": "timm",
    "weights": "a1_in1k",
    "weights_sha256": "12ab",
    "layer": "pooled",
    "prepare": "resize to 224",
    "dtype": "float32",
    "versions": {"torch": "2.1", "timm": "1.0"},
    "inputs": {"count": 40},
}
START = "real and fake: features made in one way expected, got"


def features(seed=0, n=40, **changes):
    """Some features, with a record that has these changes."""
    return with_record(np.random.default_rng(seed).normal(size=(n, 3)), RECORD | changes)


@pytest.mark.parametrize(
    "rows",
    [
        lambda x: x[5:],
        lambda x: x[x.array[:, 0] > 0],
        lambda x: pickle.loads(pickle.dumps(x)),
    ],
)
def test_rows_and_copies_keep_the_record(rows):
    result = rows(features())
    assert type(result) is Features
    assert result.record == RECORD


@pytest.mark.parametrize(
    "computed",
    [np.asarray, lambda x: x[0], lambda x: np.add(x, 1)],
)
def test_numpys_functions_give_plain_arrays(computed):
    result = computed(features())
    assert type(result) is np.ndarray
    assert np.array_equal(result, computed(features().array))


def test_every_result_says_what_it_is_of():
    real, fake = features(), features(1)
    labels = np.arange(40) % 2
    evaluator = prfast.Evaluator(real, "knn", 3)
    evaluator.update(fake[:20])
    evaluator.update(fake[20:])
    results = [
        prfast.pr_curve(real, fake, "kmeans", clusters=2, runs=2),
        prfast.metrics(real, fake),
        prfast.by_class(real, fake, labels, labels, "knn", 3).labels,
        evaluator.compute().metrics,
        evaluator.compare({"a": fake}),
    ]
    expected = RECORD | {"recorded": ["real", "fake"]}
    del expected["inputs"]
    assert all(result.info["features"] == expected for result in results)


def test_batches_of_which_one_has_no_record_have_none():
    evaluator = prfast.Evaluator(features(), "knn", 3)
    evaluator.update(features(1)[:20])
    evaluator.update(features(1).array[20:])
    assert evaluator.compute().metrics.info["features"]["recorded"] == ["real"]


def test_versions_may_differ_and_are_told():
    newer = features(1, versions={"torch": "2.2", "timm": "1.0", "pillow": "13"})
    versions = space_record(Pair.read(features(), newer))["features"]["versions"]
    changed = {"torch": "2.1 (real), 2.2 (fake)", "pillow": "None (real), 13 (fake)"}
    assert versions == {"timm": "1.0"} | changed


@pytest.mark.parametrize("key", ["weights_sha256", "layer", "prepare"])
def test_whatever_makes_features_what_they_are_is_to_agree(key):
    with refused(ValueError, f"{START} {key} {RECORD[key]!r} of real and 'other' of fake"):
        prfast.metrics(features(), features(1, **{key: "other"}))


def test_batches_without_a_record_do_not_hide_one_of_another_model():
    plain, another = np.asarray(features()), features(layer="logits")
    evaluator = prfast.Evaluator(plain, "knn", k=3)
    evaluator.update(plain)
    evaluator.update(features())
    start = "batches before and fake: features made in one way expected, got layer 'pooled' of"
    with refused(ValueError, start):
        evaluator.update(another)
    assert "features" not in evaluator.compute().info  # some are not known
    again = pickle.loads(pickle.dumps(evaluator))
    for same in (evaluator, again):  # batches are one array now
        with refused(ValueError, start):
            same.update(another)
        assert "features" not in same.compute().info
    with refused(ValueError, f"{START} layer 'pooled' of real and 'logits' of fake"):
        prfast.Evaluator(features(), "knn", k=3).update(another)


def test_two_generated_sets_of_different_models_are_not_compared():
    plain, first, another = np.asarray(features()), features(1), features(2, model="timm:vit")
    evaluator = prfast.Evaluator(plain, "knn", 3)
    message = "models['a'] and models['c']: features made in one way expected, got model 'timm:res"
    with refused(ValueError, message):
        evaluator.compare({"a": first, "b": plain, "c": another})
    assert len(evaluator.compare({"a": first, "b": plain})) == 2
