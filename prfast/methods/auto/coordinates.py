"""Coordinates of points, fitted without labels, and views of points with them.

    points     the columns as they are
    centered   columns winsorized, divided by their units and minus their means
    axes       centered on the eigenvectors of the covariance, by falling variance
    white      axes / their deviations, clipped at ±CLIP
    std        (column − median) / (IQR / 1.349); beyond MANY_COLUMNS of the LEADING axes
    ranks      normal scores of the columns; none beyond MANY_COLUMNS
    products   as white, with positive columns as logarithms, where a product or ratio is a sum;
               none beyond MANY_COLUMNS or where all logarithms are lines
    distances  logarithms of |white|² and |centered|²; beyond ALL_AXES columns also of the mean
               squared white coordinate in bands of axes
    modes      densities of clusters that both sets have in common (`modes`)
    keys       a number of each row, equal for equal rows

The reach of a column is the 0.9 quantile of the distances from its median.  Columns are winsorized
at the median ± FENCE times the reach, so that one huge value cannot decide the covariance alone.
Where the reaches of columns differ by a factor above UNITS, each column is divided by its own.

All weigh alike, also where one set is larger: a weight by class would be a label, and where there
are as many columns as samples, the length of a white point reveals its weight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.concurrency import cached_property
from prfast.inputs.options import stream
from prfast.kernels import trees as boosting
from prfast.methods.auto.folds import (
    Flags,
    Folds,
    Ints,
    balanced,
    block_rows,
    blocks_of_folds,
    evenly,
    read_rows,
)
from prfast.methods.auto.modes import Components, densities, fit_modes
from prfast.samples.noise import FENCE, medians_and_reaches
from prfast.samples.relations import LEAST_ROWS, LINE, positive_columns, with_logarithms
from prfast.samples.repetition import row_keys

ALL_AXES = 256  # columns, up to which every axis is used
LEADING = 64  # axes beyond that
MAX_GRAM = 2048  # columns, beyond which there is no matrix of all their products
MANY_COLUMNS = 128  # columns, beyond which some bases use the axes or the screened ones
UNITS = 1000.0  # largest ratio of reaches of columns that keep their units
CLIP = 8.0
BANDS = (0, 4, 16, 32, 64, 96, 128, 192, 256, 320, 384, 448, 512)  # axes where bands begin
SOME_ROWS = 4000  # from which quantiles are computed
_REACH_ROWS = 1000
_RANKS = 256  # bins of a column
_GRAM_NUMBERS = 1 << 24  # numbers of the points that axes of very many columns are computed from
_MIN_VARIANCE = 1e-12  # of the largest one, below which an axis is left out
_TINY = 1e-290
_LEAST_UNIT = 2.0**-100  # whose square is far above the smallest number


class RankTable(NamedTuple):
    """Normal scores of the bins of some columns."""

    edges: Float64s
    """(columns, edges)"""
    scores: Float64s
    """(columns, bins)"""

    @classmethod
    def fit(cls, x: Float64s) -> RankTable:
        """Return the scores of the middle rank of each bin among these rows."""
        edges = boosting.edges(np.sort(np.ascontiguousarray(x.T)), _RANKS - 1)
        bins = boosting.binned(np.ascontiguousarray(x), edges)
        counts = np.array([np.bincount(column, minlength=_RANKS) for column in bins.T])
        return cls(edges, normal_scores((np.cumsum(counts, axis=1) - counts / 2) / len(x)))

    def transform(self, x: Float64s) -> Float64s:
        """Return the normal scores of values, (rows, columns)."""
        bins = boosting.binned(np.ascontiguousarray(x), self.edges)
        return self.scores.take(bins + np.arange(0, self.scores.size, _RANKS))


def normal_scores(p: Float64s) -> Float64s:
    """Return the normal quantiles of shares, to three digits: those of Tukey's lambda distribution
    (Joiner and Rosenblatt, 1971), which are finite."""
    return np.asarray(4.91 * (p**0.14 - (1 - p) ** 0.14))


class Products(NamedTuple):
    """White axes of columns, the positive ones as logarithms."""

    positive: Ints
    mean: Float64s
    whitening: Float64s
    """(columns, axes)"""

    @classmethod
    def fit(cls, x: Float64s) -> Products | None:
        """Return the axes of these rows; None where there are no logarithms, or all are lines."""
        positive = positive_columns(x)
        z = with_logarithms(x, positive)
        complete = ~np.isnan(z).any(axis=1)
        x, z = x[complete], z[complete]
        if not positive.size or len(z) < LEAST_ROWS * z.shape[1]:
            return None
        z -= (mean := z.mean(axis=0))
        scale = z.std(axis=0)
        scale[~(scale > 0)] = np.inf
        z /= scale
        near = x[:, positive] - x[:, positive].mean(axis=0)
        if ((near * z[:, positive]).mean(axis=0) > LINE * near.std(axis=0)).all():
            return None
        values, vectors = np.linalg.eigh(z.T @ z / len(z))
        used = values > _MIN_VARIANCE * values[-1]
        return cls(positive, mean, vectors[:, used] / np.sqrt(values[used]) / scale[:, None])

    def transform(self, x: Float64s) -> Float64s:
        """Return the white coordinates of points, (rows, axes); 0 without a logarithm."""
        z = (with_logarithms(x, self.positive) - self.mean) @ self.whitening
        return np.nan_to_num(np.clip(z, -CLIP, CLIP, out=z), copy=False)


class Bands(NamedTuple):
    """Axes in bands, and the variance outside of them."""

    whitening: NDArray[np.float32]
    """(columns, axes)"""
    starts: Ints
    """The first axis of each band."""
    residual: float
    """The mean squared length of the component outside the axes; 0 where they span everything."""
    deviation: NDArray[np.float32]

    def energies(self, centered: Floats) -> Float64s:
        """Return the logarithm of the mean square in each band, (rows, bands)."""
        z = centered.astype(np.float32, copy=False)
        white = z @ self.whitening
        squares = white**2
        sums = np.add.reduceat(squares, self.starts, axis=1, dtype=np.float64)
        means = sums / np.diff([*self.starts, squares.shape[1]])
        if self.residual > 0:
            outside = (z**2).sum(axis=1) - ((white * self.deviation) ** 2).sum(axis=1)
            means = np.column_stack([means, np.maximum(outside, 0) / self.residual])
        return np.asarray(np.log(means + 1e-9))


@dataclass(frozen=True)
class Coordinates:
    """The numbers that coordinates are computed from, without the rows that they were fitted to."""

    width: int
    unit: int
    reach: Float64s
    fences: tuple[Float64s, Float64s]
    divisor: Float64s
    mean: Float64s
    size: float = 0.0
    """The mean of |centered|²."""
    basis: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    deviation: Float64s = field(default_factory=lambda: np.zeros(0))
    bands: Bands | None = None
    median: Float64s = field(default_factory=lambda: np.zeros(0))
    scale: Float64s = field(default_factory=lambda: np.zeros(0))
    """Of the columns of `std`, as `median`; those that vary."""
    varies: Flags = field(default_factory=lambda: np.zeros(0, bool))
    ranks: RankTable | None = None
    products: Products | None = None
    distances: tuple[Float64s, Float64s] = (np.zeros(1), np.ones(1))
    """Their means and deviations."""
    modes: tuple[Components, ...] = ()

    @property
    def is_wide(self) -> bool:
        """Whether there are more than ALL_AXES columns, so that only leading axes are used."""
        return self.width > ALL_AXES

    def centered(self, points: Float64s) -> Floats:
        """Return points winsorized and centered; in float32 where columns are many."""
        z = np.clip(points, *self.fences)
        z /= self.divisor
        z -= self.mean
        return z.astype(np.float32) if self.is_wide else z


class View:
    """Points with their coordinates, each computed on first use, shape (rows, columns)."""

    def __init__(
        self,
        fitted: Coordinates,
        read: Callable[[], Float64s],
        fold: int,
        computed: dict[str, Floats],
    ) -> None:
        self.fitted, self.read, self.fold = fitted, read, fold
        self.__dict__.update(computed)

    def __len__(self) -> int:
        return len(self.axes)

    @cached_property
    def points(self) -> Float64s:
        return self.read()

    @cached_property
    def centered(self) -> Floats:
        return self.fitted.centered(self.points)

    @cached_property
    def axes(self) -> Float64s:
        return np.asarray(self.centered @ self.fitted.basis, np.float64)

    @cached_property
    def white(self) -> Float64s:
        x = self.axes / self.fitted.deviation
        return np.clip(x, -CLIP, CLIP, out=x)

    @cached_property
    def std(self) -> Float64s:
        fitted = self.fitted
        z = self.axes[:, :LEADING] if fitted.width > MANY_COLUMNS else self.centered
        x = (z if fitted.varies.all() else z[:, fitted.varies]) - fitted.median
        return np.divide(x, fitted.scale, out=x)

    @cached_property
    def ranks(self) -> Float64s:
        table = self.fitted.ranks
        return np.empty((len(self), 0)) if table is None else table.transform(self.points)

    @cached_property
    def products(self) -> Float64s:
        fitted = self.fitted.products
        return np.empty((len(self), 0)) if fitted is None else fitted.transform(self.points)

    @cached_property
    def distances(self) -> Float64s:
        length = np.einsum("ij,ij->i", self.centered, self.centered, dtype=np.float64)
        floor = 1e-9 * self.fitted.size + _TINY  # a point at the mean has no logarithm
        columns = [np.log((self.white**2).sum(axis=1) + 1e-9), np.log(length + floor)]
        if self.fitted.bands is not None:
            columns.append(self.fitted.bands.energies(self.centered))
        mean, deviation = self.fitted.distances
        return (np.column_stack(columns) - mean) / deviation

    @cached_property
    def modes(self) -> list[Float64s]:
        return [densities(mixture, self.axes) for mixture in self.fitted.modes]

    @cached_property
    def keys(self) -> Float64s:
        return (row_keys(self.points) >> np.uint64(11)).astype(np.float64)


class Data:
    """The rows that are fitted to, by fold, with their labels and views of them."""

    def __init__(self, folds: Folds, real: Floats, fake: Floats) -> None:
        self.folds, self.sets = folds, (real, fake)
        self.rows, self.count = folds.fitted, folds.folds
        self.fold = folds.fold[self.rows]
        self.group = (self.fold % folds.groups).astype(np.int8)
        self.real: Flags = self.rows < folds.n_real
        self.y = np.where(self.real, 1.0, -1.0)
        self.given = folds.weight[self.rows]
        """The caller's weights of the rows."""
        self.distinct = np.flatnonzero(folds.distinct[self.rows])
        self.coordinates = _fit_axes(_fit_reaches(self), self)
        self.stored: dict[str, Floats] = {}
        """Coordinates of all rows, from which most else follows."""
        names = ["axes", "distances"] + ["centered"] * (not self.coordinates.is_wide)
        parts = []
        for _, view in self.blocks():
            for name in ("points", "centered", "axes", "white"):  # each follows from the one before
                getattr(view, name)
            parts.append([getattr(view, name) for name in names])
        for name, of_parts in zip(names, zip(*parts, strict=True), strict=True):
            self.stored[name] = np.concatenate(of_parts)
        self.coordinates = _fit_scales(self)
        mean, deviation = self.coordinates.distances
        self.stored["distances"] = (self.stored["distances"] - mean) / deviation

    def __len__(self) -> int:
        return len(self.rows)

    def read(self, places: Any, columns: Ints | None = None) -> Float64s:
        """Return the points of rows at these places, or these columns of them."""
        return read_rows(self.sets, self.rows[places], self.folds.unit, columns)

    def random(self, purpose: str, count: int) -> Ints:
        """Return the places of so many random rows, ascending, for fits without labels."""
        return np.sort(stream(self.folds.seed, purpose).permutation(self.distinct)[:count])

    def labelled(self, purpose: str, count: int, among: Ints | None = None) -> Ints:
        """Return the places of so many random rows, ascending, for fits with labels: equally many
        of each set where there are."""
        places = stream(self.folds.seed, purpose).permutation(len(self) if among is None else among)
        return evenly(self.real, places, count)

    def balanced(self, places: Any = slice(None)) -> Float64s:
        """Return the weights of rows, with equal sums over both sets."""
        return balanced(self.real[places], self.given[places])

    def view(self, places: Any, fold: int = 0) -> View:
        """Return a view of rows at these places, of a fold where they are scored."""
        stored = {name: column[places] for name, column in self.stored.items()}
        return View(self.coordinates, partial(self.read, places), fold, stored)

    def blocks(self, places: Ints | None = None) -> Iterator[tuple[Any, View]]:
        """Yield all rows, or those at some places, in blocks of one fold: their places and their
        view."""
        fold = self.fold if places is None else self.fold[places]
        for number, part in blocks_of_folds(fold, self.folds.width):
            block = part if places is None else places[part]
            yield block, self.view(block, number)


