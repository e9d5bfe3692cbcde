"""What is submitted for samples in pieces: how many tasks at a time, how large, and what becomes of
them where one fails."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import Listening
from pieces import InPieces, even, sharded
from refusals import refused

from prfast.distributed.block_engine import Blocks
from prfast.distributed.blocks import keep
from prfast.distributed.partitions import InProcess
from prfast.neighbors import Count
from prfast.neighbors.tasks import Kth, LargestRatio, LogSum, Nearest, Resources

X, Y = np.random.default_rng(0).normal(size=(2, 300, 6)).astype(np.float32)


class Watched(InProcess):
    """Counts tasks on their way, and notes what is cancelled."""

    def __init__(self):
        self.waiting = self.most = 0
        self.cancelled = None

    def submit(self, function, *args):
        self.waiting += function is not keep
        self.most = max(self.most, self.waiting)
        return super().submit(function, *args)

    def persist(self, handles):
        self.waiting -= len(handles)

    def cancel(self, handles):
        self.cancelled = list(handles)


def some(*ks):
    return np.array(ks, np.int64)


NOTHING = some()


@pytest.mark.parametrize(
    ("task", "sets"),
    [
        (Kth(some(3)), 1),
        (Kth(some(3), within=True), 1),
        (Nearest(some(2), some(3), NOTHING), 2),
        (Count(np.ones(300), None, rows=np.zeros(300, np.int64)), 1),
        (LogSum(1.0, np.zeros(300)), 1),
        (LargestRatio(np.ones(300), np.zeros(300)), 1),
    ],
    ids=lambda one: type(one).__name__,
)
def test_a_few_tasks_at_a_time_and_the_bar_hears_of_all_pairs(task, sets):
    cluster, bar = Watched(), Listening()
    x, y = (sharded(points, [50] * 6, cluster) for points in (X, Y))
    Blocks(70).run(x, [x, y][:sets], [task], Resources(1, progress=bar))
    assert sum(bar.steps) == 300 * 300 * sets
    assert cluster.most <= 6
    assert cluster.waiting == 0
    assert cluster.cancelled is None


class Lost:
    """A piece that cannot be loaded."""

    def load(self):
        raise OSError("real-5.npy: no such file")


def test_an_error_cancels_what_is_on_its_way():
    cluster = Watched()
    x = sharded(X, [50] * 6, cluster)
    x.partitions[5] = Lost()
    with refused(OSError, "real-5.npy: no such file"):
        Blocks(50).run(x, [x], [LargestRatio(np.ones(300), np.zeros(300))], Resources(1))
    assert len(cluster.cancelled) == cluster.waiting - 1 == 5


def test_more_points_than_lists_can_number():
    x = replace(sharded(X, [300]), lengths=np.array([2**31]))
    with refused(ValueError, "samples: at most 2**31 - 1 in a set expected, got 2147483648"):
        Blocks(10**6).run(x, [x], [Kth(some(1))], Resources(1))


def test_queries_that_lists_do_not_tell_are_done_again():
    for points, fallback in ((X, 0), (np.zeros((300, 4)), 300)):
        search = InPieces(even(50), 70)
        assert np.isfinite(search.kth_within(points, [5])).all()
        assert search.work["fallback"] == fallback
        assert search.work["float32"] > 0
