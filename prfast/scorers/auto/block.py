"""Points of one fold, and coordinates of them that are made when they are asked for."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.inputs.lazily import made_once
from prfast.scorers.auto.folds import Flags, Ints
from prfast.scorers.auto.sample import Sample

CLIP = 8.0
TINY = 1e-290


class Fitted(Protocol):
    """What coordinates are made by: `Coordinates`, while it is fitted, or a `Frame`."""

    @property
    def many(self) -> bool: ...
    @property
    def mean(self) -> Float64s: ...
    @property
    def size(self) -> float: ...
    @property
    def basis(self) -> Float64s: ...
    @property
    def deviation(self) -> Float64s: ...
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
    """Coordinates that are fitted, in numbers; of the same names."""

    many: bool
    mean: Float64s
    size: float
    basis: Float64s
    deviation: Float64s
    varies: Flags
    median: Float64s
    scale: Float64s
    radii_mean: Float64s
    radii_deviation: Float64s


class Block:
    """Points of one fold with their coordinates, made when they are asked for."""

    def __init__(self, made: Fitted, sample: Sample, rows: Ints, fold: int) -> None:
        self.made, self.sample, self.rows, self.fold = made, sample, rows, fold
        self.real, self.part = sample.of_real(rows), sample.part[rows]

    def __len__(self) -> int:
        return len(self.rows)

    @made_once
    def points(self) -> Float64s:
        return self.sample.points(self.rows)

    @made_once
    def centred(self) -> Float64s:
        return self.points - self.made.mean

    @made_once
    def axes(self) -> Float64s:
        found: Float64s = self.centred @ self.made.basis
        return found

    @made_once
    def whitened(self) -> Float64s:
        return np.clip(self.axes / self.made.deviation, -CLIP, CLIP)

    @made_once
    def single(self) -> Float64s:
        made = self.made
        z = self.axes if made.many else self.centred
        return np.asarray((z[:, made.varies] - made.median) / made.scale)

    @made_once
    def radii(self) -> Float64s:
        r = (self.whitened**2).sum(axis=1)
        length = (self.centred**2).sum(axis=1)
        return np.column_stack([r, np.log(r + 1e-9), np.log(length + 1e-9 * self.made.size + TINY)])

    @made_once
    def radial(self) -> Float64s:
        return (self.radii - self.made.radii_mean) / self.made.radii_deviation
