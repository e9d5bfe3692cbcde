"""Bases that compare densities: `Gaussians`, `Modes` and `Means`.

gaussians: the log-ratio of two Gaussians, fitted to a coordinate of each set.  One column has the
covariance S of Ledoit and Wolf (2004), shrunk to its mean variance v; one has only variances:

    (1 − h) S + h v 1,   h = min(1, (Σ |x − x̄|⁴ / n − |S|²) / (n |S − v 1|²));
    (n S_jj + 1.5) / (n + 5).

All follow from sums of the products of x, |x|² and 1: those over all rows minus those of the fold.

modes: the components f_j are common to both sets (`prfast.methods.auto.modes`); the shares p_j and
q_j come from EM with a Dirichlet(½) prior.  A column for each mixture:

    log Σ_j p_j f_j(z) − log Σ_j q_j f_j(z).

means, of many columns: the difference δ of both means against a covariance of few numbers, the
leading axes U with variances v and one variance s for the rest (probabilistic PCA),

    β = δ / s − U ((1 / s − 1 / v) Uᵀ δ).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.methods.auto.coordinates import Data, View
from prfast.methods.auto.ridge import CENTERED, RidgeScorer

_PSEUDO, _PRIOR = 5.0, 0.3
_STEPS = 8  # of EM


class Gaussians(NamedTuple):
    """A base: two columns."""

    name: str
    difference: str
    coordinate: str

    def fit_folds(self, data: Data) -> GaussianScorer | None:
        """Return Gaussians fitted for each fold on the others."""
        width = getattr(data.view(slice(1)), self.coordinate).shape[1]
        if not width:
            return None
        products = np.zeros((data.count, 2, width + 2, width + 2))
        for block, view in data.blocks():
            x = getattr(view, self.coordinate)
            x = np.column_stack([x, np.einsum("ij,ij->i", x, x), np.ones(len(x))])
            real, weight = data.real[block], data.given[block]
            for sums, used in zip(products[view.fold], (real, ~real), strict=True):
                of_set = x[used]
                sums += of_set.T @ (weight[used, None] * of_set)
        outside = products.sum(axis=0) - products
        ratios = []
        for of_fold in outside:
            fits = [(_full(sums), _diagonal(sums)) for sums in of_fold]
            ratios.append([_log_ratio(p, q) for p, q in zip(*fits, strict=True)])
        return GaussianScorer(self.coordinate, ratios)


_Gaussian = tuple[Float64s, Float64s, float]
"""The mean, the inverse covariance and ½ log det of the covariance."""


class GaussianScorer(NamedTuple):
    """Two columns of fitted Gaussians."""

    coordinate: str
    ratios: list[list[tuple[Float64s, Float64s, float]]]
    """A, b and c of xᵀA x + bᵀx + c, for each fold and column."""

    def score(self, view: View) -> Float64s:
        """Return the log-ratios."""
        x = getattr(view, self.coordinate)
        columns = np.empty((len(x), 2))
        for i, (a, b, c) in enumerate(self.ratios[view.fold]):
            columns[:, i] = np.einsum("ij,ij->i", x, x @ a + b) + c
        return columns


def _log_ratio(p: _Gaussian, q: _Gaussian) -> tuple[Float64s, Float64s, float]:
    linear = [precision @ m for m, precision, _ in (p, q)]
    constant = [-0.5 * float(b @ m) - v for b, (m, _, v) in zip(linear, (p, q), strict=True)]
    return 0.5 * (q[1] - p[1]), linear[0] - linear[1], constant[0] - constant[1]


def _full(sums: Float64s) -> _Gaussian:
    """Return the Gaussian with the shrunk covariance."""
    n, x = max(float(sums[-1, -1]), 1e-9), slice(-2)
    mean = sums[x, -1] / n
    covariance = sums[x, x] / n - np.outer(mean, mean)
    width = len(mean)
    size = float(np.trace(covariance)) / width
    if n < 2 or size < 1e-12:
        return _diagonal(sums)
    length = float(mean @ mean)
    along, trace = float(mean @ sums[x, x] @ mean), float(np.trace(sums[x, x]))
    fourth = float(sums[-2, -2]) - 4 * float(mean @ sums[x, -2]) + 4 * along
    fourth = (fourth + 2 * length * trace - 3 * n * length**2) / n  # Σ |x − mean|⁴ / n
    squares = float((covariance**2).sum())
    noise, distance = max(fourth - squares, 0.0) / n, squares - width * size**2
    shrinkage = noise / distance if distance > noise else 1.0
    covariance *= 1.0 - shrinkage
    np.einsum("ii->i", covariance)[:] += (shrinkage + 1e-6) * size
    volume = 0.5 * float(np.linalg.slogdet(covariance)[1])
    return mean, np.asarray(np.linalg.inv(covariance)), volume


def _diagonal(sums: Float64s) -> _Gaussian:
    """Return the Gaussian with variances alone, of which 1 is that of both sets."""
    n = max(float(sums[-1, -1]), 1e-9)
    mean = sums[:-2, -1] / n
    variance = np.maximum(np.diagonal(sums)[:-2] / n - mean**2, 0.0)
    variance = (n * variance + _PSEUDO * _PRIOR) / (n + _PSEUDO)
    return mean, np.diag(1.0 / variance), 0.5 * float(np.log(variance).sum())


class Modes(NamedTuple):
    """A base: a column for each mixture."""

    name: str = "modes"
    difference: str = "clusters have other weights, or other places and spreads"
    rows: int = 10_000

    def fit(self, view: View, y: Float64s, w: Float64s) -> ModeScorer:
        """Return the shares of the components in either set."""
        sets = y > 0, y < 0
        return ModeScorer([[_shares(f[used], w[used]) for used in sets] for f in view.modes])


class ModeScorer(NamedTuple):
    """The shares of the components of each mixture in both sets."""

    shares: list[list[Float64s]]

    def score(self, view: View) -> Float64s:
        """Return the log-ratios."""
        of_mixtures = zip(view.modes, self.shares, strict=True)
        logs = [[np.log(f @ share + 1e-300) for share in sets] for f, sets in of_mixtures]
        return np.column_stack([p - q for p, q in logs])


def _shares(f: Float64s, w: Float64s) -> Float64s:
    """Return the shares of components with these densities, (rows, components), by EM."""
    mass, share = w / w.mean(), np.full(f.shape[1], 1.0 / f.shape[1])
    for _ in range(_STEPS):
        share = share * ((mass / np.maximum(f @ share, 1e-300)) @ f) + 0.5
        share /= share.sum()
    return share


class Means(NamedTuple):
    """A base of many columns: two columns, one against a covariance that is three times as flat."""

    name: str = "means"
    difference: str = "the means differ, a little in many features"

    def fit_folds(self, data: Data) -> RidgeScorer | None:
        """Return the directions of the difference outside each fold."""
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
