"""Mixtures of Gaussians, fitted to both sets without labels; only their weights are a class's own.

The J components f_j come from k-means and EM on some of the rows; for each fold the weights p_j of
the real and q_j of the generated samples outside it from EM with a Dirichlet(½) prior.  A column:

    log Σ_j p_j f_j(z) − log Σ_j q_j f_j(z).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.inputs.locks import warning_filter
from prfast.scorers.auto.block import Block
from prfast.scorers.auto.coordinates import Coordinates

_ROWS = 6000
_LLOYD, _EM, _WEIGHTS = 8, 15, 12  # rounds
_PSEUDO, _PRIOR = 10.0, 0.3  # rows, of the mean variance


class _Kind(NamedTuple):
    """Spherical components or diagonal ones, on so many leading axes, and how many."""

    spherical: bool
    axes: int
    components: int


_KINDS = (_Kind(True, 20, 24), _Kind(False, 20, 12), _Kind(False, 40, 24))


class _Components(NamedTuple):
    mean: Float64s
    variance: Float64s
    """(components, axes), or (components, 1) of spherical ones."""
    share: Float64s

    def log_densities(self, x: Float64s) -> Float64s:
        """(rows, components), without the shares."""
        precise = np.broadcast_to(1.0 / self.variance, self.mean.shape)
        d2 = x**2 @ precise.T - 2.0 * (x @ (self.mean * precise).T)
        d2 += (self.mean**2 * precise).sum(axis=1)
        return np.asarray(-0.5 * (d2 - np.log(precise).sum(axis=1)))


class Mixtures(NamedTuple):
    """A column for each kind."""

    components: list[_Components]
    weights: list[Float64s]
    """The weights of each kind, (folds, 2, components)."""

    def score(self, block: Block) -> Float64s:
        columns = []
        for one, weights in zip(self.components, self.weights, strict=True):
            f = _densities(one, block.axes[:, : one.mean.shape[1]])
            p, q = (f @ weights[block.fold].T + 1e-300).T
            columns.append(np.log(p) - np.log(q))
        return np.column_stack(columns)


def _densities(components: _Components, x: Float64s) -> Float64s:
    """Return the densities of each row, divided by the largest of the row."""
    logs = components.log_densities(x)
    return np.asarray(np.exp(logs - logs.max(axis=1, keepdims=True)))


def mixtures(made: Coordinates) -> Mixtures:
    """Fit components to some rows, and their weights to all folds but one, for each."""
    sample = made.sample
    x = made.fitted_axes
    some = x[sample.some_distinct("mixtures", _ROWS)]
    components, weights = [], []
    for number, kind in enumerate(_KINDS):
        count = min(kind.components, max(2, len(some) // 20), len(some))
        one = _fitted(some[:, : kind.axes], count, kind.spherical, sample.seed + number)
        f = _densities(one, x[:, : kind.axes])
        of_folds = [
            [_weighed(f[sample.training(fold, real)]) for real in (True, False)]
            for fold in range(sample.folds)
        ]
        components.append(one)
        weights.append(np.array(of_folds))
    return Mixtures(components, weights)


def _weighed(f: Float64s) -> Float64s:
    """Return the share of each component in these rows, of which f holds the densities."""
    share = np.full(f.shape[1], 1.0 / f.shape[1])
    for _ in range(_WEIGHTS):
        share = share * (f.T @ (1.0 / np.maximum(f @ share, 1e-300))) + 0.5
        share /= share.sum()
    return share


def _fitted(x: Float64s, count: int, spherical: bool, seed: int) -> _Components:
    """Fit by k-means, then expectation and maximisation, with variances shrunk to a common one."""
    from sklearn.cluster import KMeans

    size = max(float(x.var(axis=0).mean()), 1e-290)
    k_means = KMeans(count, n_init=1, max_iter=_LLOYD, random_state=seed % 2**32)
    with warning_filter("ignore"):  # fewer distinct rows than cells
        near = k_means.fit(x / np.sqrt(size)).labels_
    belongs = np.zeros((len(x), count))
    belongs[np.arange(len(x)), near] = 1.0
    for round_ in range(_EM + 1):
        mass = belongs.sum(axis=0) + 1e-9
        mean = (belongs.T @ x) / mass[:, None]
        second = (belongs.T @ x**2) / mass[:, None]
        variance = np.maximum(second - mean**2, 0.0)
        if spherical:
            variance = variance.mean(axis=1, keepdims=True)
        shrunk = (mass[:, None] * variance + _PSEUDO * _PRIOR * size) / (mass[:, None] + _PSEUDO)
        share = (mass + 0.5) / (mass + 0.5).sum()
        components = _Components(mean, shrunk, share)
        if round_ < _EM:
            belongs = _densities(components, x) * share
            belongs /= belongs.sum(axis=1, keepdims=True)
    return components
