"""Variability of curves by the number of samples (2024 paper, Fig. 8).

P = N(0, I_64), Q shifted by Δ = 5/3 (μ = 0.21), split in halves, k = √n; mean and ± one standard
deviation of the curves of many draws at fixed λ (100 in the paper).  The paper finds that curves of
the robust classifiers, all but ipr, approach the truth as n grows, and that "10K points reduces
sufficiently the variability to make comparison between curves reliable".
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from itertools import pairwise
from math import isqrt
from typing import Any

from bench.papers.experiments import METHODS, add_draws, draw_curves, draws_of, mean_and_error
from bench.results import Figure, Findings

DIM, DELTA = 64, 5 / 3
ANGLES = 181


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 30)


def run(options: Namespace) -> Findings:
    from prfast.reference import GaussianShift

    sizes = (60, 200) if options.tiny else (100, 1000, 10_000)
    draws = draws_of(options)
    pair = GaussianShift(DELTA, DIM)
    truth = pair.curve()
    rows = [
        {"method": method, "n": size, "k": k} | numbers(curves, truth)
        for size in sizes
        for (method, k), curves in draw_curves(pair, size, (isqrt(size),), 0.5, draws).items()
    ]
    least, most = sizes[0], sizes[-1]
    by = {(row["method"], row["n"]): row for row in rows}
    rises = min(
        by[method, big]["iou"] - by[method, small]["iou"]
        for method in METHODS[1:]
        for small, big in pairwise(sizes)
    )
    end = max(by[method, most]["middle_sd"] for method in METHODS)
    falls = max(by[m, most]["middle_sd"] / by[m, least]["middle_sd"] for m in METHODS)
    judged = [
        Figure(f"sd of precision at λ = 1, n = {most}: largest", end, at_most=0.02),
        Figure(f"that sd over that of n = {least}: largest", falls, at_most=0.5),
        Figure("IoU of knn, parzen, coverage: least rise from n to the next", rises, at_least=0),
    ]
    exact = f"Precision of the truth at λ = 1: {truth.at(1.0)[0]:.3f}"
    return Findings({}, judged, [exact, f"{draws} draws"], rows)


def numbers(curves: Any, truth: Any) -> dict[str, float]:
    import numpy as np

    middle = np.array([curve.at(1.0)[0] for curve in curves])
    ious = [curve.iou(truth) for curve in curves]
    iou, error = mean_and_error(ious)
    grids = np.array([curve.grid(ANGLES)[1:] for curve in curves])
    return {
        "draws": len(curves),
        "middle": float(middle.mean()),
        "middle_sd": float(middle.std(ddof=1)),
        "largest_sd": float(grids.std(axis=0, ddof=1).max()),
        "iou": iou,
        "iou_error": error,
        "iou_sd": error * len(ious) ** 0.5,
    }
