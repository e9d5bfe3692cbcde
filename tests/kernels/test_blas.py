"""Linear algebra on one thread: from the first call on, and until the last of several ends."""

import contextlib
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from interrupts import interrupted_at_each_step

from prfast.kernels import blas
from prfast.kernels.blas import one_blas_thread

# Sums of so many features, of a BLAS with two threads, round otherwise than those of one.
FIRST_AND_SECOND = """
import numpy as np
from prfast import pr_curve
rng = np.random.default_rng(0)
real, fake = rng.normal(size=(600, 200)), 1.05 * rng.normal(size=(600, 200))
first, second = (pr_curve(real, fake, n_jobs=1) for _ in range(2))
assert first == second, (first.area, second.area)
"""

IN_TURN = """
import sys, threading, time
import sklearn.cluster
import numpy, scipy.linalg
from threadpoolctl import ThreadpoolController
from prfast.kernels.blas import one_blas_thread

def threads():
    return {one["num_threads"] for one in ThreadpoolController().select(user_api="blas").info()}

def first():
    with one_blas_thread():
        entered.wait(10)
    left.set()

before = threads()
entered, left = threading.Event(), threading.Event()
other = threading.Thread(target=first)
other.start()
end = time.monotonic() + 8
while threads() != {1}:
    if time.monotonic() > end:
        entered.set()
        sys.exit(77)
with one_blas_thread():
    entered.set()
    left.wait(10)
    assert threads() == {1}, threads()
other.join()
assert threads() == before, (threads(), before)
"""


@pytest.mark.parametrize("script", [FIRST_AND_SECOND, IN_TURN], ids=["first call", "in turn"])
def test_with_two_threads_allowed(script, monkeypatch):
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(name, "2")
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120
    )
    if done.returncode == 77:
        pytest.skip("this BLAS does not take its number of threads from another than the main one")
    assert done.returncode == 0, done.stderr


def test_an_error_inside_leaves_nothing_behind():
    from threadpoolctl import threadpool_info

    with one_blas_thread():
        pass  # SciPy is loaded
    before = [one["num_threads"] for one in threadpool_info()]

    def fail(_):
        with one_blas_thread():
            raise ZeroDivisionError

    with ThreadPoolExecutor(2) as threads:
        for one in [threads.submit(fail, i) for i in range(4)]:
            with pytest.raises(ZeroDivisionError):
                one.result()
    assert [one["num_threads"] for one in threadpool_info()] == before


def test_an_interrupt_at_any_step_leaves_all_numbers_as_they_were():
    from threadpoolctl import threadpool_info, threadpool_limits

    def numbers():
        return [one["num_threads"] for one in threadpool_info()]

    def call():
        with one_blas_thread():
            pass

    call()  # SciPy is loaded
    before, steps = numbers(), 0
    for _ in interrupted_at_each_step(call, blas, contextlib):
        assert numbers() == before
        steps += 1
    assert steps > 20
    with threadpool_limits(3):  # nothing is kept of what was before
        other = numbers()
        call()
        assert numbers() == other


def test_who_comes_while_the_last_leaves_notes_no_number_that_was_not_before(monkeypatch):
    """One thread finds the numbers of another's block, and waits until that is over."""
    from threadpoolctl import threadpool_info

    def numbers():
        return [one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"]

    with one_blas_thread():
        pass  # SciPy is loaded
    before, found, go, limits_of = numbers(), threading.Event(), threading.Event(), blas._limits_of

    def slowly(libraries, kind):
        limits = limits_of(libraries, kind)
        if threading.current_thread() is other:
            found.set()
            go.wait(0.2)
        return limits

    def come():
        with one_blas_thread():
            pass

    monkeypatch.setattr(blas, "_limits_of", slowly)
    other = threading.Thread(target=come)
    with one_blas_thread():
        other.start()
        found.wait(10)
    go.set()
    other.join()
    assert numbers() == before
