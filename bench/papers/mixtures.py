"""Modes dropped, invented and re-weighted: two Gaussian mixtures (2024 paper, Fig. 3 and 6).

Four modes N(ℓ1, I_64), ℓ = 0, −5, 3, 5, with weights (.3, .2, .5, 0) in P and (0, .5, .2, .3) in Q;
1000 samples each.  The modes lie so far apart that the exact curve is that of four cells: largest
precision and recall 0.7, a bend where the two common modes change places, precision 0.4 at λ = 1.
The paper finds that with k = √n and a split kNN, Parzen and coverage "perform very well", while
"IPR overestimates the PR-curve and especially fails at catching the re-weighting transition".
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from math import isqrt
from typing import Any

from bench.papers import figures
from bench.papers.experiments import (
    METHODS,
    SPLITS,
    add_draws,
    draw_curves,
    draws_of,
    mean_and_error,
    verdict,
)
from bench.results import Figure, Findings, columns

MODES = (0, -5, 3, 5)
P, Q = (0.3, 0.2, 0.5, 0.0), (0.0, 0.5, 0.2, 0.3)
DIM = 64
HEAD = ("split", "k", "method", "F_1/8", "F_8", "precision at λ = 1", "area", "IoU with truth")


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 20)


def run(options: Namespace) -> Findings:
    import numpy as np

    from prfast import PRCurve
    from prfast.reference import GaussianMixtures

    size, draws = 200 if options.tiny else 1000, draws_of(options)
    ks = (4, isqrt(size))
    pair = GaussianMixtures(np.outer(MODES, np.ones(DIM)), P, Q)
    truth = pair.curve()
    figure, axes = figures.panels(2, 2)
    rows = []
    for i, (split, share) in enumerate(SPLITS.items()):
        results = draw_curves(pair, size, ks, share, draws)
        for j, k in enumerate(ks):
            means = {method: PRCurve.mean(results[method, k]) for method in METHODS}
            title = f"{'split in halves' if share else 'no split'}, k = {k}"
            figures.draw(axes[2 * i + j], means, truth, title)
            for method in METHODS:
                row = {"split": split, "k": k, "method": method}
                rows.append(row | numbers(results[method, k], truth))
    figures.legend(figure, axes[0])
    picture = figures.save(figure, options)
    exact = ("truth", "", "", *(f"{value:.3f}" for value in summary(truth)), "")
    table = columns([HEAD, exact, *map(line, rows)])
    usual = {row["method"]: row for row in rows if (row["split"], row["k"]) == ("half", ks[1])}
    off = {method: row["middle"] - truth.at(1.0)[0] for method, row in usual.items()}
    others = min(usual[method]["iou"] for method in METHODS[1:])
    bend = max(abs(off[method]) for method in METHODS[1:])
    over = usual["ipr"]["area"] / truth.area
    worse = (1 - usual["ipr"]["iou"]) / (1 - others)
    judged = [
        Figure("split, k = √n: area of ipr / truth", over, at_least=1.1),
        Figure("split, k = √n: precision of ipr at λ = 1, too high by", off["ipr"], at_least=0.1),
        Figure("split, k = √n: the others, off by at most", bend, at_most=0.02),
        Figure("split, k = √n: 1 − IoU of ipr / of the worst other", worse, at_least=2),
        Figure("split, k = √n: least IoU of the others", others),
    ]
    last = verdict(
        f"ipr's area is {over:.2f} times the true one, its precision at λ = 1 off by "
        f"{off['ipr']:+.3f} "
        f"({', '.join(f'{m} {off[m]:+.3f}' for m in METHODS[1:])}); IoU of the others at "
        f"least {others:.3f}",
        "ipr over-estimates and misses the re-weighting, the others follow",
        judged,
    )
    notes = [table, f"{size} + {size} samples, {draws} draws", picture, last]
    return Findings({}, judged, notes, rows)


def summary(curve: Any) -> tuple[float, float, float, float]:
    return curve.f_score(1 / 8), curve.f_score(8), curve.at(1.0)[0], curve.area


def numbers(curves: Any, truth: Any) -> dict[str, float]:
    """Means over the draws."""
    names = ("f_1/8", "f_8", "middle", "area")
    values = zip(*map(summary, curves), strict=True)
    results = {name: mean_and_error(of)[0] for name, of in zip(names, values, strict=True)}
    iou, error = mean_and_error([curve.iou(truth) for curve in curves])
    return results | {"iou": iou, "iou_error": error}


def line(row: dict[str, Any]) -> tuple[str, ...]:
    names = ("f_1/8", "f_8", "middle", "area")
    iou = f"{row['iou']:.3f} ± {row['iou_error']:.3f}"
    first = row["split"], str(row["k"]), row["method"]
    return (*first, *(f"{row[name]:.3f}" for name in names), iou)
