"""Families that the design of "auto" was chosen on: all published cases, and what they miss."""

from functools import partial
from typing import Any

import numpy as np
from scipy import stats

from bench.auto.families.family import Family, Pair, exact
from bench.auto.families.pairs import columns, in_regions, mixture, of_reference, scaled
from prfast.reference import Discrete, GaussianMixtures, GaussianShift

DELTAS = {"1": 1.0, "5/3": 5 / 3, "7/3": 7 / 3, "3": 3.0}


def shift(delta: float, dim: int) -> Pair:
    """N(0, I) and N(μ, I) at distance Δ (2024 paper, Table 1)."""
    return of_reference(GaussianShift(delta, dim))


def scale(sd: float, dim: int) -> Pair:
    """N(0, I) and N(0, sd² I): the ratio falls with the norm, whose square is χ²."""

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        return rng.standard_normal((n, dim)), sd * rng.standard_normal((m, dim))

    def log_ratio(points: Any) -> Any:
        return dim * np.log(sd) - 0.5 * (1 - sd**-2) * (points**2).sum(axis=1)

    return Pair(sample, log_ratio, exact(scaled(stats.chi2(dim), sd**2)))


def paper_modes() -> Pair:
    """Modes dropped, invented and re-weighted in 64-D (2024 paper, Fig. 3)."""
    means = np.outer((0, -5, 3, 5), np.ones(64))
    return of_reference(GaussianMixtures(means, (0.3, 0.2, 0.5, 0), (0, 0.5, 0.2, 0.3)))


def ring() -> Pair:
    """Eight modes on a ring; the generated samples have four of them, re-weighted."""
    angles = 2 * np.pi * np.arange(8) / 8
    means = 6 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return mixture(means, np.full(8, 1 / 8), (0.3, 0.3, 0.2, 0.2, 0, 0, 0, 0))


def reweighted(dim: int, modes: int, spread: float) -> Pair:
    """Modes with equal weights in P, others in Q."""
    rng = np.random.default_rng(5)
    means = spread * rng.standard_normal((modes, dim))
    return mixture(means, np.full(modes, 1 / modes), rng.dirichlet(np.ones(modes)))


def narrow() -> Pair:
    """Twelve narrow clusters in 64-D, six of which are dropped; they do not overlap."""
    means = np.random.default_rng(8).standard_normal((12, 64))
    p, q = np.full(12, 1 / 12), np.repeat([2 / 12, 0], 6)
    return mixture(means, p, q, 0.05, truth=Discrete(p, q).curve())


def heavy_tails() -> Pair:
    """Ten columns of t₃, and normal ones of the same variance."""

    def log_ratio(points: Any) -> Any:
        # ln t₃(x) = ln(2/(π√3)) − 2 ln(1 + x²/3), ln N(x; 0, 3) = −½ ln 6π − x²/6
        level = np.log(2 / (np.pi * np.sqrt(3))) + 0.5 * np.log(6 * np.pi)
        return level - 2 * np.log1p(points**2 / 3) + points**2 / 6

    return columns(
        10,
        lambda rng, shape: rng.standard_t(3, shape),
        lambda rng, shape: np.sqrt(3) * rng.standard_normal(shape),
        log_ratio,
    )


def manifold() -> Pair:
    """Return a curved surface in 512-D: two Gaussians at distance 1.5 on its two coordinates."""
    first, second = np.random.default_rng(3).standard_normal((2, 2, 512))
    return of_reference(GaussianShift(1.5, 2), lambda u: np.sin(u @ first) + 0.3 * u @ second)


def distinct_vectors() -> Pair:
    """Return two hundred vectors in R¹⁶ with other weights in P and in Q."""
    rng = np.random.default_rng(4)
    vectors = rng.standard_normal((200, 16))
    p, q = rng.dirichlet(np.ones(200), 2)
    return of_reference(Discrete(p, q), lambda cells: vectors[cells[:, 0].astype(int)])


def line() -> Pair:
    """Three modes on a line, re-weighted."""
    return of_reference(
        GaussianMixtures([[-2], [0], [3]], (0.5, 0.3, 0.2), (0.2, 0.3, 0.5), [[0.49]])
    )


def cubes(dim: int) -> Pair:
    """Uniform on two cubes that share a fifth of their volume."""
    side = 0.2 ** (1 / dim)

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        return rng.random((n, dim)), rng.random((m, dim)) + 1 - side

    def region(points: Any) -> Any:
        return 1 - (points < 1 - side).any(axis=1) + (points > 1).any(axis=1)

    return in_regions([0.8, 0.2, 0], [0, 0.2, 0.8], sample, region)


def parity() -> Pair:
    """Normal columns; the product of three signs is positive in half of P and in .9 of Q."""

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        real, fake = rng.standard_normal((n, 10)), rng.standard_normal((m, 10))
        turned = (np.sign(fake[:, :3]).prod(axis=1) < 0) & (rng.random(m) < 0.8)
        fake[turned, 0] *= -1
        return real, fake

    return in_regions(
        [0.5, 0.5], [0.1, 0.9], sample, lambda points: np.sign(points[:, :3]).prod(axis=1) > 0
    )


FAMILIES = (
    *(Family(f"shift-{name}", partial(shift, delta, 64)) for name, delta in DELTAS.items()),
    *(
        Family(f"shift-{name}-n1000", partial(shift, delta, 64), n=1000)
        for name, delta in DELTAS.items()
    ),
    Family("shift-1-d2048", partial(shift, 1.0, 2048)),
    Family("shift-2-d2048", partial(shift, 2.0, 2048)),
    Family("scale-1.1", partial(scale, 1.1, 64)),
    Family("scale-1.3", partial(scale, 1.3, 64)),
    Family("paper-modes", paper_modes),
    Family("ring", ring),
    Family("reweighted-d64", partial(reweighted, 64, 8, 0.6)),
    Family("reweighted-d128", partial(reweighted, 128, 10, 1.2)),
    Family("narrow", narrow),
    Family("heavy-tails", heavy_tails),
    Family("manifold-d512", manifold),
    Family("distinct-vectors", distinct_vectors),
    Family("line", line),
    Family("equal", partial(shift, 0.0, 64)),
    Family("equal-n1000", partial(shift, 0.0, 64), n=1000),
    Family("cubes-d8", partial(cubes, 8)),
    Family("cubes-d64", partial(cubes, 64)),
    Family("parity", parity),
)
