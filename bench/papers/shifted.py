"""Shifted Gaussians, the four curves and the truth (2024 paper, Fig. 2).

P = N(0, I_64), Q = N(μ1, I_64), Δ = 8μ = 1 and 3, 10 000 samples each, k = 4 and √n, with and
without a split, mean of ten draws.  The paper says of it (§4.1):

    the extreme precision and recall are 1 in truth, whatever the shift
    k = √n is "more convincing" than k = 4
    the difference between split and no split is "marginal"

The last is judged at k = √n, where it is meant, as an IoU with the truth that is no more than 0.1
apart.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from itertools import product
from math import isqrt
from typing import Any

from bench.papers.experiments import (
    METHODS,
    SPLITS,
    add_draws,
    averages,
    draw_curves,
    draws_of,
)
from bench.results import Figure, Findings

DELTAS = (1.0, 3.0)
NEAR, FAR = ("knn", "coverage"), ("ipr", "parzen")  # of one ball; of balls or windows of each set


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 10)


def run(options: Namespace) -> Findings:
    from prfast.reference import GaussianShift

    size, draws = 200 if options.tiny else 10_000, draws_of(options)
    ks = (4, isqrt(size))
    rows, extremes = [], []
    for delta, (split, share) in product(DELTAS, SPLITS.items()):
        pair = GaussianShift(delta, 64)
        truth = pair.curve()
        extremes += [truth.max_precision, truth.max_recall]
        curves = draw_curves(pair, size, ks, share, draws)
        rows += [
            {"delta": delta, "split": split, "k": k, "method": method}
            | numbers(curves[method, k], truth)
            for k in ks
            for method in METHODS
        ]
    notes = [f"{size} + {size} samples, {draws} draws"]
    return Findings({}, figures_of(rows, ks, min(extremes)), notes, rows)


def numbers(curves: Sequence[Any], truth: Any) -> dict[str, float]:
    """Return the IoU of all draws, and numbers of their mean."""
    from prfast import PRCurve

    mean = PRCurve.mean(curves)
    return averages([{"iou": curve.iou(truth)} for curve in curves]) | {
        "area_ratio": mean.area / truth.area,
        "max_precision": mean.max_precision,
        "max_recall": mean.max_recall,
    }


def figures_of(rows: list[dict[str, Any]], ks: tuple[int, int], extreme: float) -> list[Figure]:
    iou = {(row["delta"], row["split"], row["k"], row["method"]): row["iou"] for row in rows}
    few, many = ks
    gains = [
        iou[d, s, many, m] - iou[d, s, few, m] for d in DELTAS for s in SPLITS for m in METHODS
    ]

    def apart(k: int, methods: tuple[str, ...]) -> float:
        return max(
            abs(iou[d, "half", k, m] - iou[d, "none", k, m]) for d in DELTAS for m in methods
        )

    ends = [
        min(row["max_precision"], row["max_recall"])
        for row in rows
        if (row["split"], row["k"]) == ("half", many)
    ]
    return [
        Figure("truth: least extreme", extreme, at_least=0.999),
        Figure("k = √n over k = 4: least gain in IoU", min(gains), at_least=0.0),
        Figure("k = √n over k = 4: mean gain in IoU", sum(gains) / len(gains), better="higher"),
        Figure(
            "k = √n: split moves IoU of knn, coverage by at most", apart(many, NEAR), at_most=0.1
        ),
        Figure("k = √n: split moves IoU of ipr, parzen by at most", apart(many, FAR), at_most=0.1),
        Figure("k = 4: split moves IoU by at most", apart(few, METHODS)),
        Figure("split, k = √n: least extreme of a curve", min(ends), better="higher"),
    ]
