"""Families that an independent author wrote without knowledge of the estimator's bases.

They resemble users' data: tables, counts, series, texts, ranks, columns in other units, signals
among noise columns, and pairs with P = Q in difficult coordinates.  They are for judging a frozen
design: let no choice depend on their results.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from scipy import stats
from scipy.special import expit, gammaln, logsumexp

from bench.auto.families.family import Family, Pair, exact, sampled
from bench.auto.families.pairs import (
    Draw,
    among_noise,
    in_regions,
    is_black,
    mixture,
    of_law,
    of_reference,
    scaled,
    with_coordinates,
)
from prfast import PRCurve
from prfast.reference import Discrete, GaussianMixtures


def equal(dim: int, draw: Draw) -> Pair:
    """P = Q."""

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        return draw(rng, (n, dim)), draw(rng, (m, dim))

    return in_regions([1], [1], sample, lambda points: np.zeros(len(points)))


def uniform(rng: np.random.Generator, shape: tuple[int, int]) -> Any:
    return rng.random(shape)


def orthonormal(dim: int, number: int, seed: int) -> Any:
    """Orthonormal rows of a random direction, shape (number, dim)."""
    return np.linalg.qr(np.random.default_rng(seed).standard_normal((dim, number)))[0].T


# ---- signals among noise columns ---------------------------------------------------------------


def rings_in_noise() -> Pair:
    """Three rings around one center with other weights, and eighteen noise columns."""
    radii = GaussianMixtures([[2], [4], [6]], (0.6, 0.1, 0.3), (0.15, 0.6, 0.25), [[0.16]])

    def show(points: Any) -> Any:
        radius, turn = points.T
        angle = 2 * np.pi * turn
        return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)

    return among_noise(with_coordinates(radii, 1, show, uniform), 2, 18)


def signs_of_pairs() -> Pair:
    """Forty normal columns; the two of each of three pairs have equal signs in half of P, in .8 of
    Q."""
    share = 0.8

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        real, fake = rng.standard_normal((n, 40)), rng.standard_normal((m, 40))
        signs = np.where(rng.random((m, 3)) < share, 1, -1) * np.sign(fake[:, :6:2])
        fake[:, 1:6:2] = signs * np.abs(fake[:, 1:6:2])
        return real, fake

    def equal_signs(points: Any) -> Any:
        return (points[:, :6:2] * points[:, 1:6:2] > 0).sum(axis=1)

    masses = [stats.binom(3, of).pmf(np.arange(4)) for of in (0.5, share)]
    return in_regions(*masses, sample, equal_signs)


def parity_of_sizes() -> Pair:
    """Fifteen columns of Laplace's law; an even number of the first three is large in half of P and
    in .85 of Q."""

    def even(points: Any) -> Any:
        return (np.abs(points[:, :3]) > np.log(2)).sum(axis=1) % 2 == 0

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        real, fake = rng.laplace(size=(n, 15)), rng.laplace(size=(m, 15))
        changed = ~even(fake) & (rng.random(m) < 0.7)
        # |x| is standard exponential; large and small are exchanged by u -> 1 − u
        old = np.abs(fake[changed, 0])
        fake[changed, 0] = -np.sign(fake[changed, 0]) * np.log(-np.expm1(-old))
        return real, fake

    return in_regions([0.5, 0.5], [0.15, 0.85], sample, even)


def board_in_noise() -> Pair:
    """Uniform on a board of 4 × 4 squares, .9 of Q on the black ones, and ten noise columns."""

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        real, fake = 4 * rng.random((n, 2)), 4 * rng.random((m, 2))
        moved = ~is_black(fake) & (rng.random(m) < 0.8)
        fake[moved, 0] = (fake[moved, 0] + 1) % 4
        return real, fake

    return among_noise(in_regions([0.5, 0.5], [0.1, 0.9], sample, is_black), 2, 10)


def conditional_correlation() -> Pair:
    """Return two columns with the correlation .7 s in P, −.7 s in Q, a column s of ±1, and
    noise."""
    rho, level = 0.7, np.sqrt(1 - 0.7**2)

    def draw(rng: np.random.Generator, n: int, sign: float) -> Any:
        points = rng.standard_normal((n, 3))
        points[:, 2] = np.where(points[:, 2] < 0, -1, 1)
        points[:, 1] = sign * rho * points[:, 2] * points[:, 0] + level * points[:, 1]
        return points

    def log_law(points: Any, sign: float) -> Any:
        return sign * rho / level**2 * points.prod(axis=1)

    return among_noise(of_law(draw, log_law, (1.0,), (-1.0,)), 3, 16)


# ---- tables ------------------------------------------------------------------------------------


def boxes() -> Pair:
    """Twenty-four boxes, the leaves of a tree on six columns, with other weights; four of noise."""
    rng = np.random.default_rng(31)
    low, high = np.zeros((1, 6)), np.ones((1, 6))
    for _ in range(23):
        largest = (high - low).prod(axis=1).argmax()
        column, part = rng.integers(6), rng.uniform(0.3, 0.7)
        cut = low[largest, column] + part * (high - low)[largest, column]
        low, high = np.vstack([low, low[largest]]), np.vstack([high, high[largest]])
        high[largest, column] = low[-1, column] = cut
    cells = Discrete(*rng.dirichlet(np.ones(24), 2))

    def show(points: Any) -> Any:
        leaf = points[:, 0].astype(int)
        a, b, c, d, e, f = (low[leaf] + (high - low)[leaf] * points[:, 1:]).T
        return np.stack([1000 * a, np.exp(6 * b), c**3, -d, np.tan(1.5 * e), 5 + f], axis=1)

    return among_noise(with_coordinates(cells, 6, show, uniform), 7, 4)


def coded_table() -> Pair:
    """Three columns of codes, independent in Q with the marginals of P, and five of noise."""
    rng = np.random.default_rng(33)
    shape = (6, 5, 4)
    p = rng.dirichlet(np.full(np.prod(shape), 0.5)).reshape(shape)
    sums = [p.sum(axis=tuple({0, 1, 2} - {axis})) for axis in range(3)]
    cells = Discrete(p.ravel(), np.einsum("i,j,k->ijk", *sums).ravel())
    codes = [rng.permutation(100)[:size].astype(float) for size in shape]

    def show(points: Any) -> Any:
        levels = np.unravel_index(points[:, 0].astype(int), shape)
        return np.stack([code[level] for code, level in zip(codes, levels, strict=True)], axis=1)

    return among_noise(of_reference(cells, show), 1, 5)


def one_hot_chain() -> Pair:
    """Fifteen steps of a chain over four categories, one-hot; P goes forward more often than back,
    Q back more often than forward."""
    steps, shares = 15, np.array([0.4, 0.33, 0.1, 0.17])  # of stay, forward, opposite, back

    def draw(rng: np.random.Generator, n: int, sign: int) -> Any:
        moves = sign * rng.choice(4, (n, steps), p=shares)
        moves[:, 0] = rng.integers(0, 4, n)
        return (moves.cumsum(axis=1) % 4).astype(float)

    def log_law(points: Any, sign: int) -> Any:
        return np.log(shares)[(sign * np.diff(points, axis=1) % 4).astype(int)].sum(axis=1)

    def show(points: Any) -> Any:
        return np.eye(4)[points.astype(int)].reshape(len(points), -1)

    # Forward minus back counts decide: the moves are independent.
    counts = [(a, b) for a in range(steps) for b in range(steps - a)]
    remaining = [steps - 1 - a - b for a, b in counts]
    laws = [
        stats.multinomial(steps - 1, [ahead, back, 1 - ahead - back]).pmf(
            [(a, b, c) for (a, b), c in zip(counts, remaining, strict=True)]
        )
        for ahead, back in ((shares[1], shares[3]), (shares[3], shares[1]))
    ]
    return replace(
        of_law(draw, log_law, (1,), (-1,), show), truth=exact(PRCurve.from_masses(*laws))
    )


def ratings() -> Pair:
    """Ten ratings from 1 to 7: rounded normal columns of four groups with other shares."""
    rng = np.random.default_rng(35)
    centers = np.clip(4 + 1.1 * rng.standard_normal((4, 10)), 2, 6)
    ends = np.concatenate([[-np.inf], np.arange(1.5, 7), [np.inf]])
    logs = np.log(np.diff(stats.norm.cdf(ends[:, None, None], centers, 1.3), axis=0))
    shares = np.log([(0.4, 0.3, 0.2, 0.1), (0.1, 0.15, 0.3, 0.45)])

    def draw(rng: np.random.Generator, n: int, weights: Any) -> Any:
        group = rng.choice(4, n, p=np.exp(weights))
        opinions = centers[group] + 1.3 * rng.standard_normal((n, 10))
        return np.clip(np.rint(opinions), 1, 7)

    def log_law(points: Any, weights: Any) -> Any:
        levels = points.astype(int) - 1
        by_group = sum(logs[levels[:, j], :, j] for j in range(10))
        return logsumexp(by_group + weights, axis=1)

    return of_law(draw, log_law, shares[:1], shares[1:])


def zero_or_amount() -> Pair:
    """Return a column that is 0 or lognormal; whether it is 0 depends on two others, the other
    way round in Q.  Nine normal columns."""
    tilt = 1.6

    def draw(rng: np.random.Generator, n: int, sign: float) -> Any:
        points = rng.standard_normal((n, 3))
        zero = expit(sign * tilt * (points[:, 0] - points[:, 1]))
        points[:, 2] = np.where(rng.random(n) < zero, 0, np.exp(3 + 1.2 * points[:, 2]))
        return points

    def log_law(points: Any, sign: float) -> Any:
        # ln σ(t) is t / 2 and a term that ln σ(−t) has as well
        is_zero = np.where(points[:, 2] == 0, 1, -1)
        return sign * is_zero * tilt / 2 * (points[:, 0] - points[:, 1])

    return among_noise(of_law(draw, log_law, (1.0,), (-1.0,)), 3, 7)


def swapped_columns() -> Pair:
    """Ten gamma columns; in .35 of the rows of Q the first two are swapped."""
    shapes = np.array([1.5, 6.0])
    share = 0.35

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        real, fake = rng.gamma(shapes, size=(n, 2)), rng.gamma(shapes, size=(m, 2))
        swapped = rng.random(m) < share
        fake[swapped] = fake[swapped, ::-1]
        return real, fake

    def log_ratio(points: Any) -> Any:
        # p(y, x) / p(x, y) = (x / y) ** (difference of the shapes)
        swapped = (shapes[1] - shapes[0]) * np.log(points[:, 0] / points[:, 1])
        return -np.logaddexp(np.log1p(-share), np.log(share) + swapped)

    pair = Pair(sample, log_ratio, sampled(sample, log_ratio))
    return among_noise(pair, 2, 8, lambda rng, shape: rng.gamma(3.0, size=shape))


# ---- counts, texts, ranks, shares --------------------------------------------------------------


def sparse_counts() -> Pair:
    """Eighty columns of Poisson counts with surplus zeros; other rates and other surplus in Q."""
    rates = np.random.default_rng(41).gamma(1.0, 1.0, 80) + 0.1

    def draw(rng: np.random.Generator, n: int, zero: float, factor: Any) -> Any:
        counts = rng.poisson(rates * factor, (n, 80))
        return np.where(rng.random((n, 80)) < zero, 0, counts).astype(float)

    def log_mass(points: Any, zero: float, factor: Any) -> Any:
        mean = rates * factor
        positive = np.log1p(-zero) - mean + points * np.log(mean)  # without ln x!, which cancels
        logs = np.where(points == 0, np.log(zero + (1 - zero) * np.exp(-mean)), positive)
        return logs.sum(axis=1)

    return of_law(draw, log_mass, (0.6, 1.0), (0.55, np.tile([1.3, 0.9], 40)))


def bags_of_words() -> Pair:
    """Counts of 60 words in texts of 40, a topic a text; five topics with other shares, and one
    that uses other words."""
    rng = np.random.default_rng(42)
    common = rng.dirichlet(np.ones(60))
    topics = 0.6 * common + 0.4 * rng.dirichlet(np.full(60, 0.15), 6)
    words = np.log(topics)

    def draw(rng: np.random.Generator, n: int, weights: Any) -> Any:
        topic = rng.choice(6, n, p=weights)
        return rng.multinomial(40, topics[topic]).astype(float)

    def log_law(points: Any, weights: Any) -> Any:
        return logsumexp(points @ words.T, axis=1, b=weights)

    p, q = (0.3, 0.25, 0.2, 0.15, 0.1, 0), (0.15, 0.2, 0.25, 0.3, 0, 0.1)
    return of_law(draw, log_law, (p,), (q,))


def permutations() -> Pair:
    """Ranks of eight items (Plackett and Luce); their worths differ."""

    def draw(rng: np.random.Generator, n: int, worth: Any) -> Any:
        order = np.argsort(-worth - rng.gumbel(size=(n, 8)), axis=1)
        return np.argsort(order, axis=1).astype(float)  # the place of every item

    def log_mass(points: Any, worth: Any) -> Any:
        chosen = worth[np.argsort(points, axis=1)]
        left = np.exp(chosen)[:, ::-1].cumsum(axis=1)
        return chosen.sum(axis=1) - np.log(left).sum(axis=1)

    worth = np.linspace(1, -1, 8)
    return of_law(draw, log_mass, (worth,), (worth[[1, 4, 0, 2, 6, 3, 7, 5]],))


def simplex() -> Pair:
    """Fifteen shares of one whole: Dirichlet's laws with other parameters."""

    def log_law(points: Any, alpha: Any) -> Any:
        return gammaln(alpha.sum()) - gammaln(alpha).sum() + np.log(points) @ alpha

    real, fake = np.full(15, 1.5), np.tile([1.0, 1.5, 2.1], 5)
    return of_law(lambda rng, n, alpha: rng.dirichlet(alpha, n), log_law, (real,), (fake,))


