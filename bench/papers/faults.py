"""Models of known faults, for images and for features.

Each is a function of samples (n, d), their classes (n,) and a generator.  The samples are real,
but not those that it is judged against; it spoils them:

    fewer classes  only the first c
    near the mean  only the share of each class nearest to its mean, as truncation does
    blended        every sample laid over another one, of any class, with this weight
    shuffled       a share has its columns shuffled
    noise          with Gaussian noise, in standard deviations of each column
    blur           images alone: smoothed
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from bench.papers.f_scores import blurred, fewer, near_mean, shuffled

Model: TypeAlias = Callable[[Any, Any, Any], Any]

# {name: (model of a strength, strengths from harmless to severe)}
FAULTS: dict[str, tuple[Callable[[float], Model], tuple[float, float]]] = {
    "near the mean": (near_mean, (1.0, 0.1)),
    "blended": (lambda weight: blended(weight), (0.0, 0.5)),
    "shuffled": (shuffled, (0.0, 0.8)),
    "noise": (lambda sd: noisy(sd), (0.0, 1.5)),
    "blur": (blurred, (0.0, 1.0)),
}


def blended(weight: float) -> Model:
    def model(samples: Any, classes: Any, rng: Any) -> Any:
        return (1 - weight) * samples + weight * samples[rng.permutation(len(samples))]

    return model


def noisy(sd: float) -> Model:
    def model(samples: Any, classes: Any, rng: Any) -> Any:
        return samples + sd * samples.std(axis=0) * rng.standard_normal(samples.shape)

    return model


def with_fewer(number: int, then: Model) -> Model:
    """Return the first classes alone, and a fault of what is left."""

    def model(samples: Any, classes: Any, rng: Any) -> Any:
        left = fewer(number)(samples, classes, rng)
        return then(left, classes[classes < number], rng)

    return model
