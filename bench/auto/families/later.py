"""Families made after the design of "auto" was frozen: nothing was chosen on them.

They differ in kind from those of developing.py.  Let no choice of a design depend on their results.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import gammaln, ndtr, ndtri

from bench.auto.families.family import Family, Pair, exact, sampled
from bench.auto.families.pairs import (
    columns,
    in_regions,
    is_black,
    mixture,
    of_law,
    of_reference,
    with_coordinates,
)
from prfast import PRCurve
from prfast.reference import GaussianMixtures, GaussianShift


def laplace() -> Pair:
    """Sixteen columns of Laplace's law, and normal ones of the same variance."""

    def log_ratio(points: Any) -> Any:
        # ln exp(−√2|x|)/√2 − ln N(x; 0, 1)
        return 0.5 * np.log(np.pi) - np.sqrt(2) * np.abs(points) + 0.5 * points**2

    return columns(
        16,
        lambda rng, shape: rng.laplace(0, np.sqrt(0.5), shape),
        lambda rng, shape: rng.standard_normal(shape),
        log_ratio,
    )


def copula() -> Pair:
    """Six normal columns: independent in P; in Q with the copula of Student's t₂."""
    dim = 6

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        t = rng.standard_normal((m, dim)) / np.sqrt(rng.standard_exponential((m, 1)))
        # 1 − T₂(t) = 1 / (s (s + t)), s² = 2 + t²: exact in the far tail
        size = np.sqrt(2 + t**2)
        return rng.standard_normal((n, dim)), -np.sign(t) * ndtri(1 / (size * (size + np.abs(t))))

    def log_ratio(points: Any) -> Any:
        above, below = ndtr(-points), ndtr(points)
        squares = (below - above) ** 2 / (2 * above * below)  # t², as t = (2u − 1) / √(2u(1 − u))
        alone = -1.5 * np.log(2 + squares).sum(axis=1)
        level = gammaln(1 + dim / 2) - dim / 2 * np.log(2 * np.pi)
        return alone - level + (1 + dim / 2) * np.log1p(squares.sum(axis=1) / 2)

    return Pair(sample, log_ratio, sampled(sample, log_ratio))


def shells() -> Pair:
    """Spheres around one center in 20-D: radii 4 and 6 in P, 5 and 6 in Q."""
    radii = GaussianMixtures([[4], [5], [6]], (0.5, 0, 0.5), (0, 0.6, 0.4), [[0.0625]])

    def show(points: Any) -> Any:
        directions = points[:, 1:] / np.linalg.norm(points[:, 1:], axis=1, keepdims=True)
        return points[:, :1] * directions + 1.0

    return with_coordinates(radii, 20, show)


def rare_modes() -> Pair:
    """Return a broad mode and four small ones in 32-D: one dropped, one invented, two re-
    weighted."""
    means = np.vstack([np.zeros(32), 6 * np.eye(4, 32)])
    return mixture(means, (0.8, 0.1, 0.06, 0.04, 0), (0.6, 0, 0.03, 0.17, 0.2))


def rounded() -> Pair:
    """Twelve columns rounded to halves; N(0, 1) and N(.15, 1.15²) before that."""
    ends = (np.arange(-40, 42) - 0.5) / 2

    def log_masses(z: Any) -> Any:
        masses = np.where(z[1:] <= 0, np.diff(ndtr(z)), -np.diff(ndtr(-z)))
        return np.log(np.maximum(masses, 1e-300))

    number_mass = log_masses(ends) - log_masses((ends - 0.15) / 1.15)
    return columns(
        12,
        lambda rng, shape: np.round(2 * rng.standard_normal(shape)) / 2,
        lambda rng, shape: np.round(2 * (0.15 + 1.15 * rng.standard_normal(shape))) / 2,
        lambda points: number_mass[(2 * points).astype(int) + 40],
    )


def skewed() -> Pair:
    """Four skewed columns: exponential in P, gamma of shape 2 with the same mean in Q."""
    return columns(
        4,
        lambda rng, shape: rng.standard_exponential(shape),
        lambda rng, shape: rng.gamma(2.0, 0.5, shape),
        lambda points: points - np.log(4 * points),  # ln e⁻ˣ − ln 4x e⁻²ˣ
    )


def autoregressive() -> Pair:
    """Return a hundred columns, each correlated with the one before: ρ = .5 in P, .62 in Q."""
    dim = 100

    def draw(rng: np.random.Generator, n: int, rho: float) -> Any:
        points = rng.standard_normal((dim, n))
        for t in range(1, dim):
            points[t] = rho * points[t - 1] + np.sqrt(1 - rho**2) * points[t]
        return points.T

    def log_density(points: Any, rho: float) -> Any:
        steps = points[:, 1:] - rho * points[:, :-1]
        level = 0.5 * (dim - 1) * np.log(1 - rho**2)
        return -0.5 * (steps**2).sum(axis=1) / (1 - rho**2) - level

    return of_law(draw, log_density, (0.5,), (0.62,))


