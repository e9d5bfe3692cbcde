"""Two models of equal FD: few classes well against all of them poorly (2018 paper, Fig. 1, 6).

Two thirds of the classes, other images, stand for the GAN that is sharp and drops digits.  All
classes, each sample blended with another one, stand for the one whose digits are all there and
poor; the weight of the blend is the one at which both have the same Fréchet distance.
"""

from argparse import Namespace
from typing import Any

import numpy as np

from bench.papers import cifar_classes
from bench.papers.class_scores import blended, halves, labeled_sets, left_out
from bench.papers.judge import Judge, Judgement
from bench.report import Figure, Findings
from prfast import metrics, pr_curve

FEW, POOR = "few classes", "all, poor"
add_options = cifar_classes.add_options


def run(options: Namespace) -> Findings:
    rows, judged = [], []
    for images, (features, labels, per_class) in labeled_sets(options).items():
        results = compare(features, labels, per_class)
        for name, (distance, curve, judgement) in results.items():
            row = {"images": images, "model": name, "frechet_distance": distance}
            row |= {"f_8": curve.f_score(8), "f_1/8": curve.f_score(1 / 8), **judgement._asdict()}
            rows.append(row | {"inception_score": judgement.score})
        judged += figures_of(images, results)
    return Findings({}, judged, left_out(options), rows)


def compare(features: Any, labels: Any, per_class: int) -> dict[str, tuple[float, Any, Judgement]]:
    """{model: (FD, curve, what a classifier says)}"""
    from scipy.optimize import minimize_scalar

    ours, theirs = (np.concatenate(rows) for rows in halves(labels, per_class, _rng()))
    real, (samples, classes) = features[ours], (features[theirs], labels[theirs])
    judge = Judge(real, labels[ours])

    def distance(fake: Any) -> float:
        return float(metrics(real, fake, which="frechet_distance")["frechet_distance"])

    few = samples[classes < 2 * len(np.unique(labels)) // 3]
    aim = distance(few)

    def blend(weight: float) -> Any:
        return blended(samples, weight, _rng())

    # The distance grows with the weight; whether it reaches the aim is the first figure.
    weight = minimize_scalar(lambda w: abs(distance(blend(w)) - aim), bounds=(0, 0.5)).x
    models = {FEW: few, POOR: blend(weight)}
    return {
        name: (distance(fake), pr_curve(real, fake, "kmeans"), judge(fake))
        for name, fake in models.items()
    }


def _rng() -> Any:
    return np.random.default_rng(0)


def figures_of(images: str, results: dict[str, tuple[float, Any, Judgement]]) -> list[Figure]:
    few, poor = results[FEW], results[POOR]
    recalls = [i / 100 for i in range(1, 100)]
    ahead = [few[1].precision_at(recall) >= poor[1].precision_at(recall) for recall in recalls]
    crossing = recalls[ahead.index(False)] if False in ahead else 1.0
    gain = [few[1].precision_at(recall) - poor[1].precision_at(recall) for recall in (0.3, 0.9)]
    return [
        Figure(f"{images}: FD of the two, ratio − 1", abs(few[0] / poor[0] - 1), at_most=1e-3),
        Figure(f"{images}: few as precise as all up to a recall of", crossing, at_least=0.4),
        Figure(f"{images}: precision at recall 0.3, few − all", gain[0], at_least=0),
        Figure(f"{images}: precision at recall 0.9, few − all", gain[1], at_most=-0.02),
        Figure(
            f"{images}: confidence of the classifier, few − all",
            few[2].confidence - poor[2].confidence,
            at_least=0.02,
        ),
        Figure(
            f"{images}: least share of a class, few − all",
            min(few[2].shares) - min(poor[2].shares),
            at_most=0,
        ),
    ]
