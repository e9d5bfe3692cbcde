"""The bases gaussians, mixtures and ranks.

gaussians: the log-ratio of two Gaussians, fitted to the whitened coordinates of each class outside
a fold.  One column has the covariance S of Ledoit and Wolf (2004), shrunk to its mean variance v;
one has only variances, shrunk by _PSEUDO samples with _PRIOR of the pooled variance, which is 1:

    (1 − h) S + h v 1,   h = min(1, (Σ |x − x̄|⁴ / n − |S|²) / (n |S − v 1|²));
    (n S_jj + 1.5) / (n + 5).

All are computed from sums: those over all samples minus those over the fold.

mixtures: mixtures of Gaussians that differ between the classes only in their weights.  The J
components f_j come from k-means and EM on some rows of both sets, without labels; for each group
of folds, the weights p_j of the real and q_j of the generated samples outside it come from EM with
a Dirichlet(½) prior.  A column:

    log Σ_j p_j f_j(z) − log Σ_j q_j f_j(z).

ranks: ridge regression on the normal scores of columns and their squares, and two Gaussians on the
normal scores.  They detect differences that skewed and heavy-tailed columns hide from the whitened
coordinates.  Beyond MANY_COLUMNS, it is ridge regression on polylines in the normal scores of the
screened ones.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.options import stream
from prfast.methods.auto.coordinates import Block, Coordinates
from prfast.methods.auto.regressions import (
    Ridge,
    add_to_diagonal,
    hinges,
    inverse_of_factor,
    ridge,
)
from prfast.methods.auto.sample import MANY_COLUMNS, Ints, RankTable, rank_table

Features = Callable[[Block], Float64s]

_PSEUDO, _PRIOR = 5.0, 0.3
_MATRIX_NUMBERS = 1 << 15  # of the matrices that are inverted together


class Gaussians(NamedTuple):
    """Two columns."""

    features: Features
    ratios: list[list[tuple[Float64s, Float64s, float]]]
    """A, b and c of the log-ratio xᵀA x + bᵀx + c, for each fold and column; A is a vector where
    diagonal."""

    def score(self, block: Block) -> Float64s:
        x = self.features(block)
        columns = []
        for a, b, c in self.ratios[block.fold]:
            slopes = (x @ a if a.ndim == 2 else x * a) + b
            columns.append(np.einsum("ij,ij->i", x, slopes) + c)
        return np.column_stack(columns)


class _Sums(NamedTuple):
    """The sums n, Σ x, Σ x xᵀ, Σ |x|² x, Σ |x|⁴ over some samples, by fold and class."""

    number: Float64s
    first: Float64s
    second: Float64s
    third: Float64s
    fourth: Float64s

    @classmethod
    def of_products(cls, products: Float64s) -> _Sums:
        """Return the sums of the products of all pairs of x, |x|² and 1."""
        x = slice(-2)
        return cls(
            products[..., -1, -1],
            products[..., x, -1],
            products[..., x, x],
            products[..., x, -2],
            products[..., -2, -2],
        )

    def moments(self) -> tuple[Float64s, Float64s]:
        """Return means and covariances."""
        mean = self.first / self.number[..., None]
        outer = mean[..., :, None] * mean[..., None, :]
        return mean, self.second / self.number[..., None, None] - outer


def gaussians(coords: Coordinates) -> Gaussians:
    """Return Gaussians fitted to whitened coordinates."""
    return fit_gaussians(coords, _whitened)


def _whitened(block: Block) -> Float64s:
    return block.whitened


def fit_gaussians(coords: Coordinates, features: Features) -> Gaussians:
    """Return Gaussians fitted to features, for each fold on the others."""
    sample = coords.sample
    products = np.zeros((sample.folds, 2, 0, 0))
    for _, block in coords.fitted_blocks():
        x = features(block)
        width = x.shape[1]
        if not products.size:
            products = np.zeros((sample.folds, 2, width + 2, width + 2))
        x = np.column_stack([x, np.einsum("ij,ij->i", x, x), np.ones(len(x))])
        for own, flags in zip(products[block.fold], (block.real, ~block.real), strict=True):
            some, weight = x[flags], sample.weight_of(block.rows[flags])
            own += some.T @ (some if weight is None else weight[:, None] * some)
    total = products.sum(axis=0)
    ratios: list[list[tuple[Float64s, Float64s, float]]] = []
    for part in blocks(sample.folds, max(1, _MATRIX_NUMBERS // (2 * width**2))):
        outside = _Sums.of_products(total - products[part])
        fits = [_log_ratios(*fit(outside)) for fit in (_fit_full, _fit_diagonal)]
        ratios += map(list, zip(*fits, strict=True))
    return Gaussians(features, ratios)


def _log_ratios(
    mean: Float64s, precision: Float64s, log_volume: Float64s
) -> list[tuple[Float64s, Float64s, float]]:
    """Return A, b and c of log p − log q = xᵀA x + bᵀx + c for each fold, p and q being the
    Gaussians of its classes; log_volume: ½ log det of their covariances."""
    is_full = precision.ndim > mean.ndim
    linear = (precision @ mean[..., None])[..., 0] if is_full else precision * mean
    constant = -0.5 * (linear * mean).sum(axis=-1) - log_volume
    a = 0.5 * (precision[:, 1] - precision[:, 0])
    b, c = linear[:, 0] - linear[:, 1], constant[:, 0] - constant[:, 1]
    return list(zip(a, b, c.tolist(), strict=True))


def _fit_full(x: _Sums) -> tuple[Float64s, Float64s, Float64s]:
    """Return means, precisions and volumes."""
    mean, covariance = x.moments()
    width = mean.shape[-1]
    size = np.trace(covariance, axis1=-2, axis2=-1) / width
    squares = np.einsum("...ij,...ij->...", covariance, covariance)
    noise = np.maximum(_fourth_moments(x, mean) - squares, 0.0) / x.number
    distance = squares - width * size**2
    shrinkage = np.ones(noise.shape)
    np.divide(noise, distance, out=shrinkage, where=distance > noise)
    covariance *= 1.0 - shrinkage[..., None, None]
    add_to_diagonal(covariance, ((shrinkage + 1e-6) * size)[..., None])
    flat = (x.number < 2) | (size < 1e-12)
    if flat.any():
        _, precision, _ = _fit_diagonal(x)
        covariance[flat] = [np.diag(1.0 / one) for one in precision[flat]]
        size[flat] = 1.0 / precision[flat].mean(axis=-1)
    return mean, *_inverses(covariance, size)


def _inverses(covariance: Float64s, size: Float64s) -> tuple[Float64s, Float64s]:
    """Return the inverses of covariances and ½ log det of each; eigenvalues below 1e-9 of the size
    are raised to it."""
    try:
        stack = covariance.reshape(-1, *covariance.shape[-2:]).copy()
        root = inverse_of_factor(stack).reshape(covariance.shape)
        diagonal = np.diagonal(root, axis1=-2, axis2=-1)
        if (1e-9 * size * diagonal.max(axis=-1) ** 2 < 1.0).all():
            return root.swapaxes(-2, -1) @ root, -np.log(diagonal).sum(axis=-1)
    except np.linalg.LinAlgError:
        pass
    values, vectors = np.linalg.eigh(covariance)
    values = np.maximum(values, 1e-9 * size[..., None])
    inverse = (vectors / values[..., None, :]) @ vectors.swapaxes(-2, -1)
    return inverse, 0.5 * np.log(values).sum(axis=-1)


def _fit_diagonal(x: _Sums) -> tuple[Float64s, Float64s, Float64s]:
    """Return means, diagonal precisions and volumes."""
    number = x.number[..., None]
    mean = x.first / number
    variance = np.diagonal(x.second, axis1=-2, axis2=-1) / number - mean**2
    variance = (number * np.maximum(variance, 0.0) + _PSEUDO * _PRIOR) / (number + _PSEUDO)
    return mean, 1.0 / variance, 0.5 * np.log(variance).sum(axis=-1)


def _fourth_moments(x: _Sums, mean: Float64s) -> Float64s:
    """Return Σ |x − mean|⁴ / n."""
    length = (mean**2).sum(axis=-1)
    along = np.einsum("...i,...ij,...j->...", mean, x.second, mean)
    total = x.fourth - 4.0 * (mean * x.third).sum(axis=-1) + 4.0 * along
    trace = np.trace(x.second, axis1=-2, axis2=-1)
    total += 2.0 * length * trace - 3.0 * x.number * length**2
    return np.asarray(total / x.number)


_ROWS = 3000
_LLOYD, _EM, _WEIGHTS = 6, 10, 8  # iterations
_MIXTURE_PSEUDO, _MIXTURE_PRIOR = 10.0, 0.3  # pseudo-rows, and their share of the mean variance


class _Kind(NamedTuple):
    """A mixture: spherical or diagonal components, the numbers of leading axes and components."""

    spherical: bool
    axes: int
    components: int


_KINDS = (_Kind(True, 20, 24), _Kind(False, 20, 12), _Kind(False, 40, 24))


class _Components(NamedTuple):
    mean: Floats
    variance: Floats
    """(components, axes), or (components, 1) for spherical ones."""
    share: Floats

    def densities(self, z: Floats, share: float | Floats = 1.0) -> Floats:
        """Return the densities of each row times the shares, divided by the largest of the row,
        (components, rows); z: the axes and their squares."""
        precise = np.ones_like(self.mean) / self.variance
        slopes = np.hstack([self.mean * precise, -0.5 * precise])
        constant = 0.5 * (np.log(precise) - self.mean**2 * precise).sum(axis=1) + np.log(share)
        logs = slopes @ z.T
        logs += constant[:, None]
        logs -= logs.max(axis=0)
        return np.exp(logs, out=logs)


class Mixtures(NamedTuple):
    """A column for each kind."""

    components: list[_Components]
    weights: list[Float64s]
    """The weights of each kind, (groups of folds, 2, components)."""

    def score(self, block: Block) -> Float64s:
        columns = []
        for components, weights in zip(self.components, self.weights, strict=True):
            f = components.densities(_with_squares(block.axes[:, : components.mean.shape[1]]))
            p, q = weights[block.fold % len(weights)] @ f + 1e-300
            columns.append(np.log(p) - np.log(q))
        return np.column_stack(columns)


def _with_squares(x: Floats) -> Floats:
    return np.hstack([x, x**2])


def mixtures(coords: Coordinates) -> Mixtures:
    """Return mixtures: components fitted to some rows, weights of each group of folds to the
    others."""
    sample = coords.sample
    group, x = sample.group_of(sample.fitted_fold), coords.fitted_axes
    rows = x[sample.subsample_distinct("mixtures", _ROWS)]
    used = [
        (group != own) & (sample.fitted_real == real)
        for own in range(sample.groups)
        for real in (True, False)
    ]
    mass = np.array(used, np.float64)
    if (weight := sample.weight_of(sample.fitted)) is not None:
        mass *= weight
    components, weights = [], []
    for number, kind in enumerate(_KINDS):
        count = min(kind.components, max(2, len(rows) // 20), len(rows))
        fitted = _fit_components(rows[:, : kind.axes], count, kind.spherical, sample.seed + number)
        f = fitted.densities(_with_squares(x[:, : kind.axes]))
        components.append(fitted)
        weights.append(_component_weights(f, mass).reshape(sample.groups, 2, count))
    return Mixtures(components, weights)


def _component_weights(f: Float64s, mass: Float64s) -> Float64s:
    """Return the shares of the components from their densities f, (components, rows), for masses
    of the rows, (…, rows)."""
    share = np.full((len(mass), len(f)), 1.0 / len(f))
    for _ in range(_WEIGHTS):
        share = share * ((mass / np.maximum(share @ f, 1e-300)) @ f.T) + 0.5
        share /= share.sum(axis=1, keepdims=True)
    return share


def _first_centers(z: Floats, count: int, seed: int) -> Floats:
    """Return rows, each drawn with a probability in proportion to its squared distance from those
    before it (k-means++)."""
    rng = stream(seed, "centers")
    centers = z[rng.integers(len(z), size=count)]  # remain where no row is left
    nearest = _squared_distances(z, centers[0])
    for i in range(1, count):
        total = np.cumsum(nearest, dtype=np.float64)
        if not total[-1] > 0:
            break
        centers[i] = z[min(total.searchsorted(rng.random() * total[-1], "right"), len(z) - 1)]
        np.minimum(nearest, _squared_distances(z, centers[i]), out=nearest)
    return centers


def _squared_distances(z: Floats, center: Floats) -> Floats:
    difference = z - center
    return np.asarray(np.einsum("ij,ij->i", difference, difference))


def _fit_components(x: Float64s, count: int, spherical: bool, seed: int) -> _Components:
    """Return components by EM, with variances shrunk to a common one."""
    size = max(float(x.var(axis=0).mean()), 1e-20)
    unit = np.sqrt(size)
    # float32 is precise enough for responsibilities, in units of the spread.
    z = _with_squares((x / unit).astype(np.float32))
    rows = z[:, : x.shape[1]]
    centers = _first_centers(rows, count, seed)
    for _ in range(_LLOYD):  # each row belongs to the nearest center
        half = 0.5 * (centers**2).sum(axis=1)
        nearest = (rows @ centers.T - half).argmax(axis=1)
        responsibility = np.equal.outer(np.arange(count), nearest).astype(np.float32)
        mass = responsibility.sum(axis=1)[:, None] + np.float32(1e-9)
        centers = (responsibility @ rows) / mass
    components = _components(responsibility, z, spherical)
    for _ in range(_EM):
        responsibility = components.densities(z, components.share)
        responsibility /= responsibility.sum(axis=0)
        components = _components(responsibility, z, spherical)
    mean, variance, share = (a.astype(np.float64) for a in components)
    return _Components(mean * unit, variance * size, share)


def _components(responsibility: Floats, z: Floats, spherical: bool) -> _Components:
    """Return components from their shares of each row, (components, rows); z: the axes and their
    squares."""
    mass = responsibility.sum(axis=1, dtype=np.float64)[:, None] + 1e-9
    mean, second = np.hsplit((responsibility @ z) / mass, 2)
    variance = np.maximum(second - mean**2, 0.0)
    if spherical:
        variance = variance.mean(axis=1, keepdims=True)
    variance = (mass * variance + _MIXTURE_PSEUDO * _MIXTURE_PRIOR) / (mass + _MIXTURE_PSEUDO)
    share = (mass[:, 0] + 0.5) / (mass + 0.5).sum()
    return _Components(*(a.astype(np.float32) for a in (mean, variance, share)))


_KNOTS = (-1.5, -0.75, 0.0, 0.75, 1.5)  # normal scores where the polylines bend


class Ranks(NamedTuple):
    """Four columns: one for each of two penalties, and two of Gaussians."""

    squares: Ridge
    gaussians: Gaussians

    def score(self, block: Block) -> Float64s:
        return np.hstack([self.squares.score(block), self.gaussians.score(block)])


def ranks(coords: Coordinates) -> Ranks | Polylines:
    """Return a fit to the normal scores of all columns, or of the screened ones beyond
    MANY_COLUMNS."""
    if coords.sample.width > MANY_COLUMNS:
        return _fit_polylines(coords)
    return Ranks(ridge(coords, _squares, (0.01, 0.3)), fit_gaussians(coords, _normal_scores))


class Polylines(NamedTuple):
    """One column, the sum of polylines in the normal scores of columns screened for the fold."""

    table: RankTable
    selected: Ints
    """(folds, columns), as places in the table."""
    slopes: Float64s
    """(folds, features, 1)"""
    intercepts: Float64s

    def score(self, block: Block) -> Float64s:
        phi = _polylines(self.table, self.selected[block.fold], block)
        return np.asarray(phi @ self.slopes[block.fold] + self.intercepts[block.fold])


def _fit_polylines(coords: Coordinates) -> Polylines:
    """Return polylines in the normal scores of the columns that differ most."""
    columns = coords.screening.without_each(coords.sample.folds)
    union, place = np.unique(columns, return_inverse=True)
    place = place.reshape(columns.shape)
    # The features are the columns, then one hinge of each column for every knot.
    blocks = np.arange(1 + len(_KNOTS))[:, None] * len(union)
    selected = [(places + blocks).ravel() for places in place]
    table = rank_table(coords.sample, union)
    of_groups = selected[: coords.sample.groups]
    fitted = ridge(coords, partial(_polylines, table, np.arange(len(union))), (0.1,), of_groups)
    return Polylines(table, place, fitted.slopes, fitted.intercepts)


def _normal_scores(block: Block) -> Float64s:
    return block.normal_scores


def _squares(block: Block) -> Floats:
    x = block.normal_scores.astype(np.float32)
    return np.hstack([x, x**2 / np.float32(np.sqrt(2.0))])


def _polylines(table: RankTable, places: Ints, block: Block) -> Floats:
    points = block.columns(table.columns[places])
    return hinges(table.transform(points, places), np.array(_KNOTS, np.float32))
