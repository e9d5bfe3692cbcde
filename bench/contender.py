"""A contender and its process: a fresh one, with thread pools of a stated size.

A process of its own because thread pools take their size from the environment when they are
loaded, because pools of several libraries disturb each other in one process, and because the peak
memory of a process cannot be told apart by contender.

This file imports nothing that has threads: what a contender needs is loaded in its process.
"""

import math
import multiprocessing
import os
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from unittest.mock import patch

from bench.machine import HELD_BACK, begin_peak, busy_seconds, cpu_seconds, memory

THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "NUMBA_NUM_THREADS",
)
# Left alone, glibc decides from the history of a process whether a freed array goes back to the
# system, to be paged in again at the next call: np.sort of 4 MB took 3 of its 8 ms for that, and
# the same sorts within prfast none of it.  So all contenders keep what they freed, up to 32 MB an
# array (the largest value that glibc takes).
MEMORY_VARIABLES = {
    "MALLOC_MMAP_THRESHOLD_": str(32 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(4 << 30),
}

# Short calls are repeated within a turn until it lasts about this long.
SECONDS_A_TURN = 0.05


@dataclass(frozen=True)
class Contender:
    """A function to measure: `setup(**settings)`, run once in its process, returns the call.

    `setup` and `answer` are functions at the top of a module.
    """

    setup: Callable[..., Callable[[], Any]]
    settings: Mapping[str, Any] = field(default_factory=dict)
    threads: int | None = 1
    """None leaves the environment as it is: that of threads, of memory and of OpenBLAS."""
    answer: Callable[[Any], Any] | None = None
    """What to bring back of the first call's result, so that a case can compare answers."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables of its process alone, such as PRFAST_ISA or OPENBLAS_CORETYPE."""


def fresh_process(contender: Contender) -> ProcessPoolExecutor:
    """Return a fresh process, not a fork, with the contender's environment and size of thread
    pools."""
    worker = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
    variables, threads = {}, contender.threads
    if threads is not None:
        variables = MEMORY_VARIABLES | dict.fromkeys(THREAD_VARIABLES, str(threads))
    with patch.dict(os.environ, variables):
        for name in HELD_BACK if threads is not None else ():
            os.environ.pop(name, None)
        os.environ.update(contender.environment)
        worker.submit(int).result()
    return worker


# ---- in that process --------------------------------------------------------------------------


class First(NamedTuple):
    calls_a_turn: int
    peak_bytes: int | None
    answer: Any


class Turn(NamedTuple):
    """Seconds and CPU seconds a call; seconds of the whole turn, CPU of others during it."""

    seconds: float
    cpu_seconds: float
    whole_seconds: float
    others_seconds: float | None


_call: Callable[[], Any] | None = None


def prepare(contender: Contender) -> First:
    """A first call for memory and the answer; a second one, warm, for its length."""
    _, peak, answer = call_once(contender)
    return First(max(1, math.ceil(SECONDS_A_TURN / take_turn(1).seconds)), peak, answer)


def call_once(contender: Contender) -> tuple[Turn, int | None, Any]:
    """Set up; one call, with its time, memory and answer."""
    global _call
    call, answers = contender.setup(**contender.settings), []
    _call = lambda: answers.append(call())  # noqa: E731
    before = begin_peak()
    turn = take_turn(1)
    after = memory("VmHWM")
    _call = call  # which keeps nothing
    peak = None if before is None or after is None else after - before
    return turn, peak, None if contender.answer is None else contender.answer(answers[0])


def take_turn(calls: int) -> Turn:
    assert _call is not None
    busy_start, cpu_start, start = busy_seconds(), cpu_seconds(), time.perf_counter()
    for _ in range(calls):
        _call()
    whole, cpu, busy = time.perf_counter() - start, cpu_seconds() - cpu_start, busy_seconds()
    busy_elsewhere = None if busy is None or busy_start is None else busy - busy_start - cpu
    return Turn(whole / calls, cpu / calls, whole, busy_elsewhere)
