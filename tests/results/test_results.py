"""What results have in common: values that stay, records that agree."""

import copy
import pickle

import numpy as np
import pytest

import prfast
from prfast.results.info import agreed

RNG = np.random.default_rng(0)
REAL, FAKE = RNG.normal(size=(60, 3)), RNG.normal(size=(50, 3)) + 0.5
EVALUATOR = prfast.Evaluator(REAL, "knn", 3)
RESULTS = {
    "metrics": prfast.metrics(REAL, FAKE, 3),
    "divergences": prfast.theory.divergence_table(prfast.pr_curve(REAL, FAKE, "knn")),
    "evaluation": EVALUATOR.evaluate(FAKE),
    "comparison": EVALUATOR.compare({"a": FAKE, "b": FAKE[:40]}),
}


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_pickled_or_copied_it_is_the_same(result):
    for twin in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):
        assert type(twin) is type(result)
        assert (twin, twin.info) == (result, result.info)
        assert list(twin) == list(result)
        assert repr(twin) == repr(result)
    assert str(twin) == str(result)


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_it_does_not_change(result):
    with pytest.raises(AttributeError):
        result.info = {}
    with pytest.raises(TypeError):
        result.info["seed"] = 1
    with pytest.raises(TypeError):
        result["new"] = 1


@pytest.mark.parametrize(
    ("infos", "common"),
    [
        ([], {}),
        ([{"a": 1, "b": 2}], {"a": 1, "b": 2}),
        ([{"a": 1, "b": 2}, {"b": 2, "a": 3}], {"b": 2}),
        ([{"a": None}, {}], {}),
        ([{}, {"a": None}], {}),
        ([{"b": [1], "a": "x"}, {"a": "x", "b": [1], "c": 0}], {"b": [1], "a": "x"}),
    ],
)
def test_records_agree_on_what_all_have_with_one_value(infos, common):
    assert list(agreed(infos).items()) == list(common.items())
