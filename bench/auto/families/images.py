"""Features of images: no density is known, but what becomes of the area is.

images-held-out     other images: area 1
images-noise        N(0, 1): area 0
images-factorized   independent normal columns of the right means and deviations: area 0
images-shuffled     columns shuffled one by one: area 0
images-plus-SD      other images with noise of that deviation: the area falls with it
images-classes-Q    P: classes 0–4, Q: classes 0 to q − 1, other images: a rectangle
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bench.auto.cases import Case, Draw
from prfast import PRCurve
from prfast.cli.demo import REAL_CLASSES, rectangle

STREAM = "images"  # the same images and the same noise, times each deviation
DEVIATIONS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0)
QS = (3, 5, 7, 9)

Change = Callable[[np.random.Generator, Any], Any]


def plus(sd: float) -> str:
    return f"images-plus-{sd:g}"


def noise(rng: np.random.Generator, fake: Any) -> Any:
    return rng.standard_normal(fake.shape)


def factorized(rng: np.random.Generator, fake: Any) -> Any:
    return fake.mean(axis=0) + fake.std(axis=0) * rng.standard_normal(fake.shape)


def shuffled(rng: np.random.Generator, fake: Any) -> Any:
    return rng.permuted(fake, axis=0)


def added(sd: float, rng: np.random.Generator, fake: Any) -> Any:
    return fake + sd * rng.standard_normal(fake.shape)


def cases(data: Path, *, tiny: bool) -> list[Case]:
    """Return the cases of a file with `features` (n, d) and integer `labels` (n,)."""
    with np.load(data) as archive:
        features, labels = archive["features"].astype(np.float64), archive["labels"]
    half = 100 if tiny else len(features) // 2
    per_class = 15 if tiny else 140

    def changed(change: Change, truth: PRCurve | None, rng: np.random.Generator) -> Draw:
        rows = rng.permutation(len(features))[: 2 * half]
        return Draw(features[rows[:half]], change(rng, features[rows[half:]]), truth, None)

    def classes(q: int, rng: np.random.Generator) -> Draw:
        rows = [rng.permutation(np.flatnonzero(labels == c)) for c in range(max(q, REAL_CLASSES))]
        real = np.concatenate([of[:per_class] for of in rows[:REAL_CLASSES]])
        fake = np.concatenate([of[per_class : 2 * per_class] for of in rows[:q]])
        return Draw(features[real], features[fake], rectangle(q), None)

    whole = PRCurve.from_masses([1], [1])
    changes: dict[str, tuple[Change, PRCurve | None]] = {
        "images-held-out": (lambda rng, fake: fake, whole),
        "images-noise": (noise, None),
        "images-factorized": (factorized, None),
        "images-shuffled": (shuffled, None),
        **{plus(sd): (partial(added, sd), None) for sd in DEVIATIONS},
    }
    results = [
        Case(name, half, half, partial(changed, change, truth), STREAM)
        for name, (change, truth) in changes.items()
    ]
    n = REAL_CLASSES * per_class
    return results + [
        Case(f"images-classes-{q}", n, q * per_class, partial(classes, q), STREAM) for q in QS
    ]
