"""How many threads the kernels use, and that a forked child does not hang."""

import multiprocessing
import os
import sys

import numpy as np
import pytest

from prfast import min_sums
from prfast.threads import resolve_threads, usable_cores


def test_none_is_every_core_that_the_process_may_use():
    assert resolve_threads(None) == usable_cores() >= 1
    if hasattr(os, "sched_getaffinity"):
        assert usable_cores() == len(os.sched_getaffinity(0))


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system has no affinities")
def test_cores_that_the_process_may_not_use_do_not_count():
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert resolve_threads(None) == 1
    finally:
        os.sched_setaffinity(0, allowed)


def test_a_number_is_taken_even_beyond_the_cores():
    assert resolve_threads(1) == 1
    assert resolve_threads(np.int64(1000)) == 1000


@pytest.mark.parametrize(
    ("n_jobs", "error", "message"),
    [
        (0, ValueError, "n_jobs: an integer of at least 1 expected, got 0"),
        (-1, ValueError, "n_jobs: an integer of at least 1 expected, got -1"),
        (2.0, TypeError, "n_jobs: an integer expected, got a float"),
        (True, TypeError, "n_jobs: an integer expected, got a bool"),
    ],
)
def test_a_wrong_number_is_named(n_jobs, error, message):
    with pytest.raises(error, match=f"^{message}$"):
        resolve_threads(n_jobs)


def masses():
    rng = np.random.default_rng(0)
    return rng.random(200_000), rng.random(200_000), np.geomspace(0.01, 100, 50)


def in_child(results):
    results.put((resolve_threads(None), resolve_threads(2), min_sums(*masses(), n_jobs=2)))


@pytest.mark.skipif(sys.platform != "linux", reason="fork is not safe elsewhere")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_forked_child_runs_on_one_thread_and_does_not_hang():
    """GNU OpenMP does not survive fork once the parent has had a team of threads."""
    expected = min_sums(*masses(), n_jobs=2)
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
    every_core, two, sums = results.get()
    assert (every_core, two) == (1, 1)
    np.testing.assert_array_equal(sums, expected)
    assert resolve_threads(2) == 2  # the parent is as it was


@pytest.mark.skipif(sys.platform != "linux", reason="fork is not safe elsewhere")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_forked_child_still_checks_its_arguments():
    child = os.fork()
    if child == 0:
        status = 1
        try:
            resolve_threads(0)
        except ValueError:
            status = 0
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
