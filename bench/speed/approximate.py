"""Approximate neighbors (pynndescent) against the exact engine: time and recall.

The 5th-neighbor distances of a set within itself, and precision and recall from them, all cores.
Building the graph is part of the call, compiling numba's functions is not.  Recall is the share
of 5th-neighbor distances that are the true ones.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any

from bench.contender import Contender
from bench.machine import cores
from bench.measure import Measured, side_by_side
from bench.results import Figure, Findings
from bench.speed.clouds import clouds


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--dims", type=int, nargs="+", default=[16, 64])
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 50_000])


def run(options: Namespace) -> Findings:
    threads = 1 if options.tiny else cores()
    sizes = (300,) if options.tiny else options.sizes
    dims = (4,) if options.tiny else options.dims
    measured: dict[str, Measured] = {}
    figures, notes = [], []
    for dim in dims:
        for size in sizes:
            settings = {"size": size, "dim": dim, "jobs": threads}
            result = side_by_side(
                {
                    backend: Contender(kth, {**settings, "backend": backend}, threads, list)
                    for backend in ("exact", "approximate")
                },
                options.repeats or (2 if options.tiny else 3),
            )
            name = f"d={dim}, n={size}"
            exact, near = result["exact"], result["approximate"]
            figures.append(Figure.of_ratio(f"{name}: exact / approximate", exact, near))
            pairs = zip(exact.answer, near.answer, strict=True)
            hits = sum(a == b for a, b in pairs) / len(exact.answer)
            notes.append(f"{name}: recall {hits:.4f}")
            measured |= {f"{name}: {key}": one for key, one in result.items()}
    return Findings(measured, figures, notes)


def kth(size: int, dim: int, jobs: int, backend: str) -> Callable[[], Any]:
    from prfast.neighbors import NeighborSearch

    points, _ = clouds(size, dim)
    return lambda: NeighborSearch(backend, n_jobs=jobs).kth_within(points, [5])[:, 0].tolist()
