"""FD and IS beside F_8 and F_1/8 as classes are dropped and invented (2018 paper, Fig. 5 left, 11).

P: classes 0 to 4.  Q_q: classes 0 to q − 1, other images, as many of each class; of scikit-learn's
digits, and of features of CIFAR-10 images.  The Fréchet distance is that of pixels and of these
features; the inception score asks a classifier trained on images of every class that no Q has.
"""

from argparse import ArgumentParser, Namespace
from itertools import pairwise
from typing import Any

import numpy as np

from bench.papers import cifar_classes
from bench.papers.cifar_classes import HALF, NOISE
from bench.papers.experiments import add_draws, averages, draws_of
from bench.papers.judge import Judge
from bench.report import Figure, Findings
from prfast import metrics, pr_curve
from prfast.cli import demo


def add_options(parser: ArgumentParser) -> None:
    cifar_classes.add_options(parser)
    add_draws(parser, 3)


def run(options: Namespace) -> Findings:
    rows = [
        row
        for images, (features, labels, per_class) in labeled_sets(options).items()
        for row in scores(images, features, labels, per_class, options)
    ]
    names = list(dict.fromkeys(row["images"] for row in rows))
    judged = [figure for name in names for figure in figures_of(name, rows)]
    return Findings({}, judged, [f"{draws_of(options)} draws", *left_out(options)], rows)


def labeled_sets(options: Namespace) -> dict[str, tuple[Any, Any, int]]:
    """{name: (features, labels, images of a class in each of P and Q)}; of no file digits alone."""
    sizes = (20, 20) if options.tiny else (87, 140)
    results = {"digits": (*demo.digits(), sizes[0])}
    if not left_out(options):
        results["CIFAR-10"] = (*cifar_classes.load(options), sizes[1])
    return results


def left_out(options: Namespace) -> list[str]:
    """Return a note where no --data was said and the file that it is by default is not there."""
    missing = options.data == cifar_classes.DATA and not options.data.is_file()
    return ["CIFAR-10: left out; say --data FILE.npz"] if missing else []


def halves(labels: Any, per_class: int, rng: Any) -> tuple[list[Any], list[Any]]:
    """Return rows of each class for P, and as many others for Q."""
    class_rows = [rng.permutation(np.flatnonzero(labels == c)) for c in np.unique(labels)]
    return (
        [rows[:per_class] for rows in class_rows],
        [rows[per_class : 2 * per_class] for rows in class_rows],
    )


def blended(samples: Any, weight: float, rng: Any) -> Any:
    """Return every sample laid over another one, of any class, with this weight."""
    return (1 - weight) * samples + weight * samples[rng.permutation(len(samples))]


def scores(
    images: str, features: Any, labels: Any, per_class: int, options: Namespace
) -> list[dict[str, Any]]:
    """Return a row a q: means over the draws, with their standard errors."""
    results: dict[int, list[dict[str, float]]] = {}
    for draw in range(draws_of(options)):
        ours, theirs = halves(labels, per_class, np.random.default_rng(draw))
        real_labels = np.concatenate(ours)
        judge = Judge(features[real_labels], labels[real_labels])
        real = features[np.concatenate(ours[:HALF])]
        for q in range(1, len(theirs) + 1):
            fake = features[np.concatenate(theirs[:q])]
            curve = pr_curve(
                real, fake, "kmeans", runs=2 if options.tiny else 10, random_state=draw
            )
            numbers = {
                **metrics(real, fake, which="frechet_distance"),
                "inception_score": judge(fake).score,
                "f_8": curve.f_score(8),
                "f_1/8": curve.f_score(1 / 8),
            }
            results.setdefault(q, []).append(numbers)
    return [{"images": images, "q": q} | averages(of) for q, of in results.items()]


def figures_of(images: str, rows: list[dict[str, Any]]) -> list[Figure]:
    selected = [row for row in rows if row["images"] == images]
    distance = {row["q"]: row["frechet_distance"] for row in selected}
    rise = [b["inception_score"] - a["inception_score"] for a, b in pairwise(selected)]
    falls = [b - a for (q, a), (_, b) in pairwise(distance.items()) if q < HALF]
    grows = [b - a for (q, a), (_, b) in pairwise(distance.items()) if q >= HALF]
    apart = distance[HALF - 1] / distance[HALF + 1]
    return [
        Figure(f"{images}: IS, least step", min(rise), at_least=0),
        Figure(f"{images}: FD up to q = 5, largest step", max(falls), at_most=0),
        Figure(f"{images}: FD from q = 5 on, least step", min(grows), at_least=0),
        Figure(f"{images}: FD of Q_4 and Q_6, larger / smaller", max(apart, 1 / apart), at_most=2),
        Figure(f"{images}: F_1/8 − F_8 of Q_4", _lean(rows, images, 4), at_least=NOISE),
        Figure(f"{images}: F_1/8 − F_8 of Q_6", _lean(rows, images, 6), at_most=-NOISE),
    ]


def _of(rows: list[dict[str, Any]], images: str, q: int) -> dict[str, Any]:
    (results,) = (row for row in rows if (row["images"], row["q"]) == (images, q))
    return results


def _lean(rows: list[dict[str, Any]], images: str, q: int) -> float:
    """Above 0: precision is the better; below it: recall."""
    row = _of(rows, images, q)
    return float(row["f_1/8"] - row["f_8"])
