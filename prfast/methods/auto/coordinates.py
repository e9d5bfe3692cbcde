"""Coordinates of points, fitted without labels, and views of points with them.

    points     the columns as they are
    centered   columns winsorized, divided by their units and minus their means
    axes       centered on the eigenvectors of the covariance, by falling variance
    white      axes / their deviations, clipped at ±CLIP
    std        (column − median) / (IQR / 1.349); beyond MANY_COLUMNS of the LEADING axes
    ranks      normal scores of the columns; none beyond MANY_COLUMNS
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
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.concurrency import cached_property
from prfast.inputs.options import stream
from prfast.kernels import monotone
from prfast.methods.auto.folds import (
    Flags,
    Folds,
    Ints,
    balanced,
    block_rows,
    chunk_rows,
    evenly,
    read_rows,
)
from prfast.methods.auto.modes import Components, densities, fit_modes
from prfast.samples.noise import FENCE, medians_and_reaches
from prfast.samples.repetition import row_keys

ALL_AXES = 256  # columns, up to which every axis is used
LEADING = 64  # axes beyond that
MAX_GRAM = 2048  # columns, beyond which there is no matrix of all their products
MANY_COLUMNS = 128  # columns, beyond which some bases use the axes or the screened ones
UNITS = 1000.0  # largest ratio of reaches of columns that keep their units
STORED = 2 << 20  # numbers of the points whose coordinates are stored
CLIP = 8.0
BANDS = (0, 4, 16, 32, 64, 96, 128, 192, 256, 320, 384, 448, 512)  # axes where bands begin
SOME_ROWS = 4000  # from which quantiles are computed
_REACH_ROWS = 1000
_RANKED_ROWS = 500  # by which values are ranked: their error is that of a rank, about 1/√500
_GRAM_NUMBERS = 1 << 24  # numbers of the points that axes of very many columns are computed from
_MIN_VARIANCE = 1e-12  # of the largest one, below which an axis is left out
_TINY = 1e-290
_LEAST_UNIT = 2.0**-100  # whose square is far above the smallest number
# The coefficients of `normal_scores`, below _TAIL and from there to the middle.
_TAIL = 0.02425
_TAIL_ABOVE = (
    *(-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e00),
    *(-2.549732539343734e00, 4.374664141464968e00, 2.938163982698783e00),
)
_TAIL_BELOW = (
    *(7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e00),
    *(3.754408661907416e00, 1.0),
)
_MIDDLE_ABOVE = (
    *(-3.969683028665376e01, 2.209460984245205e02, -2.759285104469687e02),
    *(1.383577518672690e02, -3.066479806614716e01, 2.506628277459239e00),
)
_MIDDLE_BELOW = (
    *(-5.447609879822406e01, 1.615858368580409e02, -1.556989798598866e02),
    *(6.680131188771972e01, -1.328068155288572e01, 1.0),
)


class RankTable(NamedTuple):
    """The sorted values of some columns, by which other values are ranked."""

    values: Float64s
    """(columns, rows)"""
    ends: Ints
    """The place behind the last value that equals each one, (columns, rows)."""
    scores: Float64s
    """The normal score by the number of values below plus the number not above."""

    @classmethod
    def fit(cls, x: Float64s) -> RankTable:
        """Return the table of these rows."""
        values = np.sort(np.ascontiguousarray(x.T))
        ends = [column.searchsorted(column, "right") for column in values]
        shape = (len(ends), len(x))
        return cls(values, np.array(ends, np.int64).reshape(shape), normal_scores(len(x) + 1)[1:-1])

    def transform(self, x: Float64s) -> Float64s:
        """Return the normal scores of values, (rows, columns)."""
        x = np.ascontiguousarray(x.T)
        scores = np.empty(x.shape)
        for column, values, ends, result in zip(x, self.values, self.ends, scores, strict=True):
            monotone.scores_of_ranks(column, values, ends, self.scores, result)
        return scores.T


def normal_scores(n: int) -> Float64s:
    """Return the normal quantiles of 0, 1/2n, 2/2n, …, 1, to nine digits (rational approximations
    by P. J. Acklam)."""
    p = np.arange(1, n + 1) / (2 * n)
    tail, middle = np.sqrt(-2 * np.log(p[p < _TAIL])), p[p >= _TAIL] - 0.5
    squares = middle**2
    lower = np.concatenate(
        [
            [-np.inf],
            np.polyval(_TAIL_ABOVE, tail) / np.polyval(_TAIL_BELOW, tail),
            middle * np.polyval(_MIDDLE_ABOVE, squares) / np.polyval(_MIDDLE_BELOW, squares),
        ]
    )
    return np.concatenate([lower, -lower[-2::-1]])


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
    size: float
    """The mean of |centered|²."""
    basis: Floats
    deviation: Float64s
    bands: Bands | None
    median: Float64s
    scale: Float64s
    """Of the columns of `std`, as `median`; those that vary."""
    varies: Flags
    ranks: RankTable | None = None
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


_T = TypeVar("_T")


def _coordinate(compute: Callable[[View], _T]) -> cached_property[_T]:
    """Return a coordinate, which is computed on first use: for the whole that a view is of."""

    def of_view(view: View) -> _T:
        if view.whole is None:
            return compute(view)
        of_whole: Any = getattr(view.whole, compute.__name__)
        rows: _T = of_whole[view.rows]
        return rows

    return cached_property(of_view)


class View:
    """Points with their coordinates, each computed on first use, shape (rows, columns)."""

    whole: View | None = None
    """The view of which this one has the `rows`."""
    rows: Any = None

    def __init__(
        self, fitted: Coordinates, read: Callable[[], Float64s], fold: NDArray[Any]
    ) -> None:
        self.fitted, self.read, self.fold = fitted, read, fold

    def __len__(self) -> int:
        return len(self.fold)

    def computed(self) -> View:
        """Return the view with the coordinates that the other ones follow from."""
        for name in ("points", "centered", "axes", "white"):  # in this order
            getattr(self, name)
        return self

    def take(self, rows: Any) -> View:
        """Return a view of some rows."""
        part = View(self.fitted, self.read, self.fold[rows])
        part.whole, part.rows = self, rows
        return part

    def at_fold(self, fold: int) -> View:
        """Return the view with another fold, and the same coordinates."""
        same = self.take(slice(None))
        same.fold = np.full(len(self), fold, np.int8)
        return same

    def by_fold(self) -> Iterator[tuple[int, slice]]:
        """Yield each fold and its rows, which are consecutive."""
        starts = np.flatnonzero(np.diff(self.fold, prepend=-1))
        for start, end in zip(starts, [*starts[1:], len(self)], strict=True):
            yield int(self.fold[start]), slice(int(start), int(end))

    @_coordinate
    def points(self) -> Float64s:
        return self.read()

    @_coordinate
    def centered(self) -> Floats:
        return self.fitted.centered(self.points)

    @_coordinate
    def axes(self) -> Float64s:
        return np.asarray(self.centered @ self.fitted.basis, np.float64)

    @_coordinate
    def white(self) -> Float64s:
        x = self.axes / self.fitted.deviation
        return np.clip(x, -CLIP, CLIP, out=x)

    @_coordinate
    def std(self) -> Float64s:
        fitted = self.fitted
        z = self.axes[:, :LEADING] if fitted.width > MANY_COLUMNS else self.centered
        x = (z if fitted.varies.all() else z[:, fitted.varies]) - fitted.median
        return np.divide(x, fitted.scale, out=x)

    @_coordinate
    def ranks(self) -> Float64s:
        table = self.fitted.ranks
        return np.empty((len(self), 0)) if table is None else table.transform(self.points)

    @_coordinate
    def distances(self) -> Float64s:
        length = np.einsum("ij,ij->i", self.centered, self.centered, dtype=np.float64)
        floor = 1e-9 * self.fitted.size + _TINY  # a point at the mean has no logarithm
        columns = [np.log((self.white**2).sum(axis=1) + 1e-9), np.log(length + floor)]
        if self.fitted.bands is not None:
            columns.append(self.fitted.bands.energies(self.centered))
        mean, deviation = self.fitted.distances
        return (np.column_stack(columns) - mean) / deviation

    @_coordinate
    def modes(self) -> Float64s:
        return np.hstack([densities(kind, self.axes) for kind in self.fitted.modes])

    @_coordinate
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
        self.given = None if folds.weight is None else folds.weight[self.rows]
        """The caller's weights of the rows; None where all weigh alike."""
        self.weight = self.balanced()
        self.distinct = np.flatnonzero(folds.distinct[self.rows])
        self.coordinates = _fit_coordinates(self)
        # Before threads, of which each would compute them.
        self.whole: View | None = None
        """All rows, if they are few enough for their coordinates to be stored."""
        if is_stored(len(self), folds.width):
            self.whole = View(self.coordinates, partial(self.read, slice(None)), self.fold)
            self.whole.computed()
        wide = self.coordinates.is_wide
        self._leading = leading(self.coordinates, self, np.arange(len(self))) if wide else {}

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
        return balanced(self.real[places], None if self.given is None else self.given[places])

    def view(self, places: Any) -> View:
        """Return a view of rows at these places."""
        if self.whole is not None:
            return self.whole.take(places)
        view = View(self.coordinates, partial(self.read, places), self.fold[places])
        for name, stored in self._leading.items():
            view.__dict__[name] = stored[places]
        return view

    def chunks(self) -> Iterator[tuple[slice, View]]:
        """Yield all rows in blocks."""
        for part in blocks(len(self), chunk_rows(self.folds.width)):
            yield part, self.view(part)


