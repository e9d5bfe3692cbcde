"""Metrics and curves of shards on a LocalCluster beside one process with as many threads.

Workers are processes of one thread, as many as cores; samples lie in files of --rows rows, which
one process maps into memory.  CPU is that of all processes.  Both must give the same numbers.
"""

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
from bench.machine import cores
from bench.measure import spread
from bench.report import Figure, Findings

TARGETS = {"metrics": 1.15, "curves": 1.25}


class Turn(NamedTuple):
    """One call: seconds, CPU seconds of all processes, the answer."""

    seconds: float
    cpu_seconds: float
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
                figures += judged(f"{name}, d={dim}", name, turns)
    return Findings({}, figures, notes)


def judged(what: str, name: str, turns: list[tuple[Turn, Turn]]) -> list[Figure]:
    if any(str(local.answer) != str(many.answer) for local, many in turns):
        raise AssertionError(f"{what}: a cluster must answer as one process does")
    cpu = spread([many.cpu_seconds / local.cpu_seconds for local, many in turns])
    wall = spread([many.seconds / local.seconds for local, many in turns])
    return [
        Figure(f"{what}: CPU, cluster / process", cpu[0], cpu[1:], at_most=TARGETS[name]),
        Figure(f"{what}: time, cluster / process", wall[0], wall[1:], better="lower"),
    ]


def beside(client: Any, name: str, sets: list[list[str]], number: int) -> tuple[Turn, Turn]:
    """One process, then the cluster."""
    import prfast

    local = timed(partial(asked, name, *map(whole, sets), n_jobs=number), time.process_time)
    many = timed(
        partial(asked, name, *map(prfast.distributed.shards, sets), client=client),
        lambda: time.process_time() + sum(client.run(time.process_time).values()),
    )
    return local, many


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
    started, start = cpu(), time.perf_counter()
    answer = call()
    return Turn(time.perf_counter() - start, cpu() - started, answer)


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
