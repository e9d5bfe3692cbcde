"""All four neighbor curves of 10⁶ + 10⁶ samples at d = 16 and 64: time, memory, and the truth.

N(0, I) against itself shifted by Δ = 1, whose curve is known.  k = √n, split in halves, all cores,
float32; a single call a dimension, which takes the better part of an hour.  --size does it smaller.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from functools import partial
from typing import Any

from bench.contender import Contender
from bench.machine import cores
from bench.measure import Measured, once
from bench.results import Figure, Findings
from bench.speed.clouds import quiet
from bench.speed.curves import METHODS

DELTA = 1.0
PEAK_MB = 512  # as in growth


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--size", type=int, default=10**6, metavar="N", help="10⁶ by default")
    parser.add_argument("--dims", type=int, nargs="+", default=[16, 64], metavar="D")


def run(options: Namespace) -> Findings:
    size, dims = (300, (4,)) if options.tiny else (options.size, options.dims)
    threads = 1 if options.tiny else cores()
    measured: dict[str, Measured] = {}
    figures: list[Figure] = []
    notes = [f"{size} + {size} samples, {threads} threads, one call each"]
    for dim in dims:
        name, settings = f"d={dim}", {"size": size, "dim": dim, "jobs": threads}
        one = once(Contender(shifted, settings, threads, partial(ious, dim)))
        print(f"{name}: {one.seconds[0] / 60:.1f} minutes", flush=True)
        figures.append(Figure(f"{name}: minutes", one.seconds[0] / 60))
        if one.peak_bytes is not None:
            figures.append(Figure(f"{name}: peak MB", one.peak_bytes / 1e6, at_most=PEAK_MB))
        for method, iou in one.answer.items():
            figures.append(Figure(f"{name}: IoU of {method} with truth", iou))
        measured[name] = one
    return Findings(measured, figures, notes)


def shifted(size: int, dim: int, jobs: int) -> Callable[[], Any]:
    import numpy as np

    import prfast
    from prfast.reference import GaussianShift

    real, fake = (x.astype(np.float32) for x in GaussianShift(DELTA, dim).sample(size))
    quiet()
    return lambda: prfast.pr_curves(real, fake, METHODS, k="sqrt", split=0.5, n_jobs=jobs)


def ious(dim: int, curves: dict[tuple[str, int | str], Any]) -> dict[str, float]:
    """IoU of each method's curve with the true one."""
    from prfast.reference import GaussianShift

    truth = GaussianShift(DELTA, dim).curve()
    return {method: curve.iou(truth) for (method, _), curve in curves.items()}
