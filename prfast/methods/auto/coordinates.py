"""Coordinates of points, fitted without labels: centered, on axes, whitened, standardized.

    z         a point, winsorized column by column, minus the mean of both sets together
    axes      z Uᵀ, U the eigenvectors of the covariance Σ z zᵀ / N, by decreasing variance v
    whitened  axes / √v, clipped at ±CLIP
    single    (z − median) / (IQR / 1.349) column by column
    radial    |whitened|², its logarithm and that of |z|², standardized

    energies  beyond MOST features: log of the mean squared whitened coordinate in bands of axes

The reach of a column is the _REACH quantile of the distances from its median.  Each column is
winsorized far outside of its distribution, at its median ± FENCE times its reach, so that one huge
value, such as a fill value, cannot decide the covariance alone.  Where the reaches of columns
differ by a factor above UNITS, each column is divided by its own, as the axes of the covariance
would otherwise be the columns with the largest units.

Up to MOST features there are as many axes as features.  Beyond that, the bases use the AXES leading
ones and the energies of the others.  All is fitted to the fitted rows of both sets together with
equal weights, also where one set is larger: a weight by class would be a label, and where there are
as many features as samples, the length of a whitened point reveals its weight.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.concurrency import cached_property
from prfast.methods.auto.block import (
    MANY,
    TINY,
    Bands,
    Block,
    Frame,
    Screening,
    Table,
    screening,
    table,
)
from prfast.methods.auto.sample import NUMBERS, Flags, Ints, Sample, block_rows
from prfast.methods.auto.workers import SHARES, Run

MOST = 256
AXES = 64
GRAM = 2048  # features, beyond which there is no matrix of all their products
FENCE = 50.0  # reaches from the median, where columns are winsorized
UNITS = 1000.0  # largest ratio of reaches of columns that keep their units
_REACH = 0.9  # quantile of distances from the median
_BANDS = (0, 4, 16, 32, 64, 96, 128, 192, 256, 320, 384, 448, 512)  # axes where bands begin
_SPREAD = 1e-12  # of the largest variance, below which an axis is none
_FOR_AXES = 1 << 24  # numbers of the points that leading axes are computed from
_FOR_QUARTILES = 4000  # rows
_FOR_REACHES = 1000  # rows
_LEAST_UNIT = 2.0**-100  # whose square is far above the smallest number
KEPT = 2 << 20  # numbers of the points whose coordinates are stored


@dataclass(frozen=True)
class Coordinates:
    """The fit of the coordinates to both sets together, without labels; computed on first use."""

    sample: Sample

    @property
    def many(self) -> bool:
        """Whether there are more features than MOST, so that only leading axes are used."""
        return self.sample.width > MOST

    def frame(self) -> Frame:
        """Return all fitted numbers, without the rows that they were fitted to."""
        return Frame(
            self.many,
            self.fences,
            self.unit,
            self.mean,
            self.size,
            self.basis,
            self.deviation,
            self.bands,
            self.ranked,
            self.varies,
            self.median,
            self.scale,
            self.radii_mean,
            self.radii_deviation,
        )

    def of(self, rows: Ints, name: str) -> Floats:
        """Return a coordinate of some rows, of any folds."""
        parts = blocks(len(rows), block_rows(self.sample.width))
        return np.concatenate(
            [getattr(Block(self, self.sample, rows[part], -1), name) for part in parts]
        )

    def prepare(self, run: Run) -> None:
        """Fit everything now, before several threads need it."""
        self.radii_mean, self.scale, self.bands, self.ranked  # noqa: B018
        if self._few:
            run(_complete, list(self._kept.values()), SHARES["coordinates"])

    def fitted_block(self, fold: int, part: slice) -> Block:
        """Return a block of fitted rows, with the coordinates that are stored already."""
        block = self._block(fold, part)
        if self.many:
            axes, radii = self._kept_axes
            block.__dict__.update(axes=axes[part], radii=radii[part])
        return block

    def _block(self, fold: int, part: slice) -> Block:
        if self._few:
            return self._kept[part.start]
        return Block(self, self.sample, self.sample.fitted[part], fold)

    def before_axes(self) -> Iterator[Block]:
        """Yield the fitted rows in blocks without stored axes, for the fit of the axes."""
        for fold, part in self.sample.parts(self.sample.fitted):
            yield self._block(fold, part)

    def again(self) -> Iterator[tuple[slice, Block]]:
        """Yield the fitted rows in blocks, each with its slice of them."""
        for fold, part in self.sample.parts(self.sample.fitted):
            yield part, self.fitted_block(fold, part)

    @property
    def _few(self) -> bool:
        return not self.many and len(self.sample.fitted) * self.sample.width <= KEPT

    @cached_property
    def _kept(self) -> dict[int, Block]:
        """The blocks of all fitted rows, by their first place."""
        rows = self.sample.fitted
        return {p.start: Block(self, self.sample, rows[p], f) for f, p in self.sample.parts(rows)}

    @cached_property
    def _kept_axes(self) -> tuple[Float64s, Float64s]:
        """The leading axes and the radii of the fitted rows, where features are many: most bases
        need no others, which would take as much memory as the samples."""
        kept = [(block.axes, block.radii) for block in self.before_axes()]
        axes, radii = (np.concatenate(one) for one in zip(*kept, strict=True))
        return axes, radii

    @cached_property
    def fitted_axes(self) -> Float64s:
        """The leading axes of the fitted rows, at most AXES."""
        if self.many:
            return self._kept_axes[0]
        return np.concatenate([block.axes[:, :AXES] for _, block in self.again()])

    @cached_property
    def weight(self) -> Float64s:
        """The weights of the fitted rows."""
        return self.sample.weights(self.sample.fitted)

    @cached_property
    def _reaches(self) -> tuple[Float64s, Float64s]:
        """The median and the reach of each column."""
        sample = self.sample
        some = sample.fitted[sample.some_distinct("reaches", _FOR_REACHES)]
        median, reach = np.empty(sample.width), np.empty(sample.width)
        for columns in blocks(sample.width, max(1, NUMBERS // len(some))):
            x = sample.columns(some, columns)
            median[columns] = np.median(x, axis=0)
            away = np.abs(x - median[columns])
            reach[columns] = np.quantile(away, _REACH, axis=0)
            # Where most values equal the median, the reach is the median of the other distances.
            for j in np.flatnonzero(reach[columns] == 0):
                others = away[:, j][away[:, j] > 0]
                reach[columns.start + j] = np.median(others) if others.size else 0.0
        return median, reach

    @property
    def reach(self) -> Float64s:
        """The _REACH quantile of the distances of a column from its median; where that is 0, the
        median of the others."""
        return self._reaches[1]

    @cached_property
    def fences(self) -> tuple[Float64s, Float64s]:
        """The values where columns are winsorized; infinite for a constant column."""
        median, reach = self._reaches
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
        for _, block in self._uncentered():
            total += block.of_distinct(block.winsorized).sum(axis=0)
        return np.asarray(total / self.rows)

    @property
    def rows(self) -> int:
        """The number of distinct fitted rows."""
        return int(self.sample.distinct[self.sample.fitted].sum())

    def _uncentered(self) -> Iterator[tuple[slice, Block]]:
        """Yield the fitted rows in blocks for which only the fences are fitted."""
        for fold, part in self.sample.parts(self.sample.fitted):
            yield part, Block(self, self.sample, self.sample.fitted[part], fold)

    @cached_property
    def _axes(self) -> tuple[Float64s, Float64s]:
        """The basis, a column for each axis, and the variances along the axes."""
        basis, variance = _leading(self) if self.many else _all_axes(self)
        kept = variance > _SPREAD * max(float(variance[0]), TINY)
        kept[0] = True
        return basis[:, kept], variance[kept]

    @cached_property
    def eigen(self) -> tuple[Float64s, Floats]:
        """Variances, decreasing, and eigenvectors of the covariance of many features."""
        from scipy import linalg

        variance, basis = linalg.eigh(_covariance(self, np.float32), overwrite_a=True)
        return variance[::-1].astype(np.float64), basis[:, ::-1]

    @cached_property
    def basis(self) -> Float64s:
        return self._axes[0]

    @cached_property
    def variance(self) -> Float64s:
        return np.maximum(self._axes[1], TINY)

    @cached_property
    def deviation(self) -> Float64s:
        return np.sqrt(self.variance)

    @cached_property
    def bands(self) -> Bands | None:
        """The axes behind the energies; None where every axis is a coordinate anyway."""
        return _bands(self) if self.many and self.sample.width <= GRAM else None

    @cached_property
    def size(self) -> float:
        """The mean of |z|² over the fitted rows."""
        blocks_of_all = (block.of_distinct(block.centered) for block in self.before_axes())
        return sum(float((centered**2).sum()) for centered in blocks_of_all) / self.rows

    @cached_property
    def ranked(self) -> Table:
        """The table of normal scores: of all columns, or of none where they are many."""
        width = self.sample.width
        return table(self.sample, np.arange(width if width <= MANY else 0))

    @cached_property
    def screening(self) -> Screening:
        return screening(self.sample)

    @cached_property
    def _quartiles(self) -> tuple[Float64s, Float64s, Float64s]:
        """The quartiles of each column, from some rows."""
        some = self.sample.fitted[self.sample.some_distinct("quartiles", _FOR_QUARTILES)]
        z = self.of(some, "axes" if self.many else "centered")
        low, median, high = np.quantile(z, [0.25, 0.5, 0.75], axis=0)
        narrow, spread = (high - low) / 1.349, z.std(axis=0)
        return median, np.where(narrow > 1e-3 * spread, narrow, spread), spread

    @cached_property
    def varies(self) -> Flags:
        """Columns of `single` that are not constant."""
        flags: Flags = self._quartiles[1] > 0
        return flags

    @cached_property
    def median(self) -> Float64s:
        return self._quartiles[0][self.varies]

    @cached_property
    def scale(self) -> Float64s:
        return self._quartiles[1][self.varies]

    @cached_property
    def _radii(self) -> tuple[Float64s, Float64s]:
        radii = np.concatenate([block.of_distinct(block.radii) for _, block in self.again()])
        spread = radii.std(axis=0)
        return radii.mean(axis=0), np.where(spread > 0, spread, 1.0)

    @cached_property
    def radii_mean(self) -> Float64s:
        return self._radii[0]

    @cached_property
    def radii_deviation(self) -> Float64s:
        return self._radii[1]


def _complete(block: Block) -> None:
    """Compute the coordinates that most bases share, before several threads need them."""
    block.axes, block.whitened, block.single, block.radial  # noqa: B018


def _all_axes(made: Coordinates) -> tuple[Float64s, Float64s]:
    """Return every eigenvector of the covariance, and the variances."""
    from scipy import linalg

    variance, basis = linalg.eigh(_covariance(made, np.float64))
    return basis[:, ::-1], variance[::-1]


def _leading(made: Coordinates) -> tuple[Float64s, Float64s]:
    """Return the leading eigenvectors and their variances; where the covariance is too large, by a
    randomized SVD of as many rows as fit in a fixed amount of memory."""
    from sklearn.utils.extmath import randomized_svd

    sample = made.sample
    count = min(AXES, sample.width - 1, len(sample.fitted))
    if sample.width <= GRAM:
        variance, basis = made.eigen
        return basis[:, :count].astype(np.float64), variance[:count]
    some = sample.fitted[sample.some_distinct("axes", max(AXES, _FOR_AXES // sample.width))]
    z = np.empty((len(some), sample.width), np.float32)
    for part in blocks(len(some), NUMBERS // sample.width):
        z[part] = Block(made, sample, some[part], -1).centered
    _, s, rows = randomized_svd(
        z, min(count, len(some)), n_iter=8, random_state=sample.seed % 2**32
    )
    return rows.T.astype(np.float64), s.astype(np.float64) ** 2 / len(some)


def _covariance(made: Coordinates, kind: type) -> Floats:
    total: Floats = np.zeros((made.sample.width,) * 2, kind)
    for block in made.before_axes():
        z: Floats = block.of_distinct(block.centered).astype(kind, copy=False)
        total += z.T @ z
    return np.asarray(total / kind(made.rows))


def _bands(made: Coordinates) -> Bands:
    """Return the axes with a variance above rounding, up to the last band, in bands."""
    variance, basis = made.eigen
    # With fewer samples than features the last axes are rounding errors.
    axes = min(int((variance > 1e-7 * variance[0]).sum()), len(made.sample.fitted) // 2, _BANDS[-1])
    starts = np.array([one for one in _BANDS if one < axes])
    deviation = np.sqrt(variance[:axes])
    rest = max(made.size - float(variance[:axes].sum()), 0.0)
    rest = rest if rest > 1e-6 * made.size else 0.0
    whitening = (basis[:, :axes] / deviation).astype(np.float32)
    return Bands(whitening, starts, rest, deviation.astype(np.float32))