# ---- series ------------------------------------------------------------------------------------


def garch() -> Pair:
    """Series of 60 returns with GARCH(1, 1) variances of mean 1: persistent in P, nervous in Q."""
    dim = 60

    def log_law(points: Any, news: float, memory: float) -> Any:
        variance = np.ones_like(points)
        for t in range(1, dim):
            past = news * points[:, t - 1] ** 2 + memory * variance[:, t - 1]
            variance[:, t] = 1 - news - memory + past
        return -0.5 * (np.log(variance) + points**2 / variance).sum(axis=1)

    def draw(rng: np.random.Generator, n: int, news: float, memory: float) -> Any:
        points, variance = rng.standard_normal((n, dim)), np.ones(n)
        for t in range(1, dim):
            variance = 1 - news - memory + news * points[:, t - 1] ** 2 + memory * variance
            points[:, t] *= np.sqrt(variance)
        return points

    return of_law(draw, log_law, (0.1, 0.8), (0.3, 0.4))


def second_order() -> Pair:
    """Stationary series of 50, autoregressive of order 2, with the same variance and the same
    correlation of neighbors: .5."""
    dim = 50

    def spread(lag1: float, two: float) -> float:
        return float(np.sqrt(1 - 0.5 * lag1 - (0.5 * lag1 + two) * two))

    def draw(rng: np.random.Generator, n: int, lag1: float, two: float) -> Any:
        points = rng.standard_normal((dim, n))
        points[1] = 0.5 * points[0] + np.sqrt(0.75) * points[1]
        for t in range(2, dim):
            past = lag1 * points[t - 1] + two * points[t - 2]
            points[t] = past + spread(lag1, two) * points[t]
        return points.T

    def log_density(points: Any, lag1: float, two: float) -> Any:
        steps = points[:, 2:] - lag1 * points[:, 1:-1] - two * points[:, :-2]
        sd = spread(lag1, two)
        return -0.5 * (steps**2).sum(axis=1) / sd**2 - (dim - 2) * np.log(sd)

    return of_law(draw, log_density, (0.4, 0.2), (0.48, 0.04))


