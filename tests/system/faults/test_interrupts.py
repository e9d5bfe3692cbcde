"""Ctrl-C at a random moment ends a call, leaves no thread behind, and the next call is right.

A child calls the API again and again.  Each call meets one SIGINT at a moment that is uniform over
the time that a call takes.  PRFAST_SIGNALS=100 sends so many to each call, which then has to end
within a second.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="needs Linux")
SIGNALS = int(os.environ.get("PRFAST_SIGNALS", 8))
LATE = 1 if "PRFAST_SIGNALS" in os.environ else 10  # seconds; 1 if the machine does nothing else
CALLS = ["metrics", "knn", "tree", "auto", "compare", "kmeans", "frontiers", "update", "features"]
CHILD = """
import json, os, signal, sys, tempfile, threading, time
import numpy as np
import prfast
from prfast.features import extract
from prfast.inputs import concurrency
concurrency.usable_cores = lambda: 2
# A shell starts background jobs with SIGINT ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

rng = np.random.default_rng(0)
real, fake = rng.normal(size=(1200, 6)), rng.normal(0.3, size=(1000, 6))
wide = rng.normal(size=(2500, 80)).astype(np.float32)
flat = rng.normal(size=(20_000, 2))
calls = {
    "metrics": lambda: dict(prfast.metrics(wide, wide[::-1] + 0.1, 3, n_jobs=2)),
    "knn": lambda: prfast.pr_curve(wide, wide[::-1] + 0.1, "knn", n_jobs=2),
    "tree": lambda: prfast.pr_curve(flat, flat + 0.1, "knn", n_jobs=2),
    "auto": lambda: prfast.pr_curve(real, fake, "auto", n_jobs=2),
    "kmeans": lambda: prfast.pr_curve(real, fake, "kmeans", n_jobs=1),
    "frontiers": lambda: (
        list(prfast.theory.renyi_frontier(curve, 2.0)[0]),
        prfast.theory.min_sums(*masses, np.geomspace(0.01, 100, 5000), n_jobs=2).tolist(),
    ),
    "compare": lambda: evaluator.compare({"a": fake, "b": fake + 0.1}).to_dict(),
    "update": lambda: updated(),
    "features": lambda: extracted(),
}


def updated():
    batches.reset()
    for start in range(0, 1000, 50):
        batches.update(fake[start : start + 50])
    return batches.compute().to_dict()


def extracted():
    model = lambda images: images.reshape(len(images), -1).astype(np.float32)
    features = np.array(extract(pictures, model, out="x.npy", batch_size=4)).tolist()
    os.unlink("x.npy")
    return features


pictures = rng.integers(0, 256, (2000, 8, 8, 3), np.uint8)
batches = prfast.Evaluator(real, "knn", 3)
masses = rng.random((2, 20_000))
curve = prfast.PRCurve.from_masses(*masses)
evaluator = prfast.Evaluator(real, ("knn", "auto"), 3, n_jobs=2)
call = calls[sys.argv[1]]
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)


def tell(**facts):
    print(json.dumps(facts), flush=True)


def native():
    return len(os.listdir("/proc/self/task"))


expected = call()  # loads what is imported later
start = time.monotonic()
call()
tell(seconds=time.monotonic() - start)
before = native()  # with those that OpenMP and BLAS keep
for line in sys.stdin:
    met = True
    try:
        tell()
        call()
        met = False
        time.sleep(5)  # the signal comes later than the end of the call
    except KeyboardInterrupt:
        ended = time.monotonic()
    else:
        ended = time.monotonic()  # the interrupt was lost
        met = None
    until = time.monotonic() + 1  # threads may be about to end
    while (native() > before or threading.active_count() > 1) and time.monotonic() < until:
        time.sleep(0.001)
    left = threading.active_count() - 1
    tell(met=met, ended=ended, left=left, native=native() - before, right=call() == expected)
"""


def interrupted(name, signals):
    """Yield, for so many signals to a process that makes the call of this name, the seconds until
    the call ended, and what the process tells."""
    rng, command = random.Random(len(name)), [sys.executable, "-c", CHILD, name]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as child:
        seconds = json.loads(child.stdout.readline())["seconds"]
        for _ in range(signals):
            child.stdin.write("\n")
            child.stdin.flush()
            child.stdout.readline()
            time.sleep(rng.uniform(0, seconds))
            sent = time.monotonic()
            child.send_signal(signal.SIGINT)
            facts = json.loads(child.stdout.readline())
            yield facts.pop("ended") - sent, facts
        child.stdin.close()


def check(name, signals):
    for late, facts in interrupted(name, signals):
        met = facts.pop("met")
        assert met is not None, "the interrupt was lost"
        assert facts == {"left": 0, "native": facts["native"], "right": True}
        assert facts["native"] <= 0
        assert not met or late < LATE


def test_an_interrupt_ends_the_call_and_leaves_no_thread():
    check("metrics", 2)


@pytest.mark.nightly
@pytest.mark.parametrize("name", CALLS)
def test_many_interrupts(name):
    check(name, SIGNALS)
