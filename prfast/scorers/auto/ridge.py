"""Least squares to ±1 with a penalty, fitted anew for each fold from sums over the others.

With the weights w, the features φ less their mean and y = ±1 less its mean, all over the training
folds T, G = Σ_T w φ φᵀ and c = Σ_T w φ y,

    β = (G + r · tr G / min(D, N) · 1)⁻¹ c      for each penalty r.

The sums over T are those over all samples less those over the fold that is left out: one pass over
the data, and K small Cholesky factorisations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, Floats
from prfast.scorers.auto.block import Block
from prfast.scorers.auto.coordinates import Coordinates
from prfast.scorers.auto.folds import Ints

Features = Callable[[Block], Floats]
WIDE = 1024  # features, beyond which sums are kept in float32, and of fewer sets of folds:
FEW = 5


class Ridge(NamedTuple):
    """A column for each penalty: φ β + intercept."""

    features: Features
    slopes: Float64s
    """(folds, features, penalties)"""
    intercepts: Float64s
    """(folds, penalties)"""

    def score(self, block: Block) -> Float64s:
        with np.errstate(over="ignore"):  # a far outlier is as far as a number can be
            scores: Float64s = self.features(block) @ self.slopes[block.fold]
        scores += self.intercepts[block.fold]
        return scores


class _Sums:
    """Σ w φ φᵀ (its lower half), Σ w φ, Σ w φ y, Σ w, Σ w y of some samples."""

    def __init__(self, width: int, kind: type) -> None:
        self.gram: Floats = np.zeros((width, width), kind, order="F")
        self.first, self.cross = np.zeros(width), np.zeros(width)
        self.mass = self.balance = 0.0
        self.kind = kind

    def add(self, phi: Floats, weight: Float64s, y: Float64s) -> None:
        from scipy.linalg import blas

        root = phi * np.sqrt(weight)[:, None].astype(phi.dtype)
        root = root.astype(self.kind, copy=False)
        rank_k = blas.dsyrk if self.kind is np.float64 else blas.ssyrk
        self.gram = rank_k(1.0, root.T, beta=1.0, c=self.gram, lower=1, overwrite_c=1)
        wy = weight * y
        self.first += weight @ phi
        self.cross += wy @ phi
        self.mass += float(weight.sum())
        self.balance += float(wy.sum())


def ridge(
    made: Coordinates,
    features: Features,
    penalties: Sequence[float],
    chosen: Sequence[Ints] | None = None,
) -> Ridge:
    """Fit on all folds but one, for each; chosen: the features that each fold is fitted with."""
    sample = made.sample
    sums: list[_Sums] = []
    for part, block in made.again():
        phi = features(block)
        if not sums:
            width = phi.shape[1]
            kind = phi.dtype.type if width <= WIDE else np.float32
            sums = [_Sums(width, kind) for _ in range(left_out(width, sample.folds))]
        own = sums[block.fold % len(sums)]
        own.add(phi, made.weight[part], np.where(block.real, 1.0, -1.0))
    whole = sum(one.gram for one in sums)
    first, cross = (sum(getattr(one, name) for one in sums) for name in ("first", "cross"))
    mass, balance = (sum(getattr(one, name) for one in sums) for name in ("mass", "balance"))
    slopes = np.zeros((len(sums), width, len(penalties)))
    intercepts = np.empty((len(sums), len(penalties)))
    for i, own in enumerate(sums):
        size = mass - own.mass
        mean, middle = (first - own.first) / size, (balance - own.balance) / size
        gram = np.subtract(whole, own.gram, out=own.gram)
        gram -= np.outer((first - own.first).astype(gram.dtype), mean.astype(gram.dtype))
        right = cross - own.cross - mean * (balance - own.balance)
        used: Ints | slice = slice(None)
        if chosen is not None:
            used = chosen[i]
            gram, right = np.asfortranarray(gram[np.ix_(used, used)]), right[used]
        trace = max(float(np.trace(gram)), 1e-290)
        scale = trace / min(len(right), len(sample.fitted))
        slopes[i, used] = _solved(gram, [r * scale for r in penalties], right)
        intercepts[i] = middle - mean @ slopes[i]
    again = np.arange(sample.folds) % len(sums)
    return Ridge(features, slopes[again], intercepts[again])


def left_out(width: int, folds: int) -> int:
    """Return how many sets of folds are left out in turn: each fold alone, or, where the sums of so
    many features are large, some together."""
    return folds if width <= WIDE else min(FEW, folds)


def _solved(gram: Floats, penalties: Sequence[float], right: Float64s) -> Float64s:
    """Return (G + r 1)⁻¹ c for each r, G given by its lower half; where a Cholesky factorisation
    fails, by eigenvalues, the negative ones of them taken for 0."""
    from scipy import linalg

    solutions = np.empty((len(right), len(penalties)))
    diagonal = gram.diagonal().copy()
    right = right.astype(gram.dtype)
    try:
        for i, r in enumerate(penalties):
            np.fill_diagonal(gram, diagonal + gram.dtype.type(r))
            factor = linalg.cho_factor(gram, lower=True, check_finite=False)
            solutions[:, i] = linalg.cho_solve(factor, right, check_finite=False)
        if np.isfinite(solutions).all():
            return solutions
    except linalg.LinAlgError:
        pass
    np.fill_diagonal(gram, diagonal)
    values, basis = linalg.eigh(gram.astype(np.float64), lower=True)
    along = basis.T @ right
    for i, r in enumerate(penalties):
        solutions[:, i] = basis @ (along / np.maximum(np.maximum(values, 0.0) + r, 1e-290))
    return solutions
