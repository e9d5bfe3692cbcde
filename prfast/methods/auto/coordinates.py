"""Coordinates of points, fitted without labels, and views of points with them.

All rows weigh alike, also where one set is larger: a weight by class would be a label.  If there
are as many columns as samples, the length of a white point reveals its weight.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import prfast.kernels.trees as boosting
from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.concurrency import cached_property
from prfast.inputs.options import stream
from prfast.kernels.masses import ascending, quantiles
from prfast.methods.auto.folds import Folds, Ints, Sets, block_rows, blocks_of_folds
from prfast.samples.noise import FENCE, medians_and_reaches
from prfast.samples.partition import balanced
from prfast.samples.partitioned import JointRows
from prfast.samples.relations import LEAST_ROWS, LINE, positive_columns, with_logarithms

ALL_AXES = 256  # columns, up to which every axis is used
LEADING = 64  # axes beyond that
MAX_GRAM = 2048  # columns, beyond which there is no matrix of all their products
MANY_COLUMNS = 128  # columns, beyond which some bases use the axes or the screened ones
BUNDLES = 5  # of folds, at most, for fits that are made fewer times
UNITS = 1000.0  # largest ratio of reaches of columns that keep their units
CLIP = 8.0
BANDS = (0, 4, 16, 32, 64, 96, 128, 192, 256, 320, 384, 448, 512)  # axes where bands begin
SOME_ROWS = 4000  # from which quantiles are computed
_REACH_ROWS, _RANKS = 1000, 256  # for reaches; bins of a column
_EDGES = np.linspace(-0.9, 0.9, 7)  # of a few bins, in reaches from the median
_GRAM_NUMBERS = 1 << 24  # numbers of the points that axes of very many columns are computed from
_LAGS, _WIDEST, _USUAL = 8, 4.0, 0.8  # most; columns in deviations; mean size of a normal one
_MIN_VARIANCE = 1e-12  # of the largest one, below which an axis is left out
_KEPT = 5_000_000  # numbers of many centered columns that are kept, where few products are
_TINY = 1e-290


def normal_scores(p: Float64s) -> Float64s:
    """Return the normal quantiles of shares, to three digits: those of Tukey's lambda distribution
    (Joiner and Rosenblatt, 1971); they are finite."""
    return np.asarray(4.91 * (p**0.14 - (1 - p) ** 0.14))


class Coordinates:
    """The numbers that coordinates are computed from, without the rows that they were fitted to."""

    # (columns, axes) that whiten, first axes of the bands, mean squared length outside, deviations.
    bands: tuple[NDArray[np.float32], Ints, float, NDArray[np.float32]] | None = None
    ranks: tuple[Float64s, Float64s] | None = None  # edges of bins, their normal scores
    products: tuple[Ints, Float64s, Float64s] | None = None  # logarithms; mean and whitening of all
    distances: tuple[float | Float64s, float | Float64s] = 0.0, 1.0  # their means and deviations

    def fit_axes(self, data: Data) -> None:
        """Fit axes and bands."""
        width, rows, is_small = data.folds.width, data.unlabelled, data.folds.width <= MAX_GRAM
        self.width, self.is_wide = width, width > ALL_AXES
        # The reach is the 0.9 quantile of the distances from the median.
        median, reach = medians_and_reaches(data.view(data.random("reaches", _REACH_ROWS)).points)
        self.reach = reach
        self.edges = median[:, None] + _EDGES * reach[:, None]
        most = float(reach.max())
        fence = FENCE * np.where(reach > 0, reach, most or np.inf)
        self.divisor = np.full(width, math.ldexp(1.0, math.frexp(most)[1]))  # changes no digit
        if most > UNITS * reach[reach > 0].min(initial=np.inf):
            self.divisor = np.where(reach > 0, reach, most)
        # One huge value cannot decide the covariance alone.
        self.low, self.high = median - fence, median + fence
        # Sums are those of numbers near the mean: these keep their digits.
        self.mean = near = median / self.divisor
        total, squares = np.zeros(width), 0.0
        products: Floats = np.zeros((width if is_small else 0,) * 2)
        for part in blocks(len(rows), block_rows(width)):
            z = data.view(rows[part]).centered
            total += z.sum(axis=0, dtype=np.float64)
            squares += float(np.einsum("ij,ij->", z, z, dtype=np.float64))
            if is_small:
                products += z.T @ z
        mean = total / len(rows)
        self.mean = near + mean
        self.size = max(squares / len(rows) - float(mean @ mean), 0.0)  # the mean of |centered|²
        if is_small:
            values, vectors = np.linalg.eigh(products / len(rows) - np.outer(mean, mean))
        else:  # from the products of random rows
            z = data.view(data.random("axes", _GRAM_NUMBERS // width)).centered
            values, vectors = np.linalg.eigh((z @ z.T).astype(np.float64) / len(z))
            vectors = z.T @ (vectors[:, -LEADING:] / np.sqrt(np.maximum(values[-LEADING:], _TINY)))
            vectors /= np.sqrt(len(z))
            values = values[-LEADING:]
        variance, basis = values[::-1], vectors[:, ::-1]
        used = variance > _MIN_VARIANCE * max(float(variance[0]), _TINY)
        used[0] = True
        axes = min(LEADING, width - 1, len(rows)) if self.is_wide else width
        kind = np.float32 if self.is_wide else np.float64
        self.basis: Floats = basis[:, used][:, :axes].astype(kind)
        self.deviation: Float64s = np.sqrt(np.maximum(variance[used][:axes], _TINY))
        if self.is_wide and is_small:  # bands of the axes with a variance above rounding
            precise = int((variance > 1e-7 * variance[0]).sum())
            axes = max(1, min(precise, len(rows) // 2, BANDS[-1]))
            deviation = np.sqrt(np.maximum(variance[:axes], 1e-60))  # in the range of float32
            outside = max(self.size - float(variance[:axes].sum()), 0.0)
            self.bands = (
                (basis[:, :axes] / deviation).astype(np.float32),
                np.array([start for start in BANDS if start < axes], np.int64),
                outside if outside > 1e-6 * self.size else 0.0,
                deviation.astype(np.float32),
            )

    def fit_scales(self, view: View, seed: int) -> None:
        """Fit what follows from quantiles and clusters of the random rows of a view."""
        z = view.axes[:, :LEADING] if self.width > MANY_COLUMNS else view.centered
        low, middle, high = quantiles(z, (0.25, 0.5, 0.75))
        narrow, spread = (high - low) / 1.349, z.std(axis=0)
        scale = np.where(narrow > 1e-3 * spread, narrow, spread)
        self.varies = scale > 0  # the columns of `std` that `median` and `scale` describe
        self.median, self.scale = middle[self.varies], scale[self.varies]
        if self.width <= MANY_COLUMNS:
            x = view.points
            edges = boosting.edges(ascending(x), _RANKS - 1)
            bins = boosting.binned(np.ascontiguousarray(x), edges)
            counts = np.array([np.bincount(column, minlength=_RANKS) for column in bins.T])
            # A bin has the score of its middle rank.
            scores = normal_scores((np.cumsum(counts, axis=1) - counts / 2) / len(x))
            self.ranks, self.products = (edges, scores), _fit_products(x, self.divisor)
        axes = view.axes[np.sort(stream(seed, "modes").permutation(len(view.axes))[:_ROWS])]
        modes = min(max(2, len(axes) // 20), len(axes), _MODES)
        self.mixture = _fit_mixture(axes[:, :_MODE_AXES], modes, seed)
        mean, deviation = view.distances.mean(axis=0), view.distances.std(axis=0)
        self.distances = mean, np.where(deviation > 0, deviation, 1.0)


@dataclass(eq=False)
class View:
    """Points with their coordinates, each computed on first use, shape (rows, columns)."""

    fitted: Coordinates
    stored: Mapping[str, Any]  # of all rows: the points, and coordinates that others follow from
    places: Any

    @cached_property
    def points(self) -> Float64s:
        """The columns as they are."""
        return np.asarray(self.stored["points"][self.places])

    @cached_property
    def centered(self) -> Floats:
        """The columns winsorized, divided by their units and minus their means; in float32 where
        columns are many."""
        if "centered" in self.stored:
            return np.asarray(self.stored["centered"][self.places])
        z = np.minimum(np.maximum(self.points, self.fitted.low), self.fitted.high)
        z /= self.fitted.divisor
        z -= self.fitted.mean
        return z.astype(np.float32) if self.fitted.is_wide else z

    @cached_property
    def axes(self) -> Float64s:
        """`centered` on the eigenvectors of the covariance, by falling variance."""
        if "axes" in self.stored:
            return np.asarray(self.stored["axes"][self.places])
        return np.asarray(self.centered @ self.fitted.basis, np.float64)

    @cached_property
    def white(self) -> Float64s:
        """The axes over their deviations, within ±CLIP."""
        x = self.axes / self.fitted.deviation
        return np.clip(x, -CLIP, CLIP, out=x)

    @cached_property
    def std(self) -> Float64s:
        """(column − median) / (IQR / 1.349); beyond MANY_COLUMNS of the LEADING axes."""
        fitted = self.fitted
        z = self.axes[:, :LEADING] if fitted.width > MANY_COLUMNS else self.centered
        x = (z if fitted.varies.all() else z[:, fitted.varies]) - fitted.median
        return np.divide(x, fitted.scale, out=x)

    @cached_property
    def ranks(self) -> Float64s:
        """Normal scores of the columns; beyond MANY_COLUMNS the white axes."""
        if self.fitted.ranks is None:
            return self.white
        edges, scores = self.fitted.ranks
        bins = boosting.binned(np.ascontiguousarray(self.points), edges)
        return scores.take(bins + np.arange(0, scores.size, _RANKS))

    @cached_property
    def products(self) -> Float64s:
        """Like `white`, with positive columns as logarithms: a product or ratio is a sum.  Rows
        without a logarithm have 0; there are none beyond MANY_COLUMNS or if all logarithms are
        lines."""
        if self.fitted.products is None:
            return np.empty((len(self.axes), 0))
        positive, mean, whitening = self.fitted.products
        z = (with_logarithms(self.points, positive) - mean) @ whitening
        return np.nan_to_num(np.clip(z, -CLIP, CLIP, out=z), copy=False)

    @cached_property
    def distances(self) -> Float64s:
        """Logarithms of |white|² and |centered|²; beyond ALL_AXES columns also of the mean squared
        white coordinate in bands of axes."""
        if "distances" in self.stored:
            return np.asarray(self.stored["distances"][self.places])
        fitted, z = self.fitted, self.centered
        length = np.einsum("ij,ij->i", z, z, dtype=np.float64)
        floor = 1e-9 * fitted.size + _TINY  # a point at the mean has no logarithm
        columns = [np.log((self.white**2).sum(axis=1) + 1e-9), np.log(length + floor)]
        if fitted.bands is not None:
            whitening, starts, residual, deviation = fitted.bands
            white = z @ whitening
            sums = np.add.reduceat(white**2, starts, axis=1, dtype=np.float64)
            means = sums / np.diff([*starts, white.shape[1]])
            if residual > 0:
                outside = (z**2).sum(axis=1) - ((white * deviation) ** 2).sum(axis=1)
                means = np.column_stack([means, np.maximum(outside, 0) / residual])
            columns.append(np.log(means + 1e-9))
        mean, scale = fitted.distances
        return np.asarray((np.column_stack(columns) - mean) / scale)

    @cached_property
    def lags(self) -> Float64s:
        """Mean products of columns that are 1, 2, … apart, and of their sizes; none beyond ALL_AXES
        columns."""
        if "lags" in self.stored:
            return np.asarray(self.stored["lags"][self.places])
        x, width = self.centered, self.fitted.width
        count = 0 if self.fitted.is_wide else min(_LAGS, width - 1)
        z = np.clip(x / np.sqrt(max(self.fitted.size / width, 1e-20)), -_WIDEST, _WIDEST)
        parts, columns = (z, np.abs(z) - _USUAL), np.empty((2 * count, len(x)))
        for i, column in enumerate(columns):
            part, lag = parts[i % 2], i // 2 + 1
            column[:] = np.einsum("ij,ij->i", part[:, lag:], part[:, :-lag]) / (width - lag)
        return columns.T


class Scorer(NamedTuple):
    """A fit without a fold, which can be pickled."""

    score: Callable[[View], Any]  # the columns of the rows of a view


class Data:
    """The rows that are fitted to, by fold, with their labels and views of them."""

    def __init__(self, folds: Folds, sets: Sets, coordinates: Coordinates | None = None) -> None:
        rows, self.folds, self.count = folds.fitted, folds, folds.folds
        self.fold, self.bundles = folds.fold[rows], min(BUNDLES, folds.folds)
        self.bundle = (self.fold % self.bundles).astype(np.int8)
        self.real = rows < folds.n_real
        self.y = np.where(self.real, 1.0, -1.0)
        self.given = folds.weight[rows]  # by the caller
        self.unlabelled = np.flatnonzero(folds.unlabelled[rows])
        self.coordinates = coordinates or Coordinates()
        self.stored: dict[str, Any] = {"points": JointRows(sets, rows)}
        self._views: dict[int, View] = {}  # of blocks
        if coordinates is None:
            self.coordinates.fit_axes(self)
        are_few = len(rows) * folds.width <= _KEPT and 2 * folds.width <= MAX_GRAM
        kept = ["centered"] * (are_few or not self.coordinates.is_wide)
        names, parts = ["axes", "distances", "lags", *kept], []
        for _, _, view in self.blocks():
            for name in ("points", "centered", "axes", "white"):  # each follows from the last one
                getattr(view, name)
            parts.append([getattr(view, name) for name in names])
        columns = map(np.concatenate, zip(*parts, strict=True))
        self.stored |= dict(zip(names, columns, strict=True))
        if coordinates is None:
            view = self.view(self.random("quartiles", SOME_ROWS))
            self.coordinates.fit_scales(view, folds.seed)
            mean, deviation = self.coordinates.distances
            self.stored["distances"] = (self.stored["distances"] - mean) / deviation
        self._views.clear()  # their distances are not scaled

    def random(self, purpose: str, count: int) -> Ints:
        """Return the places of random rows, ascending, for fits without labels."""
        if count >= len(self.unlabelled):
            return self.unlabelled
        return np.sort(stream(self.folds.seed, purpose).permutation(self.unlabelled)[:count])

    def balanced(self, places: Any = slice(None)) -> Float64s:
        """Return the weights of rows, with equal sums over both sets."""
        return balanced(self.real[places], self.given[places])

    def view(self, places: Any) -> View:
        """Return a view of rows at these places."""
        return View(self.coordinates, self.stored, places)

    def blocks(self, places: Ints | None = None) -> Iterator[tuple[int, Any, View]]:
        """Yield all rows, or those at some places, in blocks: their fold, places and view."""
        fold = self.fold if places is None else self.fold[places]
        is_kept = places is None and len(fold) <= block_rows(self.folds.width)
        for number, part in blocks_of_folds(fold, self.folds.width):
            block = part if places is None else places[part]
            view = self.view(block)
            yield number, block, self._views.setdefault(part.start, view) if is_kept else view


def _fit_products(x: Float64s, units: Float64s) -> tuple[Ints, Float64s, Float64s] | None:
    """Return the columns that are logarithms, the mean and the whitening; None where there are no
    logarithms, or all are lines."""
    positive = positive_columns(x)
    z = with_logarithms(x, positive)
    complete = ~np.isnan(z).any(axis=1)
    x, z = x[complete], z[complete]
    if not positive.size or len(z) < LEAST_ROWS * z.shape[1]:
        return None
    z -= (mean := z.mean(axis=0))
    exponent = np.frexp(np.abs(z).max(axis=0))[1]
    scale = np.ldexp(np.ldexp(z, -exponent).std(axis=0), exponent)  # no square overflows
    scale[~(scale > 0)] = np.inf
    z /= scale
    near = x[:, positive] / units[positive]
    near -= near.mean(axis=0)
    if ((near * z[:, positive]).mean(axis=0) > LINE * near.std(axis=0)).all():
        return None
    values, vectors = np.linalg.eigh(z.T @ z / len(z))
    used = values > _MIN_VARIANCE * values[-1]
    return positive, mean, vectors[:, used] / np.sqrt(values[used]) / scale[:, None]


_ROWS, _LLOYD, _EM = 3000, 6, 10  # rows, iterations
_PSEUDO, _PRIOR = 10.0, 0.3  # pseudo-rows, and their share of the mean variance
_MODE_AXES, _MODES = 40, 24  # leading axes and components


def densities(axes: Floats, mean: Floats, variance: Floats, share: float | Floats = 1.0) -> Floats:
    """Return the densities of Gaussians of these means and variances, (components, axes), times
    their shares and over the largest of a row, (rows, components)."""
    x, precise = axes[:, : mean.shape[1]], 1.0 / variance
    slopes = np.hstack([mean * precise, -0.5 * precise])
    constant = 0.5 * (np.log(precise) - mean**2 * precise).sum(axis=1) + np.log(share)
    logs = np.hstack([x, x**2]) @ slopes.T + constant
    logs -= logs.max(axis=1, keepdims=True)
    return np.asarray(np.exp(logs, out=logs))


def _fit_mixture(x: Floats, count: int, seed: int) -> tuple[Floats, Floats]:
    """Return means and variances by k-means++, k-means and EM, shrunk to a common variance."""
    size = max(float(x.var(axis=0).mean()), 1e-20)
    # float32 is precise enough for responsibilities, in units of the spread.
    rows = (x / np.sqrt(size)).astype(np.float32)
    rng = stream(seed, "centers")
    centers = rows[rng.integers(len(rows), size=count)]  # remain where no row is left
    squares = ((rows - centers[0]) ** 2).sum(axis=1)  # distances from the nearest center
    for i in range(1, count):
        total = np.cumsum(squares, dtype=np.float64)
        if not total[-1] > 0:
            break
        place = total.searchsorted(rng.random() * total[-1], "right")
        centers[i] = rows[min(place, len(rows) - 1)]
        np.minimum(squares, ((rows - centers[i]) ** 2).sum(axis=1), out=squares)
    for _ in range(_LLOYD):
        nearest = (rows @ centers.T - 0.5 * (centers**2).sum(axis=1)).argmax(axis=1)
        responsibility = np.equal.outer(nearest, np.arange(count)).astype(np.float32)
        mass = responsibility.sum(axis=0)[:, None] + np.float32(1e-9)
        centers = (responsibility.T @ rows) / mass
    for _ in range(_EM + 1):
        mass = responsibility.sum(axis=0, dtype=np.float64)[:, None] + 1e-9
        mean, second = (responsibility.T @ rows) / mass, (responsibility.T @ rows**2) / mass
        variance = mass * np.maximum(second - mean**2, 0.0) + _PSEUDO * _PRIOR
        numbers = mean, variance / (mass + _PSEUDO), (mass[:, 0] + 0.5) / (mass + 0.5).sum()
        mean, variance, share = (a.astype(np.float32) for a in numbers)
        responsibility = densities(rows, mean, variance, share)
        responsibility /= responsibility.sum(axis=1, keepdims=True)
    return mean.astype(np.float64) * np.sqrt(size), variance.astype(np.float64) * size
