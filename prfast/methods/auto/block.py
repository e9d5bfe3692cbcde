"""Points of one fold with their coordinates, and the normal scores and screening of columns.

The normal score of a value in a column is Φ⁻¹ of its rank among some rows of both sets; equal
values share the middle of their ranks.  Normal scores do not depend on the unit of a column, on
monotone transformations such as the logarithm, or on the size of outliers.

Where there are more than MANY columns, they are screened: some bases use only the SCREENED ones
whose distributions differ most between the classes, by Σ (p − q)² / (p + q) over the shares p and q
of both classes in BINS bins between quantiles of both sets together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, blocks
from prfast.inputs.concurrency import cached_property
from prfast.methods.auto.sample import NUMBERS, Flags, Ints, Sample

_RANKED_ROWS = 500  # by which values are ranked: their error is that of a rank, about 1/√500


class Table(NamedTuple):
    """The sorted values of some columns, by which other values are ranked."""

    columns: Ints
    values: Float64s
    """(columns, rows)"""
    ends: Ints
    """The place behind the last value that equals each one, (columns, rows)."""
    scores: Float64s
    """The normal score by the number of values below plus the number not above."""

    def place(self, points: Float64s, chosen: Ints | slice = slice(None)) -> Float64s:
        """Return the normal scores of points, (rows, columns); chosen: places in `columns`."""
        places = np.arange(len(self.columns))[chosen]
        placed = np.empty((len(points), len(places)))
        for at, i in enumerate(places):
            x = np.ascontiguousarray(points[:, self.columns[i]])
            below = self.values[i].searchsorted(x)
            # A second search, for the values not above, would take as long as the first.
            equal = self.values[i].take(below, mode="clip") == x
            not_above = np.where(equal, self.ends[i].take(below, mode="clip"), below)
            placed[:, at] = self.scores[below + not_above]
        return placed


def table(sample: Sample, columns: Ints) -> Table:
    """Return the table of normal scores of these columns, from some rows of both sets."""
    from scipy import special

    some = sample.fitted[sample.some_distinct("ranks", _RANKED_ROWS)]
    values = np.sort(sample.columns(some, columns), axis=0).T.copy()
    ends = np.array([one.searchsorted(one, "right") for one in values], np.int64)
    twice = np.arange(2 * len(some) + 1)
    return Table(
        columns,
        values,
        ends.reshape(values.shape),
        special.ndtri((twice + 1.0) / (2.0 * len(some) + 2.0)),
    )


MANY = 128  # columns, beyond which they are screened
SCREENED = 48
BINS = 8
_SCREENED_ROWS = 8000
_FOR_EDGES = 2000  # rows


class Screening(NamedTuple):
    """Counts of the values of every column in bins, by group of folds and class.

    Being separate by group, they can choose the columns of a fold without its samples.
    """

    counts: Float64s
    """(groups, real or generated, columns, bins)"""

    @property
    def groups(self) -> int:
        return len(self.counts)

    def columns(self, groups: Sequence[int]) -> Ints:
        """Return the columns that differ most between the classes in these groups, ascending."""
        p, q = self.counts[groups].sum(axis=0)
        p, q = (x / np.maximum(x.sum(axis=1, keepdims=True), 1) for x in (p, q))
        apart = ((p - q) ** 2 / np.maximum(p + q, 1e-9)).sum(axis=1)
        return np.sort(np.argsort(-apart, kind="stable")[:SCREENED])

    def without_each(self, folds: int) -> NDArray[np.int64]:
        """Return the columns that differ most in the other groups, (folds, SCREENED)."""
        others = [[g for g in range(self.groups) if g != one] for one in range(self.groups)]
        return np.array([self.columns(some) for some in others])[np.arange(folds) % self.groups]


def screening(sample: Sample) -> Screening:
    """Return the counts of the values of some rows in bins between quantiles."""
    some = sample.some("screening", _SCREENED_ROWS)
    rows = sample.fitted[some]
    cell, cells = sample.cells(some), 2 * sample.groups
    counts = np.zeros((cells, sample.width, BINS))
    for columns in blocks(sample.width, max(1, NUMBERS // len(rows))):
        x = sample.columns(rows, columns)
        edges = np.quantile(x[:: -(-len(x) // _FOR_EDGES)], np.arange(1, BINS) / BINS, axis=0)
        bins = sum((x > edge).astype(np.int64) for edge in edges)
        size = x.shape[1]
        at = (cell[:, None] * size + np.arange(size)) * BINS + bins
        binned = np.bincount(at.ravel(), minlength=cells * size * BINS)
        counts[:, columns] = binned.reshape(cells, size, BINS)
    return Screening(counts.reshape(-1, 2, *counts.shape[1:]))


Float32s = NDArray[np.float32]

CLIP = 8.0
TINY = 1e-290


class Bands(NamedTuple):
    """Leading axes in bands, and the variance that they leave."""

    basis: Float32s
    """(features, axes), whitening: the mean square of each coordinate is 1."""
    starts: Ints
    """The first axis of each band."""
    rest: float
    """The mean squared length of the component outside the axes; 0 where they span everything."""
    colors: Float32s
    """The standard deviation along each axis."""

    def energies(self, centered: Float64s) -> Float64s:
        """Return the logarithm of the mean square in each band, (rows, bands)."""
        z = centered.astype(np.float32)
        white = z @ self.basis
        squares = white**2
        sums = np.add.reduceat(squares, self.starts, axis=1, dtype=np.float64)
        means = sums / np.diff([*self.starts, squares.shape[1]])
        if self.rest > 0:
            left = (z**2).sum(axis=1) - ((white * self.colors) ** 2).sum(axis=1)
            means = np.column_stack([means, np.maximum(left, 0) / self.rest])
        return np.asarray(np.log(means + 1e-9))


class Fitted(Protocol):
    """The numbers that coordinates are computed from: `Coordinates` during a fit, then `Frame`."""

    @property
    def many(self) -> bool: ...
    @property
    def fences(self) -> tuple[Float64s, Float64s]: ...
    @property
    def unit(self) -> Float64s | None: ...
    @property
    def mean(self) -> Float64s: ...
    @property
    def size(self) -> float: ...
    @property
    def basis(self) -> Float64s: ...
    @property
    def deviation(self) -> Float64s: ...
    @property
    def bands(self) -> Bands | None: ...
    @property
    def ranked(self) -> Table: ...
    @property
    def varies(self) -> Flags: ...
    @property
    def median(self) -> Float64s: ...
    @property
    def scale(self) -> Float64s: ...
    @property
    def radii_mean(self) -> Float64s: ...
    @property
    def radii_deviation(self) -> Float64s: ...


class Frame(NamedTuple):
    """The numbers of fitted coordinates, by the names of `Coordinates`."""

    many: bool
    fences: tuple[Float64s, Float64s]
    unit: Float64s | None
    mean: Float64s
    size: float
    basis: Float64s
    deviation: Float64s
    bands: Bands | None
    ranked: Table
    varies: Flags
    median: Float64s
    scale: Float64s
    radii_mean: Float64s
    radii_deviation: Float64s


class Block:
    """Points of one fold with their coordinates (see `coordinates`), computed on first use."""

    def __init__(self, made: Fitted, sample: Sample, rows: Ints, fold: int) -> None:
        self.made, self.sample, self.rows, self.fold = made, sample, rows, fold
        self.real, self.part = sample.of_real(rows), sample.part[rows]

    def of_distinct(self, coordinate: Float64s) -> Float64s:
        """Return a coordinate of the rows that fits without labels use (`Folds.distinct`)."""
        distinct = self.sample.distinct[self.rows]
        return coordinate if distinct.all() else coordinate[distinct]

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def points(self) -> Float64s:
        return self.sample.points(self.rows)

    @cached_property
    def winsorized(self) -> Float64s:
        x = np.clip(self.points, *self.made.fences)
        return x if self.made.unit is None else np.divide(x, self.made.unit, out=x)

    @cached_property
    def centered(self) -> Float64s:
        return self.winsorized - self.made.mean

    @cached_property
    def normal_scores(self) -> Float64s:
        return self.made.ranked.place(self.points)

    @cached_property
    def energies(self) -> Float64s:
        """The energies of the bands; without columns where there are no bands."""
        bands = self.made.bands
        return np.empty((len(self), 0)) if bands is None else bands.energies(self.centered)

    @cached_property
    def axes(self) -> Float64s:
        axes: Float64s = self.centered @ self.made.basis
        return axes

    @cached_property
    def whitened(self) -> Float64s:
        return np.clip(self.axes / self.made.deviation, -CLIP, CLIP)

    @cached_property
    def single(self) -> Float64s:
        made = self.made
        z = self.axes if made.many else self.centered
        return np.asarray((z[:, made.varies] - made.median) / made.scale)

    @cached_property
    def radii(self) -> Float64s:
        r = (self.whitened**2).sum(axis=1)
        length = (self.centered**2).sum(axis=1)
        return np.column_stack([r, np.log(r + 1e-9), np.log(length + 1e-9 * self.made.size + TINY)])

    @cached_property
    def radial(self) -> Float64s:
        return (self.radii - self.made.radii_mean) / self.made.radii_deviation
