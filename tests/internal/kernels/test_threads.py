"""Numbers of threads that the kernels use, and forked children, which do not hang."""

import multiprocessing
import subprocess
import sys

import numpy as np
import pytest

from prfast.curve import masses as curve_masses
from prfast.inputs import concurrency
from prfast.inputs.concurrency import resolve_threads
from prfast.theory import min_sums


@pytest.fixture(autouse=True)
def no_environment(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)


def test_there_are_no_more_workers_than_cores_or_tasks(monkeypatch):
    monkeypatch.setattr(concurrency, "usable_cores", lambda: 8)
    for n_jobs, expected in [(1, 1), (np.int64(5), 5), (8, 8), (9, 8), (2**80, 8), (-1, 8)]:
        assert resolve_threads(n_jobs) == expected
    assert resolve_threads(5, tasks=3) == resolve_threads(None, tasks=3) == 3
    assert resolve_threads(-3, tasks=100) == resolve_threads(6, tasks=100) == 6
    assert resolve_threads(40, tasks=100) == 8
    assert resolve_threads(2, tasks=0) == 1
    assert min_sums([1], [1], 1.0, n_jobs=2**80) == 1


@pytest.mark.parametrize(("value", "threads"), [("3", 3), ("5,2", 5), (" 7 ", 7), ("64", 8)])
def test_none_is_the_environments_number_of_threads(monkeypatch, value, threads):
    monkeypatch.setattr(concurrency, "usable_cores", lambda: 8)
    monkeypatch.setenv("OMP_NUM_THREADS", value)
    assert resolve_threads(None) == threads
    assert resolve_threads(2) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of address space is Linux's")
@pytest.mark.parametrize("call", ["metrics(x, y, 5", "pr_curves(x, y"])
@pytest.mark.parametrize("spare", [2, 4, 8])
def test_threads_that_the_system_refuses_are_done_without(call, spare):
    """GNU OpenMP would end the process: "Thread creation failed"."""
    program = f"""
import resource
import numpy, prfast
from prfast.inputs import concurrency
concurrency.usable_cores = lambda: 2
x, y = numpy.random.default_rng(0).normal(size=(2, 1000, 16))
expected = str(prfast.{call}, n_jobs=1))
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + {spare} * 10**6,) * 2)
try:
    assert str(prfast.{call}, n_jobs=2)) == expected
except MemoryError:
    pass
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def masses():
    rng = np.random.default_rng(0)
    return rng.random(200_000), rng.random(200_000), np.geomspace(0.01, 100, 50)


def sweep():
    """Cells of scores that are sorted by a thread a class, where there are two."""
    rng = np.random.default_rng(0)
    scores = rng.normal(1, size=50_000), rng.normal(size=50_000)
    return curve_masses.of_scores(scores, (None, None))


def in_child(results):
    sums = min_sums(*masses(), n_jobs=2)
    results.put((resolve_threads(None), resolve_threads(2), sums, sweep()))


@pytest.mark.skipif(sys.platform != "linux", reason="fork is not safe elsewhere")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_forked_child_runs_on_one_thread_and_does_not_hang(monkeypatch):
    """GNU OpenMP does not survive fork once the parent has had a team of threads."""
    monkeypatch.setattr(concurrency, "usable_cores", lambda: 2)
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    expected, swept = min_sums(*masses(), n_jobs=2), sweep()
    context = multiprocessing.get_context("fork")
    results = context.SimpleQueue()
    child = context.Process(target=in_child, args=(results,))
    child.start()
    child.join(30)
    if child.is_alive():
        child.kill()
        child.join()
        pytest.fail("the forked child hangs")
    assert child.exitcode == 0
    every_core, two, sums, cells_there = results.get()
    assert (every_core, two) == (1, 1)
    np.testing.assert_array_equal(sums, expected)
    np.testing.assert_array_equal(cells_there, swept)
    assert resolve_threads(2) == 2  # the parent is as it was
