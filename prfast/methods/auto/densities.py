"""Bases that compare densities: `Gaussians`, `Modes` and `Means`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.methods.auto.coordinates import Data, View, densities
from prfast.methods.auto.ridge import CENTERED, RidgeScorer

_PSEUDO, _PRIOR = 5.0, 0.3
_STEPS = 8  # of EM


class Gaussians(NamedTuple):
    """A base: the log-ratio of two Gaussians, fitted to a coordinate of each set.

    One column has the covariance S of Ledoit and Wolf (2004), shrunk to its mean variance v; one
    has only variances:

        (1 − h) S + h v 1,   h = min(1, (Σ |x − x̄|⁴ / n − |S|²) / (n |S − v 1|²));
        (n S_jj + 1.5) / (n + 5).

    All follow from sums of the products of x, |x|² and 1: those over all rows minus those of the
    fold.
    """

    name: str
    difference: str
    coordinate: str

    def fit_folds(self, data: Data) -> GaussianScorer | None:
        width = getattr(data.view(slice(1)), self.coordinate).shape[1]
        if not width:
            return None
        products = np.zeros((data.count, 2, width + 2, width + 2))
        for block, view in data.blocks():
            x = getattr(view, self.coordinate)
            x = np.column_stack([x, np.einsum("ij,ij->i", x, x), np.ones(len(x))])
            real, weight = data.real[block], data.given[block]
            for sums, used in zip(products[view.fold], (real, ~real), strict=True):
                inside = x[used]
                sums += inside.T @ (weight[used, None] * inside)
        ratios: list[Any] = []
        for outside in products.sum(axis=0) - products:
            ratios.append([])
            for is_full in (True, False):
                (m, p, v), (k, q, u) = (_gaussian(sums, is_full) for sums in outside)
                a, b = p @ m, q @ k
                constant = (-0.5 * float(a @ m) - v) - (-0.5 * float(b @ k) - u)
                ratios[-1].append((0.5 * (q - p), a - b, constant))
        return GaussianScorer(self.coordinate, ratios)


class GaussianScorer(NamedTuple):
    """Two columns of fitted Gaussians."""

    coordinate: str
    ratios: list[list[tuple[Float64s, Float64s, float]]]
    """A, b and c of xᵀA x + bᵀx + c, for each fold and column."""

    def score(self, view: View) -> Float64s:
        x = getattr(view, self.coordinate)
        columns = np.empty((len(x), 2))
        for i, (a, b, c) in enumerate(self.ratios[view.fold]):
            columns[:, i] = np.einsum("ij,ij->i", x, x @ a + b) + c
        return columns


def _gaussian(sums: Float64s, is_full: bool) -> tuple[Float64s, Float64s, float]:
    """Return the mean, the inverse covariance and ½ log det of the covariance."""
    n, x = max(float(sums[-1, -1]), 1e-9), slice(-2)
    mean = sums[x, -1] / n
    covariance = sums[x, x] / n - np.outer(mean, mean)
    size = float(np.trace(covariance)) / len(mean)
    if not is_full or n < 2 or size < 1e-12:  # the variance of both sets is 1
        variance = np.maximum(np.diagonal(sums)[x] / n - mean**2, 0.0)
        variance = (n * variance + _PSEUDO * _PRIOR) / (n + _PSEUDO)
        return mean, np.diag(1.0 / variance), 0.5 * float(np.log(variance).sum())
    length = float(mean @ mean)
    along, trace = float(mean @ sums[x, x] @ mean), float(np.trace(sums[x, x]))
    fourth = float(sums[-2, -2]) - 4 * float(mean @ sums[x, -2]) + 4 * along
    fourth = (fourth + 2 * length * trace - 3 * n * length**2) / n  # Σ |x − mean|⁴ / n
    squares = float((covariance**2).sum())
    noise, distance = max(fourth - squares, 0.0) / n, squares - len(mean) * size**2
    shrinkage = noise / distance if distance > noise else 1.0
    covariance *= 1.0 - shrinkage
    np.einsum("ii->i", covariance)[:] += (shrinkage + 1e-6) * size
    volume = 0.5 * float(np.linalg.slogdet(covariance)[1])
    return mean, np.asarray(np.linalg.inv(covariance)), volume


class Modes(NamedTuple):
    """A base: a column log Σ_j p_j f_j(z) − log Σ_j q_j f_j(z) for each mixture of components f_j
    that are common to both sets, with their shares p_j and q_j in either set."""

    name: str = "modes"
    difference: str = "clusters have other weights, or other places and spreads"
    rows: int = 10_000

    def fit(self, view: View, y: Float64s, w: Float64s) -> ModeScorer:
        """Return the shares of the components, by EM with a Dirichlet(½) prior."""
        shares = []
        for mixture in view.fitted.modes:
            f = densities(mixture, view.axes)
            shares.append(np.full((2, f.shape[1]), 1.0 / f.shape[1]))
            for share, used in zip(shares[-1], (y > 0, y < 0), strict=True):
                mass, inside = w[used] / w[used].mean(), f[used]
                for _ in range(_STEPS):
                    share *= (mass / np.maximum(inside @ share, 1e-300)) @ inside
                    share += 0.5
                    share /= share.sum()
        return ModeScorer(shares)


class ModeScorer(NamedTuple):
    """The shares of the components of each mixture in both sets."""

    shares: list[Float64s]

    def score(self, view: View) -> Float64s:
        columns = []
        for mixture, (p, q) in zip(view.fitted.modes, self.shares, strict=True):
            f = densities(mixture, view.axes)
            columns.append(np.log(f @ p + 1e-300) - np.log(f @ q + 1e-300))
        return np.column_stack(columns)


class Means(NamedTuple):
    """A base of many columns: the difference δ of both means against a covariance of few numbers.

    The leading axes U have variances v, the others one variance s (probabilistic PCA),

        β = δ / s − U ((1 / s − 1 / v) Uᵀ δ);

    a second column has a covariance that is three times as flat.
    """

    name: str = "means"
    difference: str = "the means differ, a little in many features"

    def fit_folds(self, data: Data) -> RidgeScorer | None:
        fitted, width = data.coordinates, data.folds.width
        if not fitted.is_wide:
            return None
        sums, masses = np.zeros((data.count, 2, width)), np.zeros((data.count, 2, 1))
        weight = data.balanced()
        for block, view in data.blocks():
            for i, sign in enumerate((1.0, -1.0)):
                w = weight[block] * (data.y[block] == sign)
                sums[view.fold, i] += w.astype(np.float32) @ view.centered
                masses[view.fold, i] += w.sum()
        means = (sums.sum(axis=0) - sums) / np.maximum(masses.sum(axis=0) - masses, 1e-9)
        delta, along = means[:, 0] - means[:, 1], (means[:, 0] - means[:, 1]) @ fitted.basis
        variance = fitted.deviation**2
        left = max(fitted.size - float(variance.sum()), 1e-12 * fitted.size, 1e-290)
        s = left / max(width - variance.size, 1)
        slopes = np.empty((data.count, width, 2))
        for i, extra in enumerate((0.0, 3.0 * fitted.size / width)):
            few, many = s + extra, np.maximum(variance, s) + extra
            slopes[:, :, i] = delta / few - ((1 / few - 1 / many) * along) @ fitted.basis.T
        intercepts = -0.5 * np.einsum("ij,ijk->ik", means.sum(axis=1), slopes)
        return RidgeScorer(CENTERED, slopes, intercepts)
