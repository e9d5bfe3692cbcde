"""Profiles beside the smoothed truth: Gaussian shifts and scales, mixtures with dropped modes.

Of each family, dimension and draw a profile at six resolutions: the mean IoU of its curves with the
true ones, whether the areas rise with the resolution in every draw, and how often the intervals of
the summary numbers contain the true ones.

    python -m bench resolution
    python -m bench resolution --n 1000 --draws 60 --dims 2,16
"""

from argparse import ArgumentParser, Namespace
from typing import Any

import numpy as np

import prfast
from bench.auto import lists
from bench.report import Figure, Findings
from prfast.reference import GaussianMixtures, Gaussians

SIGMAS = (0.0, 0.1, 0.2, 0.4, 0.8, 1.6)


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--n", type=int, default=5000, metavar="N", help="samples of each set, 5000 by default")
    add("--draws", type=int, default=3, metavar="N", help="draws, 3 by default")
    add("--dims", type=lists.numbers, default=[2, 16, 64], metavar="D,…", help="dimensions")


def run(options: Namespace) -> Findings:
    rows = []
    for dim in options.dims[:1] if options.tiny else options.dims:
        for name in FAMILIES:
            rows.append(measure(name, dim, options))
            print(rows[-1], flush=True)
    every = [row[f"IoU at {sigma:g}"] for row in rows for sigma in SIGMAS]
    covered = [hit for row in rows for hit in row["covered"]]
    figures = [
        Figure("mean IoU with the smoothed truth", float(np.mean(every)), at_least=0.96),
        Figure("draws in which an area falls", sum(row["falls"] for row in rows), at_most=0),
    ]
    if covered:
        share = float(np.mean(covered))
        figures.append(Figure("coverage of the summary numbers", share, at_least=0.93))
    return Findings({}, figures, [], rows)


def measure(name: str, dim: int, options: Namespace) -> dict[str, Any]:
    """Return the mean IoU at each resolution, the bias of the areas, and what intervals cover."""
    pair = FAMILIES[name](dim)
    truths = [pair.smoothed(sigma).curve() for sigma in SIGMAS]
    true = truth_of_summary(pair, truths)
    draws = 1 if options.tiny else options.draws
    n = 300 if options.tiny else options.n
    ious, biases, falls = [], [], 0
    covered: list[bool] = []
    for seed in range(draws):
        real, fake = pair.sample(n, random_state=seed)
        profile = prfast.profile(real, fake, SIGMAS, random_state=seed)
        curves = [*profile.curves.values()]
        ious.append([a.iou(b) for a, b in zip(curves, truths, strict=True)])
        areas = np.array([curve.area for curve in curves])
        biases.append(areas - [truth.area for truth in truths])
        falls += bool((np.diff(areas) < -1e-12).any())
        for key, number in profile.summary().items():
            if np.isfinite(true[key]) and true[key] > 0:  # the others are easily contained
                covered.append(bool(number.low <= true[key] <= number.high))
    return {
        "family": name,
        "d": dim,
        "draws": draws,
        **{
            f"IoU at {sigma:g}": float(iou)
            for sigma, iou in zip(SIGMAS, np.mean(ious, axis=0), strict=True)
        },
        "largest bias": float(np.abs(np.mean(biases, axis=0)).max()),
        "falls": falls,
        "covered": covered,
    }


def truth_of_summary(pair: Any, truths: Any) -> dict[str, float]:
    """Return the true summary numbers; crossings by bisection on the exact areas."""
    numbers = {"coarse_area": truths[SIGMAS.index(0.8)].area}
    for key, level in (("half_resolution", 0.5), ("matching_resolution", 0.95)):
        low, high = 0.0, SIGMAS[-1]
        if truths[0].area >= level:
            high = 0.0
        elif truths[-1].area < level:
            low = high = np.inf
        while np.isfinite(high) and high - low > 1e-4:
            middle = (low + high) / 2
            reached = pair.smoothed(middle).curve().area >= level
            low, high = (low, middle) if reached else (middle, high)
        numbers[key] = high
    return numbers


# ---- families ------------------------------------------------------------------------------------


def shift(dim: int) -> Any:
    """Return normal distributions at distance 1.5, in all columns alike."""
    return Gaussians(np.zeros(dim), np.full(dim, 1.5 / np.sqrt(dim)))


def scale(dim: int) -> Any:
    """Return normal distributions, the generated one narrower in one or two columns."""
    variance = np.ones(dim)
    variance[:2] = 0.25
    return Gaussians(np.zeros(dim), np.zeros(dim), np.eye(dim), np.diag(variance))


def modes(dim: int) -> Any:
    """Return a mixture of six modes, of which two are dropped and two have double weight."""
    means = np.random.default_rng(5).normal(size=(6, dim)) * 4 / np.sqrt(min(dim, 8))
    return GaussianMixtures(means, [1] * 6, [2, 2, 1, 1, 0, 0])


FAMILIES = {"shift": shift, "scale": scale, "modes": modes}