def missing_corners() -> Pair:
    """Six columns of two modes and six of noise; no row of Q has a pair of negative columns."""

    def draw(rng: np.random.Generator, n: int) -> Any:
        points = rng.standard_normal((n, 12))
        sizes = np.abs(1.5 + 0.6 * points[:, :6])
        points[:, :6] = np.where(rng.random((n, 6)) < 0.5, -sizes, sizes)
        return points

    def allowed(points: Any) -> Any:
        positive = points[:, :6] > 0
        return (positive[:, ::2] | positive[:, 1::2]).all(axis=1)

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        real, fake = draw(rng, n), draw(rng, 4 * m + 200)
        fake = fake[allowed(fake)]
        assert len(fake) >= m
        return real, fake[:m]

    share = 0.75**3
    return in_regions([1 - share, share], [0, 1], sample, allowed)


def degrees_of_freedom() -> Pair:
    """Elliptic Student's laws in 20-D, of 2 and of 6 degrees of freedom: the norm decides."""
    dim = 20

    def squares(rng: np.random.Generator, n: int, df: float) -> Any:
        return rng.chisquare(dim, (n, 1)) * df / rng.chisquare(df, (n, 1))

    def log_density(square: Any, df: float) -> Any:
        level = gammaln((df + dim) / 2) - gammaln(df / 2) - dim / 2 * np.log(df)
        return level - (df + dim) / 2 * np.log1p(square.sum(axis=1) / df)

    def draw(rng: np.random.Generator, n: int, df: float) -> Any:
        mixed = np.sqrt(df / rng.chisquare(df, (n, 1)))
        return rng.standard_normal((n, dim)) * mixed

    pair = of_law(draw, lambda points, df: log_density(points**2, df), (2.0,), (6.0,))
    return replace(pair, truth=of_law(squares, log_density, (2.0,), (6.0,)).truth)


def spiral() -> Pair:
    """Return a noisy spiral in the plane, and a noisy ring that crosses it."""
    steps, once = (np.arange(60) + 0.5) / 60, 2 * np.pi * np.arange(30) / 30
    turns = 4 * np.pi * steps
    arm = (0.5 + 3.5 * steps)[:, None] * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    circle = 2.5 * np.stack([np.cos(once), np.sin(once)], axis=1)
    p, q = np.repeat([1 / 60, 0], [60, 30]), np.repeat([0, 1 / 30], [60, 30])
    return mixture(np.vstack([arm, circle]), p, q, 0.25)


def sparse() -> Pair:
    """Thirty columns that are mostly zero: .7 in P, .62 in Q; the rest is exponential."""

    def draw(rng: np.random.Generator, shape: tuple[int, int], zero: float, mean: float) -> Any:
        return np.where(rng.random(shape) < zero, 0.0, mean * rng.standard_exponential(shape))

    def log_ratio(points: Any) -> Any:
        nonzero = np.log(0.3 / 0.38 * 1.3) - points * (1 - 1 / 1.3)
        return np.where(points == 0, np.log(0.7 / 0.62), nonzero)

    return columns(
        30,
        lambda rng, shape: draw(rng, shape, 0.7, 1.0),
        lambda rng, shape: draw(rng, shape, 0.62, 1.3),
        log_ratio,
    )


def unequal_sizes() -> Pair:
    """N(0, I) in 16-D; in Q every second column is N(.3, 1.3²).  Six times as many real samples."""

    def draw(rng: np.random.Generator, n: int, means: Any, sds: Any) -> Any:
        return means + sds * rng.standard_normal((n, 16))

    def log_law(points: Any, means: Any, sds: Any) -> Any:
        return -(0.5 * ((points - means) / sds) ** 2 + np.log(sds)).sum(axis=1)

    even, odd = (np.zeros(16), np.ones(16)), (np.tile([0, 0.3], 8), np.tile([1, 1.3], 8))
    return of_law(draw, log_law, even, odd)


def checkerboard() -> Pair:
    """Uniform on a board of 6 × 6 squares; Q has the black ones alone."""

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        fake = 6 * rng.random((m, 2))
        white = ~is_black(fake)
        fake[white, 0] = (fake[white, 0] + 1) % 6  # the square beside it
        return 6 * rng.random((n, 2)), fake

    return in_regions([0.5, 0.5], [0, 1], sample, is_black)


