"""The kernel distance: squared maximum mean discrepancy, unbiased, over all pairs or of subsets.

With k(x, y) = (x·y / d + 1)³ over n samples x and m samples y,

    KID = mean_{i≠j} k(xᵢ, xⱼ) + mean_{i≠j} k(yᵢ, yⱼ) − 2 mean k(xᵢ, yⱼ).

Over all pairs it comes with its standard error (`kernel_error`); of random subsets, as published,
with their deviation.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from prfast.balls.rows import Points, select
from prfast.inputs.errors import WrongValue
from prfast.kernels.blas import one_blas_thread
from prfast.scalars.estimate import Estimate, Pair
from prfast.scalars.kernel_error import FEWEST, error
from prfast.scalars.parts import largest, of_each, rows_of, undivided
from prfast.scalars.sums import centre, kernel, sums_between, sums_within, total


def kernel_distance(pair: Pair) -> Estimate:
    """The row `kernel_distance` of the table."""
    with one_blas_thread(), np.errstate(over="ignore", invalid="ignore"):
        found = _of_all(pair) if pair.wanted.kernel_subsets is None else _of_subsets(pair)
    if not all(math.isfinite(one) for one in (found.value, found.error or 0.0)):
        most = max(map(largest, (pair.real, pair.fake)))
        raise WrongValue(
            "real and fake",
            "samples whose kernel (x·y / d + 1)³, and its square, are float64 numbers expected, "
            f"got values up to {most:.3g}",
        )
    return found


def _of_all(pair: Pair) -> Estimate:
    """Over all pairs, with its standard error where there are samples enough."""
    real, fake, hands = pair.real, pair.fake, pair.hands
    n, m = len(real), len(fake)
    with hands.progress.work(n * n + m * m + n * m):
        if "kernel" not in pair.known:
            around = centre(real, hands)
            pair.known["kernel"] = around, sums_within(real, around, hands)
        around, of_real = pair.known["kernel"]
        within = of_real, sums_within(fake, around, hands)
        between = sums_between(real, fake, around, hands)
    value = total(within[0].kernel) / (n * (n - 1)) + total(within[1].kernel) / (m * (m - 1))
    value -= 2 * total(between[0].kernel) / (n * m)
    return Estimate(value, error(within, between) if min(n, m) >= FEWEST else None)


def _of_subsets(pair: Pair) -> Estimate:
    """As published: the mean over random subsets of both sets, and the deviation of these.

    They are drawn as torch-fidelity does with its `rng_seed`, the real ones first.
    """
    wanted = pair.wanted
    size = wanted.kernel_subset_size
    rng = np.random.RandomState(wanted.seed)
    drawn = [
        tuple(_drawn(one, rng, size) for one in (pair.real, pair.fake))
        for _ in range(wanted.kernel_subsets or 0)
    ]
    numbers = size * (5 * size + 4 * int(pair.real.shape[1]))
    with pair.hands.progress.work(len(drawn)):
        found = list(of_each(pair.real, _of_subset, drawn, pair.hands, numbers))
    deviation = float(np.std(found))
    return Estimate(total(np.array(found)) / len(found), None, {"kernel_deviation": deviation})


def _drawn(points: Points, rng: np.random.RandomState, size: int) -> Any:
    chosen = rng.choice(len(points), size, replace=False)
    return undivided(select(points, chosen.copy()))  # it is a part of numbers for all samples


def _of_subset(real: Any, fake: Any) -> float:
    """A task: the distance of two subsets of one size."""
    with np.errstate(over="ignore", invalid="ignore"):  # who adds them up refuses what is no number
        x, y = rows_of(real), rows_of(fake)
        size, around = len(x), x.mean(axis=0)
        around += (x - around).mean(axis=0)  # what the first sum has lost
        sums = (float(k.sum() - np.trace(k)) for k in (kernel(one, one, around) for one in (x, y)))
        return sum(sums) / (size * (size - 1)) - 2 * float(kernel(x, y, around).mean())
