"""Ridge regression on features of a sample, and the bases that use it; the base plain.

Ridge regression to labels y = ±1 is fitted for each fold on the others.  With weights w, the
features φ and labels y minus their weighted means, all over the training folds T,
G = Σ_T w φ φᵀ and c = Σ_T w φ y,

    β = (G + r · tr G / min(D, N) · 1)⁻¹ c      for each penalty r.

The sums over T are those over all samples minus those over the fold that is left out: one pass over
the data, and K small Cholesky factorizations.

plain is the linear base of many features, from means and a covariance of few parameters: its
leading axes U with variances v, and one variance s for all the rest (probabilistic PCA).  δ is the
difference of the two means over the training samples, r̄ a penalty r times the mean variance:

    β = (U (v − s) Uᵀ + (s + r̄) 1)⁻¹ δ = δ / (s + r̄) − U ((1 / (s + r̄) − 1 / (v + r̄)) Uᵀ δ).

It is cheap, and therefore fitted for each part of a fold on all samples outside the part: where
features are many, every sample improves the difference of means.

kernel uses Gaussian kernels of several widths (Nyström's method) on x = 4 tanh(single / 4).  With
landmarks l and, for a width of h times their median distance, K = k(l, l') = V Λ Vᵀ, the features
of z are k(z, l) V Λ^(−1/2).  The score is Σ_l k(z, l) γ_l with γ = V Λ^(−1/2) β.  Widths whose
features hardly vary (narrow ones in many dimensions, where no two samples are near) are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats
from prfast.methods.auto.block import Block
from prfast.methods.auto.coordinates import GRAM, Coordinates
from prfast.methods.auto.sample import PARTS, Ints

Features = Callable[[Block], Floats]
WIDE = 1024  # features, beyond which sums are in float32, for only FEW sets of folds
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
    """Return a ridge regression for each fold, fitted on the others.

    chosen: the features that each fold uses; all by default.
    """
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
    """Return how many sets of folds are left out in turn: all folds one by one, or FEW sets where
    the sums of so many features are large."""
    return folds if width <= WIDE else min(FEW, folds)


def _solved(gram: Floats, penalties: Sequence[float], right: Float64s) -> Float64s:
    """Return (G + r 1)⁻¹ c for each r, from the lower half of G; where a Cholesky factorization
    fails, from eigenvalues, with negative ones replaced by 0."""
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


_PENALTIES = (0.0, 3.0)  # times the mean variance


class Plain(NamedTuple):
    """A column for each penalty: z β minus the value at the middle of the two means."""

    slopes: Float64s
    """(folds, parts, features, penalties)"""
    intercepts: Float64s
    """(folds, parts, penalties)"""

    def score(self, block: Block) -> Float64s:
        scores = np.empty((len(block), self.slopes.shape[-1]))
        for one in range(PARTS):
            own = block.part == one
            along = block.centered[own] @ self.slopes[block.fold, one]
            scores[own] = along + self.intercepts[block.fold, one]
        return scores


def plain(made: Coordinates) -> Plain | None:
    """Return a fit for each part of each fold, on all samples outside the part; None where features
    are few, as `linear` then uses the full covariance."""
    if not made.many:
        return None
    sample = made.sample
    total = np.zeros((sample.folds, PARTS, 2, sample.width))
    count = np.zeros((sample.folds, PARTS, 2))
    for _, block in made.again():
        for one in range(PARTS):
            for i, real in enumerate((True, False)):
                own = (block.part == one) & (block.real == real)
                total[block.fold, one, i] += own.astype(np.float64) @ block.centered
                count[block.fold, one, i] += int(own.sum())
    all_total, all_count = total.sum(axis=(0, 1)), count.sum(axis=(0, 1))
    basis, v = made.basis, made.variance
    rest = max(made.size - float(v.sum()), 1e-12 * made.size, 1e-290)
    s = rest / max(sample.width - v.size, 1)
    slopes = np.empty((sample.folds, PARTS, sample.width, len(_PENALTIES)))
    intercepts = np.empty((sample.folds, PARTS, len(_PENALTIES)))
    for fold, one in np.ndindex(sample.folds, PARTS):
        left = np.maximum(all_count - count[fold, one], 1)[:, None]
        p, q = (all_total - total[fold, one]) / left
        delta = p - q
        along = basis.T @ delta
        for i, r in enumerate(_PENALTIES):
            extra = r * made.size / sample.width
            few, many = s + extra, np.maximum(v, s) + extra
            slopes[fold, one, :, i] = delta / few - basis @ ((1.0 / few - 1.0 / many) * along)
        intercepts[fold, one] = -0.5 * (p + q) @ slopes[fold, one]
    return Plain(slopes, intercepts)


LANDMARKS = 250
_WIDTHS = (0.1, 0.3, 1.0, 3.0)
_KEPT = 1e-5  # of the largest eigenvalue
_VARIES = 0.01  # variance of the features of a width, below which it is left out
_OTHERS = 1000  # samples from which that variance is computed
_PENALTY = 1e-4


class _Width(NamedTuple):
    """k(z, l) = exp(scale · |x − l|²), and V Λ^(−1/2)."""

    scale: np.float32
    map: Floats


def kernel(made: Coordinates) -> Ridge | None:
    """Return a regression on Gaussian kernels; None where no column or no width varies."""
    if not len(made.scale):
        return None
    shuffled = made.sample.fitted[made.sample.shuffled("kernel")]
    landmarks = _bounded(made.of(shuffled[:LANDMARKS], "single"))
    others = _squared(_bounded(made.of(shuffled[-_OTHERS:], "single")), landmarks)
    among = _squared(landmarks, landmarks)
    apart = among[among > 0]
    if not apart.size:
        return None
    median = float(np.median(apart))
    of_all = [_width(np.float32(-0.5 / (h**2 * median)), among, others) for h in _WIDTHS]
    widths = [one for one in of_all if one is not None]
    if not widths:
        return None
    fitted = ridge(made, partial(_features, landmarks, widths), (_PENALTY,))
    ends = np.cumsum([0, *(one.map.shape[1] for one in widths[:-1])])
    starts = list(zip(widths, ends, strict=True))
    slopes = [
        np.concatenate([one.map @ of_fold[a : a + one.map.shape[1]] for one, a in starts])
        for of_fold in fitted.slopes
    ]
    kernels = partial(_kernels, landmarks, [one.scale for one in widths])
    return Ridge(kernels, np.array(slopes), fitted.intercepts)


def _features(landmarks: Floats, widths: list[_Width], block: Block) -> Floats:
    d2 = _squared(_bounded(block.single), landmarks)
    with np.errstate(over="ignore"):  # of a far outlier: e^−∞ is 0
        return np.hstack([np.exp(one.scale * d2) @ one.map for one in widths])


def _kernels(landmarks: Floats, scales: list[np.float32], block: Block) -> Floats:
    d2 = _squared(_bounded(block.single), landmarks)
    with np.errstate(over="ignore"):  # of a far outlier: e^−∞ is 0
        return np.hstack([np.exp(scale * d2) for scale in scales])


def _width(scale: np.float32, among: Floats, others: Floats) -> _Width | None:
    from scipy import linalg

    values, vectors = linalg.eigh(np.exp(np.float64(scale) * among))
    kept = values > _KEPT * values[-1]
    map_ = (vectors[:, kept] / np.sqrt(values[kept])).astype(np.float32)
    varies = (np.exp(scale * others) @ map_).var(axis=0).sum() > _VARIES
    return _Width(scale, map_) if varies else None


def _bounded(single: Floats) -> Floats:
    return np.asarray(4.0 * np.tanh(single / 4.0), np.float32)


def _squared(x: Floats, y: Floats) -> Floats:
    """Return |x − y|² of all pairs, at least 0 whatever the rounding."""
    d2 = (x**2).sum(axis=1)[:, None] - np.float32(2) * (x @ y.T) + (y**2).sum(axis=1)
    return np.asarray(np.maximum(d2, 0))


_ADDITIVE = 128  # columns, beyond which they have no hinges
_FEW = 16  # columns, up to which three of them are multiplied
_KNOTS = (0.05, 0.2, 0.4, 0.6, 0.8, 0.95)


def linear(made: Coordinates) -> Ridge | None:
    """Return a regression on z itself; None beyond GRAM features."""
    if made.sample.width > GRAM:
        return None
    penalties = (0.3, 3.0) if made.many else (1e-3, 0.3, 3.0)
    return ridge(made, _centered, penalties)


def quadratic(made: Coordinates) -> Ridge:
    """Return a regression on whitened coordinates, their squares and the radii; for many features
    also on the energies of bands of axes, which noise raises and smoothing lowers."""
    return ridge(made, _squares, (0.01, 0.3) if made.many else (0.3,))


def radial(made: Coordinates) -> Ridge:
    """Return a regression on the radii."""
    return ridge(made, _radial, (1e-3,))


def additive(made: Coordinates) -> Ridge | None:
    """Return a sum of polylines in single columns, with knots at some quantiles; None where columns
    are too many."""
    if not 0 < len(made.scale) <= _ADDITIVE:
        return None
    some = made.sample.fitted[made.sample.some_distinct("knots", 4000)]
    knots = np.quantile(made.of(some, "single"), _KNOTS, axis=0)
    return ridge(made, partial(_hinges, knots), (1e-3, 0.1))


def products(made: Coordinates) -> Ridge | None:
    """Return a regression on bounded products of two and of three columns; None where columns are
    too many.  It detects dependences that no column shows alone, nor any two."""
    width = len(made.scale)
    if not 2 <= width <= _FEW:
        return None
    pairs = np.array(list(combinations(range(width), 2)))
    triples = np.array(list(combinations(range(width), 3))).reshape(-1, 3)
    return ridge(made, partial(_products, pairs, triples), (0.01,))


# Features are module-level functions, so that fits can be pickled.


def _centered(block: Block) -> Float64s:
    return block.centered


def _squares(block: Block) -> Float64s:
    wh, energies = block.whitened, block.energies
    return np.hstack([wh, wh**2 / np.sqrt(2.0), block.radial, energies, energies**2])


def _radial(block: Block) -> Float64s:
    return block.radial


def _hinges(knots: Float64s, block: Block) -> Float64s:
    x = block.single
    return np.hstack([x, *(np.maximum(x - at, 0.0) for at in knots)])


def _products(pairs: NDArray[np.int64], triples: NDArray[np.int64], block: Block) -> Float64s:
    x = np.tanh(4 * block.single)
    return np.hstack([x[:, one].prod(axis=2) for one in (pairs, triples) if len(one)])
