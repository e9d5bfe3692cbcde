"""Points of one fold and their coordinates, computed on first use."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s
from prfast.inputs.caching import cached_property
from prfast.scorers.auto.folds import Flags, Ints
from prfast.scorers.auto.normal_scores import Table
from prfast.scorers.auto.sample import Sample

Float32s = NDArray[np.float32]

CLIP = 8.0
TINY = 1e-290


class Bands(NamedTuple):
    """Leading axes in bands, and what is left of the variance."""

    basis: Float32s
    """(features, axes), whitening: the mean square of each coordinate is 1."""
    starts: Ints
    """The first axis of each band."""
    rest: float
    """The mean squared length of what no axis holds; 0 where the axes hold all."""
    colors: Float32s
    """The deviation along each axis."""

    def energies(self, centred: Float64s) -> Float64s:
        """Return the logarithm of the mean square in each band, a column a band."""
        z = centred.astype(np.float32)
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
    """Points of one fold with their coordinates, computed on first use."""

    def __init__(self, made: Fitted, sample: Sample, rows: Ints, fold: int) -> None:
        self.made, self.sample, self.rows, self.fold = made, sample, rows, fold
        self.real, self.part = sample.of_real(rows), sample.part[rows]

    def of_distinct(self, coordinate: Float64s) -> Float64s:
        """Return a coordinate of the rows that what needs no labels is fitted to."""
        distinct = self.sample.distinct[self.rows]
        return coordinate if distinct.all() else coordinate[distinct]

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def points(self) -> Float64s:
        return self.sample.points(self.rows)

    @cached_property
    def winsorised(self) -> Float64s:
        x = np.clip(self.points, *self.made.fences)
        return x if self.made.unit is None else np.divide(x, self.made.unit, out=x)

    @cached_property
    def centred(self) -> Float64s:
        return self.winsorised - self.made.mean

    @cached_property
    def normal_scores(self) -> Float64s:
        return self.made.ranked.place(self.points)

    @cached_property
    def energies(self) -> Float64s:
        """The bands' energies; of no columns where there are no bands."""
        bands = self.made.bands
        return np.empty((len(self), 0)) if bands is None else bands.energies(self.centred)

    @cached_property
    def axes(self) -> Float64s:
        axes: Float64s = self.centred @ self.made.basis
        return axes

    @cached_property
    def whitened(self) -> Float64s:
        return np.clip(self.axes / self.made.deviation, -CLIP, CLIP)

    @cached_property
    def single(self) -> Float64s:
        made = self.made
        z = self.axes if made.many else self.centred
        return np.asarray((z[:, made.varies] - made.median) / made.scale)

    @cached_property
    def radii(self) -> Float64s:
        r = (self.whitened**2).sum(axis=1)
        length = (self.centred**2).sum(axis=1)
        return np.column_stack([r, np.log(r + 1e-9), np.log(length + 1e-9 * self.made.size + TINY)])

    @cached_property
    def radial(self) -> Float64s:
        return (self.radii - self.made.radii_mean) / self.made.radii_deviation
