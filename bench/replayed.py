"""Simulation of recorded tasks on a cluster: a model of discrete events.

A caller submits in the order that was written down, `submit` seconds each, and not more than
`window` tasks a thread ahead; where it had fetched results it waits for them.  A task starts on an
idle thread once all that it waits for is done: of the idle machines, on the one that has most of
what it needs.  What a machine does not have it fetches first, rows from storage and results from
other machines, one after the other over its own link; what it has fetched it keeps.  A task takes
its seconds on a thread.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bench.recorded import Task
from prfast.distributed.partitions import AHEAD


@dataclass(frozen=True)
class Machines:
    """A simulated cluster."""

    machines: int
    threads: int = 1
    bytes_a_second: float = 1.25e8
    """Of a machine's link: 1 Gbit/s."""
    submit: float = 1e-3
    """Seconds of the caller and the scheduler for a task."""
    window: int = AHEAD


class Replay(NamedTuple):
    """Seconds until the last result is there; the share of threads' seconds spent on tasks; bytes
    that went over the links."""

    seconds: float
    busy: float
    bytes: float


def replay(
    tasks: Sequence[Task], cluster: Machines, seconds: Callable[[Task], float] | None = None
) -> Replay:
    """Run the tasks; seconds: of a task, as recorded by default."""
    took = seconds or (lambda task: task.seconds)
    return _Replay(tasks, cluster, took).run()


class _Replay:
    def __init__(
        self, tasks: Sequence[Task], cluster: Machines, took: Callable[[Task], float]
    ) -> None:
        self.tasks, self.cluster, self.took = tasks, cluster, took
        self.idle = {machine: cluster.threads for machine in range(cluster.machines)}
        self.has: list[set[Any]] = [set() for _ in range(cluster.machines)]
        self.link = [0.0] * cluster.machines
        self.missing = [len(task.after) for task in tasks]
        self.waiting: dict[int, list[int]] = defaultdict(list)
        self.holders: dict[Any, list[int]] = defaultdict(list)
        self.ready: list[int] = []
        self.done: set[int] = set()
        self.events: list[tuple[float, int, int]] = []  # seconds, task, machine
        self.flying = self.next = 0
        self.now = self.caller = self.worked = self.sent = 0.0

    def run(self) -> Replay:
        self.submit()
        while self.events:
            self.now, number, machine = heapq.heappop(self.events)
            if machine < 0:
                self.arrive(number)
            else:
                self.finish(number, machine)
            self.submit()
            self.start()
        threads = self.cluster.machines * self.cluster.threads
        return Replay(self.now, self.worked / (threads * self.now), self.sent)

    def submit(self) -> None:
        """Submit as many tasks as fit into the window, each after the one before."""
        most = self.cluster.window * self.cluster.machines * self.cluster.threads
        while self.next < len(self.tasks) and self.flying < most:
            task = self.tasks[self.next]
            if not self.done.issuperset(task.rest):
                return
            self.caller = max(self.caller, self.now) + self.cluster.submit
            heapq.heappush(self.events, (self.caller, self.next, -1))
            self.flying += 1
            self.next += 1

    def arrive(self, number: int) -> None:
        missing = [one for one in self.tasks[number].after if one not in self.done]
        self.missing[number] = len(missing)
        for one in missing:
            self.waiting[one].append(number)
        if not missing:
            heapq.heappush(self.ready, number)

    def start(self) -> None:
        while self.ready and self.idle:
            number = heapq.heappop(self.ready)
            task = self.tasks[number]
            machine = self.nearest(task)
            self.idle[machine] -= 1
            if not self.idle[machine]:
                del self.idle[machine]
            missing = {key: size for key, size in self.needs(task) if key not in self.has[machine]}
            begin = self.now
            if missing:
                size = sum(missing.values())
                begin = max(self.now, self.link[machine]) + size / self.cluster.bytes_a_second
                self.link[machine] = begin
                self.sent += size
                for key in missing:
                    self.keep(key, machine)
            took = self.took(task)
            self.worked += took
            heapq.heappush(self.events, (begin + took, number, machine))

    def finish(self, number: int, machine: int) -> None:
        self.done.add(number)
        self.flying -= 1
        self.keep(number, machine)
        self.idle[machine] = self.idle.get(machine, 0) + 1
        for other in self.waiting.pop(number, ()):
            self.missing[other] -= 1
            if not self.missing[other]:
                heapq.heappush(self.ready, other)

    def keep(self, key: Any, machine: int) -> None:
        self.has[machine].add(key)
        self.holders[key].append(machine)

    def needs(self, task: Task) -> list[tuple[Any, int]]:
        of_tasks = [(one, self.tasks[one].returned) for one in task.after]
        return [*task.rows.items(), *of_tasks]

    def nearest(self, task: Task) -> int:
        """Return the idle machine that has most of what the task needs."""
        held: dict[int, int] = defaultdict(int)
        for key, size in self.needs(task):
            for machine in self.holders[key]:
                if machine in self.idle:
                    held[machine] += size
        return max(held, key=lambda one: held[one]) if held else next(iter(self.idle))
