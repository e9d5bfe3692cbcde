"""Evaluator on ten checkpoints against ten independent calls of pr_curve and metrics.

d = 64, all cores, checkpoints of 10 000 samples; the reference has 50 000, as a training set has,
or as many as a checkpoint.  An evaluator keeps what depends on the reference alone; with N
reference and M generated samples the rest is pairs N·M and M·M, so it gains the more the larger
the reference is.  Both give the same numbers, and the evaluator is built within its call.  Beside
them a matrix product of the pairs that it needs.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any

from bench.contender import Contender
from bench.machine import cores
from bench.report import Findings
from bench.speed.clouds import Samples, add_kinds, chosen, quiet
from bench.speed.product import sgemm

NAMES = ("precision", "recall", "density", "coverage")
DIMS = {"isotropic": (64,)}
TARGET = 1.8  # isotropic
FARTHEST = 1.6


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--checkpoints", type=int, default=10, metavar="N", help="10 by default")
    add_kinds(parser)


def run(options: Namespace) -> Findings:
    size, larger = (300, 1500) if options.tiny else (10_000, 50_000)
    threads = 1 if options.tiny else cores()
    repeats = options.repeats or (2 if options.tiny else 3)
    count = 2 if options.tiny else options.checkpoints
    findings = Findings(notes=[f"{threads} threads, {repeats} turns"])
    for of in chosen(options, size, DIMS):
        # Of images the reference is as large as there are.
        for reference in dict.fromkeys((of.sized(larger).size, of.size)):
            settings = {"of": of, "reference": reference, "checkpoints": count, "jobs": threads}
            contenders = {
                "evaluator": Contender(evaluator, settings, threads, list),
                "calls": Contender(calls, settings, threads, list),
                "sgemm": sgemm(pairs(reference, of.size, count), of.dim, threads),
            }
            name = f"{of.besides}reference {reference}"
            results = findings.side_by_side(name, contenders, repeats)
            ours, theirs = results["evaluator"], results["calls"]
            if ours.answer != theirs.answer:
                raise ArithmeticError(f"{name}: the results differ")
            judged = of.kind == "isotropic" and reference > of.size
            target = {"at_least": TARGET} if judged else {"better": "higher"}
            findings.ratio(f"{name}: calls / evaluator", theirs, ours, **target)
            findings.ratio(f"{name}: evaluator / sgemm", ours, results["sgemm"], better="lower")
            findings.notes.append(f"{name}: {count} checkpoints of {of.size} samples")
    return findings


def pairs(reference: int, size: int, checkpoints: int) -> float:
    """Pairs that nobody can do without.  Metrics: N² once, N·M and M² a checkpoint.  The curve:
    a half of either set against a half of either, those of the reference once."""
    fixed = reference**2 * (1 + 0.25)
    return fixed + checkpoints * (reference * size * (1 + 0.5) + size**2 * (1 + 0.25))


# ---- contenders: area of the curve, and four metrics, of each checkpoint -------------------------


def sets(of: Samples, reference: int, checkpoints: int) -> tuple[Any, list[Any]]:
    """Return a reference, and models that come closer to it."""
    import numpy as np

    return of.models(reference, np.linspace(FARTHEST, 0, checkpoints).tolist())


def evaluator(of: Samples, reference: int, checkpoints: int, jobs: int) -> Callable[[], Any]:
    import prfast

    quiet()
    real, models = sets(of, reference, checkpoints)

    def call() -> list[float]:
        prepared = prfast.Evaluator(real, "knn", which=NAMES, n_jobs=jobs)
        results = [prepared.evaluate(fake) for fake in models]
        return [value for result in results for value in (result.curve.area, *result.values())]

    return call


def calls(of: Samples, reference: int, checkpoints: int, jobs: int) -> Callable[[], Any]:
    import prfast

    quiet()
    real, models = sets(of, reference, checkpoints)

    def call() -> list[float]:
        values = []
        for fake in models:
            curve = prfast.pr_curve(real, fake, "knn", n_jobs=jobs)
            metrics = prfast.metrics(real, fake, which=NAMES, n_jobs=jobs)
            values += [curve.area, *metrics.values()]
        return values

    return call