def bump() -> Pair:
    """Forty normal columns; in .7 of the rows of Q six neighbors, at any place, are 1.3 higher."""
    dim, width, height, share = 40, 6, 1.3, 0.7
    places = dim - width + 1

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        real, fake = rng.standard_normal((n, dim)), rng.standard_normal((m, dim))
        after = np.arange(dim) - rng.integers(0, places, (m, 1))
        high = (after >= 0) & (after < width) & (rng.random((m, 1)) < share)
        return real, fake + height * high

    def log_ratio(points: Any) -> Any:
        sums = np.pad(points.cumsum(axis=1), ((0, 0), (1, 0)))
        inside = height * (sums[:, width:] - sums[:, :-width]) - 0.5 * width * height**2
        bumps = logsumexp(inside, axis=1) - np.log(places)
        return -np.logaddexp(np.log1p(-share), np.log(share) + bumps)

    return Pair(sample, log_ratio, sampled(sample, log_ratio))


# ---- tails, units, angles ----------------------------------------------------------------------


def tails_in_units() -> Pair:
    """Twelve columns of t₂ in units from 10⁻⁵ to 10⁵; in Q each second one is shifted and wider."""
    units = np.logspace(-5, 5, 12)

    def draw(rng: np.random.Generator, n: int, location: Any, factor: Any) -> Any:
        return location + factor * rng.standard_t(2, (n, 12))

    def log_law(points: Any, location: Any, factor: Any) -> Any:
        squares = ((points - location) / factor) ** 2
        return -(1.5 * np.log(2 + squares) + np.log(factor)).sum(axis=1)

    plain, changed = (np.zeros(12), np.ones(12)), (np.tile([0, 0.7], 6), np.tile([1, 1.4], 6))
    return of_law(draw, log_law, plain, changed, lambda points: units * points)


