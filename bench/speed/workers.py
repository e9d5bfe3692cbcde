"""Speed-up of metrics and curves from 2 to 2000 workers, by a model of discrete events.

The library's own driver is recorded twice: with as many parts of few rows, for what is submitted
and what waits for what, and with four parts of as many rows, for how long tasks of each kind take
and what they return.  `bench.replayed` runs the first with the seconds and bytes of the second.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median
from typing import Any

import numpy as np

from bench.recorded import Recorded, Task
from bench.replayed import Machines, replay
from bench.results import Figure, Findings
from prfast.distributed.partitions import Cluster
from prfast.distributed.reading import PartitionedSamples
from prfast.estimate.curves import curves_of_scores
from prfast.methods.base import ExecutionContext
from prfast.methods.neighbors import NEIGHBORS, shared_scores
from prfast.neighbors import NeighborSearch
from prfast.samples.pair import Pair
from prfast.scalars.api import read_metric_options
from prfast.scalars.measure import measure

WORKERS = (2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
FEW = 40  # rows of a part where only what is submitted matters


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--rows", type=int, default=8000, metavar="N", help="of a part")
    parser.add_argument("--parts", type=int, default=125, metavar="N", help="of a set")
    parser.add_argument("--dim", type=int, default=2048, metavar="D")


def run(options: Namespace) -> Findings:
    rows, parts, dim = (60, 4, 8) if options.tiny else (options.rows, options.parts, options.dim)
    figures, numbers = [], {}
    for name, question in QUESTIONS.items():
        tasks = modeled(question, rows, parts, dim)
        alone = sum(task.seconds for task in tasks)
        numbers[name] = {"tasks": len(tasks), "hours": alone / 3600, "workers": {}}
        figures.append(Figure(f"{name}: hours of one thread", alone / 3600))
        for workers in WORKERS[:2] if options.tiny else WORKERS:
            results = replay(tasks, Machines(workers))
            numbers[name]["workers"][workers] = results._asdict()
            figures.append(
                Figure(f"{name}: {workers} workers, times as fast as one", alone / results.seconds)
            )
    notes = [
        f"{parts * rows} + {parts * rows} samples, d = {dim}, in parts of {rows} rows; "
        "workers of one thread, links of 1 Gbit/s, a millisecond a task to submit it"
    ]
    return Findings({}, figures, notes, numbers)


def ask_metrics(real: PartitionedSamples, fake: PartitionedSamples, search: NeighborSearch) -> None:
    names = ["precision", "recall", "density", "coverage"]
    measure(Pair.read(real, fake), read_metric_options(5, names, "closed"), search)


def ask_curves(real: PartitionedSamples, fake: PartitionedSamples, search: NeighborSearch) -> None:
    methods = [method() for method in NEIGHBORS.values()]
    pair = Pair.read(real, fake)
    context = ExecutionContext()
    curves_of_scores(shared_scores(methods, pair, 0.5, context, search), pair, context)


Question = Callable[[PartitionedSamples, PartitionedSamples, NeighborSearch], None]
QUESTIONS: dict[str, Question] = {"metrics": ask_metrics, "curves": ask_curves}


def modeled(question: Question, rows: int, parts: int, dim: int) -> list[Task]:
    """Return the tasks for so many parts, with seconds and bytes of parts of so many rows."""
    shape = recorded(question, FEW, parts, 4)
    real = recorded(question, rows, 4, dim)  # a half of them is two parts
    seconds = medians(real, lambda task: task.seconds)
    returned = medians(real, lambda task: task.returned)
    size, larger = 4 * rows * dim, rows / FEW

    def scaled(task: Task) -> Task:
        """Merges of many parts, which four do not need, grow with the rows."""
        key = kind(task)
        return replace(
            task,
            seconds=seconds.get(key, task.seconds * larger),
            returned=int(returned.get(key, task.returned * larger)),
            rows=dict.fromkeys(task.rows, size),
        )

    return [scaled(task) for task in shape]


def recorded(question: Question, rows: int, parts: int, dim: int) -> list[Task]:
    cluster = Recorded()
    rng = np.random.default_rng(0)
    sets = [in_parts(rng, rows, parts, dim, cluster) for _ in range(2)]
    question(*sets, NeighborSearch())
    return cluster.tasks


def kind(task: Task) -> tuple[str, int]:
    """Tasks of one kind take as long: a part with itself is another than two parts."""
    return task.name, len(task.rows)


def medians(tasks: Sequence[Task], number: Callable[[Task], float]) -> dict[tuple[str, int], float]:
    results: dict[tuple[str, int], list[float]] = {}
    for task in tasks:
        results.setdefault(kind(task), []).append(number(task))
    return {key: median(some) for key, some in results.items()}


def in_parts(
    rng: np.random.Generator, rows: int, parts: int, dim: int, cluster: Cluster | Any
) -> PartitionedSamples:
    """N(0, I), each piece a part, whatever time a task then takes."""
    pieces = [rng.standard_normal((rows, dim), np.float32) for _ in range(parts)]
    size = [np.abs(piece) for piece in pieces]
    return PartitionedSamples(
        partitions=pieces,
        lengths=np.full(parts, rows),
        width=dim,
        dtype=np.dtype(np.float32),
        cluster=cluster,
        largest=float(max(one.max() for one in size)),
        smallest=float(min(one.min() for one in size)),
        checksum=0,
        part_rows=rows,
    )
