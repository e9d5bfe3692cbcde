"""The automatic estimator of sets in partitions: its results equal those of one process."""

import numpy as np
import pytest
from pairs import pair
from shards import Pickling, sharded

from prfast.distributed import auto as module
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
    "one feature": (lambda: pair(500, 400, 1), 100),
    "float32": (lambda: [x.astype(np.float32) for x in pair(600, 900, 40)], 150),
    "repeated": (lambda: _repeated(*pair(300, 250, 4)), 150),
    "far": (lambda: _far(*pair(300, 250, 4)), 150),
    TREES: (lambda: [products(n, sign) for n, sign in ((400, 1), (350, -1))], 300),
}


def all_scores(scores):
    return np.concatenate([scores.real, scores.fake])


@pytest.mark.parametrize("kind", KINDS)
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
