"""Measuring contenders side by side, each in a fresh process of its own.

A process of its own because thread pools take their size from the environment when they are
loaded, because pools of several libraries disturb each other in one process, and because the peak
memory of a process cannot be told apart by contender.  The processes take turns, A B A B …, so
that a disturbance of the machine meets all of them; nothing is compared across runs.  No turn is
dropped, but the cores that other processes took during the turns are told: a contender with as
many threads as the machine has cores suffers from them far more than one with a single thread.

This file imports nothing that has threads: what a contender needs is loaded in its process.
"""

from __future__ import annotations

import ctypes
import gc
import math
import multiprocessing
import os
import platform
import re
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

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
# Variables that hold OpenBLAS back from the kernels that it would choose by itself.  Some machines
# set them for everybody; a peer that inherits them is not the peer that users have.
BLAS_VARIABLES = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
PACKAGES = (
    *("numpy", "scipy", "scikit-learn", "prfast", "faiss-cpu", "prdc", "pynndescent"),
    *("torch", "torch-fidelity", "piq", "mauve-text"),
)

# Short calls are repeated within a turn until it lasts about this long.
SECONDS_A_TURN = 0.05
# Idle threads of OpenBLAS and OpenMP spin for some 25 ms before they sleep.
SECONDS_OF_SPINNING = 0.05


@dataclass(frozen=True)
class Contender:
    """What is measured: `setup(**settings)`, run once in its process, returns the call.

    `setup` and `answer` are functions at the top of a module.
    """

    setup: Callable[..., Callable[[], Any]]
    settings: Mapping[str, Any] = field(default_factory=dict)
    threads: int | None = 1
    """None leaves the environment as it is: that of threads, of memory and of OpenBLAS."""
    answer: Callable[[Any], Any] | None = None
    """What to bring back of the first call's result, so that a case can compare answers."""


@dataclass(frozen=True)
class Measured:
    """One contender: seconds of a call, turn by turn, and what its first call showed."""

    seconds: list[float]
    cpu_seconds: list[float]
    calls_a_turn: int
    threads: int | None
    others: float | None
    """Cores that other processes kept busy during its turns, on average; None if unknown."""
    peak_bytes: int | None
    """Peak memory of the first call beyond what the process held before it; None if unknown."""
    answer: Any


class Spread(NamedTuple):
    """A median and the quartiles around it."""

    median: float
    low: float
    high: float


def spread(values: Sequence[float]) -> Spread:
    if len(values) == 1:
        return Spread(values[0], values[0], values[0])
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return Spread(median, low, high)


def ratio(over: Measured, under: Measured) -> Spread:
    """Times of one over those of another, turn by turn."""
    return spread([a / b for a, b in zip(over.seconds, under.seconds, strict=True)])


def side_by_side(contenders: Mapping[str, Contender], repeats: int) -> dict[str, Measured]:
    """Set all contenders up, call each twice to warm up, then let them take turns."""
    pause = SECONDS_OF_SPINNING if any(c.threads != 1 for c in contenders.values()) else 0.0
    turns: dict[str, list[_Turn]] = {name: [] for name in contenders}
    with ExitStack() as stack:
        workers = {
            name: stack.enter_context(_worker(contender.threads))
            for name, contender in contenders.items()
        }
        first = {
            name: worker.submit(_prepare, contenders[name]).result()
            for name, worker in workers.items()
        }
        for _ in range(repeats):
            for name, worker in workers.items():
                time.sleep(pause)
                turns[name].append(worker.submit(_turn, first[name].calls_a_turn).result())
    return {
        name: Measured(
            [turn.seconds for turn in turns[name]],
            [turn.cpu_seconds for turn in turns[name]],
            calls_a_turn,
            contenders[name].threads,
            _others(turns[name]),
            peak,
            answer,
        )
        for name, (calls_a_turn, peak, answer) in first.items()
    }


def once(contender: Contender) -> Measured:
    """A single call, without warm-up, for what takes minutes."""
    with _worker(contender.threads) as worker:
        turn, peak, answer = worker.submit(_only, contender).result()
    seconds, cpu = [turn.seconds], [turn.cpu_seconds]
    return Measured(seconds, cpu, 1, contender.threads, _others([turn]), peak, answer)


def _others(turns: Sequence[_Turn]) -> float | None:
    others = [turn.others_seconds for turn in turns if turn.others_seconds is not None]
    if len(others) < len(turns):
        return None
    return max(0.0, sum(others) / sum(turn.whole_seconds for turn in turns))


