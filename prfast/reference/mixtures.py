"""Mixtures of Gaussians, and two Gaussians: densities whose samples and log-ratio are known."""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.curve import PRCurve
from prfast.inputs.arrays import Float64s, read_numbers, read_vector
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import RandomState, read_count
from prfast.inputs.samples import read_samples
from prfast.reference.arguments import read_covs, read_points, read_shares
from prfast.reference.densities import Densities
from prfast.reference.level_sets import CELLS, line_curve


class GaussianMixtures(Densities):
    """P and Q mixtures of the same Gaussians N(m_c, Σ_c) with weights p and q.

    Parameters
    ----------
    means : array, shape (components, d)
    p, q : array, shape (components,)
        Weights of the components in P and in Q; each divided by its sum.
    covs : array, shape (d, d) or (components, d, d), optional
        Covariance of all or of each; the identity by default.

    In one dimension, and where all components have one covariance and means on one line, the ratio
    depends on one coordinate and `curve` is exact; otherwise it comes from samples.
    """

    def __init__(self, means: Any, p: Any, q: Any, covs: Any = None) -> None:
        means = read_samples("means", means).astype(np.float64)
        self.p = read_shares("p", p, length=len(means))
        self.q = read_shares("q", q, length=len(means))
        self.means = means
        dim = means.shape[1]
        covs = np.eye(dim) if covs is None else covs
        covs = read_covs("covs", covs, (dim, dim), (len(means), dim, dim))
        self._shared = covs.ndim == 2
        self.covs: Float64s = np.broadcast_to(covs, (len(means), dim, dim))
        self._roots = np.linalg.cholesky(self.covs)
        super().__init__(
            lambda z: self._log_density(z, self.p),
            lambda z: self._log_density(z, self.q),
            lambda rng, n: self._draw(rng, n, self.p),
            lambda rng, n: self._draw(rng, n, self.q),
        )

    def curve(self, n: int = 1 << 18, random_state: RandomState = 0, cells: int = CELLS) -> PRCurve:
        """The curve: on `cells` intervals, 32_768 by default, where one coordinate decides, else
        from samples of the mixture, `n` and `random_state` as for `Densities.curve`."""
        line = self._line()
        if line is None:
            return super().curve(n, random_state)
        cells = read_count("cells", cells, at_least=3)
        info = {"reference": type(self).__name__, "cells": cells}
        return line_curve(cells, *line, np.stack([self.p, self.q]), info)

    def log_ratio(self, points: Any) -> Float64s:
        """ln dP/dQ at points (n, d)."""
        return super().log_ratio(read_points(points, self.means.shape[1]))

    def _line(self) -> tuple[Float64s, Float64s] | None:
        """Means and standard deviations along the one coordinate that decides, if there is one."""
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
        """ln Σ_c w_c N(z; m_c, Σ_c)."""
        from scipy.linalg import solve_triangular
        from scipy.special import logsumexp

        terms = []
        for mean, root in zip(self.means, self._roots, strict=True):
            white = solve_triangular(root, (points - mean).T, lower=True)
            log_root = np.log(np.diag(root) * np.sqrt(2 * np.pi)).sum()
            terms.append(-0.5 * (white**2).sum(axis=0) - log_root)
        return np.asarray(logsumexp(np.stack(terms), axis=0, b=weights[:, None]))

    def _draw(self, rng: np.random.Generator, n: int, weights: Float64s) -> Float64s:
        which = rng.choice(len(weights), n, p=weights)
        noise = rng.standard_normal((n, self.means.shape[1]))
        points = np.empty_like(noise)
        for c, root in enumerate(self._roots):
            points[which == c] = noise[which == c] @ root.T + self.means[c]
        return points


class Gaussians(GaussianMixtures):
    """P = N(mean_p, cov_p) and Q = N(mean_q, cov_q).

    With equal covariances, or in one dimension, `curve` is exact; otherwise it comes from samples.

    Parameters
    ----------
    mean_p, mean_q : array, shape (d,)
    cov_p, cov_q : array, shape (d, d), optional
        The identity by default; `cov_q` is `cov_p` by default.
    """

    def __init__(self, mean_p: Any, mean_q: Any, cov_p: Any = None, cov_q: Any = None) -> None:
        mean_p, mean_q = read_numbers("mean_p", mean_p), read_numbers("mean_q", mean_q)
        if mean_p.ndim != 1 or mean_p.shape != mean_q.shape:
            raise WrongValue(
                "mean_p and mean_q",
                f"1-D arrays of one length expected, got shapes {mean_p.shape} and {mean_q.shape}",
            )
        mean_p, mean_q = read_vector("mean_p", mean_p), read_vector("mean_q", mean_q)
        shape = (mean_p.size, mean_p.size)
        cov_p = read_covs("cov_p", np.eye(mean_p.size) if cov_p is None else cov_p, shape)
        cov_q = cov_p if cov_q is None else read_covs("cov_q", cov_q, shape)
        covs = cov_p if np.array_equal(cov_p, cov_q) else np.stack([cov_p, cov_q])
        super().__init__(np.stack([mean_p, mean_q]), [1, 0], [0, 1], covs)
