"""Ablation: the change of the IoU of "auto" where each base is left out.

Families whose curve is known and classes of images, as in `auto`; every base is fitted once a draw,
the meta-learner and the curve once more without each.  Trees, where a trial with the scores of all
other bases shows a gain, are one base more.

    python -m bench ablation --n 4000 --draws 3
"""

from __future__ import annotations

import zlib
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

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
    from threadpoolctl import threadpool_limits

    from prfast.methods.auto.calibration import fit_stack, map_columns
    from prfast.methods.auto.coordinates import Coordinates
    from prfast.methods.auto.estimator import FITTED, FOLDS, AutoScores
    from prfast.methods.auto.model import BASES, serial_executor, trees
    from prfast.methods.auto.sample import make_sample
    from prfast.samples.pair import Pair

    drawn = case.draw(np.random.default_rng([zlib.crc32(case.stream.encode()), 99, draw]))
    assert drawn.truth is not None
    with threadpool_limits(1):
        equal = Pair.read(drawn.real, drawn.fake).repetition
        coords = Coordinates(make_sample(drawn.real, drawn.fake, FOLDS, FITTED, draw))
        coords.prepare(serial_executor)
        columns_of: dict[str, Any] = {}
        for name, entry in BASES.items():
            base = entry.fit(coords)
            if base is not None:
                columns_of[name] = np.concatenate(
                    [base.score(b) for _, b in coords.fitted_blocks()]
                )

        def scores(names: Sequence[str]) -> Any:
            columns = np.hstack([columns_of[name] for name in names])
            mapped = map_columns(coords.sample, columns, serial_executor)
            return fit_stack(coords.sample, mapped, serial_executor)[1]

        grown = trees(coords, scores(list(columns_of)), serial_executor)
        if grown is not None:
            columns_of["trees"] = np.concatenate(
                [grown.score(b) for _, b in coords.fitted_blocks()]
            )

        def iou(names: Sequence[str]) -> float:
            fitted, results = coords.sample.fitted, scores(names)
            of_group = np.empty(int(equal.group.max()) + 1)
            of_group[equal.group[fitted]] = results
            s = of_group[equal.group]  # rows that equal a fitted one are not fitted to
            s[fitted] = results
            n = len(drawn.real)
            scored = AutoScores(s[:n], s[n:], folds=coords.sample, equal=equal)
            return float(scored.estimates().auto.iou(drawn.truth))

        whole = iou(list(columns_of))
        left = {
            name: iou([other for other in columns_of if other != name]) - whole
            for name in columns_of
        }
    print(f"{case.name} {draw}: {whole:.3f}", flush=True)
    return {"all": whole, **left}


def _lines(results: dict[str, list[dict[str, float]]]) -> list[tuple[str, ...]]:
    """Return a family a row, a base a column."""
    from prfast.methods.auto.model import BASES

    def mean(rows: list[dict[str, float]], name: str) -> float | None:
        values = [row[name] for row in rows if name in row]
        return sum(values) / len(values) if values else None

    names = [*BASES, "trees"]
    lines = [("family", "all", *names)]
    for family, rows in results.items():
        cells = []
        for name in names:
            value = mean(rows, name)
            is_large = value is not None and abs(value) >= SHOWN
            cells.append(f"{value:+.3f}" if is_large else ("" if value is not None else "–"))
        lines.append((family, f"{mean(rows, 'all'):.3f}", *cells))
    return lines
