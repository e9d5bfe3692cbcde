"""The automatic estimator of sets in pieces: its results are those of one process, bit for bit."""

import pickle

import numpy as np
import pytest
from helpers import Interrupted
from made import coordinates, pair
from refusals import refused
from shards import Pickling, sharded

from prfast.distributed import auto as module
from prfast.distributed.partitions import bounded_map
from prfast.methods.auto import Auto
from prfast.methods.auto.memory import fit_bytes, model_bytes, score_bytes
from prfast.methods.auto.model import fit
from prfast.methods.auto.workers import alone, over
from prfast.methods.base import read_context

TREES = "products of two columns of many, for which trees are grown"


def products(n, sign):
    """Samples where the product of the first two of 20 columns has a sign."""
    x = np.random.default_rng(n).normal(size=(n, 20))
    x[:, 1] = sign * np.sign(x[:, 0]) * np.abs(x[:, 1])
    return x


def _again(real, fake):
    """The generated rows three times, and some real ones among them."""
    return real, np.concatenate([np.repeat(fake, 3, axis=0), real[:40]])


# Kinds of samples that other bases and other coordinates are made for.
KINDS = {
    "few features": (lambda: pair(900, 700, 6), 200),
    "all are fitted to": (lambda: pair(300, 250, 4), 20_000),
    "one feature": (lambda: pair(500, 400, 1), 100),
    "wide": (lambda: pair(700, 600, 300), 150),
    "float32": (lambda: [one.astype(np.float32) for one in pair(600, 900, 40)], 150),
    "two dtypes": (lambda: [one.astype(t) for one, t in zip(pair(), "fd", strict=True)], 40),
    "duplicates": (lambda: [np.repeat(one, 5, axis=0) for one in pair(90, 80, 5)], 150),
    "generated again": (lambda: _again(*pair(300, 250, 4)), 150),
    "tiny": (lambda: [np.ldexp(one, -700) for one in pair()], 50),
    "sorted": (lambda: [np.sort(one, axis=0) for one in pair(500, 400, 3)], 100),
    "of other sizes": (lambda: pair(900, 12, 3), 100),
    "whole numbers": (lambda: [np.round(one) for one in pair(500, 400, 3)], 100),
    TREES: (lambda: [products(n, sign) for n, sign in ((400, 1), (350, -1))], 300),
}


def both(scores):
    return np.concatenate([scores.real, scores.fake])


