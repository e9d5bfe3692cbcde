"""Features of images of classes 0–4 against those of other images of classes 0 to q − 1.

No density is known, but the curve is nearly a rectangle.
"""

from functools import partial
from pathlib import Path

import numpy as np

from bench.auto.cases import Case, Draw
from bench.papers.cifar_classes import read
from prfast.cli.demo import REAL_CLASSES, rectangle

STREAM = "images"  # the same images for each q
QS = (3, 5, 7, 9)


def cases(data: Path, *, tiny: bool) -> list[Case]:
    """Return the cases of a file with `features` (n, d) and integer `labels` (n,)."""
    features, labels = read(data)
    per_class = 15 if tiny else 140

    def classes(q: int, rng: np.random.Generator) -> Draw:
        rows = [rng.permutation(np.flatnonzero(labels == c)) for c in range(max(q, REAL_CLASSES))]
        real = np.concatenate([of[:per_class] for of in rows[:REAL_CLASSES]])
        fake = np.concatenate([of[per_class : 2 * per_class] for of in rows[:q]])
        return Draw(features[real], features[fake], rectangle(q), None)

    n = REAL_CLASSES * per_class
    return [Case(f"images-classes-{q}", n, q * per_class, partial(classes, q), STREAM) for q in QS]
