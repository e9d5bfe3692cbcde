"""Parts of families: known references, regions, mixtures, laws, independent and noise columns."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from bench.auto.families.family import Pair, Sample, exact, sampled
from prfast import PRCurve

Draw = Callable[[np.random.Generator, tuple[int, int]], Any]


def as_drawn(points: Any) -> Any:
    return points


def of_reference(reference: Any, show: Callable[[Any], Any] = as_drawn) -> Pair:
    """Return a pair of prfast.reference whose curve is in closed form."""

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        return reference.sample(n, m, random_state=int(rng.integers(1 << 31)))

    return Pair(sample, reference.log_ratio, exact(reference.curve()), show)


def in_regions(
    p: Any, q: Any, sample: Sample, region: Callable[[Any], Any], show: Any = as_drawn
) -> Pair:
    """Return a pair whose ratio is constant in each region: the masses of the regions, and the
    number of the region of each row, or whether it is in the second of two."""
    with np.errstate(divide="ignore"):
        ratios = np.log(np.divide(p, q))
    truth = exact(PRCurve.from_masses(p, q))
    return Pair(sample, lambda points: ratios[region(points).astype(int)], truth, show)


def scaled(law: Any, factor: float) -> PRCurve:
    """Return the curve of a law of positive numbers and of the numbers times a factor above 1, if
    the ratio is monotone."""
    ends = np.linspace(law.ppf(1e-12), factor * law.isf(1e-12), 1 << 14)
    ends = np.concatenate([[0.0], ends, [np.inf]])
    return PRCurve.from_masses(np.diff(law.cdf(ends)), np.diff(law.cdf(ends / factor)))


def mixture(means: Any, p: Any, q: Any, sd: float = 1.0, truth: PRCurve | None = None) -> Pair:
    """Σ p_c N(m_c, sd² I) and Σ q_c N(m_c, sd² I).

    The ratio depends on the coordinates along the differences of means alone: the truth is sampled
    in these.
    """
    means, p, q = (np.asarray(array, dtype=float) for array in (means, p, q))
    sample, log_ratio = _mixture(means, p, q, sd)
    if truth is not None:
        return Pair(sample, log_ratio, exact(truth))
    centered = means - means.mean(axis=0)
    _, sizes, axes = np.linalg.svd(centered, full_matrices=False)
    flat = centered @ axes[sizes > 1e-9 * sizes[0]].T
    return Pair(sample, log_ratio, sampled(*_mixture(flat, p, q, sd)))


def _mixture(means: Any, p: Any, q: Any, sd: float) -> tuple[Any, Any]:
    densities = np.stack([p, q], axis=1)

    def draw(rng: np.random.Generator, n: int, weights: Any) -> Any:
        which = rng.choice(len(weights), n, p=weights)
        return means[which] + sd * rng.standard_normal((n, means.shape[1]))

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        return draw(rng, n, p), draw(rng, m, q)

    def log_ratio(points: Any) -> Any:
        # −‖z − m_c‖² / 2 sd² without ‖z‖², which is the same for all components
        terms = (points @ means.T - 0.5 * (means**2).sum(axis=1)) / sd**2
        terms -= terms.max(axis=1, keepdims=True)
        with np.errstate(divide="ignore"):  # ±∞ beyond e^±745
            logs = np.log(np.exp(terms) @ densities)
        return logs[:, 0] - logs[:, 1]

    return sample, log_ratio


def of_law(
    draw: Callable[..., Any],
    log_law: Callable[..., Any],
    p: tuple[Any, ...],
    q: tuple[Any, ...],
    show: Callable[[Any], Any] = as_drawn,
) -> Pair:
    """Return one law with two sets of parameters: `draw(rng, n, *parameters)`, `log_law(points,
    *parameters)`, of which terms without the parameters may be left out."""

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        return draw(rng, n, *p), draw(rng, m, *q)

    def log_ratio(points: Any) -> Any:
        return log_law(points, *p) - log_law(points, *q)

    return Pair(sample, log_ratio, sampled(sample, log_ratio), show)


def columns(dim: int, draw_p: Draw, draw_q: Draw, log_ratio: Callable[[Any], Any]) -> Pair:
    """Independent columns of one law: `draw`(rng, shape), and the log-ratio of one column."""

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        return draw_p(rng, (n, dim)), draw_q(rng, (m, dim))

    def total(points: Any) -> Any:
        return log_ratio(points).sum(axis=1)

    return Pair(sample, total, sampled(sample, total))


def normal(rng: np.random.Generator, shape: tuple[int, int]) -> Any:
    return rng.standard_normal(shape)


def among_noise(pair: Pair, dim: int, noise: int, draw: Draw = normal) -> Pair:
    """Return the pair, whose coordinates are `dim` columns, with `noise` further columns of one
    law."""

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        real, fake = pair.sample(rng, n, m)
        return np.hstack([real, draw(rng, (n, noise))]), np.hstack([fake, draw(rng, (m, noise))])

    def show(points: Any) -> Any:
        return np.hstack([pair.show(points[:, :dim]), points[:, dim:]])

    return Pair(sample, lambda points: pair.log_ratio(points[:, :dim]), pair.truth, show)


def with_coordinates(reference: Any, number: int, show: Any, draw: Draw = normal) -> Pair:
    """Return a reference of one column with further coordinates of one law, which `show` uses."""
    return replace(among_noise(of_reference(reference), 1, number, draw), show=show)


def is_black(points: Any) -> Any:
    """Return whether each point is on a black unit square of a chessboard."""
    return np.floor(points).sum(axis=1) % 2 == 0
