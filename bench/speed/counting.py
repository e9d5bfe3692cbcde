"""One counting pass over 10 000 × 10 000 distances against NumPy's matrix product of the pairs.

Each query has a threshold, its 5th neighbour, so the filter leaves at least one pair a query to
float64.  The call to prfast is all of it: centring, packing, counting.  NumPy's product goes into
an array that is there already; `q @ r.T`, with a new array each time, is shown without a target.

OpenBLAS is run twice, with the kernels of its own choice and held to AVX2, which on an AVX-512
machine is half as fast.  The AVX-512 pass is judged against both, the AVX2 pass against AVX2.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any

from bench.contender import Contender
from bench.machine import cores
from bench.measure import Measured, side_by_side
from bench.results import Figure, Findings
from bench.speed.clouds import add_dims, blas_core, clouds, sgemm

TARGETS = {"avx512": 0.65, "avx2": 1.1}
K = 5


def add_options(parser: ArgumentParser) -> None:
    add_dims(parser)
    parser.add_argument("--threads", type=int, nargs="+", metavar="N", help="default: 1, all")


def run(options: Namespace) -> Findings:
    size = 300 if options.tiny else 10_000
    dims = (8,) if options.tiny else options.dims
    jobs = (1,) if options.tiny else options.threads or sorted({1, cores()})
    isas = available_isas()
    measured: dict[str, Measured] = {}
    figures, notes = [], []
    for dim in dims:
        repeats = options.repeats or (2 if options.tiny else 21 if dim <= 64 else 5)
        for threads in jobs:
            found = side_by_side(contenders(size, dim, threads, isas), repeats)
            name = f"d={dim}, {threads} thr"
            for isa in isas:
                if found[f"prfast {isa}"].answer != K * size:
                    raise ArithmeticError(f"{name}, {isa}: K neighbours each expected")
                for peer in ("sgemm", "sgemm AVX2"):
                    label = f"{name}: prfast {isa} / {peer}"
                    one = found[f"prfast {isa}"], found[peer]
                    alike = isa == "avx512" or peer == "sgemm AVX2"
                    target = {"at_most": TARGETS[isa]} if alike else {}
                    figures.append(Figure.of_ratio(label, *one, **target))
            notes.append(
                f"{name}: sgemm is OpenBLAS {found['sgemm'].answer}, {repeats} turns, GF/s "
                + ", ".join(f"{key} {speed(one, size, dim):.0f}" for key, one in found.items())
            )
            measured |= {f"{name}: {key}": one for key, one in found.items()}
    return Findings(measured, figures, notes)


def available_isas() -> list[str]:
    from prfast.kernels.balls import ISAS

    return [isa for isa in TARGETS if isa in ISAS]


def contenders(size: int, dim: int, threads: int, isas: list[str]) -> dict[str, Contender]:
    pairs = {"rows": size, "cols": size, "dim": dim}
    ours = {"size": size, "dim": dim, "threads": threads}
    return {
        **{
            f"prfast {isa}": Contender(prfast_count, {"isa": isa, **ours}, threads, int)
            for isa in isas
        },
        "sgemm": Contender(sgemm, pairs, threads, blas_core),
        "sgemm AVX2": Contender(sgemm, {"core": "Haswell", **pairs}, threads),
        "q @ r.T": Contender(product, {"size": size, "dim": dim}, threads),
    }


def speed(one: Measured, size: int, dim: int) -> float:
    """10⁹ operations a second, two for each feature of a pair."""
    return 2e-9 * size * size * dim / sorted(one.seconds)[len(one.seconds) // 2]


# ---- contenders --------------------------------------------------------------------------------


def prfast_count(size: int, dim: int, isa: str, threads: int) -> Callable[[], Any]:
    os.environ["PRFAST_ISA"] = isa
    import numpy as np

    from prfast.balls import Count, Search

    queries, refs = clouds(size, dim)
    search = Search("exact", n_jobs=threads)
    reach = search.kth(queries, refs, [K])[:, 0]

    def call() -> int:
        rows = np.zeros(size, np.int64)
        search.count(queries, refs, [Count(reach, None, rows=rows)])
        return int(rows.sum())

    return call


def product(size: int, dim: int) -> Callable[[], Any]:
    queries, refs = clouds(size, dim)
    return lambda: queries @ refs.T