def lognormal() -> Pair:
    """Ten lognormal columns whose logarithms are all correlated: .2 in P, .5 in Q."""
    dim = 10

    def draw(rng: np.random.Generator, n: int, rho: float) -> Any:
        common = rng.standard_normal((n, 1))
        return np.sqrt(rho) * common + np.sqrt(1 - rho) * rng.standard_normal((n, dim))

    def log_density(points: Any, rho: float) -> Any:
        # Variances 1 − ρ + dρ along the mean, 1 − ρ across it
        along, across = 1 - rho + dim * rho, 1 - rho
        mean = points.mean(axis=1)
        squares = ((points - mean[:, None]) ** 2).sum(axis=1)
        level = np.log(along) + (dim - 1) * np.log(across)
        return -0.5 * (dim * mean**2 / along + squares / across + level)

    return of_law(draw, log_density, (0.2,), (0.5,), lambda points: np.exp(1.5 * points))


def truncated() -> Pair:
    """Six columns of t₃ and six of noise; no row of Q has one of the six beyond its quantiles."""
    share = 0.6
    end = stats.t(3).isf((1 - share ** (1 / 6)) / 2)

    def inside(points: Any) -> Any:
        return (np.abs(points) < end).all(axis=1)

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        fake = rng.standard_t(3, (3 * m + 200, 6))
        fake = fake[inside(fake)]
        assert len(fake) >= m
        return rng.standard_t(3, (n, 6)), fake[:m]

    return among_noise(in_regions([1 - share, share], [0, 1], sample, inside), 6, 6)


