"""All four neighbour curves of 10 000 + 10 000 samples against one matrix product of their pairs.

k = √n, split in halves, all cores.  With h training and h evaluation samples of each set there are
2 h² pairs within the training sets and 4 h² between evaluation and training: 6 h² in one product.
prfast passes twice over the 4 h², for k-th distances and for counts.  The methods one by one are
shown beside it.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any

from bench.contender import Contender
from bench.machine import cores
from bench.measure import Measured, side_by_side
from bench.results import Figure, Findings
from bench.speed.clouds import add_dims, blas_core, clouds, sgemm

METHODS = ("knn", "ipr", "parzen", "coverage")


def add_options(parser: ArgumentParser) -> None:
    add_dims(parser)


def run(options: Namespace) -> Findings:
    size = 300 if options.tiny else 10_000
    threads = 1 if options.tiny else cores()
    measured: dict[str, Measured] = {}
    figures, notes = [], [f"{size} + {size} samples, {threads} threads"]
    for dim in (8,) if options.tiny else options.dims:
        repeats = options.repeats or (2 if options.tiny else 11 if dim <= 64 else 3)
        ours = {"size": size, "dim": dim, "jobs": threads}
        pairs = {"rows": size, "cols": 3 * size // 2, "dim": dim}
        found = side_by_side(
            {
                "all four": Contender(prfast_curves, {"methods": METHODS, **ours}, threads),
                **{
                    one: Contender(prfast_curves, {"methods": (one,), **ours}, threads)
                    for one in METHODS
                },
                "sgemm": Contender(sgemm, pairs, threads, blas_core),
            },
            repeats,
        )
        for name in ("all four", *METHODS):
            label = f"d={dim}: {name} / sgemm"
            figures.append(Figure.of_ratio(label, found[name], found["sgemm"]))
        peak = found["all four"].peak_bytes
        if peak is not None:
            figures.append(Figure(f"d={dim}: peak MB, all four", peak / 1e6))
        notes.append(f"d={dim}: sgemm is OpenBLAS {found['sgemm'].answer}, {repeats} turns")
        measured |= {f"d={dim}: {name}": one for name, one in found.items()}
    return Findings(measured, figures, notes)


# ---- contenders --------------------------------------------------------------------------------


def prfast_curves(size: int, dim: int, methods: tuple[str, ...], jobs: int) -> Callable[[], Any]:
    import prfast

    real, fake = clouds(size, dim)
    return lambda: prfast.pr_curves(real, fake, methods=methods, k="sqrt", split=0.5, n_jobs=jobs)
