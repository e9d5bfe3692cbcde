"""The log-ratio of two Gaussians fitted to whitened coordinates, of each class outside a fold.

One column with the covariance of Ledoit and Wolf, one with variances alone,
(n v + 1.5) / (n + 5): five pseudo-samples of .3 of the pooled variance, which is 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.scorers.auto.coordinates import Block, Coordinates

_PSEUDO, _PRIOR = 5.0, 0.3


class _Normal(NamedTuple):
    """A Gaussian: log density at x, up to a constant that all share."""

    mean: Float64s
    root: Float64s
    """x ↦ (x − mean) root is standard normal."""
    log_volume: float
    """½ log det of the covariance."""

    def log_density(self, x: Float64s) -> Float64s:
        centred = x - self.mean
        white = centred @ self.root if self.root.ndim == 2 else centred * self.root
        return np.asarray(-0.5 * (white**2).sum(axis=1) - self.log_volume)


class Gaussians(NamedTuple):
    """Two columns."""

    pairs: list[list[tuple[_Normal, _Normal]]]
    """A fold, a column: the Gaussians of both classes."""

    def score(self, block: Block) -> Float64s:
        x = block.whitened
        pairs = self.pairs[block.fold]
        return np.column_stack([p.log_density(x) - q.log_density(x) for p, q in pairs])


def gaussians(made: Coordinates) -> Gaussians:
    """Fitted on all folds but one, for each."""
    x = made.fitted_whitened
    found = []
    for fold in range(made.sample.folds):
        sets = [x[made.sample.training(fold, real)] for real in (True, False)]
        found.append([tuple(map(fit, sets)) for fit in (_full, _diagonal)])
    return Gaussians(found)


def _full(x: Float64s) -> _Normal:
    from scipy import linalg
    from sklearn.covariance import ledoit_wolf

    mean = x.mean(axis=0)
    size = float(x.var(axis=0).mean())
    if len(x) < 2 or size < 1e-12:
        return _diagonal(x)
    covariance, _ = ledoit_wolf(x - mean, assume_centered=True)
    covariance = np.atleast_2d(covariance)
    covariance[np.diag_indices_from(covariance)] += 1e-6 * size
    values, vectors = linalg.eigh(covariance)
    values = np.maximum(values, 1e-9 * size)
    return _Normal(mean, vectors / np.sqrt(values), 0.5 * float(np.log(values).sum()))


def _diagonal(x: Float64s) -> _Normal:
    variance = (len(x) * x.var(axis=0) + _PSEUDO * _PRIOR) / (len(x) + _PSEUDO)
    return _Normal(x.mean(axis=0), 1.0 / np.sqrt(variance), 0.5 * float(np.log(variance).sum()))
