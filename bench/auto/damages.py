"""Changes of real samples, as pairs of a real and a generated set: the two halves of a draw."""

import zlib
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from bench.auto.sets import RealSet

MISSING = (4, 5, 6, 7, 2, 8)  # places of the classes that are missing, of 9 at least


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


def classes_missing(number: int) -> Damage:
    """Other samples without so many classes; fewer than n where there are not enough."""

    def pair(pool: Pool) -> Pair:
        missing = np.unique(pool.of.labels)[list(MISSING[:number])]
        remaining = pool.rows[pool.n :]
        return pool.real, pool.of.features[
            remaining[~np.isin(pool.of.labels[remaining], missing)][: pool.n]
        ]

    return pair


def atypical_missing(share: float) -> Damage:
    """Other samples without the given share whose fifth neighbor is farthest away."""

    def pair(pool: Pool) -> Pair:
        from sklearn.neighbors import NearestNeighbors

        remaining = pool.of.features[pool.rows[pool.n :]]
        far = NearestNeighbors(n_neighbors=5).fit(remaining).kneighbors()[0][:, -1]
        row_numbers = np.flatnonzero(far <= np.quantile(far, 1 - share))
        return pool.real, remaining[row_numbers[: pool.n]]

    return pair


def noise(share: float) -> Damage:
    """Normal noise of a share of the deviation of each column, clipped as the features are."""
    return lambda pool: (pool.real, pool.of.clipped(pool.other + share * pool.normal()))


def blur(share: float) -> Damage:
    """Every sample mixed with its nearest neighbor among the others."""

    def pair(pool: Pool) -> Pair:
        from sklearn.neighbors import NearestNeighbors

        second = pool.other
        nearest = NearestNeighbors(n_neighbors=1).fit(second).kneighbors(return_distance=False)
        return pool.real, (1 - share) * second + share * second[nearest[:, 0]]

    return pair


def moved(pool: Pool) -> Pair:
    return pool.real, pool.other + 0.001


def tiny_noise(pool: Pool) -> Pair:
    return pool.real, pool.other + 1e-6 * pool.rng.standard_normal(pool.other.shape)


def shifted(share: float) -> Damage:
    """Every column moved by a share of its deviation."""
    return lambda pool: (pool.real, pool.other + share * pool.of.sd)


def quantized(share: float) -> Damage:
    """Every column rounded to multiples of a share of its deviation."""

    def pair(pool: Pool) -> Pair:
        step = np.where(pool.of.sd > 0, share * pool.of.sd, 1)
        return pool.real, step * np.rint(pool.other / step)

    return pair


def repeated(number: int | None) -> Damage:
    """So many of the other samples, repeated to n; half of n where None."""

    def pair(pool: Pool) -> Pair:
        second = pool.other
        row_numbers = np.arange(pool.n) % (number or pool.n // 2)
        return pool.real, second[pool.rng.permutation(row_numbers)]

    return pair


def copied(pool: Pool) -> Pair:
    """Return the real set itself, in another order."""
    return pool.real, pool.rng.permutation(pool.real)


def with_junk(pool: Pool, rows: Any, share: float = 0.1) -> Any:
    """Return rows of which a share are independent normal values of the scale of the columns."""
    rows, number = rows.copy(), round(pool.n * share)
    rows[:number] = pool.of.clipped(pool.of.features.mean(axis=0) + pool.normal()[:number])
    return rows


def junk(share: float) -> Damage:
    return lambda pool: (pool.real, with_junk(pool, pool.other, share))


def fewer(real: int | None, fake: int) -> Damage:
    return lambda pool: (pool.real[:real], pool.other[:fake])


def one_class(pool: Pool) -> Pair:
    """Other samples of the most frequent class alone; fewer than n where there are not enough."""
    labels, counts = np.unique(pool.of.labels, return_counts=True)
    remaining = pool.rows[pool.n :]
    rows = remaining[pool.of.labels[remaining] == labels[counts.argmax()]]
    return pool.real, pool.of.features[rows[: pool.n]]


def gaussian(pool: Pool) -> Pair:
    """Normal samples of the mean and covariance of the others."""
    second = pool.other.astype(np.float64)
    drawn = pool.rng.multivariate_normal(
        second.mean(axis=0), np.cov(second.T), pool.n, method="eigh"
    )
    return pool.real, drawn.astype(np.float32)


def shuffled(pool: Pool) -> Pair:
    """Every column in an order of its own."""
    return pool.real, pool.rng.permuted(pool.other, axis=0)
