"""Radii inside a set: each pair computed once against twice, by dimension, k and threads.

10 000 samples, beside the matrix product of all n² pairs.  Computing a pair once halves the
products and doubles the work on each that counts; the rule of `neighbors.nearest`
(`symmetric_pays`) is to be where that pays.  "prfast" does what the rule says.
"""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import asdict
from itertools import product
from typing import Any

from bench.contender import Contender
from bench.machine import cores
from bench.measure import Measured, side_by_side
from bench.results import Figure, Findings
from bench.speed.clouds import Samples, add_kinds, chosen
from bench.speed.product import sgemm
from bench.speed.ways import (
    Observation,
    add_isas,
    answer,
    decided_notes,
    each_way,
    isas,
    never_slower,
    new_ways,
)

SETTINGS = ((4, 5), (16, 5), (16, 100), (64, 5), (64, 100), (64, 500), (512, 5), (512, 100))
DIMS = tuple(dict.fromkeys(dim for dim, _ in SETTINGS))


def add_options(parser: ArgumentParser) -> None:
    add_kinds(parser)
    add_isas(parser)


def run(options: Namespace) -> Findings:
    measured: dict[str, Measured] = {}
    figures: list[Figure] = []
    notes: list[str] = []
    for threads, (of, k) in product(sorted({1, 1 if options.tiny else cores()}), settings(options)):
        repeats = options.repeats or (2 if options.tiny else 9 if of.dim <= 512 else 3)
        name = f"{of.name}, k={k}, {threads} thr"
        results = side_by_side(contenders(of, k, threads, isas(options)), repeats)
        if len({one.answer.value for key, one in results.items() if key != "sgemm"}) > 1:
            raise ArithmeticError(f"{name}: the radii differ")
        note = "" if k <= 4 * of.dim else " (not taken)"
        label = f"{name}: once / twice{note}"
        figures.append(Figure.of_ratio(label, results["once"], results["twice"]))
        for way, one in new_ways(results):
            label = f"{name}: {way} / sgemm"
            figures.append(Figure.of_ratio(label, one, results["sgemm"], better="lower"))
        figures += never_slower(name, results)
        notes += [
            f"{name}: {of.size} samples, {repeats} turns",
            *decided_notes(name, results, of.size**2),
        ]
        measured |= {f"{name}: {key}": one for key, one in results.items()}
    return Findings(measured, figures, notes)


def settings(options: Namespace) -> list[tuple[Samples, int]]:
    """Return samples and k: those of the table; of other kinds and dimensions k = 5 and √n."""
    results = []
    for of in chosen(options, 300 if options.tiny else 10_000, dims={"isotropic": DIMS}):
        listed = [k for dim, k in SETTINGS if dim == of.dim and of.kind == "isotropic"]
        results += [(of, k) for k in listed or (5, math.isqrt(of.size))]
    return results


def contenders(of: Samples, k: int, threads: int, isas: list[str]) -> dict[str, Contender]:
    def ours(once: bool | None) -> Contender:
        settings = {"of": of, "k": k, "jobs": threads, "once": once}
        return Contender(radii, settings, threads, answer(float))

    return {
        **each_way("prfast", ours(None), isas),
        "once": ours(True),
        "twice": ours(False),
        "sgemm": sgemm(of.size**2, of.dim, threads),
    }


def radii(of: Samples, k: int, jobs: int, once: bool | None) -> Callable[[], Any]:
    """Return the sum of all squared radii, by the rule or with the rule overruled."""
    import numpy as np

    from prfast.neighbors.exact import Exact
    from prfast.neighbors.tasks import Nearest, Resources

    points, task = of.draw()[0], Nearest(np.array([k]), within=(True, False))

    def call() -> Observation:
        resources = Resources(jobs)
        Exact(once).run(points, [points], [task], resources)
        return Observation(task.d2_a.sum(), asdict(resources.work))

    return call
