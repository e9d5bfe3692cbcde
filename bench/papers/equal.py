"""P = Q with and without a split (2024 paper, Fig. 5).

P = Q = N(0, I_64), 10 000 samples each, three draws averaged.  The truth is the whole square: at
every recall precision is 1.  The paper finds that without a split the extreme precision and recall
are not 1, and that with a split of one half the curves are very close to the ideal.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from math import isqrt

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

HEAD = ("split", "k", "method", "max precision", "max recall", "IoU with the square")


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 3)


def run(options: Namespace) -> Findings:
    from prfast import PRCurve
    from prfast.reference import GaussianShift

    size, draws = 200 if options.tiny else 10_000, draws_of(options)
    ks = (4, isqrt(size))
    truth = GaussianShift(0.0, 64)
    figure, axes = figures.panels(2, 2)
    rows = []
    for i, (split, share) in enumerate(SPLITS.items()):
        result = draw_curves(truth, size, ks, share, draws)
        for j, k in enumerate(ks):
            means = {method: PRCurve.mean(result[method, k]) for method in METHODS}
            title = f"{'split in halves' if share else 'no split'}, k = {k}"
            figures.draw(axes[2 * (1 - i) + j], means, truth.curve(), title)
            for method in METHODS:
                of = result[method, k]
                iou, error = mean_and_error([curve.iou(truth.curve()) for curve in of])
                row = {"split": split, "k": k, "method": method, "iou": iou, "iou_error": error}
                row["max_precision"], _ = mean_and_error([curve.max_precision for curve in of])
                row["max_recall"], _ = mean_and_error([curve.max_recall for curve in of])
                rows.append(row)
    figures.legend(figure, axes[0])
    picture = figures.save(figure, options)
    whole = max(
        max(row["max_precision"], row["max_recall"])
        for row in rows
        if (row["split"], row["k"]) == ("none", 4)
    )
    close = [row for row in rows if row["split"] == "half"]
    least = min(row["iou"] for row in close if row["k"] == 4)
    large = min(row["iou"] for row in close if row["k"] == ks[1])
    judged = [
        Figure("no split, k = 4: largest extreme", whole, at_most=0.99),
        Figure(f"split, k = {ks[1]}: least IoU with the square", large, at_least=0.95),
        Figure("split, k = 4: least IoU with the square", least, at_least=0.95),
    ]
    table = [
        (
            row["split"],
            str(row["k"]),
            row["method"],
            f"{row['max_precision']:.3f}",
            f"{row['max_recall']:.3f}",
            f"{row['iou']:.3f} ± {row['iou_error']:.3f}",
        )
        for row in rows
    ]
    last = verdict(
        f"without a split no extreme at k = 4 is above {whole:.2f}; with one, curves fill at "
        f"least {least:.3f} (k = 4) and {large:.3f} (k = {ks[1]}) of the square",
        "the ideal is 1: extremes below it without a split, close to it with one",
        judged,
    )
    notes = [columns([HEAD, *table]), f"{size} + {size} samples, {draws} draws", picture, last]
    return Findings({}, judged, notes, rows)
