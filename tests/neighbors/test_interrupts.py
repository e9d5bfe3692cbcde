"""Ctrl-C is heard within a second, also where the filter sees little."""

import signal
import time

import numpy as np
import pytest

from prfast.neighbors import Search

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs signals")


@pytest.fixture
def heard():
    """When Python could hear a signal, of those that come all the time: in seconds of its own work,
    which others on the machine do not stretch."""
    times = []
    before = signal.signal(signal.SIGALRM, lambda *_: times.append(time.process_time()))
    signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
    yield times
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def tight_clusters(n, size, d=1024):
    """Clusters so far away and so tight that all D within one have to be computed."""
    rng = np.random.default_rng(n)
    centres = 100 * rng.normal(size=(n // size, d))
    points = np.repeat(centres, size, axis=0) + 1e-3 * rng.normal(size=(n // size * size, d))
    return rng.permutation(points).astype(np.float32)


# Beyond a cluster lists tell, within it they do not and reservoirs do.
@pytest.mark.parametrize(("size", "k"), [(330, 300), (330, 160)])
def test_signals_are_heard_while_distances_of_what_was_kept_are_computed(heard, size, k):
    points = tight_clusters(9000, size)
    search = Search("exact", n_jobs=1)
    heard.append(time.process_time())
    search.kth_within(points, [k])
    heard.append(time.process_time())
    redone = search.work["redone"] / len(points)
    assert redone > 0.9 if k < size / 2 else redone < 0.1
    assert search.work["refined"] > 50 * len(points)
    assert np.diff(heard).max() < 1
