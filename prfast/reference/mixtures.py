"""Pairs P, Q with known curve, samples and log-ratio: densities, cells, Gaussians and mixtures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from prfast.curve import PRCurve
from prfast.inputs.arrays import (
    Float64s,
    Floats,
    in_order,
    read_lambdas,
    read_numbers,
    read_shaped,
    read_vector,
    read_weights,
)
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import RandomState, read_count, read_number, read_seed
from prfast.reference.nearest import CELLS, line_curve
from prfast.samples.samples import read_samples


def read_covs(name: str, values: Any, *shapes: tuple[int, ...]) -> Float64s:
    """Return positive definite matrices, symmetric up to 1e-8 of the standard deviations."""
    covs = read_numbers(name, values).astype(np.float64)
    if covs.shape not in shapes:
        expected = " or ".join(map(str, shapes))
        raise WrongValue(name, f"shape {expected} expected, got {covs.shape}")
    with np.errstate(invalid="ignore", over="ignore"):
        sds = np.sqrt(np.abs(np.diagonal(covs, axis1=-2, axis2=-1)))
        allowed = 1e-8 * sds[..., :, None] * sds[..., None, :]
        is_symmetric = (np.abs(covs - np.swapaxes(covs, -2, -1)) <= allowed).all()
    if not np.isfinite(covs).all() or not is_symmetric:
        raise WrongValue(name, "finite symmetric matrices expected")
    try:
        np.linalg.cholesky(covs)
    except np.linalg.LinAlgError:
        raise WrongValue(name, "positive definite matrices expected") from None
    return covs


def read_shares(name: str, weights: Any, length: int | None = None) -> Float64s:
    """Return weights divided by their sum."""
    weights = read_weights(name, weights, length)
    return np.asarray(weights / weights.sum())


def read_points(points: Any, dim: int) -> Floats:
    array: Floats = read_samples("points", points)
    if array.shape[1] != dim:
        raise WrongValue("points", f"shape (n, {dim}) expected, got {array.shape}")
    return array


Sampler = Callable[[np.random.Generator, int], Any]  # (rng, n) -> (n, d) points


class _Sampled:
    """P and Q with a sampler each."""

    sample_p: Sampler
    sample_q: Sampler

    def sample(
        self, n: int, m: int | None = None, random_state: RandomState = 0
    ) -> tuple[Any, Any]:
        """Return n points of P and m (n by default) of Q, float64, shapes (n, d) and (m, d).  The
        seed is `random_state`, 0 by default."""
        n = read_count("n", n)
        m = n if m is None else read_count("m", m)
        rng = np.random.default_rng(read_seed(random_state))
        real = read_samples("sample_p(rng, n)", self.sample_p(rng, n))
        fake = read_samples("sample_q(rng, n)", self.sample_q(rng, m))
        return real, fake


@dataclass(eq=False, repr=False)
class Densities(_Sampled):
    """P and Q defined by any two log-densities and samplers.

    See also `Gaussians`.

    >>> from prfast.reference import Densities
    >>> log_p, log_q = lambda x: -abs(x[:, 0]), lambda x: -abs(x[:, 0] - 1)
    >>> p, q = lambda rng, n: rng.laplace(0, 1, (n, 1)), lambda rng, n: rng.laplace(1, 1, (n, 1))
    >>> real, fake = Densities(log_p, log_q, p, q).sample(500)

    Parameters
    ----------
    log_p, log_q : callable
        (n, d) points -> (n,) log-densities with respect to one measure; −∞ where there is no mass.
    sample_p, sample_q : callable
        (rng, n) -> (n, d) points, rng a numpy.random.Generator.
    """

    log_p: Callable[[Any], Any]
    log_q: Callable[[Any], Any]
    sample_p: Sampler
    sample_q: Sampler

    def curve(self, n: int = 1 << 18, random_state: RandomState = 0) -> PRCurve:
        """Return the curve estimated from n samples of ½(P + Q).

        A sample z is a cell with the masses p ∝ η(z), q ∝ 1 − η(z), η = p/(p + q).  The error is
        that of means of bounded numbers, ≲ 1/(2√n); `n` is 262_144, `random_state` 0 by default.
        """
        from scipy.special import expit

        n, seed = read_count("n", n, at_least=2), read_seed(random_state)
        ratio = np.concatenate([self.log_ratio(z) for z in self.sample(n - n // 2, n // 2, seed)])
        info = {"reference": type(self).__name__, "n": n, "random_state": seed}
        return PRCurve.from_masses(expit(ratio), expit(-ratio), info=info)

    def log_ratio(self, points: Any) -> Float64s:
        """Return ln dP/dQ at points (n, d): ±∞ where one density is 0; ValueError if both are."""
        points = read_samples("points", points)
        logs = []
        for name, function in (("log_p", self.log_p), ("log_q", self.log_q)):
            values = read_numbers(name, function(points)).astype(np.float64)
            if values.shape != (n := len(points),):
                raise WrongValue(name, f"shape {(n,)} expected for {n} points, got {values.shape}")
            if np.isnan(values).any() or np.isposinf(values).any():
                raise WrongValue(name, "finite numbers or −∞ expected, got nan or ∞")
            logs.append(values)
        is_empty = np.isneginf(logs).all(axis=0)
        if is_empty.any():
            text = f"a positive density of P or Q expected, got none in row {is_empty.argmax()}"
            raise WrongValue("points", text)
        return np.asarray(logs[0] - logs[1])


class Discrete(_Sampled):
    """P and Q on finitely many cells, with masses p and q (each divided by its sum).

    Samples are cell numbers, as one column of float64.
    Example: ``prfast.reference.Discrete([0.5, 0.5, 0.0], [0.25, 0.25, 0.5]).curve()``.
    See also `prfast.PRCurve.from_masses`.
    """

    def __init__(self, p: Any, q: Any) -> None:
        q = in_order("q", q, "p", p)
        self.p = read_shares("p", p)
        self.q = read_shares("q", q, length=self.p.size)
        self.sample_p, self.sample_q = (partial(_draw_cells, masses=x) for x in (self.p, self.q))

    def curve(self) -> PRCurve:
        """Return the exact curve, α_λ = Σ_i min(λ p_i, q_i) (2018, Theorem 2)."""
        return PRCurve.from_masses(self.p, self.q, info={"reference": "Discrete"})

    def log_ratio(self, points: Any) -> Float64s:
        """Return ln p_i / q_i for cell numbers, shape (n, 1): ±∞ where one mass is 0; ValueError if
        both are."""
        numbers = read_points(points, 1)[:, 0]
        is_cell = np.isin(numbers, np.flatnonzero((self.p > 0) | (self.q > 0)))
        if not is_cell.all():
            row = int(is_cell.argmin())
            text = f"cells of positive mass in P or Q, below {self.p.size}, expected"
            raise WrongValue("points", f"{text}, got {numbers[row]} in row {row}")
        cells = numbers.astype(np.int64)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.p[cells]) - np.log(self.q[cells]))


def _draw_cells(rng: np.random.Generator, n: int, masses: Float64s) -> Float64s:
    return rng.choice(masses.size, n, p=masses)[:, None].astype(np.float64)


class GaussianMixtures(Densities):
    """P and Q mixtures of the same Gaussians N(m_c, Σ_c) with weights p and q.

    Example: ``prfast.reference.GaussianMixtures([[0], [5]], [0.5, 0.5], [1, 0]).sample(500)``.
    See also `Gaussians`.

    Parameters
    ----------
    means : array, shape (components, d)
    p, q : array, shape (components,)
        Weights of the components in P and in Q; each divided by its sum.
    covs : array, shape (d, d) or (components, d, d), optional
        Covariance of all or of each; the identity by default.

    In one dimension, and if all components have one covariance and means on one line, the ratio
    depends on one coordinate and `curve` is exact.  Otherwise it comes from samples.
    """

    def __init__(self, means: Any, p: Any, q: Any, covs: Any = None) -> None:
        self.means: Float64s = read_samples("means", means).astype(np.float64)
        count, dim = self.means.shape
        self.p, self.q = read_shares("p", p, length=count), read_shares("q", q, length=count)
        covs = np.eye(dim) if covs is None else covs
        covs = read_covs("covs", covs, (dim, dim), (count, dim, dim))
        self._shared = covs.ndim == 2
        self.covs: Float64s = np.broadcast_to(covs, (count, dim, dim))
        self._roots = np.linalg.cholesky(self.covs)
        super().__init__(
            lambda z: self._log_density(z, self.p),
            lambda z: self._log_density(z, self.q),
            lambda rng, n: self._draw(rng, n, self.p),
            lambda rng, n: self._draw(rng, n, self.q),
        )

    def curve(self, n: int = 1 << 18, random_state: RandomState = 0, cells: int = CELLS) -> PRCurve:
        """Return the curve, on `cells` intervals, 32_768 by default, if the ratio depends on one
        coordinate, else from samples, `n` and `random_state` as for `Densities.curve`."""
        line = self._line()
        if line is None:
            return super().curve(n, random_state)
        cells = read_count("cells", cells, at_least=3)
        info = {"reference": type(self).__name__, "cells": cells}
        return line_curve(cells, *line, np.stack([self.p, self.q]), info)

    def smoothed(self, resolution: float, scale: Any = None) -> GaussianMixtures:
        """Return the pair at a resolution σ: covariances plus σ² diag(scale²), as `prfast.profile`.
        Its `scale`, (d,), is by default the standard deviation of each feature in P."""
        sigma = read_number("resolution", resolution, 0.0, 1e6)
        if scale is None:
            squares = np.diagonal(self.covs, axis1=1, axis2=2) + self.means**2
            scale = np.sqrt(self.p @ squares - (self.p @ self.means) ** 2)
        scale = read_vector("scale", scale).astype(np.float64)
        covs = self.covs[0] if self._shared else self.covs
        return GaussianMixtures(self.means, self.p, self.q, covs + sigma**2 * np.diag(scale**2))

    def _line(self) -> tuple[Float64s, Float64s] | None:
        """Return means and deviations along the coordinate that alone determines the ratio."""
        if self.means.shape[1] == 1:
            return self.means[:, 0], np.sqrt(self.covs[:, 0, 0])
        if not self._shared:
            return None
        white = np.linalg.solve(self._roots[0], (self.means - self.means[0]).T).T
        _, sizes, axes = np.linalg.svd(white, full_matrices=False)
        if len(sizes) > 1 and sizes[1] > 1e-12 * max(1.0, sizes[0]):
            return None
        return white @ axes[0], np.ones(len(white))

    def _log_density(self, points: Float64s, weights: Float64s) -> Float64s:
        """Return ln Σ_c w_c N(z; m_c, Σ_c)."""
        from scipy.linalg import solve_triangular
        from scipy.special import logsumexp

        read_points(points, self.means.shape[1])
        terms = []
        for mean, root in zip(self.means, self._roots, strict=True):
            white = solve_triangular(root, (points - mean).T, lower=True)
            log_root = np.log(np.diag(root) * np.sqrt(2 * np.pi)).sum()
            terms.append(-0.5 * (white**2).sum(axis=0) - log_root)
        return np.asarray(logsumexp(np.stack(terms), axis=0, b=weights[:, None]))

    def _draw(self, rng: np.random.Generator, n: int, weights: Float64s) -> Float64s:
        components = rng.choice(len(weights), n, p=weights)
        normal = rng.standard_normal((n, self.means.shape[1]))
        points = np.empty_like(normal)
        for c, root in enumerate(self._roots):
            points[components == c] = normal[components == c] @ root.T + self.means[c]
        return points


class Gaussians(GaussianMixtures):
    """P = N(mean_p, cov_p) and Q = N(mean_q, cov_q).

    With equal covariances, or in one dimension, `curve` is exact; otherwise it comes from samples.
    Example: ``real, fake = prfast.reference.Gaussians([0.0, 0.0], [1.0, 0.0]).sample(500)``.
    See also `GaussianShift`.

    Parameters
    ----------
    mean_p, mean_q : array, shape (d,)
    cov_p, cov_q : array, shape (d, d), optional
        The identity by default; `cov_q` is `cov_p` by default.
    """

    def __init__(self, mean_p: Any, mean_q: Any, cov_p: Any = None, cov_q: Any = None) -> None:
        mean_p, mean_q = read_vector("mean_p", mean_p), read_vector("mean_q", mean_q)
        if mean_p.size != mean_q.size:
            text = f"1-D arrays of one length expected, got shapes {mean_p.shape} and"
            raise WrongValue("mean_p and mean_q", f"{text} {mean_q.shape}")
        shape = (mean_p.size, mean_p.size)
        cov_p = read_covs("cov_p", np.eye(mean_p.size) if cov_p is None else cov_p, shape)
        cov_q = cov_p if cov_q is None else read_covs("cov_q", cov_q, shape)
        covs = cov_p if np.array_equal(cov_p, cov_q) else np.stack([cov_p, cov_q])
        super().__init__(np.stack([mean_p, mean_q]), [1, 0], [0, 1], covs)


def _draw_normal(rng: np.random.Generator, n: int, dim: int, shift: float) -> Float64s:
    return rng.standard_normal((n, dim)) + shift


class GaussianShift(_Sampled):
    """P = N(0, I_d) and Q = N(μ1, I_d) at distance Δ = ‖μ1‖ = μ√d (2024, Table 1).

    `delta` is Δ, `dim` is d, 1 by default; α_λ = λ Φ(−ln λ/Δ − Δ/2) + Φ(ln λ/Δ − Δ/2).
    Example: ``print(prfast.reference.GaussianShift(1.0, dim=8).curve())``.  See also `Gaussians`.
    """

    def __init__(self, delta: float, dim: int = 1) -> None:
        self.delta = read_number("delta", delta, 0.0, 1e3)
        self.dim = read_count("dim", dim)
        shift = self.delta / np.sqrt(self.dim)
        self.sample_p = partial(_draw_normal, dim=self.dim, shift=0.0)
        self.sample_q = partial(_draw_normal, dim=self.dim, shift=shift)

    def alpha(self, lam: Any) -> Float64s:
        """Return α at λ in [0, ∞], any shape, from the closed form."""
        from scipy.special import ndtr

        lam, shape = read_shaped("lam", lam, read_lambdas)
        lam = lam.reshape(shape)
        if self.delta == 0:
            return np.asarray(np.minimum(lam, 1.0))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            t = np.log(lam) / self.delta
            real = np.where(np.isposinf(lam), 0.0, lam * ndtr(-t - self.delta / 2))
        return np.asarray(real + ndtr(t - self.delta / 2))

    def smoothed(self, resolution: float) -> GaussianShift:
        """Return the pair at a resolution σ, in standard deviations: its Δ is Δ / √(1 + σ²)."""
        sigma = read_number("resolution", resolution, 0.0, 1e6)
        return GaussianShift(self.delta / np.sqrt(1 + sigma**2), self.dim)

    def curve(self, cells: int = CELLS) -> PRCurve:
        """Return the curve on `cells` intervals of the log-ratio, 32_768 by default.  It is exact
        at the ratios of their ends; between them α is too high by about 0.05 Δ ((24 + Δ) /
        cells)²."""
        cells = read_count("cells", cells, at_least=3)
        info = {"reference": "GaussianShift", "delta": self.delta, "cells": cells}
        if self.delta == 0:
            return PRCurve.from_masses([1.0], [1.0], info=info)
        # Along the line through both means P is N(0, 1), Q is N(Δ, 1).
        return line_curve(cells, np.array([0.0, self.delta]), np.ones(2), np.eye(2), info)

    def log_ratio(self, points: Any) -> Float64s:
        """Return ln dP/dQ = Δ²/2 − Δ ⟨z, 1⟩/√d."""
        points = read_points(points, self.dim)
        along = points.sum(axis=1, dtype=np.float64) / np.sqrt(self.dim)
        return np.asarray(self.delta**2 / 2 - self.delta * along)


# The six pairs of histograms that explain precision and recall (2018, Fig. 2): 11 cells, a mode, a
# gap, a mode.  The paper prints no numbers; a test checks its sentence on each pair.
_MODE, _NONE = np.array([1.0, 4, 6, 4, 1]), np.zeros(5)
_BOTH = np.concatenate([_MODE, [0], _MODE])
_LEFT, _RIGHT = np.concatenate([_MODE, [0], _NONE]), np.concatenate([_NONE, [0], _MODE])

TOYS = {
    "a": Discrete(_BOTH, _LEFT),
    "b": Discrete(_LEFT, _BOTH),
    "c": Discrete(_BOTH, _BOTH),
    "d": Discrete(_LEFT, _RIGHT),
    "e": Discrete(_BOTH, 15 * _LEFT + _RIGHT),
    "f": Discrete(15 * _LEFT + _RIGHT, _BOTH),
}
