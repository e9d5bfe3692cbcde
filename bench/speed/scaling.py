"""All four neighbor curves against the dimension, 2 to 4096, and against the threads.

k = √n, split in halves; `--size` samples a set.  An exponent p between two dimensions says that
the time grows like dᵖ: 0 where what is done once a pair costs most, 1 where the products do.
"""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace
from statistics import median

from bench.contender import Contender
from bench.machine import cores
from bench.measure import side_by_side
from bench.results import Figure, Findings
from bench.speed.clouds import Samples
from bench.speed.curves import contender as curves


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--size", type=int, default=4000, metavar="N", help="4000 by default")


def run(options: Namespace) -> Findings:
    size, dims = (200, (2, 8)) if options.tiny else (options.size, (2, 8, 32, 128, 512, 2048, 4096))
    most = 2 if options.tiny else cores()
    threads = sorted({2**i for i in range(most.bit_length()) if 2**i <= most} | {most})
    middle = dims[len(dims) // 2]
    repeats = options.repeats or (2 if options.tiny else 5)

    def contender(dim: int, jobs: int) -> Contender:
        return curves(Samples("isotropic", size, dim), jobs)

    measured = side_by_side({f"d={dim}": contender(dim, most) for dim in dims}, repeats)
    figures = []
    for dim, before in zip(dims[1:], dims, strict=False):
        over, under = (median(measured[f"d={one}"].seconds) for one in (dim, before))
        exponent = math.log(over / under) / math.log(dim / before)
        figures.append(Figure(f"exponent from d={before} to {dim}", exponent))
    by_threads = side_by_side(
        {f"d={middle}, {jobs} threads": contender(middle, jobs) for jobs in threads}, repeats
    )
    alone = by_threads[f"d={middle}, {threads[0]} threads"]
    for jobs in threads[1:]:
        one = by_threads[f"d={middle}, {jobs} threads"]
        figures.append(Figure.of_ratio(f"speed-up of {jobs} threads", alone, one))
    notes = [f"{size} + {size} samples; by dimension {most} threads, {repeats} turns"]
    return Findings(measured | by_threads, figures, notes)
