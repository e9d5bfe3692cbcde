"""One outlier among the real samples (2024 paper, Fig. 7).

P = N(0, I_64), Q shifted by Δ = 3, 10 000 samples each, no split; then x = 4·1 joins P's sample.
The paper finds that ipr is affected at k = 4, most near the extreme values, that k = √n mitigates
it, and that knn, Parzen and coverage are not affected: their curves are to be the same.

Extremes are another matter.  The exact largest precision is the share of generated samples accepted
by the strictest threshold that accepts every real one, so it hangs on a single sample by
definition, whatever the method; F_1/8 beside it does not.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from math import isqrt
from typing import Any

from bench.papers.experiments import METHODS, add_draws, averages, draws_of
from bench.results import Figure, Findings

DIM, DELTA, OUTLIER = 64, 3.0, 4.0


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 3)


def run(options: Namespace) -> Findings:
    import numpy as np

    import prfast
    from prfast.reference import GaussianShift

    size, draws = 200 if options.tiny else 10_000, draws_of(options)
    ks = (4, isqrt(size))
    pair = GaussianShift(DELTA, DIM)
    results: dict[Any, list[dict[str, float]]] = {(k, m): [] for k in ks for m in METHODS}
    for draw in range(draws):
        real, fake = pair.sample(size, random_state=draw)
        more = np.vstack([real, np.full(DIM, OUTLIER)])
        before, after = (prfast.pr_curves(x, fake, METHODS, ks, split=None) for x in (real, more))
        for k, method in results:
            old, new = before[method, k], after[method, k]
            results[k, method].append(
                {
                    "iou": old.iou(new),
                    "max_precision": old.max_precision,
                    "moved": new.max_precision - old.max_precision,
                    "f_1/8": old.f_score(1 / 8),
                    "f_1/8_moved": new.f_score(1 / 8) - old.f_score(1 / 8),
                }
            )
    rows = [{"k": k, "method": m} | averages(of) for (k, m), of in results.items()]
    first, larger = (row for row in rows if row["method"] == "ipr")
    unmoved = [row for row in rows if row["method"] != "ipr"]
    still = min(row["iou"] for row in unmoved)
    f_moved = max(abs(row["f_1/8_moved"]) for row in unmoved)
    jump = max(abs(row["moved"]) for row in unmoved)
    judged = [
        Figure("ipr, k = 4: max precision moves by", first["moved"], at_least=0.05),
        Figure("ipr, k = 4: IoU with the curve before", first["iou"], at_most=0.95),
        Figure(f"ipr, k = {ks[1]}: IoU with the curve before", larger["iou"], at_least=0.9),
        Figure("knn, parzen, coverage: least IoU with the curve before", still, at_least=0.99),
        Figure("knn, parzen, coverage: F_1/8 moves by at most", f_moved, at_most=0.02),
        Figure("knn, parzen, coverage: max precision moves by at most", jump),
    ]
    return Findings({}, judged, [f"{size} + {size} samples, {draws} draws"], rows)
