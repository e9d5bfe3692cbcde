"""IoU of every method with the exact truth, family by family, and of the exact ratio's own sweep.

Draws of families whose curve is known (bench/auto/families), all methods and the oracle, which is
the exact log-ratio as the score, on the same draws.  IoU and areas are exact; the bias is area /
true area − 1.  k = √n of half the samples, each method with its own split.  Classifiers of
scikit-learn (bench/auto/classifiers.py) are compared where --methods names them.  The JSON has CPU
seconds of the process, which neighbor methods share: the first has those of all.

    python -m bench auto --families later --draws 5 --seed 0,1,2
    python -m bench auto --families independent --methods auto,trees,logistic,mlp --n 1000
"""

from __future__ import annotations

import zlib
from argparse import ArgumentParser, Namespace
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any

from bench.auto import estimates, lists, tables
from bench.auto.cases import FULL, GROUPS, TINY, Case, find
from bench.papers.cifar_classes import DATA
from bench.results import Findings, columns

TINY_SIZE = 200


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
    methods = _methods(options.methods)
    cases, notes = _cases(options)
    draws = list(product(options.seed, range(2 if options.tiny else options.draws)))
    rows = [
        row
        for case in cases
        for seed, draw in draws
        for row in measure(case, methods, seed, draw, options.jobs)
    ]
    table = tables.Table(rows, methods)
    notes += [columns(table.lines())]
    notes += ["IoU ± standard error (area / true area − 1); * the best estimate"]
    notes += [f"{len(draws)} draws a family", table.exceptions()]
    judged = table.figures({case.name: case.group for case in cases})
    return Findings({}, judged, notes, {"draws": rows})


def measure(
    case: Case, methods: list[str], seed: int, draw: int, jobs: int | None
) -> list[dict[str, Any]]:
    """Draw the samples and return a row a method."""
    import numpy as np

    rng = np.random.default_rng([zlib.crc32(case.stream.encode()), seed, draw])
    drawn = case.draw(rng)
    if drawn.log_ratios is None:
        methods = tables.estimators(methods)
    rows = []
    start = process_time()
    for method, curve in estimates.curves(
        methods, drawn.real, drawn.fake, drawn.log_ratios, draw, jobs
    ):
        row: dict[str, Any] = {"family": case.name, "n": case.n, "m": case.m, "seed": seed}
        row |= {"draw": draw, "method": method, "cpu_seconds": process_time() - start}
        row |= {"iou": None, "area": curve.area, "true_area": None}
        if drawn.truth is not None:
            row |= {"iou": curve.iou(drawn.truth), "true_area": drawn.truth.area}
        rows.append(row)
        start = process_time()
    shown = (f"{row['method']} {row['area' if row['iou'] is None else 'iou']:.3f}" for row in rows)
    print(f"{case.name} {seed}.{draw}: {'  '.join(shown)}", flush=True)
    return rows


def _methods(chosen: list[str] | None) -> list[str]:
    usual = estimates.known_methods()
    known = [*usual, *estimates.CLASSIFIERS]
    for name in chosen or []:
        if name not in known:
            raise SystemExit(f"auto: --methods: one of {', '.join(known)} expected, got {name!r}")
    return chosen or usual


def _cases(options: Namespace) -> tuple[list[Case], list[str]]:
    """Return the cases of the options, and a note if images are among them and their file is
    missing."""
    names = options.families or ([*TINY, "images"] if options.tiny else ["developing", "images"])
    data = options.data if options.data.is_file() else None
    size = TINY_SIZE if options.tiny else options.n
    try:
        cases = find(names, size, data, tiny=options.tiny)
    except KeyError as error:
        raise SystemExit(f"auto: --families: {error.args[0]}") from None
    skipped = data is None and "images" in names
    return cases, [f"images: skipped, no file {options.data}; say --data FILE.npz"] * skipped
