"""Cost of the method "auto": CPU and wall time over those of knn, peak memory.

10 000 + 10 000 samples, d = 64 and 512: one thread for CPU seconds, all cores for wall time; the
two take turns.  200 + 200 samples, d = 64, show what a call costs at least.  --large adds
100 000 + 100 000 samples, d = 64, a single call.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any

from bench.contender import Contender
from bench.machine import cores
from bench.measure import Measured, once, side_by_side, spread
from bench.results import Figure, Findings
from bench.speed.clouds import clouds

RIVAL = "knn"
RATIOS = {64: 3.0, 512: 2.0}
FEW, FEW_MS = 200, 50.0  # samples of each set, and CPU milliseconds of a call
SECONDS = 60.0  # of 100 000 + 100 000
PEAK_MB = 512.0  # as in growth


def add_options(parser: ArgumentParser) -> None:
    text = 'measured instead of "auto"'
    parser.add_argument("--method", default="auto", metavar="NAME", help=text)
    parser.add_argument("--large", action="store_true", help="100 000 + 100 000 samples as well")


def run(options: Namespace) -> Findings:
    from prfast.methods import METHODS

    method = options.method
    if method not in METHODS:
        known = ", ".join(METHODS)
        raise SystemExit(f"auto_cost: --method: one of {known} expected, got {method!r}")
    size, dims, large = (200, (4, 8), 400) if options.tiny else (10_000, (64, 512), 100_000)
    threads = 1 if options.tiny else cores()
    repeats = options.repeats or (2 if options.tiny else 5)
    measured: dict[str, Measured] = {}
    figures: list[Figure] = []
    for dim in dims:
        target = {"at_most": RATIOS[dim]} if dim in RATIOS else {}
        for jobs in sorted({1, threads}):
            names = (method, RIVAL)
            result = side_by_side(
                {name: contender(name, size, dim, jobs) for name in names}, repeats
            )
            own, rival = result[method], result[RIVAL]
            label = f"d={dim}, {jobs} thr: {method} / {RIVAL}"
            figures += [cpu_ratio(f"{label}, CPU", own, rival, **target)]
            figures += [Figure.of_ratio(f"{label}, wall", own, rival, **target)]
            measured |= {f"d={dim}, {jobs} thr: {name}": one for name, one in result.items()}
        figures += peak(f"d={dim}: peak MB", measured[f"d={dim}, 1 thr: {method}"])
    few = contender(method, FEW, dims[0], 1)
    measured |= side_by_side({f"n={FEW}, 1 thr: {method}": few}, 3 * repeats)
    cost = spread([1000 * seconds for seconds in measured[f"n={FEW}, 1 thr: {method}"].cpu_seconds])
    name = f"n={FEW}, d={dims[0]}, 1 thr: CPU ms"
    figures += [Figure(name, cost.median, (cost.low, cost.high), at_most=FEW_MS)]
    if options.large:
        one = once(contender(method, large, dims[0], threads))
        measured[f"n={large}"] = one
        figures += [Figure(f"n={large}: seconds", one.seconds[0], at_most=SECONDS)]
        figures += peak(f"n={large}: peak MB", one)
    return Findings(
        measured,
        figures,
        [f"{size} + {size} samples, {repeats} turns.  The first call loads its libraries."],
    )


def contender(method: str, size: int, dim: int, jobs: int) -> Contender:
    settings = {"method": method, "size": size, "dim": dim, "jobs": jobs}
    return Contender(one_curve, settings, jobs)


def cpu_ratio(name: str, over: Measured, under: Measured, **target: float) -> Figure:
    """CPU seconds of one contender over those of another, turn by turn."""
    pairs = zip(over.cpu_seconds, under.cpu_seconds, strict=True)
    result = spread([a / b for a, b in pairs])
    return Figure(name, result.median, (result.low, result.high), **target)


def peak(name: str, one: Measured) -> list[Figure]:
    """Peak memory beyond the inputs, where the system tells."""
    if one.peak_bytes is None:
        return []
    return [Figure(name, one.peak_bytes / 1e6, at_most=PEAK_MB)]


def one_curve(method: str, size: int, dim: int, jobs: int) -> Callable[[], Any]:
    import prfast

    real, fake = clouds(size, dim)
    return lambda: prfast.pr_curve(real, fake, method, n_jobs=jobs)
