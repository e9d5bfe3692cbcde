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

DIM, DELTA = 64, 5 / 3
ANGLES = 181  # only for drawing
HEAD = ("method", "n", "k", "precision at λ = 1", "its sd", "largest sd", "IoU with truth", "sd")


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 30)


def run(options: Namespace) -> Findings:
    from prfast.reference import GaussianShift

    sizes = (60, 200) if options.tiny else (100, 1000, 10_000)
    draws = draws_of(options)
    pair = GaussianShift(DELTA, DIM)
    truth = pair.curve()
    results = {}
    for size in sizes:
        k = isqrt(size)
        for (method, _), curves in draw_curves(pair, size, (k,), 0.5, draws).items():
            results[method, size] = curves
    rows = [
        {"method": method, "n": size, "k": isqrt(size)} | numbers(results[method, size], truth)
        for method in METHODS
        for size in sizes
    ]
    picture = draw(results, sizes, truth, options)
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
    table = [
        (
            row["method"],
            str(row["n"]),
            str(row["k"]),
            f"{row['middle']:.3f}",
            f"{row['middle_sd']:.4f}",
            f"{row['largest_sd']:.4f}",
            f"{row['iou']:.3f}",
            f"{row['iou_sd']:.3f}",
        )
        for row in rows
    ]
    exact = f"Precision of the truth at λ = 1: {truth.at(1.0)[0]:.3f}"
    last = verdict(
        f"with {most} samples precision at λ = 1 varies by {end:.3f} at most, {falls:.2f} of what "
        f"it does with {least}; IoU with the truth at {most}: "
        + ", ".join(f"{method} {by[method, most]['iou']:.2f}" for method in METHODS),
        "variability falls with n, knn, parzen and coverage approach the truth",
        judged,
    )
    notes = [columns([HEAD, *table]), exact, f"{draws} draws", picture, last]
    return Findings({}, judged, notes, rows)


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


def draw(results: Any, sizes: Any, truth: Any, options: Namespace) -> str:
    """Draw a panel a method: the mean at fixed λ of each n, and the band of ± one standard
    deviation."""
    import numpy as np

    from prfast import PRCurve

    figure, axes = figures.panels(2, 2)
    for ax, method in zip(axes, METHODS, strict=True):
        means = {f"n = {size}": PRCurve.mean(results[method, size]) for size in sizes}
        figures.draw(ax, means, truth, method)
        for i, size in enumerate(sizes):
            grids = np.array([curve.grid(ANGLES)[1:] for curve in results[method, size]])
            mean, sd = grids.mean(axis=0), grids.std(axis=0, ddof=1)
            outer, inner = mean + sd, mean - sd  # (precision, recall) by rising λ
            band = np.concatenate([outer, inner[:, ::-1]], axis=1).clip(0, 1)
            ax.fill(band[1], band[0], color=figures.SERIES[i][0], alpha=0.18, linewidth=0)
    figures.legend(figure, axes[0])
    return figures.save(figure, options)
