"""Ridge regression on features of views, the base of most of the library.

The labels y = ±1 are regressed for each of K folds or bundles on the others.  The weights are w;
features φ and labels y are minus their weighted means over the training folds.  For G = Σ w φ φᵀ
and c = Σ w φ y,

    β = (G + r · tr G / min(D, N) · 1)⁻¹ c      for each penalty r.

Screened features have a further penalty, G_jj CHANCE / (z² − CHANCE).  The difference of their
means is z standard errors.

G and c of the training folds are those of all rows minus those of the fold.  If features are more
than rows, β = Φᵀ α follows from the products of rows,

    (Φ Φᵀ + λ / w, 1; 1ᵀ, 0) (α; b) = (y; 0),    λ = r (1 − 1/K) tr Φ Φᵀ / min(D, N),

of the rows outside the bundle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from itertools import combinations
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, Floats
from prfast.kernels.masses import quantiles
from prfast.methods.auto.coordinates import MAX_GRAM, SOME_ROWS, Data, Scorer, View
from prfast.methods.auto.folds import Ints

_FEW_FEATURES = 256  # beyond which bundles of folds are left out together
_MANY_FEATURES = 640  # beyond which sums are float32
_MOST_NUMBERS = 1 << 21  # features of rows; of more, some rows are left out
_MOST_ROWS, _SCREENED_ROWS = 2048, 3000  # whose products are computed; for screening
_CHANCE = 9.0  # z² of a feature that chance explains
_LEAST, _ROUNDING = 1e-20, 1e-6  # sum of squares that is 0 up to rounding; a share of it, too
_FLATTENED = 3.0  # mean variances that are added to a covariance
_KNOTS = (0.05, 0.2, 0.4, 0.6, 0.8, 0.95)  # quantiles

Features = Callable[[View], Floats]  # numbers of a view, (rows, features); can be pickled
CENTERED = attrgetter("centered")


class Ridge(NamedTuple):
    """A base: a column for each penalty."""

    name: str
    difference: str
    make: Callable[[Data], tuple[Any, Sequence[float]]]  # features, None for none, and penalties
    # How many features with a field `columns` a bundle of folds keeps: those whose means differ
    # most between the sets outside of it.
    keep: int | None = None

    def fit_folds(self, data: Data) -> list[Scorer] | None:
        features, penalties = self.make(data)
        if features is None:
            return None
        chosen = None
        if self.keep is not None:
            screened = _screened(data, features, self.keep)
            used, places = np.unique(screened, return_inverse=True)
            features = features._replace(columns=features.columns[used])
            chosen = places.reshape(screened.shape)
        width = features(data.view(slice(1))).shape[1]
        if chosen is None and (len(data.y) < width or width > MAX_GRAM):
            return _by_rows(data, features, penalties)
        return _by_sums(data, features, penalties, width, chosen)


def _line(features: Features, slopes: Float64s, intercepts: Float64s, view: View) -> Float64s:
    """Return φ β + intercept, (rows, penalties)."""
    phi = features(view)
    with np.errstate(over="ignore"):  # a far outlier is as far as a number can be
        return np.asarray(phi @ slopes.astype(phi.dtype) + intercepts, np.float64)


def _by_sums(
    data: Data, features: Features, penalties: Sequence[float], width: int, chosen: Ints | None
) -> list[Scorer]:
    """Return the fits by sums over the folds; chosen: the features of each bundle, None for all."""
    count = data.count if width <= _FEW_FEATURES else data.bundles
    kind = np.float64 if width <= _MANY_FEATURES else np.float32
    sums = np.zeros((count, width + 2, width + 2), kind)
    places = data.folds.labelled("sums", max(_MOST_NUMBERS // width, 1))
    root = np.zeros(len(data.y))
    root[places] = np.sqrt(data.balanced(places))
    for fold, block, view in data.blocks(places if len(places) < len(data.y) else None):
        phi = features(view)
        a = np.empty((len(phi), width + 2), phi.dtype)  # φ, 1 and y
        a[:, :width], a[:, -2], a[:, -1] = phi, 1.0, data.y[block]
        a *= root[block, None].astype(a.dtype)
        sums[fold % count] += a.T @ a
    total, scorers, evenness = sums.sum(axis=0), [], float(root @ root / (root**4).sum())
    for i in range(count):
        used = slice(width) if chosen is None else chosen[i % len(chosen)]
        outside = total - sums[i]
        mass, first = float(outside[-2, -2]), outside[used, -2]
        mean, middle = first / mass, float(outside[-2, -1]) / mass
        gram = outside[used][:, used] - np.outer(mean, first)
        right = outside[used, -1] - mean * float(outside[-2, -1])
        least = max(_ROUNDING * float(np.diagonal(outside)[used].sum()), _LEAST)
        scale = max(float(np.trace(gram)), least) / min(len(mean), len(data.y))
        diagonal, slopes = np.einsum("ii->i", gram), np.zeros((width, len(penalties)))
        if chosen is not None:
            excess = evenness * right**2 / np.maximum(diagonal, _LEAST) - _CHANCE
            diagonal *= 1.0 + _CHANCE / np.maximum(excess, 0.02 * _CHANCE)
        for j, r in enumerate(penalties):
            diagonal += (r - (penalties[j - 1] if j else 0.0)) * scale
            slopes[used, j] = np.linalg.solve(gram, right)
        scorers.append(Scorer(partial(_line, features, slopes, middle - mean @ slopes[used])))
    return scorers


def _by_rows(data: Data, features: Features, penalties: Sequence[float]) -> list[Scorer]:
    """Return the fits by the products of rows, each without a bundle of folds."""
    places = data.folds.labelled("products", _MOST_ROWS)
    weight, bundle = data.balanced(places), data.bundle[places]
    phi = features(data.view(places))
    center = phi.mean(axis=0)
    phi, n = phi - center, len(phi)
    products = np.ones((n + 1, n + 1))
    products[:n, :n] = phi @ phi.T
    products[n, n] = 0.0
    variance = max(float(np.trace(products)), _LEAST) * (1.0 - 1.0 / data.bundles)
    unit = variance / min(phi.shape) * weight.mean() / weight
    diagonal = np.einsum("ii->i", products)[:n]
    right = np.append(data.y[places], 0.0)
    slopes = np.empty((data.bundles, phi.shape[1], len(penalties)))
    intercepts = np.empty((data.bundles, len(penalties)))
    for i, r in enumerate(penalties):
        diagonal += (r - (penalties[i - 1] if i else 0.0)) * unit
        for left_out in range(data.bundles):
            used = np.append(np.flatnonzero(bundle != left_out), n)
            alpha = np.linalg.solve(products[used][:, used], right[used])
            slopes[left_out, :, i] = alpha[:-1].astype(phi.dtype) @ phi[used[:-1]]
            intercepts[left_out, i] = alpha[-1] - center @ slopes[left_out, :, i]
    return [Scorer(partial(_line, features, *fit)) for fit in zip(slopes, intercepts, strict=True)]


def _screened(data: Data, features: Products, keep: int) -> Ints:
    """Return the features whose means differ most, in standard errors, between the sets outside
    each bundle of folds, (bundles, keep), ascending."""
    places, count = data.folds.labelled("screening", _SCREENED_ROWS), 2 * data.bundles
    cell, weight = 2 * data.bundle[places] + ~data.real[places], data.balanced(places)
    x, in_cell = features.factors(data.view(places)), np.arange(count)[:, None] == cell
    heads = x  # products of all factors but the last; a matrix has the sums of those of all
    for _ in features.columns.T[2:]:
        heads = (heads[:, None] * x).reshape(-1, x.shape[1])
    at = np.ravel_multi_index(tuple(features.columns.T), (len(x),) * features.columns.shape[1])
    weighted = heads * weight.astype(np.float32)
    squares = ((weighted * heads) @ (x**2).T).take(at)
    first = [(weighted[:, used] @ x[:, used].T).take(at) for used in in_cell]
    sums, mass = np.reshape(first, (-1, 2, len(at))), (in_cell @ weight).reshape(-1, 2, 1)
    p, q = ((sums.sum(axis=0) - sums) / (mass.sum(axis=0) - mass)).swapaxes(0, 1)
    mean = sums.sum(axis=(0, 1)) / mass.sum()
    spread = np.sqrt(np.maximum(squares / weight.sum() - mean**2, 1e-6))  # needs no labels
    strength = np.abs(p - q) / spread
    return np.sort(np.argsort(-strength, axis=1, kind="stable")[:, :keep])


class Means(NamedTuple):
    """A base of many columns: the difference δ of both means against a covariance of few numbers.

    The leading axes U have variances v, the others one variance s (probabilistic PCA), and three
    times the mean variance is added to all,

        β = δ / s − U ((1 / s − 1 / v) Uᵀ δ).
    """

    name: str = "means"
    difference: str = "the means differ, a little in many features"

    def fit_folds(self, data: Data) -> list[Scorer] | None:
        fitted, width = data.coordinates, data.folds.width
        if not fitted.is_wide:
            return None
        sums, masses = np.zeros((data.count, 2, width)), np.zeros((data.count, 2, 1))
        weight = data.balanced()
        for fold, block, view in data.blocks():
            for i, sign in enumerate((1.0, -1.0)):
                w = weight[block] * (data.y[block] == sign)
                sums[fold, i] += w.astype(np.float32) @ view.centered
                masses[fold, i] += w.sum()
        means = (sums.sum(axis=0) - sums) / np.maximum(masses.sum(axis=0) - masses, 1e-9)
        delta, along = means[:, 0] - means[:, 1], (means[:, 0] - means[:, 1]) @ fitted.basis
        variance = fitted.deviation**2
        left = max(fitted.size - float(variance.sum()), 1e-12 * fitted.size, 1e-290)
        s, added = left / max(width - variance.size, 1), _FLATTENED * fitted.size / width
        few, many = s + added, np.maximum(variance, s) + added
        slopes = delta / few - ((1 / few - 1 / many) * along) @ fitted.basis.T
        intercepts = -0.5 * np.einsum("ij,ij->i", means.sum(axis=1), slopes)
        fits = zip(slopes, intercepts, strict=True)
        return [Scorer(partial(_line, CENTERED, *fit)) for fit in fits]


class Hinges(NamedTuple):
    """x and max(x − knot, 0) for each knot, of every column of a coordinate."""

    coordinate: str
    knots: Floats  # (knots, columns)

    def __call__(self, view: View) -> Floats:
        x = getattr(view, self.coordinate).astype(np.float32)
        return np.hstack([x, *(np.maximum(x, knot) - knot for knot in self.knots)])


class Products(NamedTuple):
    """Bounded products of columns of `std`."""

    columns: Ints  # (products, factors)
    steep: float

    def factors(self, view: View) -> Floats:
        """Return the bounded columns, (columns, rows)."""
        used = view.std.T[: self.columns.max() + 1]
        return np.asarray(np.tanh(np.ascontiguousarray(self.steep * used, np.float32)))

    def __call__(self, view: View) -> Floats:
        x = self.factors(view)
        return np.asarray(reduce(np.multiply, (x[factor] for factor in self.columns.T)).T)


def lines(data: Data) -> tuple[Features, Sequence[float]]:
    return CENTERED, (0.3, 3.0) if data.coordinates.is_wide else (1e-3, 0.3, 3.0)


def polylines(coordinate: str, data: Data) -> tuple[Hinges | None, Sequence[float]]:
    x = getattr(data.view(data.random("knots", SOME_ROWS)), coordinate)
    knots = quantiles(x, _KNOTS)
    features = Hinges(coordinate, knots.astype(np.float32)) if x.shape[1] else None
    are_many = coordinate == "std" and len(data.y) < 7 * x.shape[1]
    return features, (0.1,) if are_many else (1e-3, 0.1)


def products(factors: int, most: int, steep: float, data: Data) -> tuple[Any, Sequence[float]]:
    width = min(int(data.coordinates.varies.sum()), most)
    columns = np.array(list(combinations(range(width), factors)), np.int64)
    return Products(columns, steep) if columns.size else None, (0.01,)
