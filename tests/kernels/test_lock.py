"""What is done with lists and with named pairs lets other threads of Python run."""

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
NORMS = np.ones(N)
NONE = np.empty(0, np.int64)


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
    """A thread that keeps the longest time for which it could not run."""

    def __enter__(self):
        self.pause, self.over = 0.0, threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)
        self.thread.start()
        return self

    def run(self):
        over, last = False, time.perf_counter()
        while not over:
            over, now = self.over.is_set(), time.perf_counter()
            self.pause, last = max(self.pause, now - last), now

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()
        sys.setswitchinterval(self.interval)


@pytest.mark.parametrize("made", [pairs, put, take, shorten, open_lists])
def test_another_thread_runs_meanwhile(made):
    """A call that holds the lock stops the other for all of the time that it computes.  The best of
    some calls, as the system may stop it as well."""
    call, share = made(), 1.0
    for _ in range(40):
        with Beside() as beside:
            time.sleep(0.002)
            beside.pause, start = 0.0, time.thread_time()
            call()
            computed = time.thread_time() - start
        share = min(share, beside.pause / max(computed, 1e-9))
        if share < 0.5:
            return
    raise AssertionError(f"stopped for {share:.2f} of the time")