def angles() -> Pair:
    """Five angles as cosines and sines, each near the one before it (von Mises); in Q one turns
    by .5 from each to the next."""
    kappa = 2.5

    def draw(rng: np.random.Generator, n: int, mean: float) -> Any:
        first = rng.uniform(-np.pi, np.pi, (n, 1))
        return np.hstack([first, rng.vonmises(mean, kappa, (n, 4))]).cumsum(axis=1)

    def log_law(points: Any, mean: float) -> Any:
        return kappa * np.cos(np.diff(points, axis=1) - mean).sum(axis=1)

    def show(points: Any) -> Any:
        return np.hstack([np.cos(points), np.sin(points)])

    return of_law(draw, log_law, (0.0,), (0.5,), show)


def weak_columns() -> Pair:
    """Three hundred gamma columns, each 4 % larger in Q: their sum decides."""
    dim, factor = 300, 1.04

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        return rng.gamma(2.0, 1.0, (n, dim)), rng.gamma(2.0, factor, (m, dim))

    def log_ratio(points: Any) -> Any:
        return 2 * dim * np.log(factor) - (1 - 1 / factor) * points.sum(axis=1)

    return Pair(sample, log_ratio, exact(scaled(stats.gamma(2 * dim), factor)))


# ---- modes -------------------------------------------------------------------------------------


def near_copies() -> Pair:
    """Normal rows in 8-D; .45 of Q are within .03 of one of 80 points drawn from P."""
    dim, sd, share = 8, 0.03, 0.45
    centers = np.random.default_rng(51).standard_normal((80, dim))

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        real, fake = rng.standard_normal((n, dim)), rng.standard_normal((m, dim))
        copied = rng.random(m) < share
        fake[copied] = centers[rng.integers(0, 80, copied.sum())] + sd * fake[copied]
        return real, fake

    def log_ratio(points: Any) -> Any:
        own_squares = (points**2).sum(axis=1)
        squares = own_squares[:, None] - 2 * points @ centers.T + (centers**2).sum(axis=1)
        copies = logsumexp(-0.5 * squares / sd**2, axis=1) - np.log(80) - dim * np.log(sd)
        return -np.logaddexp(np.log1p(-share), np.log(share) + copies + 0.5 * own_squares)

    return Pair(sample, log_ratio, sampled(sample, log_ratio))


