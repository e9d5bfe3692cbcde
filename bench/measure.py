"""Contenders side by side: seconds of a call, turn by turn, and the ratios of turns.

The contenders' processes take turns, A D B C, B A C D …, so that a disturbance of the machine meets
all of them, and none has always the same before it; nothing is compared across runs.  No turn is
dropped, but the cores that other processes took during the turns are told: a contender with as many
threads as the machine has cores suffers from them far more than one with a single thread.
"""

import statistics
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, NamedTuple

from bench.contender import Contender, Turn, call_once, fresh_process, prepare, take_turn

# Idle threads of OpenBLAS spin for some 105 ms before they sleep, those of OpenMP for less.
SECONDS_OF_SPINNING = 0.15


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


def ratio(over: Measured, under: Measured, *, cpu: bool = False) -> Spread:
    """Times of one over those of another, turn by turn: by the clock, or CPU seconds."""
    times = ((turn_time.cpu_seconds if cpu else turn_time.seconds) for turn_time in (over, under))
    return spread([a / b for a, b in zip(*times, strict=True)])


def order_of(names: Sequence[str], turn: int) -> list[str]:
    """Williams's square, 0, n − 1, 1, n − 2, … and one on in each turn, for an odd n backwards in
    every second n turns.  Each contender comes after each other as often within whole rounds of n
    turns, of 2n for an odd n; in fewer turns, and from one turn to the next, some do more often."""
    n = len(names)
    zigzag = [i // 2 if i % 2 == 0 else n - 1 - i // 2 for i in range(n)]
    order = [names[(i + turn) % n] for i in zigzag]
    return order[::-1] if n % 2 and turn // n % 2 else order


def side_by_side(contenders: Mapping[str, Contender], repeats: int) -> dict[str, Measured]:
    """Set all contenders up, call each twice to warm up, then let them take turns."""
    pause = SECONDS_OF_SPINNING if any(c.threads != 1 for c in contenders.values()) else 0.0
    turns: dict[str, list[Turn]] = {name: [] for name in contenders}
    with ExitStack() as stack:
        workers = {
            name: stack.enter_context(fresh_process(contender))
            for name, contender in contenders.items()
        }
        first = {
            name: worker.submit(prepare, contenders[name]).result()
            for name, worker in workers.items()
        }
        for turn in range(repeats):
            for name in order_of(list(workers), turn):
                time.sleep(pause)
                worker = workers[name]
                turns[name].append(worker.submit(take_turn, first[name].calls_a_turn).result())
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
    with fresh_process(contender) as worker:
        turn, peak, answer = worker.submit(call_once, contender).result()
    seconds, cpu = [turn.seconds], [turn.cpu_seconds]
    return Measured(seconds, cpu, 1, contender.threads, _others([turn]), peak, answer)


def _others(turns: Sequence[Turn]) -> float | None:
    elsewhere = [turn.others_seconds for turn in turns if turn.others_seconds is not None]
    if len(elsewhere) < len(turns):
        return None
    return max(0.0, sum(elsewhere) / sum(turn.whole_seconds for turn in turns))
