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
from functools import partial, reduce
from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.samples import stream
from prfast.methods.auto.coordinates import Block, Coordinates
from prfast.methods.auto.regressions import (
    Ridge,
    add_to_diagonal,
    hinges,
    inverse_of_lower,
    ridge,
)
from prfast.methods.auto.sample import MANY_COLUMNS, Ints, RankTable, rank_table

Features = Callable[[Block], Float64s]

_PSEUDO, _PRIOR = 5.0, 0.3


class _Normal(NamedTuple):
    """A Gaussian; its log density is computed up to a constant that all share."""

    mean: Float64s
    root: Float64s
    """x ↦ (x − mean) root is standard normal; a vector is a diagonal."""
    log_volume: float
    """½ log det of the covariance."""

    def coefficients(self) -> tuple[Float64s, Float64s, float]:
        """Return A, b and c of the log density −½ xᵀA x + bᵀx + c; A is a vector where diagonal."""
        if self.root.ndim == 2:
            precision = self.root @ self.root.T
            linear = precision @ self.mean
        else:
            precision = self.root**2
            linear = precision * self.mean
        return precision, linear, -0.5 * float(linear @ self.mean) - self.log_volume


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
    """The sums n, Σ x, Σ x xᵀ, Σ |x|² x, Σ |x|⁴ over some samples."""

    number: float
    first: Float64s
    second: Float64s
    third: Float64s
    fourth: float

    @classmethod
    def from_rows(cls, x: Float64s, weight: Float64s | None) -> _Sums:
        squares = (x**2).sum(axis=1)
        if weight is not None:
            wx = weight[:, None] * x
            fourth = float(weight @ squares**2)
            return cls(float(weight.sum()), wx.sum(axis=0), x.T @ wx, squares @ wx, fourth)
        return cls(len(x), x.sum(axis=0), x.T @ x, squares @ x, float((squares**2).sum()))

    def plus(self, other: _Sums, sign: float = 1.0) -> _Sums:
        return _Sums(
            self.number + sign * other.number,
            self.first + sign * other.first,
            self.second + sign * other.second,
            self.third + sign * other.third,
            self.fourth + sign * other.fourth,
        )


def gaussians(coords: Coordinates) -> Gaussians:
    """Return Gaussians fitted to whitened coordinates."""
    return fit_gaussians(coords, _whitened)


def _whitened(block: Block) -> Float64s:
    return block.whitened


def fit_gaussians(coords: Coordinates, features: Features) -> Gaussians:
    """Return Gaussians fitted to features, for each fold on the others."""
    sample = coords.sample
    sums: list[list[_Sums]] = []
    for _, block in coords.fitted_blocks():
        x = features(block)
        if not sums:
            width = x.shape[1]
            nothing = _Sums(0, np.zeros(width), np.zeros((width, width)), np.zeros(width), 0.0)
            sums = [[nothing, nothing] for _ in range(sample.folds)]
        own = sums[block.fold]
        for i, flags in enumerate((block.real, ~block.real)):
            weight = sample.weight_of(block.rows[flags])
            own[i] = own[i].plus(_Sums.from_rows(x[flags], weight))
    total = [reduce(_Sums.plus, (of_fold[i] for of_fold in sums)) for i in range(2)]
    ratios = []
    for own in sums:
        outside = [total[i].plus(own[i], -1.0) for i in range(2)]
        ratios.append([_log_ratio(*map(fit, outside)) for fit in (_fit_full, _fit_diagonal)])
    return Gaussians(features, ratios)


def _log_ratio(p: _Normal, q: _Normal) -> tuple[Float64s, Float64s, float]:
    """Return A, b and c of log p − log q = xᵀA x + bᵀx + c."""
    (a, b, c), (d, e, f) = (x.coefficients() for x in (p, q))
    if a.ndim != d.ndim:  # one of the two has a full matrix
        a, d = (np.diag(x) if x.ndim == 1 else x for x in (a, d))
    return 0.5 * (d - a), b - e, c - f


def _fit_full(x: _Sums) -> _Normal:
    mean, covariance = _moments(x)
    width = len(mean)
    size = float(np.trace(covariance)) / width
    if x.number < 2 or size < 1e-12:
        return _fit_diagonal(x)
    squares = float(np.vdot(covariance, covariance))
    noise = max(_fourth_moment(x, mean) - squares, 0.0) / x.number
    distance = squares - width * size**2
    shrinkage = min(1.0, noise / distance) if distance > 0 else 1.0
    covariance *= 1.0 - shrinkage
    add_to_diagonal(covariance, (shrinkage + 1e-6) * size)
    try:
        below = np.linalg.cholesky(covariance)
        if below.diagonal().min() ** 2 > 1e-9 * size:
            volume = float(np.log(below.diagonal()).sum())
            return _Normal(mean, inverse_of_lower(below).T, volume)
    except np.linalg.LinAlgError:
        pass
    values, vectors = np.linalg.eigh(covariance)
    values = np.maximum(values, 1e-9 * size)
    return _Normal(mean, vectors / np.sqrt(values), 0.5 * float(np.log(values).sum()))


