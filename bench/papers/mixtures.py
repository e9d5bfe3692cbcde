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

from bench.papers.experiments import (
    METHODS,
    SPLITS,
    add_draws,
    averages,
    draw_curves,
    draws_of,
)
from bench.results import Figure, Findings

MODES = (0, -5, 3, 5)
P, Q = (0.3, 0.2, 0.5, 0.0), (0.0, 0.5, 0.2, 0.3)
DIM = 64


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 20)


def run(options: Namespace) -> Findings:
    import numpy as np

    from prfast.reference import GaussianMixtures

    size, draws = 200 if options.tiny else 1000, draws_of(options)
    ks = (4, isqrt(size))
    pair = GaussianMixtures(np.outer(MODES, np.ones(DIM)), P, Q)
    truth = pair.curve()
    rows = []
    for split, share in SPLITS.items():
        for (method, k), curves in draw_curves(pair, size, ks, share, draws).items():
            numbers = [
                {
                    "f_1/8": curve.f_score(1 / 8),
                    "f_8": curve.f_score(8),
                    "middle": curve.at(1.0)[0],
                    "area": curve.area,
                    "iou": curve.iou(truth),
                }
                for curve in curves
            ]
            rows.append({"split": split, "k": k, "method": method} | averages(numbers))
    usual = {row["method"]: row for row in rows if (row["split"], row["k"]) == ("half", ks[1])}
    off = {method: row["middle"] - truth.at(1.0)[0] for method, row in usual.items()}
    least_iou = min(usual[method]["iou"] for method in METHODS[1:])
    bend = max(abs(off[method]) for method in METHODS[1:])
    over = usual["ipr"]["area"] / truth.area
    worse = (1 - usual["ipr"]["iou"]) / (1 - least_iou)
    judged = [
        Figure("split, k = √n: area of ipr / truth", over, at_least=1.1),
        Figure("split, k = √n: precision of ipr at λ = 1, too high by", off["ipr"], at_least=0.1),
        Figure("split, k = √n: the others, off by at most", bend, at_most=0.02),
        Figure("split, k = √n: 1 − IoU of ipr / of the worst other", worse, at_least=2),
        Figure("split, k = √n: least IoU of the others", least_iou),
    ]
    return Findings({}, judged, [f"{size} + {size} samples, {draws} draws"], rows)
