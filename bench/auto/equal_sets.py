"""Two samples of one normal distribution: the area of auto, 1 in truth, by size and dimension.

The mean, the spread and the least area over the draws, and the share of the draws whose 95 %
interval of the area reaches .99.
"""

import warnings
from argparse import ArgumentParser, Namespace
from typing import Any

import numpy as np

import prfast
from bench.auto import lists
from bench.report import Figure, Findings

SIZES = (20, 50, 100, 200, 500, 1000)
DIMS = (1, 8, 64, 512)
ENOUGH = 200  # samples from which the mean and the least area are judged


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--sizes", type=lists.numbers, default=SIZES, metavar="N,…", help="samples of each set")
    add("--dims", type=lists.numbers, default=DIMS, metavar="D,…", help="dimensions")
    add("--draws", type=int, default=20, metavar="N", help="draws, 20 by default")


def run(options: Namespace) -> Findings:
    sizes, dims = ((20, 50), (1, 8)) if options.tiny else (options.sizes, options.dims)
    rows = [_measure(n, d, options) for n in sizes for d in dims]
    judged = []
    for n in sizes:
        selected = [row for row in rows if row["n"] == n]
        mean, least = (min(row[key] for row in selected) for key in ("mean", "least"))
        target = (0.98, 0.9) if n >= ENOUGH else (None, None)
        judged += [
            Figure(f"n = {n}: least mean area of a dimension", mean, at_least=target[0]),
            Figure(f"n = {n}: least area", least, at_least=target[1]),
        ]
    return Findings({}, judged, [], rows)


def _measure(n: int, dim: int, options: Namespace) -> dict[str, Any]:
    areas, reached = [], []
    for draw in range(2 if options.tiny else options.draws):
        real, fake = np.random.default_rng([n, dim, draw]).standard_normal((2, n, dim))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            curve = prfast.pr_curve(real, fake)
            areas.append(curve.area)
            reached.append(curve.interval("area").high >= 0.99)
    return {
        "n": n,
        "dim": dim,
        "mean": float(np.mean(areas)),
        "sd": float(np.std(areas)),
        "least": float(np.min(areas)),
        "interval reaches .99": float(np.mean(reached)),
    }
