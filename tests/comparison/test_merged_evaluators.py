"""Evaluators that have each seen some batches, as one."""

import pickle

import numpy as np
from refusals import refusals

from prfast import Evaluator

rng = np.random.default_rng(0)
REAL = rng.normal(size=(120, 3))
BATCHES = [rng.normal(0.3, 1.2, size=(size, 3)) for size in (40, 25, 60)]


def evaluator(*batches, real=REAL, **options):
    result = Evaluator(real, ["knn", "ipr"], [3, 5], **options)
    for batch in batches:
        result.update(batch)
    return result


def test_a_merged_evaluator_has_the_batches_of_both_in_order():
    expected = evaluator(*BATCHES).compute()
    first, last = evaluator(*BATCHES[:2]), evaluator(BATCHES[2])
    result = first.merge(pickle.loads(pickle.dumps(last))).compute()
    assert result.curves == expected.curves
    assert result.metrics == expected.metrics
    assert evaluator().merge(first).merge(last).compute().curves == expected.curves
    for each, batches in ((first, BATCHES[:2]), (last, BATCHES[2:])):  # they stay as they are
        assert each.compute().curves == evaluator(*batches).compute().curves


test_what_does_not_belong_together_is_refused = refusals("""
evaluator(BATCHES[0]).merge(3)
    TypeError: other: an Evaluator expected, got int
evaluator(BATCHES[0]).merge(evaluator(real=REAL + 1))
    ValueError: other: an evaluator of the same reference expected
evaluator(BATCHES[0]).merge(evaluator(metrics_k=4))
    ValueError: other: metrics_k=5 expected, got 4
evaluator(BATCHES[0]).merge(evaluator(random_state=1))
    ValueError: other: random_state=0 expected, got 1
evaluator(BATCHES[0]).merge(evaluator(BATCHES[1].astype(np.float32)))
    TypeError: other: float64 as in the batches before expected, got float32
""")
