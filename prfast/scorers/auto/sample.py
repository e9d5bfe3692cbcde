"""The samples of both sets as the estimator reads them: in folds, a block of rows at a time."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from prfast.cluster.sharded import Sharded
from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.copies import EqualRows, equal_rows
from prfast.scorers.auto.folds import Folds, Ints, draw_folds, unit_of


@dataclass(frozen=True)
class Sample(Folds):
    """Folds, and the points of both sets."""

    real: Floats
    fake: Floats

    def points(self, rows: Ints) -> Float64s:
        """Return rows in float64."""
        return self.columns(rows, slice(self.width))

    def columns(self, rows: Ints, columns: slice | Ints) -> Float64s:
        """Return some columns of rows, in float64."""
        real = self.of_real(rows)
        some = np.arange(self.width)[columns] if isinstance(columns, slice) else columns
        values = np.empty((len(rows), len(some)))
        for own, points, first in ((real, self.real, 0), (~real, self.fake, self.n_real)):
            places = rows[own] - first
            if isinstance(columns, slice):
                values[own] = points[places, columns]
            else:
                values[own] = points[np.ix_(places, columns)]
        return np.ldexp(values, -self.unit, out=values) if self.unit else values


def holding(folds: Folds, real: Floats, fake: Floats) -> Sample:
    """Return folds with their points."""
    given = {one.name: getattr(folds, one.name) for one in fields(Folds)}
    return Sample(**given, real=real, fake=fake)


def in_folds(real: Floats, fake: Floats, folds: int, most: int, seed: int) -> Sample:
    """Deal both sets to folds, the same share of each; at most `most` of a set are fitted to."""
    equal = equal_rows(real, fake)
    return holding(folds_of(real, fake, folds, most, seed, equal), real, fake)


def folds_of(
    real: Floats | Sharded,
    fake: Floats | Sharded,
    folds: int,
    most: int,
    seed: int,
    equal: EqualRows | None = None,
) -> Folds:
    """Return the folds alone; by default of rows that all differ."""
    unit = unit_of(max(_largest(real), _largest(fake)))
    return draw_folds((len(real), len(fake)), real.shape[1], folds, most, unit, seed, equal)


def _largest(points: Floats | Sharded) -> float:
    """Return the largest absolute value."""
    if isinstance(points, Sharded):
        return points.largest
    return max(float(points.max()), -float(points.min()))
