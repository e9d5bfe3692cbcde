"""The automatic estimator of sets in partitions: its results equal those of one process."""

import numpy as np
import pytest
from helpers import Interrupted
from pairs import pair
from shards import Pickling, sharded

from prfast.distributed import auto as module
from prfast.distributed.partitions import map_tasks
from prfast.inputs.concurrency import with_progress
from prfast.methods.auto import Auto
from prfast.methods.base import read_context
from prfast.samples.pair import Pair

TREES = "products of two columns of many, for which trees are grown"


def products(n, sign):
    """Return samples where the product of the first two of 20 columns has a sign."""
    x = np.random.default_rng(n).normal(size=(n, 20))
    x[:, 1] = sign * np.sign(x[:, 0]) * np.abs(x[:, 1])
    return x


def _repeated(real, fake):
    """Return the generated rows three times, with some real ones among them."""
    return real, np.concatenate([np.repeat(fake, 3, axis=0), real[:40]])


def _far(real, fake):
    """Return the generated rows with one far out fifty times."""
    return real, np.concatenate([np.full((50, fake.shape[1]), 9.0), fake])


# Samples to which different bases and coordinates apply, and `fitted`.
KINDS = {
    "all are fitted to": (lambda: pair(300, 250, 4), 20_000),
    "one feature": (lambda: pair(500, 400, 1), 100),
    "wide": (lambda: pair(700, 600, 300), 150),
    "float32": (lambda: [x.astype(np.float32) for x in pair(600, 900, 40)], 150),
    "repeated": (lambda: _repeated(*pair(300, 250, 4)), 150),
    "far": (lambda: _far(*pair(300, 250, 4)), 150),
    "of other sizes": (lambda: pair(900, 12, 3), 100),
    TREES: (lambda: [products(n, sign) for n, sign in ((400, 1), (350, -1))], 300),
}


def all_scores(scores):
    return np.concatenate([scores.real, scores.fake])


NIGHTLY = {"all are fitted to", "wide", "repeated", "of other sizes"}


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.nightly] * (kind in NIGHTLY)) for kind in KINDS]
)
def test_partitions_change_no_bit(kind, monkeypatch):
    make, fitted = KINDS[kind]
    real, fake = make()
    monkeypatch.setattr(module, "group_rows", lambda _: 50)
    monkeypatch.setattr(module, "block_rows", lambda _: 7)  # of a window: many tasks
    cluster = Pickling(threads=3)
    method = Auto(fitted=fitted, folds=4)
    expected = method.scores(Pair.read(real, fake), None, read_context(1, n_jobs=1))
    cuts = [3, 3, len(real) // 3, len(real) - 1]
    partitioned = [sharded(x, c, cluster) for x, c in ((real, cuts), (fake, [len(fake) // 2]))]
    scores = method.scores(Pair.read(*partitioned), None, read_context(1))
    assert np.array_equal(all_scores(scores), all_scores(expected))
    assert scores.curve() == expected.curve()
    weights = scores.provenance.weights
    assert weights == expected.provenance.weights
    assert "trees" in weights or kind != TREES
    assert np.array_equal(scores.large.repetition.group, expected.large.repetition.group)
    assert not cluster.running


def test_the_caller_gets_keys_and_scores_but_no_rows(monkeypatch):
    real, fake = pair(3000, 2500, 60)
    monkeypatch.setattr(module, "group_rows", lambda _: 500)
    monkeypatch.setattr(module, "block_rows", lambda _: 100)
    cluster = Pickling()
    partitioned = Pair.read(*(sharded(points, (700,), cluster) for points in (real, fake)))
    Auto(fitted=100, folds=2).scores(partitioned, None, read_context())
    assert sum(cluster.fetched) < 2 * 8 * 5500 + 2000 * len(cluster.fetched)
    assert max(cluster.fetched) < 8 * 5500


def test_an_error_of_the_fit_is_that_of_one_process():
    real, fake = pair()
    with pytest.raises(ValueError, match="memory: at least") as expected:
        Auto().scores(Pair.read(real, fake), None, read_context(memory=1000))
    partitioned = Pair.read(sharded(real), sharded(fake))
    with pytest.raises(ValueError, match="memory: at least") as error:
        Auto().scores(partitioned, None, read_context(memory=1000))
    assert str(error.value) == str(expected.value)
    with pytest.raises(ValueError, match="fake: at least 2 samples expected for folds, got 1"):
        Auto().scores(Pair.read(sharded(real), sharded(fake[:1])), None, read_context())


def test_an_interrupt_of_the_bar_cancels_the_other_tasks():
    """Even while its traceback is referenced."""
    cluster = Pickling()
    results = map_tasks(cluster, abs, ((x,) for x in range(50)))
    with pytest.raises(KeyboardInterrupt) as error:
        list(with_progress(Interrupted(), results, 50, 1.0))
    assert not cluster.running
    assert error.tb is not None
