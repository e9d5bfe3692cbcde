"""Precision, recall, density and coverage of 10 000 + 10 000 samples against prdc.

k = 5, all cores; prdc takes eight threads of joblib on them, as it always does.  Both must agree
with `ties="open"` up to the float32 distances of prdc.  Beside them one matrix product of the pairs
within both sets and between them.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any

from bench.contender import Contender
from bench.machine import cores
from bench.measure import Measured, side_by_side
from bench.results import Figure, Findings
from bench.speed.clouds import Samples, add_kinds, chosen
from bench.speed.product import sgemm
from bench.speed.ways import (
    add_isas,
    answer,
    decided_notes,
    each_way,
    isas,
    never_slower,
    new_ways,
    watched,
)

NAMES = ("precision", "recall", "density", "coverage")
TARGETS = {("isotropic", 64): 50, ("isotropic", 2048): 10, ("relu", 2048): 15}
K = 5


def add_options(parser: ArgumentParser) -> None:
    add_kinds(parser)
    add_isas(parser)


def run(options: Namespace) -> Findings:
    threads = 1 if options.tiny else cores()
    measured: dict[str, Measured] = {}
    figures, notes = [], [f"{threads} threads"]
    for of in chosen(options, 300 if options.tiny else 10_000):
        target = {"at_least": TARGETS.get((of.kind, of.dim))}
        repeats = options.repeats or (2 if options.tiny else 7 if of.dim <= 64 else 3)
        pairs = 3 * of.size**2
        ours = Contender(prfast_metrics, {"of": of, "jobs": threads}, threads, answer(dict))
        result = side_by_side(
            {
                **each_way("prfast", ours, isas(options)),
                "prdc": Contender(prdc, {"of": of}, threads, dict),
                "sgemm": sgemm(pairs, of.dim, threads),
            },
            repeats,
        )
        theirs = result["prdc"]
        for way, one in new_ways(result):
            agree(of.name, one.answer.value, theirs.answer)
            label = f"{of.name}: prdc / {way}"
            figures.append(Figure.of_ratio(label, theirs, one, better="higher", **target))
            label = f"{of.name}: {way} / sgemm"
            figures.append(Figure.of_ratio(label, one, result["sgemm"], better="lower"))
        figures += never_slower(of.name, result)
        for name, one in result.items():
            if one.peak_bytes is not None and name != "sgemm":
                figures.append(Figure(f"{of.name}: peak MB of {name}", one.peak_bytes / 1e6))
        notes.append(f"{of.name}: {of.size} + {of.size} samples, {repeats} turns")
        notes += decided_notes(of.name, result, pairs)
        measured |= {f"{of.name}: {name}": one for name, one in result.items()}
    return Findings(measured, figures, notes)


def agree(label: str, ours: dict[str, float], theirs: dict[str, float]) -> None:
    for name in NAMES:
        if abs(ours[name] - theirs[name]) > 2e-3 * max(1, ours[name]):
            raise ArithmeticError(f"{label}: {name} differs: {ours}, {theirs}")


# ---- contenders --------------------------------------------------------------------------------


def prfast_metrics(of: Samples, jobs: int) -> Callable[[], Any]:
    import prfast

    real, fake = of.draw()
    return watched(lambda: prfast.metrics(real, fake, k=K, which=NAMES, ties="open", n_jobs=jobs))


def prdc(of: Samples) -> Callable[[], Any]:
    from contextlib import redirect_stdout
    from io import StringIO

    from prdc import compute_prdc

    real, fake = of.draw()

    def call() -> Any:
        with redirect_stdout(StringIO()):  # it prints the sizes
            result = compute_prdc(real, fake, nearest_k=K)
        return {name: float(value) for name, value in result.items()}

    return call