def waves() -> Pair:
    """Uniform on a cube in 5-D; in Q a plane wave of period about a quarter of its side."""
    direction = 2 * np.pi * np.array([3, 2, -1, 0, 0])

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        drawn = rng.random((3 * m + 200, 5))
        accepted_rows = drawn[2 * rng.random(len(drawn)) < 1 + 0.95 * np.cos(drawn @ direction)]
        assert len(accepted_rows) >= m
        return rng.random((n, 5)), accepted_rows[:m]

    def log_ratio(points: Any) -> Any:
        return -np.log1p(0.95 * np.cos(points @ direction))

    # The phase is uniform under P; from 0 to θ it has the mass (θ + .95 sin θ)/π under Q.
    phase = np.linspace(0, np.pi, 1 << 14)
    curve = PRCurve.from_masses(np.diff(phase), np.diff(phase + 0.95 * np.sin(phase)))
    return Pair(sample, log_ratio, exact(curve))


def units() -> Pair:
    """Return two Gaussians at distance 1.8 in 24-D, columns in units from 10⁻⁴ to 10⁴."""
    scales = np.logspace(-4, 4, 24)
    return of_reference(GaussianShift(1.8, 24), lambda points: points * scales)


def signs_of_correlation() -> Pair:
    """Twenty-four normal columns; three pairs have the correlation .6 in P, −.6 in Q."""
    rho, level = 0.6, np.sqrt(1 - 0.6**2)

    def draw(rng: np.random.Generator, n: int, sign: float) -> Any:
        points = rng.standard_normal((n, 24))
        points[:, 1:6:2] = sign * rho * points[:, :6:2] + level * points[:, 1:6:2]
        return points

    def log_law(points: Any, sign: float) -> Any:
        # N(ρ): exp(ρ x y / (1 − ρ²)), and a factor that N(−ρ) has as well
        return sign * rho / level**2 * (points[:, :6:2] * points[:, 1:6:2]).sum(axis=1)

    def products(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        # Σ x y = ½ (1 + ρ) χ² − ½ (1 − ρ) χ²
        sums, differences = rng.chisquare(3, (2, n + m, 1))
        results = 0.5 * (1 + rho) * sums - 0.5 * (1 - rho) * differences
        return results[:n], -results[n:]

    truth = sampled(products, lambda total: 2 * rho / level**2 * total[:, 0], times=4)
    return replace(of_law(draw, log_law, (1.0,), (-1.0,)), truth=truth)


def memorized() -> Pair:
    """Normal rows in 16-D; half of Q are copies of 300 of them, which P has with probability 0."""
    copies = np.random.default_rng(6).standard_normal((300, 16))

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        # A last coordinate tells copies; it is not shown.
        real = np.hstack([rng.standard_normal((n, 16)), np.zeros((n, 1))])
        fake = np.hstack([rng.standard_normal((m, 16)), rng.integers(0, 2, (m, 1))])
        copied = fake[:, 16] == 1
        fake[copied, :16] = copies[rng.integers(0, 300, copied.sum())]
        return real, fake

    return in_regions(
        [1, 0], [0.5, 0.5], sample, lambda points: points[:, 16], lambda points: points[:, :16]
    )


def roll() -> Pair:
    """Return a rolled sheet in 3-D; the middle third of the way along it is missing from Q."""

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        real, fake = rng.random((n, 2)), rng.random((m, 2))
        fake[:, 0] = (fake[:, 0] * 2 / 3 + 2 / 3) % 1
        return real, fake

    def in_third(points: Any) -> Any:
        return (points[:, 0] > 1 / 3) & (points[:, 0] < 2 / 3)

    def show(points: Any) -> Any:
        angle = np.pi * (1.5 + 3 * points[:, 0])
        return np.stack([angle * np.cos(angle), angle * np.sin(angle), 10 * points[:, 1]], axis=1)

    return in_regions([2 / 3, 1 / 3], [1, 0], sample, in_third, show)


FAMILIES = (
    Family("laplace", laplace),
    Family("copula", copula),
    Family("shells", shells),
    Family("rare-modes", rare_modes),
    Family("rounded", rounded, n=3000),
    Family("skewed", skewed, n=3000),
    Family("autoregressive", autoregressive),
    Family("missing-corners", missing_corners),
    Family("degrees-of-freedom", degrees_of_freedom),
    Family("spiral", spiral),
    Family("sparse", sparse),
    Family("unequal-sizes", unequal_sizes, n=15_000, m=2500),
    Family("checkerboard", checkerboard),
    Family("waves", waves),
    Family("units", units),
    Family("signs-of-correlation", signs_of_correlation),
    Family("memorized", memorized),
    Family("roll", roll),
)