@pytest.mark.parametrize("kind", KINDS)
def test_pieces_change_no_bit(kind, monkeypatch):
    made, fitted = KINDS[kind]
    real, fake = made()
    monkeypatch.setattr(module, "group_rows", lambda _: 50)
    monkeypatch.setattr(module, "block_rows", lambda _: 7)  # of a window: many tasks
    cluster = Pickling(threads=3)
    method = Auto(fitted=fitted, folds=4)
    expected = method.scores(real, fake, context=read_context(1, n_jobs=1))
    cuts = [3, 3, len(real) // 3, len(real) - 1]
    in_pieces = [sharded(one, c, cluster) for one, c in ((real, cuts), (fake, [len(fake) // 2]))]
    found = method.scores(*in_pieces, context=read_context(1))
    assert np.array_equal(both(found), both(expected))
    weights = found.provenance.weights
    assert weights == expected.provenance.weights
    assert "trees" in weights or kind != TREES
    assert np.array_equal(found.equal.group, expected.equal.group)
    assert not cluster.running


@pytest.mark.nightly
@pytest.mark.parametrize("window", [64, 300, 10**6])
def test_windows_hold_every_block_once_whatever_their_size(window, monkeypatch):
    real, fake = pair(2000, 1500, 2)
    monkeypatch.setattr(module, "window_rows", lambda *_: window)
    cluster = Pickling()
    monkeypatch.setattr("prfast.methods.auto.sample.NUMBERS", 64 * 64)  # blocks of 64 rows
    options = {"fitted": 100, "folds": 3}
    expected = both(Auto(**options).scores(real, fake))
    in_pieces = [sharded(one, range(97, len(one), 97), cluster) for one in (real, fake)]
    assert np.array_equal(both(Auto(**options).scores(*in_pieces)), expected)


def test_the_caller_is_sent_keys_and_scores_and_no_rows(monkeypatch):
    real, fake = pair(3000, 2500, 60)
    monkeypatch.setattr(module, "window_rows", lambda *_: 500)
    cluster = Pickling()
    Auto(fitted=100, folds=2).cross_fit(*(sharded(one, (700,), cluster) for one in (real, fake)))
    assert sum(cluster.fetched) < 2 * 8 * 5500 + 2000 * len(cluster.fetched)
    assert max(cluster.fetched) < 8 * 5500


@pytest.fixture
def small_blocks(monkeypatch):
    """Of 512 rows of 64 features."""
    monkeypatch.setattr("prfast.methods.auto.sample.NUMBERS", 1 << 15)


def in_room(room):
    """Two sets on a worker with so many bytes a thread."""
    cluster = Pickling()
    cluster.task_memory = room
    return [sharded(one, (700,), cluster) for one in pair(6000, 5000, 64)]


FEW = {"fitted": 20, "folds": 2}
SIZES = 64, 2, 8  # features, folds, bytes of a number


def test_a_fit_that_does_not_fit_is_refused_before_any_work(small_blocks):
    real, fake = in_room(5_000_000)
    with refused(
        ValueError,
        "client: workers with 19.3 MB a thread expected for the fit of 'auto', 64 features and 40 "
        "samples to fit to, got 5 MB: more memory, fewer threads, or fewer of these samples "
        "(fitted=)",
    ):
        Auto(**FEW).scores(real, fake)
    assert real.cluster.tasks == 0


def test_scores_that_do_not_fit_are_refused_before_any_work(monkeypatch):
    monkeypatch.setattr("prfast.methods.auto.sample.NUMBERS", 1 << 16)
    real, fake = in_room(fit_bytes(40, *SIZES))
    with pytest.raises(
        ValueError, match=r"^client: .* expected for scores of \d+ samples of 'auto'"
    ):
        Auto(**FEW).scores(real, fake)
    assert real.cluster.tasks == 0


def test_tasks_are_smaller_where_memory_is_little_and_no_bit_changes(small_blocks):
    found = {}
    for room in (None, score_bytes(40, 3000, *SIZES)):
        real, fake = in_room(room)
        found[real.cluster] = both(Auto(**FEW).scores(real, fake))
    (free, expected), (little, scores) = found.items()
    assert np.array_equal(scores, expected)
    assert little.tasks > free.tasks


def test_a_bar_counts_fit_and_windows(capsys):
    real, fake = pair()
    context = read_context(progress=True)
    Auto(fitted=40).scores(sharded(real), sharded(fake), context=context)
    assert "auto: " in capsys.readouterr().err


def test_an_error_of_the_fit_is_that_of_one_process():
    real, fake = pair()
    with pytest.raises(ValueError, match="memory: at least") as expected:
        Auto().scores(real, fake, context=read_context(memory=1000))
    with pytest.raises(ValueError, match="memory: at least") as found:
        Auto().scores(sharded(real), sharded(fake), context=read_context(memory=1000))
    assert str(found.value) == str(expected.value)
    with pytest.raises(ValueError, match="fake: at least 2 samples expected for folds, got 1"):
        Auto().scores(sharded(real), sharded(fake[:1]))


@pytest.mark.nightly
@pytest.mark.parametrize("kind", KINDS)
def test_a_fit_holds_no_more_than_its_bound(kind):
    made, fitted = KINDS[kind]
    coords = coordinates(*made(), most=fitted)
    sample = coords.sample
    sizes = len(sample.fitted), sample.width, sample.folds
    found = len(pickle.dumps(fit(coords, alone).model))
    assert found < model_bytes(*sizes) + 100_000
    assert model_bytes(*sizes) < fit_bytes(*sizes, 8)
    assert model_bytes(*sizes) < score_bytes(sizes[0], 1000, *sizes[1:], 8)


def test_an_interrupt_of_the_bar_cancels_the_tasks_of_the_rest():
    """Though its traceback is there, which holds all that was met on the way."""
    cluster = Pickling()
    turns = bounded_map(cluster, abs, ((x,) for x in range(50)))
    with pytest.raises(KeyboardInterrupt) as met:
        list(over(Interrupted(), turns, 50, 1.0))
    assert not cluster.running
    assert met.tb is not None
