"""One counting pass over 10 000 × 10 000 distances against NumPy's matrix product of the pairs.

Each query has a threshold, its 5th or its √n-th neighbor, so the filter leaves at least one pair a
query to float64.  The call to prfast is all of it: centering, packing, counting.  NumPy's product
goes into an array that is there already.

OpenBLAS is run twice, with the kernels of its own choice and held to AVX2, which on an AVX-512
machine is half as fast.  The AVX-512 pass is judged against both, the AVX2 pass against AVX2.
"""

import math
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any

from bench.contender import Contender
from bench.machine import cores
from bench.measure import Measured
from bench.report import Findings
from bench.speed.clouds import Samples, add_kinds, chosen
from bench.speed.product import sgemm

TARGETS = {"avx512": 0.65, "avx2": 1.1}  # isotropic, k = 5
FEATURES = {True: 0.33, False: 0.48}  # d >= 512, with VNNI: at k = 5, and at √n
K = 5
FILTERS = ("float32", "int8")


def add_options(parser: ArgumentParser) -> None:
    add_kinds(parser)
    text = "instruction sets to force, one after the other (PRFAST_ISA)"
    parser.add_argument("--isas", nargs="+", metavar="ISA", help=text)


def run(options: Namespace) -> Findings:
    findings = Findings()
    for of in chosen(options, 300 if options.tiny else 10_000):
        repeats = options.repeats or (2 if options.tiny else 21 if of.dim <= 64 else 5)
        ks = (K, math.isqrt(of.size))
        for threads in (1,) if options.tiny else sorted({1, cores()}):
            isas = options.isas or available_isas()
            peers = f"{of.name}, {threads} thr"
            results = findings.side_by_side(peers, contenders(of, ks, threads, isas), repeats)
            findings.notes.append(
                f"{peers}: {of.size} samples, sgemm is OpenBLAS {results['sgemm'].answer}, "
                f"{repeats} turns, GF/s "
                + ", ".join(f"{key} {speed(result, of):.0f}" for key, result in results.items())
            )
            for k in ks:
                # The name without k is that of the 5th neighbor.
                name = peers if k == K else f"{of.name}, k={k}, {threads} thr"
                ours = {isa: results[f"prfast {isa}, k={k}"] for isa in isas}
                judge(name, ours, results, of, k, findings)
    return findings


def judge(
    name: str,
    ours: dict[str, Measured],
    results: dict[str, Measured],
    of: Samples,
    k: int,
    findings: Findings,
) -> None:
    """Add each instruction set at one k against the products."""
    for isa, measured in ours.items():
        more = measured.answer - k * of.size
        if more < 0 or (more and of.kind == "isotropic"):  # elsewhere rows may be equal
            raise ArithmeticError(f"{name}, {isa}: {k} neighbors each expected")
        for peer in ("sgemm", "sgemm AVX2"):
            target: dict[str, Any] = {"better": "lower"}
            alike = isa != "avx2" or peer == "sgemm AVX2"
            if alike and isa in TARGETS and of.kind == "isotropic" and k == K:
                target = {"at_most": TARGETS[isa]}
            if isa == "avx512vnni" and of.kind in ("relu", "images") and of.dim >= 512:
                target = {"at_most": FEATURES[k == K]}
            label = f"{name}: prfast {isa} / {peer}"
            findings.ratio(label, measured, results[peer], **target)
    counts = {measured.answer for measured in ours.values()}
    if len(counts) > 1:
        raise ArithmeticError(f"{name}: instruction sets differ: {counts}")


def available_isas() -> list[str]:
    """Return those that run here, but for the one that runs everywhere if there is a better one."""
    from prfast.kernels.distances import ISAS

    return [isa for isa in ISAS if isa != "base"] or [*ISAS]


def contenders(
    of: Samples, ks: tuple[int, ...], threads: int, isas: list[str]
) -> dict[str, Contender]:
    """Return counts at each k, the products, and counts by float32 and by int8 alone.

    The last two have the rates of multiply-adds and of bytes; no ratio judges them.
    """
    ways = [(k, "auto", f", k={k}") for k in ks] + [(K, way, f" {way}") for way in FILTERS]
    return {
        **{
            f"prfast {isa}{label}": Contender(
                prfast_count,
                {"of": of, "k": k, "threads": threads},
                threads,
                int,
                {"PRFAST_ISA": isa, "PRFAST_FILTER": way},
            )
            for k, way, label in ways
            for isa in isas
        },
        "sgemm": sgemm(of.size**2, of.dim, threads),
        "sgemm AVX2": sgemm(of.size**2, of.dim, threads, "Haswell"),
    }


def speed(measured: Measured, of: Samples) -> float:
    """10⁹ operations a second, two for each feature of a pair."""
    return 2e-9 * of.size**2 * of.dim / sorted(measured.seconds)[len(measured.seconds) // 2]


# ---- contenders --------------------------------------------------------------------------------


def prfast_count(of: Samples, k: int, threads: int) -> Callable[[], Any]:
    import numpy as np

    from prfast.neighbors import Count, NeighborSearch

    queries, refs = of.draw()
    reach = NeighborSearch("exact", n_jobs=threads).kth(queries, refs, [k])[:, 0]

    def call() -> int:
        rows = np.zeros(len(queries), np.int64)
        NeighborSearch("exact", n_jobs=threads).run(
            queries, [refs], [Count(reach, None, rows=rows)]
        )
        return int(rows.sum())

    return call