def _fit_diagonal(x: _Sums) -> _Normal:
    mean, covariance = _moments(x)
    variance = np.maximum(covariance.diagonal(), 0.0)
    variance = (x.number * variance + _PSEUDO * _PRIOR) / (x.number + _PSEUDO)
    return _Normal(mean, 1.0 / np.sqrt(variance), 0.5 * float(np.log(variance).sum()))


def _fourth_moment(x: _Sums, mean: Float64s) -> float:
    """Return Σ |x − mean|⁴ / n."""
    length = float(mean @ mean)
    total = x.fourth - 4.0 * float(mean @ x.third) + 4.0 * float(mean @ x.second @ mean)
    total += 2.0 * length * float(np.trace(x.second)) - 3.0 * x.number * length**2
    return total / x.number


def _moments(x: _Sums) -> tuple[Float64s, Float64s]:
    mean = x.first / x.number
    return mean, x.second / x.number - np.outer(mean, mean)


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

    def log_densities(self, x: Floats) -> Floats:
        """Return the log densities, (rows, components), without the shares."""
        precise = np.broadcast_to(1.0 / self.variance, self.mean.shape)
        logs = x @ (self.mean * precise).T - x**2 @ (0.5 * precise).T
        logs += 0.5 * (np.log(precise) - self.mean**2 * precise).sum(axis=1)
        return logs


class Mixtures(NamedTuple):
    """A column for each kind."""

    components: list[_Components]
    weights: list[Float64s]
    """The weights of each kind, (groups of folds, 2, components)."""

    def score(self, block: Block) -> Float64s:
        columns = []
        for components, weights in zip(self.components, self.weights, strict=True):
            f = _densities(components, block.axes[:, : components.mean.shape[1]])
            p, q = (f @ weights[block.fold % len(weights)].T + 1e-300).T
            columns.append(np.log(p) - np.log(q))
        return np.column_stack(columns)


def _densities(components: _Components, x: Floats) -> Floats:
    """Return the densities of each row, divided by the largest of the row."""
    logs = components.log_densities(x)
    # Short rows are reduced slowly.
    logs -= np.ascontiguousarray(logs.T).max(axis=0)[:, None]
    return np.exp(logs, out=logs)


def mixtures(coords: Coordinates) -> Mixtures:
    """Return mixtures: components fitted to some rows, weights of each group of folds to the
    others."""
    sample = coords.sample
    group, x = sample.group_of(sample.fitted_fold), coords.fitted_axes
    rows = x[sample.subsample_distinct("mixtures", _ROWS)]
    components, weights = [], []
    for number, kind in enumerate(_KINDS):
        count = min(kind.components, max(2, len(rows) // 20), len(rows))
        fitted = _fit_components(rows[:, : kind.axes], count, kind.spherical, sample.seed + number)
        f = _densities(fitted, x[:, : kind.axes])
        of_groups = []
        for own in range(sample.groups):
            used = [(group != own) & (sample.fitted_real == real) for real in (True, False)]
            weights_of = (sample.weight_of(sample.fitted[rows]) for rows in used)
            pairs = zip(used, weights_of, strict=True)
            of_groups.append([_component_weights(f[rows], weight) for rows, weight in pairs])
        components.append(fitted)
        weights.append(np.array(of_groups))
    return Mixtures(components, weights)


def _component_weights(f: Float64s, weight: Float64s | None) -> Float64s:
    """Return the share of each component from the densities f, (rows, components)."""
    share = np.full(f.shape[1], 1.0 / f.shape[1])
    numerator = 1.0 if weight is None else weight
    for _ in range(_WEIGHTS):
        share = share * (f.T @ (numerator / np.maximum(f @ share, 1e-300))) + 0.5
        share /= share.sum()
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
    size = max(float(x.var(axis=0).mean()), 1e-290)
    unit = np.sqrt(size)
    # float32 is precise enough for responsibilities, in units of the spread.
    z = (x / unit).astype(np.float32)
    centers = _first_centers(z, count, seed)
    components = _Components(centers, *(np.ones(s, np.float32) for s in ((count, 1), count)))
    squares = z**2
    for iteration in range(_LLOYD + _EM):
        if iteration < _LLOYD:  # each row belongs to the nearest center
            half = 0.5 * (components.mean**2).sum(axis=1)
            nearest = (z @ components.mean.T - half).argmax(axis=1)
            responsibility = np.equal.outer(nearest, np.arange(count)).astype(np.float32)
        else:
            responsibility = _densities(components, z) * components.share
            responsibility /= (responsibility @ np.ones(count, np.float32))[:, None]
        mass = responsibility.sum(axis=0, dtype=np.float64)[:, None] + 1e-9
        mean, second = (responsibility.T @ z) / mass, (responsibility.T @ squares) / mass
        variance = np.maximum(second - mean**2, 0.0)
        if spherical:
            variance = variance.mean(axis=1, keepdims=True)
        variance = (mass * variance + _MIXTURE_PSEUDO * _MIXTURE_PRIOR) / (mass + _MIXTURE_PSEUDO)
        share = (mass[:, 0] + 0.5) / (mass + 0.5).sum()
        components = _Components(*(a.astype(np.float32) for a in (mean, variance, share)))
    mean, variance, share = (a.astype(np.float64) for a in components)
    return _Components(mean * unit, variance * size, share)


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
