"""What is done with lists and with named pairs lets other threads of Python run."""

import functools
import sys
import threading
import time

import numpy as np
import pytest

from prfast.kernels import balls
from prfast.kernels.choice import isa

pytestmark = pytest.mark.skipif(
    not getattr(sys, "_is_gil_enabled", lambda: True)(), reason="there is no lock to hold"
)
N, HELD, DIM = 96, 60_000, 4
PARTS = 20  # of a call
NORMS = np.ones(N)
NONE = np.empty(0, np.int64)


@functools.cache
def taken():
    """What N lists have, each HELD keys."""
    fill, limit = np.full(N, HELD, np.int32), np.full(N, np.inf, np.float32)
    key = np.random.default_rng(0).random(N * HELD, np.float32)
    return fill, key, np.tile(np.arange(HELD, dtype=np.int32), N), limit


def lists():
    made = balls.Lists(N, HELD // 2, HELD + 1000)
    made.put(*taken())
    return made


def pairs():
    x = np.zeros((1000, 1500))
    rows = np.random.default_rng(0).integers(0, 1000, 20_000)
    return lambda: balls.pairs(x, x, rows, rows)


def put():
    some, made = taken(), balls.Lists(N, HELD // 2, HELD + 1000)

    def call():
        made.begin(0)
        made.put(*some)

    return call


def take():
    made = lists()
    return lambda: made.taken(N)


def shorten():
    made = lists()
    return lambda: made.shorten(isa(), DIM, 1.0, NORMS, HELD // 2)


def open_lists():
    made, ks = lists(), np.arange(1, 10)
    return lambda: balls.left_open(isa(), DIM, 1.0, made, None, NORMS, (ks, NONE, NONE))


class Beside:
    """A thread that notes when it runs: by what another has computed by then, which stands still
    while the system lets neither run; where no clock tells that, by the time."""

    def __enter__(self):
        tell = getattr(time, "pthread_getcpuclockid", None)
        number = tell and tell(threading.get_ident())
        self.clock = time.perf_counter if tell is None else lambda: time.clock_gettime(number)
        self.ran, self.begun, self.over = [], threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()
        self.begun.wait()
        return self

    def run(self):
        self.begun.set()
        while not self.over.is_set():
            self.ran.append(self.clock())

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()


def stopped(made, most=200):
    """The largest share of what a call computes at a stretch in which another thread never ran.

    Calls are alike: where the lock is held in one, it is in all.  A busy machine stops the other
    thread as well, but not at the same place each time; so several calls are looked at together.
    """
    ran, share = np.zeros(PARTS + 2, bool), 1.0
    ran[[0, -1]] = True
    for _ in range(most):
        call = made()
        with Beside() as beside:
            start = beside.clock()
            call()
            end = beside.clock()
        place = (np.array(beside.ran) - start) / max(end - start, 1e-9) * PARTS
        ran[1 + place[(place >= 0) & (place < PARTS)].astype(int)] = True
        share = (np.diff(np.flatnonzero(ran)).max() - 1) / PARTS
        if share < 0.5:
            break
    return share


@pytest.mark.parametrize("made", [pairs, put, take, shorten, open_lists])
def test_another_thread_runs_meanwhile(made):
    assert stopped(made) < 0.5


def test_a_call_that_holds_the_lock_is_seen():
    assert stopped(lambda: lambda: sum(range(500_000)), 40) > 0.8
