"""F_8 against F_1/8 over a family of models (2018 paper, Fig. 7): digits against distorted digits.

F_8 weighs recall, F_1/8 precision.  The paper sets the two against each other for many GANs and
VAEs: those with the higher precision lie above the diagonal, those with the higher recall below it.
Here one half of scikit-learn's digits is real and the other half is a model of known faults:

    fewer digits   only the first c of ten: precision 1, recall c/10
    near the mean  only the share of each digit nearest to its mean, as truncation does
    shuffled       a share s has its pixels shuffled: precision 1 − s, recall 1
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from bench.papers.experiments import add_draws, averages, draws_of
from bench.papers.faults import fewer, near_mean, shuffled
from bench.results import Figure, Findings

BETAS = {"f_1/8": 1 / 8, "f_8": 8}


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 5)


def run(options: Namespace) -> Findings:
    import numpy as np

    from prfast import pr_curve
    from prfast.cli import demo

    pixels, labels = demo.digits()
    results: dict[tuple[str, float], list[dict[str, float]]] = {}
    for draw in range(draws_of(options)):
        rng = np.random.default_rng(draw)
        order = rng.permutation(len(pixels))[: 300 if options.tiny else None]
        half = len(order) // 2
        real, (images, digits) = pixels[order[:half]], (pixels[order[half:]], labels[order[half:]])
        for name, (make, strengths) in MODELS.items():
            for strength in strengths[1:2] if options.tiny else strengths:
                fake = make(strength)(images, digits, rng)
                curve = pr_curve(real, fake, "kmeans", random_state=draw)
                numbers = {key: curve.f_score(beta) for key, beta in BETAS.items()}
                results.setdefault((name, strength), []).append(numbers)
    rows = [
        {"model": name, "strength": strength} | averages(of)
        for (name, strength), of in results.items()
    ]
    return Findings({}, figures_of(rows), [f"{draws_of(options)} draws"], rows)


# {model: (fault of a strength, strengths from weak to strong)}
MODELS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "fewer digits": (fewer, (8, 5, 2)),
    "near the mean": (near_mean, (0.5, 0.25, 0.1)),
    "shuffled": (shuffled, (0.2, 0.5, 0.8)),
}


def figures_of(rows: list[dict[str, Any]]) -> list[Figure]:
    """Return the sides of the diagonal."""
    side = {
        model: [row["f_1/8"] - row["f_8"] for row in rows if row["model"] == model]
        for model in MODELS
    }
    return [
        Figure("fewer digits, least F_1/8 − F_8", min(side["fewer digits"]), at_least=0),
        Figure("near the mean, least F_1/8 − F_8", min(side["near the mean"]), at_least=0),
        Figure("shuffled, largest F_1/8 − F_8", max(side["shuffled"]), at_most=0),
    ]
