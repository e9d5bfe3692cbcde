"""Batches of an evaluator in a checkpoint."""

import json

import numpy as np
import pytest
from refusals import raised, rows

from prfast import Evaluator

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(90, 3))
FAKE = RNG.normal(0.4, 1.1, size=(70, 3))


def seen(real=REAL, methods=("knn", "ipr"), **options):
    evaluator = Evaluator(real, methods, 4, **options)
    evaluator.update(FAKE[:30])
    evaluator.update(FAKE[30:50])
    return evaluator


def test_it_is_flat_and_of_plain_types_and_of_its_own_memory():
    evaluator = seen()
    evaluator.compute()
    state = evaluator.state_dict()
    assert list(state) == ["format", "options", "reference", "batches", "fake"]
    for name, value in state.items():
        assert type(value) is (np.ndarray if name == "fake" else str)
    assert json.loads(state["options"])["methods"] == ["knn", "ipr"]
    assert state["reference"].startswith("90 × 3 float64, crc ")
    expected = evaluator.compute().curves
    state["fake"][:] = 0
    assert evaluator.compute().curves == expected


REFUSED = """
3
    TypeError: state: a mapping that Evaluator.state_dict gave expected
state | {"format": "prfast.Evaluator.state/9"}
    ValueError: state: format 'prfast.Evaluator.state/1' expected, got 'prfast.Evaluator.state/9'
{name: x for name, x in state.items() if name != "reference"}
    ValueError: state: an entry 'reference' expected, got none
seen(metrics_k=4).state_dict()
    ValueError: state: metrics_k=5 expected, got 4
seen(REAL + 1).state_dict()
    ValueError: state: reference '90 × 3 float64, crc
state | {"fake": FAKE[:, :2]}
    ValueError: real and fake: the same number of features expected, got 3 and 2
state | {"options": "[" * 100_000}
    ValueError: state: entries as of Evaluator.state_dict expected
state | {"batches": '{"fake": {"columns": {"a": 1}}}'}
    ValueError: state: entries as of Evaluator.state_dict expected
state | {"batches": '{"fake": {"columns": ["a", "b"]}}'}
    ValueError: state: entries as of Evaluator.state_dict expected
state | {"batches": '{"fake": {"columns": ["a", "b", "b"]}}'}
    ValueError: state: entries as of Evaluator.state_dict expected
state | {"batches": "{}"}
    ValueError: state: entries as of Evaluator.state_dict expected
state | {"batches": '{"fake": {"features": 5}}'}
    ValueError: state: entries as of Evaluator.state_dict expected
"""


@pytest.mark.parametrize(("change", "error"), rows(REFUSED))
def test_what_is_no_state_of_it_is_refused_and_changes_nothing(change, error):
    evaluator = seen()
    evaluator.compute()
    with raised(error):
        evaluator.load_state_dict(eval(change, globals() | {"state": evaluator.state_dict()}))
    expected = Evaluator(REAL, ("knn", "ipr"), 4).evaluate(FAKE[:50]).curves
    assert evaluator.compute().curves == expected
