"""Metrics and curves of shards on a LocalCluster beside one process with as many threads.

Workers are processes of one thread, as many as cores; samples lie in files of --rows rows, which
one process maps into memory.  CPU is that of all processes.  Both must give the same numbers.
"""

from __future__ import annotations

import statistics
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from bench.contender import THREAD_VARIABLES
from bench.machine import begin_peak, cores, memory
from bench.measure import spread
from bench.results import Figure, Findings

TARGETS = {"metrics": 1.15, "curves": 1.25}
BYTES_A_SAMPLE, BYTES = 200, 100e6  # by which the caller may grow
SECONDS_OF_A_TASK = (0.5, 5.0)


class Turn(NamedTuple):
    """One call: seconds, CPU seconds of all processes, by how much the caller grew, the answer."""

    seconds: float
    cpu_seconds: float
    grown: int
    answer: Any


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--size", type=int, default=50_000, metavar="N", help="50 000 by default")
    parser.add_argument("--dims", type=int, nargs="+", default=[64, 512], metavar="D")
    parser.add_argument("--rows", type=int, default=12_500, metavar="N", help="of a file")
    parser.add_argument("--workers", type=int, default=cores(), metavar="N", help="all cores")
    parser.add_argument(
        "--ask", nargs="+", choices=[*TARGETS], default=[*TARGETS], help="both by default"
    )


def run(options: Namespace) -> Findings:
    size, dims = (400, [4]) if options.tiny else (options.size, options.dims)
    rows = 150 if options.tiny else options.rows
    repeats = options.repeats or (2 if options.tiny else 3)
    figures: list[Figure] = []
    notes = [f"{size} + {size} samples in files of {rows}; {options.workers} workers of one thread"]
    with TemporaryDirectory() as folder, workers(options.workers) as client:
        for dim in dims:
            sets = [written(Path(folder) / f"{dim}-{name}", size, rows, dim) for name in "xy"]
            for name in options.ask:
                turns = [beside(client, name, sets, options.workers) for _ in range(repeats)]
                figures += judged(f"{name}, d={dim}", name, size, turns, notes)
    return Findings({}, figures, notes)


def judged(
    what: str,
    name: str,
    size: int,
    turns: list[tuple[Turn, Turn, list[float]]],
    notes: list[str],
) -> list[Figure]:
    """Ratios, growth and tasks of some turns."""
    if any(str(one.answer) != str(many.answer) for one, many, _ in turns):
        raise AssertionError(f"{what}: a cluster must answer as one process does")
    cpu = spread([many.cpu_seconds / one.cpu_seconds for one, many, _ in turns])
    wall = spread([many.seconds / one.seconds for one, many, _ in turns])
    tasks = [seconds for _, _, some in turns for seconds in some]
    grown = max(many.grown for _, many, _ in turns)
    most = BYTES + BYTES_A_SAMPLE * 2 * size
    seconds = statistics.median(many.seconds for _, many, _ in turns)
    notes.append(
        f"{what}: {seconds:.1f} s, {len(tasks) // len(turns)} block tasks; the same numbers"
    )
    return [
        Figure(f"{what}: CPU, cluster / process", cpu[0], cpu[1:], at_most=TARGETS[name]),
        Figure(f"{what}: time, cluster / process", wall[0], wall[1:], better="lower"),
        Figure(f"{what}: caller grew by MB", grown / 1e6, at_most=most / 1e6),
        Figure(
            f"{what}: seconds of a block task, median",
            statistics.median(tasks),
            at_least=SECONDS_OF_A_TASK[0],
            at_most=SECONDS_OF_A_TASK[1],
        ),
    ]


def beside(
    client: Any, name: str, sets: list[list[str]], number: int
) -> tuple[Turn, Turn, list[float]]:
    """One process, then the cluster, and the seconds of its block tasks."""
    from distributed import get_task_stream

    import prfast

    one = timed(partial(asked, name, *map(whole, sets), n_jobs=number), time.process_time)
    with get_task_stream(client) as stream:
        many = timed(
            partial(asked, name, *map(prfast.distributed.shards, sets), client=client),
            lambda: time.process_time() + sum(client.run(time.process_time).values()),
        )
    return one, many, list(blocks_of(stream.data))


def whole(paths: list[str]) -> Any:
    return np.concatenate([np.load(path) for path in paths])


def asked(name: str, real: Any, fake: Any, **where: Any) -> Any:
    import prfast

    package: Any = prfast.distributed if "client" in where else prfast
    if name == "metrics":
        which = ["precision", "recall", "density", "coverage"]
        return dict(package.metrics(real, fake, which=which, **where))
    result = package.pr_curves(real, fake, k="sqrt", split=0.5, **where)
    return {
        key: (curve.area, *map(float.hex, map(float, np.ravel(curve.masses).tolist())))
        for key, curve in result.items()
    }


def timed(call: Callable[[], Any], cpu: Callable[[], float]) -> Turn:
    before, started, start = begin_peak(), cpu(), time.perf_counter()
    answer = call()
    seconds, used, after = time.perf_counter() - start, cpu() - started, memory("VmHWM")
    grown = 0 if before is None or after is None else after - before
    return Turn(seconds, used, grown, answer)


def blocks_of(stream: Any) -> Iterator[float]:
    """Yield the seconds of the tasks that work on blocks, which take longest."""
    for task in stream:
        for one in task["startstops"]:
            if one["action"] == "compute" and task["key"].split("-")[1] in BLOCK_TASKS:
                yield one["stop"] - one["start"]


BLOCK_TASKS = ("list_block", "list_pair", "count", "nearest", "ratio")


def written(folder: Path, size: int, rows: int, dim: int) -> list[str]:
    """N(0, I) in files of so many rows."""
    folder.mkdir()
    rng = np.random.default_rng(size + dim + (folder.name[-1] == "y"))
    paths = []
    for i, start in enumerate(range(0, size, rows)):
        paths.append(str(folder / f"{i}.npy"))
        np.save(paths[-1], rng.standard_normal((min(rows, size - start), dim), np.float32))
    return paths


@contextmanager
def workers(number: int) -> Iterator[Any]:
    """Yield a LocalCluster of processes of one thread, and their client."""
    import dask
    from distributed import Client, LocalCluster

    from prfast.distributed.dask import KEEPS_MEMORY

    environment = dict.fromkeys(THREAD_VARIABLES, "1")
    with (
        dask.config.set(KEEPS_MEMORY),
        LocalCluster(
            n_workers=number,
            threads_per_worker=1,
            dashboard_address=":0",
            env=environment,
            memory_limit="8GiB",
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client
