"""Exact engine against k-d tree, d = 1 to 8: the faster one, and the choice of "auto".

k-th distances inside a Gaussian set, and counts with each point's k-th distance as its radius, all
cores.  Both engines are prfast's, so they take turns in one process; where other processes are
busy, --threads 1 is fairer, as exact suffers from them more.  The first look is at few queries;
where that says that one engine is more than PLAIN times as fast, its estimate stands (marked ~),
otherwise all queries are run, in several turns unless a turn takes seconds.
"""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from time import perf_counter, sleep
from typing import Any

from bench.contender import Contender
from bench.machine import cores
from bench.measure import SECONDS_OF_SPINNING, once
from bench.results import Figure, Findings

PLAIN = 2.5
SECONDS = 2.0
QUERIES = 2000
CLOSE = 1.25


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--dims", type=int, nargs="+", default=list(range(1, 9)), metavar="D")
    sizes = [3000, 10_000, 30_000, 100_000]
    parser.add_argument("--sizes", type=int, nargs="+", default=sizes, metavar="N")
    parser.add_argument("--threads", type=int, metavar="N", help="all cores by default")


def run(options: Namespace) -> Findings:
    sizes = (300,) if options.tiny else tuple(options.sizes)
    dims = options.dims[:1] if options.tiny else options.dims
    threads = 1 if options.tiny else options.threads or cores()
    repeats = options.repeats or (2 if options.tiny else 3)
    rows = []
    for dim in dims:
        settings = {"dim": dim, "sizes": sizes, "jobs": threads, "repeats": repeats}
        results = once(Contender(races, settings, threads, list))
        others = "unknown" if results.others is None else f"{results.others:.2f}"
        print(f"d={dim}: {results.seconds[0]:.0f} s, others {others} cores", flush=True)
        rows += [{**row, "others": results.others} for row in results.answer]
    losses = [row["auto"] / min(row["exact"], row["tree"]) for row in rows]
    by_tree = [row["auto_is"] == "tree" for row in rows]
    head = f"{'':>5} {'d':>2} {'n':>7} {'k':>4} {'exact ms':>10} {'tree ms':>10} {'tree/exact':>10}"
    lines = [f"{head}  auto"]
    for row, loss in zip(rows, losses, strict=True):
        lines.append(
            f"{row['what']:>5} {row['d']:>2} {row['n']:>7} {row['k']:>4} "
            f"{1e3 * row['exact']:>10.1f} {1e3 * row['tree']:>10.1f} "
            f"{'~' if row['estimate'] else ' '}{row['tree'] / row['exact']:>9.2f}  {row['auto_is']}"
            + (f"  SLOWER, {loss:.2f} times" if loss > CLOSE else "")
        )
    good = sum(loss <= CLOSE for loss in losses) / len(losses)
    figures = [
        Figure(f"share of settings where auto is at most {CLOSE} times the faster", good),
        Figure("largest loss of auto against the faster", max(losses)),
        Figure("share of settings where auto takes the tree", sum(by_tree) / len(by_tree)),
    ]
    lines.append(f"{threads} threads, medians of at most {repeats} turns")
    return Findings({}, figures, lines, rows)


def races(
    dim: int, sizes: tuple[int, ...], jobs: int, repeats: int
) -> Callable[[], list[dict[str, Any]]]:
    """Every n, k and kind of question at one dimension."""
    import numpy as np

    from prfast.neighbors import Count, NeighborSearch
    from prfast.neighbors.tasks import Nearest, Resources

    search = {name: NeighborSearch(name, n_jobs=jobs) for name in ("exact", "tree", "auto")}

    def race(what: str, points: Any, k: int, reach: Any) -> dict[str, Any]:
        def task(rows: slice) -> Count:
            return Count(reach[rows], None, rows=np.zeros(len(points[rows]), np.int64))

        def seconds(name: str, rows: slice) -> float:
            sleep(SECONDS_OF_SPINNING)
            start = perf_counter()
            if what == "count":
                search[name].run(points[rows], [points], [task(rows)])
            elif rows == slice(None):
                search[name].kth_within(points, [k])
            else:
                search[name].kth(points[rows], points, [k])
            return perf_counter() - start

        some = slice(None, None, max(1, len(points) // QUERIES))
        part = len(points) / len(points[some])
        results = {name: part * seconds(name, some) for name in ("exact", "tree")}
        estimate = max(results.values()) > PLAIN * min(results.values()) and part > 1
        if not estimate:
            times: list[list[float]] = []
            while len(times) < repeats and sum(map(sum, times)) < SECONDS:
                times.append([seconds(name, slice(None)) for name in results])
            results = dict(zip(results, map(float, np.median(times, axis=0)), strict=True))
        limits = Resources(cores())
        if what == "count":  # what the rule would do, and the time that asking it takes
            start = perf_counter()
            auto_is = search["auto"].engine_name(points, [points], task(slice(None)), limits)
            asking = perf_counter() - start
        else:
            auto_is = search["auto"].engine_name(points, [points], Nearest(np.array([k])), limits)
            asking = 0.0
        row = {"what": what, "d": dim, "n": len(points), "k": k, "estimate": estimate}
        return {**row, **results, "auto": results[auto_is] + asking, "auto_is": auto_is}

    def call() -> list[dict[str, Any]]:
        rng = np.random.default_rng(0)
        results = []
        for n in sizes:
            points = rng.standard_normal((n, dim), np.float32)
            ks = (5, math.isqrt(n))
            reach = search["auto"].kth_within(points, ks)
            for what in ("kth", "count"):
                for k, radii in zip(ks, reach.T, strict=True):
                    results.append(race(what, points, k, radii.copy()))
        return results

    return call
