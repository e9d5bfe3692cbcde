"""k by cross-validation inside the training half (2024 paper, §5.2), beside √n, 4 and the best k.

The paper sets k = √n and says that it "is also possible to resort to cross-validation"; it shows no
numbers.  `choose_k` takes the k whose curve on left-out samples of the training half has the
smallest area.  Here that k is compared on families whose truth is known, some made for this, most
those of the bench of "auto", by the IoU of the curve of the evaluation half with the truth.  The
best k is the one of the same list with the highest mean IoU of all draws: nobody knows it.  Of 1000
samples four times as many pairs are drawn, whose IoU moves more.

Three pairs that are nearly equal, or equal, are judged apart.  There the curves of all k are nearly
the same but for noise, and as each is a minimum over thresholds, noise lowers it: that decides.
"""

import warnings
from argparse import ArgumentParser, Namespace
from typing import Any

import numpy as np

from bench.papers.experiments import add_draws, draws_of, mean_and_error
from bench.report import Figure, Findings
from prfast import Contradiction, pr_curves
from prfast.reference.papers import choose_k

METHODS = ("knn", "coverage")
RULES = ("k = 4", "√n", "chosen", "best")


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 5)


def run(options: Namespace) -> Findings:
    from bench.auto.families.family import TRUTH_SAMPLES

    sizes = (60,) if options.tiny else (1000, 5000)
    draws = {size: draws_of(options) * (4 if size == 1000 else 1) for size in sizes}
    rows = []
    for name, make in (families(options.tiny) | near(options.tiny)).items():
        pair = make()
        truth = pair.truth(1 << 12 if options.tiny else TRUTH_SAMPLES)
        for size in sizes:
            results = [one_draw(pair, truth, size, draw) for draw in range(draws[size])]
            rows += [row_of(name, size, method, results) for method in METHODS]
    close = near(options.tiny)
    apart = [row for row in rows if row["family"] not in close]
    equal = [row for row in rows if row["family"] in close]
    judged = figures_of(apart, sizes) + figures_of(equal, sizes, "nearly equal, ")
    return Findings({}, judged, [f"n = {n}: {number} draws" for n, number in draws.items()], rows)


def near(tiny: bool) -> dict[str, Any]:
    """{name: function that makes the pair} of pairs that are nearly equal, and of P = Q."""
    from bench.auto.families.developing import shift

    pairs = {
        "P = Q, d = 4": lambda: shift(0, 4),
        "shift Δ = 0.1, d = 4": lambda: shift(0.1, 4),
        "shift Δ = 0.3, d = 2": lambda: shift(0.3, 2),
    }
    return {name: pairs[name] for name in (list(pairs)[:1] if tiny else pairs)}


def families(tiny: bool) -> dict[str, Any]:
    """{name: function that makes the pair}, from few dimensions to many."""
    from functools import partial

    from bench.auto.families import developing, later

    added = {
        f"shift Δ = {delta:g}, d = {dim}": partial(developing.shift, delta, dim)
        for delta, dim in ((1, 2), (3, 2), (1, 8), (1, 64), (3, 64))
    }
    pairs = {
        "ring, d = 2": developing.ring,
        "chequerboard": later.checkerboard,
        "spiral": later.spiral,
        "roll, d = 3": later.roll,
        "heavy tails, d = 10": developing.heavy_tails,
        "Laplace, d = 16": later.laplace,
        "scale 1.3, d = 64": partial(developing.scale, 1.3, 64),
        "re-weighted, d = 64": partial(developing.reweighted, 64, 8, 0.6),
        "modes, d = 64": developing.paper_modes,
    }
    every = added | pairs
    return {name: every[name] for name in (list(every)[:2] if tiny else every)}


def one_draw(pair: Any, truth: Any, size: int, seed: int) -> dict[Any, Any]:
    """{method: (chosen k, ⌊√n⌋, {k: IoU of the curve of the evaluation half})}."""
    from math import isqrt

    sets = [pair.show(z) for z in pair.sample(np.random.default_rng([seed, size]), size, size)]
    results = {}
    for method in METHODS:
        choice = choose_k(*sets, method, random_state=seed)
        root = isqrt(size // 2)
        ks = sorted({*choice.areas, root, 4})
        with warnings.catch_warnings():  # of small k: a curve that is too high, as it should be
            warnings.simplefilter("ignore", Contradiction)
            curves = pr_curves(*sets, (method,), ks, random_state=seed)
        ious = {k: curves[method, k].iou(truth) for k in ks}
        results[method] = choice.k, root, ious
    return results


def row_of(name: str, size: int, method: str, results: list[dict[Any, Any]]) -> dict[str, Any]:
    chosen = [result[method][0] for result in results]
    root = results[0][method][1]
    ious = {k: [outcome[method][2][k] for outcome in results] for k in results[0][method][2]}
    best = max(ious, key=lambda k: sum(ious[k]))
    chosen_ious = [outcome[method][2][k] for k, outcome in zip(chosen, results, strict=True)]
    row: dict[str, Any] = {"family": name, "n": size, "method": method, "draws": len(results)}
    row |= {"root_k": root, "chosen_k": chosen, "best_k": best}
    for rule, values in zip(RULES, (ious[4], ious[root], chosen_ious, ious[best]), strict=True):
        row[rule], row[f"{rule}_error"] = mean_and_error(values)
    gain = [a - b for a, b in zip(chosen_ious, ious[root], strict=True)]
    row["gain"], row["gain_error"] = mean_and_error(gain)
    return row


def figures_of(rows: list[dict[str, Any]], sizes: Any, whose: str = "") -> list[Figure]:
    results = []
    for size in sizes:
        selected = [row for row in rows if row["n"] == size]
        means = {rule: sum(row[rule] for row in selected) / len(selected) for rule in RULES}
        about = f"{whose}n = {size}"
        gain, loss = means["chosen"] - means["√n"], means["best"] - means["chosen"]
        least = min(row["gain"] for row in selected)
        results += [
            Figure(f"{about}: mean IoU, chosen − √n", gain, at_least=0),
            Figure(f"{about}: mean IoU, best − chosen", loss, at_most=0.02),
            Figure(f"{about}: least chosen − √n of a family", least, at_least=-0.02),
            *(Figure(f"{about}: mean IoU, {rule}", means[rule], better="higher") for rule in RULES),
        ]
    return results
