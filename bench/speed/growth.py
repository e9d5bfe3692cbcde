"""All four neighbour curves against the number of samples: time, memory, and on to a million.

d = 64, k = √n, split in halves, all cores.  --large adds 200 000 + 200 000 samples, a single call
of some minutes, and what it says of 10⁶ + 10⁶: 25 times the pairs, hence 25 times the time at
least (k grows as well, from 316 to 707).
"""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace
from statistics import median

from bench.contender import Contender
from bench.machine import cores
from bench.measure import Measured, once, side_by_side
from bench.results import Figure, Findings
from bench.speed.curves import METHODS, prfast_curves

PEAK_MB = 512
MILLION = 10**6


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--large", action="store_true", help="200 000 + 200 000 samples as well")


def run(options: Namespace) -> Findings:
    sizes = (100, 200) if options.tiny else (1000, 3000, 10_000, 30_000)
    large = 400 if options.tiny else 200_000
    threads = 1 if options.tiny else cores()
    repeats = options.repeats or (2 if options.tiny else 7)
    measured = side_by_side({f"n={n}": contender(n, threads) for n in sizes}, repeats)
    figures = []
    if options.large:
        measured[f"n={large}"] = once(contender(large, threads))
        sizes = (*sizes, large)
    for n, before in zip(sizes[1:], sizes, strict=False):
        figures.append(Figure(f"exponent from {before} to {n}", exponent(measured, before, n)))
    for n in sizes:
        peak = measured[f"n={n}"].peak_bytes
        if peak is not None:
            figures.append(Figure(f"n={n}: peak MB", peak / 1e6, at_most=PEAK_MB))
    last = sizes[-1]
    minutes = measured[f"n={last}"].seconds[0] / 60 * (MILLION / last) ** 2
    figures.append(Figure(f"minutes for 10⁶, quadratic from {last}", minutes))
    note = "The peak is beyond the inputs; the copies made by the split are in it."
    return Findings(measured, figures, [f"{threads} threads, {repeats} turns.  {note}"])


def contender(n: int, threads: int) -> Contender:
    settings = {"size": n, "dim": 64, "methods": METHODS, "jobs": threads}
    return Contender(prfast_curves, settings, threads)


def exponent(measured: dict[str, Measured], n: int, m: int) -> float:
    """p such that the time grows like nᵖ."""
    over, under = (median(measured[f"n={one}"].seconds) for one in (m, n))
    return math.log(over / under) / math.log(m / n)
