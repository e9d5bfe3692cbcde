"""Evaluator on ten checkpoints against ten independent calls of pr_curve and metrics.

d = 64, all cores, checkpoints of 10 000 samples; the reference has 50 000, as a training set has,
or as many as a checkpoint.  An evaluator keeps what depends on the reference alone; with N
reference and M generated samples the rest is pairs N·M and M·M, so it gains the more the larger
the reference is.  Both give the same numbers, and the evaluator is built within its call.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any

from bench.contender import Contender
from bench.machine import cores
from bench.measure import Measured, side_by_side
from bench.results import Figure, Findings

NAMES = ("precision", "recall", "density", "coverage")
TARGET = 1.8


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--checkpoints", type=int, default=10, metavar="N", help="10 by default")


def run(options: Namespace) -> Findings:
    size, larger = (300, 1500) if options.tiny else (10_000, 50_000)
    threads = 1 if options.tiny else cores()
    repeats = options.repeats or (2 if options.tiny else 3)
    measured: dict[str, Measured] = {}
    figures = []
    for reference in (larger, size):
        settings = {
            "reference": reference,
            "size": size,
            "checkpoints": 2 if options.tiny else options.checkpoints,
            "jobs": threads,
        }
        found = side_by_side(
            {
                "evaluator": Contender(evaluator, settings, threads, list),
                "calls": Contender(calls, settings, threads, list),
            },
            repeats,
        )
        if found["evaluator"].answer != found["calls"].answer:
            raise ArithmeticError(f"reference of {reference}: the results differ")
        target = {"at_least": TARGET} if reference > size else {}
        label = f"reference {reference}: calls / evaluator"
        figures.append(Figure.of_ratio(label, found["calls"], found["evaluator"], **target))
        measured |= {f"reference {reference}: {name}": one for name, one in found.items()}
    return Findings(measured, figures, [f"checkpoints of {size} samples, {threads} threads"])


# ---- contenders: area of the curve, and four metrics, of each checkpoint -------------------------


def sets(reference: int, size: int, checkpoints: int) -> tuple[Any, list[Any]]:
    """A reference, and models that come closer to it."""
    import numpy as np

    rng = np.random.default_rng(0)
    real = rng.standard_normal((reference, 64), np.float32)
    models = [
        rng.standard_normal((size, 64), np.float32) + np.float32(shift)
        for shift in np.linspace(0.2, 0, checkpoints)
    ]
    return real, models


def evaluator(reference: int, size: int, checkpoints: int, jobs: int) -> Callable[[], Any]:
    import prfast

    real, models = sets(reference, size, checkpoints)

    def call() -> list[float]:
        prepared = prfast.Evaluator(real, "knn", which=NAMES, n_jobs=jobs)
        found = [prepared.evaluate(fake) for fake in models]
        return [value for one in found for value in (one.curve.area, *one.values())]

    return call


def calls(reference: int, size: int, checkpoints: int, jobs: int) -> Callable[[], Any]:
    import prfast

    real, models = sets(reference, size, checkpoints)

    def call() -> list[float]:
        values = []
        for fake in models:
            curve = prfast.pr_curve(real, fake, "knn", n_jobs=jobs)
            metrics = prfast.metrics(real, fake, which=NAMES, n_jobs=jobs)
            values += [curve.area, *metrics.values()]
        return values

    return call
