"""Cases for the pages of metrics, whose truth is known, and the values of every metric."""

from functools import cache
from typing import NamedTuple

import numpy as np

import prfast
from prfast.scalars.table import NAMES, TABLE

N, DIM, K = 1000, 16, 5
FAR = 8.0  # a shift by which nothing is common: the truth is 0


class Case(NamedTuple):
    """A line of a picture: what is changed, how far, and the samples."""

    panel: str
    label: str
    x: tuple[float, ...]
    samples: object  # (rng, x) -> real, fake


def normal(rng, shift=0.0, scale=1.0):
    points = scale * rng.normal(size=(N, DIM))
    points[:, 0] += shift
    return points


def modes(rng, count):
    """Equal shares of so many of ten modes."""
    return 20 * np.eye(10, DIM)[rng.integers(0, count, N)] + rng.normal(size=(N, DIM))


def with_outlier(points, at):
    points[0] = 0
    points[0, 0] = at
    return points


def real_outlier(rng, x):
    return with_outlier(normal(rng), x), normal(rng, FAR)


def fake_outlier(rng, x):
    return normal(rng), with_outlier(normal(rng, FAR), FAR - x)


def copied(rng, x):
    """A share of what is generated are copies of real samples, each of another one."""
    real, fake = normal(rng), normal(rng)
    fake[: round(x * N)] = real[: round(x * N)]
    return real, fake


CASES = {
    "shift": Case(
        "a shift by Δ", "", (0, 0.5, 1, 1.5, 2, 3, 4, 5, 6), lambda r, x: (normal(r), normal(r, x))
    ),
    "spread": Case(
        "σ times as wide",
        "",
        (0.5, 0.6, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2),
        lambda r, x: (normal(r), normal(r, scale=x)),
    ),
    "dropped": Case(
        "share of modes dropped",
        "",
        (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
        lambda r, x: (modes(r, 10), modes(r, round(10 * (1 - x)))),
    ),
    "copied": Case("share of copies of real samples", "", (0, 0.1, 0.25, 0.5, 0.75, 1), copied),
    "real outlier": Case(
        "one outlier, its distance", "a real one", (0, 2, 4, 6, 8, 12, 16, 24), real_outlier
    ),
    "generated outlier": Case(
        "one outlier, its distance", "a generated one", (0, 2, 4, 6, 8, 12, 16, 24), fake_outlier
    ),
}

# The columns of the table of all metrics, a point of a case each: what is to be seen ...
CHANGES = {
    "shift by 2": ("shift", 2),
    "twice as wide": ("spread", 2),
    "half as wide": ("spread", 0.5),
    "half of the modes": ("dropped", 0.5),
    "copies": ("copied", 1),
}
# ... and what is not to change the answer that nothing is common.
OUTLIERS = {
    "real outlier": ("real outlier", 24),
    "fake outlier": ("generated outlier", 24),
}
COLUMNS = {"equal": ("shift", 0), **CHANGES, "far off": ("real outlier", 0), **OUTLIERS}

DIMS = (2, 16, 64, 512)


@cache
def result(name):
    """Return the metrics of a case, one for each x."""
    case = CASES[name]
    rng = np.random.default_rng(0)
    return [prfast.metrics(*case.samples(rng, x), k=K, which=NAMES) for x in case.x]


@cache
def equal(dim):
    """Return the metrics of two samples of one normal distribution: means over three draws."""
    rng = np.random.default_rng(0)
    draws = [prfast.metrics(*rng.normal(size=(2, N, dim)), k=K, which=NAMES) for _ in range(3)]
    return {name: float(np.mean([draw[name] for draw in draws])) for name in draws[0]}


def column(name):
    """Return the metrics at the point of a case that a column shows."""
    case, x = COLUMNS[name]
    return result(case)[CASES[case].x.index(x)]


def seen(name, change):
    """Return whether a metric tells a change from equal sets: a tenth less of it, thrice a
    distance."""
    equal, value = column("equal")[name], column(change)[name]
    if not TABLE[name].larger_is_better:
        return value > 3 * abs(equal)
    return value <= 0.9 * equal


def fooled(name, outlier):
    """Return whether one sample changes what it says of sets that have nothing in common."""
    far, value = column("far off")[name], column(outlier)[name]
    if not TABLE[name].larger_is_better:
        return not far / 2 < value < 2 * far
    return abs(value - far) >= 0.1
