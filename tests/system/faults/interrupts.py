"""python -m tests.system.faults.interrupts --signals N: SIGINT for a process, at random moments.

A child calls the API again and again.  Each call meets one SIGINT at a moment that is uniform over
the time that a call takes.  It has to end soon, to leave no thread behind, and the next call in the
same process has to give the right result.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import time
from typing import Any, NamedTuple

CALLS = (
    *("metrics", "knn", "tree", "auto", "compare", "kmeans", "frontiers"),
    *("update", "features"),
)
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


class Ended(NamedTuple):
    """End of a call that met a signal."""

    met: bool | None
    """False where the call had ended before; None where the interrupt was lost."""
    late: float
    """Seconds from the signal to the end of the call."""
    left: int
    """Threads of Python beside the main one."""
    native: int
    """Threads of the process beside those that it had before."""
    right: bool
    """Whether the next call gives the right result."""

    def fault(self) -> bool:
        return self.met is None or self.left > 0 or self.native > 0 or not self.right


def interrupted(name: str, signals: int, seed: int) -> list[Ended]:
    """Send so many signals to a process that makes the call of this name."""
    rng, results = random.Random(seed), []
    command = [sys.executable, "-c", CHILD, name]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None

        def answer() -> Any:
            return json.loads(child.stdout.readline())  # type: ignore[union-attr]

        seconds = answer()["seconds"]
        for _ in range(signals):
            child.stdin.write("\n")
            child.stdin.flush()
            answer()
            time.sleep(rng.uniform(0, seconds))
            sent = time.monotonic()
            child.send_signal(signal.SIGINT)
            facts = answer()
            late = facts.pop("ended") - sent
            results.append(Ended(late=late, **facts))
        child.stdin.close()
    return results


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.system.faults.interrupts", description=__doc__
    )
    parser.add_argument("--signals", type=int, default=40, metavar="N", help="a call (default: 40)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="(default: 0)")
    options = parser.parse_args(argv)
    faults = 0
    for name in CALLS:
        ended = interrupted(name, options.signals, options.seed)
        met = [end.late for end in ended if end.met]
        wrong = sum(end.fault() for end in ended)
        within = sum(late <= 1 for late in met)
        print(
            f"{name:8} {len(ended)} signals, {len(met)} met a call, {within} of them ended it "
            f"within 1 s, the last after {max(met, default=0):.2f} s; "
            f"{sum(x.left > 0 or x.native > 0 for x in ended)} left threads, "
            f"{sum(x.met is None for x in ended)} lost, "
            f"{sum(not x.right for x in ended)} wrong results afterwards",
            flush=True,
        )
        faults += wrong + len(met) - within
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
