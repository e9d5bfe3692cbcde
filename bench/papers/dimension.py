"""Dimension 2048: every neighbor curve over-estimates (2024 paper, Fig. 4).

P = N(0, I_d), Q shifted by Δ = 1 and 2, 10 000 samples each, split in halves, k = √n.  The truth
depends on Δ alone, so d = 64 stands beside it.  The paper finds "a much larger overestimation" in
2048 dimensions than in 64.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from itertools import product
from math import isqrt

from bench.papers.experiments import add_draws, averages, draw_curves, draws_of
from bench.results import Figure, Findings

DELTAS = (1.0, 2.0)


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 2)


def run(options: Namespace) -> Findings:
    from prfast.reference import GaussianShift

    size, draws = 200 if options.tiny else 10_000, draws_of(options)
    dims = (4, 256) if options.tiny else (64, 2048)
    rows = []
    for delta, dim in product(DELTAS, dims):
        pair = GaussianShift(delta, dim)
        truth = pair.curve()
        for (method, _), curves in draw_curves(pair, size, (isqrt(size),), 0.5, draws).items():
            numbers = averages(
                [{"over": curve.area / truth.area, "iou": curve.iou(truth)} for curve in curves]
            )
            rows.append({"delta": delta, "d": dim, "method": method} | numbers)
    low, high = ([row for row in rows if row["d"] == dim] for dim in dims)
    least = min(row["over"] for row in high)
    pairs = list(zip(low, high, strict=True))
    growth = min((b["over"] - 1) / abs(a["over"] - 1) for a, b in pairs)
    judged = [
        Figure(f"d = {dims[1]}: least area / true area", least, at_least=1.2),
        Figure(f"over-estimate at d = {dims[1]} / at {dims[0]}, least", growth, at_least=1.5),
        Figure(f"d = {dims[1]}: best IoU with truth", max(row["iou"] for row in high)),
    ]
    return Findings({}, judged, [f"{size} + {size} samples, {draws} draws"], rows)
