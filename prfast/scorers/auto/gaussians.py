"""The log-ratio of two Gaussians, fitted to whitened coordinates or to normal scores of each class
outside a fold.

One column with the covariance S of Ledoit and Wolf (2004), shrunk to its mean variance v, one with
the variances alone, shrunk by _PSEUDO samples of _PRIOR of the pooled variance, which is 1:

    (1 − h) S + h v 1,   h = min(1, (Σ |x − x̄|⁴ / n − |S|²) / (n |S − v 1|²));
    (n S_jj + 1.5) / (n + 5).

All are made of sums, those over the fold taken from those over all.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.scorers.auto.block import Block
from prfast.scorers.auto.coordinates import Coordinates

Features = Callable[[Block], Float64s]

_PSEUDO, _PRIOR = 5.0, 0.3


class _Normal(NamedTuple):
    """A Gaussian, whose log density is known up to a constant that all share."""

    mean: Float64s
    root: Float64s
    """x ↦ (x − mean) root is standard normal; a vector is a diagonal."""
    log_volume: float
    """½ log det of the covariance."""

    def log_density(self, x: Float64s) -> Float64s:
        centred = x - self.mean
        white = centred @ self.root if self.root.ndim == 2 else centred * self.root
        return np.asarray(-0.5 * (white**2).sum(axis=1) - self.log_volume)


class Gaussians(NamedTuple):
    """Two columns."""

    features: Features
    pairs: list[list[list[_Normal]]]
    """The Gaussians of both classes, for each fold and column."""

    def score(self, block: Block) -> Float64s:
        x = self.features(block)
        pairs = self.pairs[block.fold]
        return np.column_stack([p.log_density(x) - q.log_density(x) for p, q in pairs])


class _Sums(NamedTuple):
    """Number, Σ x, Σ x xᵀ, Σ |x|² x, Σ |x|⁴ of some samples."""

    number: float
    first: Float64s
    second: Float64s
    third: Float64s
    fourth: float

    @classmethod
    def of(cls, x: Float64s) -> _Sums:
        squares = (x**2).sum(axis=1)
        return cls(len(x), x.sum(axis=0), x.T @ x, squares @ x, float((squares**2).sum()))

    def plus(self, other: _Sums, sign: float = 1.0) -> _Sums:
        return _Sums(
            self.number + sign * other.number,
            self.first + sign * other.first,
            self.second + sign * other.second,
            self.third + sign * other.third,
            self.fourth + sign * other.fourth,
        )


def gaussians(made: Coordinates) -> Gaussians:
    """Fit Gaussians to whitened coordinates."""
    return gaussians_of(made, _whitened)


def _whitened(block: Block) -> Float64s:
    return block.whitened


def gaussians_of(made: Coordinates, features: Features) -> Gaussians:
    """Fit Gaussians to features on all folds but one, for each."""
    sample = made.sample
    sums: list[list[_Sums]] = []
    for _, block in made.again():
        x = features(block)
        if not sums:
            width = x.shape[1]
            nothing = _Sums(0, np.zeros(width), np.zeros((width, width)), np.zeros(width), 0.0)
            sums = [[nothing, nothing] for _ in range(sample.folds)]
        own = sums[block.fold]
        for i, flags in enumerate((block.real, ~block.real)):
            own[i] = own[i].plus(_Sums.of(x[flags]))
    whole = [reduce(_Sums.plus, (one[i] for one in sums)) for i in range(2)]
    pairs = []
    for own in sums:
        outside = [whole[i].plus(own[i], -1.0) for i in range(2)]
        pairs.append([[fit(one) for one in outside] for fit in (_full, _diagonal)])
    return Gaussians(features, pairs)


def _full(x: _Sums) -> _Normal:
    from scipy import linalg

    mean, covariance = _moments(x)
    width = len(mean)
    size = float(np.trace(covariance)) / width
    if x.number < 2 or size < 1e-12:
        return _diagonal(x)
    noise = max(_fourth(x, mean) - float((covariance**2).sum()), 0.0) / x.number
    distance = float((covariance**2).sum()) - width * size**2
    shrunk = min(1.0, noise / distance) if distance > 0 else 1.0
    covariance *= 1.0 - shrunk
    covariance[np.diag_indices(width)] += (shrunk + 1e-6) * size
    values, vectors = linalg.eigh(covariance)
    values = np.maximum(values, 1e-9 * size)
    return _Normal(mean, vectors / np.sqrt(values), 0.5 * float(np.log(values).sum()))


def _diagonal(x: _Sums) -> _Normal:
    mean, covariance = _moments(x)
    variance = np.maximum(covariance.diagonal(), 0.0)
    variance = (x.number * variance + _PSEUDO * _PRIOR) / (x.number + _PSEUDO)
    return _Normal(mean, 1.0 / np.sqrt(variance), 0.5 * float(np.log(variance).sum()))


def _fourth(x: _Sums, mean: Float64s) -> float:
    """Return Σ |x − mean|⁴ / n."""
    length = float(mean @ mean)
    total = x.fourth - 4.0 * float(mean @ x.third) + 4.0 * float(mean @ x.second @ mean)
    total += 2.0 * length * float(np.trace(x.second)) - 3.0 * x.number * length**2
    return total / x.number


def _moments(x: _Sums) -> tuple[Float64s, Float64s]:
    mean = x.first / x.number
    return mean, x.second / x.number - np.outer(mean, mean)
