"""One evaluator, many threads: each has what it would have alone, and no batch is lost."""

import pickle
import time

import numpy as np
import pytest
from helpers import at_once

import prfast
from prfast.comparison import reference
from prfast.comparison.evaluator import Evaluator

THREADS = 8
RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(160, 4)).astype(np.float32)
FAKES = [(RNG.normal(size=(100 + i, 4)) + 0.1 * i).astype(np.float32) for i in range(THREADS)]
ALL = ("knn", "ipr", "parzen", "coverage")
WHICH = ("precision", "recall", "frechet_distance", "kernel_distance")


class Centered:
    """A scorer with a state, which takes its time between the fit and the scores."""

    def fit(self, real, fake):
        self.direction = real.mean(axis=0) - fake.mean(axis=0)
        time.sleep(0.01)
        return self

    def score(self, points):
        return points @ self.direction


def new_evaluator(**more):
    return Evaluator(REAL, (*ALL, Centered()), (1, 3), metrics_k=2, which=WHICH, **more)


def everything(evaluator, fake):
    result = evaluator.evaluate(fake)
    return {key: (curve, curve.info) for key, curve in result.curves.items()}, dict(result.metrics)


def test_threads_that_share_an_evaluator_have_the_results_of_their_own():
    alone = [everything(new_evaluator(), fake) for fake in FAKES]
    evaluator = new_evaluator()
    for _ in range(2):
        calls = [lambda fake=fake: everything(evaluator, fake) for fake in FAKES]
        assert at_once(calls) == alone


def test_a_scorer_is_fitted_for_one_call_at_a_time():
    scorer = Centered()
    alone = [prfast.pr_curve(REAL, fake, Centered()) for fake in FAKES]
    calls = [lambda fake=fake: prfast.pr_curve(REAL, fake, scorer) for fake in FAKES]
    assert at_once(calls) == alone


@pytest.fixture
def slow_joins(monkeypatch):
    """Batches are put together while others come."""
    plain = reference.with_record

    def with_record(rows, record):
        time.sleep(0.002)
        return plain(rows, record)

    monkeypatch.setattr(reference, "with_record", with_record)


def numbered(thread, size=10):
    """Batches of which each row is like no other."""
    for i in range(size):
        yield np.array([[thread, i, j, 0.5] for j in range(3)], np.float32)


def rows_of_batches(evaluator):
    return sorted(map(tuple, np.concatenate(evaluator.arrays).tolist()))


def test_no_batch_is_lost_while_others_compute_and_pickle_it(slow_joins):
    evaluator = Evaluator(REAL, ("ipr",), 1, which=("precision",), metrics_k=1)
    evaluator.update(FAKES[0][:9])
    states = []

    def update(thread):
        for batch in numbered(thread):
            evaluator.update(batch)
            time.sleep(0.001)

    def compute():
        for _ in range(4):
            evaluator.compute()

    def save():
        for _ in range(10):
            states.append(pickle.dumps(evaluator))
            time.sleep(0.001)

    at_once([*(lambda t=t: update(t) for t in range(4)), compute, save])
    expected = [FAKES[0][:9], *(batch for thread in range(4) for batch in numbered(thread))]
    assert rows_of_batches(evaluator._fake) == sorted(map(tuple, np.concatenate(expected).tolist()))
    for state in states:
        pickle.loads(state)
