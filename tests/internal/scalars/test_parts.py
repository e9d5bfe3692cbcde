"""Distances of samples in pieces: the bits of one process, however the rows are cut."""

import threading
import time
from contextlib import closing
from types import SimpleNamespace

import numpy as np
import pytest
from helpers import Interrupted
from shards import Pickling, sharded

import prfast
from prfast.samples.pair import Pair
from prfast.scalars import distances, kernel, moments
from prfast.scalars.api import read_metric_options
from prfast.scalars.blocks import map_blocks
from prfast.scalars.halves import halve

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(230, 4)).astype(np.float32)
FAKE = (1.2 * RNG.normal(size=(170, 4))).astype(np.float32)
DISTANCES = ("frechet_distance", "kernel_distance")
CUTS = [(), (10, 11, 200), tuple(range(1, 170, 7))]


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch):
    """Several blocks, whose borders are not those of the pieces."""
    monkeypatch.setattr(kernel, "_MOST", 50)
    monkeypatch.setattr(kernel, "_MOST_FLOAT32", 70)
    monkeypatch.setattr(moments, "_ROWS", 60)


def result(real, fake, **options):
    result = prfast.metrics(real, fake, which=DISTANCES, **options)
    return dict(result), dict(result.errors), dict(result.info)


@pytest.mark.parametrize("cuts", CUTS)
@pytest.mark.parametrize(("size", "large"), [(1.0, 0), (1.0, 1 << 33), (1e-150, 0)])
def test_samples_in_pieces_have_the_same_distances(monkeypatch, cuts, size, large):
    monkeypatch.setattr(distances, "_LARGE", large)
    real, fake = (size * x.astype(np.float64) for x in (REAL, FAKE))
    cluster = Pickling()
    in_pieces = (
        sharded(points, [c for c in cuts if c < len(points)], cluster) for points in (real, fake)
    )
    assert result(*in_pieces) == result(real, fake)
    assert not cluster.running


def test_halves_of_samples_in_pieces():
    """Some rows of them, in blocks that reach over several pieces."""
    metric_options = read_metric_options(5, DISTANCES, "closed")
    search = prfast.neighbors.NeighborSearch()
    sets = [(REAL, FAKE), [sharded(x, (60, 100)) for x in (REAL, FAKE)]]
    whole, pieces = (
        halve(Pair.read(*pair), metric_options, search, 3, seed=0)[0].values for pair in sets
    )
    for name in DISTANCES:
        np.testing.assert_array_equal(whole[name], pieces[name])


def test_an_interrupt_of_the_bar_ends_the_threads_of_the_rest():
    """Though its traceback is there, which holds all that was met on the way."""
    done = []

    def call(i):
        time.sleep(0.02)
        done.append(i)

    before = threading.active_count()
    search = SimpleNamespace(threads=2, memory=10**9, progress=Interrupted())
    each = map_blocks(REAL, call, [(i,) for i in range(50)], search, 1)
    with pytest.raises(KeyboardInterrupt) as met, closing(each) as results:
        list(results)
    assert threading.active_count() == before
    assert len(done) < 10
    assert met.tb is not None
