"""Generated samples that come batch by batch."""

import numpy as np
from refusals import refusals, refused

import prfast
from prfast import Evaluator

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(90, 3))
FAKE = RNG.normal(0.4, 1.1, size=(70, 3))


def in_batches(*batches):
    evaluator = Evaluator(REAL, "ipr", 4)
    for batch in batches:
        evaluator.update(batch)
    return evaluator


def test_reset_keeps_the_reference():
    evaluator = in_batches(FAKE)
    evaluator.reset()
    with refused(ValueError, "compute: batches expected, got none; call update first"):
        evaluator.compute()
    evaluator.update(FAKE[:40])
    assert evaluator.compute().curve == prfast.pr_curve(REAL, FAKE[:40], "ipr", 4)


def test_batches_of_no_sample_add_nothing():
    for empty in (np.empty((0, 3)), np.empty((0, 3), np.float32)):
        evaluator = in_batches(empty, *np.array_split(FAKE, 4), empty)
        assert evaluator.compute().curve == prfast.pr_curve(REAL, FAKE, "ipr", 4)
    with refused(ValueError, "compute: batches expected, got none; call update first"):
        in_batches(np.empty((0, 3))).compute()


test_batches_that_do_not_fit_are_named = refusals("""
in_batches(FAKE[:, :2])
    ValueError: real and fake: the same number of features expected, got 3 and 2
in_batches(np.empty((0, 2)))
    ValueError: real and fake: the same number of features expected, got 3 and 2
in_batches(FAKE, FAKE.astype(np.float32))
    TypeError: fake: float64 as in the batches before expected, got float32
Evaluator().update(FAKE)
    ValueError: real: samples expected, got None
Evaluator(methods="ipr").evaluate(FAKE)
    ValueError: real: samples expected, got None
""")