def cores() -> int:
    """Cores that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def environment() -> dict[str, Any]:
    """Where a run took place: numbers of two environments are not to be compared."""
    versions = {}
    for package in PACKAGES:
        with suppress(metadata.PackageNotFoundError):
            versions[package] = metadata.version(package)
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": _cpu_model(),
        "cores": cores(),
        "load": os.getloadavg() if hasattr(os, "getloadavg") else None,
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": versions,
        "variables": {name: os.environ[name] for name in BLAS_VARIABLES if name in os.environ},
    }


def _cpu_model() -> str:
    with suppress(OSError):
        found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
        if found:
            return found[1]
    return platform.processor() or platform.machine()


# ---- in the contender's own process ----------------------------------------------------------


class _First(NamedTuple):
    calls_a_turn: int
    peak_bytes: int | None
    answer: Any


class _Turn(NamedTuple):
    """Seconds and CPU seconds a call; seconds of the whole turn, CPU of others during it."""

    seconds: float
    cpu_seconds: float
    whole_seconds: float
    others_seconds: float | None


_call: Callable[[], Any] | None = None


def _worker(threads: int | None) -> ProcessPoolExecutor:
    """A fresh process, not a fork, whose thread pools will have this size."""
    worker = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
    variables = {}
    if threads is not None:
        variables = MEMORY_VARIABLES | dict.fromkeys(THREAD_VARIABLES, str(threads))
    with patch.dict(os.environ, variables):
        for name in BLAS_VARIABLES if threads is not None else ():
            os.environ.pop(name, None)
        worker.submit(int).result()
    return worker


def _prepare(contender: Contender) -> _First:
    """Set up; a first call for memory and the answer; a second one, warm, for its length."""
    global _call
    _call = contender.setup(**contender.settings)
    before = _begin_peak()
    result = _call()
    after = _memory("VmHWM")
    peak = None if before is None or after is None else after - before
    answer = None if contender.answer is None else contender.answer(result)
    del result
    return _First(max(1, math.ceil(SECONDS_A_TURN / _turn(1).seconds)), peak, answer)


def _only(contender: Contender) -> tuple[_Turn, int | None, Any]:
    """Set up; one call, with its time, memory and answer."""
    global _call
    call, kept = contender.setup(**contender.settings), []
    _call = lambda: kept.append(call())  # noqa: E731
    before = _begin_peak()
    turn = _turn(1)
    after = _memory("VmHWM")
    peak = None if before is None or after is None else after - before
    return turn, peak, None if contender.answer is None else contender.answer(kept[0])


def _turn(calls: int) -> _Turn:
    assert _call is not None
    busy_start, cpu_start, start = _busy_seconds(), _cpu_seconds(), time.perf_counter()
    for _ in range(calls):
        _call()
    whole, cpu, busy = time.perf_counter() - start, _cpu_seconds() - cpu_start, _busy_seconds()
    others = None if busy is None or busy_start is None else busy - busy_start - cpu
    return _Turn(whole / calls, cpu / calls, whole, others)


def _cpu_seconds() -> float:
    """CPU seconds of this process, all threads, and of the children that have ended."""
    ended = os.times()
    return time.process_time() + ended.children_user + ended.children_system


def _busy_seconds() -> float | None:
    """Seconds that all cores together have been busy, in ticks of some 10 ms."""
    with suppress(OSError):
        first = Path("/proc/stat").read_text().partition("\n")[0].split()
        user, nice, system, _, _, *interrupts = map(int, first[1:9])
        return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")
    return None


def _begin_peak() -> int | None:
    """Forget the peak so far; the memory held now.  None where the system cannot do this."""
    gc.collect()
    with suppress(OSError, AttributeError):  # freed memory would hide part of the peak
        ctypes.CDLL(None).malloc_trim(0)
    try:
        Path("/proc/self/clear_refs").write_text("5")  # the peak, VmHWM, is now VmRSS
    except OSError:
        return None
    return _memory("VmRSS")


def _memory(entry: str) -> int | None:
    """VmRSS (now) or VmHWM (peak) of this process, in bytes."""
    with suppress(OSError):
        found = re.search(rf"{entry}:\s*(\d+) kB", Path("/proc/self/status").read_text())
        if found:
            return 1024 * int(found[1])
    return None
