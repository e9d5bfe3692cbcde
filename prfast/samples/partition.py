"""Splits that train on a share of the rows, or by coins; rows by their weight, or of both sets."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Flags, Float64s, Ints

SPLITS = ("bernoulli",)  # by name


class Split(NamedTuple):
    """Row numbers of the training and the evaluation samples of both sets."""

    real_train: Ints
    real_test: Ints
    fake_train: Ints
    fake_test: Ints


def coins(n: int, m: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """Return the parts of Algorithm 1 (2019 paper).  A fair coin per pair (x_i, y_i) sends x_i or
    y_i to training, part 0, and its partner to evaluation.

    Rows without a partner have a coin each.  Coins that leave a part of a set empty are tossed
    again, unless the set has a single row.
    """
    while True:
        coin = rng.random(max(n, m)) < 0.5
        real, fake = ~coin[:n], coin[:m]
        if all(len(x) < 2 or (x.any() and not x.all()) for x in (real, fake)):
            return real, fake


def systematic(weights: Float64s, count: int) -> Ints:
    """Return `count` places, each count × weight / sum times, rounded up or down."""
    ends = np.cumsum(weights)
    points = (np.arange(count) + 0.5) * (ends[-1] / count)
    return np.asarray(np.minimum(np.searchsorted(ends, points), len(ends) - 1), np.int64)


def cells_by_mass(scores: Any, weights: Float64s, masses: Float64s) -> Ints:
    """Return the cell of each sample; cells are ranges of scores with these masses, ascending."""
    order = np.argsort(scores, kind="stable")
    ends = np.cumsum(weights[order])
    # The middle of a sample is far from the ends of cells, despite rounding.
    middle = (ends - 0.5 * weights[order]) / ends[-1]
    cell = np.empty(len(order), np.int64)
    cell[order] = np.searchsorted(np.cumsum(masses)[:-1], middle, side="right")
    return cell


def evenly(real: Flags, order: Ints, count: int) -> Ints:
    """Return the first `count` places of an order, ascending: half of each set where it has so."""
    real_places, fake_places = order[real[order]], order[~real[order]]
    most = max(count // 2, count - len(fake_places)), max(count // 2, count - len(real_places))
    return np.sort(np.concatenate([real_places[: most[0]], fake_places[: most[1]]]))


def balanced(real: Flags, weight: Float64s) -> Float64s:
    """Return the weight of each sample, with equal sums over both sets."""
    real_sum, total = float(weight[real].sum()), float(weight.sum())
    fake_sum = total - real_sum
    return weight * np.where(real, total / (2 * (real_sum or 1)), total / (2 * (fake_sum or 1)))
