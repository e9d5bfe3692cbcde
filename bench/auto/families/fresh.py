"""Families of what users bring, written without knowledge of the estimator.

Mixed tables, counts, compositions, windows of series, k-grams of texts, pictures of a few latent
numbers, modes dropped and invented, differences in conditional distributions alone.  Sizes are
those of `--n 10000`; `--n 2000` has 200 to 5000 samples.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from scipy import stats
from scipy.special import expit, gammaln, logsumexp, softmax

from bench.auto.families.developing import scale
from bench.auto.families.family import Family, Pair
from bench.auto.families.independent import orthonormal
from bench.auto.families.pairs import among_noise, in_regions, mixture, of_law, of_reference
from prfast.reference import Discrete


def of_kinds(draw: Callable[..., Any], log_law: Any, p: Any, q: Any) -> Pair:
    """Return mixtures of kinds: `draw(rng, kinds)`, a row a kind, and `log_law(points)`, a column a
    kind; the truth is of an eighth of the samples, because rows are wide."""

    def sample_of(rng: np.random.Generator, n: int, shares: Any) -> Any:
        return draw(rng, rng.choice(len(shares), n, p=shares))

    def log_of(points: Any, shares: Any) -> Any:
        return logsumexp(log_law(points), axis=1, b=shares)

    pair = of_law(sample_of, log_of, (p,), (q,))
    return replace(pair, truth=lambda size: pair.truth(size // 8))


def of_labels(draw: Callable[..., Any], p: Any, q: Any) -> Pair:
    """Return kinds that have no row in common: `draw(rng, kinds)`, a row a kind.  The last
    coordinate, which is not shown, is the kind."""

    def side(shares: Any, rng: np.random.Generator, n: int) -> Any:
        kinds = rng.choice(len(shares), n, p=shares)
        return np.hstack([draw(rng, kinds), kinds[:, None]])

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        return side(p, rng, n), side(q, rng, m)

    return in_regions(p, q, sample, lambda points: points[:, -1], lambda points: points[:, :-1])


def mixed_table(differ: bool = True) -> Pair:
    """Region, income given region, age, a flag given income: Q has other shares of regions, a
    higher income in one of them, and a weaker dependence of the flag."""
    means = np.array([9.6, 10.0, 10.2, 10.6, 11.0])
    p = (np.array([0.3, 0.25, 0.2, 0.15, 0.1]), means, 3.0)
    q = (np.array([0.2, 0.3, 0.2, 0.1, 0.2]), means + np.array([0, 0, 0.5, 0, 0]), 1.0)

    def draw(rng: np.random.Generator, n: int, shares: Any, means: Any, slope: float) -> Any:
        region = rng.choice(5, n, p=shares)
        income = means[region] + 0.6 * rng.standard_normal(n)
        flag = rng.random(n) < expit(slope * (income - 10))
        return np.stack([region, income, rng.gamma(9, 5, n), flag], axis=1)

    def log_law(points: Any, shares: Any, means: Any, slope: float) -> Any:
        region, income, sign = points[:, 0].astype(int), points[:, 1], 2 * points[:, 3] - 1
        error = (income - means[region]) / 0.6
        flag = -np.logaddexp(0, -sign * slope * (income - 10))
        return np.log(shares[region]) - error**2 / 2 + flag

    def show(points: Any) -> Any:
        one_hot = np.eye(5)[points[:, 0].astype(int)]
        return np.hstack([one_hot, np.exp(points[:, 1:2]), points[:, 2:]])

    return of_law(draw, log_law, p, q if differ else p, show)


def missing_values() -> Pair:
    """Six columns, one with a third of its cells missing, which are −9: at random in P, where
    another column is large in Q."""

    def draw(rng: np.random.Generator, n: int, slope: float) -> Any:
        points = rng.standard_normal((n, 6))
        points[:, 1:3] += points[:, :1]
        points[rng.random(n) < expit(slope * points[:, 0] - 0.7), 1] = -9
        return points

    def log_law(points: Any, slope: float) -> Any:
        sign = np.where(points[:, 1] == -9, 1, -1)
        return -np.logaddexp(0, -sign * (slope * points[:, 0] - 0.7))

    return of_law(draw, log_law, (0.0,), (3.0,))


def wrong_labels() -> Pair:
    """Ten groups without overlap and a column of labels: .02 of P are wrong, a sixth of Q."""
    rng = np.random.default_rng(31)
    centers = 4 * rng.permuted(np.tile(np.arange(10), (20, 1)), axis=1).T

    def draw(rng: np.random.Generator, wrong: Any) -> Any:
        group = rng.integers(0, 10, len(wrong))
        label = (group + wrong * rng.integers(1, 10, len(wrong))) % 10
        return np.hstack(
            [centers[group] + rng.uniform(-1.5, 1.5, (len(wrong), 20)), label[:, None]]
        )

    return of_labels(draw, [0.98, 0.02], [5 / 6, 1 / 6])


def heaped_ages() -> Pair:
    """Ages, one column: a fifth of Q is rounded to multiples of five."""
    p = stats.binom.pmf(np.arange(91), 90, 0.45) + np.linspace(0.02, 0, 91)
    p /= p.sum()
    rounded = np.zeros(91)
    np.add.at(rounded, 5 * np.round(np.arange(91) / 5).astype(int), p)
    return of_reference(Discrete(p, 0.8 * p + 0.2 * rounded))


def zero_inflated() -> Pair:
    """Twenty columns, .6 zeros, the others 1 + Poisson(2); five of Q have .7 zeros and a geometric
    law of the same mean."""

    def draw(rng: np.random.Generator, n: int, wide: bool) -> Any:
        counts = 1 + rng.poisson(2.0, (n, 20))
        zero = rng.random((n, 20))
        if wide:
            counts[:, :5] = rng.geometric(1 / 3, (n, 5))
            zero[:, :5] -= 0.1
        return counts * (zero >= 0.6)

    def log_law(points: Any, wide: bool) -> Any:
        counts, zeros = points[:, :5], 0.7 if wide else 0.6
        law = stats.geom(1 / 3) if wide else stats.poisson(2.0, loc=1)
        table = np.log(np.append(zeros, (1 - zeros) * law.pmf(np.arange(1, 200))))
        return table[counts.astype(int)].sum(axis=1)

    return of_law(draw, log_law, (False,), (True,))


def cell_types() -> Pair:
    """Counts of a thousand genes, most of them 0; a type of .2 is dropped, one of .1 invented.
    Genes that one type alone has make types distinct."""
    rng = np.random.default_rng(32)
    profiles = rng.gamma(0.3, 1, (6, 1000)) * (rng.random((6, 1000)) < 0.4)
    profiles[:, :60] = np.repeat(2 * np.eye(6), 10, axis=1)

    def draw(rng: np.random.Generator, kinds: Any) -> Any:
        counts = rng.poisson(profiles[kinds] * rng.lognormal(0, 0.3, (len(kinds), 1)))
        counts[np.arange(len(kinds)), 10 * kinds] += 1
        return np.log1p(counts)

    return of_labels(draw, [0.3, 0.25, 0.15, 0.1, 0.2, 0], [0.35, 0.2, 0.2, 0.15, 0, 0.1])


def taxa() -> Pair:
    """Shares of thirty taxa among 200 reads: Dirichlet-multinomial, in Q half as dispersed."""
    alpha = 8 * softmax(np.random.default_rng(33).standard_normal(30))

    def draw(rng: np.random.Generator, n: int, law: Any) -> Any:
        return rng.multinomial(200, rng.dirichlet(law, n)) / 200

    def log_law(points: Any, law: Any) -> Any:
        level = gammaln(law.sum()) - gammaln(law.sum() + 200) - gammaln(law).sum()
        return level + gammaln(200 * points + law).sum(axis=1)

    return of_law(draw, log_law, (alpha,), (2 * alpha,))


def baskets() -> Pair:
    """Which of 500 articles: ten kinds of customers, two of which Q lacks, three it has more of."""
    rates = 0.01 + 0.3 * (np.random.default_rng(34).random((10, 500)) < 0.06)
    logs, level = np.log(rates / (1 - rates)), np.log1p(-rates).sum(axis=1)

    def draw(rng: np.random.Generator, kinds: Any) -> Any:
        return (rng.random((len(kinds), 500)) < rates[kinds]).astype(float)

    q = np.array([1, 1, 1, 1, 1, 1.5, 1.75, 1.75, 0, 0]) / 10
    return of_kinds(draw, lambda points: points @ logs.T + level, np.full(10, 0.1), q)


def level_shifts(share: float) -> Pair:
    """Windows of 64 steps of an autoregression; a share of Q rises somewhere, for good."""
    steps, phi = 64, 0.7
    shifts = 2.5 * ((1 - phi) * np.triu(np.ones((steps, steps)), 1) + np.eye(steps))
    series = np.triu(
        phi ** np.clip(np.subtract.outer(-np.arange(steps), -np.arange(steps)), 0, None)
    )

    def draw(rng: np.random.Generator, n: int, share: float) -> Any:
        rises = shifts[rng.integers(0, steps, n)] * (rng.random((n, 1)) < share)
        return rng.standard_normal((n, steps)) + rises

    def log_law(points: Any, share: float) -> Any:
        gains = np.exp(points @ shifts.T - (shifts**2).sum(axis=1) / 2).mean(axis=1)
        return np.log(1 - share + share * gains)

    return of_law(draw, log_law, (0.0,), (share,), lambda points: points @ series)


def grams(letters: int, order: int, length: int, change: float, q: Any) -> Pair:
    """Counts of k-grams, k = order + 1, of texts by two Markov chains, of which P has the first.
    Letters begin uniformly, so the counts are sufficient."""
    states = letters**order
    logits, changes = np.random.default_rng(42).standard_normal((2, states, letters))
    chains = softmax(np.stack([logits, logits + change * changes]), axis=2)
    ends, logs = chains.cumsum(axis=2)[:, :, :-1], np.log(chains).reshape(2, -1)

    def draw(rng: np.random.Generator, kinds: Any) -> Any:
        rows, state = np.arange(len(kinds)), rng.integers(0, states, len(kinds))
        counts = np.zeros((len(kinds), states * letters))
        for _ in range(length):
            uniform = rng.random((len(kinds), 1))
            gram = state * letters + (uniform > ends[kinds, state]).sum(axis=1)
            counts[rows, gram] += 1
            state = gram % states
        return counts

    return of_kinds(draw, lambda counts: counts @ logs.T, [1, 0], q)


def topics() -> Pair:
    """Frequencies of 120 words in texts of 40: Q lacks a topic, invents one, re-weights six."""
    words = np.random.default_rng(35).dirichlet(np.full(120, 0.2), 8) + 1e-4
    words /= words.sum(axis=1, keepdims=True)

    def draw(rng: np.random.Generator, kinds: Any) -> Any:
        return rng.multinomial(40, words[kinds]) / 40

    p = np.array([0.2, 0.1, 0.1, 0.2, 0.15, 0.1, 0.15, 0])
    q = np.array([0.1, 0.2, 0.1, 0.1, 0.2, 0.15, 0, 0.15])
    return of_kinds(draw, lambda points: 40 * points @ np.log(words).T, p, q)


def spots(corner: float) -> Pair:
    """Pictures of 16 × 16 of a spot, its place and width; Q has none in a corner of the places."""
    grid, share = np.arange(16.0), corner**2

    def is_cornered(points: Any) -> Any:
        return (points[:, :2] < corner).all(axis=1)

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        fake = rng.random((int(2 * m / (1 - share)) + 100, 3))
        return rng.random((n, 3)), fake[~is_cornered(fake)][:m]

    def show(points: Any) -> Any:
        x, y, width = 3 + 9 * points[:, :1], 3 + 9 * points[:, 1:2], 1 + points[:, 2:]
        rows, cols = (np.exp(-(((grid - at) / width) ** 2) / 2) for at in (x, y))
        return (rows[:, :, None] * cols[:, None, :]).reshape(len(points), 256)

    return in_regions([1 - share, share], [1, 0], sample, is_cornered, show)


def truncated_latents(sd: float) -> Pair:
    """Pictures of 784 numbers by a network of two layers; eight latent numbers, in Q of one sd."""
    rng = np.random.default_rng(36)
    first, second = rng.standard_normal((8, 64)) / 3, rng.standard_normal((64, 784)) / 8
    return replace(scale(sd, 8), show=lambda latent: np.tanh(np.tanh(latent @ first) @ second))


def pixel_modes() -> Pair:
    """Modes of five latent numbers, one dropped and one invented, in 400 pixels with noise."""
    means = 2.5 * np.random.default_rng(37).standard_normal((7, 5))
    p, q = np.array([3, 2, 2, 1, 1, 1, 0]) / 10, np.array([2, 2, 2, 1, 2, 0, 1]) / 10
    pair = among_noise(mixture(means, p, q), 5, 395)
    turn = orthonormal(400, 400, 38)
    return replace(pair, show=lambda points: points @ turn)


def rare_dropped() -> Pair:
    """Forty modes in 30-D, of shares as 1/rank; Q lacks the twenty rarest."""
    p = 1 / np.arange(1, 41)
    q = np.where(np.arange(40) < 20, p, 0)
    means = 1.5 * np.random.default_rng(39).standard_normal((40, 30))
    return mixture(means, p / p.sum(), q / q.sum())


def invented_between() -> Pair:
    """Six modes in 10-D; a fifth of Q lies halfway between two of them."""
    centers = 2 * np.random.default_rng(40).standard_normal((6, 10))
    means = np.vstack([centers, (centers + np.roll(centers, 1, axis=0)) / 2])
    return mixture(means, np.repeat([1 / 6, 0], 6), np.repeat([0.8 / 6, 0.2 / 6], 6))


def places() -> Pair:
    """Coordinates of thirty towns, d = 2; a tenth of Q moved from ten of them to ten new ones."""
    means = 5 * np.random.default_rng(41).standard_normal((40, 2))
    p = np.repeat([1 / 30, 0], [30, 10])
    return mixture(means, p, np.repeat([0.7 / 30, 1 / 30, 0.3 / 30], [10, 20, 10]), 0.4)


FAMILIES = (
    Family("mixed-table", mixed_table, n=5000),
    Family("mixed-table-n200", mixed_table, n=1000),
    Family("mixed-table-equal", partial(mixed_table, differ=False), n=5000),
    Family("missing-values", missing_values, n=15_000),
    Family("wrong-labels", wrong_labels),
    Family("heaped-ages", heaped_ages, n=1000),
    Family("zero-inflated", zero_inflated),
    Family("cell-types", cell_types, n=5000),
    Family("taxa", taxa, n=5000, m=15_000),
    Family("baskets", baskets),
    Family("level-shifts", partial(level_shifts, 0.3)),
    Family("rare-level-shifts", partial(level_shifts, 0.05), n=25_000),
    Family("bigrams", partial(grams, 5, 1, 60, 0.8, [0.6, 0.4]), n=5000),
    Family("trigrams", partial(grams, 4, 2, 100, 0.25, [0, 1])),
    Family("trigrams-slight", partial(grams, 4, 2, 100, 0.1, [0, 1]), n=25_000),
    Family("topics", topics, n=5000),
    Family("spots", partial(spots, 0.5)),
    Family("spots-n200", partial(spots, 0.7), n=1000),
    Family("truncated-latents", partial(truncated_latents, 0.7), n=5000),
    Family("slightly-truncated-latents", partial(truncated_latents, 0.9), n=25_000),
    Family("pixel-modes", pixel_modes),
    Family("rare-dropped", rare_dropped, n=25_000),
    Family("invented-between", invented_between, n=1500),
    Family("places", places, n=1500, m=6000),
)