# ---- the fit -------------------------------------------------------------------------------------


def _fit_reaches(data: Data) -> Coordinates:
    """Return coordinates with the reaches of columns, centered near the mean."""
    folds = data.folds
    median, reach = medians_and_reaches(data.read(data.random("reaches", _REACH_ROWS)))
    fence = np.where(reach > 0, FENCE * reach, np.inf)
    divisor = _units(reach)
    fences = median - fence, median + fence
    return Coordinates(folds.width, folds.unit, reach, fences, divisor, median / divisor)


def _units(reach: Float64s) -> Float64s:
    """Return the divisor of each column."""
    varying = reach[reach > 0]
    if not varying.size:
        return np.ones(len(reach))
    least, most = float(varying.min()), float(varying.max())
    if most <= UNITS * least and _LEAST_UNIT < most < 1 / _LEAST_UNIT:
        return np.ones(len(reach))
    return np.where(reach > 0, reach, most)


def _fit_axes(fitted: Coordinates, data: Data) -> Coordinates:
    """Return the coordinates with the mean, axes and bands."""
    # Sums are those of numbers near the mean, which keep their digits.
    width, rows, near = data.folds.width, data.distinct, fitted.mean
    is_small = width <= MAX_GRAM
    total, squares = np.zeros(width), 0.0
    products: Floats = np.zeros((width if is_small else 0,) * 2)
    for part in blocks(len(rows), block_rows(width)):
        z = fitted.centered(data.read(rows[part]))
        total += z.sum(axis=0, dtype=np.float64)
        squares += float(np.einsum("ij,ij->", z, z, dtype=np.float64))
        if is_small:
            products += z.T @ z
    mean = total / len(rows)
    size = max(squares / len(rows) - float(mean @ mean), 0.0)
    fitted = replace(fitted, mean=near + mean, size=size)
    if is_small:
        values, vectors = np.linalg.eigh(products / len(rows) - np.outer(mean, mean))
    else:  # from the products of random rows
        z = fitted.centered(data.read(data.random("axes", _GRAM_NUMBERS // width)))
        values, vectors = np.linalg.eigh((z @ z.T).astype(np.float64) / len(z))
        vectors = z.T @ (vectors[:, -LEADING:] / np.sqrt(np.maximum(values[-LEADING:], _TINY)))
        vectors /= np.sqrt(len(z))
        values = values[-LEADING:]
    variance, basis = values[::-1], vectors[:, ::-1]
    used = variance > _MIN_VARIANCE * max(float(variance[0]), _TINY)
    used[0] = True
    axes = min(LEADING, width - 1, len(rows)) if fitted.is_wide else width
    kind = np.float32 if fitted.is_wide else np.float64
    return replace(
        fitted,
        basis=basis[:, used][:, :axes].astype(kind),
        deviation=np.sqrt(np.maximum(variance[used][:axes], _TINY)),
        bands=_bands(variance, basis, size, len(rows)) if fitted.is_wide and is_small else None,
    )


def _fit_scales(data: Data) -> Coordinates:
    """Return the coordinates with what follows from quantiles and clusters of random rows."""
    fitted = data.coordinates
    view = data.view(data.random("quartiles", SOME_ROWS))
    z = view.axes[:, :LEADING] if fitted.width > MANY_COLUMNS else view.centered
    low, middle, high = np.quantile(z, (0.25, 0.5, 0.75), axis=0)
    narrow, spread = (high - low) / 1.349, z.std(axis=0)
    scale = np.where(narrow > 1e-3 * spread, narrow, spread)
    varies = scale > 0
    mean, deviation = view.distances.mean(axis=0), view.distances.std(axis=0)
    ranks = products = None
    if fitted.width <= MANY_COLUMNS:
        ranks, products = RankTable.fit(view.points), Products.fit(view.points)
    return replace(
        fitted,
        median=middle[varies],
        scale=scale[varies],
        varies=varies,
        ranks=ranks,
        products=products,
        distances=(mean, np.where(deviation > 0, deviation, 1.0)),
        modes=fit_modes(view.axes, data.folds.seed),
    )


def _bands(variance: Float64s, basis: Floats, size: float, rows: int) -> Bands:
    """Return the axes with a variance above rounding, up to the last band, in bands."""
    precise = int((variance > 1e-7 * variance[0]).sum())
    axes = max(1, min(precise, rows // 2, BANDS[-1]))
    deviation = np.sqrt(np.maximum(variance[:axes], 1e-60))  # in the range of float32
    residual = max(size - float(variance[:axes].sum()), 0.0)
    return Bands(
        (basis[:, :axes] / deviation).astype(np.float32),
        np.array([start for start in BANDS if start < axes], np.int64),
        residual if residual > 1e-6 * size else 0.0,
        deviation.astype(np.float32),
    )
