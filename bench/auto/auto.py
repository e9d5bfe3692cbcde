"""IoU of every method with the exact truth, family by family, and of the exact ratio's own sweep.

Draws of families whose curve is known (bench/auto/families), all methods and the oracle, which is
the exact log-ratio as the score, on the same draws.  IoU and areas are exact; the bias is area /
true area − 1.  k = √n of half the samples, each method with its own split.  Classifiers of
scikit-learn are compared where --methods names them.

    python -m bench auto --families later --draws 5 --seed 0,1,2
    python -m bench auto --families independent --methods auto,trees,logistic,mlp --n 1000
"""

import zlib
from argparse import ArgumentParser, Namespace
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from bench.auto import estimates, lists, tables
from bench.auto.cases import FULL, GROUPS, TINY, Case, find
from bench.papers.cifar_classes import DATA
from bench.report import Findings, columns


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    text = f"families, or of the groups {', '.join(GROUPS)}; developing,images by default"
    add("--families", type=lists.names, metavar="NAME,…", help=text)
    text = f"all methods and oracles by default; also {', '.join(estimates.CLASSIFIERS)}"
    add("--methods", type=lists.names, metavar="NAME,…", help=text)
    add("--draws", type=int, default=5, metavar="N", help="draws of each seed, 5 by default")
    add("--seed", type=lists.numbers, default=[0], metavar="N,…", help="base seeds, 0 by default")
    text = f"real samples of families of {FULL}, others in proportion"
    add("--n", type=int, default=FULL, metavar="N", help=text)
    add("--jobs", type=int, metavar="N", help="threads; every core by default")
    text = "features and labels of images (default: ../shared/data/cifar10_features.npz)"
    add("--data", type=Path, default=DATA, metavar="FILE", help=text)


def run(options: Namespace) -> Findings:
    data = options.data if options.data.is_file() else None
    names = options.families or ([*TINY, "images"] if options.tiny else ["developing", "images"])
    methods = options.methods or estimates.known_methods()
    try:
        cases = find(names, 200 if options.tiny else options.n, data, tiny=options.tiny)
    except KeyError as error:
        raise SystemExit(f"auto: --families: {error.args[0]}") from None
    draws = list(product(options.seed, range(2 if options.tiny else options.draws)))
    rows = [
        row
        for case in cases
        for seed, draw in draws
        for row in measure(case, methods, seed, draw, options.jobs)
    ]
    table = tables.Table(rows, methods)
    notes = [columns(table.lines()), "IoU ± standard error (area / true area − 1); * the best"]
    notes += [f"{len(draws)} draws a family", table.exceptions()]
    if data is None and "images" in names:
        notes.append(f"images: skipped, no file {options.data}; say --data FILE.npz")
    judged = table.figures({case.name: case.group for case in cases})
    return Findings({}, judged, notes, {"draws": rows})


def measure(
    case: Case, methods: list[str], seed: int, draw: int, jobs: int | None
) -> list[dict[str, Any]]:
    """Draw the samples and return a row a method."""
    drawn = case.draw(np.random.default_rng([zlib.crc32(case.stream.encode()), seed, draw]))
    rows = []
    for method in methods:
        if method == estimates.ORACLE and drawn.log_ratios is None:
            continue
        start = process_time()
        curve = estimates.curve(method, drawn, draw, jobs)
        row: dict[str, Any] = {"family": case.name, "n": case.n, "m": case.m, "seed": seed}
        row |= {"draw": draw, "method": method, "cpu_seconds": process_time() - start}
        row |= {"iou": curve.iou(drawn.truth), "area": curve.area, "true_area": drawn.truth.area}
        rows.append(row)
    shown = (f"{row['method']} {row['iou']:.3f}" for row in rows)
    print(f"{case.name} {seed}.{draw}: {'  '.join(shown)}", flush=True)
    return rows