def many_modes() -> Pair:
    """Twenty-five modes in 60-D that overlap somewhat, with other weights."""
    rng = np.random.default_rng(52)
    means = 0.55 * rng.standard_normal((25, 60))
    return mixture(means, np.full(25, 0.04), rng.dirichlet(np.full(25, 0.7)))


def rotated_rings() -> Pair:
    """Six modes on a ring in a plane of 250-D; those of Q lie between those of P."""
    angles = np.pi * np.arange(12) / 6
    means = 4.5 * np.stack([np.cos(angles), np.sin(angles)], axis=1) @ orthonormal(250, 2, 53)
    p = np.tile([1 / 6, 0], 6)
    return mixture(means, p, p[::-1])


def far_cluster() -> Pair:
    """N(0, I) in 30-D, shifted by .8 in Q; .03 of P and .06 of Q lie in far clusters."""
    means = np.array([0.0, 0.8, -15.0, 20.0])[:, None] * np.eye(30)[[0, 0, 1, 2]]
    return mixture(means, (0.97, 0, 0.03, 0), (0, 0.94, 0, 0.06))


# ---- equal ones --------------------------------------------------------------------------------


def cauchy_units(rng: np.random.Generator, shape: tuple[int, int]) -> Any:
    """Cauchy's law in units from 10⁻⁶ to 10⁶, with a common factor that couples the columns."""
    couple = np.exp(rng.standard_normal((shape[0], 1)))
    return couple * rng.standard_cauchy(shape) * np.logspace(-6, 6, shape[1])


def ties(rng: np.random.Generator, shape: tuple[int, int]) -> Any:
    """Small counts, flags and rounded amounts; whole rows repeat."""
    table = rng.poisson(0.4, shape).astype(float)
    table[:, ::3] = rng.random((shape[0], table[:, ::3].shape[1])) < 0.05
    table[:, 1::4] = 50 * np.rint(rng.gamma(0.5, 1.0, (shape[0], table[:, 1::4].shape[1])))
    return table


def mixed_table(rng: np.random.Generator, shape: tuple[int, int]) -> Any:
    """Identifiers, amounts, shares, a constant and one-hot columns that depend on each other."""
    size = shape[0]
    level = rng.standard_normal((size, 1))
    group = rng.binomial(3, expit(level))
    amount = np.exp(5 + 2 * level + rng.standard_normal((size, 1)))
    share = np.where(group == 0, 0.0, rng.beta(0.5, 0.5, (size, 1)))
    number = 1e6 + rng.integers(0, 100_000, (size, 1))
    remaining = rng.standard_normal((size, shape[1] - 8)) * amount
    one_hot = np.eye(4)[group[:, 0]]
    return np.hstack([number, amount, share, np.full((size, 1), 7.0), one_hot, remaining])


FAMILIES = (
    Family("rings-in-noise", rings_in_noise),
    Family("signs-of-pairs", signs_of_pairs),
    Family("parity-of-sizes", parity_of_sizes),
    Family("board-in-noise", board_in_noise),
    Family("conditional-correlation", conditional_correlation),
    Family("boxes", boxes),
    Family("coded-table", coded_table),
    Family("one-hot-chain", one_hot_chain),
    Family("ratings", ratings, m=5000),
    Family("zero-or-amount", zero_or_amount),
    Family("swapped-columns", swapped_columns),
    Family("sparse-counts", sparse_counts),
    Family("bags-of-words", bags_of_words),
    Family("permutations", permutations),
    Family("simplex", simplex),
    Family("garch", garch),
    Family("second-order", second_order),
    Family("bump", bump),
    Family("tails-in-units", tails_in_units),
    Family("lognormal", lognormal),
    Family("truncated", truncated),
    Family("angles", angles),
    Family("weak-columns", weak_columns),
    Family("near-copies", near_copies),
    Family("many-modes", many_modes),
    Family("rotated-rings", rotated_rings),
    Family("far-cluster", far_cluster),
    Family("equal-cauchy", partial(equal, 20, cauchy_units)),
    Family("equal-ties", partial(equal, 12, ties)),
    Family("equal-table", partial(equal, 14, mixed_table), m=15_000),
)
