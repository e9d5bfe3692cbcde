"""Divisions of n real and m generated rows at random into rows that train and rows that are scored.

A share trains, or a fair coin per pair of rows decides (2019, Algorithm 1).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_share, stream


class Split(NamedTuple):
    """Row numbers of the training and the evaluation samples of both sets."""

    real_train: NDArray[np.int64]
    real_test: NDArray[np.int64]
    fake_train: NDArray[np.int64]
    fake_test: NDArray[np.int64]


def split_rows(n: int, m: int, split: float | str, seed: int) -> Split:
    """Return the rows of n real and m generated samples that train, and those that are scored."""
    if isinstance(split, str):
        return SPLITS[split](n, m, seed)
    return split_share(n, m, split, seed)


def train_size(size: int, share: float) -> int:
    """Return ⌊share · size⌋."""
    return math.floor(share * size * (1 + 1e-12))  # 29 for 0.29 × 100, which is 28.999… in float64


def split_share(n: int, m: int, share: float, seed: int) -> Split:
    """Return a random split in which ⌊share · n⌋ real and ⌊share · m⌋ generated samples train."""
    share = read_share("split", share)
    rng = stream(seed, "split")
    parts = []
    for name, size in (("real", n), ("fake", m)):
        train = train_size(size, share)
        if not 0 < train < size:
            raise WrongValue(
                name,
                f"too few samples to split at {share}: {size} would leave "
                f"{train} to train and {size - train} to evaluate",
            )
        order = rng.permutation(size)
        parts += [np.sort(order[:train]), np.sort(order[train:])]
    return Split(*parts)


def split_bernoulli(n: int, m: int, seed: int) -> Split:
    """Return the split of Algorithm 1 (2019 paper): a fair coin per pair (x_i, y_i) sends one of
    the two to training and the other to evaluation.

    Where n ≠ m, the samples without a partner have a fair coin each.  Coins that leave one of the
    four parts empty are tossed again.
    """
    for name, size in (("real", n), ("fake", m)):
        if size < 2:
            raise WrongValue(name, f"at least 2 samples expected for a split, got {size}")
    rng = stream(seed, "split")
    while True:
        coin = rng.random(max(n, m)) < 0.5
        real, fake = coin[:n], ~coin[:m]
        if real.any() and fake.any() and not real.all() and not fake.all():
            return Split(
                np.flatnonzero(real),
                np.flatnonzero(~real),
                np.flatnonzero(fake),
                np.flatnonzero(~fake),
            )


# Splits by name: functions of n, m and the seed.
SPLITS: dict[str, Callable[[int, int, int], Split]] = {"bernoulli": split_bernoulli}
