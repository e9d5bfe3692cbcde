"""Two models collapsed to one class, which IS and a classifier cannot tell apart (2018, Fig. 8).

Real samples are of every class.  One model makes a single class, and of it only the samples nearest
to each other; the second makes as many of that class, of every shape.  The classifier says the same
of both; the recall of the second is the higher, a little.
"""

from argparse import ArgumentParser, Namespace
from math import hypot
from typing import Any

import numpy as np

from bench.papers import cifar_classes
from bench.papers.class_scores import halves, labeled_sets, left_out
from bench.papers.experiments import add_draws, averages, draws_of
from bench.papers.judge import Judge
from bench.report import Figure, Findings
from prfast import pr_curve

CLASS = 1  # the digit 1, as in the paper; automobiles
SHARE = 1 / 3  # of the class: what the narrow model makes
NARROW, VARIED = "one shape", "every shape"


def add_options(parser: ArgumentParser) -> None:
    cifar_classes.add_options(parser)
    add_draws(parser, 3)


def run(options: Namespace) -> Findings:
    rows, judged = [], []
    for images, (features, labels, per_class) in labeled_sets(options).items():
        results = compare(features, labels, per_class, draws_of(options))
        averaged = [
            {"images": images, "model": name} | averages(of) for name, of in results.items()
        ]
        rows += averaged
        judged += figures_of(images, *averaged)
    return Findings({}, judged, [f"{draws_of(options)} draws", *left_out(options)], rows)


def compare(
    features: Any, labels: Any, per_class: int, draws: int
) -> dict[str, list[dict[str, float]]]:
    """{model: numbers of each draw}"""
    results: dict[str, list[dict[str, float]]] = {NARROW: [], VARIED: []}
    for number in range(draws):
        rng = np.random.default_rng(number)
        ours, theirs = halves(labels, per_class, rng)
        real_labels = np.concatenate(ours)
        judge = Judge(features[real_labels], labels[real_labels])
        class_features = features[theirs[CLASS]]
        size = round(SHARE * len(class_features))
        models = {
            NARROW: nearest_to_each_other(class_features, size),
            VARIED: class_features[:size],
        }
        for name, fake in models.items():
            curve = pr_curve(features[real_labels], fake, "kmeans", random_state=number)
            judgement = judge(fake)
            results[name].append(
                {
                    "share_of_class": judgement.shares[CLASS],
                    "inception_score": judgement.score,
                    "max_recall": curve.max_recall,
                    "f_8": curve.f_score(8),
                    "f_1/8": curve.f_score(1 / 8),
                }
            )
    return results


def nearest_to_each_other(samples: Any, size: int) -> Any:
    """Return the sample whose neighbors are the nearest, and these."""
    from scipy.spatial.distance import cdist

    distances = cdist(samples, samples)
    closest = np.sort(distances, axis=1)[:, size - 1].argmin()
    return samples[np.argsort(distances[closest])[:size]]


def figures_of(images: str, narrow: dict[str, Any], varied: dict[str, Any]) -> list[Figure]:
    gain = varied["f_8"] - narrow["f_8"]
    error = hypot(varied["f_8_error"], narrow["f_8_error"])
    shares = [row["share_of_class"] for row in (narrow, varied)]
    scores = [row["inception_score"] for row in (narrow, varied)]
    return [
        Figure(f"{images}: least share of samples seen as the class", min(shares), at_least=0.9),
        Figure(
            f"{images}: IS of the two, larger / smaller", max(scores) / min(scores), at_most=1.25
        ),
        Figure(f"{images}: F_8, every shape − one, beyond 2 SE", gain - 2 * error, at_least=0),
        Figure(f"{images}: F_8, every shape − one", gain),
    ]
