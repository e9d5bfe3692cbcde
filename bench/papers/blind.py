"""What each method cannot see: curves of image features against imitations of them.

The file has `features` (n, d); one half is real.  Against it stand the other half, noise, columns
of the other half's mean and spread, its columns shuffled one by one, a normal distribution of its
mean and covariance, the half with half a standard deviation of noise, and 200 rows of it, copied.
"""

from __future__ import annotations

import warnings
from argparse import ArgumentParser, Namespace
from typing import Any

from bench.papers import cifar_classes
from bench.papers.experiments import METHODS
from bench.results import Figure, Findings, columns

ALL = ("auto", *METHODS, "kmeans", "classifier")


def add_options(parser: ArgumentParser) -> None:
    cifar_classes.add_options(parser)


def run(options: Namespace) -> Findings:
    import numpy as np

    import prfast

    features = cifar_classes.load(options)[0]
    rng = np.random.default_rng(0)
    features = features[rng.permutation(len(features))]
    half = len(features) // 2
    real, other = features[:half], features[half:]
    rows, notes = [], []
    for name, fake in imitations(other, rng).items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", prfast.Contradiction)  # they are the subject
            curves = {method: prfast.pr_curve(real, fake, method) for method in ALL}
        metrics = prfast.metrics(real, fake, which=("precision", "recall", "density", "coverage"))
        areas = {method: curve.area for method, curve in curves.items()}
        rows.append({"against": name, "areas": areas, "metrics": dict(metrics)})
        notes += [f"{name}: {sentence}" for sentence in prfast.contradictions(curves, metrics)]
    lines = [
        (row["against"], *(f"{x:.3f}" for x in (*row["areas"].values(), *row["metrics"].values())))
        for row in rows
    ]
    heads = ("area against", *ALL, *rows[0]["metrics"])
    by = {row["against"]: row["areas"] for row in rows}
    judged = [
        Figure("other images: least area", min(by["other images"].values()), at_least=0.95),
        Figure("noise: area of knn", by["noise"]["knn"], at_least=0.95),
        Figure("noise: least area", min(by["noise"].values()), at_most=0.05),
        Figure("other images: area of auto", by["other images"]["auto"], at_least=0.99),
        Figure("imitations: largest area of auto", _largest(by), at_most=0.01),
        Figure("normal: area of the classifier", by["normal"]["classifier"], at_least=0.95),
    ]
    return Findings({}, judged, [columns([heads, *lines]), *notes], rows)


def _largest(by: dict[str, dict[str, float]]) -> float:
    """Of auto, against all but other images and copies of them."""
    return max(of["auto"] for name, of in by.items() if name not in ("other images", "200 copied"))


def imitations(other: Any, rng: Any) -> dict[str, Any]:
    """What stands against the real half, by name."""
    import numpy as np

    n, dim = other.shape
    noise = rng.normal(size=(n, dim)).astype(np.float32)
    mean, spread = other.mean(axis=0), other.std(axis=0)
    normal = rng.multivariate_normal(mean, np.cov(other.T), n)
    return {
        "other images": other,
        "noise": noise,
        "independent columns": mean + spread * noise,
        "shuffled columns": np.stack([rng.permutation(column) for column in other.T], axis=1),
        "normal": normal.astype(np.float32),
        "with noise": other + 0.5 * spread * noise,
        "200 copied": other[rng.integers(0, min(200, n // 2), n)],
    }
