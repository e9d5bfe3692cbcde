"""P = Q with and without a split (2024 paper, Fig. 5).

P = Q = N(0, I_64), 10 000 samples each, three draws averaged.  The truth is the whole square: at
every recall precision is 1.  The paper finds that without a split the extreme precision and recall
are not 1, and that with a split of one half the curves are very close to the ideal.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from math import isqrt

from bench.papers.experiments import (
    SPLITS,
    add_draws,
    averages,
    draw_curves,
    draws_of,
)
from bench.results import Figure, Findings


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 3)


def run(options: Namespace) -> Findings:
    from prfast.reference import GaussianShift

    size, draws = 200 if options.tiny else 10_000, draws_of(options)
    ks = (4, isqrt(size))
    truth = GaussianShift(0.0, 64)
    rows = []
    for split, share in SPLITS.items():
        for (method, k), curves in draw_curves(truth, size, ks, share, draws).items():
            numbers = [
                {
                    "iou": curve.iou(truth.curve()),
                    "max_precision": curve.max_precision,
                    "max_recall": curve.max_recall,
                }
                for curve in curves
            ]
            rows.append({"split": split, "k": k, "method": method} | averages(numbers))
    whole = max(
        max(row["max_precision"], row["max_recall"])
        for row in rows
        if (row["split"], row["k"]) == ("none", 4)
    )
    least = {k: min(r["iou"] for r in rows if (r["split"], r["k"]) == ("half", k)) for k in ks}
    judged = [
        Figure("no split, k = 4: largest extreme", whole, at_most=0.99),
        *(
            Figure(f"split, k = {k}: least IoU with the square", iou, at_least=0.95)
            for k, iou in least.items()
        ),
    ]
    return Findings({}, judged, [f"{size} + {size} samples, {draws} draws"], rows)
