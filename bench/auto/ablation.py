"""Ablation: the change of the IoU of "auto" where each base is left out.

Families whose curve is known and classes of images, as in `auto`; every base is fitted once a draw,
the meta-learner and the hull once more without each.

    python -m bench ablation --n 4000 --draws 3
"""

from __future__ import annotations

import zlib
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from bench.auto.cases import TINY, Case, find
from bench.papers.cifar_classes import DATA
from bench.results import Figure, Findings, columns

SHOWN = 0.0015  # a smaller change is left out of the table
IMAGES = ["images-classes-3", "images-classes-7", "images-classes-9"]


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--draws", type=int, default=3, metavar="N", help="draws of each family, 3 by default")
    add("--n", type=int, default=4000, metavar="N", help="real samples of families of 10000")
    text = "features and labels of images (default: ../shared/data/cifar10_features.npz)"
    add("--data", type=Path, default=DATA, metavar="FILE", help=text)


def run(options: Namespace) -> Findings:
    data = options.data if options.data is not None and options.data.exists() else None
    if options.tiny:
        cases = find(list(TINY)[:1], 200, None, tiny=True)
    else:
        names = ["developing", *(IMAGES if data is not None else [])]
        cases = [case for case in find(names, options.n, data, tiny=False) if case.n >= 400]
    draws = range(1 if options.tiny else options.draws)
    results = {case.name: [_without_each(case, draw) for draw in draws] for case in cases}
    lines = _lines(results)
    notes = [columns(lines), f"{len(draws)} draws; changes of IoU below {SHOWN} are not shown"]
    return Findings({}, _losses(results), notes, results)


def _losses(results: dict[str, list[dict[str, float]]]) -> list[Figure]:
    """Return the largest loss of a family without each base."""
    losses: dict[str, list[float]] = {}
    for rows in results.values():
        for name in rows[0].keys() - {"all"}:
            change = sum(row[name] for row in rows) / len(rows)
            losses.setdefault(name, []).append(-change)
    return [Figure(f"largest loss without {name}", max(of)) for name, of in sorted(losses.items())]


def _without_each(case: Case, draw: int) -> dict[str, float]:
    """IoU with all bases, under "all", and its change without each."""
    import numpy as np

    from prfast import PRCurve
    from prfast.inputs.options import Progress
    from prfast.methods.auto.bases import LIBRARY
    from prfast.methods.auto.coordinates import Data
    from prfast.methods.auto.crossfit import cross_fit
    from prfast.methods.auto.estimator import FITTED, FOLDS
    from prfast.methods.auto.folds import assign_folds, execution
    from prfast.methods.auto.stack import fit_stack
    from prfast.samples.pair import Pair

    drawn = case.draw(np.random.default_rng([zlib.crc32(case.stream.encode()), 99, draw]))
    assert drawn.truth is not None
    with execution(1, Progress(False)) as execute:
        pair = Pair.read(drawn.real, drawn.fake)
        data = Data(assign_folds(pair, FOLDS, FITTED, draw), *pair.points)
        fits = {name: cross_fit(base, data) for name, base in LIBRARY.items()}
        columns_of = {name: fitted[1] for name, fitted in fits.items() if fitted is not None}

        def iou(names: Sequence[str]) -> float:
            columns = np.hstack([columns_of[name] for name in names])
            s = fit_stack(data, columns, execute)[1]
            return float(PRCurve.from_scores(s[data.real], s[~data.real]).iou(drawn.truth))

        whole = iou(list(columns_of))
        left = {
            name: iou([other for other in columns_of if other != name]) - whole
            for name in columns_of
        }
    print(f"{case.name} {draw}: {whole:.3f}", flush=True)
    return {"all": whole, **left}


def _lines(results: dict[str, list[dict[str, float]]]) -> list[tuple[str, ...]]:
    """Return a family a row, a base a column."""
    from prfast.methods.auto.bases import LIBRARY

    def mean(rows: list[dict[str, float]], name: str) -> float | None:
        values = [row[name] for row in rows if name in row]
        return sum(values) / len(values) if values else None

    names = list(LIBRARY)
    lines = [("family", "all", *names)]
    for family, rows in results.items():
        cells = []
        for name in names:
            value = mean(rows, name)
            is_large = value is not None and abs(value) >= SHOWN
            cells.append(f"{value:+.3f}" if is_large else ("" if value is not None else "–"))
        lines.append((family, f"{mean(rows, 'all'):.3f}", *cells))
    return lines
