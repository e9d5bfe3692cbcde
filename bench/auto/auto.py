"""IoU of every method with the exact truth, family by family, and of the exact ratio's own sweep.

Draws of families whose curve is known (bench/auto/families), all methods and the oracle, which is
the exact log-ratio as the score, on the same draws.  IoU and areas are exact; the bias is area /
true area − 1.  k = √n of half the samples, each method with its own split.  Classifiers of
scikit-learn (bench/auto/classifiers.py) are compared where --methods names them.  The JSON has CPU
seconds of the process, which neighbor methods share: the first has those of all.

    python -m bench auto --keep FILE.json                    what is in the file is not repeated
    python -m bench auto --keep FILE.json --forget auto      but for what has changed
    python -m bench auto --families later --draws 5 --seed 0,1,2
    python -m bench auto --families independent --methods auto,trees,logistic,mlp --n 1000
"""

from __future__ import annotations

import zlib
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any

from bench.auto import estimates, lists, tables
from bench.auto.cases import FULL, GROUPS, TINY, Case, find
from bench.auto.row_store import Key, RowStore
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
    add("--keep", type=Path, metavar="FILE", help="JSON file of results to reuse and to add to")
    text = "methods whose results in the file are measured anew"
    add("--forget", type=lists.names, default=[], metavar="NAME,…", help=text)
    text = "features and labels of images (default: ../shared/data/cifar10_features.npz)"
    add("--data", type=Path, default=DATA, metavar="FILE", help=text)


def run(options: Namespace) -> Findings:
    methods = _methods(options.methods)
    cases, notes = _cases(options)
    draws = list(product(options.seed, range(2 if options.tiny else options.draws)))
    store = RowStore(options.keep, options.forget)
    keys: list[Key] = []
    for case in cases:
        for seed, draw in draws:
            key = Key(case.name, case.n, case.m, seed, draw)
            measure(case, key, store.missing(key, methods), store, options.jobs)
            keys.append(key)
    table = tables.summarize(store.of(keys, methods))
    lines = tables.lines(table, methods)
    notes += [columns(lines), "IoU ± standard error (area / true area − 1); * the best estimate"]
    notes += [f"{len(draws)} draws a family", tables.exceptions(table)]
    numbers = {
        family: {method: cell._asdict() for method, cell in cells.items()}
        for family, cells in table.items()
    }
    judged = tables.figures(table, methods)
    judged += tables.group_figures(table, {case.name: case.group for case in cases}, methods)
    return Findings({}, judged, notes, numbers)


def measure(
    case: Case, key: Key, methods: Iterable[str], store: RowStore, jobs: int | None
) -> None:
    """Draw the samples and add what the methods make of them; nothing where nothing is missing."""
    import numpy as np

    methods = list(methods)
    if not methods:
        return
    rng = np.random.default_rng([zlib.crc32(case.stream.encode()), key.seed, key.draw])
    drawn = case.draw(rng)
    if drawn.log_ratios is None:
        methods = [name for name in methods if name in tables.estimators(methods)]
    results: dict[str, Any] = {}
    start = process_time()
    for method, curve in estimates.curves(
        methods, drawn.real, drawn.fake, drawn.log_ratios, key.draw, jobs
    ):
        seconds = process_time() - start
        iou = None if drawn.truth is None else curve.iou(drawn.truth)
        true_area = None if drawn.truth is None else drawn.truth.area
        results[method] = curve.area if iou is None else iou
        numbers = {"iou": iou, "area": curve.area, "true_area": true_area, "cpu_seconds": seconds}
        store.add(key, method, numbers)
        start = process_time()
    store.write()
    areas_text = "  ".join(f"{method} {value:.3f}" for method, value in results.items())
    print(f"{case.name} {key.seed}.{key.draw}: {areas_text}", flush=True)


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
