"""Table 1 of the 2024 paper: IoU of neighbor curves with the exact one, shifted Gaussians.

P = N(0, I_64), Q = N(μ1, I_64), Δ = 8μ, 10 000 samples each, mean of several draws.  Side by side:

    printed     the paper's table (mean of 100 draws)
    grid        its protocol on a grid of 17 angles, a fitted number: see paper_grid.py
    exact       PRCurve.iou with reference.GaussianShift, no grid; ± its standard error

The exact column says what the printed one carries from their grid.
"""

from argparse import ArgumentParser, Namespace
from statistics import fmean
from typing import Any

from bench.papers import paper_grid
from bench.papers.experiments import METHODS, SPLITS, add_draws, averages, draws_of
from bench.report import Figure, Findings
from prfast import PRCurve
from prfast.methods.neighbors import NeighborScorer
from prfast.neighbors import NeighborSearch
from prfast.reference import GaussianShift
from prfast.samples.pair import Pair

DELTAS = {0.12: 1.0, 0.21: 5 / 3, 0.29: 7 / 3, 0.38: 3.0}
PRINTED = {
    ("half", 4, 0.12): (0.69, 0.71, 0.72, 0.73),
    ("half", 4, 0.21): (0.42, 0.49, 0.49, 0.55),
    ("half", 4, 0.29): (0.24, 0.38, 0.34, 0.48),
    ("half", 4, 0.38): (0.13, 0.33, 0.24, 0.48),
    ("half", 100, 0.12): (0.81, 0.87, 0.84, 0.92),
    ("half", 100, 0.21): (0.69, 0.84, 0.78, 0.90),
    ("half", 100, 0.29): (0.65, 0.84, 0.75, 0.90),
    ("half", 100, 0.38): (0.63, 0.84, 0.75, 0.93),
    ("none", 4, 0.12): (0.43, 0.70, 0.62, 0.76),
    ("none", 4, 0.21): (0.55, 0.81, 0.68, 0.84),
    ("none", 4, 0.29): (0.62, 0.79, 0.68, 0.77),
    ("none", 4, 0.38): (0.55, 0.61, 0.62, 0.63),
    ("none", 100, 0.12): (0.91, 0.93, 0.94, 0.96),
    ("none", 100, 0.21): (0.88, 0.93, 0.92, 0.97),
    ("none", 100, 0.29): (0.84, 0.92, 0.90, 0.95),
    ("none", 100, 0.38): (0.83, 0.91, 0.90, 0.96),
}


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 20)


def run(options: Namespace) -> Findings:
    size, draws = 200 if options.tiny else 10_000, draws_of(options)
    ks = (4, 10) if options.tiny else (4, 100)  # √n is 100 in both protocols
    rows = []
    for split in SPLITS:
        for mu, delta in DELTAS.items():
            results = [ious(delta, size, split, ks, draw) for draw in range(draws)]
            for k, printed_k in zip(ks, (4, 100), strict=True):
                for method, printed in zip(METHODS, PRINTED[split, printed_k, mu], strict=True):
                    numbers = averages([result[method, k] for result in results])
                    row = {"split": split, "k": k, "mu": mu, "delta": delta, "method": method}
                    rows.append(row | {"printed": printed} | numbers)
    return Findings({}, figures_of(rows), [f"{size} + {size} samples, {draws} draws"], rows)


def ious(delta: float, size: int, split: str, ks: tuple[int, ...], draw: int) -> Any:
    """{(method, k): IoU on the grid, and exactly} of one draw."""
    truth, share = GaussianShift(delta, 64), SPLITS[split]
    real, fake = truth.sample(size, random_state=draw)
    train_real, test_real, train_fake, test_fake = real, real, fake, fake
    if share is not None:
        part = Pair.read(real, fake).split_rows(share, draw)
        train_real, test_real = real[part.real_train], real[part.real_test]
        train_fake, test_fake = fake[part.fake_train], fake[part.fake_test]
    keys = [(method, k) for k in ks for method in METHODS]
    search = NeighborSearch()
    scorer = NeighborScorer(keys, search).fit(train_real, train_fake)
    real_scores, fake_scores = scorer.score(test_real), scorer.score(test_fake)
    curve, line = truth.curve(), paper_grid.truth_line(truth)
    return {
        key: {
            "grid": paper_grid.iou(paper_grid.grid_line(real_scores[key], fake_scores[key]), line),
            "exact": PRCurve.from_scores(real_scores[key], fake_scores[key]).iou(curve),
        }
        for key in keys
    }


def figures_of(rows: list[dict[str, Any]]) -> list[Figure]:
    near = [row for row in rows if row["split"] == "half" and row["mu"] < 0.25]
    far = [row for row in rows if row["split"] == "half" and row["mu"] > 0.25]
    none = [row for row in rows if row["split"] == "none"]
    return [
        Figure("split, μ = .12, .21: largest |grid − printed|", off(near, max), at_most=0.03),
        Figure("split, μ = .29, .38: largest |grid − printed|", off(far, max), at_most=0.06),
        Figure("no split: mean |grid − printed|", off(none, fmean), at_most=0.03),
        Figure("no split: largest |grid − printed|", off(none, max), at_most=0.06),
        Figure("no split: estimates of 32 within .06", within(none, 0.06), better="higher"),
        Figure("split: largest |exact − printed|", off(near + far, max, "exact")),
    ]


def off(rows: list[dict[str, Any]], summary: Any, column: str = "grid") -> float:
    return float(summary(abs(row[column] - row["printed"]) for row in rows))


def within(rows: list[dict[str, Any]], reach: float) -> int:
    return sum(abs(row["grid"] - row["printed"]) <= reach for row in rows)