def leading(fitted: Coordinates, data: Data, places: Ints) -> dict[str, Float64s]:
    """Return the axes and distances of rows of many columns, from which most else follows; a block
    of the points is in memory at a time."""
    columns = []
    for part in blocks(len(places), block_rows(fitted.width)):
        rows = places[part]
        view = View(fitted, partial(data.read, rows), data.fold[rows]).computed()
        columns.append((view.axes, view.distances))
    axes, distances = map(np.concatenate, zip(*columns, strict=True))
    return {"axes": axes, "distances": distances}


def is_stored(rows: int, width: int) -> bool:
    """Return whether the coordinates of all fitted rows are stored."""
    return width <= ALL_AXES and rows * width <= STORED


# ---- the fit -------------------------------------------------------------------------------------


def _fit_coordinates(data: Data) -> Coordinates:
    """Return the coordinates of both sets together, without labels."""
    folds, width = data.folds, data.folds.width
    median, reach = medians_and_reaches(data.read(data.random("reaches", _REACH_ROWS)))
    fence = np.where(reach > 0, FENCE * reach, np.inf)
    divisor = _units(reach)
    none = np.zeros(0)
    fitted = Coordinates(
        width,
        folds.unit,
        reach,
        (median - fence, median + fence),
        divisor,
        median / divisor,  # near the mean, so that sums of squares keep their digits
        0.0,
        np.zeros((width, 0)),
        none,
        None,
        none,
        none,
        np.zeros(0, bool),
    )
    fitted = _fit_axes(fitted, data)
    places = data.random("quartiles", SOME_ROWS)
    view = View(fitted, partial(data.read, places), data.fold[places])
    if fitted.is_wide:
        view.__dict__ |= leading(fitted, data, places)
    else:
        view.computed()
    z = view.axes[:, :LEADING] if width > MANY_COLUMNS else view.centered
    low, middle, high = np.quantile(z, (0.25, 0.5, 0.75), axis=0)
    narrow, spread = (high - low) / 1.349, z.std(axis=0)
    scale = np.where(narrow > 1e-3 * spread, narrow, spread)
    varies = scale > 0
    mean, deviation = view.distances.mean(axis=0), view.distances.std(axis=0)
    ranks = None
    if width <= MANY_COLUMNS:
        ranks = RankTable.fit(data.read(data.random("ranks", _RANKED_ROWS)))
    return replace(
        fitted,
        median=middle[varies],
        scale=scale[varies],
        varies=varies,
        ranks=ranks,
        distances=(mean, np.where(deviation > 0, deviation, 1.0)),
        modes=fit_modes(view.axes[:, :LEADING], folds.seed),
    )


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
    width, rows, near = data.folds.width, data.distinct, fitted.mean
    is_small = width <= MAX_GRAM
    total, squares = np.zeros(width), 0.0
    products: Floats = np.zeros((width if is_small else 0,) * 2)
    for part in blocks(len(rows), chunk_rows(width)):
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
