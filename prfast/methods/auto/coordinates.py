"""Coordinates of points, fitted without labels: centered, on axes, whitened, standardized.

    z         a point, winsorized column by column, minus the mean of both sets together
    axes      z Uᵀ, U the eigenvectors of the covariance Σ z zᵀ / N, by decreasing variance v
    whitened  axes / √v, clipped at ±CLIP
    single    (z − median) / (IQR / 1.349) column by column
    radial    |whitened|², its logarithm and that of |z|², standardized
    energies  beyond ALL_AXES features: log of the mean squared whitened coordinate in bands of axes

The reach of a column is the 0.9 quantile of the distances from its median.  Each column is
winsorized far outside of its distribution, at its median ± FENCE times its reach, so that one huge
value, such as a fill value, cannot decide the covariance alone.  Where the reaches of columns
differ by a factor above UNITS, each column is divided by its own, as the axes of the covariance
would otherwise be the columns with the largest units.

Up to ALL_AXES features there are as many axes as features.  Beyond that, the bases use the AXES
leading ones and the energies of the others.  All is fitted to the fitted rows of both sets together
with equal weights, also where one set is larger: a weight by class would be a label, and where
there are as many features as samples, the length of a whitened point reveals its weight.

`Coordinates` fits them, `Frame` holds the fitted numbers, and `Block` applies them to points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.concurrency import cached_property
from prfast.inputs.options import stream
from prfast.methods.auto.sample import (
    MANY_COLUMNS,
    NUMBERS,
    Executor,
    Flags,
    Ints,
    RankTable,
    Sample,
    Screening,
    block_rows,
    column_quantiles,
    rank_table,
    screen_columns,
)
from prfast.samples.noise import FENCE, medians_and_reaches

ALL_AXES = 256  # features, up to which every axis is used
AXES = 64  # leading axes beyond that
MAX_GRAM = 2048  # features, beyond which there is no matrix of all their products
UNITS = 1000.0  # largest ratio of reaches of columns that keep their units
STORED = 2 << 20  # numbers of the points whose coordinates are stored
CLIP = 8.0
_TINY = 1e-290
BANDS = (0, 4, 16, 32, 64, 96, 128, 192, 256, 320, 384, 448, 512)  # axes where bands begin
_MIN_VARIANCE = 1e-12  # of the largest one, below which an axis is left out
_AXES_NUMBERS = 1 << 24  # numbers of the points that leading axes are computed from
_OVERSAMPLED, _POWERS = 10, 8  # more directions than axes, and power iterations
_QUARTILE_ROWS = 4000
_REACH_ROWS = 1000
_LEAST_UNIT = 2.0**-100  # whose square is far above the smallest number


class Bands(NamedTuple):
    """Leading axes in bands, and the variance outside of them."""

    basis: NDArray[np.float32]
    """(features, axes), whitening: the mean square of each coordinate is 1."""
    starts: Ints
    """The first axis of each band."""
    residual: float
    """The mean squared length of the component outside the axes; 0 where they span everything."""
    deviation: NDArray[np.float32]
    """The standard deviation along each axis."""

    def energies(self, centered: Floats) -> Float64s:
        """Return the logarithm of the mean square in each band, (rows, bands)."""
        z = centered.astype(np.float32, copy=False)
        white = z @ self.basis
        squares = white**2
        sums = np.add.reduceat(squares, self.starts, axis=1, dtype=np.float64)
        means = sums / np.diff([*self.starts, squares.shape[1]])
        if self.residual > 0:
            outside = (z**2).sum(axis=1) - ((white * self.deviation) ** 2).sum(axis=1)
            means = np.column_stack([means, np.maximum(outside, 0) / self.residual])
        return np.asarray(np.log(means + 1e-9))


class Frame(NamedTuple):
    """The numbers that coordinates are computed from, by the names of `Coordinates`."""

    many: bool
    fences: tuple[Float64s, Float64s]
    unit: Float64s | None
    mean: Float64s
    size: float
    basis: Float64s
    deviation: Float64s
    bands: Bands | None
    ranks: RankTable
    varies: Flags
    median: Float64s
    scale: Float64s
    radii_mean: Float64s
    radii_deviation: Float64s


_T = TypeVar("_T")


def _coordinate(compute: Callable[[Block], _T]) -> cached_property[_T]:
    """Return a coordinate, which is computed on first use: for the whole that a block is of."""

    def of_block(block: Block) -> _T:
        if block.whole is None:
            return compute(block)
        of_whole: Any = getattr(block.whole, compute.__name__)
        rows: _T = of_whole[block.place]
        return rows

    return cached_property(of_block)


class Block:
    """Points of one fold with their coordinates, computed on first use."""

    whole: Block | None = None
    """A block of several folds, of which this one has the rows at `place`."""
    place: slice

    def __init__(self, frame: Frame | Coordinates, sample: Sample, rows: Ints, fold: int) -> None:
        self.frame, self.sample, self.rows, self.fold = frame, sample, rows, fold
        self.real, self.part = sample.is_real(rows), sample.part[rows]

    def __len__(self) -> int:
        return len(self.rows)

    def distinct(self, coordinate: Float64s) -> Float64s:
        """Return a coordinate of the rows for fits without labels (`Folds.distinct`)."""
        distinct = self.sample.distinct[self.rows]
        return coordinate if distinct.all() else coordinate[distinct]

    @_coordinate
    def points(self) -> Float64s:
        return self.sample.points(self.rows)

    def columns(self, columns: Ints) -> Float64s:
        """Return some columns of the points, ascending."""
        if len(columns) == self.sample.width:
            return self.points
        if "points" in self.__dict__:
            return self.points[:, columns]
        return self.sample.columns(self.rows, columns)

    @_coordinate
    def winsorized(self) -> Float64s:
        x = np.clip(self.points, *self.frame.fences)
        return x if self.frame.unit is None else np.divide(x, self.frame.unit, out=x)

    @_coordinate
    def centered(self) -> Floats:
        """In float32 where features are many."""
        z = self.winsorized - self.frame.mean
        return z.astype(np.float32) if self.frame.many else z

    @_coordinate
    def normal_scores(self) -> Float64s:
        return self.frame.ranks.transform(self.columns(self.frame.ranks.columns))

    @_coordinate
    def energies(self) -> Float64s:
        """The energies of the bands; without columns where there are no bands."""
        bands = self.frame.bands
        return np.empty((len(self), 0)) if bands is None else bands.energies(self.centered)

    @_coordinate
    def axes(self) -> Float64s:
        z, basis = self.centered, self.frame.basis
        return np.asarray(z @ basis.astype(z.dtype, copy=False), np.float64)

    @_coordinate
    def whitened(self) -> Float64s:
        x = self.axes / self.frame.deviation
        return np.clip(x, -CLIP, CLIP, out=x)

    @_coordinate
    def single(self) -> Float64s:
        frame = self.frame
        z = self.axes if frame.many else self.centered
        x = (z if frame.varies.all() else z[:, frame.varies]) - frame.median
        return np.divide(x, frame.scale, out=x)

    @_coordinate
    def radii(self) -> Float64s:
        r = (self.whitened**2).sum(axis=1)
        length = np.einsum("ij,ij->i", self.centered, self.centered, dtype=np.float64)
        floor = 1e-9 * self.frame.size + _TINY  # a point at the mean has no logarithm
        return np.column_stack([r, np.log(r + 1e-9), np.log(length + floor)])

    @_coordinate
    def radial(self) -> Float64s:
        return (self.radii - self.frame.radii_mean) / self.frame.radii_deviation


@dataclass(frozen=True)
class Coordinates:
    """The fit of the coordinates to both sets together, without labels; computed on first use."""

    sample: Sample
    stores_centered: bool = False
    """Whether the centered points of all fitted rows are stored where features are many, since most
    of the fit would otherwise gather and center them once more."""

    @property
    def many(self) -> bool:
        """Whether there are more than ALL_AXES features, so that only leading axes are used."""
        return self.sample.width > ALL_AXES

    def frame(self) -> Frame:
        """Return all fitted numbers, without the rows that they were fitted to."""
        return Frame(*(getattr(self, name) for name in Frame._fields))

    def prepare(self, execute: Executor, share: float = 0.0) -> None:
        """Fit everything now, before several threads need it.

        share: the share of the fit, for the progress bar.
        """
        blocks = self.computed_blocks
        self.fences  # noqa: B018
        execute(lambda block: block.winsorized, blocks, 0.3 * share)
        self.mean  # noqa: B018
        execute(lambda block: block.centered, blocks, 0.2 * share)
        self.basis  # noqa: B018
        execute(lambda block: block.radii, blocks, 0.5 * share)
        self.radii_mean, self.scale, self.bands, self.ranks  # noqa: B018

    def of_share(self, places: Ints) -> Coordinates:
        """Return the same coordinates, fitted to all, with only the rows at some places in
        `fitted` to fit to, and each group of folds as one fold, by which the places are sorted."""
        sample = self.sample
        fold = (sample.fold % sample.groups).astype(np.int8)
        fitted_rows = sample.fitted[places]
        share = Coordinates(replace(sample, fitted=fitted_rows, fold=fold, folds=sample.groups))
        fitted: dict[str, Any] = {
            name: getattr(self, name) for name in (*Frame._fields, "variance")
        }
        if self.many:
            fitted["_stored_axes"] = tuple(x[places] for x in self._stored_axes)
        share.__dict__.update({name: x for name, x in fitted.items() if name != "many"})
        return share

    def compute(self, places: Ints, name: str) -> Floats:
        """Return a coordinate of the rows at some places in `fitted`."""
        if self.whole is not None:
            of_whole: Floats = getattr(self.whole, name)[places]
            return of_whole
        rows = self.sample.fitted[places]
        parts = blocks(len(rows), block_rows(self.sample.width))
        return np.concatenate(
            [getattr(Block(self, self.sample, rows[part], -1), name) for part in parts]
        )

    # ---- blocks of the fitted rows ----

    def fitted_blocks(self) -> Iterator[tuple[slice, Block]]:
        """Yield the fitted rows in blocks, each with its slice of them."""
        for fold, part in self.sample.parts(self.sample.fitted):
            yield part, self.fitted_block(fold, part)

    def fitted_block(self, fold: int, part: slice) -> Block:
        """Return a block of fitted rows, with the coordinates that are stored already."""
        block = self._block(fold, part)
        if self.many and self.whole is None:
            axes, radii, energies = self._stored_axes
            block.__dict__.update(axes=axes[part], radii=radii[part], energies=energies[part])
        return block

    def features(self, of_block: Callable[[Block], Floats]) -> Floats:
        """Return numbers of all fitted rows, computed from blocks; not to be overwritten."""
        if self.whole is not None:
            return of_block(self.whole)
        return np.concatenate([of_block(block) for _, block in self.fitted_blocks()])

    @cached_property
    def whole(self) -> Block | None:
        """All fitted rows as one block, if they are as few as that."""
        rows = self.sample.fitted
        return (
            Block(self, self.sample, rows, -1)
            if len(rows) <= block_rows(self.sample.width)
            else None
        )

    @cached_property
    def stored_blocks(self) -> dict[int, Block]:
        """The blocks of all fitted rows by their first place, if these are few; otherwise empty."""
        rows, width = self.sample.fitted, self.sample.width
        if self.whole is None and (self.many or len(rows) * width > STORED):
            return {}
        stored = {}
        for fold, part in self.sample.parts(rows):
            stored[part.start] = block = Block(self, self.sample, rows[part], fold)
            block.whole, block.place = self.whole, part
        return stored

    @property
    def computed_blocks(self) -> list[Block]:
        """The blocks whose coordinates are stored, of which others are parts."""
        return [*self.stored_blocks.values()] if self.whole is None else [self.whole]

    @cached_property
    def _centered(self) -> NDArray[np.float32]:
        rows = self.sample.fitted
        z = np.empty((len(rows), self.sample.width), np.float32)
        for fold, part in self.sample.parts(rows):
            z[part] = Block(self, self.sample, rows[part], fold).centered
        return z

    def _block(self, fold: int, part: slice) -> Block:
        if self.stored_blocks:
            return self.stored_blocks[part.start]
        block = Block(self, self.sample, self.sample.fitted[part], fold)
        if self.many and self.stores_centered and "mean" in self.__dict__:
            block.__dict__["centered"] = self._centered[part]
        return block

    def _blocks_before_axes(self) -> Iterator[Block]:
        """Yield the fitted rows in blocks without stored axes, for the fit of the axes."""
        if self.whole is not None:
            yield self.whole
            return
        for fold, part in self.sample.parts(self.sample.fitted):
            yield self._block(fold, part)

    @cached_property
    def _stored_axes(self) -> tuple[Float64s, Float64s, Float64s]:
        """The leading axes, the radii and the energies of the fitted rows, where features are many:
        most bases need no others, which would take as much memory as the samples."""
        of_blocks = [(b.axes, b.radii, b.energies) for b in self._blocks_before_axes()]
        axes, radii, energies = map(np.concatenate, zip(*of_blocks, strict=True))
        return axes, radii, energies

    @cached_property
    def fitted_axes(self) -> Float64s:
        """The leading axes of the fitted rows, at most AXES."""
        if self.many and self.whole is None:
            return self._stored_axes[0]
        return self.features(lambda block: block.axes[:, :AXES])

    @cached_property
    def weight(self) -> Float64s:
        """The weights of the fitted rows."""
        return self.sample.weights(self.sample.fitted)

    @property
    def _rows(self) -> int:
        """The number of distinct fitted rows."""
        return int(self.sample.distinct[self.sample.fitted].sum())

    # ---- fences, units and mean ----

    @cached_property
    def _medians_and_reaches(self) -> tuple[Float64s, Float64s]:
        sample = self.sample
        rows = sample.fitted[sample.subsample_distinct("reaches", _REACH_ROWS)]
        median, reach = np.empty(sample.width), np.empty(sample.width)
        for columns in blocks(sample.width, max(1, NUMBERS // len(rows))):
            x = sample.columns(rows, columns)
            median[columns], reach[columns] = medians_and_reaches(x)
        return median, reach

    @property
    def reach(self) -> Float64s:
        """The reach of each column, as `medians_and_reaches` returns it."""
        return self._medians_and_reaches[1]

    @cached_property
    def fences(self) -> tuple[Float64s, Float64s]:
        """The values where columns are winsorized; infinite for a constant column."""
        median, reach = self._medians_and_reaches
        width = np.where(reach > 0, FENCE * reach, np.inf)
        return median - width, median + width

    @cached_property
    def unit(self) -> Float64s | None:
        """The divisor of each column; None where columns keep their units."""
        reach = self.reach
        varying = reach[reach > 0]
        if not varying.size:
            return None
        least, most = float(varying.min()), float(varying.max())
        if most <= UNITS * least and _LEAST_UNIT < most < 1 / _LEAST_UNIT:
            return None
        return np.where(reach > 0, reach, most)

    @cached_property
    def mean(self) -> Float64s:
        total = np.zeros(self.sample.width)
        for block in self._blocks_before_axes():
            total += block.distinct(block.winsorized).sum(axis=0)
        return np.asarray(total / self._rows)

    @cached_property
    def size(self) -> float:
        """The mean of |z|² over the fitted rows."""
        centered = (block.distinct(block.centered) for block in self._blocks_before_axes())
        return sum(float((z**2).sum(dtype=np.float64)) for z in centered) / self._rows

    # ---- axes ----

    @cached_property
    def _axes(self) -> tuple[Float64s, Float64s]:
        """The basis, a column for each axis, and the variances along the axes."""
        if self.many:
            basis, variance = self._leading_axes()
        else:
            values, vectors = np.linalg.eigh(self._covariance(np.float64))
            basis, variance = vectors[:, ::-1], values[::-1]
        used = variance > _MIN_VARIANCE * max(float(variance[0]), _TINY)
        used[0] = True
        return basis[:, used], variance[used]

    def _leading_axes(self) -> tuple[Float64s, Float64s]:
        """Return the leading eigenvectors and their variances; where the covariance is too large,
        by a randomized SVD of as many rows as fit in a fixed amount of memory."""
        sample = self.sample
        count = min(AXES, sample.width - 1, len(sample.fitted))
        if sample.width <= MAX_GRAM:
            variance, basis = self._eigen
            return basis[:, :count].astype(np.float64), variance[:count]
        size = max(AXES, _AXES_NUMBERS // sample.width)
        rows = sample.fitted[sample.subsample_distinct("axes", size)]
        z = np.empty((len(rows), sample.width), np.float32)
        for part in blocks(len(rows), NUMBERS // sample.width):
            z[part] = Block(self, sample, rows[part], -1).centered
        count = min(count, len(rows))
        random = stream(sample.seed, "directions").normal(size=(len(rows), count + _OVERSAMPLED))
        basis = np.linalg.qr(z.T @ random.astype(np.float32))[0]
        for _ in range(_POWERS):
            basis = np.linalg.qr(z.T @ (z @ basis))[0]
        _, s, axes = np.linalg.svd(z @ basis, full_matrices=False)
        axes = basis @ axes[:count].T
        return axes.astype(np.float64), s[:count].astype(np.float64) ** 2 / len(rows)

    @cached_property
    def _eigen(self) -> tuple[Float64s, Floats]:
        """Variances, decreasing, and eigenvectors of the covariance of many features."""
        variance, basis = np.linalg.eigh(self._covariance(np.float32))
        return variance[::-1].astype(np.float64), basis[:, ::-1]

    def _covariance(self, kind: type) -> Floats:
        total: Floats = np.zeros((self.sample.width,) * 2, kind)
        for block in self._blocks_before_axes():
            z: Floats = block.distinct(block.centered).astype(kind, copy=False)
            total += z.T @ z
        return np.asarray(total / kind(self._rows))

    @cached_property
    def basis(self) -> Float64s:
        return self._axes[0]

    @cached_property
    def variance(self) -> Float64s:
        return np.maximum(self._axes[1], _TINY)

    @cached_property
    def deviation(self) -> Float64s:
        return np.sqrt(self.variance)

    @cached_property
    def bands(self) -> Bands | None:
        """The axes with a variance above rounding, up to the last band, in bands; None where every
        axis is a coordinate anyway."""
        if not self.many or self.sample.width > MAX_GRAM:
            return None
        variance, basis = self._eigen
        # With fewer samples than features the last axes are rounding errors.
        precise = int((variance > 1e-7 * variance[0]).sum())
        axes = min(precise, len(self.sample.fitted) // 2, BANDS[-1])
        starts = np.array([start for start in BANDS if start < axes], np.int64)
        deviation = np.sqrt(variance[:axes])
        residual = max(self.size - float(variance[:axes].sum()), 0.0)
        residual = residual if residual > 1e-6 * self.size else 0.0
        whitening = (basis[:, :axes] / deviation).astype(np.float32)
        return Bands(whitening, starts, residual, deviation.astype(np.float32))

    # ---- columns and radii ----

    @cached_property
    def ranks(self) -> RankTable:
        """The table of normal scores: of all columns, or of none where they are many."""
        width = self.sample.width
        return rank_table(self.sample, np.arange(width if width <= MANY_COLUMNS else 0))

    @cached_property
    def screening(self) -> Screening:
        return screen_columns(self.sample)

    @cached_property
    def _medians_and_scales(self) -> tuple[Float64s, Float64s]:
        """The median and the scale of each column, from some rows; 0 for a constant column."""
        places = self.sample.subsample_distinct("quartiles", _QUARTILE_ROWS)
        z = self.compute(places, "axes" if self.many else "centered")
        low, median, high = column_quantiles(z, (0.25, 0.5, 0.75))
        narrow, spread = (high - low) / 1.349, z.std(axis=0)
        return median, np.where(narrow > 1e-3 * spread, narrow, spread)

    @cached_property
    def varies(self) -> Flags:
        """Columns of `single` that are not constant."""
        flags: Flags = self._medians_and_scales[1] > 0
        return flags

    @cached_property
    def median(self) -> Float64s:
        return self._medians_and_scales[0][self.varies]

    @cached_property
    def scale(self) -> Float64s:
        return self._medians_and_scales[1][self.varies]

    @cached_property
    def _radii(self) -> tuple[Float64s, Float64s]:
        radii = self.features(lambda block: block.distinct(block.radii))
        spread = radii.std(axis=0)
        return radii.mean(axis=0), np.where(spread > 0, spread, 1.0)

    @cached_property
    def radii_mean(self) -> Float64s:
        return self._radii[0]

    @cached_property
    def radii_deviation(self) -> Float64s:
        return self._radii[1]
