"""The automatic estimator of sets in partitions: its results equal those of one process."""

import pickle

import numpy as np
import pytest
from helpers import Interrupted
from pairs import coordinates, pair
from refusals import refused
from shards import Pickling, sharded

from prfast.distributed import auto as module
from prfast.distributed.partitions import bounded_map
from prfast.methods.auto import Auto
from prfast.methods.auto.estimator import fit_bytes, model_bytes, score_bytes
from prfast.methods.auto.model import fit, serial_executor, with_progress
from prfast.methods.base import read_context

TREES = "products of two columns of many, for which trees are grown"


def products(n, sign):
    """Return samples where the product of the first two of 20 columns has a sign."""
    x = np.random.default_rng(n).normal(size=(n, 20))
    x[:, 1] = sign * np.sign(x[:, 0]) * np.abs(x[:, 1])
    return x


def _repeated(real, fake):
    """Return the generated rows three times, with some real ones among them."""
    return real, np.concatenate([np.repeat(fake, 3, axis=0), real[:40]])


# Samples to which different bases and coordinates apply, and `fitted`.
KINDS = {
    "all are fitted to": (lambda: pair(300, 250, 4), 20_000),
    "one feature": (lambda: pair(500, 400, 1), 100),
    "wide": (lambda: pair(700, 600, 300), 150),
    "float32": (lambda: [x.astype(np.float32) for x in pair(600, 900, 40)], 150),
    "duplicates": (lambda: [np.repeat(x, 5, axis=0) for x in pair(90, 80, 5)], 150),
    "repeated": (lambda: _repeated(*pair(300, 250, 4)), 150),
    "of other sizes": (lambda: pair(900, 12, 3), 100),
    "whole numbers": (lambda: [np.round(x) for x in pair(500, 400, 3)], 100),
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
    expected = method.scores(real, fake, context=read_context(1, n_jobs=1))
    cuts = [3, 3, len(real) // 3, len(real) - 1]
    partitioned = [sharded(one, c, cluster) for one, c in ((real, cuts), (fake, [len(fake) // 2]))]
    scores = method.scores(*partitioned, context=read_context(1))
    assert np.array_equal(all_scores(scores), all_scores(expected))
    weights = scores.provenance.weights
    assert weights == expected.provenance.weights
    assert "trees" in weights or kind != TREES
    assert np.array_equal(scores.equal.group, expected.equal.group)
    assert not cluster.running


@pytest.mark.nightly
@pytest.mark.parametrize("window", [64, 10**6])
def test_windows_of_any_size_score_every_block_once(window, monkeypatch):
    real, fake = pair(2000, 1500, 2)
    monkeypatch.setattr(module, "window_rows", lambda *_: window)
    cluster = Pickling()
    monkeypatch.setattr("prfast.methods.auto.sample.NUMBERS", 64 * 64)  # blocks of 64 rows
    options = {"fitted": 100, "folds": 3}
    expected = all_scores(Auto(**options).scores(real, fake))
    partitioned = [sharded(one, range(97, len(one), 97), cluster) for one in (real, fake)]
    assert np.array_equal(all_scores(Auto(**options).scores(*partitioned)), expected)


def test_the_caller_gets_keys_and_scores_but_no_rows(monkeypatch):
    real, fake = pair(3000, 2500, 60)
    monkeypatch.setattr(module, "window_rows", lambda *_: 500)
    cluster = Pickling()
    Auto(fitted=100, folds=2).cross_fit(*(sharded(one, (700,), cluster) for one in (real, fake)))
    assert sum(cluster.fetched) < 2 * 8 * 5500 + 2000 * len(cluster.fetched)
    assert max(cluster.fetched) < 8 * 5500


@pytest.fixture
def small_blocks(monkeypatch):
    """Make blocks of 512 rows of 64 features."""
    monkeypatch.setattr("prfast.methods.auto.sample.NUMBERS", 1 << 15)


def with_memory(room):
    """Return two sets on a worker with so many bytes a thread."""
    cluster = Pickling()
    cluster.task_memory = room
    return [sharded(one, (700,), cluster) for one in pair(6000, 5000, 64)]


FEW = {"fitted": 20, "folds": 2}
SIZES = 64, 2, 8  # features, folds, bytes of a number


def test_a_fit_beyond_the_memory_is_an_error_before_any_task(small_blocks):
    real, fake = with_memory(5_000_000)
    with refused(
        ValueError,
        "client: workers with 19.3 MB a thread expected for the fit of 'auto', 64 features and 40 "
        "samples to fit to, got 5 MB: more memory, fewer threads, or fewer of these samples "
        "(fitted=)",
    ):
        Auto(**FEW).scores(real, fake)
    assert real.cluster.tasks == 0


def test_scores_beyond_the_memory_are_an_error_before_any_task(monkeypatch):
    monkeypatch.setattr("prfast.methods.auto.sample.NUMBERS", 1 << 16)
    real, fake = with_memory(fit_bytes(40, *SIZES))
    with pytest.raises(
        ValueError, match=r"^client: .* expected for scores of \d+ samples of 'auto'"
    ):
        Auto(**FEW).scores(real, fake)
    assert real.cluster.tasks == 0


def test_little_memory_makes_tasks_smaller_and_changes_no_bit(small_blocks):
    scores = {}
    for room in (None, score_bytes(40, 3000, *SIZES)):
        real, fake = with_memory(room)
        scores[real.cluster] = all_scores(Auto(**FEW).scores(real, fake))
    (unlimited, expected), (limited, values) = scores.items()
    assert np.array_equal(values, expected)
    assert limited.tasks > unlimited.tasks


def test_an_error_of_the_fit_is_that_of_one_process():
    real, fake = pair()
    with pytest.raises(ValueError, match="memory: at least") as expected:
        Auto().scores(real, fake, context=read_context(memory=1000))
    with pytest.raises(ValueError, match="memory: at least") as error:
        Auto().scores(sharded(real), sharded(fake), context=read_context(memory=1000))
    assert str(error.value) == str(expected.value)
    with pytest.raises(ValueError, match="fake: at least 2 samples expected for folds, got 1"):
        Auto().scores(sharded(real), sharded(fake[:1]))


@pytest.mark.nightly
@pytest.mark.parametrize("kind", KINDS)
def test_a_model_has_no_more_bytes_than_its_bound(kind):
    make, fitted = KINDS[kind]
    coords = coordinates(*make(), max_fitted=fitted)
    sample = coords.sample
    sizes = len(sample.fitted), sample.width, sample.folds
    size = len(pickle.dumps(fit(coords, serial_executor).model))
    assert size < model_bytes(*sizes) + 100_000
    assert model_bytes(*sizes) < fit_bytes(*sizes, 8)
    assert model_bytes(*sizes) < score_bytes(sizes[0], 1000, *sizes[1:], 8)


def test_an_interrupt_of_the_bar_cancels_the_other_tasks():
    """Even while its traceback is referenced."""
    cluster = Pickling()
    results = bounded_map(cluster, abs, ((x,) for x in range(50)))
    with pytest.raises(KeyboardInterrupt) as error:
        list(with_progress(Interrupted(), results, 50, 1.0))
    assert not cluster.running
    assert error.tb is not None
