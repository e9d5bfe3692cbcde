"""Generators over their training: F_8 against F_1/8, PRD, metrics (2018, Fig. 1, 6, 7, 10).

The papers judge GANs and VAEs that others trained.  Here three small ones (generators.py) are
trained on one half of scikit-learn's digits, and checkpoints of several epochs are judged against
the other half by one `Evaluator`; the training half itself is the ceiling.  Features: the
penultimate layer of a classifier of the training half, as in the paper.

Of the papers: F_8 against F_1/8 of VAEs and GANs (2018, Fig. 7); of all checkpoints, the two of
nearly one Fréchet distance whose F_1/8 − F_8 are farthest apart (Fig. 1, 6); the rank correlation
of precision with the entropy of p(y|x) and of recall with that of p(y) (Fig. 10); areas by clusters
and by a classifier (2019, Fig. 5, 6).  Each of --draws is a training from another seed.  Needs
torch.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import combinations
from statistics import fmean
from typing import Any

import numpy as np

from bench.papers.experiments import add_draws, draws_of, rank_correlation
from bench.papers.judge import judgement_of
from bench.report import Figure, Findings
from prfast import Evaluator
from prfast.cli import demo

EPOCHS, FEW_EPOCHS = (0, 1, 3, 10, 30, 100, 300), (0, 2)
METHODS = ("kmeans", "auto", "classifier")
METRICS = ("precision", "recall", "density", "coverage", "frechet_distance")
REAL = "training half"
ALIKE = 0.05  # relative difference of two Fréchet distances

Row = dict[str, Any]


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 3)


def run(options: Namespace) -> Findings:
    if find_spec("torch") is None:
        install = "python -m pip install 'prfast[features]'"
        raise SystemExit(f"{options.case}: torch is needed: {install}")

    from bench.papers import generators
    from bench.papers.digit_classifier import train_classifier

    pixels, digits = demo.digits()
    order = np.random.default_rng(0).permutation(len(pixels))[: 160 if options.tiny else None]
    images, labels = pixels[order] / generators.LEVELS, digits[order]
    half = len(order) // 2
    reference = images[half:]
    classifier = train_classifier(images[:half], labels[:half], seed=0)
    evaluator = Evaluator(classifier.features(reference), METHODS, which=METRICS)

    def judged(model: str, seed: int, epoch: int, loss: float | None, images: Any) -> Row:
        labels = {"model": model, "seed": seed, "epoch": epoch, "loss": loss}
        scalars = evaluator.evaluate(classifier.features(images)).scalars()
        judgement = judgement_of(classifier.probabilities(images))
        entropies = {name: getattr(judgement, name) for name in ("conditional", "marginal")}
        return labels | entropies | scalars

    rows = [judged(REAL, 0, 0, None, images[:half])]
    epochs = FEW_EPOCHS if options.tiny else EPOCHS
    for seed in range(draws_of(options)):
        for kind in generators.KINDS:
            training = generators.train(kind, images[:half], epochs, seed)
            for epoch, state in training.states.items():
                made = generators.sample(state, len(reference), seed)
                rows.append(judged(kind, seed, epoch, training.losses[epoch], made))
    right = (classifier.probabilities(reference).argmax(axis=1) == labels[half:]).mean()
    notes = [f"The classifier is right on {right:.3f} of {len(reference)} digits"]
    return Findings({}, figures_of(rows, generators.KINDS), notes, rows)


def lean(row: Row) -> float:
    """F_1/8 − F_8: above the diagonal of Fig. 7 (precision), or below it (recall)."""
    return float(row["kmeans_f1_8"] - row["kmeans_f8"])


def figures_of(rows: Sequence[Row], kinds: Sequence[str]) -> list[Figure]:
    made = [row for row in rows if row["model"] != REAL]
    trained = [row for row in made if row["epoch"]]
    figures = []
    for kind in kinds:
        first, *_, last = sorted({row["epoch"] for row in made})
        begin, end = (
            [row for row in made if (row["model"], row["epoch"]) == (kind, epoch)]
            for epoch in (first, last)
        )
        fall = max(b["loss"] / a["loss"] for a, b in zip(begin, end, strict=True))
        side: dict[str, Any] = {"at_most": 0.0} if kind == "vae" else {"at_least": 0.0}
        figures += [
            Figure(f"{kind}: loss at the end / before, largest", fall, at_most=0.9),
            Figure(f"{kind}: F_1/8 − F_8 at the end, mean", fmean(map(lean, end)), **side),
        ]
    unsure = rank_correlation(trained, "kmeans_f1_8", "conditional")
    varied = rank_correlation(trained, "kmeans_f8", "marginal")
    over = fmean(row["kmeans_area"] - row["classifier_area"] for row in trained)
    return [
        *figures,
        Figure("auto: area of real against real", rows[0]["auto_area"], at_least=0.95),
        Figure("one Fréchet distance: F_1/8 − F_8 apart by", apart(trained), at_least=0.2),
        Figure("rank correlation of F_1/8 and entropy of p(y|x)", unsure, at_most=-0.5),
        Figure("rank correlation of F_8 and entropy of p(y)", varied, at_least=0.5),
        Figure("area of kmeans − classifier, mean over checkpoints", over, at_least=0),
    ]


def apart(rows: Sequence[Row]) -> float:
    """Return how far F_1/8 − F_8 of two checkpoints of nearly one Fréchet distance are apart at
    most; of the two closest where no two are that close."""

    def distance(pair: tuple[Row, Row]) -> float:
        first, second = (row["frechet_distance"] for row in pair)
        return abs(max(first, second) / min(first, second) - 1)

    pairs = list(combinations(rows, 2))
    close = [pair for pair in pairs if distance(pair) <= ALIKE] or [min(pairs, key=distance)]
    return max(abs(lean(a) - lean(b)) for a, b in close)
