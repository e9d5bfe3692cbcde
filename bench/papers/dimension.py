"""Dimension 2048: every neighbor curve over-estimates (2024 paper, Fig. 4).

P = N(0, I_d), Q shifted by Δ = 1 and 2, 10 000 samples each, split in halves, k = √n.  The truth
depends on Δ alone, so d = 64 stands beside it.  The paper finds "a much larger overestimation" in
2048 dimensions than in 64.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from math import isqrt

from bench.papers import figures
from bench.papers.experiments import (
    METHODS,
    add_draws,
    draw_curves,
    draws_of,
    mean_and_error,
    verdict,
)
from bench.results import Figure, Findings, columns

DELTAS = (1.0, 2.0)
HEAD = ("Δ", "d", "method", "area", "true area", "area / true", "IoU with truth")


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 2)


def run(options: Namespace) -> Findings:
    from prfast import PRCurve
    from prfast.reference import GaussianShift

    size, draws = 200 if options.tiny else 10_000, draws_of(options)
    dims = (4, 256) if options.tiny else (64, 2048)
    k = isqrt(size)
    figure, axes = figures.panels(2, 2)
    rows = []
    for i, delta in enumerate(DELTAS):
        for j, dim in enumerate(dims):
            pair = GaussianShift(delta, dim)
            truth = pair.curve()
            result = draw_curves(pair, size, (k,), 0.5, draws)
            means = {method: PRCurve.mean(result[method, k]) for method in METHODS}
            figures.draw(axes[2 * i + j], means, truth, f"Δ = {delta:g}, d = {dim}")
            for method in METHODS:
                area, _ = mean_and_error([curve.area for curve in result[method, k]])
                iou, error = mean_and_error([curve.iou(truth) for curve in result[method, k]])
                row = {"delta": delta, "d": dim, "method": method, "area": area}
                row |= {"true_area": truth.area, "over": area / truth.area}
                rows.append(row | {"iou": iou, "iou_error": error})
    figures.legend(figure, axes[0])
    picture = figures.save(figure, options)
    low, high = ([row for row in rows if row["d"] == dim] for dim in dims)
    least = min(row["over"] for row in high)
    pairs = list(zip(low, high, strict=True))
    growth = min((b["over"] - 1) / abs(a["over"] - 1) for a, b in pairs)
    judged = [
        Figure(f"d = {dims[1]}: least area / true area", least, at_least=1.2),
        Figure(f"over-estimate at d = {dims[1]} / at {dims[0]}, least", growth, at_least=1.5),
        Figure(f"d = {dims[1]}: best IoU with truth", max(row["iou"] for row in high)),
    ]
    table = [
        (
            f"{row['delta']:g}",
            str(row["d"]),
            row["method"],
            f"{row['area']:.3f}",
            f"{row['true_area']:.3f}",
            f"{row['over']:.2f}",
            f"{row['iou']:.3f} ± {row['iou_error']:.3f}",
        )
        for row in rows
    ]
    most = max(row["over"] for row in high)
    last = verdict(
        f"at d = {dims[1]} the area is {least:.2f} to {most:.2f} times the true one, at d = "
        f"{dims[0]} {min(r['over'] for r in low):.2f} to {max(r['over'] for r in low):.2f} times",
        "a much larger over-estimate in high dimension",
        judged,
    )
    notes = [columns([HEAD, *table]), f"{size} + {size} samples, {draws} draws", picture, last]
    return Findings({}, judged, notes, rows)
