"""The figures of trained.py, from its rows: one a checkpoint and view of the samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Any

from bench.papers.experiments import rank_correlation
from bench.results import Figure

EPOCHS = (0, 1, 3, 10, 30, 100, 300)
JUDGED = "penultimate"
REAL = "training half"

Row = dict[str, Any]
Losses = Mapping[tuple[str, int], Sequence[float]]  # by model and seed


def of_generators(rows: Sequence[Row]) -> list[Row]:
    """Return rows of generators, in the features that are judged."""
    return [r for r in rows if r["features"] == JUDGED and r["model"] != REAL]


def of_real(rows: Sequence[Row]) -> Row:
    return next(r for r in rows if r["features"] == JUDGED and r["model"] == REAL)


def runs_of(rows: Sequence[Row], model: str) -> list[list[Row]]:
    """Checkpoints of each training of a model, in order."""
    own = [row for row in of_generators(rows) if row["model"] == model]
    return [
        [row for row in own if row["seed"] == seed] for seed in sorted({row["seed"] for row in own})
    ]


def bias(row: Row, method: str = "kmeans") -> float:
    """Above the diagonal of Fig. 7 (precision) or below it (recall)."""
    return float(row[f"{method}_f1_8"] - row[f"{method}_f8"])


def end(rows: Sequence[Row], model: str) -> float:
    return fmean(bias(run[-1]) for run in runs_of(rows, model))


def lean(row: Row) -> float:
    """Precision less recall, of neighbors."""
    return float(row["precision"] - row["recall"])


def alike(rows: Sequence[Row], within: float = 0.05) -> list[Row]:
    """Return the two trained checkpoints of nearly one Fréchet distance whose curves lean apart
    most.

    The one that leans to precision is first.  Where no two are that close, the closest.
    """

    def distance(pair: list[Row]) -> float:
        one, other = (row["frechet_distance"] for row in pair)
        return abs(float(one / other) - 1)

    pairs = [sorted(pair, key=bias, reverse=True) for pair in combinations(of_trained(rows), 2)]
    close = [pair for pair in pairs if distance(pair) <= within]
    if not close:
        return min(pairs, key=distance)
    return max(close, key=lambda pair: bias(pair[0]) - bias(pair[1]))


def figures_of(rows: Sequence[Row], losses: Losses) -> list[Figure]:
    models = list(dict.fromkeys(kind for kind, _ in losses))
    training = [figure for model in models for figure in figures_of_model(model, rows, losses)]
    untrained = [row for row in rows if row["epoch"] == 0 and row["model"] != REAL]
    bounds = []
    for method in ("kmeans", "auto"):
        area, worst = f"{method}_area", max(row[f"{method}_area"] for row in untrained)
        best = of_real(rows)[area]
        bounds += [
            Figure(f"{method}: area of real against real", best, at_least=0.95),
            Figure(f"{method}: area of untrained, largest", worst, at_most=0.02),
        ]
    every = of_trained(rows)
    over = {
        method: fmean(row["kmeans_area"] - row[f"{method}_area"] for row in every)
        for method in ("auto", "classifier")
    }
    ranks = []
    for when, of in (("every checkpoint", every), ("the last two", of_late(rows))):
        unsure = rank_correlation(of, "kmeans_f1_8", "entropy of p(y|x)")
        varied = rank_correlation(of, "kmeans_f8", "entropy of p(y)")
        ranks += [
            Figure(
                f"rank correlation of F_1/8 and entropy of p(y|x), {when}", unsure, at_most=-0.5
            ),
            Figure(f"rank correlation of F_8 and entropy of p(y), {when}", varied, at_least=0.5),
        ]
    return [
        *training,
        *bounds,
        *figures_of_pair(rows),
        *ranks,
        *(
            Figure(f"area of kmeans − {method}, mean over checkpoints", mean, at_least=0)
            for method, mean in over.items()
        ),
    ]


def figures_of_pair(rows: Sequence[Row]) -> list[Figure]:
    """Only what the pair is picked by is judged."""
    (one, other), pair = alike(rows), "one Fréchet distance"
    return [
        Figure(f"{pair}: F_1/8 − F_8 apart by", bias(one) - bias(other), at_least=0.2),
        Figure(f"{pair}: precision − recall apart by", lean(one) - lean(other)),
    ]


def figures_of_model(model: str, rows: Sequence[Row], losses: Losses) -> list[Figure]:
    """Over training: the loss falls, areas rise; at its end: which side of the diagonal."""
    fall = max(of[-1] / of[0] for (kind, _), of in losses.items() if kind == model)
    results = [Figure(f"{model}: loss at the end / before, largest", fall, at_most=0.9)]
    for method, least in (("kmeans", 0.3), ("auto", 0.05)):
        areas = [[row[f"{method}_area"] for row in run] for run in runs_of(rows, model)]
        rise = fmean(max(run) - run[0] for run in areas)
        results.append(
            Figure(f"{model}: {method} area, best − untrained, mean", rise, at_least=least)
        )
    side: dict[str, Any] = {"at_most": 0.0} if model == "vae" else {"at_least": 0.0}
    return [*results, Figure(f"{model}: F_1/8 − F_8 at the end, mean", end(rows, model), **side)]


def of_trained(rows: Sequence[Row]) -> list[Row]:
    return [row for row in of_generators(rows) if row["epoch"]]


def of_late(rows: Sequence[Row]) -> list[Row]:
    """Return the last two checkpoints of every training."""
    epochs = sorted({row["epoch"] for row in of_trained(rows)})[-2:]
    return [row for row in of_trained(rows) if row["epoch"] in epochs]
