"""Bases from counts: `Neighbors`, `Values` and `Ranges`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats
from prfast.methods.auto.coordinates import Data, View
from prfast.methods.auto.folds import Ints
from prfast.neighbors import NeighborSearch
from prfast.neighbors.tasks import Nearest
from prfast.samples.partition import systematic
from prfast.samples.repetition import row_keys

AXES = 24
_REFERENCES = 2500  # of a set
_KS = (2, 8, 32)
_TINY = 1e-12  # squared distances of coordinates up to 1: those below are rounding in float32


class Neighbors(NamedTuple):
    """A base: a column for each k, and one of the distances to the nearest references.

    The columns have the numbers of references of either set among the k nearest ones on the leading
    axes, and those at the same distance, and the distances d of the nearest,

        log (#real + ½) / n − log (#generated + ½) / m,    log d(generated) − log d(real).
    """

    name: str = "neighbors"
    difference: str = "samples crowd in other places or lie too close to others"
    by_fold: bool = True
    rows: int = 2 * _REFERENCES

    def fit(self, view: View, y: Float64s, w: Float64s) -> NeighborScorer:
        """Return references of both sets, as often as their weights say."""
        x = view.axes[:, :AXES]
        # Where all rows of a fit are at the mean, others are not beyond the range of float32.
        size = max(float(np.abs(x).max()), 1e-6 * float(np.sqrt(view.fitted.size))) or 1.0
        sets = []
        for sign in (1.0, -1.0):
            places = np.flatnonzero(y == sign)
            places = places[systematic(w[places], min(_REFERENCES, len(places)))]
            sets.append(np.ascontiguousarray(x[places] / size, np.float32))
        return NeighborScorer(size, *sets)


class NeighborScorer(NamedTuple):
    """Neighbors among references."""

    size: float
    """The largest absolute coordinate, by which all are divided."""
    real: Floats
    fake: Floats

    def score(self, view: View) -> Float64s:
        queries = np.ascontiguousarray(view.axes[:, :AXES] / self.size, np.float32)
        n, m = len(self.real), len(self.fake)
        wanted = [min(k, n + m) for k in _KS]
        ks = sorted(set(wanted))
        search = NeighborSearch(n_jobs=1, progress=False)
        near = Nearest(np.array([1]), np.array([1]), np.array(ks))
        search.run(queries, [self.real, self.fake], [near])
        logs = np.log((near.of_a + 0.5) / n) - np.log((near.of_b + 0.5) / m)
        nearest = 0.5 * (np.log(near.d2_b + _TINY) - np.log(near.d2_a + _TINY))
        return np.hstack([logs[:, np.searchsorted(ks, wanted)], nearest])


_MIN_REPEATED = 0.05  # share of rows with a repeated value, below which a column is continuous,
_FILL_SHARE = 0.005  # unless this share of the rows, and at least _FILL_ROWS, have one value
_FILL_ROWS = 8
_CONTINUOUS = 0.8  # share of values that occur once, from which on they are no evidence
_VALUE_ROWS = 8000  # rows whose values are counted
_FEW_ROWS = 2000  # from which most continuous columns are recognized
_NUMBERS = 1 << 22
_KEYS = -1  # the column of the keys of rows


class Values(NamedTuple):
    """A base: a column of the values of columns, and one of rows that repeat.

    With c and e the numbers of real and generated samples that have a value, among the n and m of
    some rows outside the group of the fold, the evidence of a value that repeats is

        log (c + ½) / (n + 1) − log (e + ½) / (m + 1).

    A value that none of these rows has counts as new; its evidence is that of all values that occur
    once, or 0 where these are most.  The base is the sum over these columns (naive Bayes).
    """

    name: str = "values"
    difference: str = "single features have other exact values: zeros, whole numbers or rounding"
    of_exact_values: bool = True

    def fit_folds(self, data: Data) -> ValueScorer | None:
        places = data.labelled("values", _VALUE_ROWS)
        few = places[:: -(-len(places) // min(_FEW_ROWS, max(_NUMBERS // data.folds.width, 100)))]
        ordered = np.sort(data.read(few), axis=0)
        columns = np.flatnonzero((ordered[1:] == ordered[:-1]).any(axis=0))
        counts = {j: np.unique(ordered[:, j], return_counts=True)[1] for j in columns}
        columns = np.array([j for j in columns if _repeats(counts[j])], np.int64)
        values = dict(zip(columns.tolist(), data.read(places, columns).T, strict=True))
        if data.folds.discrete:
            values[_KEYS] = _keys(data.read(places))
        cell = 2 * data.group[places].astype(np.int64) + ~data.real[places]
        fitted = []
        for column, x in values.items():
            distinct, place, count = np.unique(x, return_inverse=True, return_counts=True)
            if _repeats(count):
                # Values that occur once count as others, whose number is that of the other values.
                recurs, number = count > 1, int((count > 1).sum())
                place = np.where(recurs, np.cumsum(recurs) - 1, number)[place]
                evidence = _evidence(cell, 2 * data.groups, place, number, data.given[places])
                fitted.append(ValueColumn(column, distinct[recurs], evidence))
        return ValueScorer(fitted) if fitted else None


class ValueColumn(NamedTuple):
    """The values of a column and their evidence."""

    column: int
    values: Float64s
    """Ascending."""
    evidence: NDArray[np.float32]
    """(groups, values + 1); the last is that of a new value."""


class ValueScorer(NamedTuple):
    """The columns that repeat values."""

    columns: list[ValueColumn]

    def score(self, view: View) -> Float64s:
        sums = np.zeros((len(view.axes), 2))
        for column, values, evidence in self.columns:
            points = view.points
            x = _keys(points) if column == _KEYS else np.ascontiguousarray(points[:, column])
            at = values.searchsorted(x)
            at[at == len(values)] = 0
            at[values[at] != x] = len(values)  # a new value
            sums[:, int(column == _KEYS)] += evidence[view.fold % len(evidence)][at]
        return sums


def _keys(points: Float64s) -> Float64s:
    """Return a number of each row, equal for equal rows."""
    return (row_keys(points) >> np.uint64(11)).astype(np.float64)


def _repeats(counts: Ints) -> bool:
    """Return whether enough of the values occur more than once, or one of them often, but not all
    are equal; counts: how often each value occurs."""
    rows = int(counts.sum())
    often = max(int(_FILL_SHARE * rows), _FILL_ROWS)
    repeated = int(counts[counts > 1].sum())
    return len(counts) > 1 and bool(repeated >= _MIN_REPEATED * rows or counts.max() >= often)


def _evidence(
    cell: Ints, cells: int, place: Ints, values: int, weight: Float64s
) -> NDArray[np.float32]:
    """Return the evidence of every value and of a new one for each group of folds left out."""
    slots = values + 1  # the last one for all other values, which count as new

    def outside_of_groups(weight: Float64s | None) -> Float64s:
        count = np.bincount(cell * slots + place, weight, cells * slots)
        count = count.reshape(-1, 2, slots).astype(np.float64)
        return np.asarray(count.sum(axis=0) - count)

    outside = outside_of_groups(weight)
    size = outside.sum(axis=2, keepdims=True)
    recurring = outside[:, :, :-1]
    total = outside_of_groups(None)[:, :, :-1].sum(axis=1)  # how rare values are, rows say
    once = (recurring * (total == 1)[:, None]).sum(axis=2, keepdims=True) + outside[:, :, -1:]
    mostly_once = once.sum(axis=1) >= _CONTINUOUS * size.sum(axis=1)
    new = np.where(mostly_once, 0.0, _log_ratio(once, size, 1.0))
    evidence = np.where(total == 0, new, _log_ratio(recurring, size, 0.5))
    return np.hstack([evidence, new]).astype(np.float32)


def _log_ratio(count: Float64s, size: Float64s, prior: float) -> Float64s:
    """Return the log-ratio of the shares of both sets, (groups, values)."""
    logs = np.log((count + prior) / (size + 2 * prior))
    return np.asarray(logs[:, 0] - logs[:, 1])


_FLOOR = 1e-6  # share of a column's reach, up to which a spacing or an excess is rounding


class Ranges(NamedTuple):
    """A base: the distance of a point beyond the range of each set, column by column.

    Per set and tail of a column, outside the fold: x₁ is the extreme value, g the mean spacing of
    the extreme values of the folds.  With E the sum over the tails of max(0, excess over x₁) / g
    and c the number of tails exceeded, the columns are

        log (E_generated + .01) − log (E_real + .01),
        c_generated − c_real + ½ tanh(E_generated − E_real).
    """

    name: str = "ranges"
    difference: str = "one set reaches beyond the other in single features"
    of_exact_values: bool = True

    def fit_folds(self, data: Data) -> RangeScorer:
        extreme = np.full((data.count, 2, 2, data.folds.width), -np.inf)
        for block, view in data.blocks():
            for flags, tails in zip((data.real, ~data.real), extreme[view.fold], strict=True):
                x = view.points[flags[block]]
                for sign, so_far in zip((1.0, -1.0), tails, strict=True):
                    np.maximum(so_far, (sign * x).max(axis=0, initial=-np.inf), out=so_far)
        tolerance = np.maximum(_FLOOR * data.coordinates.reach, 1e-290)
        end, spacing = np.empty_like(extreme), np.empty_like(extreme)
        for left_out in range(data.count):
            used = np.delete(extreme, left_out, axis=0)
            end[left_out] = used.max(axis=0)
            least = np.where(np.isfinite(used), used, end[left_out]).min(axis=0)
            gap = (end[left_out] - least) / max(len(used) - 1, 1)
            spacing[left_out] = np.maximum(gap, tolerance)
        return RangeScorer(end, spacing, tolerance)


class RangeScorer(NamedTuple):
    """The ranges of both sets."""

    end: Float64s
    """(folds, sets, tails, columns): the extreme value, with the sign of the tail."""
    spacing: Float64s
    tolerance: Float64s
    """(columns,); an excess up to this is rounding."""

    def score(self, view: View) -> Float64s:
        x = view.points
        sums, counts = np.zeros((2, len(x))), np.zeros((2, len(x)))
        for i in range(2):
            for tail, sign in enumerate((1.0, -1.0)):
                end = self.end[view.fold, i, tail]
                at, column = np.nonzero(x > end if tail == 0 else x < -end)  # few
                excess = sign * x[at, column] - end[column]
                beyond = excess > self.tolerance[column]
                at, column, excess = at[beyond], column[beyond], excess[beyond]
                counts[i] += np.bincount(at, minlength=len(x))
                scaled = excess / self.spacing[view.fold, i, tail, column]
                sums[i] += np.bincount(at, scaled, len(x))
        (p, q), (n, m) = sums, counts
        ratio = np.log(q + 0.01) - np.log(p + 0.01)
        return np.column_stack([ratio, m - n + 0.5 * np.tanh(q - p)])
