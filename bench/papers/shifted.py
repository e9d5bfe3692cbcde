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

DELTAS = (1.0, 3.0)
NEAR, FAR = ("knn", "coverage"), ("ipr", "parzen")  # of one ball; of balls or windows of each set
HEAD = ("Δ", "split", "k", "method", "IoU with truth", "area / true", "max precision", "max recall")


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 10)


def run(options: Namespace) -> Findings:
    from prfast import PRCurve
    from prfast.reference import GaussianShift

    size, draws = 200 if options.tiny else 10_000, draws_of(options)
    ks = (4, isqrt(size))
    figure, axes = figures.panels(len(DELTAS), 2 * len(ks))
    rows, extremes = [], []
    for i, delta in enumerate(DELTAS):
        truth = GaussianShift(delta, 64)
        exact = truth.curve()
        extremes += [exact.max_precision, exact.max_recall]
        for j, (split, share) in enumerate(SPLITS.items()):
            result = draw_curves(truth, size, ks, share, draws)
            for column, k in enumerate(ks):
                means = {method: PRCurve.mean(result[method, k]) for method in METHODS}
                title = f"Δ = {delta:g}, {'split' if share else 'no split'}, k = {k}"
                figures.draw(axes[4 * i + 2 * column + j], means, exact, title)
                rows += [
                    {"delta": delta, "split": split, "k": k, "method": method}
                    | numbers(result[method, k], means[method], exact)
                    for method in METHODS
                ]
    figures.legend(figure, axes[0])
    picture = figures.save(figure, options)
    judged = figures_of(rows, ks, min(extremes))
    notes = [columns([HEAD, *map(line, rows)]), f"{size} + {size} samples, {draws} draws", picture]
    return Findings({}, judged, [*notes, conclusion(judged)], rows)


def numbers(curves: Sequence[Any], mean: Any, truth: Any) -> dict[str, float]:
    """Return the numbers of the curves of all draws and of their mean."""
    iou, error = mean_and_error([curve.iou(truth) for curve in curves])
    return {
        "iou": iou,
        "iou_error": error,
        "area_ratio": mean.area / truth.area,
        "max_precision": mean.max_precision,
        "max_recall": mean.max_recall,
    }


def line(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        f"{row['delta']:g}",
        row["split"],
        str(row["k"]),
        row["method"],
        f"{row['iou']:.3f} ± {row['iou_error']:.3f}",
        f"{row['area_ratio']:.2f}",
        f"{row['max_precision']:.3f}",
        f"{row['max_recall']:.3f}",
    )


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


def conclusion(judged: list[Figure]) -> str:
    extreme, least, mean, near, far, few, end = (figure.value for figure in judged)
    return verdict(
        f"k = √n gains {least:+.3f} of IoU at least and {mean:+.3f} on average; there the split "
        f"moves it by {near:.3f} at most for knn and coverage and by {far:.3f} for ipr and parzen, "
        f"at k = 4 by {few:.3f}; the extremes of the truth are {extreme:.4f} or more, those of the "
        f"curves {end:.3f}",
        "√n is better than 4, the split marginal, the extremes 1",
        judged,
    )
