"""Changes of real samples, as pairs of a real and a generated set: the two halves of a draw."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from bench.auto.sets import RealSet

MISSING = (4, 5, 6, 7)  # the places of the classes that are missing


class Pool(NamedTuple):
    """The rows of a draw: n real ones, others, and as many again as there are."""

    of: RealSet
    n: int
    rng: Any
    rows: Any

    @property
    def real(self) -> Any:
        return self.of.features[self.rows[: self.n]]

    @property
    def other(self) -> Any:
        return self.of.features[self.rows[self.n : 2 * self.n]]

    def normal(self) -> Any:
        """Normal noise of the standard deviations of the columns, a row for each other sample."""
        return self.rng.standard_normal(self.other.shape) * self.of.sd


Pair = tuple[Any, Any]
Damage = Callable[[Pool], Pair]


def pool_of(of: RealSet, n: int, seed: int) -> Pool:
    """Draw the rows: those of any other damage of the same size and seed."""
    rng = np.random.default_rng([zlib.crc32(of.name.encode()), n, seed])
    return Pool(of, n, rng, rng.permutation(len(of.features)))


def others(pool: Pool) -> Pair:
    return pool.real, pool.other


def classes_missing(pool: Pool) -> Pair:
    """Other samples without four classes; fewer than n where there are not enough."""
    missing = np.unique(pool.of.labels)[list(MISSING)]
    rest = pool.rows[pool.n :]
    return pool.real, pool.of.features[rest[~np.isin(pool.of.labels[rest], missing)][: pool.n]]


def noise(share: float) -> Damage:
    """Normal noise of a share of the deviation of each column, clipped as the features are."""
    return lambda pool: (pool.real, pool.of.clipped(pool.other + share * pool.normal()))


def blur(share: float) -> Damage:
    """Every sample mixed with its nearest neighbour among the others."""

    def pair(pool: Pool) -> Pair:
        from sklearn.neighbors import NearestNeighbors

        other = pool.other
        nearest = NearestNeighbors(n_neighbors=1).fit(other).kneighbors(return_distance=False)
        return pool.real, (1 - share) * other + share * other[nearest[:, 0]]

    return pair


def tiny_noise(pool: Pool) -> Pair:
    return pool.real, pool.other + 1e-6 * pool.rng.standard_normal(pool.other.shape)


def repeated(number: int | None) -> Damage:
    """So many of the other samples, repeated to n; half of n where None."""

    def pair(pool: Pool) -> Pair:
        other = pool.other
        kept = np.arange(pool.n) % (number or pool.n // 2)
        return pool.real, other[pool.rng.permutation(kept)]

    return pair


def copied(pool: Pool) -> Pair:
    """The real set itself, in another order."""
    return pool.real, pool.rng.permutation(pool.real)


def junk(pool: Pool, rows: Any) -> Any:
    """Rows of which a tenth are independent normal values of the scale of the columns."""
    rows, number = rows.copy(), pool.n // 10
    rows[:number] = pool.of.clipped(pool.of.features.mean(axis=0) + pool.normal()[:number])
    return rows


def fewer(real: int | None, fake: int) -> Damage:
    return lambda pool: (pool.real[:real], pool.other[:fake])
