"""Precision, recall, density and coverage of 10 000 + 10 000 samples against prdc.

k = 5, all cores; prdc takes eight threads of joblib on them, as it always does.  Both must agree
with `ties="open"` up to the float32 distances of prdc.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any

from bench.contender import Contender
from bench.machine import cores
from bench.measure import Measured, side_by_side
from bench.results import Figure, Findings
from bench.speed.clouds import add_dims, clouds

NAMES = ("precision", "recall", "density", "coverage")
TARGETS = {64: 40, 2048: 10}
K = 5


def add_options(parser: ArgumentParser) -> None:
    add_dims(parser)


def run(options: Namespace) -> Findings:
    size = 300 if options.tiny else 10_000
    dims = (8,) if options.tiny else options.dims
    threads = 1 if options.tiny else cores()
    measured: dict[str, Measured] = {}
    figures = []
    for dim in dims:
        target = TARGETS.get(dim)
        repeats = options.repeats or (2 if options.tiny else 7 if dim <= 64 else 3)
        settings = {"size": size, "dim": dim}
        found = side_by_side(
            {
                "prfast": Contender(prfast_metrics, {**settings, "jobs": threads}, threads, dict),
                "prdc": Contender(prdc, settings, threads, dict),
            },
            repeats,
        )
        ours, theirs = found["prfast"], found["prdc"]
        for name in NAMES:
            if abs(ours.answer[name] - theirs.answer[name]) > 2e-3:
                raise ArithmeticError(f"d={dim}: {name} differs: {ours.answer}, {theirs.answer}")
        label = f"d={dim}: prdc / prfast"
        figures.append(Figure.of_ratio(label, theirs, ours, at_least=target))
        for name, one in found.items():
            if one.peak_bytes is not None:
                figures.append(Figure(f"d={dim}: peak MB of {name}", one.peak_bytes / 1e6))
        measured |= {f"d={dim}: {name}": one for name, one in found.items()}
    return Findings(measured, figures, [f"{size} + {size} samples, {threads} threads"])


# ---- contenders --------------------------------------------------------------------------------


def prfast_metrics(size: int, dim: int, jobs: int) -> Callable[[], Any]:
    import prfast

    real, fake = clouds(size, dim)
    return lambda: prfast.metrics(real, fake, k=K, which=NAMES, ties="open", n_jobs=jobs)


def prdc(size: int, dim: int) -> Callable[[], Any]:
    from contextlib import redirect_stdout
    from io import StringIO

    from prdc import compute_prdc

    real, fake = clouds(size, dim)

    def call() -> Any:
        with redirect_stdout(StringIO()):  # it prints the sizes
            found = compute_prdc(real, fake, nearest_k=K)
        return {name: float(value) for name, value in found.items()}

    return call
