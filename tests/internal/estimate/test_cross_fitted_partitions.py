"""Curves of "auto", and the check of any curve, of partitioned samples."""

import numpy as np
from shards import Pickling, sharded

from prfast import Evaluator
from prfast.estimate.diagnostics import MOST, share_metrics
from prfast.methods.base import ExecutionContext
from prfast.samples.pair import Pair

rng = np.random.default_rng(0)
REAL, FAKE = rng.normal(size=(1600, 4)), rng.normal(0.5, 1.2, size=(1500, 4))


def partitioned(real=REAL, fake=FAKE):
    cluster = Pickling(threads=2)
    return [sharded(points, range(300, len(points), 300), cluster) for points in (real, fake)]


def test_the_check_takes_the_same_few_samples():
    (real, fake), context = partitioned(), ExecutionContext(seed=5)
    assert share_metrics(Pair.read(real, fake), context) == share_metrics(
        Pair.read(REAL, FAKE), context
    )
    assert max(real.cluster.fetched) < 2 * 8 * 4 * MOST


def test_rows_are_read_once_for_equal_rows_of_all_methods():
    """The record of "auto" serves the other methods."""
    passes = []

    class Counting(Pickling):
        def submit(self, function, *args):
            if function.__name__ == "keys_of_part":
                passes.append(args[0])
            return super().submit(function, *args)

    real, fake = REAL[:400], np.concatenate([FAKE[:300], REAL[:100]])
    cluster = Counting()
    evaluator = Evaluator(sharded(real, (), cluster), ("auto", "knn"))
    curves = evaluator.curves(sharded(fake, (), cluster))
    assert len(passes) == 2  # one group of rows of each set
    assert [curve.info["copied"] for curve in curves.values()] == [100, 100]
    assert curves == Evaluator(real, ("auto", "knn")).curves(fake)
