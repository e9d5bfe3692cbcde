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

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

Model: TypeAlias = Callable[[Any, Any, Any], Any]


def fewer(number: int) -> Model:
    return lambda samples, classes, rng: samples[classes < number]


def near_mean(share: float) -> Model:
    def model(samples: Any, classes: Any, rng: Any) -> Any:
        parts = []
        for label in np.unique(classes):
            members = samples[classes == label]
            far = np.linalg.norm(members - members.mean(axis=0), axis=1)
            parts.append(members[far <= np.quantile(far, share)])
        return np.concatenate(parts)

    return model


def shuffled(share: float) -> Model:
    def model(samples: Any, classes: Any, rng: Any) -> Any:
        result = samples.copy()
        number = round(share * len(result))
        result[:number] = rng.permuted(result[:number], axis=1)
        return result

    return model


def blurred(sd: float) -> Model:
    def model(samples: Any, classes: Any, rng: Any) -> Any:
        from scipy.ndimage import gaussian_filter

        return gaussian_filter(samples.reshape(-1, 8, 8), (0, sd, sd)).reshape(samples.shape)

    return model


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


# {name: (model of a strength, strengths from harmless to severe)}
FAULTS: dict[str, tuple[Callable[[float], Model], tuple[float, float]]] = {
    "near the mean": (near_mean, (1.0, 0.1)),
    "blended": (blended, (0.0, 0.5)),
    "shuffled": (shuffled, (0.0, 0.8)),
    "noise": (noisy, (0.0, 1.5)),
    "blur": (blurred, (0.0, 1.0)),
}
