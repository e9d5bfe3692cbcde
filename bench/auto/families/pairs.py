"""Parts of families: known references, mixtures, independent columns."""

from collections.abc import Callable
from typing import Any

import numpy as np

from bench.auto.families.family import Pair, exact, sampled
from prfast import PRCurve

Draw = Callable[[np.random.Generator, tuple[int, int]], Any]


def of_reference(reference: Any, show: Callable[[Any], Any] | None = None) -> Pair:
    """Return a pair of prfast.reference whose curve is in closed form."""

    def sample(rng: np.random.Generator, n: int, m: int) -> tuple[Any, Any]:
        return reference.sample(n, m, random_state=int(rng.integers(1 << 31)))

    pair = Pair(sample, reference.log_ratio, exact(reference.curve()))
    return pair if show is None else Pair(pair.sample, pair.log_ratio, pair.truth, show)


def same_but(p: Any, q: Any, sample: Any, log_ratio: Any) -> Pair:
    """Return a pair whose ratio has few values: the masses of its level sets are given."""
    return Pair(sample, log_ratio, exact(PRCurve.from_masses(p, q)))


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
    show: Callable[[Any], Any] = lambda points: points,
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


def is_black(points: Any) -> Any:
    """Return whether each point is on a black unit square of a chessboard."""
    return np.floor(points).sum(axis=1) % 2 == 0
