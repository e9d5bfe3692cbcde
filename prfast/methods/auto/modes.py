"""Clusters that both sets have in common: mixtures of Gaussians, fitted without labels.

Components come from k-means and EM on random rows of both sets, with variances shrunk to a common
one.  The base `modes` fits their shares in either set.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Floats
from prfast.inputs.options import stream

_ROWS = 3000
_LLOYD, _EM = 6, 10  # iterations
_PSEUDO, _PRIOR = 10.0, 0.3  # pseudo-rows, and their share of the mean variance
KINDS = ((20, 12), (40, 24))  # leading axes and components


class Components(NamedTuple):
    """Gaussians with axes of the coordinates."""

    mean: Floats
    variance: Floats
    """As the mean, (components, axes)."""
    share: Floats


def densities(fitted: Components, axes: Floats, share: float | Floats = 1.0) -> Floats:
    """Return the densities times the shares, over the largest of a row, (rows, components)."""
    x = axes[:, : fitted.mean.shape[1]]
    precise = 1.0 / fitted.variance
    slopes = np.hstack([fitted.mean * precise, -0.5 * precise])
    constant = 0.5 * (np.log(precise) - fitted.mean**2 * precise).sum(axis=1) + np.log(share)
    logs = np.hstack([x, x**2]) @ slopes.T + constant
    logs -= logs.max(axis=1, keepdims=True)
    return np.asarray(np.exp(logs, out=logs))


def fit_modes(axes: Floats, seed: int) -> tuple[Components, ...]:
    """Return mixtures of each of KINDS."""
    rows = axes[np.sort(stream(seed, "modes").permutation(len(axes))[:_ROWS])]
    most = min(max(2, len(rows) // 20), len(rows))
    return tuple(
        _fit(rows[:, :width], min(count, most), seed + number)
        for number, (width, count) in enumerate(KINDS)
    )


def _fit(x: Floats, count: int, seed: int) -> Components:
    """Return components by EM."""
    size = max(float(x.var(axis=0).mean()), 1e-20)
    # float32 is precise enough for responsibilities, in units of the spread.
    rows = (x / np.sqrt(size)).astype(np.float32)
    centers = _first_centers(rows, count, seed)
    for _ in range(_LLOYD):  # each row belongs to the nearest center
        nearest = (rows @ centers.T - 0.5 * (centers**2).sum(axis=1)).argmax(axis=1)
        responsibility = np.equal.outer(nearest, np.arange(count)).astype(np.float32)
        mass = responsibility.sum(axis=0)[:, None] + np.float32(1e-9)
        centers = (responsibility.T @ rows) / mass
    fitted = _components(responsibility, rows)
    for _ in range(_EM):
        responsibility = densities(fitted, rows, fitted.share)
        responsibility /= responsibility.sum(axis=1, keepdims=True)
        fitted = _components(responsibility, rows)
    mean, variance, share = (a.astype(np.float64) for a in fitted)
    return Components(mean * np.sqrt(size), variance * size, share)


def _components(responsibility: Floats, rows: Floats) -> Components:
    """Return components from their shares of each row."""
    mass = responsibility.sum(axis=0, dtype=np.float64)[:, None] + 1e-9
    mean, second = (responsibility.T @ rows) / mass, (responsibility.T @ rows**2) / mass
    variance = (mass * np.maximum(second - mean**2, 0.0) + _PSEUDO * _PRIOR) / (mass + _PSEUDO)
    share = (mass[:, 0] + 0.5) / (mass + 0.5).sum()
    return Components(*(a.astype(np.float32) for a in (mean, variance, share)))


def _first_centers(z: Floats, count: int, seed: int) -> Floats:
    """Return rows, each drawn with a probability in proportion to its squared distance from those
    before it (k-means++)."""
    rng = stream(seed, "centers")
    centers = z[rng.integers(len(z), size=count)]  # remain where no row is left
    nearest = ((z - centers[0]) ** 2).sum(axis=1)
    for i in range(1, count):
        total = np.cumsum(nearest, dtype=np.float64)
        if not total[-1] > 0:
            break
        centers[i] = z[min(total.searchsorted(rng.random() * total[-1], "right"), len(z) - 1)]
        np.minimum(nearest, ((z - centers[i]) ** 2).sum(axis=1), out=nearest)
    return centers
